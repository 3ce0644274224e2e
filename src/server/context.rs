//! What an agent sees of its run.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use super::agent::AgentState;
use super::chain::Chain;
use super::error::{Error, Result};
use super::queue::QueueLimits;
use super::sink::Sink;
use super::state::SharedState;
use crate::cancellation::CancellationToken;
use crate::{
    Context, Event, Message, ResumeEntry, RunAgentInput, RunId, RunStartedEvent, ThreadId, Tool,
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
///
/// # Errors
/// Emitting fails when the run was cancelled, when too much waits to be read
/// ([`QueueLimits`]), when the event breaks a rule of the order of events, and when a transformer
/// fails. Pass the error on with `?`: the stream has a gap from then on, so every later emit fails
/// in the same way, and the run does not succeed even if the agent overlooks it.
pub struct RunContext<S> {
    pub(super) input: Arc<RunAgentInput>,
    pub(super) sink: Sink,
    pub(super) state: SharedState<S>,
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
        let token = CancellationToken::new();
        let sink = Sink::new(input.run_id.clone(), QueueLimits::default(), token, Chain::default());
        // The order of events is verified all the same.
        sink.begin_unseen(RunStartedEvent::new(&input.thread_id, &input.run_id));
        let context = Self::with_sink(input, sink.clone())?;
        Ok((context, EventReceiver(sink)))
    }

    pub(super) fn with_sink(input: RunAgentInput, sink: Sink) -> Result<Self> {
        let state = SharedState::of_input(&input)?;
        Ok(Self { input: Arc::new(input), sink, state })
    }
}

impl RunContext<()> {
    pub(super) fn without_state(input: Arc<RunAgentInput>, sink: Sink) -> Self {
        Self { input, sink, state: SharedState::new(()) }
    }
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
        let mut cancelled = Box::pin(self.sink.token.cancelled());
        let mut work = Box::pin(work);
        std::future::poll_fn(move |context| {
            if cancelled.as_mut().poll(context).is_ready() {
                return std::task::Poll::Ready(Err(Error::Cancelled));
            }
            work.as_mut().poll(context).map(Ok)
        })
    }

    pub(super) fn sink(&self) -> &Sink {
        &self.sink
    }

    pub(super) fn sink_mut(&mut self) -> &mut Sink {
        &mut self.sink
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
