//! Text and reasoning.

use super::{Conversation, Open, merge, span};
use crate::client::Warning;
use crate::client::update::{ReasoningChange, TextChange, TextUpdate, Update};
use crate::{
    AssistantMessage, DeveloperMessage, EventType, Message, MessageContent, MessageId, Metadata,
    ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningMessage,
    ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent,
    SubagentRunId, SystemMessage, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, ToolCallId, UserMessage,
};

impl Conversation {
    pub(super) fn start_text(
        &mut self,
        event: TextMessageStartEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let TextMessageStartEvent { message_id: id, name, subagent_run_id, metadata, .. } = event;
        let role = event.role.unwrap_or(TextMessageRole::Assistant);
        match self.messages.get_mut(&id) {
            Some(message) => {
                let Some(slot) = metadata_of(message) else {
                    return put_out(is_activity(EventType::TextMessageStart, &id));
                };
                merge(slot, metadata);
            }
            None => {
                let owner = subagent_run_id.clone();
                let message = text_message(&id, role, name.clone(), owner, metadata);
                self.messages.push(message);
            }
        }
        self.run.opened(Open::Text(id.clone()), subagent_run_id.clone());
        put_out(text(id, subagent_run_id, TextChange::Started { role, name }));
    }

    pub(super) fn text_content(
        &mut self,
        event: TextMessageContentEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let TextMessageContentEvent { message_id: id, delta, subagent_run_id, metadata, .. } =
            event;
        match append(self.messages.get_mut(&id), &delta, metadata) {
            Ok(()) => put_out(text(id, subagent_run_id, TextChange::Delta(delta))),
            Err(problem) => put_out(no_target(EventType::TextMessageContent, &id, problem)),
        }
    }

    pub(super) fn end_text(
        &mut self,
        event: TextMessageEndEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let TextMessageEndEvent { message_id: id, subagent_run_id, metadata, .. } = event;
        match touch(self.messages.get_mut(&id), metadata) {
            Ok(()) => {
                self.run.closed(&Open::Text(id.clone()));
                put_out(text(id, subagent_run_id, TextChange::Ended));
            }
            Err(problem) => put_out(no_target(EventType::TextMessageEnd, &id, problem)),
        }
    }

    pub(super) fn start_reasoning(
        &mut self,
        event: ReasoningMessageStartEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ReasoningMessageStartEvent { message_id: id, subagent_run_id, metadata, .. } = event;
        match self.messages.get_mut(&id) {
            Some(message) => {
                let Some(slot) = metadata_of(message) else {
                    return put_out(is_activity(EventType::ReasoningMessageStart, &id));
                };
                merge(slot, metadata);
            }
            None => {
                let mut message = ReasoningMessage::new(&id, "");
                message.subagent_run_id.clone_from(&subagent_run_id);
                message.metadata = metadata;
                self.messages.push(message.into());
            }
        }
        self.run.opened(Open::Reasoning(id.clone()), subagent_run_id.clone());
        put_out(span(id, subagent_run_id, ReasoningChange::Started));
    }

    pub(super) fn reasoning_content(
        &mut self,
        event: ReasoningMessageContentEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ReasoningMessageContentEvent { message_id: id, delta, subagent_run_id, .. } = event;
        match append(self.messages.get_mut(&id), &delta, event.metadata) {
            Ok(()) => put_out(span(id, subagent_run_id, ReasoningChange::Delta(delta))),
            Err(problem) => put_out(no_target(EventType::ReasoningMessageContent, &id, problem)),
        }
    }

    pub(super) fn end_reasoning(
        &mut self,
        event: ReasoningMessageEndEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ReasoningMessageEndEvent { message_id: id, subagent_run_id, metadata, .. } = event;
        match touch(self.messages.get_mut(&id), metadata) {
            Ok(()) => {
                self.run.closed(&Open::Reasoning(id.clone()));
                put_out(span(id, subagent_run_id, ReasoningChange::Ended));
            }
            Err(problem) => put_out(no_target(EventType::ReasoningMessageEnd, &id, problem)),
        }
    }

