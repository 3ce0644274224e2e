//! A model behind an endpoint for chat completions, such as that of OpenAI or of a local server.

use std::time::Duration;

use ag_ui::Tool;
use ag_ui::encode::SseError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response};
use serde_json::{Value, json};

use super::reply::Reply;

/// Base address of the endpoint, such as `https://api.openai.com/v1`. It turns the model on.
pub(crate) const URL: &str = "TASK_BOARD_MODEL_URL";
/// Name of the model.
pub(crate) const MODEL: &str = "TASK_BOARD_MODEL";
/// Key of the endpoint, if it wants one.
pub(crate) const KEY: &str = "TASK_BOARD_MODEL_KEY";

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the model may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(120);
/// Bytes of an answer with an error status that are read.
const READ: usize = 16 * 1024;
/// Characters of it that are shown.
const EXCERPT: usize = 500;

/// Why the settings name no model.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    #[error("{URL} is set, so {MODEL} has to name the model")]
    NoModel,
    #[error("{KEY} has characters that cannot be sent in a header")]
    Key,
    #[error("the HTTP client cannot be set up: {0}")]
    Client(#[from] reqwest::Error),
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChatError {
    #[error("the model cannot be reached: {}", cause(.0))]
    Connection(#[source] reqwest::Error),
    #[error("the model's endpoint answered {status}: {excerpt}")]
    Status { status: reqwest::StatusCode, excerpt: String },
    #[error("the model reported: {0}")]
    Reported(String),
    #[error("the model sent something that is no chat completion: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error(transparent)]
    Stream(#[from] SseError),
    #[error("the reply of the model broke off")]
    Cut,
    #[error("the model went on with tool call {0}, which it had not begun")]
    StrayCall(u32),
    #[error("the model called tools {0} times in a row without coming to an end")]
    TooManyTurns(usize),
}

impl From<reqwest::Error> for ChatError {
    fn from(error: reqwest::Error) -> Self {
        Self::Connection(error.without_url())
    }
}

impl From<ChatError> for ag_ui::server::Error {
    fn from(error: ChatError) -> Self {
        Self::agent(error)
    }
}

/// A model and how it is reached. It has no `Debug`, so that the key is never printed.
pub(crate) struct ChatModel {
    client: Client,
    url: String,
    model: String,
    authorization: Option<HeaderValue>,
    tools: Value,
}

impl ChatModel {
    /// The model that the environment names, if it names one.
    ///
    /// # Errors
    /// When what it says is incomplete or cannot be used.
    pub(crate) fn from_variables(
        variable: impl Fn(&str) -> Option<String>,
        tools: &[Tool],
    ) -> Result<Option<Self>, SettingsError> {
        let set = |name| variable(name).filter(|value| !value.trim().is_empty());
        let Some(url) = set(URL) else { return Ok(None) };
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()?;
        Ok(Some(Self {
            client,
            url: format!("{}/chat/completions", url.trim().trim_end_matches('/')),
            model: set(MODEL).ok_or(SettingsError::NoModel)?,
            authorization: set(KEY).map(|key| bearer(key.trim())).transpose()?,
            tools: tools.iter().map(described).collect(),
        }))
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.model
    }

    /// Asks for the next reply in a conversation.
    pub(crate) async fn ask(&self, messages: &[Value]) -> Result<Reply, ChatError> {
        let body = json!({
            "model": self.model,
            "messages": messages,
            "tools": self.tools,
            "stream": true,
            "stream_options": { "include_usage": true },
        });
        let mut request = self.client.post(&self.url).body(body.to_string());
        request = request.header(CONTENT_TYPE, "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await?;
        if !response.status().is_success() {
            return Err(self.refused(response).await);
        }
        Ok(Reply::new(response))
    }

    /// Some endpoints repeat the key they refuse.
    async fn refused(&self, mut response: Response) -> ChatError {
        let status = response.status();
        let mut body = Vec::new();
        while body.len() < READ {
            let Ok(Some(bytes)) = response.chunk().await else { break };
            body.extend_from_slice(&bytes);
        }
        let text = String::from_utf8_lossy(&body);
        let key = self.authorization.as_ref().and_then(|value| value.to_str().ok());
        let text = match key.and_then(|value| value.strip_prefix("Bearer ")) {
            Some(key) => text.replace(key, "[key]"),
            None => text.into_owned(),
        };
        ChatError::Status { status, excerpt: text.chars().take(EXCERPT).collect() }
    }
}

fn bearer(key: &str) -> Result<HeaderValue, SettingsError> {
    let header = HeaderValue::try_from(format!("Bearer {key}"));
    let mut header = header.map_err(|_| SettingsError::Key)?;
    header.set_sensitive(true);
    Ok(header)
}

fn described(tool: &Tool) -> Value {
    let function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    });
    json!({ "type": "function", "function": function })
}

/// The last in a chain of errors says what happened; those before it say during what.
fn cause(error: &reqwest::Error) -> String {
    let first: &dyn std::error::Error = error;
    std::iter::successors(Some(first), |error| error.source()).last().unwrap_or(first).to_string()
}
