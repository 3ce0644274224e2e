//! A run as a talkative agent streams it.

use serde_json::{Value, json};

/// Fragments as models put them out: short, some with escapes, some beyond ASCII.
const FRAGMENTS: &[&str] = &[
    "The ", "board ", "has ", "three ", "cards", ", ", "\"Tea\" ", "is ", "next", ".\n", "Ich ",
    "räume ", "auf", "… ", "then ", "the ", "rest ",
];

/// The JSON text of that many events: mostly text deltas, with tool calls, reasoning, steps and
/// state between them.
#[must_use]
pub fn chatty_run(events: usize) -> Vec<String> {
    let mut run = Run { lines: Vec::with_capacity(events + 128), fragment: 0, turn: 0 };
    run.push(&json!({ "type": "RUN_STARTED", "threadId": "thread-7", "runId": "run-42" }));
    while run.lines.len() < events {
        run.turn();
    }
    run.lines.truncate(events);
    run.lines
}

struct Run {
    lines: Vec<String>,
    fragment: usize,
    turn: usize,
}

impl Run {
    /// Objects are written with `type` first, as producers do.
    fn push(&mut self, event: &Value) {
        let event = event.as_object().cloned().unwrap_or_default();
        let mut line = format!("{{\"type\":{}", event["type"]);
        for (name, value) in event.iter().filter(|(name, _)| *name != "type") {
            line.push_str(&format!(",{}:{value}", json!(name)));
        }
        line.push('}');
        self.lines.push(line);
    }

    fn fragment(&mut self) -> &'static str {
        self.fragment += 1;
        FRAGMENTS[self.fragment % FRAGMENTS.len()]
    }

    fn turn(&mut self) {
        self.turn += 1;
        self.push(&json!({ "type": "STEP_STARTED", "stepName": "plan" }));
        self.reasoning();
        self.push(&json!({ "type": "STEP_FINISHED", "stepName": "plan" }));
        self.text();
        self.tool_call();
        self.state();
    }

    fn reasoning(&mut self) {
        let id = format!("run-42-think-{}", self.turn);
        self.push(&json!({ "type": "REASONING_START", "messageId": id }));
        self.push(&json!({
            "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning",
        }));
        for _ in 0..10 {
            let delta = self.fragment();
            self.push(&json!({
                "type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": delta,
            }));
        }
        self.push(&json!({ "type": "REASONING_MESSAGE_END", "messageId": id }));
        self.push(&json!({ "type": "REASONING_END", "messageId": id }));
    }

    fn text(&mut self) {
        let id = format!("run-42-msg-{}", self.turn);
        self.push(&json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant" }));
        for _ in 0..60 {
            let delta = self.fragment();
            self.push(&json!({
                "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta,
            }));
        }
        self.push(&json!({ "type": "TEXT_MESSAGE_END", "messageId": id }));
    }

    fn tool_call(&mut self) {
        let id = format!("run-42-call-{}", self.turn);
        let message = format!("run-42-msg-{}", self.turn);
        self.push(&json!({
            "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "add_task",
            "parentMessageId": message,
        }));
        for fragment in ["{\"title\"", ":\"Tea", " and ", "cake\",", "\"due\":", "null}"] {
            self.push(&json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": fragment }));
        }
        self.push(&json!({ "type": "TOOL_CALL_END", "toolCallId": id }));
        self.push(&json!({
            "type": "TOOL_CALL_RESULT", "messageId": format!("{id}-result"), "toolCallId": id,
            "content": "{\"ok\":true,\"id\":17}", "role": "tool",
        }));
    }

    fn state(&mut self) {
        let task = self.turn;
        for done in [false, true] {
            self.push(&json!({
                "type": "STATE_DELTA",
                "delta": [{ "op": "replace", "path": format!("/tasks/{task}/done"), "value": done }],
            }));
        }
    }
}
