//! Every kind of difference between two models has its line.

use ag_ui_codegen::drift::differences;
use serde_json::{Value, json};

fn base() -> Value {
    json!({
        "format": 1,
        "protocol": "ag-ui",
        "protocolVersion": "1.0",
        "sources": [{ "name": "pkg", "version": "1.0.0" }],
        "types": [
            {
                "name": "Thing", "docs": "A thing.", "since": "1.0.0",
                "shape": { "object": {
                    "unknown": "strip",
                    "earlier": [{ "version": "0.9.0", "unknown": "keep" }],
                    "notes": ["rule"],
                    "fields": [
                        {
                            "name": "a", "docs": "An a.", "since": "1.0.0", "optional": true,
                            "null": "reject", "default": 1,
                            "shape": { "integer": { "min": 0, "max": 9 } },
                            "earlier": [{
                                "version": "0.9.0", "optional": true, "null": "value", "shape": "any"
                            }]
                        },
                        {
                            "name": "b", "docs": "A b.", "since": "1.0.0", "optional": false,
                            "null": "reject", "shape": { "array": { "items": "string" } }
                        }
                    ]
                } }
            },
            {
                "name": "Event", "docs": "Any.", "since": "1.0.0", "formerly": ["Happening"],
                "shape": { "union": { "tag": "kind", "variants": [
                    { "value": "A", "name": "Thing", "since": "1.0.0" },
                    { "value": "B", "name": "Thing", "since": "1.0.0" }
                ] } }
            },
            {
                "name": "Part", "docs": "A part.", "since": "1.0.0",
                "shape": { "union": { "tag": "kind", "variants": [
                    { "value": "A", "name": "Thing", "since": "1.0.0" }
                ] } }
            },
            {
                "name": "Role", "docs": "A role.", "since": "1.0.0",
                "shape": { "strings": { "members": [
                    { "value": "user", "docs": "One.", "since": "1.0.0" },
                    { "value": "tool", "docs": "Two.", "since": "1.0.0" }
                ] } }
            },
            {
                "name": "Id", "docs": "An id.", "since": "1.0.0", "shape": { "alias": "string" }
            }
        ]
    })
}

const FIELD: &str = "/types/0/shape/object/fields/0";

/// The differences that setting `pointer` to `value` makes; `null` removes.
fn after(pointer: &str, value: &Value) -> Vec<String> {
    let mut changed = base();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match changed.pointer_mut(parent).unwrap() {
        Value::Object(object) if value.is_null() => {
            object.remove(key).unwrap();
        }
        Value::Object(object) => {
            object.insert(key.into(), value.clone());
        }
        Value::Array(array) if value.is_null() => {
            array.remove(key.parse().unwrap());
        }
        Value::Array(array) => array.insert(key.parse().unwrap(), value.clone()),
        other => panic!("{parent} is {other}"),
    }
    let model = |value: Value| ag_ui_codegen_emit::model::read(&value).unwrap();
    differences(&model(base()), &model(changed))
}

fn field(key: &str, value: &Value, expected: &str) {
    assert_eq!(after(&format!("{FIELD}/{key}"), value), [expected], "{key} {value}");
}

#[test]
fn equal_models_have_no_differences() {
    let model = ag_ui_codegen_emit::model::read(&base()).unwrap();
    assert_eq!(differences(&model, &model), [""; 0]);
}

#[test]
fn the_model_itself() {
    let gone = ["protocol version: was 1.0, now 2.0"];
    assert_eq!(after("/protocolVersion", &json!("2.0")), gone);
    assert_eq!(after("/protocol", &json!("a2ui")), ["protocol: was ag-ui, now a2ui"]);
    assert_eq!(after("/format", &json!(2)), ["format: was 1, now 2"]);
    assert_eq!(after("/sources/0", &Value::Null), ["source gone: pkg 1.0.0"]);
    let source = json!({ "name": "pkg", "version": "2.0.0" });
    assert_eq!(after("/sources/1", &source), ["source added: pkg 2.0.0"]);
}

#[test]
fn types() {
    assert_eq!(after("/types/4", &Value::Null), ["type gone: Id"]);
    let alias = json!({ "name": "New", "docs": "", "since": "1", "shape": { "alias": "any" } });
    assert_eq!(after("/types/0", &alias), ["type added: New"]);
    assert_eq!(after("/types/4/docs", &json!("x")), ["Id: text differs"]);
    let since = ["Id: was there since 1.0.0, now since 2.0.0"];
    assert_eq!(after("/types/4/since", &json!("2.0.0")), since);
    let until = ["Id: was current, now retired after 1.0.0"];
    assert_eq!(after("/types/4/until", &json!("1.0.0")), until);
    let names = ["Event: former names were Happening, now none"];
    assert_eq!(after("/types/1/formerly", &Value::Null), names);
    let number = ["Id: was string, now number"];
    assert_eq!(after("/types/4/shape", &json!({ "alias": "number" })), number);
    let kind = ["Id: was an alias, now a set of strings"];
    assert_eq!(after("/types/4/shape", &json!({ "strings": { "members": [] } })), kind);
}

#[test]
fn a_change_of_order_alone_is_a_difference() {
    let mut changed = base();
    changed.pointer_mut("/types").unwrap().as_array_mut().unwrap().swap(0, 4);
    changed
        .pointer_mut("/types/1/shape/union/variants")
        .unwrap()
        .as_array_mut()
        .unwrap()
        .swap(0, 1);
    changed
        .pointer_mut("/types/3/shape/strings/members")
        .unwrap()
        .as_array_mut()
        .unwrap()
        .swap(0, 1);
    changed.pointer_mut("/types/4/shape/object/fields").unwrap().as_array_mut().unwrap().swap(0, 1);
    let model = |value: Value| ag_ui_codegen_emit::model::read(&value).unwrap();
    assert_eq!(
        differences(&model(base()), &model(changed)),
        [
            "types: order differs",
            "Thing: order of fields differs",
            "Event: order of events differs",
            "Role: order of members differs",
        ]
    );
}

