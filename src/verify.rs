//! The order of events: what may follow what.
//!
//! The protocol's rules are about streams, so types cannot express them. [`EventVerifier`] holds a
//! stream to them event by event, and reports a [`Violation`] at the event that causes it. The
//! server runtime holds what agents emit to them before it is sent (feature `verify`); other
//! runtimes, recorders and tests use it as it is.
//!
//! There are two measures. [`EventVerifier::new`] has the rules that a reader applies: whatever they
//! reject is no stream of the protocol, some of it only from its next version on.
//! [`EventVerifier::producer`] has those that a careful producer keeps besides.
//!
//! | rules | apply to |
//! | --- | --- |
//! | `run-not-started`, `run-ended`, `duplicate-run-started` | the run |
//! | `duplicate-start`, `not-open`, `unknown-id` | messages, tool calls, reasoning, steps, subagents |
//! | `open-at-finish` | `RUN_FINISHED`; a run that ends in `RUN_ERROR` abandons what is open |
//! | `owner-mismatch` | whatever names a subagent |
//! | `subagent-reused`, `unknown-parent` | subagents |
//! | `ambiguous-chunk`, `incomplete-chunk`, `chunk-conflict` | chunks, see [`chunks`](crate::chunks) |
//! | `run-id-mismatch`, `thread-id-mismatch`, `empty-interrupts`, `duplicate-interrupt` | `RUN_STARTED`, `RUN_FINISHED` |
//! | `out-of-order`, a `RUN_ERROR` after `RUN_FINISHED` | producers only |
//! | `truncated` | the end of the stream, when [`EventVerifier::finish`] is asked |
//!
//! Blocks with different ids may overlap. State, activities, raw and custom events, and the retired
//! `THINKING_*` events have no order. Nothing is said about roles, tool names that nobody offered,
//! or the JSON of arguments.
//!
//! What is remembered grows with the number of messages, calls, activities and subagents of a run,
//! for later events may name any of them; the next run begins anew.

mod attribution;
mod blocks;
mod entities;
mod lifecycle;
mod rule;
mod violation;

use std::collections::{BTreeMap, HashMap};

pub use rule::Rule;
pub(crate) use violation::Fault;
pub use violation::Violation;

use crate::chunks::{Chunk, Item, Lanes, Place};
use crate::{Event, MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};
use entities::{Entities, Owner};

/// Holds a stream to the rules of the order of events.
///
/// It is a plain value that neither reads nor waits. An event that is rejected counts as not
/// there: the verifier is as it was before, and the next event may be right again.
///
/// ```
/// use ag_ui::verify::{EventVerifier, Rule};
/// use ag_ui::{Event, TextMessageRole};
///
/// let mut verifier = EventVerifier::new();
/// verifier.verify(&Event::run_started("t-1", "r-1"))?;
/// verifier.verify(&Event::text_message_start("m-1", TextMessageRole::Assistant))?;
///
/// let finished = Event::run_finished("t-1", "r-1");
/// let violation = verifier.verify(&finished).unwrap_err();
/// assert_eq!(violation.rule(), Rule::OpenAtFinish);
///
/// verifier.verify(&Event::text_message_end("m-1"))?;
/// verifier.verify(&finished)?;
/// verifier.finish()?;
/// # Ok::<(), ag_ui::verify::Violation>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct EventVerifier {
    producer: bool,
    index: u64,
    phase: Phase,
    thread_id: Option<ThreadId>,
    run: Run,
    lanes: Lanes,
}

/// Where the stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Before,
    Running,
    Finished,
    Failed,
}

/// What is known of the current run.
#[derive(Debug, Clone, Default)]
struct Run {
    id: Option<RunId>,
    messages: Entities<MessageId, Open>,
    calls: Entities<ToolCallId, Open>,
    reasonings: Entities<MessageId, Reasoning>,
    activities: HashMap<MessageId, Owner>,
    /// Who has a step of that name open.
    steps: BTreeMap<String, Vec<Owner>>,
    subagents: HashMap<SubagentRunId, Open>,
}

/// Whether a block is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Open(bool);

/// A span and a message of reasoning may have one id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Reasoning {
    span: Open,
    message: Open,
}

impl EventVerifier {
    /// A verifier with the rules that a reader applies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A verifier that holds a producer to what it owes its readers.
    #[must_use]
    pub fn producer() -> Self {
        Self { producer: true, ..Self::default() }
    }

    /// Takes the next event of the stream.
    ///
    /// # Errors
    /// When the event breaks a rule. Nothing changes then.
    #[inline]
    pub fn verify(&mut self, event: &Event) -> Result<(), Violation> {
        let verified = if self.phase == Phase::Running && self.lanes.is_idle() {
            self.apply(event)
        } else {
            self.apply_in_lanes(event)
        };
        match verified {
            Ok(()) => {
                self.index += 1;
                Ok(())
            }
            Err(fault) => Err(self.violation(fault, event)),
        }
    }

    /// Takes the end of the stream.
    ///
    /// # Errors
    /// [`Rule::Truncated`] when a run has not ended. A stream without events is whole.
    pub fn finish(&self) -> Result<(), Violation> {
        if self.phase != Phase::Running {
            return Ok(());
        }
        let advice = "the run has not ended; end it with RUN_FINISHED or RUN_ERROR, and do not \
                      take it for a success";
        let fault = Fault::new(Rule::Truncated, advice);
        Err(fault.at(self.index, None, self.whatever_is_open()))
    }

