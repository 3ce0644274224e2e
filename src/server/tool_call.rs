//! The handle of a tool call.

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::agent::AgentState;
use super::call::Call;
use super::error::Result;
use super::open_handle::open_handle;
use super::sink::Sink;
use super::state::SharedState;
use crate::{ContentPart, MessageContent, MessageId, ToolCallId, ToolCallStartEvent};

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
#[derive(Debug)]
#[must_use = "a tool call is closed as soon as its handle is dropped"]
pub struct ToolCallHandle<'a, S> {
    call: Call<'a>,
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
}

impl<'a, S: AgentState> ToolCallHandle<'a, S> {
    pub(super) fn open(
        sink: &'a Sink,
        state: &'a mut SharedState<S>,
        start: ToolCallStartEvent,
    ) -> Result<Self> {
        Ok(Self { call: Call::start(sink, start)?, sink, state })
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.call.id
    }

    /// Id of the message that its result will be.
    #[must_use]
    pub fn result_message_id(&self) -> &MessageId {
        &self.call.result_message_id
    }

    /// Adds a piece of the arguments as the model wrote it. An empty piece emits nothing.
    ///
    /// # Errors
    /// [`Error::ArgumentsEnded`](super::Error::ArgumentsEnded) after [`Self::end_args`]; else as
    /// with all emitters, see [`RunContext`](super::RunContext#errors).
    pub fn args(&mut self, fragment: impl AsRef<str>) -> Result<()> {
        self.call.args(fragment.as_ref())
    }

    /// Adds the arguments at once.
    ///
    /// # Errors
    /// When they have no JSON form; else as [`Self::args`].
    pub fn args_json(&mut self, arguments: &(impl Serialize + ?Sized)) -> Result<()> {
        self.call.args_json(arguments)
    }

    /// The arguments so far.
    #[must_use]
    pub fn raw_args(&self) -> &str {
        self.call.raw_args()
    }

    /// Reads the arguments. They come from a model: treat them as input of a stranger.
    ///
    /// # Errors
    /// While they are incomplete, or when they are not the JSON of a `T`.
    pub fn parse_args<T: DeserializeOwned>(&self) -> Result<T> {
        self.call.parse_args()
    }

    /// Says that the arguments are complete, before the work that leads to the result.
    ///
    /// # Errors
    /// As with all emitters. The arguments are ended all the same.
    pub fn end_args(&mut self) -> Result<()> {
        self.call.end_args()
    }

    /// Closes the call and answers it. Returns the id of the tool message.
    ///
    /// # Errors
    /// As with all emitters. The call is closed all the same.
    pub fn result(self, content: impl Into<MessageContent>) -> Result<MessageId> {
        self.call.result(content.into())
    }

    /// Closes the call and answers it with JSON text.
    ///
    /// # Errors
    /// When the result has no JSON form; else as [`Self::result`].
    pub fn result_json(self, result: &(impl Serialize + ?Sized)) -> Result<MessageId> {
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
    /// As with all emitters. The call is closed all the same.
    pub fn end(mut self) -> Result<ToolCallId> {
        self.call.end_args()?;
        Ok(self.call.id)
    }

    open_handle!();
}
