//! Tool calls and their answers.

use super::{Conversation, Open, merge};
use crate::client::Warning;
use crate::client::update::{ToolCallChange, ToolCallUpdate, Update};
use crate::{
    AssistantMessage, EventType, FunctionCall, Message, MessageId, SubagentRunId, ToolCall,
    ToolCallArgsEvent, ToolCallEndEvent, ToolCallId, ToolCallResultEvent, ToolCallStartEvent,
    ToolMessage,
};

impl Conversation {
    pub(super) fn start_call(
        &mut self,
        event: ToolCallStartEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ToolCallStartEvent { tool_call_id: id, tool_call_name: name, subagent_run_id, .. } =
            event;
        if self.run.known.insert(id.clone()) {
            self.run.started.push(id.clone());
        }
        let message_id = match self.messages.tool_call_mut(&id) {
            Some((message_id, call)) => {
                merge(&mut call.metadata, event.metadata);
                if call.function.name != name {
                    call.function.name.clone_from(&name);
                    let tool_call_id = id.clone();
                    let name = name.clone();
                    put_out(Update::Warning(Warning::ToolCallRenamed { tool_call_id, name }));
                }
                message_id.clone()
            }
            None => {
                let parent = event.parent_message_id.filter(|parent| !parent.as_str().is_empty());
                let host = self.host(&id, parent, subagent_run_id.clone(), put_out);
                let mut call = ToolCall::new(&id, FunctionCall::new(&*name, ""));
                call.metadata = event.metadata;
                self.messages.add_call(&host, call);
                host
            }
        };
        self.run.opened(Open::Call(id.clone()), subagent_run_id.clone());
        put_out(call(id, message_id, subagent_run_id, ToolCallChange::Started { name }));
    }

    /// The assistant message that a new call goes into.
    fn host(
        &mut self,
        call: &ToolCallId,
        parent: Option<MessageId>,
        owner: Option<SubagentRunId>,
        put_out: &mut impl FnMut(Update),
    ) -> MessageId {
        let own = MessageId::new(call);
        let id = match parent {
            None => own,
            Some(parent) => match self.messages.get(parent.as_str()) {
                Some(Message::Assistant(_)) => return parent,
                None => parent,
                Some(_) => {
                    let tool_call_id = call.clone();
                    put_out(Update::Warning(Warning::ToolCallParent { tool_call_id, parent }));
                    own
                }
            },
        };
        let mut message = AssistantMessage::new(&id);
        message.subagent_run_id = owner;
        self.messages.push(message.into());
        id
    }

    pub(super) fn call_arguments(
        &mut self,
        event: ToolCallArgsEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ToolCallArgsEvent { tool_call_id: id, delta, subagent_run_id, metadata, .. } = event;
        let Some((message_id, found)) = self.messages.tool_call_mut(&id) else {
            return put_out(no_call(EventType::ToolCallArgs, &id));
        };
        found.function.arguments.push_str(&delta);
        merge(&mut found.metadata, metadata);
        let message_id = message_id.clone();
        put_out(call(id, message_id, subagent_run_id, ToolCallChange::Arguments(delta)));
    }

    pub(super) fn end_call(&mut self, event: ToolCallEndEvent, put_out: &mut impl FnMut(Update)) {
        let ToolCallEndEvent { tool_call_id: id, subagent_run_id, metadata, .. } = event;
        let Some((message_id, found)) = self.messages.tool_call_mut(&id) else {
            return put_out(no_call(EventType::ToolCallEnd, &id));
        };
        merge(&mut found.metadata, metadata);
        let message_id = message_id.clone();
        self.run.closed(&Open::Call(id.clone()));
        put_out(call(id, message_id, subagent_run_id, ToolCallChange::Ended));
    }

    pub(super) fn call_result(
        &mut self,
        event: ToolCallResultEvent,
        put_out: &mut impl FnMut(Update),
    ) {
        let ToolCallResultEvent { message_id, tool_call_id, content, subagent_run_id, .. } = event;
        let mut message = ToolMessage::new(&message_id, content, &tool_call_id);
        message.subagent_run_id.clone_from(&subagent_run_id);
        message.metadata = event.metadata;
        self.answered(&tool_call_id);
        self.messages.insert_result(&tool_call_id, message.into());
        put_out(Update::ToolResult { message_id, tool_call_id, subagent_run_id });
    }
}

pub(super) fn call(
    tool_call_id: ToolCallId,
    message_id: MessageId,
    subagent_run_id: Option<SubagentRunId>,
    change: ToolCallChange,
) -> Update {
    Update::ToolCall(ToolCallUpdate { tool_call_id, message_id, subagent_run_id, change })
}

fn no_call(event_type: EventType, id: &ToolCallId) -> Update {
    let problem = "a tool call that is not there";
    Update::Warning(Warning::NoTarget { event_type, id: id.to_string(), problem })
}
