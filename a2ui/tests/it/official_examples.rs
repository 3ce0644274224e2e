//! The examples of the official package: read into types, written again, and validated; and what
//! is wrong with them once something is changed.
//!
//! They are fetched, see `scripts/test`. Without them the tests are skipped, unless
//! `AG_UI_REQUIRE_SUITES` is set.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

use std::path::Path;

use ag_ui_a2ui::catalog::basic::AnyComponent;
use ag_ui_a2ui::validate::{ErrorCode, ValidationReport};
use ag_ui_a2ui::{AgentMessage, Catalog, Component, Validator};
use serde_json::{Value, json};

struct Example {
    name: String,
    messages: Vec<Value>,
}

fn vendored(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../vendor/npm/@a2ui/web_core/0.11.0/src/v0_9/schemas/catalogs")
        .join(path)
}

fn examples(catalog: &str) -> Option<Vec<Example>> {
    let directory = vendored(catalog).join("examples");
    let Ok(entries) = std::fs::read_dir(&directory) else {
        assert!(
            std::env::var_os("AG_UI_REQUIRE_SUITES").is_none(),
            "no examples at {}; `cargo run -p ag-ui-codegen -- vendor` fetches them",
            directory.display()
        );
        eprintln!("skipped: no examples at {}", directory.display());
        return None;
    };
    let mut examples: Vec<Example> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let document: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let messages = document.get("messages").unwrap_or(&document);
            Example {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                messages: messages.as_array().unwrap().clone(),
            }
        })
        .collect();
    examples.sort_by(|left, right| left.name.cmp(&right.name));
    Some(examples)
}

fn catalog(name: &str) -> Catalog {
    let text = std::fs::read_to_string(vendored(name).join("catalog.json")).unwrap();
    Catalog::from_schema(&serde_json::from_str(&text).unwrap()).unwrap()
}

/// All components of an example, with the message that they are in.
fn components(messages: &[Value]) -> Vec<(usize, &Value)> {
    let lists = messages.iter().enumerate().filter_map(|(index, message)| {
        Some((index, message["updateComponents"]["components"].as_array()?))
    });
    lists.flat_map(|(index, list)| list.iter().map(move |component| (index, component))).collect()
}

#[test]
fn every_example_goes_through_the_types_unchanged() {
    for (name, count, total) in [("basic", 43, 577), ("minimal", 7, 32)] {
        let Some(examples) = examples(name) else { return };
        assert_eq!(examples.len(), count);
        let mut seen = 0;
        for example in &examples {
            for message in &example.messages {
                let typed: AgentMessage = serde_json::from_value(message.clone())
                    .unwrap_or_else(|error| panic!("{}: {error}: {message}", example.name));
                assert_eq!(serde_json::to_value(&typed).unwrap(), *message, "{}", example.name);
            }
            for (_, component) in components(&example.messages) {
                let untyped: Component = serde_json::from_value(component.clone()).unwrap();
                if name == "basic" {
                    let typed = AnyComponent::try_from(&untyped)
                        .unwrap_or_else(|error| panic!("{}: {error}: {component}", example.name));
                    assert_eq!(
                        serde_json::to_value(typed.to_component()).unwrap(),
                        *component,
                        "{}",
                        example.name
                    );
                }
                assert_eq!(serde_json::to_value(&untyped).unwrap(), *component, "{}", example.name);
                seen += 1;
            }
        }
        assert_eq!(seen, total, "{name}");
    }
}

#[test]
fn every_example_validates() {
    for name in ["basic", "minimal"] {
        let Some(examples) = examples(name) else { return };
        let read = catalog(name);
        let ours = Catalog::basic();
        let catalogs: Vec<&Catalog> =
            if name == "basic" { vec![&read, &ours] } else { vec![&read] };
        for example in examples {
            for catalog in &catalogs {
                let report = Validator::new(catalog).validate_json_messages(&example.messages);
                assert!(report.is_valid(), "{}: {:#?}", example.name, report.errors);
                let typed: Vec<AgentMessage> = example
                    .messages
                    .iter()
                    .map(|message| serde_json::from_value(message.clone()).unwrap())
                    .collect();
                let folded = Validator::new(catalog).validate_messages(&typed);
                assert_eq!(folded, report, "{}", example.name);
            }
        }
    }
}

/// The document that our types come from says what upstream's says.
#[test]
fn our_catalog_is_the_official_one() {
    if examples("basic").is_none() {
        return;
    }
    let (ours, theirs) = (Catalog::basic(), catalog("basic"));
    assert_eq!(ours.id(), theirs.id());
    assert_eq!(ours.render_summary(), theirs.render_summary());
    assert!(ours.function_names().eq(theirs.function_names()));
    let text = ours.to_schema().to_string();
    assert!(text.matches("\"description\"").count() > 100);
}

struct Mutation {
    name: &'static str,
    /// Changes the messages, and says where the error has to be; `None` where the example has
    /// nothing to change.
    change: fn(&mut Vec<Value>) -> Option<String>,
    code: ErrorCode,
}

