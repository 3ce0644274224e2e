//! Publishing of shared state.

use serde_core::Serialize;
use serde_json::Value;
use serde_path_to_error::Segment;

use super::diff;
use super::error::{Error, Result};
use super::sink::Sink;
use crate::wire::write::length;
use crate::{Event, JsonPointer, RunAgentInput};

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

/// The state of a run with its manager.
pub(super) struct SharedState<S> {
    pub(super) value: S,
    manager: StateManager,
}

impl<S> SharedState<S> {
    pub(super) fn new(value: S) -> Self {
        Self { value, manager: StateManager::new() }
    }
}

impl<S: super::AgentState> SharedState<S> {
    /// The state of a request. Absent, null and the empty object stand for the default.
    ///
    /// An agent whose state has no fields, such as `()`, leaves whatever the thread holds alone.
    pub(super) fn of_input(input: &RunAgentInput) -> Result<Self> {
        let value = match &input.state {
            _ if size_of::<S>() == 0 => S::default(),
            None | Some(Value::Null) => S::default(),
            Some(Value::Object(fields)) if fields.is_empty() => S::default(),
            Some(state) => S::deserialize(state).map_err(|error| misfit::<S>(state, error))?,
        };
        Ok(Self::new(value))
    }

    pub(super) fn publish(&mut self, sink: &Sink) -> Result<()> {
        match self.manager.publish(&self.value)? {
            Some(event) => sink.emit(event),
            None => Ok(()),
        }
    }
}

/// Finds the place by reading once more: only a failure pays for it.
#[cold]
fn misfit<S: super::AgentState>(state: &Value, source: serde_json::Error) -> Error {
    let placed = serde_path_to_error::deserialize::<_, S>(state);
    let path = placed.err().map_or_else(JsonPointer::root, |error| pointer(error.path()));
    Error::State { path, source }
}

fn pointer(path: &serde_path_to_error::Path) -> JsonPointer {
    JsonPointer::from_tokens(path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }))
}

/// What every open handle can do with the state beside it.
macro_rules! state_access {
    () => {
        /// The shared state.
        #[must_use]
        pub fn state(&self) -> &S {
            &self.state.value
        }

        /// The shared state, to be changed. Nothing is sent before [`Self::publish_state`].
        pub fn state_mut(&mut self) -> &mut S {
            &mut self.state.value
        }

        /// Sends what changed in the state since it was last published.
        ///
        /// # Errors
        /// When the state has no JSON form, or the event cannot be emitted.
        pub fn publish_state(&mut self) -> $crate::server::Result<()> {
            self.state.publish(&self.sink)
        }

        /// Changes the state and publishes it.
        ///
        /// # Errors
        /// As [`Self::publish_state`].
        pub fn update_state(&mut self, change: impl FnOnce(&mut S)) -> $crate::server::Result<()> {
            change(&mut self.state.value);
            self.publish_state()
        }

        /// Replaces the state and publishes it.
        ///
        /// # Errors
        /// As [`Self::publish_state`].
        pub fn set_state(&mut self, state: S) -> $crate::server::Result<()> {
            self.state.value = state;
            self.publish_state()
        }

        /// Emits any event. What has no emitter of its own goes this way; so does anything that
        /// the order of events allows while a block is open.
        ///
        /// # Errors
        /// When the run was cancelled or too much waits to be read.
        pub fn emit(&mut self, event: impl Into<$crate::Event>) -> $crate::server::Result<()> {
            self.sink.emit(event)
        }
    };
}

pub(super) use state_access;
