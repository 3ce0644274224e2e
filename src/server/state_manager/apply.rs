//! Bringing the published value up to date, and knowing how long it is.

use serde_json::Value;

use crate::patch::{JsonPatch, JsonPatchOperation};
use crate::wire::write::length;

/// Applies a patch of additions, replacements and removals, and returns by how much the encoded
/// value grew. `None` when the patch does not apply, which leaves the value half changed.
pub(super) fn apply(value: &mut Value, patch: &JsonPatch) -> Option<isize> {
    patch.iter().map(|operation| apply_one(value, operation)).sum()
}

fn apply_one(root: &mut Value, operation: &JsonPatchOperation) -> Option<isize> {
    let (path, new) = match operation {
        JsonPatchOperation::Add(operation) => (&operation.path, Some(&operation.value)),
        JsonPatchOperation::Replace(operation) => (&operation.path, Some(&operation.value)),
        JsonPatchOperation::Remove(operation) => (&operation.path, None),
        _ => return None,
    };
    let mut tokens: Vec<String> = path.tokens().collect();
    let Some(last) = tokens.pop() else {
        let new = new?;
        let grown = size(new) - size(root);
        root.clone_from(new);
        return Some(grown);
    };
    let mut parent = root;
    for token in &tokens {
        parent = child(parent, token)?;
    }
    match (parent, new) {
        (Value::Object(fields), Some(new)) => {
            let comma = isize::from(!fields.is_empty());
            let entry = size(new) + size(&Value::from(last.as_str())) + 1;
            match fields.insert(last, new.clone()) {
                Some(old) => Some(size(new) - size(&old)),
                None => Some(entry + comma),
            }
        }
        (Value::Object(fields), None) => {
            let old = fields.remove(&last)?;
            let comma = isize::from(!fields.is_empty());
            Some(-(size(&old) + size(&Value::from(last)) + 1 + comma))
        }
        (Value::Array(items), new) => {
            let index: usize = last.parse().ok()?;
            match (operation, new) {
                (JsonPatchOperation::Add(_), Some(new)) if index <= items.len() => {
                    let comma = isize::from(!items.is_empty());
                    items.insert(index, new.clone());
                    Some(size(new) + comma)
                }
                (JsonPatchOperation::Replace(_), Some(new)) => {
                    let old = items.get_mut(index)?;
                    let grown = size(new) - size(old);
                    old.clone_from(new);
                    Some(grown)
                }
                (_, None) if index < items.len() => {
                    let old = items.remove(index);
                    Some(-(size(&old) + isize::from(!items.is_empty())))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn child<'a>(value: &'a mut Value, token: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(fields) => fields.get_mut(token),
        Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
        _ => None,
    }
}

fn size(value: &Value) -> isize {
    isize::try_from(length(value)).unwrap_or(isize::MAX)
}
