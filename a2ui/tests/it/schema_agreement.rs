//! Our catalog document and the official one give the same verdict.

use std::path::Path;

use ag_ui_a2ui::catalog::basic::AnyComponent;
use ag_ui_a2ui::schema::{SchemaBundle, SchemaValidator};
use ag_ui_a2ui::{Catalog, Component};
use serde_json::{Value, json};

fn vendored(path: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../vendor/npm/@a2ui/web_core/0.11.0/src/v0_9/schemas")
        .join(path);
    let text = std::fs::read_to_string(path).ok()?;
    serde_json::from_str(&text).ok()
}

fn validators() -> Option<(SchemaValidator, SchemaValidator)> {
    let messages = vendored("server_to_client.json");
    assert!(
        messages.is_some() || std::env::var_os("AG_UI_REQUIRE_SUITES").is_none(),
        "the schemas are not there; `cargo run -p ag-ui-codegen -- vendor` fetches them"
    );
    let (messages, common) = (messages?, vendored("common_types.json")?);
    let bundle = |catalog: Value| SchemaBundle::new(messages.clone(), common.clone(), catalog);
    let ours = bundle(Catalog::basic().to_schema().clone()).validator().unwrap();
    let theirs = bundle(vendored("catalogs/basic/catalog.json")?).validator().unwrap();
    Some((ours, theirs))
}

