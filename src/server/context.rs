//! What an agent sees of its run, and speaks through.

use std::borrow::Cow;
use std::future::Future;

use serde_core::Serialize;
use serde_json::Value;

use super::agent::AgentState;
use super::cancellation::{CancellationToken, Cancelled};
use super::error::{Error, Result};
use super::message::MessageHandle;
use super::queue::QueueLimits;
use super::reasoning::ReasoningHandle;
use super::sink::Sink;
use super::state::{SharedState, state_access};
use super::step::StepGuard;
use super::tool_call::ToolCallHandle;
use crate::{
    Context, Event, Message, MessageId, ResumeEntry, RunAgentInput, RunId, TextMessageRole,
    TextMessageStartEvent, ThreadId, TokenUsage, Tool, ToolCallId, ToolCallStartEvent,
};

/// One run, as the agent sees it: its input, its state, and the emitters.
///
/// A test needs no runtime and no transport:
///
/// ```
/// use ag_ui::server::RunContext;
/// use ag_ui::{EventType, RunAgentInput};
///
/// let input = RunAgentInput::new("t-1", "r-1", vec![]);
/// let (mut context, events) = RunContext::<()>::new(input)?;
/// context.say("Done.")?;
/// let types: Vec<_> = events.drain().iter().map(|event| event.event_type()).collect();
/// assert_eq!(types, [
///     EventType::TextMessageStart,
///     EventType::TextMessageContent,
///     EventType::TextMessageEnd,
/// ]);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
pub struct RunContext<S> {
    input: RunAgentInput,
    sink: Sink,
    state: SharedState<S>,
}

/// What a context that stands alone has emitted.
#[derive(Debug)]
pub struct EventReceiver(Sink);

impl EventReceiver {
    /// Everything emitted since the last call.
    #[must_use]
    pub fn drain(&self) -> Vec<Event> {
        std::iter::from_fn(|| self.0.pop()).collect()
    }

    /// Cancels the context.
    #[must_use]
    pub fn cancellation_token(&self) -> CancellationToken {
        self.0.token.clone()
    }
}

impl<S: AgentState> RunContext<S> {
    /// A context that belongs to no stream, and what it emits. For tests of an agent: there is no
    /// `RUN_STARTED` and no terminal event.
    ///
    /// # Errors
    /// When the state of the input does not fit `S`.
    pub fn new(input: RunAgentInput) -> Result<(Self, EventReceiver)> {
        let sink =
            Sink::new(input.run_id.clone(), QueueLimits::default(), CancellationToken::new());
        let context = Self::with_sink(input, sink.clone())?;
        Ok((context, EventReceiver(sink)))
    }

    pub(super) fn with_sink(input: RunAgentInput, sink: Sink) -> Result<Self> {
        let state = SharedState::of_input(&input)?;
        Ok(Self { input, sink, state })
    }

    state_access!();
}

/// The request.
impl<S> RunContext<S> {
    /// Everything the run was started with.
    #[must_use]
    pub fn input(&self) -> &RunAgentInput {
        &self.input
    }

    /// The conversation.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.input.thread_id
    }

    /// This run.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.input.run_id
    }

    /// The run that spawned this one.
    #[must_use]
    pub fn parent_run_id(&self) -> Option<&RunId> {
        self.input.parent_run_id.as_ref()
    }

    /// The conversation so far.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.input.messages
    }

    /// See [`RunAgentInput::last_user_text`].
    #[must_use]
    pub fn last_user_text(&self) -> Option<Cow<'_, str>> {
        self.input.last_user_text()
    }

    /// Tools that the client can run.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.input.tools
    }

    /// The offered tool of that name. Others may be called too; the client cannot run those.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.input.tool(name)
    }

    /// Facts about where the user is.
    #[must_use]
    pub fn context(&self) -> &[Context] {
        &self.input.context
    }

    /// Whatever the client passes to this agent alone.
    #[must_use]
    pub fn forwarded_props(&self) -> Option<&Value> {
        self.input.forwarded_props.as_ref()
    }

    /// Whether this run answers interrupts of an earlier one.
    #[must_use]
    pub fn is_resume(&self) -> bool {
        self.input.is_resume()
    }

    /// The answer to that interrupt, if this run brings one.
    #[must_use]
    pub fn resume_for(&self, interrupt_id: impl AsRef<str>) -> Option<&ResumeEntry> {
        self.input.resume_for(interrupt_id)
    }
}

/// Cancellation.
impl<S> RunContext<S> {
    /// Whether the run was cancelled. Emitting fails from then on.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.sink.token.is_cancelled()
    }

    /// Fails when the run was cancelled; for loops that neither emit nor await.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check_cancelled(&self) -> Result<()> {
        self.sink.check_cancelled()
    }

    /// Waits until the run is cancelled. The future borrows nothing.
    pub fn cancelled(&self) -> Cancelled {
        self.sink.token.cancelled()
    }

    /// The token of the run, to be handed to what works for it.
    #[must_use]
    pub fn cancellation_token(&self) -> CancellationToken {
        self.sink.token.clone()
    }

    /// Does some work unless the run is cancelled before it is done.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn until_cancelled<F: Future + Send>(
        &self,
        work: F,
    ) -> impl Future<Output = Result<F::Output>> + Send + use<F, S> {
        let mut cancelled = Box::pin(self.cancelled());
        let mut work = Box::pin(work);
        std::future::poll_fn(move |context| {
            if cancelled.as_mut().poll(context).is_ready() {
                return std::task::Poll::Ready(Err(Error::Cancelled));
            }
            work.as_mut().poll(context).map(Ok)
        })
    }
}

