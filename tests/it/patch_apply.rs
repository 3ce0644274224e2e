//! JSON Patches: what they do to a document, and what they do not.

use ag_ui::patch::{JsonPatch, MAX_DEPTH, PatchError, PatchFault, apply};
use proptest::prelude::*;
use serde_json::{Value, json};

fn applied(document: Value, patch: Value) -> Result<Value, (Value, PatchError)> {
    let patch: JsonPatch = serde_json::from_value(patch).unwrap();
    let mut changed = document;
    match apply(&mut changed, &patch) {
        Ok(()) => Ok(changed),
        Err(error) => Err((changed, error)),
    }
}

#[test]
fn every_operation_does_what_the_rfc_says() {
    let table = [
        (
            json!({"a": 1}),
            json!([{"op": "add", "path": "/b", "value": 2}]),
            json!({"a": 1, "b": 2}),
        ),
        (json!({"a": 1}), json!([{"op": "add", "path": "/a", "value": 2}]), json!({"a": 2})),
        (json!([1, 3]), json!([{"op": "add", "path": "/1", "value": 2}]), json!([1, 2, 3])),
        (json!([1]), json!([{"op": "add", "path": "/1", "value": 2}]), json!([1, 2])),
        (json!([1]), json!([{"op": "add", "path": "/-", "value": [2]}]), json!([1, [2]])),
        (json!({"-": 0}), json!([{"op": "add", "path": "/-", "value": 1}]), json!({"-": 1})),
        (json!(1), json!([{"op": "add", "path": "", "value": {}}]), json!({})),
        (json!({"a": 1}), json!([{"op": "replace", "path": "", "value": null}]), json!(null)),
        (json!({"a": 1}), json!([{"op": "remove", "path": ""}]), json!(null)),
        (json!({"a": [1, 2]}), json!([{"op": "remove", "path": "/a/0"}]), json!({"a": [2]})),
        (
            json!({"a/b": {"c~d": 1}}),
            json!([{"op": "replace", "path": "/a~1b/c~0d", "value": 2}]),
            json!({"a/b": {"c~d": 2}}),
        ),
        (
            json!({"": {"": 1}}),
            json!([{"op": "replace", "path": "//", "value": 2}]),
            json!({"": {"": 2}}),
        ),
        (json!([1, 2, 3]), json!([{"op": "move", "from": "/0", "path": "/2"}]), json!([2, 3, 1])),
        (json!([1, 2]), json!([{"op": "move", "from": "/0", "path": "/-"}]), json!([2, 1])),
        (json!({"a": {"b": 1}}), json!([{"op": "move", "from": "/a/b", "path": ""}]), json!(1)),
        (
            json!({"a": 1, "b": 2}),
            json!([{"op": "move", "from": "/a", "path": "/b"}]),
            json!({"b": 1}),
        ),
        (json!({"a": 1}), json!([{"op": "move", "from": "/a", "path": "/a"}]), json!({"a": 1})),
        (
            json!({"a": [1]}),
            json!([{"op": "copy", "from": "/a", "path": "/a/0"}]),
            json!({"a": [[1], 1]}),
        ),
        (json!({"a": 1}), json!([{"op": "test", "path": "/a", "value": 1.0}]), json!({"a": 1})),
        (json!({"a": 1}), json!([]), json!({"a": 1})),
    ];
    for (document, patch, expected) in table {
        assert_eq!(applied(document, patch.clone()), Ok(expected), "{patch}");
    }
}

