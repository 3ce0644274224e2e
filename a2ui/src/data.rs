//! The data that the components of a surface are bound to.

use serde_json::{Map, Value};

use crate::pointer::{index, tokens};

/// Slots by which one write may grow a list beyond its end.
pub const MAX_GROWTH: usize = 65_536;

/// Levels that data may be nested. What is deeper could not be dropped on a small stack.
pub const MAX_DATA_DEPTH: usize = 512;

/// The data of a surface, as `updateDataModel` messages make it.
///
/// ```
/// use ag_ui_a2ui::DataModel;
/// use serde_json::json;
///
/// let mut data = DataModel::new();
/// data.set("/cart/items/0/title", json!("Tea"))?;
/// assert_eq!(data.get("/cart/items/0/title"), Some(&json!("Tea")));
/// assert_eq!(data.value(), &json!({"cart": {"items": [{"title": "Tea"}]}}));
/// data.remove("/cart/items")?;
/// assert_eq!(data.value(), &json!({"cart": {}}));
/// # Ok::<(), ag_ui_a2ui::DataError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DataModel(Value);

/// Why data cannot be written. It is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A value on the way has no members.
    #[error("`{path}` leads through a value at `{token}` that has no members")]
    #[non_exhaustive]
    NoContainer {
        /// The pointer.
        path: String,
        /// The token that has nowhere to go.
        token: String,
    },
    /// A list has no member of that name.
    #[error("`{path}` names the member `{token}` of a list; a list has indexes")]
    #[non_exhaustive]
    NoIndex {
        /// The pointer.
        path: String,
        /// The token that is no index.
        token: String,
    },
    /// A list would grow too much at once.
    #[error("`{path}` would add more than {MAX_GROWTH} slots to a list")]
    #[non_exhaustive]
    TooLarge {
        /// The pointer.
        path: String,
    },
    /// The data would be nested too deep.
    #[error("the value would be nested deeper than {MAX_DATA_DEPTH} levels")]
    TooDeep,
    /// A pointer is malformed.
    #[error("`{path}` is no pointer: `~` must be followed by 0 or 1")]
    #[non_exhaustive]
    Malformed {
        /// The pointer.
        path: String,
    },
}

impl Default for DataModel {
    fn default() -> Self {
        Self(Value::Object(Map::new()))
    }
}

impl From<Value> for DataModel {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl DataModel {
    /// Data without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All of it.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// The value at a pointer. A pointer without a leading `/` is read as if it had one.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Value> {
        find(&self.0, path)
    }

    /// Writes a value. What is missing on the way is made: lists where an index follows, objects
    /// elsewhere; a list that is written behind its end is filled with nulls.
    ///
    /// # Errors
    /// When the way leads through a value without members, a list would grow by more than
    /// [`MAX_GROWTH`] slots, or the data would be deeper than [`MAX_DATA_DEPTH`]. Nothing changes
    /// then.
    pub fn set(&mut self, path: &str, value: Value) -> Result<(), DataError> {
        check(path)?;
        let mut way: Vec<_> = tokens(path).take(MAX_DATA_DEPTH + 1).collect();
        if way.len() + depth(&value) > MAX_DATA_DEPTH {
            return Err(DataError::TooDeep);
        }
        let Some(last) = way.pop() else {
            self.0 = value;
            return Ok(());
        };
        self.check_way(path, &way, &last)?;
        let mut place = &mut self.0;
        for (position, token) in way.iter().enumerate() {
            let next = way.get(position + 1).unwrap_or(&last);
            match member_mut(place, token) {
                Some(member) => {
                    if member.is_null() {
                        *member = container_for(next);
                    }
                    place = member;
                }
                None => return Ok(()),
            }
        }
        if place.is_null() {
            *place = container_for(&last);
        }
        if let Some(member) = member_mut(place, &last) {
            *member = value;
        }
        Ok(())
    }

    /// Removes a value: a member of an object goes, a slot of a list stays and is empty.
    ///
    /// # Errors
    /// When the pointer is malformed. What is not there need not be removed.
    pub fn remove(&mut self, path: &str) -> Result<(), DataError> {
        check(path)?;
        let mut way: Vec<_> = tokens(path).collect();
        let Some(last) = way.pop() else {
            self.0 = Value::Object(Map::new());
            return Ok(());
        };
        let mut place = &mut self.0;
        for token in &way {
            let next = match place {
                Value::Object(fields) => fields.get_mut(&**token),
                Value::Array(items) => index(token).and_then(|at| items.get_mut(at)),
                _ => None,
            };
            match next {
                Some(next) => place = next,
                None => return Ok(()),
            }
        }
        match place {
            Value::Object(fields) => drop(fields.remove(&*last)),
            Value::Array(items) => {
                if let Some(item) = index(&last).and_then(|at| items.get_mut(at)) {
                    *item = Value::Null;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a value can be written, before anything is made on the way.
    fn check_way(
        &self,
        path: &str,
        way: &[std::borrow::Cow<'_, str>],
        last: &str,
    ) -> Result<(), DataError> {
        let mut place = Some(&self.0);
        for token in way.iter().map(|token| &**token).chain([last]) {
            let (next, length) = match place {
                Some(Value::Object(fields)) => (fields.get(token), None),
                Some(Value::Array(items)) => {
                    (index(token).and_then(|at| items.get(at)), Some(items.len()))
                }
                // What is made for an index is a list, which it may be far beyond.
                None | Some(Value::Null) => (None, index(token).map(|_| 0)),
                Some(_) => {
                    let (path, token) = (path.to_owned(), token.to_owned());
                    return Err(DataError::NoContainer { path, token });
                }
            };
            if let Some(length) = length {
                let Some(at) = index(token) else {
                    let (path, token) = (path.to_owned(), token.to_owned());
                    return Err(DataError::NoIndex { path, token });
                };
                if at >= length.saturating_add(MAX_GROWTH) {
                    return Err(DataError::TooLarge { path: path.to_owned() });
                }
            }
            place = next;
        }
        Ok(())
    }
}

pub(crate) fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    tokens(path).try_fold(value, |value, token| match value {
        Value::Object(fields) => fields.get(&*token),
        Value::Array(items) => items.get(index(&token)?),
        _ => None,
    })
}

/// Levels of lists and objects.
fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut pending = vec![(value, 0)];
    while let Some((value, level)) = pending.pop() {
        deepest = deepest.max(level);
        match value {
            Value::Array(items) => pending.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(fields) => pending.extend(fields.values().map(|item| (item, level + 1))),
            _ => {}
        }
    }
    deepest
}

fn check(path: &str) -> Result<(), DataError> {
    if crate::pointer::is_valid(path) {
        Ok(())
    } else {
        Err(DataError::Malformed { path: path.to_owned() })
    }
}

fn container_for(token: &str) -> Value {
    if index(token).is_some() { Value::Array(Vec::new()) } else { Value::Object(Map::new()) }
}

/// The member of that name, made where it is missing.
fn member_mut<'v>(place: &'v mut Value, token: &str) -> Option<&'v mut Value> {
    match place {
        Value::Object(fields) => Some(fields.entry(token).or_insert(Value::Null)),
        Value::Array(items) => {
            let at = index(token)?;
            if at >= items.len() {
                items.resize(at + 1, Value::Null);
            }
            items.get_mut(at)
        }
        _ => None,
    }
}
