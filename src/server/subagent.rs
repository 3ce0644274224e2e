//! Subagents: a scope whose events are attributed to one.

use std::ops::{Deref, DerefMut};

use super::context::RunContext;
use super::error::Result;
use super::invocation::{End, Invocation, ends};
use crate::{SubagentRunId, SubagentStartedEvent};

/// A subagent at work; it stands for the context, and what is emitted through it is the subagent's.
///
/// Say how it ended: [`finish`](Self::finish), [`finish_with`](Self::finish_with),
/// [`suspend`](Self::suspend) or [`fail`](Self::fail). A scope that is dropped without, as by `?`,
/// ends as `SUBAGENT_ERROR`: it did not do what it was called for. The run goes on.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn research(context: &mut RunContext<()>) -> Result<()> {
///     let mut researcher = context.subagent("researcher")?;
///     researcher.say("The kettle is on the left.")?;
///     researcher.finish()?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # research(&mut context)?;
/// # let events = events.drain();
/// # assert_eq!(events.len(), 5);
/// # assert!(events.iter().all(|event| event.subagent_run_id().unwrap() == "r-sub-1"));
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a subagent fails when its scope is dropped"]
pub struct SubagentScope<'a, S> {
    context: &'a mut RunContext<S>,
    invocation: Invocation,
    /// Whose turn it is again when this one ends.
    outer: Option<SubagentRunId>,
}

impl<'a, S> SubagentScope<'a, S> {
    pub(super) fn open(
        context: &'a mut RunContext<S>,
        start: SubagentStartedEvent,
    ) -> Result<Self> {
        let invocation = Invocation::start(context.sink(), start)?;
        let outer = context.sink_mut().owner.replace(invocation.id.clone());
        Ok(Self { context, invocation, outer })
    }

    /// Id of the invocation.
    #[must_use]
    pub fn id(&self) -> &SubagentRunId {
        &self.invocation.id
    }

    ends!();
}

impl<S> SubagentScope<'_, S> {
    fn end(&mut self, end: End) -> Result<()> {
        self.invocation.end(self.context.sink(), end)
    }
}

impl<S> Deref for SubagentScope<'_, S> {
    type Target = RunContext<S>;

    fn deref(&self) -> &RunContext<S> {
        self.context
    }
}

impl<S> DerefMut for SubagentScope<'_, S> {
    fn deref_mut(&mut self) -> &mut RunContext<S> {
        self.context
    }
}

impl<S> Drop for SubagentScope<'_, S> {
    fn drop(&mut self) {
        self.invocation.abandon(self.context.sink());
        self.context.sink_mut().owner = self.outer.take();
    }
}