#[test]
fn objects() {
    let object = "/types/0/shape/object";
    let unknown = after(&format!("{object}/unknown"), &json!("keep"));
    assert_eq!(unknown, ["Thing: other properties were removed, now kept"]);
    let earlier = after(&format!("{object}/earlier/0/unknown"), &json!("reject"));
    assert_eq!(
        earlier,
        [
            "Thing: no longer says that 0.9.0 kept other properties",
            "Thing: now says that 0.9.0 rejected other properties",
        ]
    );
    assert_eq!(after(&format!("{object}/notes/0"), &Value::Null), ["Thing: note gone: rule"]);
    assert_eq!(after(&format!("{object}/notes/1"), &json!("n")), ["Thing: note added: n"]);
    assert_eq!(after(&format!("{object}/fields/1"), &Value::Null), ["field gone: Thing.b"]);
    let added = json!({
        "name": "c", "docs": "", "since": "1", "optional": true, "null": "reject", "shape": "any"
    });
    assert_eq!(after(&format!("{object}/fields/2"), &added), ["field added: Thing.c"]);
}

#[test]
fn fields() {
    field("optional", &json!(false), "Thing.a: now required");
    field("null", &json!("absent"), "Thing.a: null was rejected, now absence");
    field("null", &json!("value"), "Thing.a: null was rejected, now a value");
    field("default", &Value::Null, "Thing.a: default removed: 1");
    field("default", &json!("x"), "Thing.a: default: was 1, now \"x\"");
    field("docs", &json!("x"), "Thing.a: text differs");
    field("since", &json!("0.9.0"), "Thing.a: was there since 1.0.0, now since 0.9.0");
    field("until", &json!("1.0.0"), "Thing.a: was current, now retired after 1.0.0");
    let default = after("/types/0/shape/object/fields/1/default", &json!([]));
    assert_eq!(default, ["Thing.b: default added: []"]);
    let optional = after("/types/0/shape/object/fields/1/optional", &json!(true));
    assert_eq!(optional, ["Thing.b: now optional"]);
}

#[test]
fn shapes() {
    let cases = [
        (json!({ "integer": { "min": 1, "max": 9 } }), "integer 1..=9"),
        (json!({ "integer": { "min": 0 } }), "integer 0..="),
        (json!({ "integer": {} }), "integer"),
        (json!("number"), "number"),
        (json!("any"), "any value"),
        (json!("map"), "map"),
        (json!("boolean"), "boolean"),
        (json!({ "literal": "x" }), "\"x\""),
        (json!({ "pattern": "^a$" }), "string matching ^a$"),
        (json!({ "ref": "Role" }), "Role"),
        (json!({ "oneOf": ["string", { "array": { "items": "map" } }] }), "string or list of map"),
        (json!({ "array": { "items": "string", "minItems": 2 } }), "list of 2 or more string"),
    ];
    for (shape, words) in cases {
        field("shape", &shape, &format!("Thing.a: was integer 0..=9, now {words}"));
    }
}

#[test]
fn earlier_readings() {
    let reading = format!("{FIELD}/earlier/0");
    let gone = ["Thing.a: reading of 0.9.0 gone: optional any value, null a value"];
    assert_eq!(after(&reading, &Value::Null), gone);
    let added = json!({
        "version": "0.8.0", "optional": false, "null": "reject", "default": 2, "shape": "number"
    });
    let line = ["Thing.a: reading of 0.8.0 added: required number, null rejected, default 2"];
    assert_eq!(after(&reading, &added), line);
    let changed = after(&format!("{reading}/null"), &json!("absent"));
    assert_eq!(
        changed,
        [
            "Thing.a: reading of 0.9.0 was optional any value, null a value, now optional any value, null absence"
        ]
    );
}

#[test]
fn unions_and_sets_of_strings() {
    assert_eq!(after("/types/1/shape/union/variants/1", &Value::Null), ["event gone: B"]);
    let variant = json!({ "value": "C", "name": "Thing", "since": "1.0.0" });
    assert_eq!(after("/types/1/shape/union/variants/2", &variant), ["event added: C"]);
    assert_eq!(after("/types/2/shape/union/variants/1", &variant), ["Part: variant added: C"]);
    assert_eq!(after("/types/2/shape/union/variants/0", &Value::Null), ["Part: variant gone: A"]);
    assert_eq!(after("/types/2/shape/union/tag", &json!("k")), ["Part: tag: was kind, now k"]);
    let target = after("/types/2/shape/union/variants/0/name", &json!("Other"));
    assert_eq!(target, ["Part variant A: was Thing, now Other"]);
    let until = after("/types/2/shape/union/variants/0/until", &json!("1.0.0"));
    assert_eq!(until, ["Part variant A: was current, now retired after 1.0.0"]);
    assert_eq!(
        after("/types/3/shape/strings/members/0", &Value::Null),
        ["Role: member gone: user"]
    );
    let member = json!({ "value": "dog", "docs": "", "since": "1.0.0" });
    assert_eq!(after("/types/3/shape/strings/members/2", &member), ["Role: member added: dog"]);
    let text = after("/types/3/shape/strings/members/0/docs", &json!("x"));
    assert_eq!(text, ["Role member user: text differs"]);
    let since = after("/types/3/shape/strings/members/0/since", &json!("2.0.0"));
    assert_eq!(since, ["Role member user: was there since 1.0.0, now since 2.0.0"]);
}
