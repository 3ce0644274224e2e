//! Applying JSON Patches.

use std::borrow::Cow;

use serde_json::Value;

use super::{JsonPatchOperation, JsonPointer};
use crate::wire::excerpt::ShortPath;

/// Levels of nesting that a patched document may have: it still has to fit into a state event and
/// into the input of a run, which are read to 127 levels.
pub const MAX_DEPTH: usize = 125;

/// Values that `copy` operations may add to one document.
///
/// Copies are the one way in which a small patch makes a large document.
pub const COPY_LIMIT: usize = 1_000_000;

/// Applies a patch to a document: all of it, or nothing.
///
/// The document is changed in place, and what was changed is undone when an operation fails, so
/// the cost is that of the places named and not of the document. Removing the document as a whole
/// leaves `null`.
///
/// ```
/// use ag_ui::patch::{JsonPatch, apply};
/// use serde_json::json;
///
/// let mut board = json!({"tasks": ["write"]});
/// let patch: JsonPatch = serde_json::from_value(json!([
///     {"op": "add", "path": "/tasks/-", "value": "test"},
///     {"op": "replace", "path": "/owner", "value": "Ada"},
/// ]))?;
/// let error = apply(&mut board, &patch).unwrap_err();
/// assert_eq!(error.to_string(), "operation 1, replace /owner: there is no value to replace");
/// assert_eq!(board, json!({"tasks": ["write"]}));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// When an operation names a place that is not there, a `test` fails, or the document would pass
/// [`MAX_DEPTH`] or, by copies, [`COPY_LIMIT`]. The document is as it was then.
pub fn apply(document: &mut Value, patch: &[JsonPatchOperation]) -> Result<(), PatchError> {
    apply_within(document, patch, &mut CopyBudget::default())
}

/// Why a patch does not apply: which operation, where, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation}, {op} {}: {fault}", ShortPath(if .path.as_str().is_empty() { "the document" } else { .path.as_str() }))]
pub struct PatchError {
    operation: usize,
    op: &'static str,
    path: JsonPointer,
    fault: PatchFault,
}

impl PatchError {
    /// Place of the operation in the patch, from zero.
    #[must_use]
    pub fn operation(&self) -> usize {
        self.operation
    }

    /// Where the operation was to work.
    #[must_use]
    pub fn path(&self) -> &JsonPointer {
        &self.path
    }

    /// What is wrong.
    #[must_use]
    pub fn fault(&self) -> PatchFault {
        self.fault
    }
}

/// What is wrong with an operation of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PatchFault {
    /// The object or list that should hold the value is not there.
    #[error("there is no object or list to hold it; add that first")]
    NoParent,
    /// There is no value to replace, remove, move, copy or test.
    #[error("there is no value to {op}")]
    #[non_exhaustive]
    NoValue {
        /// The operation.
        op: &'static str,
    },
    /// A list has no such index.
    #[error(
        "the list has {length} items; an index is at most that number, without leading zeros, or \
         `-` for the end"
    )]
    #[non_exhaustive]
    Index {
        /// Items of the list.
        length: usize,
    },
    /// A `test` found another value.
    #[error("the value is another one")]
    TestFailed,
    /// A value cannot move into itself.
    #[error("a value cannot move into itself")]
    IntoItself,
    /// The document would be nested too deep.
    #[error("the document would be nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// Copies would make the document too large.
    #[error("copies would add more than {COPY_LIMIT} values to the document")]
    TooLarge,
}

/// How much more may be copied into a document.
#[derive(Debug, Clone, Default)]
pub(crate) struct CopyBudget {
    copied: usize,
    /// Whether what was removed since counts as well, for it is of many documents.
    is_shared: bool,
}

impl CopyBudget {
    /// A budget for many documents together.
    #[cfg(feature = "client")]
    pub(crate) fn shared() -> Self {
        Self { copied: 0, is_shared: true }
    }

    fn take(&mut self, values: usize, document: &Value) -> Result<(), PatchFault> {
        if self.copied + values > COPY_LIMIT && !self.is_shared {
            // What was copied may have been removed since: what is there now counts.
            self.copied = size(document, COPY_LIMIT);
        }
        self.copied += values;
        if self.copied > COPY_LIMIT { Err(PatchFault::TooLarge) } else { Ok(()) }
    }
}

