//! Publishing of shared state.

use serde_core::Serialize;
use serde_json::Value;

use super::diff;
use super::error::Result;
use crate::Event;
use crate::wire::write::length;

/// Turns a state into events: a snapshot first, then whatever is shorter, a patch or a snapshot.
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
    published: Option<Value>,
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
        self.published.as_ref()
    }

    /// The event that brings the other side to that state; `None` when it is there already.
    ///
    /// # Errors
    /// When the state has no JSON form. What was published before stays.
    pub fn publish<S: Serialize + ?Sized>(&mut self, state: &S) -> Result<Option<Event>> {
        let state = serde_json::to_value(state)?;
        let event = match &self.published {
            Some(published) if *published == state => return Ok(None),
            Some(published) => shorter(published, &state),
            None => Event::state_snapshot(state.clone()),
        };
        self.published = Some(state);
        Ok(Some(event))
    }

    /// Forgets what was published: the next event is a snapshot.
    pub fn reset(&mut self) {
        self.published = None;
    }
}

fn shorter(published: &Value, state: &Value) -> Event {
    let patch = diff::diff(published, state);
    if length(&patch) < length(state) {
        Event::state_delta(patch)
    } else {
        Event::state_snapshot(state.clone())
    }
}
