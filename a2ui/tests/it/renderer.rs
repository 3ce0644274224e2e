//! What renderers say to agents, and what both tell each other beside messages.

use std::path::Path;

use ag_ui_a2ui::{
    Catalog, ClientCapabilities, ClientDataModel, Component, InlineCatalog, RendererError,
    RendererMessage, RendererPayload, ServerCapabilities, UserAction, Validator,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn schema(name: &str) -> Option<jsonschema::Validator> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../vendor/npm/@a2ui/web_core/0.11.0/src/v0_9/schemas")
        .join(name);
    let Ok(text) = std::fs::read_to_string(path) else {
        assert!(
            std::env::var_os("AG_UI_REQUIRE_SUITES").is_none(),
            "the schemas are not there; `cargo run -p ag-ui-codegen -- vendor` fetches them"
        );
        return None;
    };
    Some(jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap())
}

/// A document, and each way in which one of its members, at any depth, is gone, more, or other.
fn changed(document: &Value) -> Vec<Value> {
    let others = [json!(null), json!(7), json!("other"), json!([]), json!({}), json!(true)];
    let mut changed = vec![document.clone()];
    let mut pending = vec![String::new()];
    while let Some(place) = pending.pop() {
        let Some(Value::Object(members)) = document.pointer(&place) else { continue };
        for name in members.keys() {
            let mut without = document.clone();
            without.pointer_mut(&place).unwrap().as_object_mut().unwrap().remove(name);
            changed.push(without);
            for other in &others {
                let mut with = document.clone();
                with.pointer_mut(&place).unwrap()[name] = other.clone();
                changed.push(with);
            }
            pending.push(format!("{place}/{name}"));
        }
        let mut more = document.clone();
        more.pointer_mut(&place).unwrap()["more"] = json!("other");
        changed.push(more);
    }
    changed
}

/// Holds reading and writing to an official document, but for what `excused` says.
fn agrees<T: DeserializeOwned + Serialize>(
    name: &str,
    samples: &[Value],
    excused: impl Fn(&Value) -> bool,
) {
    let Some(schema) = schema(name) else { return };
    let (mut accepted, mut refused) = (0, 0);
    for document in samples.iter().flat_map(changed).filter(|document| !excused(document)) {
        let read = serde_json::from_value::<T>(document.clone());
        assert_eq!(read.is_ok(), schema.is_valid(&document), "{document}: {:?}", read.err());
        if let Ok(read) = read {
            accepted += 1;
            assert!(schema.is_valid(&serde_json::to_value(&read).unwrap()), "{document}");
        } else {
            refused += 1;
        }
    }
    assert!(accepted >= samples.len() && refused > 5, "{accepted} accepted, {refused} refused");
}

fn action() -> Value {
    json!({"version": "v0.9", "action": {
        "name": "checkout",
        "surfaceId": "cart",
        "sourceComponentId": "buy",
        "timestamp": "2026-01-01T12:00:00Z",
        "context": {"cart": 7, "note": null, "inner": {"a": 1}},
    }})
}

fn validation_failed() -> Value {
    json!({"version": "v0.9", "error": {
        "code": "VALIDATION_FAILED", "surfaceId": "cart", "path": "/components/0/text",
        "message": "a text is wanted",
    }})
}

fn other_error() -> Value {
    json!({"version": "v0.9", "error": {
        "code": "OUT_OF_PAPER", "surfaceId": "cart", "message": "no", "tray": {"number": 2},
    }})
}

#[test]
fn messages_are_read_as_the_official_schema_has_them() {
    let samples = [action(), validation_failed(), other_error()];
    agrees::<RendererMessage>("client_to_server.json", &samples, |document| {
        // Any version is read: whether one speaks it is for the reader to say. A code that is no
        // text is a slip of the schema.
        let (version, code) = (&document["version"], document.pointer("/error/code"));
        version != "v0.9" && version.is_string() || code.is_some_and(|code| !code.is_string())
    });
    for sample in samples {
        let read: RendererMessage = serde_json::from_value(sample.clone()).unwrap();
        assert_eq!(read.surface_id(), "cart");
        assert_eq!(serde_json::to_value(read).unwrap(), sample);
    }
}

