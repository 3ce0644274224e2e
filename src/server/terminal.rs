//! How a run begins and ends in its stream: once, whatever transformers and verifier make of it.

use serde_json::Value;

use super::chain::PutOut;
use super::error::{Error, Result};
use super::sink::{Entry, Refusal, Shared, Sink, is_run_event};
use crate::{
    Event, RunErrorEvent, RunFinishedEvent, RunId, RunOutcome, RunStartedEvent, ThreadId,
    TokenUsage, ToolCallId,
};

/// What the terminal event says beside the outcome.
pub(super) struct Closing {
    pub(super) pending: Vec<ToolCallId>,
    pub(super) usage: Option<Vec<TokenUsage>>,
    pub(super) result: Option<Value>,
}

impl Sink {
    /// Opens the run. Its event goes out also when a transformer fails on it.
    pub(super) fn begin(&self, started: RunStartedEvent) {
        self.with(|shared| shared.begin(started.into()));
    }

    /// Tells the verifier alone: for contexts without a stream.
    pub(super) fn begin_unseen(&self, started: RunStartedEvent) {
        self.with(|shared| {
            let event = Event::from(started);
            let _ = shared.refuse_on_error(|shared| shared.order.check(&event));
        });
    }

    /// Ends the run with exactly one terminal event. Nothing can be emitted after it.
    pub(super) fn end(&self, outcome: Result<RunOutcome>, thread_id: &ThreadId, run_id: &RunId) {
        self.with(|shared| {
            shared.finish_chain();
            let gap = shared.refusal.clone();
            let outcome =
                outcome.and_then(|outcome| gap.map_or(Ok(outcome), |gap| Err(gap.into())));
            let terminal = terminal(outcome, shared.take_closing(), thread_id, run_id);
            shared.end(terminal);
            shared.refusal = Some(Refusal::Ended);
        });
    }
}

impl Shared {
    fn begin(&mut self, started: Event) {
        if self.chain.is_empty() {
            let _ = self.refuse_on_error(|shared| shared.enqueue(started, Entry::Closing));
            return;
        }
        let PutOut { events, failure } = self.chain.transform(started.clone());
        let passed = events.iter().filter(|event| is_run_event(event)).count();
        let leads = matches!(events.first(), Some(Event::RunStarted(_)));
        let _ = self.refuse_on_error(|shared| {
            if passed == 1 && leads {
                events.into_iter().try_for_each(|event| shared.enqueue(event, Entry::Closing))?;
                return failure;
            }
            let event_type = started.event_type();
            shared.enqueue(started, Entry::Closing)?;
            failure?;
            Err(Refusal::TransformedRunEvent { event_type, passed, place: "first" })
        });
    }

    fn finish_chain(&mut self) {
        if !self.chain.is_empty() {
            let put_out = self.chain.finish(crate::EventType::RunFinished);
            // A failure is the reason for a gap, which decides about the terminal event.
            let _ = self.accept_put_out(put_out, Entry::Bounded);
        }
    }

    fn end(&mut self, terminal: Event) {
        let (usage, code) = match &terminal {
            Event::RunFinished(event) => {
                let cancelled = matches!(event.outcome, Some(RunOutcome::Cancelled(_)));
                (event.usage.clone(), cancelled.then(|| Error::Cancelled.code().to_owned()))
            }
            Event::RunError(event) => (event.usage.clone(), event.code.clone()),
            _ => (None, None),
        };
        let Err(rejection) = self.try_end(terminal) else { return };
        let bypass = rejection.is_of_chain();
        let error = Error::from(rejection);
        let failed = RunErrorEvent::new(error.to_string());
        let failed = failed.with_code(code.unwrap_or_else(|| error.code().to_owned()));
        let failed = Event::from(RunErrorEvent { usage, ..failed });
        // It says nothing of what transformers have not seen, so it may pass them by.
        if bypass || self.try_end(failed.clone()).is_err() {
            self.enqueue_unverified(failed);
        }
    }

    fn try_end(&mut self, terminal: Event) -> Result<(), Refusal> {
        if self.chain.is_empty() {
            return self.enqueue(terminal, Entry::Closing);
        }
        let event_type = terminal.event_type();
        let PutOut { events, failure } = self.chain.transform(terminal);
        failure?;
        let passed = events.iter().filter(|event| is_run_event(event)).count();
        let trails = matches!(events.last(), Some(Event::RunFinished(_) | Event::RunError(_)));
        if passed != 1 || !trails {
            return Err(Refusal::TransformedRunEvent { event_type, passed, place: "last" });
        }
        events.into_iter().try_for_each(|event| self.enqueue(event, Entry::Closing))
    }
}

fn terminal(
    outcome: Result<RunOutcome>,
    closing: Closing,
    thread_id: &ThreadId,
    run_id: &RunId,
) -> Event {
    let Closing { pending, usage, result } = closing;
    let finished = |outcome| RunFinishedEvent::new(thread_id, run_id).with_outcome(outcome);
    match outcome {
        Ok(outcome) => {
            let result = result.filter(|_| matches!(outcome, RunOutcome::Success(_)));
            RunFinishedEvent { usage, result, ..finished(with_pending(outcome, pending)) }.into()
        }
        Err(Error::Cancelled) => {
            RunFinishedEvent { usage, ..finished(RunOutcome::cancelled()) }.into()
        }
        Err(error) => {
            let failed = RunErrorEvent::new(error.to_string()).with_code(error.code());
            RunErrorEvent { usage, ..failed }.into()
        }
    }
}

/// A success that lists no pending calls gets those that were started and not answered.
fn with_pending(outcome: RunOutcome, pending: Vec<ToolCallId>) -> RunOutcome {
    match outcome {
        RunOutcome::Success(success)
            if success.pending_tool_call_ids.is_none() && !pending.is_empty() =>
        {
            success.with_pending_tool_call_ids(pending).into()
        }
        outcome => outcome,
    }
}