#[test]
fn what_does_not_apply_changes_nothing_and_says_why() {
    let table = [
        (
            json!({}),
            json!({"op": "replace", "path": "/a", "value": 1}),
            "there is no value to replace",
        ),
        (json!({}), json!({"op": "remove", "path": "/a"}), "there is no value to remove"),
        (json!([1]), json!({"op": "remove", "path": "/-"}), "there is no value to remove"),
        (
            json!([1]),
            json!({"op": "replace", "path": "/01", "value": 1}),
            "there is no value to replace",
        ),
        (json!({}), json!({"op": "add", "path": "/a/b", "value": 1}), "there is no object or list"),
        (
            json!({"a": 1}),
            json!({"op": "add", "path": "/a/b", "value": 1}),
            "there is no object or list",
        ),
        (json!([1]), json!({"op": "add", "path": "/2", "value": 1}), "the list has 1 items"),
        (json!([1]), json!({"op": "add", "path": "/+1", "value": 1}), "the list has 1 items"),
        (
            json!([1]),
            json!({"op": "add", "path": "/99999999999999999999999", "value": 1}),
            "the list has 1 items",
        ),
        (json!({"a": {}}), json!({"op": "move", "from": "/a", "path": "/a/b"}), "into itself"),
        (
            json!({"a": {}}),
            json!({"op": "move", "from": "/b", "path": "/a/b"}),
            "there is no value to move",
        ),
        (
            json!({"a": 1}),
            json!({"op": "move", "from": "/a", "path": "/b/c"}),
            "there is no object or list",
        ),
        (json!({}), json!({"op": "copy", "from": "/a", "path": "/b"}), "there is no value to copy"),
        (
            json!({"a": 1}),
            json!({"op": "test", "path": "/a", "value": "1"}),
            "the value is another one",
        ),
        (
            json!({}),
            json!({"op": "test", "path": "/a", "value": null}),
            "there is no value to test",
        ),
    ];
    for (document, operation, fault) in table {
        let changes = json!([{"op": "add", "path": "", "value": document}, operation]);
        let (left, error) = applied(json!("before"), changes).unwrap_err();
        assert_eq!((left, error.operation()), (json!("before"), 1), "{operation}");
        assert!(error.to_string().contains(fault), "{error}");
    }
}

#[test]
fn a_document_cannot_be_nested_without_end() {
    let mut chain = json!({});
    let mut path = String::new();
    let mut moved = 0;
    while moved < 200 {
        path.push_str("/a");
        let patch = json!([{"op": "add", "path": path, "value": {}}]);
        let patch: JsonPatch = serde_json::from_value(patch).unwrap();
        if apply(&mut chain, &patch).is_err() {
            break;
        }
        moved += 1;
    }
    assert_eq!(moved, MAX_DEPTH - 1);
    assert_eq!(depth(&chain), MAX_DEPTH);
    let deeper = json!([
        {"op": "add", "path": "/b", "value": {}},
        {"op": "move", "from": "/a", "path": "/b/a"},
    ]);
    let (left, error) = applied(chain.clone(), deeper).unwrap_err();
    assert_eq!((left, error.fault()), (chain, PatchFault::TooDeep));
}

#[test]
fn copies_cannot_double_a_document_without_end() {
    let copies: Vec<Value> = (1..60)
        .map(|index| json!({"op": "copy", "from": "", "path": format!("/{index}")}))
        .collect();
    let (left, error) = applied(json!({"0": vec![0; 100]}), json!(copies)).unwrap_err();
    assert_eq!(error.fault(), PatchFault::TooLarge);
    assert_eq!(left, json!({"0": vec![0; 100]}));
}

/// Levels of lists and objects.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(json!(null)), (0..3).prop_map(Value::from), "[ab]".prop_map(Value::from)];
    leaf.prop_recursive(3, 20, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ab~]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn operation() -> impl Strategy<Value = Value> {
    let token = prop_oneof![Just("a"), Just("b"), Just("~0"), Just("0"), Just("1"), Just("-")];
    let path = prop::collection::vec(token, 0..3)
        .prop_map(|tokens| tokens.iter().map(|token| format!("/{token}")).collect::<String>());
    let op = prop::sample::select(vec!["add", "remove", "replace", "move", "copy", "test"]);
    (op, path.clone(), path, tree()).prop_map(|(op, path, from, value)| match op {
        "move" | "copy" => json!({"op": op, "path": path, "from": from}),
        "remove" => json!({"op": op, "path": path}),
        _ => json!({"op": op, "path": path, "value": value}),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_failed_patch_leaves_the_document_and_a_good_one_equals_its_steps(
        document in tree(),
        operations in prop::collection::vec(operation(), 1..6),
    ) {
        let whole = applied(document.clone(), json!(operations));
        let mut stepwise = Ok(document.clone());
        for operation in &operations {
            stepwise = stepwise.and_then(|value| applied(value, json!([operation])));
        }
        match (whole, stepwise) {
            (Ok(whole), Ok(stepwise)) => prop_assert_eq!(whole, stepwise),
            (Err((left, error)), Err((_, one))) => {
                prop_assert_eq!(left, document);
                prop_assert_eq!(error.fault(), one.fault());
            }
            (whole, stepwise) => prop_assert!(false, "{:?} but {:?}", whole, stepwise),
        }
    }
}
