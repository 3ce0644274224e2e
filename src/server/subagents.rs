//! Subagents that work at the same time.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use super::agent::AgentState;
use super::context::RunContext;
use super::error::Result;
use super::invocation::{End, Invocation, ends};
use super::sink::Sink;
use super::state::SharedState;
use crate::{RunAgentInput, SubagentRunId, SubagentStartedEvent};

/// Starts subagents that work side by side on one run.
///
/// Each has a context of its own, so their futures can be joined. Nothing is spawned: they run as
/// the agent awaits them. What one leaves open is closed when it is dropped.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// async fn research(context: &mut RunContext<Vec<String>>) -> Result<()> {
///     let subagents = context.subagents();
///     let find = async |topic: &str| {
///         let mut finder = subagents.start(topic)?;
///         finder.say(format!("Looking for {topic}."))?;
///         finder.update_shared(|found| found.push(topic.to_owned()))?;
///         finder.finish()
///     };
///     futures_util::future::try_join(find("kettles"), find("teapots")).await?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # futures_executor::block_on(research(&mut context))?;
/// # assert_eq!(events.drain().len(), 12);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
pub struct Subagents<'a, S> {
    sink: &'a Sink,
    input: Arc<RunAgentInput>,
    state: Mutex<&'a mut SharedState<S>>,
}

impl<'a, S: AgentState> Subagents<'a, S> {
    pub(super) fn new(
        sink: &'a Sink,
        input: Arc<RunAgentInput>,
        state: &'a mut SharedState<S>,
    ) -> Self {
        Self { sink, input, state: Mutex::new(state) }
    }

    /// Starts a subagent.
    ///
    /// # Errors
    /// As with all emitters, see [`RunContext`](super::RunContext#errors).
    pub fn start(&self, name: impl Into<String>) -> Result<ConcurrentSubagent<'_, 'a, S>> {
        self.start_from(SubagentStartedEvent::new(self.sink.next_subagent_id(), name))
    }

    /// Starts a subagent with that event, which may say what it is for and who called it.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_from(&self, start: SubagentStartedEvent) -> Result<ConcurrentSubagent<'_, 'a, S>> {
        let invocation = Invocation::start(self.sink, start)?;
        let mut sink = self.sink.clone();
        sink.owner = Some(invocation.id.clone());
        let context = RunContext::without_state(Arc::clone(&self.input), sink);
        Ok(ConcurrentSubagent { context, invocation, run: self })
    }

    /// Changes the shared state of the run and publishes it, as the agent itself.
    ///
    /// # Errors
    /// When the state has no JSON form; else as with all emitters.
    pub fn update_shared<T>(&self, change: impl FnOnce(&mut S) -> T) -> Result<T> {
        self.update_as(self.sink, change)
    }

    fn update_as<T>(&self, sink: &Sink, change: impl FnOnce(&mut S) -> T) -> Result<T> {
        // A panic in an earlier change left the state as far as it had come, as it would have
        // without the lock.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&mut state.value);
        state.publish(sink)?;
        Ok(changed)
    }
}

/// A subagent at work beside others; it stands for a context of its own.
///
/// Say how it ended, as for a [`SubagentScope`](super::SubagentScope). The state of its context is
/// `()`; the state of the run is reached with [`update_shared`](Self::update_shared).
#[derive(Debug)]
#[must_use = "a subagent fails when it is dropped"]
pub struct ConcurrentSubagent<'a, 'run, S> {
    context: RunContext<()>,
    invocation: Invocation,
    run: &'a Subagents<'run, S>,
}

impl<S: AgentState> ConcurrentSubagent<'_, '_, S> {
    /// Id of the invocation.
    #[must_use]
    pub fn id(&self) -> &SubagentRunId {
        &self.invocation.id
    }

    /// Changes the shared state of the run and publishes it, as this subagent. Returns what the
    /// change returns, so it reads the state too.
    ///
    /// # Errors
    /// When the state has no JSON form; else as with all emitters.
    pub fn update_shared<T>(&self, change: impl FnOnce(&mut S) -> T) -> Result<T> {
        self.run.update_as(self.context.sink(), change)
    }

    ends!();
}

impl<S> ConcurrentSubagent<'_, '_, S> {
    fn end(&mut self, end: End) -> Result<()> {
        self.invocation.end(self.context.sink(), end)
    }
}

impl<S> Deref for ConcurrentSubagent<'_, '_, S> {
    type Target = RunContext<()>;

    fn deref(&self) -> &RunContext<()> {
        &self.context
    }
}

impl<S> DerefMut for ConcurrentSubagent<'_, '_, S> {
    fn deref_mut(&mut self) -> &mut RunContext<()> {
        &mut self.context
    }
}

impl<S> Drop for ConcurrentSubagent<'_, '_, S> {
    fn drop(&mut self) {
        self.invocation.abandon(self.context.sink());
    }
}
