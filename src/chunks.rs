//! Chunks: events that open and close blocks without saying so.
//!
//! The first chunk of a block names it and opens it; later ones go on with the block; whatever else
//! happens in the lane closes it. There is a lane for the agent itself and one for every subagent,
//! so that they do not close each other's blocks.
//!
//! | what comes | closes |
//! | --- | --- |
//! | a chunk of another block | the block in its lane |
//! | an event of a message, tool call, reasoning or step; state; custom | the block in the lane of its subagent |
//! | the start or end of a run, `MESSAGES_SNAPSHOT` | all blocks, in the order they were opened |
//! | the end of a subagent | the block in the lane of that subagent |
//! | anything else: raw, activities, encrypted values, the start of a subagent, retired events | nothing |

mod chunk;
mod lanes;

pub(crate) use chunk::Chunk;
pub(crate) use lanes::{Block, Item, Lanes, Place, Whose};

use crate::verify::Violation;
use crate::{
    Event, ReasoningMessageChunkEvent, ReasoningMessageContentEvent, ReasoningMessageStartEvent,
    SubagentRunId, TextMessageChunkEvent, TextMessageContentEvent, TextMessageRole,
    TextMessageStartEvent, ToolCallArgsEvent, ToolCallChunkEvent, ToolCallStartEvent,
};

/// Turns chunks into the events that they stand for.
///
/// What a chunk says beside its text is kept: metadata go to the start and to the content, the raw
/// event goes to the content. Its time goes nowhere. The end of the stream closes nothing.
///
/// ```
/// use ag_ui::chunks::ChunkExpander;
/// use ag_ui::{Event, EventType, TextMessageChunkEvent};
///
/// let mut expander = ChunkExpander::new();
/// let mut types = Vec::new();
/// let chunk = TextMessageChunkEvent::new().with_delta("Hello ");
/// for event in [
///     chunk.clone().with_message_id("m-1").into(),
///     chunk.into(),
///     Event::run_finished("t-1", "r-1"),
/// ] {
///     expander.expand(event, |event| types.push(event.event_type()))?;
/// }
/// assert_eq!(types, [
///     EventType::TextMessageStart,
///     EventType::TextMessageContent,
///     EventType::TextMessageContent,
///     EventType::TextMessageEnd,
///     EventType::RunFinished,
/// ]);
/// # Ok::<(), ag_ui::verify::Violation>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ChunkExpander {
    lanes: Lanes,
    index: u64,
}

impl ChunkExpander {
    /// An expander that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts out what an event stands for: mostly the event itself.
    ///
    /// # Errors
    /// When a chunk does not say what it belongs to, or contradicts the one that opened its block.
    /// Nothing is put out then, and the expander is as it was.
    pub fn expand(
        &mut self,
        event: Event,
        mut put_out: impl FnMut(Event),
    ) -> Result<(), Violation> {
        match Chunk::of(&event) {
            Some(chunk) => {
                let event_type = event.event_type();
                let place = self.lanes.place(&chunk);
                let place = place.map_err(|fault| fault.at(self.index, Some(event_type), None))?;
                let opens = matches!(place, Place::Opens { .. });
                let has_content = chunk.has_content(opens);
                self.expand_chunk(event, place, has_content, &mut put_out);
            }
            None => {
                if !self.lanes.is_idle() {
                    self.lanes.closed_by(&event).iter().for_each(|block| put_out(end(block)));
                }
                put_out(event);
            }
        }
        self.index += 1;
        Ok(())
    }

    fn expand_chunk(
        &mut self,
        chunk: Event,
        place: Place,
        has_content: bool,
        put_out: &mut impl FnMut(Event),
    ) {
        let block = match place {
            Place::Continues(place) => self.lanes.get(place).cloned(),
            Place::Opens { closing, block } => {
                let closed = closing.and_then(|place| self.lanes.close(place));
                closed.iter().for_each(|block| put_out(end(block)));
                put_out(start(&chunk, &block));
                self.lanes.open(block.clone());
                Some(block)
            }
        };
        if let Some(block) = block
            && has_content
        {
            put_out(content(chunk, block));
        }
    }
}

/// The event that opens the block of a chunk.
fn start(chunk: &Event, block: &Block) -> Event {
    let mut start: Event = match (chunk, &block.item) {
        (Event::TextMessageChunk(chunk), Item::Text(id)) => {
            let role = chunk.role.unwrap_or(TextMessageRole::Assistant);
            let mut start = TextMessageStartEvent::new(id).with_role(role);
            start.name.clone_from(&chunk.name);
            start.into()
        }
        (Event::ToolCallChunk(chunk), Item::Call(id)) => {
            let name = chunk.tool_call_name.clone().unwrap_or_default();
            let mut start = ToolCallStartEvent::new(id, name);
            start.parent_message_id.clone_from(&chunk.parent_message_id);
            start.into()
        }
        (_, item) => ReasoningMessageStartEvent::new(item.id()).into(),
    };
    if let Some(metadata) = chunk.metadata() {
        start.set_metadata(metadata.clone());
    }
    tagged(start, chunk.subagent_run_id().cloned())
}

/// The event that adds the text of a chunk to its block.
fn content(chunk: Event, block: Block) -> Event {
    let tag = chunk.subagent_run_id().cloned().or(block.owner);
    let (mut event, metadata, raw_event): (Event, _, _) = match (chunk, block.item) {
        (Event::TextMessageChunk(chunk), Item::Text(id)) => {
            let TextMessageChunkEvent { delta, metadata, raw_event, .. } = chunk;
            (
                TextMessageContentEvent::new(id, delta.unwrap_or_default()).into(),
                metadata,
                raw_event,
            )
        }
        (Event::ToolCallChunk(chunk), Item::Call(id)) => {
            let ToolCallChunkEvent { delta, metadata, raw_event, .. } = chunk;
            (ToolCallArgsEvent::new(id, delta.unwrap_or_default()).into(), metadata, raw_event)
        }
        (Event::ReasoningMessageChunk(chunk), Item::Reasoning(id)) => {
            let ReasoningMessageChunkEvent { delta, metadata, raw_event, .. } = chunk;
            let delta = delta.unwrap_or_default();
            (ReasoningMessageContentEvent::new(id, delta).into(), metadata, raw_event)
        }
        (other, _) => return other,
    };
    if let Some(metadata) = metadata {
        event.set_metadata(metadata);
    }
    if let Some(raw_event) = raw_event {
        event.set_raw_event(raw_event);
    }
    tagged(event, tag)
}

/// The event that closes a block.
fn end(block: &Block) -> Event {
    let event = match &block.item {
        Item::Text(id) => Event::text_message_end(id),
        Item::Call(id) => Event::tool_call_end(id),
        Item::Reasoning(id) => Event::reasoning_message_end(id),
    };
    tagged(event, block.owner.clone())
}

fn tagged(mut event: Event, owner: Option<SubagentRunId>) -> Event {
    if let Some(owner) = owner {
        event.set_subagent_run_id(owner);
    }
    event
}
