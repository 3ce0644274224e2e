//! `core/catalog.yaml`.

use ag_ui_a2ui::Catalog;
use ag_ui_a2ui::schema::{ExampleCheck, SchemaBundle, load_examples, remove_strict_validation};
use serde_json::Value;

use super::{cases, document, suites};

fn bundle(catalog: &Value) -> SchemaBundle {
    let part = |name: &str| match &catalog[name] {
        Value::Null => Value::Object(Default::default()),
        other => document(other),
    };
    SchemaBundle::new(part("s2c_schema"), part("common_types_schema"), part("catalog_schema"))
}

fn names(value: &Value) -> Option<Vec<String>> {
    let names = value.as_array()?.iter();
    Some(names.map(|name| name.as_str().unwrap().to_owned()).collect())
}

fn prune(case: &Value) -> Option<String> {
    let mut bundle = bundle(&case["catalog"]);
    if let Some(allowed) = names(&case["args"]["allowed_components"]) {
        bundle = bundle.prune_components(&allowed);
    }
    if let Some(allowed) = names(&case["args"]["allowed_messages"]) {
        bundle = bundle.prune_messages(&allowed);
    }
    case["expect"].as_object().unwrap().iter().find_map(|(name, expected)| {
        let found = match name.as_str() {
            "catalog_schema" => bundle.catalog(),
            "s2c_schema" => bundle.server_to_client(),
            "common_types_schema" => bundle.common_types(),
            other => panic!("nothing reads the expectation `{other}`"),
        };
        (found != expected).then(|| format!("{name}: wanted {expected}, got {found}"))
    })
}

fn load(case: &Value) -> Option<String> {
    let args = &case["args"];
    let Value::String(path) = &args["path"] else {
        // No path, no examples: a caller that has none does not ask.
        return (case["expect_output"] != "").then(|| "wanted examples of nothing".to_owned());
    };
    let path = if path.starts_with('/') { path.into() } else { suites().join(path) };
    let validator = bundle(&case["catalog"]).validator().unwrap();
    let check = |value: &Value| {
        let messages = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let checked = messages.iter().try_for_each(|message| validator.validate(message));
        checked.map_err(|errors| errors.join("; "))
    };
    let check: Option<ExampleCheck<'_>> =
        if args["validate"] == true { Some(&check) } else { None };
    match (load_examples(path, check), case["expect_error"]["message"].as_str()) {
        (Ok(found), None) => {
            let expected = case["expect_output"].as_str().unwrap();
            (found.trim() != expected.trim()).then(|| format!("wanted {expected}, got {found}"))
        }
        (Err(error), Some(expected)) => {
            let text = error.to_string();
            (!text.contains(expected)).then(|| format!("wanted {expected}, got {text}"))
        }
        (found, expected) => Some(format!("wanted {expected:?}, got {found:?}")),
    }
}

#[test]
fn catalogs_are_cut_and_shown_as_the_suite_says() {
    let Some(cases) = cases("core/catalog.yaml") else { return };
    let mut failures = Vec::new();
    for case in &cases {
        let difference = match case["action"].as_str().unwrap() {
            "prune" => prune(case),
            "render" => {
                let (found, expected) =
                    (bundle(&case["catalog"]).render(), case["expect_output"].as_str().unwrap());
                (found.trim() != expected.trim()).then(|| format!("wanted {expected}, got {found}"))
            }
            "load" => load(case),
            "remove_strict_validation" => {
                let mut schema = case["args"]["schema"].clone();
                remove_strict_validation(&mut schema);
                (schema != case["expect"]["schema"]).then(|| format!("got {schema}"))
            }
            "verify_cuttable_keys" => {
                let keys = names(&case["expect"]["custom_cuttable_keys"]).unwrap();
                let custom = names(&case["catalog"]["custom_cuttable_keys"]).unwrap();
                let document = document(&case["catalog"]["catalog_schema"]);
                let catalog = Catalog::from_schema(&document).unwrap().with_cuttable_keys(custom);
                let keeps =
                    keys.iter().all(|key| catalog.is_cuttable(key)) && !catalog.is_cuttable("text");
                (!keeps).then(|| "the keys are lost".to_owned())
            }
            other => panic!("nothing does `{other}`"),
        };
        failures.extend(difference.map(|difference| format!("{}: {difference}", case["name"])));
    }
    println!("core/catalog.yaml: {} cases, {} failed", cases.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), 24);
}