/// The place of the last component that is wanted, which no later one replaces, as indexes.
fn find(messages: &[Value], wanted: impl Fn(&Value) -> bool) -> Option<(usize, usize)> {
    messages.iter().enumerate().rev().find_map(|(message, value)| {
        let list = value["updateComponents"]["components"].as_array()?;
        Some((message, list.iter().rposition(&wanted)?))
    })
}

fn at(messages: &mut [Value], (message, index): (usize, usize)) -> &mut Value {
    &mut messages[message]["updateComponents"]["components"][index]
}

fn path((message, index): (usize, usize), rest: &str) -> String {
    format!("messages[{message}].updateComponents.components[{index}]{rest}")
}

const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "a required property is gone",
        change: |messages| {
            let place = find(messages, |component| component["component"] == "Text")?;
            at(messages, place).as_object_mut().unwrap().remove("text");
            Some(path(place, ".text"))
        },
        code: ErrorCode::MissingRequiredProp,
    },
    Mutation {
        name: "a value of another type",
        change: |messages| {
            let place = find(messages, |component| component["child"].is_string())?;
            at(messages, place)["child"] = json!(7);
            Some(path(place, ".child"))
        },
        code: ErrorCode::TypeMismatch,
    },
    Mutation {
        name: "an unknown component",
        change: |messages| {
            let place = find(messages, |_| true)?;
            at(messages, place)["component"] = json!("Hologram");
            Some(path(place, ".component"))
        },
        code: ErrorCode::UnknownComponent,
    },
    Mutation {
        name: "a child that is not there",
        change: |messages| {
            let place = find(messages, |component| component["children"].is_array())?;
            at(messages, place)["children"][0] = json!("nobody");
            Some(path(place, ".children[0]"))
        },
        code: ErrorCode::UnresolvedChild,
    },
    Mutation {
        name: "a circle",
        change: |messages| {
            let place = find(messages, |component| component["child"].is_string())?;
            let id = at(messages, place)["id"].clone();
            at(messages, place)["child"] = id;
            Some(path(place, ".child"))
        },
        code: ErrorCode::ChildCycle,
    },
    Mutation {
        name: "an id twice",
        change: |messages| {
            let place = find(messages, |_| true)?;
            let again = at(messages, place).clone();
            let list = messages[place.0]["updateComponents"]["components"].as_array_mut().unwrap();
            list.push(again);
            let last = list.len() - 1;
            Some(path((place.0, last), ".id"))
        },
        code: ErrorCode::DuplicateId,
    },
    Mutation {
        name: "a pointer that is none",
        change: |messages| {
            let place = find(messages, |component| component["component"] == "Text")?;
            at(messages, place)["text"] = json!({"path": "/a~2"});
            Some(path(place, ".text"))
        },
        code: ErrorCode::UnresolvedBinding,
    },
    Mutation {
        name: "no id",
        change: |messages| {
            let place = find(messages, |_| true)?;
            at(messages, place).as_object_mut().unwrap().remove("id");
            Some(path(place, ".id"))
        },
        code: ErrorCode::MissingId,
    },
    Mutation {
        name: "another version",
        change: |messages| {
            messages[0]["version"] = json!("v1.0");
            Some("messages[0].version".to_owned())
        },
        code: ErrorCode::InvalidValue,
    },
    Mutation {
        name: "too deep",
        change: |messages| {
            let place = find(messages, |component| component["id"] == "root")?;
            let list = messages[place.0]["updateComponents"]["components"].as_array_mut().unwrap();
            let first = list.len();
            list[place.1]["id"] = json!("former-root");
            list.push(json!({"id": "root", "component": "Card", "child": "deep-0"}));
            for level in 0..60 {
                let child = if level == 59 {
                    "former-root".to_owned()
                } else {
                    format!("deep-{}", level + 1)
                };
                list.push(
                    json!({"id": format!("deep-{level}"), "component": "Card", "child": child}),
                );
            }
            // The root is at level 0, so the 51st of those behind it is one too many.
            Some(path((place.0, first + 51), ""))
        },
        code: ErrorCode::MaxDepthExceeded,
    },
];

fn has(report: &ValidationReport, code: ErrorCode, path: &str) -> bool {
    report
        .errors
        .iter()
        .any(|error| error.code == code && error.path == path && error.message.len() > 10)
}

#[test]
fn what_is_changed_is_found_where_it_is() {
    let Some(examples) = examples("basic") else { return };
    let catalog = Catalog::basic();
    let mut counts = vec![0; MUTATIONS.len()];
    for example in &examples {
        for (mutation, count) in MUTATIONS.iter().zip(&mut counts) {
            let mut messages = example.messages.clone();
            let Some(place) = (mutation.change)(&mut messages) else { continue };
            let report = Validator::new(&catalog).validate_json_messages(&messages);
            assert!(
                has(&report, mutation.code, &place),
                "{}, {}: wanted {} at {place}, got {:#?}",
                example.name,
                mutation.name,
                mutation.code,
                report.errors
            );
            *count += 1;
        }
    }
    for (mutation, count) in MUTATIONS.iter().zip(counts) {
        assert!(count >= 30, "{}: only {count} examples could be changed", mutation.name);
    }
}