fn surface(component: &Value) -> Value {
    json!({"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [component]}})
}

/// One of each component and function, all properties set.
fn samples() -> Vec<Value> {
    let check = json!([{"condition": {"call": "required", "args": {"value": {"path": "/a"}}}, "message": "m"}]);
    let text = |call: Value| json!({"id": "root", "component": "Text", "text": call});
    let boolean =
        |call: Value| json!({"id": "root", "component": "CheckBox", "label": "l", "value": call});
    vec![
        json!({"id": "root", "component": "Text", "text": "a", "variant": "h1", "weight": 1.5, "accessibility": {"label": "l", "description": {"path": "/d"}}}),
        json!({"id": "root", "component": "Image", "url": "u", "description": "d", "fit": "cover", "variant": "avatar"}),
        json!({"id": "root", "component": "Icon", "name": "home"}),
        json!({"id": "root", "component": "Icon", "name": {"svgPath": "M0 0"}}),
        json!({"id": "root", "component": "Icon", "name": {"path": "/icon"}}),
        json!({"id": "root", "component": "Video", "url": {"path": "/u"}}),
        json!({"id": "root", "component": "AudioPlayer", "url": "u", "description": "d"}),
        json!({"id": "root", "component": "Row", "children": ["a"], "justify": "spaceAround", "align": "center"}),
        json!({"id": "root", "component": "Column", "children": {"componentId": "a", "path": "/l"}, "justify": "end", "align": "stretch"}),
        json!({"id": "root", "component": "List", "children": [], "direction": "horizontal", "align": "end"}),
        json!({"id": "root", "component": "Card", "child": "a"}),
        json!({"id": "root", "component": "Tabs", "tabs": [{"title": "t", "child": "a"}]}),
        json!({"id": "root", "component": "Modal", "trigger": "a", "content": "b"}),
        json!({"id": "root", "component": "Divider", "axis": "vertical"}),
        json!({"id": "root", "component": "Button", "child": "a", "action": {"event": {"name": "n", "context": {"a": {"path": "/a"}}}}, "variant": "primary", "checks": check}),
        json!({"id": "root", "component": "Button", "child": "a", "action": {"functionCall": {"call": "openUrl", "args": {"url": "https://example.com"}, "returnType": "void"}}}),
        json!({"id": "root", "component": "TextField", "label": "l", "value": {"path": "/v"}, "variant": "obscured", "validationRegexp": "^a", "checks": check}),
        json!({"id": "root", "component": "ChoicePicker", "options": [{"label": "l", "value": "v"}], "value": ["v"], "label": "l", "variant": "multipleSelection", "displayStyle": "chips", "filterable": true}),
        json!({"id": "root", "component": "Slider", "value": 1, "max": 2, "min": 0, "label": "l"}),
        json!({"id": "root", "component": "DateTimeInput", "value": "", "enableDate": true, "enableTime": false, "min": "2026-01-01", "max": {"path": "/m"}, "label": "l"}),
        text(json!({"call": "formatString", "args": {"value": "${/a}"}, "returnType": "string"})),
        text(
            json!({"call": "formatNumber", "args": {"value": 1, "decimals": 2, "grouping": false}}),
        ),
        text(json!({"call": "formatCurrency", "args": {"value": 1, "currency": "EUR"}})),
        text(json!({"call": "formatDate", "args": {"value": {"path": "/d"}, "format": "yyyy"}})),
        text(json!({"call": "pluralize", "args": {"value": 1, "one": "a", "other": "b"}})),
        boolean(json!({"call": "regex", "args": {"value": "a", "pattern": "b"}})),
        boolean(json!({"call": "length", "args": {"value": "a", "min": 1}})),
        boolean(json!({"call": "numeric", "args": {"value": 1, "max": 2.5}})),
        boolean(json!({"call": "email", "args": {"value": "a"}})),
        boolean(json!({"call": "and", "args": {"values": [true, {"path": "/a"}]}})),
        boolean(json!({"call": "or", "args": {"values": [true, false]}})),
        boolean(json!({"call": "not", "args": {"value": false}})),
    ]
}

/// A value in every way that it can be otherwise.
fn mutations(sample: &Value) -> Vec<Value> {
    let others = [
        json!(null),
        json!(7),
        json!("other"),
        json!([]),
        json!({}),
        json!({"path": "/x"}),
        json!(true),
        json!({"call": "nothing", "args": {}}),
    ];
    let mut mutations = Vec::new();
    for name in sample.as_object().unwrap().keys() {
        let mut without = sample.clone();
        without.as_object_mut().unwrap().remove(name);
        mutations.push(without);
        for other in &others {
            let mut changed = sample.clone();
            changed[name] = other.clone();
            mutations.push(changed);
        }
        // What is inside of it.
        if let Value::Object(inside) = &sample[name] {
            for inner in inside.keys() {
                for other in &others {
                    let mut changed = sample.clone();
                    changed[name][inner] = other.clone();
                    mutations.push(changed);
                }
                let mut without = sample.clone();
                without[name].as_object_mut().unwrap().remove(inner);
                mutations.push(without);
            }
            let mut more = sample.clone();
            more[name]["more"] = json!(1);
            mutations.push(more);
        }
    }
    let mut more = sample.clone();
    more["more"] = json!(1);
    mutations.push(more);
    mutations
}

#[test]
fn both_documents_give_the_same_verdict() {
    let Some((ours, theirs)) = validators() else { return };
    let (mut accepted, mut refused) = (0, 0);
    for sample in samples() {
        let message = surface(&sample);
        assert_eq!(theirs.validate(&message), Ok(()), "{sample}");
        for component in mutations(&sample).iter().chain([&sample]) {
            let message = surface(component);
            let (our, their) = (ours.validate(&message), theirs.validate(&message));
            assert_eq!(our.is_ok(), their.is_ok(), "{component}: ours {our:?}, theirs {their:?}");
            if our.is_ok() && component["component"].is_string() {
                // What the schema accepts, the types hold, and lose nothing of.
                let untyped: Component = serde_json::from_value(component.clone()).unwrap();
                let typed = AnyComponent::try_from(&untyped)
                    .unwrap_or_else(|error| panic!("{component}: {error}"));
                assert_eq!(typed.to_component(), untyped);
            }
            accepted += usize::from(our.is_ok());
            refused += usize::from(our.is_err());
        }
    }
    assert!(accepted > 100 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

/// The schemas of the types are those of the document, but for the arguments of functions and the
/// forms of texts: what the document accepts they accept, and what they refuse it refuses.
#[cfg(feature = "schemars")]
#[test]
fn schemas_of_types_accept_what_the_document_accepts() {
    let Some((ours, _)) = validators() else { return };
    let schema = schemars::schema_for!(AnyComponent).to_value();
    let of_types = jsonschema::validator_for(&schema).unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for sample in samples() {
        for component in mutations(&sample).iter().chain([&sample]) {
            let by_document = ours.validate(&surface(component)).is_ok();
            let by_types = of_types.is_valid(component);
            assert!(by_types || !by_document, "{component}");
            accepted += usize::from(by_types && by_document);
            refused += usize::from(!by_types);
        }
    }
    assert!(accepted > 100 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

#[cfg(feature = "schemars")]
#[test]
fn a_schema_names_what_is_required_and_describes_it() {
    use ag_ui_a2ui::catalog::basic::Tabs;

    let schema = schemars::schema_for!(Tabs).to_value();
    assert_eq!(schema["required"], json!(["id", "tabs", "component"]));
    assert_eq!(schema["properties"]["component"], json!({"const": "Tabs"}));
    assert_eq!(schema["properties"]["tabs"]["minItems"], 1);
    assert_eq!(schema["additionalProperties"], false);
    let words = schema["properties"]["tabs"]["description"].as_str().unwrap();
    assert!(!words.is_empty());
    let tab = &schema["$defs"]["TabsTab"];
    assert_eq!(tab["required"], json!(["title", "child"]), "{schema}");
}
