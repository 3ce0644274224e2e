//! `core/validator.yaml`.

use ag_ui_a2ui::validate::{ValidateOptions, ValidationReport};
use ag_ui_a2ui::{Catalog, Validator, WireVersion};
use regex::Regex;
use serde_json::Value;

use super::{cases, checks, document};

/// What the suite checks: structure, envelopes and the types of properties. The rest it leaves to a
/// JSON Schema engine.
fn options() -> ValidateOptions {
    let mut options = ValidateOptions::default();
    options.check_component_types = false;
    options.check_required_props = false;
    options.check_bindings = false;
    options
}

/// What is wrong with a report, as the suite sees it.
fn difference(report: &ValidationReport, expected: &Value) -> Option<String> {
    let texts: Vec<String> = report.errors.iter().map(ToString::to_string).collect();
    let fails = |wanted: &dyn std::fmt::Debug| Some(format!("wanted {wanted:?}, got {texts:#?}"));
    if expected.is_null() {
        return if report.is_valid() { None } else { fails(&"no error") };
    }
    if let Value::Array(details) = &expected["details"] {
        let missing = details.iter().find(|detail| {
            let wanted = (detail["path"].as_str().unwrap(), detail["code"].as_str().unwrap());
            // The suite writes indexes with dots.
            let dotted = |path: &str| path.replace('[', ".").replace(']', "");
            !report
                .errors
                .iter()
                .any(|error| (dotted(&error.path).as_str(), error.code.as_str()) == wanted)
        });
        return missing.and_then(|missing| fails(missing));
    }
    let wanted = expected.as_str().or(expected["message"].as_str()).unwrap();
    // Not an error here: the component may be of a tree that is not all there yet.
    if let Some(orphan) =
        wanted.strip_prefix("Component '").and_then(|rest| rest.split_once("' is not reachable"))
    {
        let is_reported = report.is_valid() && report.unreachable == [orphan.0];
        return if is_reported { None } else { fails(&wanted) };
    }
    let pattern = Regex::new(wanted).unwrap();
    if texts.iter().any(|text| pattern.is_match(text)) { None } else { fails(&wanted) }
}

#[test]
fn the_validator_does_what_the_suite_says() {
    let Some(cases) = cases("core/validator.yaml") else { return };
    let (mut passed, mut failures) = (0, Vec::new());
    for case in &cases {
        assert_eq!(case["action"], "validate", "{case}");
        let catalog = Catalog::from_schema(&document(&case["catalog"]["catalog_schema"])).unwrap();
        let version = match case["catalog"]["version"].as_str().unwrap() {
            "0.8" => WireVersion::V0_8,
            "0.9" => WireVersion::V0_9,
            other => panic!("version {other}"),
        };
        let validator = Validator::with_options(&catalog, options()).wire_version(version);
        for check in checks(case) {
            let report = validator.validate_json_messages(check["payload"].as_array().unwrap());
            match difference(&report, &check["expect_error"]) {
                None => passed += 1,
                Some(difference) => failures.push(format!("{}: {difference}", case["name"])),
            }
        }
    }
    println!(
        "core/validator.yaml: {} cases, {passed} checks passed, {} failed",
        cases.len(),
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!((cases.len(), passed), (45, 56));
}
