//! The official client holds what the agent meant, through text, tools, state and interrupts.

use std::time::Duration;

use serde_json::{Value, json};

use super::served::{Served, say};
use crate::support::installed;

/// Titles by column.
fn board(state: &Value) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let column = |column: &Value| {
        let titles = column["tasks"].as_array().unwrap().iter().map(|task| text(&task["title"]));
        (text(&column["name"]), titles.collect())
    };
    state["columns"].as_array().unwrap().iter().map(column).collect()
}

fn tasks(state: &Value) -> usize {
    board(state).iter().map(|(_, tasks)| tasks.len()).sum()
}

/// The last message, in short.
fn last(messages: &Value) -> (&str, &str) {
    let message = messages.as_array().unwrap().last().unwrap();
    (message["role"].as_str().unwrap(), message["content"].as_str().unwrap())
}

fn results(messages: &Value) -> Vec<&str> {
    let messages = messages.as_array().unwrap().iter();
    let results = messages.filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap()).collect()
}

/// A client of protocol 1.0 says so once when the producer speaks 1.1, and nothing else.
fn assert_no_warning(document: &Value) {
    let warnings = document["warnings"].as_array().unwrap();
    let foreign = |warning: &&Value| !warning.as_str().unwrap().contains("this client speaks 1.0");
    assert_eq!(warnings.iter().find(foreign), None);
}

