//! Tool calls.

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::agent::AgentState;
use super::error::Result;
use super::sink::Sink;
use super::state::{SharedState, state_access};
use crate::{ContentPart, Event, MessageContent, MessageId, ToolCallId, ToolCallStartEvent};

/// An open tool call. Dropping it closes it without a result.
///
/// The agent answers a call it can answer itself with [`result`](Self::result); a call it only
/// [ends](Self::end) is left to the client, and the run's outcome lists it as pending.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn weather(context: &mut RunContext<()>) -> Result<()> {
///     let mut call = context.tool_call("weather")?;
///     call.args_json(&serde_json::json!({ "city": "Seoul" }))?;
///     call.result("sunny")?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # weather(&mut context)?;
/// # assert_eq!(events.drain().len(), 4);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[must_use = "a tool call is closed as soon as its handle is dropped"]
pub struct ToolCallHandle<'a, S> {
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
    id: ToolCallId,
    result_message_id: MessageId,
    arguments: String,
    open: bool,
}

impl<'a, S: AgentState> ToolCallHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        start: ToolCallStartEvent,
    ) -> Result<Self> {
        let id = start.tool_call_id.clone();
        sink.emit(start)?;
        let result_message_id = sink.next_message_id();
        Ok(Self { sink, state, id, result_message_id, arguments: String::new(), open: true })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Id of the message that its result will be.
    #[must_use]
    pub fn result_message_id(&self) -> &MessageId {
        &self.result_message_id
    }

    /// Adds a piece of the arguments as the model wrote it. An empty piece emits nothing.
    ///
    /// # Errors
    /// When the run was cancelled or too much waits to be read.
    pub fn args(&mut self, fragment: impl AsRef<str>) -> Result<()> {
        let fragment = fragment.as_ref();
        if fragment.is_empty() {
            return self.sink.check_cancelled();
        }
        self.sink.emit(Event::tool_call_args(&self.id, fragment))?;
        self.arguments.push_str(fragment);
        Ok(())
    }

    /// Adds the arguments at once.
    ///
    /// # Errors
    /// When they have no JSON form; else as [`Self::args`].
    pub fn args_json(&mut self, arguments: &impl Serialize) -> Result<()> {
        self.args(serde_json::to_string(arguments)?)
    }

    /// The arguments so far.
    #[must_use]
    pub fn raw_args(&self) -> &str {
        &self.arguments
    }

    /// Reads the arguments. They come from a model: treat them as input of a stranger.
    ///
    /// # Errors
    /// While they are incomplete, or when they are not the JSON of a `T`.
    pub fn parse_args<T: DeserializeOwned>(&self) -> Result<T> {
        Ok(serde_json::from_str(&self.arguments)?)
    }

    /// Closes the call and answers it. Returns the id of the tool message.
    ///
    /// # Errors
    /// When the run was cancelled or too much waits to be read. The call is closed all the same.
    pub fn result(mut self, content: impl Into<MessageContent>) -> Result<MessageId> {
        self.close();
        let id = self.result_message_id.clone();
        self.sink.emit(Event::tool_call_result(&id, &self.id, content))?;
        Ok(id)
    }

    /// Closes the call and answers it with JSON text.
    ///
    /// # Errors
    /// When the result has no JSON form; else as [`Self::result`].
    pub fn result_json(self, result: &impl Serialize) -> Result<MessageId> {
        let text = serde_json::to_string(result)?;
        self.result(text)
    }

    /// Closes the call and answers it with parts.
    ///
    /// # Errors
    /// As [`Self::result`].
    pub fn result_parts(self, parts: Vec<ContentPart>) -> Result<MessageId> {
        self.result(parts)
    }

    /// Closes the call and leaves it to the client.
    ///
    /// # Errors
    /// When the run was cancelled. The call is closed all the same.
    pub fn end(mut self) -> Result<ToolCallId> {
        self.close();
        self.sink.check_cancelled()?;
        Ok(self.id.clone())
    }

    state_access!();
}

impl<S> ToolCallHandle<'_, S> {
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            self.sink.close(Event::tool_call_end(&self.id));
        }
    }
}

impl<S> Drop for ToolCallHandle<'_, S> {
    fn drop(&mut self) {
        self.close();
    }
}
