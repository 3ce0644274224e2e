//! What a stream of events comes to: messages, state, and what is pending.

mod activity;
mod text;
mod tool;

use std::collections::{HashMap, HashSet};

use serde_core::de::DeserializeOwned;
use serde_json::Value;

use super::messages::Messages;
use super::update::{ReasoningChange, ReasoningUpdate, StateUpdate, StepChange, StepUpdate};
use super::update::{SubagentUpdate, Update};
use super::{Error, Result, RunEnd, Warning};
use crate::patch::{CopyBudget, apply_within};
use crate::{
    Event, EventType, Interrupt, JsonPointer, Message, MessageId, MessagesSnapshotEvent, Metadata,
    Role, RunFinishedEvent, RunOutcome, RunStartedEvent, StateDeltaEvent, SubagentRunId,
    TokenUsage, ToolCall, ToolCallId,
};

/// What a stream of events comes to: messages, state, interrupts and pending tool calls.
///
/// It is the last stage of a client and a plain value: it takes events whose chunks are
/// expanded and whose order is verified, see [`Pipeline`](super::Pipeline), and says what changed.
/// It copes with any others, warning about what cannot be.
///
/// ```
/// use ag_ui::client::{Conversation, TextChange, Update};
/// use ag_ui::{Event, Message, TextMessageRole};
///
/// let mut conversation = Conversation::new();
/// conversation.push(Message::user("m-1", "Hello"));
/// let mut shown = String::new();
/// for event in [
///     Event::run_started("t-1", "r-1"),
///     Event::text_message_start("m-2", TextMessageRole::Assistant),
///     Event::text_message_content("m-2", "Hi!"),
///     Event::text_message_end("m-2"),
///     Event::run_finished("t-1", "r-1"),
/// ] {
///     conversation.apply(event, &mut |update| {
///         if let Update::Text(text) = update
///             && let TextChange::Delta(delta) = text.change
///         {
///             shown.push_str(&delta);
///         }
///     });
/// }
/// assert_eq!(shown, "Hi!");
/// assert_eq!(conversation.messages().len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Conversation {
    messages: Messages,
    state: Option<Value>,
    copied: CopyBudget,
    /// For all activities together, whatever became of the copies.
    copied_in_activities: CopyBudget,
    interrupts: Vec<Interrupt>,
    /// Calls that the last run left to this side, and which of them were answered since.
    pending: Vec<ToolCallId>,
    answered: HashSet<ToolCallId>,
    usage: Vec<TokenUsage>,
    run: Run,
}

/// What is known of the run that is on.
#[derive(Debug, Clone, Default)]
struct Run {
    /// Calls of this run, in the order in which they began.
    started: Vec<ToolCallId>,
    known: HashSet<ToolCallId>,
    answered: HashSet<ToolCallId>,
    /// What is open, with a number that grows and whose it is.
    open: HashMap<Open, (u64, Option<SubagentRunId>)>,
    opened: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Open {
    Text(MessageId),
    Call(ToolCallId),
    Reasoning(MessageId),
    Span(MessageId),
    Step(String, Option<SubagentRunId>),
}

impl Conversation {
    /// A conversation in which nothing was said.
    #[must_use]
    pub fn new() -> Self {
        Self {
            messages: Messages::default(),
            state: None,
            copied: CopyBudget::default(),
            copied_in_activities: CopyBudget::shared(),
            interrupts: Vec::new(),
            pending: Vec::new(),
            answered: HashSet::new(),
            usage: Vec::new(),
            run: Run::default(),
        }
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// The state as JSON; absent until there is one.
    #[must_use]
    pub fn raw_state(&self) -> Option<&Value> {
        self.state.as_ref()
    }

    /// The state as a type of the application's own; absent until there is one.
    ///
    /// It is read anew each time: keep it, and read it again when an [`Update::State`] comes.
    ///
    /// # Errors
    /// [`Error::State`] when the state is no `S`; the raw state is right nevertheless.
    pub fn state<S: DeserializeOwned>(&self) -> Result<Option<S>> {
        let Some(state) = &self.state else { return Ok(None) };
        serde_path_to_error::deserialize(state).map(Some).map_err(|error| {
            let path = JsonPointer::of_path(error.path());
            Error::State { path, source: error.into_inner() }
        })
    }

    /// What the last run waits for. The next one has to bring the answers.
    #[must_use]
    pub fn interrupts(&self) -> &[Interrupt] {
        &self.interrupts
    }

    /// Tool calls that wait for an answer of this side, in the order in which they were made.
    pub fn pending_tool_calls(&self) -> impl Iterator<Item = &ToolCall> + '_ {
        let open = self.pending.iter().filter(|id| !self.answered.contains(*id));
        open.filter_map(|id| self.messages.tool_call(id.as_str())).map(|(_, call)| call)
    }

    /// What the runs have used up so far, added up by provider and model.
    #[must_use]
    pub fn usage(&self) -> &[TokenUsage] {
        &self.usage
    }

    /// Adds a message of this side.
    pub fn push(&mut self, message: Message) {
        if let Message::Tool(answer) = &message {
            let call = answer.tool_call_id.clone();
            self.answered(&call);
            return self.messages.insert_result(&call, message);
        }
        self.messages.push(message);
    }

