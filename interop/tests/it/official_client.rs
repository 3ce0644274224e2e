//! `@ag-ui/client` in Node runs the example agent and ends with what the agent meant.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Server, installed, json};

fn client(server: &Server, arguments: &[&str]) -> Value {
    let url = server.url();
    let arguments: Vec<&str> =
        ["js/run_agent.mjs", url.as_str()].into_iter().chain(arguments.iter().copied()).collect();
    json("node", &arguments)
}

/// Role and text of each message, tool calls with their arguments.
fn told(messages: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tell = |message: &Value| match &message["toolCalls"][0]["function"] {
        Value::Null => format!("{}: {}", text(&message["role"]), text(&message["content"])),
        call => format!("call: {}({})", text(&call["name"]), text(&call["arguments"])),
    };
    messages.as_array().unwrap().iter().map(tell).collect()
}

#[test]
fn a_turn_ends_with_the_messages_and_the_state_that_were_meant() {
    if !installed("node_modules") {
        return;
    }
    let server = Server::start(Duration::ZERO);
    let turn = client(&server, &["Buy tea"]);
    assert_eq!((&turn["ok"], &turn["error"]), (&json!(true), &Value::Null), "{turn:#}");
    // A client of protocol 1.0 says so once when the producer speaks 1.1, and nothing else.
    let warnings = turn["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let versions = format!("protocol {}; this client speaks 1.0", ag_ui::PROTOCOL_VERSION);
    assert!(warnings[0].as_str().unwrap().contains(&versions), "{warnings:?}");
    assert_eq!(
        told(&turn["messages"]),
        [
            "user: Buy tea",
            "reasoning: There is something new to do: Buy tea. It goes to the end.",
            r#"call: add_task({"title":"Buy tea"})"#,
            r#"tool: {"id":3}"#,
            "assistant: Noted as task 3. There is no hurry.",
        ]
    );
    let tasks = &turn["state"]["tasks"];
    assert_eq!(tasks.as_array().unwrap().len(), 3);
    assert_eq!(tasks[2], json!({ "id": 3, "title": "Buy tea", "done": false }));
    let types = turn["eventTypes"].as_array().unwrap();
    for wanted in ["REASONING_MESSAGE_CONTENT", "STATE_SNAPSHOT", "STATE_DELTA", "STEP_FINISHED"] {
        assert!(types.contains(&json!(wanted)), "{wanted} is missing: {types:?}");
    }
    assert_eq!(turn["outcome"]["type"], "success");
}

#[test]
fn turns_of_a_thread_build_on_each_other() {
    if !installed("node_modules") {
        return;
    }
    let server = Server::start(Duration::ZERO);
    let turns = client(&server, &["--turns", "Buy tea", "done 3", "done 9"]);
    assert_eq!(turns["ok"], true, "{turns:#}");
    assert_eq!(turns["turns"].as_array().unwrap().len(), 3);
    let told = told(&turns["messages"]);
    assert_eq!(told.len(), 15, "{told:#?}");
    assert_eq!(told[9], "assistant: Task 3 is done. Well done!");
    assert_eq!(told[14], "assistant: There is no task 9 on the board.");
    assert_eq!(turns["state"]["tasks"][2]["done"], true);
}

#[test]
fn an_aborted_turn_ends_the_client_in_peace() {
    if !installed("node_modules") {
        return;
    }
    let server = Server::start(Duration::from_millis(50));
    let turn = client(&server, &["--abort-after", "5", "Buy tea"]);
    assert_eq!(turn["ok"], false);
    assert_eq!(turn["error"]["kind"], "aborted", "{turn:#}");
    assert_eq!(turn["eventCount"], 5);
}

#[test]
fn a_refused_request_is_an_error_of_the_client() {
    if !installed("node_modules") {
        return;
    }
    let server = Server::start(Duration::ZERO);
    let url = format!("http://{}/nowhere", server.address());
    let turn = json("node", &["js/run_agent.mjs", &url, "Buy tea"]);
    assert_eq!(turn["error"]["kind"], "client", "{turn:#}");
    assert_eq!(turn["error"]["status"], 404, "{turn:#}");
}