#[test]
fn text_tools_and_state_arrive() {
    if !installed("node_modules") {
        return;
    }
    let served = Served::start(Duration::ZERO);
    let steps = ["add buy milk", "move 2 to done", "rename 1 to feed the cat", "assign 4 to Ada"];
    let document = served.client(&steps.map(say));
    assert_eq!(document["ok"], true, "{document:#}");
    assert_no_warning(&document);
    let column = |name: &str, tasks: &[&str]| {
        (name.to_owned(), tasks.iter().map(|task| (*task).to_owned()).collect())
    };
    assert_eq!(
        board(&document["state"]),
        [
            column("To do", &["feed the cat", "buy milk"]),
            column("Doing", &["Write the invitation"]),
            column("Done", &["Call the dentist"]),
        ]
    );
    assert_eq!(document["state"]["columns"][0]["tasks"][1]["assignee"], "Ada");
    assert_eq!(
        results(&document["messages"]),
        [
            "Task 4 is “buy milk”.",
            "“Call the dentist” is in Done now.",
            "Task 1 is “feed the cat”, done by nobody.",
            "Task 4 is “buy milk”, done by Ada.",
        ]
    );
    let call = &document["messages"][2]["toolCalls"][0]["function"];
    assert_eq!(*call, json!({ "name": "add_task", "arguments": r#"{"title":"buy milk"}"# }));
    let roles: Vec<_> =
        document["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles[..5], ["user", "reasoning", "assistant", "tool", "assistant"]);
    served.recording.assert_clean("tools", 4, 0);
}

#[test]
fn a_plan_is_shown_and_its_tasks_are_the_planners() {
    if !installed("node_modules") {
        return;
    }
    let served = Served::start(Duration::ZERO);
    let document = served.client(&[say("plan a picnic"), say("add buy milk")]);
    assert_eq!(document["ok"], true, "{document:#}");
    assert_no_warning(&document);
    let messages = document["messages"].as_array().unwrap();
    let plan = messages.iter().find(|message| message["role"] == "activity").unwrap();
    assert_eq!(plan["activityType"], "PLAN");
    let added = plan["content"]["tasks"].as_array().unwrap();
    assert!(added.len() == 3 && added.iter().all(|task| task["added"] == true), "{plan:#}");
    let planner = &plan["subagentRunId"];
    let called = |message: &&Value| message["toolCalls"].is_array();
    let owners = messages.iter().filter(called).map(|message| &message["subagentRunId"]);
    assert_eq!(owners.collect::<Vec<_>>(), [planner, planner, planner, &Value::Null]);
    assert_eq!(tasks(&document["state"]), 7);
    served.recording.assert_clean("plan", 2, 0);
}

#[test]
fn an_interrupt_is_answered_and_the_conversation_goes_on() {
    if !installed("node_modules") {
        return;
    }
    let served = Served::start(Duration::ZERO);
    let approve = json!({ "answer": { "status": "resolved", "payload": { "approved": true } } });
    let document = served.client(&[say("clear the board"), approve, say("add buy milk")]);
    assert_eq!(document["ok"], true, "{document:#}");
    assert_no_warning(&document);
    let turns = &document["turns"];
    assert_eq!(turns[0]["outcome"]["type"], "interrupt");
    let interrupt = &turns[0]["pendingInterrupts"][0];
    assert_eq!(interrupt["message"], "May I take all 3 tasks off the board?");
    assert_eq!(interrupt["responseSchema"]["required"], json!(["approved"]));
    assert!(interrupt["expiresAt"].is_string());
    assert_eq!(tasks(&turns[0]["state"]), 3, "nothing happens before the answer");

    assert_eq!(turns[1]["outcome"]["type"], "success");
    assert_eq!(turns[1]["pendingInterrupts"], json!([]));
    assert_eq!(tasks(&turns[1]["state"]), 0);
    let told = "The board is clear: 3 tasks are gone.";
    assert_eq!(results(&document["messages"])[0], told);
    assert_eq!(last(&turns[1]["newMessages"]), ("assistant", told));
    // The answer stands behind the call that it answers, as models want it.
    let messages = document["messages"].as_array().unwrap();
    let call = messages.iter().position(|message| message["toolCalls"].is_array()).unwrap();
    assert_eq!(messages[call + 1]["role"], "tool");
    assert_eq!(messages[call]["toolCalls"][0]["id"], messages[call + 1]["toolCallId"]);
    assert_eq!(tasks(&document["state"]), 1);
    served.recording.assert_clean("approved", 3, 0);
}

#[test]
fn a_decline_keeps_the_board() {
    if !installed("node_modules") {
        return;
    }
    let decline = json!({ "status": "resolved", "payload": { "approved": false } });
    for (name, answer) in [("declined", decline), ("dismissed", json!({ "status": "cancelled" }))] {
        let served = Served::start(Duration::ZERO);
        let document = served.client(&[say("clear the board"), json!({ "answer": answer })]);
        assert_eq!(document["ok"], true, "{document:#}");
        assert_eq!(document["turns"][1]["outcome"]["type"], "success");
        assert_eq!(tasks(&document["state"]), 3);
        let told = "The board stays as it is: clearing was declined.";
        assert_eq!(last(&document["messages"]), ("assistant", told));
        served.recording.assert_clean(name, 2, 0);
    }
}

#[test]
fn answers_that_nobody_asked_for_change_nothing() {
    if !installed("node_modules") {
        return;
    }
    let served = Served::start(Duration::ZERO);
    let stranger = json!({ "resume": [{
        "interruptId": "clear-1", "status": "resolved", "payload": { "approved": true },
    }] });
    let unreadable = json!({ "answer": { "status": "resolved", "payload": "yes" } });
    let approve = json!({ "answer": { "status": "resolved", "payload": { "approved": true } } });
    let steps = [say("add tea"), stranger, say("clear the board"), unreadable, approve];
    let document = served.client(&steps);
    assert_eq!(document["ok"], true, "{document:#}");
    let turns = &document["turns"];
    let refusal = "No question “clear-1” is open, so its answer changes nothing.";
    assert_eq!(last(&turns[1]["newMessages"]), ("assistant", refusal));
    assert_eq!(tasks(&turns[1]["state"]), 4);
    assert_eq!(turns[3]["outcome"]["type"], "interrupt", "the question stays open");
    assert_eq!(turns[3]["pendingInterrupts"][0]["id"], turns[2]["pendingInterrupts"][0]["id"]);
    assert_eq!(tasks(&turns[3]["state"]), 4);
    assert_eq!(tasks(&turns[4]["state"]), 0);
    served.recording.assert_clean("strangers", 5, 0);
}
