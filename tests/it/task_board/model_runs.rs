//! The agent that a model drives, with a model that is a script on the other side of a socket.

use ag_ui::{Event, EventType, Message, ResumeEntry, RunOutcome, ToolCall};
use serde_json::{Value, json};

use super::endpoint::{Endpoint, calls, goes_on, says, stream};
use super::support::{approval, hold_to, outcome, results, resumed, text};
use crate::server_support::{input, types};

fn roles(messages: &Value) -> Vec<&str> {
    let messages = messages.as_array().unwrap();
    messages.iter().map(|message| message["role"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn text_and_thoughts_are_streamed() {
    let deltas = [
        json!({ "role": "assistant", "content": null, "reasoning_content": "They greet. " }),
        json!({ "reasoning": "I greet." }),
        says("Good "),
        says(""),
        says("morning."),
    ];
    let endpoint = Endpoint::streaming([stream(&deltas)]).await;
    let events = endpoint.said("hello").await;
    hold_to("model_text", &events);
    assert_eq!(text(&events), "Good morning.");
    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:?}") };
    let usage = &finished.usage.as_ref().unwrap()[0];
    assert_eq!(usage.model.as_deref(), Some("test-model"));
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(30), Some(7)));
}

#[tokio::test]
async fn parallel_calls_are_carried_out_and_answered() {
    let first = stream(&[
        says("Two things."),
        calls(0, "c-0", "add_task", ""),
        calls(1, "c-1", "move_task", "{\"id\":1,"),
        goes_on(0, "{\"title\":"),
        goes_on(1, "\"column\":\"Done\"}"),
        goes_on(0, "\"Buy milk\"}"),
    ]);
    let endpoint = Endpoint::streaming([first, stream(&[says("Both are done.")])]).await;
    let events = endpoint.said("buy milk, and the plants are watered").await;
    hold_to("model_calls", &events);
    assert_eq!(results(&events), ["Task 4 is “Buy milk”.", "“Water the plants” is in Done now."]);
    assert_eq!(text(&events), "Two things.Both are done.");

    let requests = endpoint.requests();
    assert_eq!(requests.len(), 2);
    let (_, first) = &requests[0];
    assert_eq!(roles(&first["messages"]), ["system", "user"]);
    assert!(first["messages"][0]["content"].as_str().unwrap().contains("Call the dentist"));
    assert_eq!(first["tools"].as_array().unwrap().len(), 4);
    assert_eq!(first["tools"][1]["function"]["parameters"]["required"], json!(["id", "column"]));
    let (_, second) = &requests[1];
    assert_eq!(roles(&second["messages"]), ["system", "user", "assistant", "tool", "tool"]);
    let called = &second["messages"][2];
    assert_eq!(called["content"], "Two things.");
    assert_eq!(called["tool_calls"][0]["function"]["arguments"], r#"{"title":"Buy milk"}"#);
    assert_eq!(second["messages"][4]["tool_call_id"], "c-1");
}

#[tokio::test]
async fn the_tokens_of_all_replies_add_up() {
    let call = stream(&[calls(0, "c-0", "add_task", r#"{"title":"tea"}"#)]);
    let endpoint = Endpoint::streaming([call, stream(&[says("Done.")])]).await;
    let events = endpoint.said("tea").await;
    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:?}") };
    let usage = finished.usage.as_ref().unwrap();
    assert_eq!(usage.len(), 1);
    assert_eq!(usage[0].total_tokens, Some(74));
}

#[tokio::test]
async fn a_mistake_of_the_model_is_told_to_the_model() {
    let wrong = stream(&[
        calls(0, "c-0", "water_plants", "{}"),
        calls(1, "c-1", "add_task", r#"{"name":"tea"}"#),
        calls(2, "c-2", "edit_task", r#"{"id":1}"#),
    ]);
    let endpoint = Endpoint::streaming([wrong, stream(&[says("I am sorry.")])]).await;
    let events = endpoint.said("tea").await;
    let results = results(&events);
    assert_eq!(results[0], "That did not work: there is no tool “water_plants”.");
    assert!(results[1].contains("missing field `title`"), "{}", results[1]);
    assert_eq!(results[2], "That did not work: say what to change: the title or the assignee.");
    assert_eq!(endpoint.requests()[1].1["messages"][3]["content"], results[0].as_str());
    assert_eq!(*outcome(&events), RunOutcome::success());
}

/// A model cannot clear the board, however often it asks.
#[tokio::test]
async fn clearing_is_left_to_the_user() {
    let reply = stream(&[
        calls(0, "c-0", "clear_board", ""),
        calls(1, "c-1", "clear_board", "{}"),
        calls(2, "c-2", "add_task", r#"{"title":"tea"}"#),
    ]);
    let endpoint = Endpoint::streaming([reply]).await;
    let events = endpoint.said("start over with tea").await;
    let [interrupt] = outcome(&events).interrupts() else { panic!("{events:?}") };
    assert_eq!(interrupt.id, "clear-c-0");
    assert_eq!(interrupt.message.as_deref(), Some("May I take all 4 tasks off the board?"));
    assert_eq!(results(&events).len(), 2, "the first call waits");
    assert!(results(&events)[0].contains("needs the approval of the user"));
}

#[tokio::test]
async fn the_answer_of_the_user_needs_no_model() {
    let endpoint = Endpoint::streaming([]).await;
    let answer = ResumeEntry::resolved(approval().interrupt_id, json!({ "approved": true }));
    let events = endpoint.run(resumed(Some(approval()), vec![answer])).await;
    assert_eq!(results(&events), ["The board is clear: 3 tasks are gone."]);
    assert!(endpoint.requests().is_empty());
}

#[tokio::test]
async fn the_model_reads_the_whole_conversation() {
    let mut input = input("hello");
    input.messages.splice(
        ..0,
        [
            Message::developer("d-1", "Be brief."),
            Message::reasoning("re-1", "They greet."),
            Message::tool_calls("a-1", vec![ToolCall::function("c-1", "add_task", "{}")]),
            Message::tool("t-1", "c-1", "Task 4 is “tea”."),
            // A run that was stopped left it behind.
            Message::tool_calls("a-2", vec![ToolCall::function("c-2", "move_task", "{\"id\":")]),
            Message::assistant("a-3", "Anything else?"),
        ],
    );
    let endpoint = Endpoint::streaming([stream(&[says("Hello.")])]).await;
    endpoint.run(input).await;
    let (_, request) = &endpoint.requests()[0];
    let messages = &request["messages"];
    assert_eq!(
        roles(messages),
        ["system", "system", "assistant", "tool", "assistant", "tool", "assistant", "user"]
    );
    assert_eq!(messages[5]["tool_call_id"], "c-2");
    assert_eq!(messages[6]["content"], "Anything else?");
}

#[tokio::test]
async fn a_call_without_an_id_gets_one() {
    let piece = json!({ "function": { "name": "add_task", "arguments": "{\"title\":\"tea\"}" } });
    let call = stream(&[json!({ "tool_calls": [piece] })]);
    let endpoint = Endpoint::streaming([call, stream(&[says("Done.")])]).await;
    let events = endpoint.said("tea").await;
    assert_eq!(results(&events), ["Task 4 is “tea”."]);
    assert_eq!(endpoint.requests()[1].1["messages"][3]["tool_call_id"], "r-1-call-1");
    assert!(types(&events).contains(&EventType::StateDelta));
}

#[tokio::test]
async fn the_key_is_sent_and_optional() {
    let endpoint = Endpoint::streaming([stream(&[says("a")]), stream(&[says("b")])]).await;
    super::endpoint::read(endpoint.agent(Some(" secret-1 ")), input("hello")).await;
    endpoint.said("hello").await;
    let keys: Vec<_> = endpoint.requests().into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [Some("Bearer secret-1".to_owned()), None]);
}