/// As [`apply`], for a document that many patches change.
pub(crate) fn apply_within(
    document: &mut Value,
    patch: &[JsonPatchOperation],
    budget: &mut CopyBudget,
) -> Result<(), PatchError> {
    let mut undo = Vec::new();
    for (operation, change) in patch.iter().enumerate() {
        if let Err(fault) = change_one(document, change, budget, &mut undo) {
            undo.into_iter().rev().for_each(|step: Undo<'_>| step.undo(document));
            let (op, path) = described(change);
            return Err(PatchError { operation, op, path: path.clone(), fault });
        }
    }
    Ok(())
}

fn described(change: &JsonPatchOperation) -> (&'static str, &JsonPointer) {
    match change {
        JsonPatchOperation::Add(change) => ("add", &change.path),
        JsonPatchOperation::Remove(change) => ("remove", &change.path),
        JsonPatchOperation::Replace(change) => ("replace", &change.path),
        JsonPatchOperation::Move(change) => ("move", &change.path),
        JsonPatchOperation::Copy(change) => ("copy", &change.path),
        JsonPatchOperation::Test(change) => ("test", &change.path),
    }
}

fn change_one<'a>(
    document: &mut Value,
    change: &'a JsonPatchOperation,
    budget: &mut CopyBudget,
    undo: &mut Vec<Undo<'a>>,
) -> Result<(), PatchFault> {
    let step = match change {
        JsonPatchOperation::Add(change) => add(document, change.path.as_str(), &change.value)?,
        JsonPatchOperation::Remove(change) => {
            let path = change.path.as_str();
            let (value, index) =
                take(document, path).ok_or(PatchFault::NoValue { op: "remove" })?;
            Undo::Insert { path, index, value }
        }
        JsonPatchOperation::Replace(change) => {
            let path = change.path.as_str();
            fits(path, &change.value)?;
            let place = find_mut(document, path).ok_or(PatchFault::NoValue { op: "replace" })?;
            Undo::Replace { path, old: std::mem::replace(place, change.value.clone()) }
        }
        JsonPatchOperation::Move(change) if change.from == change.path => {
            let value = find(document, change.from.as_str());
            return value.map(drop).ok_or(PatchFault::NoValue { op: "move" });
        }
        JsonPatchOperation::Move(change) => {
            move_value(document, change.from.as_str(), change.path.as_str())?
        }
        JsonPatchOperation::Copy(change) => {
            let value = find(document, change.from.as_str());
            let value = value.ok_or(PatchFault::NoValue { op: "copy" })?;
            budget.take(size(value, COPY_LIMIT + 1), document)?;
            let value = value.clone();
            add(document, change.path.as_str(), &value)?
        }
        JsonPatchOperation::Test(change) => {
            let value = find(document, change.path.as_str());
            let value = value.ok_or(PatchFault::NoValue { op: "test" })?;
            return if same(value, &change.value) { Ok(()) } else { Err(PatchFault::TestFailed) };
        }
    };
    undo.push(step);
    Ok(())
}

fn add<'a>(document: &mut Value, path: &'a str, value: &Value) -> Result<Undo<'a>, PatchFault> {
    fits(path, value)?;
    match put(document, path, value.clone()) {
        Ok((_, Some(old))) => Ok(Undo::Replace { path, old }),
        Ok((index, None)) => Ok(Undo::Remove { path, index }),
        Err((_, fault)) => Err(fault),
    }
}

fn move_value<'a>(
    document: &mut Value,
    from: &'a str,
    path: &'a str,
) -> Result<Undo<'a>, PatchFault> {
    let missing = PatchFault::NoValue { op: "move" };
    if path.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
        return Err(PatchFault::IntoItself);
    }
    // Whatever is in the document fits where it is: only a deeper place has to be looked at.
    if levels(path) > levels(from) {
        fits(path, find(document, from).ok_or(missing)?)?;
    }
    let (value, from_index) = take(document, from).ok_or(missing)?;
    match put(document, path, value) {
        Ok((index, old)) => Ok(Undo::Move { from, from_index, path, index, old }),
        Err((value, fault)) => {
            put_back(document, from, from_index, value);
            Err(fault)
        }
    }
}

/// What takes a change back. Indexes are kept because a path may say `-`.
enum Undo<'a> {
    Replace {
        path: &'a str,
        old: Value,
    },
    Remove {
        path: &'a str,
        index: Option<usize>,
    },
    Insert {
        path: &'a str,
        index: Option<usize>,
        value: Value,
    },
    Move {
        from: &'a str,
        from_index: Option<usize>,
        path: &'a str,
        index: Option<usize>,
        old: Option<Value>,
    },
}

impl Undo<'_> {
    fn undo(self, document: &mut Value) {
        match self {
            Self::Replace { path, old } => {
                if let Some(place) = find_mut(document, path) {
                    *place = old;
                }
            }
            Self::Remove { path, index } => drop(take_back(document, path, index)),
            Self::Insert { path, index, value } => put_back(document, path, index, value),
            Self::Move { from, from_index, path, index, old } => {
                let value = match old {
                    Some(old) => {
                        find_mut(document, path).map(|place| std::mem::replace(place, old))
                    }
                    None => take_back(document, path, index),
                };
                put_back(document, from, from_index, value.unwrap_or_default());
            }
        }
    }
}

