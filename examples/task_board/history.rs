//! The conversation in the form that a chat model reads.

use std::collections::BTreeSet;

use ag_ui::server::RunContext;
use ag_ui::{Message, ToolCall, ToolCallId};
use serde_json::{Value, json};

use super::board::Board;

/// What the model has to know: its task, the board, and what was said so far.
pub(crate) fn conversation(context: &RunContext<Board>) -> Vec<Value> {
    let messages = context.messages();
    let answered: BTreeSet<&ToolCallId> = messages.iter().filter_map(answers).collect();
    let mut told = vec![instructions(context.state())];
    for message in messages {
        told.extend(in_chat_form(message));
        // A call without an answer, such as one of a run that was stopped, is an error to models.
        let open = calls(message).iter().filter(|call| !answered.contains(&call.id));
        told.extend(open.map(|call| answer(&call.id, "There is no result. Look at the board.")));
    }
    told
}

/// The message that calls tools, as the model sent it.
pub(crate) fn calling(text: &str, calls: &[(ToolCallId, String, String)]) -> Value {
    let calls = calls.iter().map(|(id, name, arguments)| call(id, name, arguments));
    json!({ "role": "assistant", "content": text, "tool_calls": calls.collect::<Vec<_>>() })
}

pub(crate) fn answer(call: &ToolCallId, content: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": call, "content": content })
}

fn instructions(board: &Board) -> Value {
    let columns = json!(board.columns);
    let text = format!(
        "You keep a board of tasks. Change it with your tools and say briefly what you did. Split \
         big goals into tasks. This is the board: {columns}"
    );
    json!({ "role": "system", "content": text })
}

/// What was thought and shown stays with the user.
fn in_chat_form(message: &Message) -> Option<Value> {
    let text = message.text();
    match message {
        Message::System(_) | Message::Developer(_) => {
            Some(json!({ "role": "system", "content": text }))
        }
        Message::User(_) => Some(json!({ "role": "user", "content": text })),
        Message::Tool(message) => Some(answer(&message.tool_call_id, &message.content.text())),
        Message::Assistant(_) => Some(match calls(message) {
            [] => json!({ "role": "assistant", "content": text }),
            calls => {
                let calls: Vec<_> = calls.iter().map(written).collect();
                json!({ "role": "assistant", "content": text, "tool_calls": calls })
            }
        }),
        _ => None,
    }
}

fn calls(message: &Message) -> &[ToolCall] {
    let Message::Assistant(message) = message else { return &[] };
    message.tool_calls.as_deref().unwrap_or_default()
}

fn answers(message: &Message) -> Option<&ToolCallId> {
    let Message::Tool(message) = message else { return None };
    Some(&message.tool_call_id)
}

fn written(made: &ToolCall) -> Value {
    call(&made.id, &made.function.name, &made.function.arguments)
}

fn call(id: &ToolCallId, name: &str, arguments: &str) -> Value {
    let function = json!({ "name": name, "arguments": arguments });
    json!({ "id": id, "type": "function", "function": function })
}
