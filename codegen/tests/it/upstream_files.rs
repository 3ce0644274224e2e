//! The model in the repository is what the vendored files of the repository say.

use std::path::Path;

use ag_ui_codegen::Error;
use ag_ui_codegen::check::check;
use ag_ui_codegen::project::Project;
use ag_ui_codegen_emit::model::{Model, TypeShape};

/// Set where fetched files must be there.
const REQUIRED: &str = "AG_UI_REQUIRE_SUITES";

fn project() -> Project {
    Project::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn model() -> Model {
    project().recorded().unwrap()
}

#[test]
#[allow(clippy::print_stderr)]
fn the_model_is_what_the_vendored_files_say() {
    match check(&project()) {
        Ok(findings) => {
            let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
            let advice = "run `cargo run -p ag-ui-codegen -- model`";
            assert!(lines.is_empty(), "{advice}; differences:\n{}", lines.join("\n"));
        }
        Err(Error::NotVendored { path }) => {
            let required = std::env::var_os(REQUIRED).is_some_and(|value| value == "1");
            assert!(!required, "{} is not there, and {REQUIRED} is set", path.display());
            eprintln!("skipped: {} is not there", path.display());
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_model_has_every_event() {
    let model = model();
    let TypeShape::Strings(kinds) = &model.find("EventType").unwrap().shape else { panic!() };
    let TypeShape::Union(events) = &model.find("Event").unwrap().shape else { panic!() };
    assert_eq!((kinds.members.len(), events.variants.len()), (36, 36));
    let retired: Vec<&str> = kinds
        .members
        .iter()
        .filter(|member| member.until.is_some())
        .map(|member| member.value.as_str())
        .collect();
    assert_eq!(
        retired,
        [
            "THINKING_START",
            "THINKING_END",
            "THINKING_TEXT_MESSAGE_START",
            "THINKING_TEXT_MESSAGE_CONTENT",
            "THINKING_TEXT_MESSAGE_END",
        ]
    );
    for variant in &events.variants {
        let event = model.find(&variant.name).unwrap();
        let TypeShape::Object(object) = &event.shape else { panic!("{}", variant.name) };
        for base in ["type", "timestamp", "rawEvent", "metadata"] {
            assert!(object.fields.iter().any(|field| field.name == base), "{} {base}", event.name);
        }
    }
}
