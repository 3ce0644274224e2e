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
    run.push("RUN_STARTED", &[("threadId", json!("thread-7")), ("runId", json!("run-42"))]);
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
    /// Fields stand in the order in which the official encoders write them.
    fn push(&mut self, event_type: &str, fields: &[(&str, Value)]) {
        let mut line = format!("{{\"type\":\"{event_type}\"");
        for (name, value) in fields {
            line.push_str(&format!(",\"{name}\":{value}"));
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
        self.push("STEP_STARTED", &[("stepName", json!("plan"))]);
        self.reasoning();
        self.push("STEP_FINISHED", &[("stepName", json!("plan"))]);
        self.text();
        self.tool_call();
        self.state();
    }

    fn reasoning(&mut self) {
        let id = format!("run-42-think-{}", self.turn);
        self.push("REASONING_START", &[("messageId", json!(id))]);
        self.push(
            "REASONING_MESSAGE_START",
            &[("messageId", json!(id)), ("role", json!("reasoning"))],
        );
        for _ in 0..10 {
            let delta = self.fragment();
            self.push(
                "REASONING_MESSAGE_CONTENT",
                &[("messageId", json!(id)), ("delta", json!(delta))],
            );
        }
        self.push("REASONING_MESSAGE_END", &[("messageId", json!(id))]);
        self.push("REASONING_END", &[("messageId", json!(id))]);
    }

    fn text(&mut self) {
        let id = format!("run-42-msg-{}", self.turn);
        self.push("TEXT_MESSAGE_START", &[("messageId", json!(id)), ("role", json!("assistant"))]);
        for _ in 0..60 {
            let delta = self.fragment();
            self.push("TEXT_MESSAGE_CONTENT", &[("messageId", json!(id)), ("delta", json!(delta))]);
        }
        self.push("TEXT_MESSAGE_END", &[("messageId", json!(id))]);
    }

    fn tool_call(&mut self) {
        let id = format!("run-42-call-{}", self.turn);
        let message = format!("run-42-msg-{}", self.turn);
        self.push(
            "TOOL_CALL_START",
            &[
                ("toolCallId", json!(id)),
                ("toolCallName", json!("add_task")),
                ("parentMessageId", json!(message)),
            ],
        );
        for fragment in ["{\"title\"", ":\"Tea", " and ", "cake\",", "\"due\":", "null}"] {
            self.push("TOOL_CALL_ARGS", &[("toolCallId", json!(id)), ("delta", json!(fragment))]);
        }
        self.push("TOOL_CALL_END", &[("toolCallId", json!(id))]);
        self.push(
            "TOOL_CALL_RESULT",
            &[
                ("messageId", json!(format!("{id}-result"))),
                ("toolCallId", json!(id)),
                ("content", json!("{\"ok\":true,\"id\":17}")),
                ("role", json!("tool")),
            ],
        );
    }

    fn state(&mut self) {
        let task = self.turn;
        for done in [false, true] {
            self.push("STATE_DELTA", &[("delta", json!([{ "op": "replace", "path": format!("/tasks/{task}/done"), "value": done }]))]);
        }
    }
}
