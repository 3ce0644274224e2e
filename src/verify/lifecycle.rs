//! Begin and end of runs.

use std::collections::BTreeSet;

use super::rule::Rule;
use super::violation::Fault;
use super::{EventVerifier, Phase, Run};
use crate::{Event, RunFinishedEvent, RunOutcome, RunStartedEvent};

impl EventVerifier {
    /// Whether an event may come at all where the stream is.
    pub(super) fn check_phase(&self, event: &Event) -> Result<(), Fault> {
        let starts = matches!(event, Event::RunStarted(_));
        let fails = matches!(event, Event::RunError(_));
        match self.phase {
            Phase::Running => Ok(()),
            Phase::Before if starts || fails => Ok(()),
            Phase::Before => {
                Err(Fault::new(Rule::RunNotStarted, "no run was started; emit RUN_STARTED first"))
            }
            Phase::Finished | Phase::Failed if starts => Ok(()),
            // The failure of something that was to follow the run.
            Phase::Finished if fails && !self.producer => Ok(()),
            Phase::Finished => {
                Err(Fault::new(Rule::RunEnded, "the run has finished; emit it before RUN_FINISHED"))
            }
            Phase::Failed => {
                Err(Fault::new(Rule::RunEnded, "the run has failed; emit it before RUN_ERROR"))
            }
        }
    }

    pub(super) fn start_run(&mut self, event: &RunStartedEvent) -> Result<(), Fault> {
        if self.phase == Phase::Running {
            let id = self.run.id.as_ref().map_or("", |id| id.as_str());
            let advice =
                format!("run `{id}` is still open; end it with RUN_FINISHED or RUN_ERROR first");
            return Err(Fault::new(Rule::DuplicateRunStarted, advice).of(&event.run_id));
        }
        if let Some(thread_id) = &self.thread_id
            && *thread_id != event.thread_id
        {
            let advice = format!("the stream is of thread `{thread_id}`; use another stream");
            return Err(Fault::new(Rule::ThreadIdMismatch, advice).of(&event.thread_id));
        }
        self.thread_id.get_or_insert_with(|| event.thread_id.clone());
        self.phase = Phase::Running;
        self.run = Run { id: Some(event.run_id.clone()), ..Run::default() };
        if let Some(input) = &event.input {
            self.run.seed(&input.messages, false);
        }
        Ok(())
    }

    pub(super) fn finish_run(&mut self, event: &RunFinishedEvent) -> Result<(), Fault> {
        self.check_ids(event)?;
        if let Some(open) = self.run.open_at_finish() {
            let advice = format!("{open} open; close it first, or end the run with RUN_ERROR");
            return Err(Fault::new(Rule::OpenAtFinish, advice));
        }
        if let Some(RunOutcome::Interrupt(outcome)) = &event.outcome {
            check_interrupts(outcome.interrupts.iter().map(|interrupt| interrupt.id.as_str()))?;
        }
        self.phase = Phase::Finished;
        Ok(())
    }

    fn check_ids(&self, event: &RunFinishedEvent) -> Result<(), Fault> {
        if let Some(id) = &self.run.id
            && *id != event.run_id
        {
            let advice = format!("the run was started as `{id}`; finish it as that");
            return Err(Fault::new(Rule::RunIdMismatch, advice).of(&event.run_id));
        }
        if let Some(id) = &self.thread_id
            && *id != event.thread_id
        {
            let advice = format!("the run is of thread `{id}`; finish it as that");
            return Err(Fault::new(Rule::ThreadIdMismatch, advice).of(&event.thread_id));
        }
        Ok(())
    }

    /// What is open, for whoever looks for the fault. Builds for production do not pay for it.
    pub(super) fn whatever_is_open(&self) -> Option<String> {
        if !cfg!(debug_assertions) || self.phase != Phase::Running {
            return None;
        }
        let open: Vec<String> =
            self.run.open().map(|(kind, ids)| format!("{kind} {ids}")).collect();
        Some(if open.is_empty() { "nothing".to_owned() } else { open.join(", ") })
    }
}

fn check_interrupts<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            let advice = format!("interrupt `{id}` is listed twice; give each an id of its own");
            return Err(Fault::new(Rule::DuplicateInterrupt, advice).of(id));
        }
    }
    if seen.is_empty() {
        let advice = "the outcome lists no interrupt; list what is asked, or end in success";
        return Err(Fault::new(Rule::EmptyInterrupts, advice));
    }
    Ok(())
}
