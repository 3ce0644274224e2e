//! The driver: it runs an agent and sees to it that the stream is whole.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::agent::Agent;
use super::chain::Chain;
use super::context::RunContext;
use super::error::{Error, Result};
use super::queue::QueueLimits;
use super::sink::Sink;
use crate::cancellation::{CancellationToken, Cancelled};
use crate::transform::StreamTransformer;
use crate::{Event, PROTOCOL_VERSION, RunAgentInput, RunId, RunOutcome, RunStartedEvent, ThreadId};

/// Runs an agent with default settings. Reading the stream is what runs it; see [`Runner`].
pub fn run<A: Agent + 'static>(agent: A, input: RunAgentInput) -> Run {
    Runner::new(agent).run(input)
}

/// Settings of a run.
///
/// ```
/// use ag_ui::server::{BoxAgent, QueueLimits, Runner};
/// # fn agent() -> BoxAgent<()> { unimplemented!() }
/// # fn example() {
/// let runner = Runner::new(agent()).queue_limits(QueueLimits::default().with_events(1_000));
/// let stop = runner.cancellation_token();
/// # }
/// ```
#[derive(Debug)]
pub struct Runner<A> {
    agent: A,
    limits: QueueLimits,
    token: CancellationToken,
    chain: Chain,
    echo_input: bool,
}

impl<A: Agent + 'static> Runner<A> {
    /// Default settings for that agent.
    #[must_use]
    pub fn new(agent: A) -> Self {
        Self {
            agent,
            limits: QueueLimits::default(),
            token: CancellationToken::new(),
            chain: Chain::default(),
            echo_input: false,
        }
    }

    /// Sets how much may be emitted before anybody reads it.
    #[must_use]
    pub fn queue_limits(mut self, limits: QueueLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether `RUN_STARTED` repeats the input, for whoever records streams. Off by default.
    #[must_use]
    pub fn echo_input(mut self, echo_input: bool) -> Self {
        self.echo_input = echo_input;
        self
    }

    /// Adds a transformer, after those added before.
    #[must_use]
    pub fn transformer(self, transformer: impl StreamTransformer + 'static) -> Self {
        self.boxed_transformer(Box::new(transformer))
    }

    /// Adds a transformer whose type is not known, as [`Self::transformer`] does.
    #[must_use]
    pub fn boxed_transformer(mut self, transformer: Box<dyn StreamTransformer>) -> Self {
        self.chain.push(transformer);
        self
    }

    /// Cancels the run with that token too, which may be one for many runs.
    #[must_use]
    pub fn with_cancellation(mut self, token: &CancellationToken) -> Self {
        self.token = token.child();
        self
    }

    /// The token that cancels this run alone.
    #[must_use]
    pub fn cancellation_token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// The stream of the run.
    ///
    /// Nothing is spawned: reading the stream runs the agent, dropping it drops the agent where it
    /// stands and cancels the token of the run, for whatever else works for it. Whatever the agent
    /// does, the first event is `RUN_STARTED` and the last one is `RUN_FINISHED` or `RUN_ERROR`.
    pub fn run(self, input: RunAgentInput) -> Run {
        let Self { agent, limits, token, chain, echo_input } = self;
        let sink = Sink::new(input.run_id.clone(), limits, token, chain);
        let mut started = RunStartedEvent::new(&input.thread_id, &input.run_id)
            .with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id.clone_from(&input.parent_run_id);
        if echo_input {
            started = started.with_input(input.clone());
        }
        sink.begin(started);
        let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
        let cancelled = sink.token.cancelled();
        let agent = Box::pin(drive(agent, input, sink.clone()));
        Run { sink, agent: Some(agent), cancelled, thread_id, run_id, ended: false }
    }
}

async fn drive<A: Agent>(agent: A, input: RunAgentInput, sink: Sink) -> Result<RunOutcome> {
    let mut context = RunContext::with_sink(input, sink)?;
    let outcome = agent.run(&mut context).await?;
    context.sink().check_whole()?;
    outcome.validate()?;
    Ok(outcome)
}

/// The stream of one run, see [`Runner::run`].
///
/// After the terminal event it ends. Items are results because what stands between an agent and
/// its reader may fail; the driver itself reports failures as `RUN_ERROR`.
#[must_use = "a run does nothing unless it is read"]
pub struct Run {
    sink: Sink,
    agent: Option<Pin<Box<dyn Future<Output = Result<RunOutcome>> + Send>>>,
    cancelled: Cancelled,
    thread_id: ThreadId,
    run_id: RunId,
    ended: bool,
}

impl Run {
    /// The token that cancels this run alone.
    #[must_use]
    pub fn cancellation_token(&self) -> CancellationToken {
        self.sink.token.clone()
    }

    /// Polls the agent and turns its end, however it comes about, into the terminal event.
    fn poll_agent(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(agent) = &mut self.agent else { return Poll::Ready(()) };
        let polled = catch_unwind(AssertUnwindSafe(|| agent.as_mut().poll(context)));
        let outcome = match polled {
            Ok(Poll::Ready(outcome)) => outcome,
            Ok(Poll::Pending) if Pin::new(&mut self.cancelled).poll(context).is_pending() => {
                return Poll::Pending;
            }
            // It had its chance to notice, and waits for something else.
            Ok(Poll::Pending) => Err(Error::Cancelled),
            Err(_) => Err(Error::agent("the agent panicked")),
        };
        // Dropping the agent closes what it left open, so it comes before the terminal event. A
        // destructor of the agent's may panic, which must not keep that event from going out.
        let agent = self.agent.take();
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(agent)));
        let outcome =
            if dropped.is_ok() { outcome } else { Err(Error::agent("the agent panicked")) };
        self.end(outcome);
        Poll::Ready(())
    }

    fn end(&mut self, outcome: Result<RunOutcome>) {
        self.sink.end(outcome, &self.thread_id, &self.run_id);
        self.ended = true;
    }
}

impl Stream for Run {
    type Item = Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(event) = self.sink.pop() {
            return Poll::Ready(Some(Ok(event)));
        }
        if self.ended {
            return Poll::Ready(None);
        }
        let ended = self.poll_agent(context);
        match (self.sink.pop_or_wake(context.waker()), ended) {
            (Some(event), _) => Poll::Ready(Some(Ok(event))),
            (None, Poll::Ready(())) => Poll::Ready(None),
            (None, Poll::Pending) => Poll::Pending,
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.ended {
            self.sink.token.cancel();
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Run")
            .field("thread_id", &self.thread_id)
            .field("run_id", &self.run_id)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