    /// Replaces all messages.
    pub fn set_messages(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.messages = messages.into_iter().collect();
    }

    /// Replaces the state.
    pub fn set_state(&mut self, state: Value) {
        self.state = Some(state);
        self.copied = CopyBudget::default();
    }

    /// Forgets the interrupts, so that the next run need not answer them. The agent is not told.
    pub fn drop_interrupts(&mut self) -> Vec<Interrupt> {
        std::mem::take(&mut self.interrupts)
    }

    /// Takes the next event and says what changed, if anything.
    ///
    /// The time it takes does not depend on the length of the message and the conversation, nor on
    /// the size of the state.
    pub fn apply(&mut self, event: Event, put_out: &mut impl FnMut(Update)) {
        let event_type = event.event_type();
        match event {
            Event::TextMessageStart(event) => self.start_text(event, put_out),
            Event::TextMessageContent(event) => self.text_content(event, put_out),
            Event::TextMessageEnd(event) => self.end_text(event, put_out),
            Event::ToolCallStart(event) => self.start_call(event, put_out),
            Event::ToolCallArgs(event) => self.call_arguments(event, put_out),
            Event::ToolCallEnd(event) => self.end_call(event, put_out),
            Event::ToolCallResult(event) => self.call_result(event, put_out),
            Event::ReasoningMessageStart(event) => self.start_reasoning(event, put_out),
            Event::ReasoningMessageContent(event) => self.reasoning_content(event, put_out),
            Event::ReasoningMessageEnd(event) => self.end_reasoning(event, put_out),
            Event::ReasoningEncryptedValue(event) => self.encrypted_value(event, put_out),
            Event::ReasoningStart(event) => {
                let span_of = Open::Span(event.message_id.clone());
                self.run.opened(span_of, event.subagent_run_id.clone());
                put_out(span(
                    event.message_id,
                    event.subagent_run_id,
                    ReasoningChange::SpanStarted,
                ));
            }
            Event::ReasoningEnd(event) => {
                self.run.closed(&Open::Span(event.message_id.clone()));
                put_out(span(event.message_id, event.subagent_run_id, ReasoningChange::SpanEnded));
            }
            Event::StateSnapshot(event) => {
                self.set_state(event.snapshot);
                put_out(Update::State(StateUpdate::Replaced));
            }
            Event::StateDelta(event) => self.state_delta(event, put_out),
            Event::MessagesSnapshot(event) => self.messages_snapshot(event, put_out),
            Event::ActivitySnapshot(event) => self.activity_snapshot(event, put_out),
            Event::ActivityDelta(event) => self.activity_delta(event, put_out),
            Event::StepStarted(event) => {
                let step_of = Open::Step(event.step_name.clone(), event.subagent_run_id.clone());
                self.run.opened(step_of, event.subagent_run_id.clone());
                put_out(step(event.step_name, event.subagent_run_id, StepChange::Started));
            }
            Event::StepFinished(event) => {
                let step_of = Open::Step(event.step_name.clone(), event.subagent_run_id.clone());
                self.run.closed(&step_of);
                put_out(step(event.step_name, event.subagent_run_id, StepChange::Finished));
            }
            Event::SubagentStarted(event) => {
                put_out(Update::Subagent(SubagentUpdate::Started(event)));
            }
            Event::SubagentFinished(event) => {
                put_out(Update::Subagent(SubagentUpdate::Finished(event)));
            }
            Event::SubagentError(event) => put_out(Update::Subagent(SubagentUpdate::Failed(event))),
            Event::Raw(event) => put_out(Update::Raw(event)),
            Event::Custom(event) => put_out(Update::Custom(event)),
            Event::RunStarted(event) => self.start_run(event, put_out),
            Event::RunFinished(event) => self.finish_run(&event, put_out),
            Event::RunError(event) => {
                self.abandon(put_out);
                self.add_usage(event.usage.as_deref(), put_out);
                put_out(Update::RunEnded { end: RunEnd::from(&event) });
            }
            _ => put_out(unexpanded(event_type)),
        }
    }

    /// Takes the end of a stream that has left something open: messages, calls, reasoning and
    /// steps end where they are, and calls that nobody has answered become pending.
    pub fn abandon(&mut self, put_out: &mut impl FnMut(Update)) {
        self.close_all(put_out);
        let Self { pending, answered, .. } = self;
        pending.retain(|id| !answered.contains(id));
        let known: HashSet<_> = self.pending.iter().cloned().collect();
        let unanswered = self.unanswered();
        self.pending.extend(unanswered.into_iter().filter(|id| !known.contains(id)));
        self.answered.clear();
        self.run = Run::default();
    }

    /// Ends what is open, the last opened first. Nothing is shown as growing for ever.
    fn close_all(&mut self, put_out: &mut impl FnMut(Update)) {
        let mut open: Vec<_> = std::mem::take(&mut self.run.open).into_iter().collect();
        open.sort_unstable_by_key(|(_, (number, _))| std::cmp::Reverse(*number));
        open.into_iter().for_each(|(open, (_, owner))| put_out(self.ended(open, owner)));
    }

