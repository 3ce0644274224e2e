//! The official conformance suites.
//!
//! They are fetched, see `scripts/test`. Without them the tests are skipped, unless
//! `AG_UI_REQUIRE_SUITES` is set.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the counts are what one runs this for"
)]

#[cfg(feature = "schema-validation")]
mod catalog;
mod validator;

use std::path::{Path, PathBuf};

use serde_json::Value;

fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vendor/git/a2ui/44a420b6")
}

/// The cases of a suite; `None` when it is not there and need not be.
fn cases(name: &str) -> Option<Vec<Value>> {
    let path = suites().join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(
            std::env::var_os("AG_UI_REQUIRE_SUITES").is_none(),
            "no suite at {}; `cargo run -p ag-ui-codegen -- vendor` fetches it",
            path.display()
        );
        eprintln!("skipped: no suite at {}", path.display());
        return None;
    };
    Some(serde_yaml_ng::from_str(&text).unwrap())
}

/// A document that a case holds, or names by its file.
fn document(value: &Value) -> Value {
    match value {
        Value::String(file) => {
            let text = std::fs::read_to_string(suites().join(file)).unwrap();
            serde_json::from_str(&text).unwrap()
        }
        document => document.clone(),
    }
}

/// The checks of a case: its steps, or the case itself.
fn checks(case: &Value) -> Vec<&Value> {
    match &case["steps"] {
        Value::Array(steps) => steps.iter().collect(),
        _ => vec![case],
    }
}
