//! Data of surfaces: what is written where.

use ag_ui_a2ui::pointer::is_valid;
use ag_ui_a2ui::{DataError, DataModel, MAX_GROWTH};
use proptest::prelude::*;
use serde_json::{Value, json};

fn set(data: Value, path: &str, value: Value) -> Result<Value, DataError> {
    let mut model = DataModel::from(data);
    model.set(path, value).map(|()| model.value().clone())
}

fn remove(data: Value, path: &str) -> Value {
    let mut model = DataModel::from(data);
    model.remove(path).unwrap();
    model.value().clone()
}

#[test]
fn values_are_written_where_the_pointer_says() {
    let table = [
        (json!({}), "/a", json!(1), json!({"a": 1})),
        (json!({"a": {"b": 1, "c": 2}}), "/a", json!({"b": 3}), json!({"a": {"b": 3}})),
        (json!({"a": 1}), "/", json!({"b": 2}), json!({"b": 2})),
        (json!({"a": 1}), "", json!([]), json!([])),
        (json!({}), "/a/b/c", json!(1), json!({"a": {"b": {"c": 1}}})),
        (json!({}), "/a/0/b", json!(1), json!({"a": [{"b": 1}]})),
        (json!({"a": null}), "/a/b", json!(1), json!({"a": {"b": 1}})),
        (json!({"a": [1]}), "/a/3", json!(2), json!({"a": [1, null, null, 2]})),
        (json!({"a": [1]}), "/a/0", json!(null), json!({"a": [null]})),
        (json!({}), "a/b", json!(1), json!({"a": {"b": 1}})),
        (json!({}), "/a~1b/c~0d", json!(1), json!({"a/b": {"c~d": 1}})),
        (json!({}), "/a//b/", json!(1), json!({"a": {"b": 1}})),
        (json!({}), "/a/01", json!(1), json!({"a": {"01": 1}})),
        (json!(null), "/a", json!(1), json!({"a": 1})),
    ];
    for (data, path, value, expected) in table {
        assert_eq!(set(data, path, value), Ok(expected), "{path}");
    }
}

#[test]
fn what_cannot_be_written_changes_nothing() {
    for (data, path) in [
        (json!({"a": 1}), "/a/b"),
        (json!({"a": "text"}), "/a/0"),
        (json!({"a": [1]}), "/a/b"),
        (json!({"a": [1]}), "/a/-"),
        (json!({"a": [1]}), "/a/01"),
        (json!({"a": {}}), "/a/~2"),
    ] {
        let mut model = DataModel::from(data.clone());
        assert!(model.set(path, json!(1)).is_err(), "{path}");
        assert_eq!(model.value(), &data, "{path}");
    }
    for path in ["/a/70000", "/a/99999999999999999999", "/new/70000"] {
        let error = set(json!({"a": [1]}), path, json!(1)).unwrap_err();
        assert!(
            matches!(error, DataError::TooLarge { .. } | DataError::NoIndex { .. }),
            "{path}: {error}"
        );
    }
    assert!(set(json!({"a": [1]}), &format!("/a/{MAX_GROWTH}"), json!(1)).is_ok());
}

#[test]
fn removing_takes_members_and_empties_slots() {
    for (data, path, expected) in [
        (json!({"a": 1, "b": 2}), "/a", json!({"b": 2})),
        (json!({"a": [1, 2]}), "/a/0", json!({"a": [null, 2]})),
        (json!({"a": 1}), "/", json!({})),
        (json!({"a": 1}), "/b/c", json!({"a": 1})),
        (json!({"a": [1]}), "/a/7", json!({"a": [1]})),
    ] {
        assert_eq!(remove(data, path), expected, "{path}");
    }
}

#[test]
fn pointers_are_valid_by_their_escapes() {
    for path in ["", "/", "a", "a/b", "/a~0b", "/a~1b", "a//b", "//"] {
        assert!(is_valid(path), "{path}");
    }
    for path in ["/a~", "/a~2", "a~b", "~"] {
        assert!(!is_valid(path), "{path}");
    }
}

/// A pointer of 50,000 tokens is written, read and dropped on a small stack.
#[test]
fn a_pointer_may_be_as_long_as_it_likes() {
    let work = || {
        let path = "/a".repeat(50_000);
        let mut model = DataModel::new();
        model.set(&path, json!(1)).unwrap_err();
        assert_eq!(model, DataModel::new());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_written_is_read(
        writes in prop::collection::vec(("(/[ab01]){1,4}", 0..9_i32), 1..12),
    ) {
        let mut model = DataModel::new();
        for (path, value) in writes {
            let before = model.clone();
            match model.set(&path, json!(value)) {
                Ok(()) => prop_assert_eq!(model.get(&path), Some(&json!(value))),
                Err(_) => prop_assert_eq!(&model, &before),
            }
        }
    }
}