/// Puts a value in its place; the index it got in a list, and what it replaced. Gives the value
/// back when there is no such place.
fn put(
    document: &mut Value,
    path: &str,
    value: Value,
) -> Result<(Option<usize>, Option<Value>), (Value, PatchFault)> {
    if path.is_empty() {
        return Ok((None, Some(std::mem::replace(document, value))));
    }
    match parent_mut(document, path) {
        Some((Value::Object(fields), key)) => Ok((None, fields.insert(key.into_owned(), value))),
        Some((Value::Array(items), token)) => {
            let length = items.len();
            let index = if token == "-" { Some(length) } else { index(&token) };
            match index.filter(|index| *index <= length) {
                Some(index) => {
                    items.insert(index, value);
                    Ok((Some(index), None))
                }
                None => Err((value, PatchFault::Index { length })),
            }
        }
        _ => Err((value, PatchFault::NoParent)),
    }
}

fn take(document: &mut Value, path: &str) -> Option<(Value, Option<usize>)> {
    if path.is_empty() {
        return Some((std::mem::take(document), None));
    }
    match parent_mut(document, path)? {
        (Value::Object(fields), key) => fields.remove(&*key).map(|value| (value, None)),
        (Value::Array(items), token) => {
            let index = index(&token).filter(|index| *index < items.len())?;
            Some((items.remove(index), Some(index)))
        }
        _ => None,
    }
}

fn take_back(document: &mut Value, path: &str, index: Option<usize>) -> Option<Value> {
    match (parent_mut(document, path)?, index) {
        ((Value::Array(items), _), Some(index)) if index < items.len() => Some(items.remove(index)),
        ((Value::Object(fields), key), _) => fields.remove(&*key),
        _ => None,
    }
}

fn put_back(document: &mut Value, path: &str, index: Option<usize>, value: Value) {
    if path.is_empty() {
        *document = value;
        return;
    }
    match (parent_mut(document, path), index) {
        (Some((Value::Array(items), _)), Some(index)) if index <= items.len() => {
            items.insert(index, value);
        }
        (Some((Value::Object(fields), key)), _) => drop(fields.insert(key.into_owned(), value)),
        _ => {}
    }
}

fn find<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('/').skip(1).try_fold(document, |value, token| match value {
        Value::Object(fields) => fields.get(&*unescaped(token)),
        Value::Array(items) => items.get(index(token)?),
        _ => None,
    })
}

fn find_mut<'v>(document: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    path.split('/').skip(1).try_fold(document, |value, token| match value {
        Value::Object(fields) => fields.get_mut(&*unescaped(token)),
        Value::Array(items) => items.get_mut(index(token)?),
        _ => None,
    })
}

fn parent_mut<'v, 'p>(
    document: &'v mut Value,
    path: &'p str,
) -> Option<(&'v mut Value, Cow<'p, str>)> {
    let (parent, token) = path.rsplit_once('/')?;
    Some((find_mut(document, parent)?, unescaped(token)))
}

fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

fn index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (token == "0" || !token.starts_with('0'));
    if plain { token.parse().ok() } else { None }
}

fn levels(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

fn fits(path: &str, value: &Value) -> Result<(), PatchFault> {
    let room = MAX_DEPTH.checked_sub(levels(path));
    if room.is_some_and(|room| is_within(value, room)) { Ok(()) } else { Err(PatchFault::TooDeep) }
}

/// Whether a value has at most so many levels of lists and objects.
fn is_within(value: &Value, room: usize) -> bool {
    match (value, room.checked_sub(1)) {
        (Value::Array(items), Some(room)) => items.iter().all(|item| is_within(item, room)),
        (Value::Object(fields), Some(room)) => fields.values().all(|item| is_within(item, room)),
        (Value::Array(_) | Value::Object(_), None) => false,
        _ => true,
    }
}

/// How many values there are, counted up to a limit.
fn size(value: &Value, limit: usize) -> usize {
    let mut pending = vec![value];
    let mut count = 0;
    while let Some(value) = pending.pop() {
        count += 1;
        if count >= limit {
            break;
        }
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(fields) => pending.extend(fields.values()),
            _ => {}
        }
    }
    count
}

/// Equality as RFC 6902 has it: numbers by their value, so that `1` is `1.0`.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || (left.is_f64() != right.is_f64() && left.as_f64() == right.as_f64())
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}