    #[cold]
    fn violation(&self, fault: Fault, event: &Event) -> Violation {
        fault.at(self.index, Some(event.event_type()), self.whatever_is_open())
    }

    /// Takes an event while chunks have blocks open, or before and after runs. Undoes what it did
    /// when the event turns out to be wrong.
    fn apply_in_lanes(&mut self, event: &Event) -> Result<(), Fault> {
        self.check_phase(event)?;
        if self.lanes.is_idle() {
            return self.apply(event);
        }
        let lanes = self.lanes.clone();
        let mut closed = Vec::new();
        let applied = self.close_lanes(event, &mut closed).and_then(|()| self.apply(event));
        if applied.is_err() {
            self.lanes = lanes;
            closed.iter().for_each(|item| self.set_open(item, true));
        }
        applied
    }

    fn close_lanes(&mut self, event: &Event, closed: &mut Vec<Item>) -> Result<(), Fault> {
        for block in self.lanes.closed_by(event) {
            self.check_item(&block.item, block.owner.as_ref())?;
            self.set_open(&block.item, false);
            closed.push(block.item);
        }
        Ok(())
    }

    fn apply_chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Fault> {
        match self.lanes.place(chunk)? {
            Place::Continues(place) => {
                let Some(block) = self.lanes.get(place) else { return Ok(()) };
                if chunk.has_content(false) {
                    let (item, owner) = (block.item.clone(), block.owner.clone());
                    self.check_item(&item, owner.as_ref())?;
                }
            }
            Place::Opens { closing, block } => {
                let closed = closing.and_then(|place| self.lanes.get(place)).cloned();
                if let Some(closed) = &closed {
                    self.check_item(&closed.item, closed.owner.as_ref())?;
                    self.set_open(&closed.item, false);
                }
                if let Err(fault) = self.start_item(&block.item, chunk) {
                    closed.iter().for_each(|closed| self.set_open(&closed.item, true));
                    return Err(fault);
                }
                closing.map(|place| self.lanes.close(place));
                self.lanes.open(block);
            }
        }
        Ok(())
    }

    #[inline]
    #[expect(deprecated, reason = "the retired events have no order, but are there")]
    fn apply(&mut self, event: &Event) -> Result<(), Fault> {
        let tag = event.subagent_run_id();
        let run = &mut self.run;
        match event {
            Event::TextMessageContent(event) => run.in_message(&event.message_id, tag).map(drop),
            Event::ToolCallArgs(event) => run.in_call(&event.tool_call_id, tag).map(drop),
            Event::ReasoningMessageContent(event) => {
                run.in_reasoning(&event.message_id, tag).map(drop)
            }
            Event::TextMessageStart(event) => run.start_message(&event.message_id, tag),
            Event::TextMessageEnd(event) => {
                run.in_message(&event.message_id, tag).map(|open| open.0 = false)
            }
            Event::ToolCallStart(event) => {
                run.start_call(&event.tool_call_id, event.parent_message_id.as_ref(), tag)
            }
            Event::ToolCallEnd(event) => {
                run.in_call(&event.tool_call_id, tag).map(|open| open.0 = false)
            }
            Event::ToolCallResult(event) => {
                if self.producer {
                    run.check_result(&event.tool_call_id)?;
                }
                run.messages.seed(&event.message_id, tag, true);
                Ok(())
            }
            Event::ReasoningStart(event) => run.start_span(&event.message_id, tag),
            Event::ReasoningEnd(event) => {
                run.in_span(&event.message_id, tag).map(|open| open.0 = false)
            }
            Event::ReasoningMessageStart(event) => run.start_reasoning(&event.message_id, tag),
            Event::ReasoningMessageEnd(event) => {
                run.in_reasoning(&event.message_id, tag).map(|open| open.0 = false)
            }
            Event::ReasoningEncryptedValue(event) => run.encrypted_value(event),
            Event::StepStarted(event) => run.start_step(&event.step_name, tag),
            Event::StepFinished(event) => run.finish_step(&event.step_name, tag),
            Event::ActivitySnapshot(event) => run.activity_snapshot(event),
            Event::ActivityDelta(event) => run.activity_delta(event),
            Event::MessagesSnapshot(event) => {
                run.seed(&event.messages, true);
                Ok(())
            }
            Event::SubagentStarted(event) => run.start_subagent(event),
            Event::SubagentFinished(event) => run.end_subagent(&event.subagent_run_id),
            Event::SubagentError(event) => run.end_subagent(&event.subagent_run_id),
            Event::RunStarted(event) => self.start_run(event),
            Event::RunFinished(event) => self.finish_run(event),
            Event::RunError(_) => {
                self.phase = Phase::Failed;
                Ok(())
            }
            Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_) => {
                Chunk::of(event).map_or(Ok(()), |chunk| self.apply_chunk(&chunk))
            }
            Event::StateSnapshot(_)
            | Event::StateDelta(_)
            | Event::Raw(_)
            | Event::Custom(_)
            | Event::ThinkingStart(_)
            | Event::ThinkingEnd(_)
            | Event::ThinkingTextMessageStart(_)
            | Event::ThinkingTextMessageContent(_)
            | Event::ThinkingTextMessageEnd(_) => Ok(()),
        }
    }
}
