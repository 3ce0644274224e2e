//! Shorter streams for storage.
//!
//! A run that was streamed word by word is stored in fewer events: [`compact`] joins what was cut
//! into pieces for the sake of streaming.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::chunks::ChunkExpander;
use crate::encode::json_into;
use crate::patch::{JsonPatch, apply};
use crate::verify::{EventVerifier, Violation};
use crate::{
    Event, MessageId, Metadata, ReasoningMessageContentEvent, StateDeltaEvent, StateSnapshotEvent,
    SubagentRunId, TextMessageContentEvent, ToolCallArgsEvent, ToolCallId,
};

/// Joins the pieces of a stream. A reader of the result ends at the same messages, state, pending
/// tool calls and interrupts, and no event changes whose it is.
///
/// | what | becomes |
/// | --- | --- |
/// | chunks | the events that they stand for |
/// | the pieces of a text, of reasoning, or of the arguments of a call | one piece, before the end of its block, or before what would not leave it alone |
/// | the state events of one owner, once the state is known | one snapshot, or one delta where that is shorter, before the run ends or another owner goes on |
/// | anything else | itself, in its place |
///
/// A joined piece has the time of the first, the metadata of all, and the raw event of none. What
/// is not joined keeps all it has. Streams may hold several runs, and may end anywhere.
///
/// ```
/// use ag_ui::compact::compact;
/// use ag_ui::{Event, TextMessageRole};
///
/// let mut events = vec![
///     Event::run_started("t-1", "r-1"),
///     Event::text_message_start("m-1", TextMessageRole::Assistant),
/// ];
/// events.extend((0..1_000).map(|_| Event::text_message_content("m-1", "word ")));
/// events.push(Event::text_message_end("m-1"));
/// events.push(Event::run_finished("t-1", "r-1"));
/// assert_eq!(compact(events)?.len(), 5);
/// # Ok::<(), ag_ui::verify::Violation>(())
/// ```
///
/// # Errors
/// When the stream breaks a rule of the order of events: then nobody can say what it comes to.
pub fn compact(events: impl IntoIterator<Item = Event>) -> Result<Vec<Event>, Violation> {
    let mut verifier = EventVerifier::new();
    let mut expander = ChunkExpander::new();
    let mut compactor = Compactor::default();
    for event in events {
        verifier.verify(&event)?;
        expander.expand(event, |event| compactor.take(event))?;
    }
    compactor.flush();
    Ok(compactor.out)
}

#[derive(Default)]
struct Compactor {
    out: Vec<Event>,
    pieces: BTreeMap<Block, Pieces>,
    state: State,
}

/// Where pieces go. Text and reasoning may go to one message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    Message(MessageId),
    Call(ToolCallId),
}

/// The pieces of a block so far.
struct Pieces {
    /// The first, to which the others are added.
    event: Event,
    count: usize,
    metadata: Option<Metadata>,
}

impl Compactor {
    fn take(&mut self, event: Event) {
        match &event {
            Event::TextMessageContent(piece) => {
                self.piece(Block::Message(piece.message_id.clone()), event);
            }
            Event::ReasoningMessageContent(piece) => {
                self.piece(Block::Message(piece.message_id.clone()), event);
            }
            Event::ToolCallArgs(piece) => {
                self.piece(Block::Call(piece.tool_call_id.clone()), event);
            }
            Event::StateSnapshot(_) | Event::StateDelta(_) => {
                let Self { out, state, .. } = self;
                state.take(event, out);
            }
            _ => {
                self.before(&event);
                self.out.push(event);
            }
        }
    }

    fn piece(&mut self, block: Block, event: Event) {
        if self.pieces.get_mut(&block).is_some_and(|pieces| pieces.join(&event)) {
            return;
        }
        // Text and reasoning of one message take turns.
        self.release(&block);
        self.pieces.insert(block, Pieces::new(event));
    }

    /// Puts out what must not come behind an event.
    fn before(&mut self, event: &Event) {
        match event {
            Event::TextMessageStart(event) => self.release_message(&event.message_id),
            Event::TextMessageEnd(event) => self.release_message(&event.message_id),
            Event::ReasoningMessageStart(event) => self.release_message(&event.message_id),
            Event::ReasoningMessageEnd(event) => self.release_message(&event.message_id),
            Event::ActivitySnapshot(event) => self.release_message(&event.message_id),
            // A result says whose its message is, also of one that is open.
            Event::ToolCallResult(event) => self.release_message(&event.message_id),
            // It may make the message that pieces went astray for.
            Event::ToolCallStart(event) => {
                self.release_message(&MessageId::new(&event.tool_call_id));
                event.parent_message_id.iter().for_each(|parent| self.release_message(parent));
            }
            Event::ToolCallEnd(event) => self.release(&Block::Call(event.tool_call_id.clone())),
            Event::MessagesSnapshot(_) => self.release_all(),
            Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => self.flush(),
            _ => {}
        }
    }

    fn release_message(&mut self, id: &MessageId) {
        self.release(&Block::Message(id.clone()));
    }

