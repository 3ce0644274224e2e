//! Publishing of shared state.

mod apply;
mod differ;

use std::collections::BTreeMap;

use serde_core::Serialize;
use serde_json::Value;

use super::diff;
use super::error::Result;
use super::tracked::Seen;
use crate::Event;
use crate::patch::{JsonPatch, JsonPatchOperation};
use crate::wire::write::length;
use differ::Differ;

/// Turns a state into events: a snapshot first, then whatever is shorter, a patch or a snapshot.
///
/// A state is compared with what was published while it is serialized, once; nothing is built for
/// what is alike. So publishing costs a look at the whole state and the building of the change. Long
/// lists that change little need no look either when they are [`TrackedVec`](super::TrackedVec)s.
///
/// [`RunContext`](super::RunContext) has one. It is usable alone, by runtimes of another shape.
///
/// ```
/// use ag_ui::{EventType, server::StateManager};
/// use serde_json::json;
///
/// let mut manager = StateManager::new();
/// let mut state = json!({ "tasks": ["tea"], "note": "a longer text that need not travel again" });
/// let first = manager.publish(&state)?.unwrap();
/// assert_eq!(first.event_type(), EventType::StateSnapshot);
///
/// state["tasks"][0] = json!("coffee");
/// let second = manager.publish(&state)?.unwrap();
/// assert_eq!(second.event_type(), EventType::StateDelta);
///
/// assert!(manager.publish(&state)?.is_none(), "nothing changed");
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StateManager {
    published: Option<Published>,
}

#[derive(Debug, Clone)]
struct Published {
    value: Value,
    /// Bytes of its JSON text.
    length: usize,
    /// Tracked lists as they were when they were published, by where they stand.
    lists: BTreeMap<String, Seen>,
}

impl StateManager {
    /// A manager that has published nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the other side holds, once something was published.
    #[must_use]
    pub fn published(&self) -> Option<&Value> {
        self.published.as_ref().map(|published| &published.value)
    }

    /// The event that brings the other side to that state; `None` when it is there already.
    ///
    /// # Errors
    /// When the state has no JSON form. What was published before stays.
    pub fn publish<S: Serialize + ?Sized>(&mut self, state: &S) -> Result<Option<Event>> {
        let Some(published) = &mut self.published else { return self.publish_whole(state) };
        let mut differ = Differ::new(&published.lists);
        differ.compare(&published.value, state)?;
        let Differ { patch, seen, .. } = differ;
        let Some(grown) = apply::apply(&mut published.value, &patch) else {
            return self.publish_whole(state);
        };
        published.length = published.length.saturating_add_signed(grown);
        published.forget_edited(&patch);
        published.lists.extend(seen);
        Ok(match patch.is_empty() {
            true => None,
            false if length(&patch) < published.length => Some(Event::state_delta(patch)),
            false => Some(Event::state_snapshot(published.value.clone())),
        })
    }

    fn publish_whole<S: Serialize + ?Sized>(&mut self, state: &S) -> Result<Option<Event>> {
        let value = serde_json::to_value(state)?;
        let length = length(&value);
        let event = Event::state_snapshot(value.clone());
        self.published = Some(Published { value, length, lists: BTreeMap::new() });
        Ok(Some(event))
    }

    /// Forgets what was published: the next event is a snapshot.
    pub fn reset(&mut self) {
        self.published = None;
    }
}

impl Published {
    /// A list that was edited other than through its own comparison is not known any more.
    fn forget_edited(&mut self, patch: &JsonPatch) {
        if self.lists.is_empty() {
            return;
        }
        for operation in patch {
            let path = match operation {
                JsonPatchOperation::Add(operation) => &operation.path,
                JsonPatchOperation::Replace(operation) => &operation.path,
                JsonPatchOperation::Remove(operation) => &operation.path,
                _ => continue,
            };
            self.forget_around(path.as_str());
        }
    }

    /// Forgets the lists at a path, above it and below it.
    fn forget_around(&mut self, path: &str) {
        let ends = path.char_indices().filter(|(_, letter)| *letter == '/').map(|(at, _)| at);
        for end in ends.chain([path.len()]) {
            self.lists.remove(&path[..end]);
        }
        let below = format!("{path}/");
        let gone: Vec<String> = self
            .lists
            .range(below.clone()..)
            .map(|(list, _)| list)
            .take_while(|list| list.starts_with(&below))
            .cloned()
            .collect();
        for list in &gone {
            self.lists.remove(list);
        }
    }
}