/// Emitters.
impl<S: AgentState> RunContext<S> {
    /// Opens a message of the assistant.
    ///
    /// # Errors
    /// When the run was cancelled or too much waits to be read; so with all emitters.
    pub fn assistant_message(&mut self) -> Result<MessageHandle<'_, S>> {
        self.message(TextMessageRole::Assistant)
    }

    /// Opens a message of that role.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn message(&mut self, role: TextMessageRole) -> Result<MessageHandle<'_, S>> {
        let id = self.sink.next_message_id();
        self.message_with_id(id, role)
    }

    /// Opens a message with an id of the caller's. The id of a closed message opens it again.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn message_with_id(
        &mut self,
        id: impl Into<MessageId>,
        role: TextMessageRole,
    ) -> Result<MessageHandle<'_, S>> {
        let start = TextMessageStartEvent::new(id).with_role(role);
        MessageHandle::open(&self.sink, &mut self.state, start)
    }

    /// Says one whole message as the assistant. Returns its id.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn say(&mut self, text: impl AsRef<str>) -> Result<MessageId> {
        let mut message = self.assistant_message()?;
        message.delta(text)?;
        message.end()
    }

    /// Opens a tool call.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call(&mut self, name: impl Into<String>) -> Result<ToolCallHandle<'_, S>> {
        let id = self.sink.next_call_id();
        self.tool_call_with_id(id, name)
    }

    /// Opens a tool call with an id of the caller's, such as the one the model gave.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call_with_id(
        &mut self,
        id: impl Into<ToolCallId>,
        name: impl Into<String>,
    ) -> Result<ToolCallHandle<'_, S>> {
        ToolCallHandle::open(&self.sink, &mut self.state, ToolCallStartEvent::new(id, name))
    }

    /// Opens a tool call that belongs to a message.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call_of(
        &mut self,
        parent: impl Into<MessageId>,
        name: impl Into<String>,
    ) -> Result<ToolCallHandle<'_, S>> {
        let start = ToolCallStartEvent::new(self.sink.next_call_id(), name);
        let start = start.with_parent_message_id(parent);
        ToolCallHandle::open(&self.sink, &mut self.state, start)
    }

    /// Opens a span of reasoning with one message in it.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn reasoning(&mut self) -> Result<ReasoningHandle<'_, S>> {
        let id = self.sink.next_reasoning_id();
        self.reasoning_with_id(id)
    }

    /// Opens a span of reasoning with an id of the caller's.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn reasoning_with_id(
        &mut self,
        id: impl Into<MessageId>,
    ) -> Result<ReasoningHandle<'_, S>> {
        ReasoningHandle::open(&self.sink, &mut self.state, id.into())
    }

    /// Thinks one whole thought. Returns its id.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn think(&mut self, text: impl AsRef<str>) -> Result<MessageId> {
        let mut reasoning = self.reasoning()?;
        reasoning.delta(text)?;
        reasoning.end()
    }

    /// Opens a step. The guard stands for the context until the step is finished.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn step(&mut self, name: impl Into<String>) -> Result<StepGuard<'_, S>> {
        StepGuard::open(self, name.into())
    }

    /// Emits what agent and interface agreed on. Prefix the name, so that names do not meet by
    /// accident.
    ///
    /// # Errors
    /// When the value has no JSON form; else as [`Self::assistant_message`].
    pub fn custom(&mut self, name: impl Into<String>, value: &impl Serialize) -> Result<()> {
        self.sink.emit(Event::custom(name, serde_json::to_value(value)?))
    }

    /// Passes an event of another system through.
    ///
    /// # Errors
    /// When the event has no JSON form; else as [`Self::assistant_message`].
    pub fn raw(&mut self, event: &impl Serialize) -> Result<()> {
        self.sink.emit(Event::raw(serde_json::to_value(event)?))
    }

    /// Adds to the tokens that the terminal event reports, an entry per provider and model.
    pub fn add_usage(&mut self, usage: TokenUsage) {
        self.sink.add_usage(usage);
    }

    /// Sets what the run returns when it succeeds.
    ///
    /// # Errors
    /// When the result has no JSON form.
    pub fn set_result(&mut self, result: &impl Serialize) -> Result<()> {
        self.sink.set_result(serde_json::to_value(result)?);
        Ok(())
    }

    pub(super) fn sink(&self) -> &Sink {
        &self.sink
    }
}

impl<S> std::fmt::Debug for RunContext<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RunContext")
            .field("thread_id", self.thread_id())
            .field("run_id", self.run_id())
            .finish_non_exhaustive()
    }
}
