//! What the three kinds of chunks have in common.

use crate::{Event, MessageId, SubagentRunId, TextMessageRole, ToolCallId};

/// A look at a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub(super) tag: Option<&'a SubagentRunId>,
    pub(super) kind: Kind<'a>,
    has_text: bool,
    has_metadata: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind<'a> {
    Text { id: Option<&'a MessageId>, role: Option<TextMessageRole>, name: Option<&'a str> },
    Call { id: Option<&'a ToolCallId>, name: Option<&'a str>, parent: Option<&'a MessageId> },
    Reasoning { id: Option<&'a MessageId> },
}

impl<'a> Chunk<'a> {
    /// The chunk in an event, if it is one.
    #[inline]
    pub(crate) fn of(event: &'a Event) -> Option<Self> {
        let (kind, delta) = match event {
            Event::TextMessageChunk(event) => {
                let (id, name) = (event.message_id.as_ref(), event.name.as_deref());
                (Kind::Text { id, role: event.role, name }, &event.delta)
            }
            Event::ToolCallChunk(event) => {
                let (id, name) = (event.tool_call_id.as_ref(), event.tool_call_name.as_deref());
                let parent = event.parent_message_id.as_ref();
                (Kind::Call { id, name, parent }, &event.delta)
            }
            Event::ReasoningMessageChunk(event) => {
                (Kind::Reasoning { id: event.message_id.as_ref() }, &event.delta)
            }
            _ => return None,
        };
        Some(Self {
            tag: event.subagent_run_id(),
            kind,
            has_text: delta.is_some() || event.raw_event().is_some(),
            has_metadata: event.metadata().is_some(),
        })
    }

    pub(crate) fn tag(&self) -> Option<&'a SubagentRunId> {
        self.tag
    }

    /// The message that a tool call is said to belong to.
    pub(crate) fn parent(&self) -> Option<&'a MessageId> {
        match self.kind {
            Kind::Call { parent, .. } => parent,
            Kind::Text { .. } | Kind::Reasoning { .. } => None,
        }
    }

    pub(super) fn id(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Text { id, .. } | Kind::Reasoning { id } => id.map(MessageId::as_str),
            Kind::Call { id, .. } => id.map(ToolCallId::as_str),
        }
    }

    /// Whether it stands for content. Metadata alone go to the start that it stands for too, or
    /// else to content without text.
    pub(crate) fn has_content(&self, opens: bool) -> bool {
        self.has_text || (self.has_metadata && !opens)
    }
}
