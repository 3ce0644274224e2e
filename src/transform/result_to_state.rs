//! State that comes as the result of a tool.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{BoxError, Output, Result, StreamTransformer};
use crate::patch::JsonPatch;
use crate::{Event, StateDeltaEvent, StateSnapshotEvent, ToolCallId, ToolCallResultEvent};

/// Publishes the results of a tool as the shared state, behind the results themselves.
///
/// It is for agents that keep their state behind a tool and have none of their own: the snapshots
/// and deltas of a `RunContext` know nothing of these. The results
/// have to be text that is JSON; a run with another result ends with an error.
///
/// ```
/// use ag_ui::transform::ToolResultToState;
///
/// let board = ToolResultToState::snapshot("get_board");
/// let changes = ToolResultToState::delta("change_board");
/// ```
#[derive(Debug)]
pub struct ToolResultToState {
    tool: String,
    publish: fn(&str) -> Result<Event, serde_json::Error>,
    calls: BTreeSet<ToolCallId>,
}

impl ToolResultToState {
    /// Results of that tool are the whole state.
    pub fn snapshot(tool: impl Into<String>) -> Self {
        Self::new(tool.into(), |text| {
            serde_json::from_str(text).map(|state: Value| StateSnapshotEvent::new(state).into())
        })
    }

    /// Results of that tool are a JSON Patch.
    pub fn delta(tool: impl Into<String>) -> Self {
        Self::new(tool.into(), |text| {
            serde_json::from_str(text).map(|patch: JsonPatch| StateDeltaEvent::new(patch).into())
        })
    }

    fn new(tool: String, publish: fn(&str) -> Result<Event, serde_json::Error>) -> Self {
        Self { tool, publish, calls: BTreeSet::new() }
    }

    fn state(&self, result: &ToolCallResultEvent) -> Result<Event> {
        let mut event = (self.publish)(&result.content.text()).map_err(|error| {
            BoxError::from(format!(
                "the result of the tool `{}`, call `{}`, is no state: {error}",
                self.tool, result.tool_call_id
            ))
        })?;
        if let Some(owner) = &result.subagent_run_id {
            event.set_subagent_run_id(owner.clone());
        }
        Ok(event)
    }
}

impl StreamTransformer for ToolResultToState {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        match &event {
            Event::ToolCallStart(start) if start.tool_call_name == self.tool => {
                self.calls.insert(start.tool_call_id.clone());
            }
            Event::ToolCallChunk(chunk) if chunk.tool_call_name.as_ref() == Some(&self.tool) => {
                self.calls.extend(chunk.tool_call_id.clone());
            }
            Event::ToolCallResult(result) if self.calls.remove(&result.tool_call_id) => {
                let state = self.state(result)?;
                output.push(event);
                output.push(state);
                return Ok(());
            }
            _ => {}
        }
        output.push(event);
        Ok(())
    }
}
