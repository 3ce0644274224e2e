//! Whatever goes wrong with the model, the run says what it was, and never the key.

use http::StatusCode;
use serde_json::json;

use super::chat::{ChatModel, KEY, MODEL, URL};
use super::endpoint::{Endpoint, agent, calls, goes_on, read, says, stream};
use super::support::failure;
use crate::server_support::{input, outline};

#[tokio::test]
async fn a_refusal_is_passed_on_without_the_key() {
    let body = r#"{"error":{"message":"Incorrect API key provided: secret-1"}}"#;
    let endpoint = Endpoint::answering([(StatusCode::UNAUTHORIZED, body.to_owned())]).await;
    let events = read(endpoint.agent(Some("secret-1")), input("hello")).await;
    let (code, message) = failure(&events);
    assert_eq!(code, "AGENT_ERROR");
    assert_eq!(
        message,
        "the model's endpoint answered 401 Unauthorized: \
         {\"error\":{\"message\":\"Incorrect API key provided: [key]\"}}"
    );
}

#[tokio::test]
async fn a_long_refusal_is_cut_and_still_without_the_key() {
    let body = "secret-1 ".repeat(10_000);
    let endpoint = Endpoint::answering([(StatusCode::BAD_GATEWAY, body)]).await;
    let events = read(endpoint.agent(Some("secret-1")), input("hello")).await;
    let (_, message) = failure(&events);
    assert!(message.starts_with("the model's endpoint answered 502 Bad Gateway: [key] [key]"));
    assert!(message.len() < 600 && !message.contains("secret"), "{message}");
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_named_as_that() {
    // Nobody listens on the port of a listener that is gone.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://user:secret-2@{}", listener.local_addr().unwrap());
    drop(listener);
    let events = read(agent(&url, Some("secret-1")), input("hello")).await;
    let (code, message) = failure(&events);
    assert_eq!(code, "AGENT_ERROR");
    assert!(message.starts_with("the model cannot be reached: Connection refused"), "{message}");
    assert!(!message.contains("secret"), "{message}");
}

#[tokio::test]
async fn a_reply_that_breaks_off_fails_and_closes_its_message() {
    let whole = stream(&[says("Good "), says("morning.")]);
    let cut = whole.find("finish_reason").unwrap();
    let until = whole[..cut].rfind("data: ").unwrap();
    for end in [until, cut] {
        let endpoint = Endpoint::streaming([whole[..end].to_owned()]).await;
        let events = endpoint.said("hello").await;
        assert_eq!(failure(&events).1, "the reply of the model broke off");
        let ended = &outline(&events)[events.len() - 2..];
        assert_eq!(ended, ["TEXT_MESSAGE_END", "RUN_ERROR"]);
    }
}

#[tokio::test]
async fn an_error_inside_the_stream_is_the_error_of_the_run() {
    let frame = json!({ "error": { "message": "the model is overloaded", "code": 529 } });
    let endpoint = Endpoint::streaming([format!("data: {frame}\n\n")]).await;
    let events = endpoint.said("hello").await;
    assert_eq!(failure(&events).1, "the model reported: the model is overloaded");
}

#[tokio::test]
async fn what_is_no_chat_completion_is_refused() {
    for body in ["data: [1]\n\n", "data: {\n\n", "data: {\"choices\":7}\n\n"] {
        let endpoint = Endpoint::streaming([body.to_owned()]).await;
        let events = endpoint.said("hello").await;
        let (_, message) = failure(&events);
        let expected = "the model sent something that is no chat completion: ";
        assert!(message.starts_with(expected), "{message}");
    }
    let endpoint = Endpoint::streaming(["<html>Welcome</html>".to_owned()]).await;
    assert_eq!(failure(&endpoint.said("hello").await).1, "the reply of the model broke off");
}

#[tokio::test]
async fn a_call_that_never_began_is_refused() {
    let endpoint = Endpoint::streaming([stream(&[goes_on(3, "{}")])]).await;
    let events = endpoint.said("hello").await;
    assert_eq!(failure(&events).1, "the model went on with tool call 3, which it had not begun");
}

#[tokio::test]
async fn a_model_that_calls_on_and_on_is_stopped() {
    let replies: [String; 8] = std::array::from_fn(|turn| {
        stream(&[calls(0, &format!("c-{turn}"), "add_task", r#"{"title":"tea"}"#)])
    });
    let endpoint = Endpoint::streaming(replies).await;
    let events = endpoint.said("hello").await;
    let (_, message) = failure(&events);
    assert_eq!(message, "the model called tools 8 times in a row without coming to an end");
}

#[test]
fn settings_that_are_incomplete_are_refused() {
    let model = |settings: &[(&str, &str)]| {
        let find = |name: &str| settings.iter().find(|setting| setting.0 == name);
        ChatModel::from_variables(|name| find(name).map(|setting| setting.1.to_owned()), &[])
            .map(|model| model.is_some())
            .map_err(|error| error.to_string())
    };
    assert_eq!(model(&[]), Ok(false));
    assert_eq!(model(&[(URL, " "), (MODEL, "m"), (KEY, "k")]), Ok(false));
    assert_eq!(model(&[(URL, "http://localhost"), (MODEL, "m")]), Ok(true));
    assert_eq!(
        model(&[(URL, "http://localhost")]),
        Err("TASK_BOARD_MODEL_URL is set, so TASK_BOARD_MODEL has to name the model".to_owned())
    );
    assert_eq!(
        model(&[(URL, "http://localhost"), (MODEL, "m"), (KEY, "two\nlines")]),
        Err("TASK_BOARD_MODEL_KEY has characters that cannot be sent in a header".to_owned())
    );
}
