//! What a subagent's invocation tells the reader: that it began, and once how it ended.

use serde_json::Value;

use super::error::{Error, Result};
use super::sink::Sink;
use crate::{
    Event, InterruptId, SubagentErrorEvent, SubagentFinishedEvent,
    SubagentFinishedSuspendedOutcome, SubagentRunId, SubagentStartedEvent,
};

/// An invocation that was announced.
#[derive(Debug)]
pub(super) struct Invocation {
    pub(super) id: SubagentRunId,
    open: bool,
}

/// How an invocation ends.
pub(super) enum End {
    Finished(Option<Value>),
    Suspended(Vec<InterruptId>),
    Failed(String),
}

impl Invocation {
    pub(super) fn start(sink: &Sink, mut start: SubagentStartedEvent) -> Result<Self> {
        if start.parent_subagent_run_id.is_none() {
            start.parent_subagent_run_id.clone_from(&sink.owner);
        }
        let id = start.subagent_run_id.clone();
        sink.emit(start)?;
        Ok(Self { id, open: true })
    }

    pub(super) fn end(&mut self, sink: &Sink, end: End) -> Result<()> {
        if std::mem::take(&mut self.open) {
            sink.close(self.event(end));
        }
        sink.check()
    }

    /// Ends what nobody said the end of: it is no success.
    pub(super) fn abandon(&mut self, sink: &Sink) {
        if std::mem::take(&mut self.open) {
            let error = match sink.check_cancelled() {
                Err(cancelled) => cancelled,
                Ok(()) => Error::agent("the subagent was dropped before it said how it ended"),
            };
            let event = SubagentErrorEvent::new(&self.id, error.to_string());
            sink.close(event.with_code(error.code()));
        }
    }

    fn event(&self, end: End) -> Event {
        let finished = SubagentFinishedEvent::new(&self.id);
        match end {
            End::Finished(result) => SubagentFinishedEvent { result, ..finished }.into(),
            End::Suspended(interrupts) => {
                let mut outcome = SubagentFinishedSuspendedOutcome::new();
                outcome.interrupt_ids = Some(interrupts).filter(|ids| !ids.is_empty());
                finished.with_outcome(outcome).into()
            }
            End::Failed(message) => {
                let failed = SubagentErrorEvent::new(&self.id, message);
                failed.with_code(Error::agent("").code()).into()
            }
        }
    }
}

/// The ways in which the author of a subagent says how it ended.
macro_rules! ends {
    () => {
        /// Ends it as done.
        ///
        /// # Errors
        /// As with all emitters, see [`RunContext`](crate::server::RunContext#errors). It is ended
        /// all the same.
        pub fn finish(mut self) -> $crate::server::Result<()> {
            self.end($crate::server::invocation::End::Finished(None))
        }

        /// Ends it as done, with a result.
        ///
        /// # Errors
        /// When the result has no JSON form, and it ends as failed; else as [`Self::finish`].
        pub fn finish_with(
            mut self,
            result: &(impl serde_core::Serialize + ?Sized),
        ) -> $crate::server::Result<()> {
            let result = serde_json::to_value(result)?;
            self.end($crate::server::invocation::End::Finished(Some(result)))
        }

        /// Ends it as waiting for the answers to those interrupts, which the outcome of the run has
        /// to list.
        ///
        /// # Errors
        /// As [`Self::finish`].
        pub fn suspend(
            mut self,
            interrupts: impl IntoIterator<Item = $crate::InterruptId>,
        ) -> $crate::server::Result<()> {
            let interrupts = interrupts.into_iter().collect();
            self.end($crate::server::invocation::End::Suspended(interrupts))
        }

        /// Ends it as failed. The run goes on.
        ///
        /// # Errors
        /// As [`Self::finish`].
        pub fn fail(mut self, message: impl Into<String>) -> $crate::server::Result<()> {
            self.end($crate::server::invocation::End::Failed(message.into()))
        }
    };
}

pub(super) use ends;