    pub(super) fn encrypted_value(
        &mut self,
        event: ReasoningEncryptedValueEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let slots = match event.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => {
                let call = self.messages.tool_call_mut(&ToolCallId::new(&event.entity_id));
                call.map(|(_, call)| (&mut call.encrypted_value, &mut call.encrypted_value_type))
            }
            _ => self.messages.get_mut(&MessageId::new(&event.entity_id)).and_then(encrypted_of),
        };
        let Some((value, value_type)) = slots else {
            let (event_type, id) = (EventType::ReasoningEncryptedValue, event.entity_id);
            let problem = "which is not there or cannot hold the value";
            return put_out(Update::Warning(Warning::NoTarget { event_type, id, problem }));
        };
        *value = Some(event.encrypted_value.clone());
        value_type.clone_from(&event.encrypted_value_type);
        put_out(Update::EncryptedValue(event));
    }
}

pub(super) fn text(
    message_id: MessageId,
    subagent_run_id: Option<SubagentRunId>,
    change: TextChange,
) -> Update {
    Update::Text(TextUpdate { message_id, subagent_run_id, change })
}

fn text_message(
    id: &MessageId,
    role: TextMessageRole,
    name: Option<String>,
    subagent_run_id: Option<SubagentRunId>,
    metadata: Option<Metadata>,
) -> Message {
    macro_rules! filled {
        ($message:expr) => {{
            let mut message = $message;
            message.name = name;
            message.subagent_run_id = subagent_run_id;
            message.metadata = metadata;
            message.into()
        }};
    }
    match role {
        TextMessageRole::Developer => filled!(DeveloperMessage::new(id, "")),
        TextMessageRole::System => filled!(SystemMessage::new(id, "")),
        TextMessageRole::User => filled!(UserMessage::new(id, "")),
        TextMessageRole::Assistant => filled!(AssistantMessage::new(id).with_content("")),
    }
}

const ABSENT: &str = "which is not there";
const ACTIVITY: &str = "which is an activity";

fn append(
    message: Option<&mut Message>,
    delta: &str,
    metadata: Option<Metadata>,
) -> Result<(), &'static str> {
    let message = message.ok_or(ABSENT)?;
    text_of(message).ok_or(ACTIVITY)?.push_str(delta);
    metadata_of(message).map(|slot| merge(slot, metadata)).ok_or(ACTIVITY)
}

fn touch(message: Option<&mut Message>, metadata: Option<Metadata>) -> Result<(), &'static str> {
    metadata_of(message.ok_or(ABSENT)?).map(|slot| merge(slot, metadata)).ok_or(ACTIVITY)
}

fn no_target(event_type: EventType, id: &MessageId, problem: &'static str) -> Update {
    Update::Warning(Warning::NoTarget { event_type, id: id.to_string(), problem })
}

fn is_activity(event_type: EventType, id: &MessageId) -> Update {
    no_target(event_type, id, ACTIVITY)
}

/// The text that grows. Parts give way to it: the protocol streams text alone.
fn text_of(message: &mut Message) -> Option<&mut String> {
    fn of_content(content: &mut MessageContent) -> Option<&mut String> {
        if !matches!(content, MessageContent::Text(_)) {
            *content = MessageContent::Text(String::new());
        }
        match content {
            MessageContent::Text(text) => Some(text),
            MessageContent::Parts(_) => None,
        }
    }
    match message {
        Message::Developer(message) => Some(&mut message.content),
        Message::System(message) => Some(&mut message.content),
        Message::Assistant(message) => Some(message.content.get_or_insert_default()),
        Message::User(message) => of_content(&mut message.content),
        Message::Tool(message) => of_content(&mut message.content),
        Message::Reasoning(message) => Some(&mut message.content),
        Message::Activity(_) => None,
    }
}

/// The metadata of a message that text can be added to.
fn metadata_of(message: &mut Message) -> Option<&mut Option<Metadata>> {
    match message {
        Message::Developer(message) => Some(&mut message.metadata),
        Message::System(message) => Some(&mut message.metadata),
        Message::Assistant(message) => Some(&mut message.metadata),
        Message::User(message) => Some(&mut message.metadata),
        Message::Tool(message) => Some(&mut message.metadata),
        Message::Reasoning(message) => Some(&mut message.metadata),
        Message::Activity(_) => None,
    }
}

fn encrypted_of(message: &mut Message) -> Option<(&mut Option<String>, &mut Option<String>)> {
    macro_rules! slots {
        ($message:expr) => {
            Some((&mut $message.encrypted_value, &mut $message.encrypted_value_type))
        };
    }
    match message {
        Message::Developer(message) => slots!(message),
        Message::System(message) => slots!(message),
        Message::Assistant(message) => slots!(message),
        Message::User(message) => slots!(message),
        Message::Tool(message) => slots!(message),
        Message::Reasoning(message) => slots!(message),
        Message::Activity(_) => None,
    }
}
