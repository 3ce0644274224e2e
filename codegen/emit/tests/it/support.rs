//! Small models written for the tests.

#[cfg(any(feature = "format", feature = "write"))]
use ag_ui_codegen_emit::model::Model;
use serde_json::{Value, json};

/// The model that the crates are built from.
#[cfg(any(feature = "format", feature = "write"))]
pub(crate) fn committed() -> Model {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/ag-ui.json");
    let json = std::fs::read_to_string(path).unwrap();
    ag_ui_codegen_emit::read_model(&json).unwrap()
}

/// A model of one event besides the set of event types.
pub(crate) fn small() -> Value {
    json!({
        "format": 1,
        "protocol": "small",
        "protocolVersion": "1.0",
        "sources": [{ "name": "test", "version": "1.0.0" }],
        "types": [
            {
                "name": "Greeting",
                "docs": "A greeting.",
                "since": "1.0.0",
                "shape": { "object": { "unknown": "strip", "fields": [
                    field("to", &json!("string")),
                ] } }
            }
        ]
    })
}

pub(crate) fn field(name: &str, shape: &Value) -> Value {
    json!({
        "name": name,
        "docs": "A field.",
        "since": "1.0.0",
        "optional": false,
        "null": "reject",
        "shape": shape
    })
}