#[test]
fn metadata_are_read_as_the_official_schemas_have_them() {
    let inline = json!({
        "catalogId": "https://example.com/own.json",
        "components": {"Gauge": {"type": "object", "properties": {"value": {"type": "number"}}}},
        "functions": [{
            "name": "double", "description": "d", "parameters": {"type": "object"},
            "returnType": "number",
        }],
        "theme": {"accent": {"type": "string"}},
    });
    let sample = json!({"v0.9": {"supportedCatalogIds": ["a", "b"], "inlineCatalogs": [inline]}});
    agrees::<ClientCapabilities>("client_capabilities.json", &[sample], |document| {
        // What is inside of a catalog is for the reader of catalogs to say.
        let catalog = &document["v0.9"]["inlineCatalogs"][0];
        catalog.is_object()
    });
    let without = json!({"v0.9": {"supportedCatalogIds": ["a", "b"]}});
    agrees::<ClientCapabilities>("client_capabilities.json", &[without], |_| false);
    let full = json!({"v0.9": {"supportedCatalogIds": ["a"], "acceptsInlineCatalogs": true}});
    agrees::<ServerCapabilities>("server_capabilities.json", &[full], |_| false);
    let data = json!({"version": "v0.9", "surfaces": {"cart": {"items": []}}});
    agrees::<ClientDataModel>("client_data_model.json", &[data], |document| {
        document["version"] != "v0.9" && document["version"].is_string()
    });
}

#[test]
fn capabilities_of_other_versions_are_passed_over() {
    let both = json!({
        "v0.9": {"supportedCatalogIds": ["a"]},
        "v1.0": {"supportedCatalogIds": ["b"], "something": true},
    });
    let read: ClientCapabilities = serde_json::from_value(both).unwrap();
    assert_eq!(read, ClientCapabilities::new(["a"]));
    let none = serde_json::from_value::<ClientCapabilities>(json!({"v1.0": {}}));
    assert!(none.unwrap_err().to_string().contains("v0.9"));
}

#[test]
fn an_inline_catalog_validates_like_any_other() {
    let capabilities: ClientCapabilities = serde_json::from_value(json!({"v0.9": {
        "supportedCatalogIds": [],
        "inlineCatalogs": [{
            "catalogId": "https://example.com/own.json",
            "components": {"Gauge": {
                "type": "object",
                "properties": {"value": {"type": "number"}},
                "required": ["value"],
            }},
            "functions": [{"name": "double", "parameters": {}, "returnType": "number"}],
        }],
    }}))
    .unwrap();
    let catalog = capabilities.inline_catalogs[0].to_catalog().unwrap();
    assert_eq!(catalog.id(), Some("https://example.com/own.json"));
    assert_eq!(catalog.function_names().collect::<Vec<_>>(), ["double"]);
    let report = Validator::new(&catalog).validate(&[Component::new("root", "Gauge")]);
    assert_eq!(report.errors[0].path, "components[0].value");

    let broken = InlineCatalog::new("x").with_component("Gauge", 7).to_catalog();
    assert_eq!(broken.unwrap_err().path(), "/components/Gauge");
}

#[test]
fn messages_are_written_by_hand_too() {
    let written = UserAction::new("checkout", "cart", "buy", "2026-01-01T12:00:00Z")
        .with_context("cart", 7)
        .with_context("note", Value::Null)
        .with_context("inner", json!({"a": 1}));
    assert_eq!(serde_json::to_value(RendererMessage::new(written)).unwrap(), action());

    let card = Component::new("root", "Card").with("child", json!(7));
    let report = Validator::new(&Catalog::basic()).validate(&[card]);
    let error = RendererMessage::new(RendererError::found("cart", &report.errors[0]));
    let RendererPayload::Error(found) = &error.payload else { panic!("it is an error") };
    assert_eq!(found.code, RendererError::VALIDATION_FAILED);
    assert_eq!(found.path.as_deref(), Some("/components/0/child"));
    let data = ClientDataModel::new().with_surface("cart", serde_json::Map::new());
    assert_eq!(
        serde_json::to_value(data).unwrap(),
        json!({"version": "v0.9", "surfaces": {"cart": {}}})
    );
}

#[test]
fn what_is_wrong_is_named() {
    let read = |document: Value| {
        serde_json::from_value::<RendererMessage>(document).unwrap_err().to_string()
    };
    let mut without = action();
    without["action"].as_object_mut().unwrap().remove("timestamp");
    assert!(read(without).contains("`timestamp`"));
    let mut wrong = action();
    wrong["action"]["surfaceId"] = json!(7);
    assert!(read(wrong).starts_with("`surfaceId`: "));
    let mut more = validation_failed();
    more["error"]["line"] = json!(3);
    assert_eq!(read(more), "`error` has no member `line`");
    assert!(read(json!({"version": "v0.9"})).contains("exactly one of `action` and `error`"));
    assert!(read(json!({"version": "v0.9", "userAction": {}})).contains("`userAction`"));
}
