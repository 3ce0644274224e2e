//! An endpoint for chat completions on this machine, which answers as a test tells it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ag_ui::server::run;
use ag_ui::{Event, RunAgentInput};
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use futures_util::StreamExt;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::chat::{ChatModel, KEY, MODEL, URL};
use super::model::ModelBoard;
use super::support::asking;
use super::tools;
use super::voice::Voice;

/// Holds the answers to come and the requests that came. Ends with the runtime of its test.
#[derive(Clone, Default)]
pub(crate) struct Endpoint(Arc<Mutex<Exchange>>);

#[derive(Default)]
struct Exchange {
    url: String,
    answers: VecDeque<(StatusCode, String)>,
    requests: Vec<(Option<String>, Value)>,
}

impl Endpoint {
    /// Listens, and answers each request with the next of these streams.
    pub(crate) async fn streaming<const N: usize>(streams: [String; N]) -> Self {
        Self::answering(streams.map(|stream| (StatusCode::OK, stream))).await
    }

    pub(crate) async fn answering<const N: usize>(answers: [(StatusCode, String); N]) -> Self {
        let endpoint = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        endpoint.with(|exchange| {
            exchange.url = format!("http://{address}/v1/");
            exchange.answers = answers.into();
        });
        let app = Router::new().route("/v1/chat/completions", post(complete));
        let app = app.with_state(endpoint.clone());
        tokio::spawn(axum::serve(listener, app).into_future());
        endpoint
    }

    /// The agent whose model is this one.
    pub(crate) fn agent(&self, key: Option<&str>) -> ModelBoard {
        let url = self.with(|exchange| exchange.url.clone());
        agent(&url, key)
    }

    /// The stream that answers a user who says this to the default board.
    pub(crate) async fn said(&self, text: &str) -> Vec<Event> {
        self.run(crate::server_support::input(text)).await
    }

    pub(crate) async fn run(&self, input: RunAgentInput) -> Vec<Event> {
        read(self.agent(None), input).await
    }

    /// Header and body of each request.
    pub(crate) fn requests(&self) -> Vec<(Option<String>, Value)> {
        self.with(|exchange| exchange.requests.clone())
    }

    fn with<T>(&self, action: impl FnOnce(&mut Exchange) -> T) -> T {
        action(&mut self.0.lock().unwrap())
    }
}

async fn complete(
    State(endpoint): State<Endpoint>,
    headers: HeaderMap,
    body: String,
) -> (StatusCode, String) {
    let key = headers.get("authorization").map(|value| value.to_str().unwrap().to_owned());
    endpoint.with(|exchange| {
        exchange.requests.push((key, serde_json::from_str(&body).unwrap()));
        exchange.answers.pop_front().expect("more requests than answers")
    })
}

pub(crate) fn agent(url: &str, key: Option<&str>) -> ModelBoard {
    let variable = |name: &str| match name {
        URL => Some(url.to_owned()),
        MODEL => Some("test-model".to_owned()),
        KEY => key.map(str::to_owned),
        _ => None,
    };
    let model = ChatModel::from_variables(variable, &tools::all()).unwrap().unwrap();
    ModelBoard { model, voice: Voice::default(), asking: asking() }
}

pub(crate) async fn read(agent: ModelBoard, input: RunAgentInput) -> Vec<Event> {
    run(agent, input).map(Result::unwrap).collect().await
}

/// A stream of these deltas that ends as it should, with its usage.
pub(crate) fn stream(deltas: &[Value]) -> String {
    let mut frames: Vec<Value> =
        deltas.iter().map(|delta| json!({ "choices": [{ "delta": delta }] })).collect();
    frames.push(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }));
    frames.push(json!({
        "choices": [],
        "usage": { "prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37 },
    }));
    let frames: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    frames + "data: [DONE]\n\n"
}

pub(crate) fn says(text: &str) -> Value {
    json!({ "content": text })
}

/// The first piece of a call.
pub(crate) fn calls(index: u32, id: &str, name: &str, arguments: &str) -> Value {
    let function = json!({ "name": name, "arguments": arguments });
    json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": function }] })
}

/// A later piece of a call.
pub(crate) fn goes_on(index: u32, arguments: &str) -> Value {
    json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] })
}