    fn ended(&self, open: Open, owner: Option<SubagentRunId>) -> Update {
        match open {
            Open::Text(id) => text::text(id, owner, super::TextChange::Ended),
            Open::Reasoning(id) => span(id, owner, ReasoningChange::Ended),
            Open::Span(id) => span(id, owner, ReasoningChange::SpanEnded),
            Open::Step(name, _) => step(name, owner, StepChange::Finished),
            Open::Call(id) => {
                let message_id = self.messages.tool_call(id.as_str()).map(|(id, _)| id.clone());
                let message_id = message_id.unwrap_or_else(|| MessageId::new(&id));
                tool::call(id, message_id, owner, super::ToolCallChange::Ended)
            }
        }
    }

    fn start_run(&mut self, event: RunStartedEvent, put_out: &mut impl FnMut(Update)) {
        self.run = Run::default();
        put_out(Update::RunStarted { run_id: event.run_id, parent_run_id: event.parent_run_id });
        let echoed = event.input.map(|input| input.messages).unwrap_or_default();
        let before = self.messages.len();
        for message in echoed {
            if !self.messages.contains(message.id()) {
                self.messages.push(message);
            }
        }
        if self.messages.len() > before {
            put_out(Update::Messages);
        }
    }

    fn finish_run(&mut self, event: &RunFinishedEvent, put_out: &mut impl FnMut(Update)) {
        self.add_usage(event.usage.as_deref(), put_out);
        self.interrupts = match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => outcome.interrupts.clone(),
            _ => Vec::new(),
        };
        self.pending = match &event.outcome {
            Some(RunOutcome::Success(outcome)) => outcome
                .pending_tool_call_ids
                .clone()
                .filter(|ids| !ids.is_empty())
                .unwrap_or_else(|| self.unanswered()),
            None => self.unanswered(),
            _ => Vec::new(),
        };
        self.answered.clear();
        let end = RunEnd::finished(event, self.pending.clone());
        self.close_all(put_out);
        self.run = Run::default();
        put_out(Update::RunEnded { end });
    }

    fn unanswered(&self) -> Vec<ToolCallId> {
        let started = self.run.started.iter();
        started.filter(|id| !self.run.answered.contains(*id)).cloned().collect()
    }

    /// A call needs no answer any more.
    fn answered(&mut self, id: &ToolCallId) {
        self.run.answered.insert(id.clone());
        if !self.pending.is_empty() {
            self.answered.insert(id.clone());
        }
    }

    fn add_usage(&mut self, usage: Option<&[TokenUsage]>, put_out: &mut impl FnMut(Update)) {
        let Some(usage) = usage.filter(|usage| !usage.is_empty()) else { return };
        usage.iter().for_each(|entry| crate::usage::add(&mut self.usage, entry.clone()));
        put_out(Update::Usage(usage.to_vec()));
    }

    fn state_delta(&mut self, event: StateDeltaEvent, put_out: &mut impl FnMut(Update)) {
        // A state that was never set is an empty object: so does the reference client have it.
        let state = self.state.get_or_insert_with(|| Value::Object(serde_json::Map::new()));
        match apply_within(state, &event.delta, &mut self.copied) {
            Ok(()) => put_out(Update::State(StateUpdate::Patched(event.delta))),
            Err(error) => put_out(Update::Warning(Warning::StatePatch(error))),
        }
    }

    fn messages_snapshot(
        &mut self,
        event: MessagesSnapshotEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let has = |role| event.messages.iter().any(|message| message.role() == role);
        let (activities, reasoning) = (has(Role::Activity), has(Role::Reasoning));
        let owned = activity::Authority::of(event.metadata.as_ref(), activities);
        self.messages.reconcile(event.messages, |message| match message {
            Message::Activity(message) => !owned.covers(&message.activity_type),
            Message::Reasoning(_) => !reasoning,
            _ => false,
        });
        put_out(Update::Messages);
    }
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

impl Run {
    fn opened(&mut self, open: Open, owner: Option<SubagentRunId>) {
        self.open.insert(open, (self.opened, owner));
        self.opened += 1;
    }

    fn closed(&mut self, open: &Open) {
        self.open.remove(open);
    }
}

fn span(
    message_id: MessageId,
    subagent_run_id: Option<SubagentRunId>,
    change: ReasoningChange,
) -> Update {
    Update::Reasoning(ReasoningUpdate { message_id, subagent_run_id, change })
}

fn step(name: String, subagent_run_id: Option<SubagentRunId>, change: StepChange) -> Update {
    Update::Step(StepUpdate { name, subagent_run_id, change })
}

fn unexpanded(event_type: EventType) -> Update {
    let problem = "which a pipeline turns into other events first";
    Update::Warning(Warning::NoTarget { event_type, id: String::new(), problem })
}

/// Newer values replace older ones under the same key.
fn merge(target: &mut Option<Metadata>, newer: Option<Metadata>) {
    match (target, newer) {
        (_, None) => {}
        (Some(target), Some(newer)) => target.extend(newer),
        (target, newer) => *target = newer,
    }
}
