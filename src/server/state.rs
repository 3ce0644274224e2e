//! The shared state of a run.

use serde_json::Value;

use super::error::{Error, Result};
use super::sink::Sink;
use super::state_manager::StateManager;
use crate::{JsonPointer, RunAgentInput};

/// The state of a run with its manager.
pub(super) struct SharedState<S> {
    pub(super) value: S,
    manager: StateManager,
}

impl<S> std::fmt::Debug for SharedState<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedState").finish_non_exhaustive()
    }
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

    /// A state without fields says nothing, and must not overwrite what the thread holds.
    pub(super) fn publish(&mut self, sink: &Sink) -> Result<()> {
        if size_of::<S>() == 0 {
            return sink.check();
        }
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
    let path =
        placed.err().map_or_else(JsonPointer::root, |error| JsonPointer::of_path(error.path()));
    Error::State { path, source }
}