    fn release(&mut self, block: &Block) {
        self.out.extend(self.pieces.remove(block).map(Pieces::into_event));
    }

    fn release_all(&mut self) {
        self.out.extend(std::mem::take(&mut self.pieces).into_values().map(Pieces::into_event));
    }

    fn flush(&mut self) {
        self.release_all();
        let Self { out, state, .. } = self;
        state.flush(out);
    }
}

impl Pieces {
    fn new(event: Event) -> Self {
        Self { metadata: event.metadata().cloned(), event, count: 1 }
    }

    /// Adds a piece, unless it is of another kind.
    fn join(&mut self, more: &Event) -> bool {
        let (text, added) = match (&mut self.event, more) {
            (Event::TextMessageContent(event), Event::TextMessageContent(more)) => {
                (&mut event.delta, &more.delta)
            }
            (Event::ReasoningMessageContent(event), Event::ReasoningMessageContent(more)) => {
                (&mut event.delta, &more.delta)
            }
            (Event::ToolCallArgs(event), Event::ToolCallArgs(more)) => {
                (&mut event.delta, &more.delta)
            }
            _ => return false,
        };
        text.push_str(added);
        if let Some(owner) = more.subagent_run_id() {
            self.event.set_subagent_run_id(owner.clone());
        }
        merge(&mut self.metadata, more.metadata());
        self.count += 1;
        true
    }

    fn into_event(self) -> Event {
        let Self { event, count, metadata } = self;
        if count == 1 {
            return event;
        }
        let (owner, timestamp) = (event.subagent_run_id().cloned(), event.timestamp());
        let mut joined: Event = match event {
            Event::TextMessageContent(event) => {
                TextMessageContentEvent::new(event.message_id, event.delta).into()
            }
            Event::ReasoningMessageContent(event) => {
                ReasoningMessageContentEvent::new(event.message_id, event.delta).into()
            }
            Event::ToolCallArgs(event) => {
                ToolCallArgsEvent::new(event.tool_call_id, event.delta).into()
            }
            other => return other,
        };
        describe(&mut joined, owner, timestamp, metadata);
        joined
    }
}

/// The state as far as the stream says, and the events that were not put out yet.
#[derive(Default)]
struct State {
    known: Option<Value>,
    held: Vec<Event>,
    /// The changes of the held events, as long as there are only such that apply.
    changes: Option<JsonPatch>,
}

impl State {
    fn take(&mut self, event: Event, out: &mut Vec<Event>) {
        let is_of_other =
            self.held.first().is_some_and(|held| held.subagent_run_id() != event.subagent_run_id());
        if is_of_other {
            self.flush(out);
        }
        if self.held.is_empty() {
            self.changes = Some(Vec::new());
        }
        match (&event, &mut self.known) {
            (Event::StateSnapshot(event), known) => {
                *known = Some(event.snapshot.clone());
                self.changes = None;
            }
            (Event::StateDelta(event), Some(known)) => {
                // A delta that does not apply changes nothing, here as for every reader.
                if apply(known, &event.delta).is_ok() {
                    self.changes.iter_mut().for_each(|changes| changes.extend(event.delta.clone()));
                }
            }
            // Nobody knows what it does: it stays as it is.
            _ => return out.push(event),
        }
        self.held.push(event);
    }

    fn flush(&mut self, out: &mut Vec<Event>) {
        let held = std::mem::take(&mut self.held);
        let changes = self.changes.take();
        let Some(known) = &self.known else { return };
        let [_, _, ..] = held.as_slice() else { return out.extend(held) };
        let snapshot: Event = StateSnapshotEvent::new(known.clone()).into();
        let delta = changes.map(|changes| Event::from(StateDeltaEvent::new(changes)));
        let mut joined = match delta {
            Some(delta) if length(&delta) < length(&snapshot) => delta,
            _ => snapshot,
        };
        let mut metadata = None;
        held.iter().for_each(|event| merge(&mut metadata, event.metadata()));
        let first = held.first();
        let owner = first.and_then(|event| event.subagent_run_id().cloned());
        describe(&mut joined, owner, first.and_then(Event::timestamp), metadata);
        out.push(joined);
    }
}

fn length(event: &Event) -> usize {
    let mut json = Vec::new();
    json_into(event, &mut json);
    json.len()
}

fn describe(
    event: &mut Event,
    owner: Option<SubagentRunId>,
    timestamp: Option<i64>,
    metadata: Option<Metadata>,
) {
    if let Some(owner) = owner {
        event.set_subagent_run_id(owner);
    }
    if let Some(timestamp) = timestamp {
        event.set_timestamp(timestamp);
    }
    if let Some(metadata) = metadata {
        event.set_metadata(metadata);
    }
}

fn merge(target: &mut Option<Metadata>, newer: Option<&Metadata>) {
    match (target, newer) {
        (_, None) => {}
        (Some(target), Some(newer)) => target.extend(newer.clone()),
        (target, newer) => *target = newer.cloned(),
    }
}
