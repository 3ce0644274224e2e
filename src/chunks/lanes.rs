//! Which block a chunk belongs to, and what closes it.

use super::chunk::{Chunk, Kind};
use crate::verify::{Fault, Rule};
use crate::{Event, MessageId, SubagentRunId, TextMessageRole, ToolCallId};

/// The blocks that chunks have opened: one in each lane at most, in the order they were opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lanes(Vec<Block>);

/// A block that a chunk has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// Whose lane it is in.
    pub(crate) owner: Option<SubagentRunId>,
    pub(crate) item: Item,
    opener: Opener,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Text(MessageId),
    Call(ToolCallId),
    Reasoning(MessageId),
}

/// What the first chunk said of its block, which later ones must not contradict.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opener {
    Text { role: TextMessageRole, name: Option<String> },
    Call { name: String, parent: Option<MessageId> },
    Reasoning,
}

/// Where a chunk goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// On with the block at that place.
    Continues(usize),
    /// Into a new block, for which the one at that place is closed.
    Opens { closing: Option<usize>, block: Block },
}

impl Lanes {
    pub(crate) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, place: usize) -> Option<&Block> {
        self.0.get(place)
    }

    /// Finds the place of a chunk and changes nothing.
    pub(crate) fn place(&self, chunk: &Chunk<'_>) -> Result<Place, Fault> {
        let lane = self.lane(chunk)?;
        let open = self.0.iter().position(|block| block.owner.as_ref() == lane);
        if let Some(place) = open
            && self.0[place].is_continued_by(chunk)
        {
            self.0[place].agrees(chunk)?;
            return Ok(Place::Continues(place));
        }
        Ok(Place::Opens { closing: open, block: Block::opened_by(chunk, lane)? })
    }

    /// Whose lane a chunk is for.
    fn lane<'a>(&'a self, chunk: &Chunk<'a>) -> Result<Option<&'a SubagentRunId>, Fault> {
        if chunk.id().is_some() {
            let Some(block) = self.0.iter().find(|block| block.is_named_by(chunk)) else {
                return Ok(chunk.tag);
            };
            let owner = block.owner.as_ref();
            return if chunk.tag.is_none_or(|tag| Some(tag) == owner) {
                Ok(owner)
            } else {
                Err(block.of_another(chunk))
            };
        }
        if chunk.tag.is_some() {
            return Ok(chunk.tag);
        }
        let mut same_kind = self.0.iter().filter(|block| block.is_of_kind(chunk));
        match (same_kind.next(), same_kind.next()) {
            (Some(block), None) => Ok(block.owner.as_ref()),
            (Some(_), Some(_)) if !self.0.iter().any(|block| block.is_agents_own(chunk)) => {
                Err(Fault::new(
                    Rule::AmbiguousChunk,
                    "more than one subagent has such a block open; set the id or the subagentRunId",
                ))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn open(&mut self, block: Block) {
        self.0.push(block);
    }

    pub(crate) fn close(&mut self, place: usize) -> Option<Block> {
        (place < self.0.len()).then(|| self.0.remove(place))
    }

    /// Takes out the blocks that an event closes which is no chunk, in the order they were opened.
    pub(crate) fn closed_by(&mut self, event: &Event) -> Vec<Block> {
        match reach(event) {
            Reach::Nothing => Vec::new(),
            Reach::All => std::mem::take(&mut self.0),
            Reach::Lane(owner) => {
                let place = self.0.iter().position(|block| block.owner.as_ref() == owner);
                place.map(|place| self.0.remove(place)).into_iter().collect()
            }
        }
    }
}

enum Reach<'a> {
    Nothing,
    Lane(Option<&'a SubagentRunId>),
    All,
}

#[expect(deprecated, reason = "the retired events close nothing, but are there")]
fn reach(event: &Event) -> Reach<'_> {
    match event {
        Event::TextMessageStart(_)
        | Event::TextMessageContent(_)
        | Event::TextMessageEnd(_)
        | Event::ToolCallStart(_)
        | Event::ToolCallArgs(_)
        | Event::ToolCallEnd(_)
        | Event::ToolCallResult(_)
        | Event::StateSnapshot(_)
        | Event::StateDelta(_)
        | Event::Custom(_)
        | Event::StepStarted(_)
        | Event::StepFinished(_)
        | Event::ReasoningStart(_)
        | Event::ReasoningMessageStart(_)
        | Event::ReasoningMessageContent(_)
        | Event::ReasoningMessageEnd(_)
        | Event::ReasoningEnd(_)
        | Event::SubagentFinished(_)
        | Event::SubagentError(_) => Reach::Lane(event.subagent_run_id()),
        Event::RunStarted(_)
        | Event::RunFinished(_)
        | Event::RunError(_)
        | Event::MessagesSnapshot(_) => Reach::All,
        Event::Raw(_)
        | Event::ActivitySnapshot(_)
        | Event::ActivityDelta(_)
        | Event::ReasoningEncryptedValue(_)
        | Event::SubagentStarted(_)
        | Event::TextMessageChunk(_)
        | Event::ToolCallChunk(_)
        | Event::ReasoningMessageChunk(_)
        | Event::ThinkingStart(_)
        | Event::ThinkingEnd(_)
        | Event::ThinkingTextMessageStart(_)
        | Event::ThinkingTextMessageContent(_)
        | Event::ThinkingTextMessageEnd(_) => Reach::Nothing,
    }
}

impl Block {
    fn opened_by(chunk: &Chunk<'_>, owner: Option<&SubagentRunId>) -> Result<Self, Fault> {
        let incomplete = |what| Fault::new(Rule::IncompleteChunk, what);
        let (item, opener) = match chunk.kind {
            Kind::Text { id, role, name } => {
                let id = id.ok_or_else(|| {
                    incomplete("no message is open for it to continue; set the messageId")
                })?;
                let role = role.unwrap_or(TextMessageRole::Assistant);
                (Item::Text(id.clone()), Opener::Text { role, name: name.map(str::to_owned) })
            }
            Kind::Call { id, name, parent } => {
                let id = id.ok_or_else(|| {
                    incomplete("no tool call is open for it to continue; set the toolCallId")
                })?;
                let name = name.ok_or_else(|| {
                    incomplete("it opens a tool call; set the toolCallName").of(id)
                })?;
                let opener = Opener::Call { name: name.to_owned(), parent: parent.cloned() };
                (Item::Call(id.clone()), opener)
            }
            Kind::Reasoning { id } => {
                let id = id.ok_or_else(|| {
                    incomplete("no reasoning message is open for it to continue; set the messageId")
                })?;
                (Item::Reasoning(id.clone()), Opener::Reasoning)
            }
        };
        Ok(Self { owner: owner.cloned(), item, opener })
    }

    fn is_of_kind(&self, chunk: &Chunk<'_>) -> bool {
        matches!(
            (&self.item, chunk.kind),
            (Item::Text(_), Kind::Text { .. })
                | (Item::Call(_), Kind::Call { .. })
                | (Item::Reasoning(_), Kind::Reasoning { .. })
        )
    }

    fn is_agents_own(&self, chunk: &Chunk<'_>) -> bool {
        self.owner.is_none() && self.is_of_kind(chunk)
    }

    fn is_named_by(&self, chunk: &Chunk<'_>) -> bool {
        self.is_of_kind(chunk) && chunk.id() == Some(self.item.id())
    }

    fn is_continued_by(&self, chunk: &Chunk<'_>) -> bool {
        self.is_of_kind(chunk) && chunk.id().is_none_or(|id| id == self.item.id())
    }

    fn of_another(&self, chunk: &Chunk<'_>) -> Fault {
        let id = self.item.id();
        let advice = format!(
            "`{id}` is open in the lane of {}; tag its chunks with that or with nothing",
            Whose(self.owner.as_ref())
        );
        Fault::new(Rule::OwnerMismatch, advice).of(id).by(chunk.tag)
    }

    /// What a chunk repeats of its opener has to be the same.
    fn agrees(&self, chunk: &Chunk<'_>) -> Result<(), Fault> {
        let conflict = match (&self.opener, chunk.kind) {
            (Opener::Text { role, .. }, Kind::Text { role: Some(said), .. }) if said != *role => {
                Some("role")
            }
            (Opener::Text { name, .. }, Kind::Text { name: Some(said), .. })
                if name.as_deref() != Some(said) =>
            {
                Some("name")
            }
            (Opener::Call { name, .. }, Kind::Call { name: Some(said), .. }) if said != name => {
                Some("toolCallName")
            }
            (Opener::Call { parent, .. }, Kind::Call { parent: Some(said), .. })
                if parent.as_ref() != Some(said) =>
            {
                Some("parentMessageId")
            }
            _ => None,
        };
        conflict.map_or(Ok(()), |field| {
            let id = self.item.id();
            let advice = format!(
                "its {field} is not that of the chunk which opened `{id}`; leave it out, or open \
                 another block with another id"
            );
            Err(Fault::new(Rule::ChunkConflict, advice).of(id).by(chunk.tag))
        })
    }
}

impl Item {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Text(id) | Self::Reasoning(id) => id.as_str(),
            Self::Call(id) => id.as_str(),
        }
    }
}

/// An owner in words.
pub(crate) struct Whose<'a>(pub(crate) Option<&'a SubagentRunId>);

impl std::fmt::Display for Whose<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(subagent) => write!(formatter, "subagent `{subagent}`"),
            None => formatter.write_str("the agent itself"),
        }
    }
}
