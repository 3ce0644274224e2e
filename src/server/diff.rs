//! The difference between two JSON documents as a patch.

use serde_json::{Map, Value};

use crate::JsonPointer;
use crate::patch::{AddOperation, JsonPatch, RemoveOperation, ReplaceOperation};

/// Adds what turns `old`, which stands at that path, into `new`.
pub(super) fn diff_at(path: &JsonPointer, old: &Value, new: &Value, patch: &mut JsonPatch) {
    compare(path, old, new, patch);
}

fn compare(path: &JsonPointer, old: &Value, new: &Value, patch: &mut JsonPatch) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => compare_objects(path, old, new, patch),
        (Value::Array(old), Value::Array(new)) => compare_arrays(path, old, new, patch),
        (old, new) if old == new => {}
        (_, new) => patch.push(ReplaceOperation::new(path.clone(), new.clone()).into()),
    }
}

fn compare_objects(
    path: &JsonPointer,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    patch: &mut JsonPatch,
) {
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        patch.push(RemoveOperation::new(path.clone().join(key)).into());
    }
    for (key, value) in new {
        let path = path.clone().join(key);
        match old.get(key) {
            Some(before) => compare(&path, before, value, patch),
            None => patch.push(AddOperation::new(path, value.clone()).into()),
        }
    }
}

/// What is alike at both ends stays; between, items are compared in pairs, and the rest is removed
/// or added.
fn compare_arrays(path: &JsonPointer, old: &[Value], new: &[Value], patch: &mut JsonPatch) {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    let pairs = old.len().min(new.len());
    let at = |index: usize| path.clone().join((prefix + index).to_string());
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        compare(&at(index), old, new, patch);
    }
    for index in (pairs..old.len()).rev() {
        patch.push(RemoveOperation::new(at(index)).into());
    }
    for (index, value) in new.iter().enumerate().skip(pairs) {
        patch.push(AddOperation::new(at(index), value.clone()).into());
    }
}
