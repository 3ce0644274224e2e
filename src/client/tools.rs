//! Tools that run on this side.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::error::BoxError;
use super::transport::MaybeSend;
use crate::{MessageContent, Tool, ToolCall, ToolCallId};

/// A call of a tool of this side.
///
/// Its arguments come from a model: treat them as input of a stranger.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolInvocation {
    /// The call.
    pub id: ToolCallId,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them, mostly JSON.
    pub arguments: String,
}

impl ToolInvocation {
    /// Reads the arguments. Empty ones count as an object without fields.
    ///
    /// # Errors
    /// When the arguments are not the JSON of a `T`. Returned from a handler, the error tells the
    /// model what to do better.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        let text = if self.arguments.trim().is_empty() { "{}" } else { &self.arguments };
        serde_json::from_str(text)
    }
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    pub(super) content: MessageContent,
    pub(super) error: Option<String>,
}

impl ToolAnswer {
    /// Text or parts.
    #[must_use]
    pub fn new(content: impl Into<MessageContent>) -> Self {
        Self { content: content.into(), error: None }
    }

    /// A value as JSON.
    ///
    /// # Errors
    /// When the value has no JSON form.
    pub fn json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(Self::new)
    }

    /// The tool failed, or the user declined: the agent is told why.
    #[must_use]
    pub fn failed(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { content: MessageContent::Text(reason.clone()), error: Some(reason) }
    }
}

impl<T: Into<MessageContent>> From<T> for ToolAnswer {
    fn from(content: T) -> Self {
        Self::new(content)
    }
}

#[cfg(not(target_family = "wasm"))]
type Answering = Pin<Box<dyn Future<Output = Result<ToolAnswer, BoxError>> + Send>>;
#[cfg(target_family = "wasm")]
type Answering = Pin<Box<dyn Future<Output = Result<ToolAnswer, BoxError>>>>;

#[cfg(not(target_family = "wasm"))]
type Handler = Arc<dyn Fn(ToolInvocation) -> Answering + Send + Sync>;
#[cfg(target_family = "wasm")]
type Handler = Arc<dyn Fn(ToolInvocation) -> Answering>;

/// The futures of handlers: `Send`, but on wasm.
#[cfg(not(target_family = "wasm"))]
pub trait MaybeSendFuture: Future + Send {}
/// The futures of handlers: `Send`, but on wasm.
#[cfg(target_family = "wasm")]
pub trait MaybeSendFuture: Future {}

#[cfg(not(target_family = "wasm"))]
impl<T: Future + Send> MaybeSendFuture for T {}
#[cfg(target_family = "wasm")]
impl<T: Future> MaybeSendFuture for T {}

/// The tools that are offered to the agent, some of them with who runs them.
#[derive(Clone, Default)]
pub(super) struct Tools {
    offered: Vec<Tool>,
    handlers: BTreeMap<String, Handler>,
}

impl fmt::Debug for Tools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.offered.iter().map(|tool| &tool.name);
        formatter.debug_list().entries(names).finish()
    }
}

impl Tools {
    pub(super) fn offered(&self) -> &[Tool] {
        &self.offered
    }

    /// Offers a tool; one of the same name is replaced, with who ran it.
    pub(super) fn offer(&mut self, tool: Tool) {
        self.handlers.remove(&tool.name);
        match self.offered.iter_mut().find(|offered| offered.name == tool.name) {
            Some(offered) => *offered = tool,
            None => self.offered.push(tool),
        }
    }

    pub(super) fn clear_offers(&mut self) {
        let Self { offered, handlers } = self;
        offered.retain(|tool| handlers.contains_key(&tool.name));
    }

    pub(super) fn handle<H, F, A, E>(&mut self, tool: Tool, handler: H)
    where
        H: Fn(ToolInvocation) -> F + MaybeSend + 'static,
        F: MaybeSendFuture<Output = Result<A, E>> + 'static,
        A: Into<ToolAnswer>,
        E: Into<BoxError>,
    {
        let name = tool.name.clone();
        self.offer(tool);
        let handler = move |invocation| {
            let answer = handler(invocation);
            Box::pin(async { answer.await.map(Into::into).map_err(Into::into) }) as Answering
        };
        self.handlers.insert(name, Arc::new(handler));
    }

    pub(super) fn is_handled(&self, name: &str) -> bool {
        self.handlers.contains_key(name)
    }

    /// Begins to run a call, if somebody does that.
    pub(super) fn run(&self, call: &ToolCall) -> Option<Answering> {
        let handler = self.handlers.get(&call.function.name)?;
        Some(handler(ToolInvocation {
            id: call.id.clone(),
            name: call.function.name.clone(),
            arguments: call.function.arguments.clone(),
        }))
    }
}

/// Calls that run side by side.
pub(super) struct Running {
    calls: Vec<(ToolCallId, State)>,
}

enum State {
    Running(Answering),
    Answered(ToolAnswer),
}

impl Running {
    pub(super) fn new(calls: Vec<(ToolCallId, Answering)>) -> Self {
        let calls = calls.into_iter().map(|(id, answering)| (id, State::Running(answering)));
        Self { calls: calls.collect() }
    }

    /// The answers in the order of the calls, once there are all of them.
    pub(super) fn poll(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Vec<(ToolCallId, ToolAnswer)>> {
        let mut is_ready = true;
        for (_, state) in &mut self.calls {
            if let State::Running(answering) = state {
                match answering.as_mut().poll(context) {
                    Poll::Ready(Ok(answer)) => *state = State::Answered(answer),
                    Poll::Ready(Err(error)) => {
                        *state = State::Answered(ToolAnswer::failed(error.to_string()));
                    }
                    Poll::Pending => is_ready = false,
                }
            }
        }
        if !is_ready {
            return Poll::Pending;
        }
        let calls = std::mem::take(&mut self.calls).into_iter();
        Poll::Ready(
            calls
                .filter_map(|(id, state)| match state {
                    State::Answered(answer) => Some((id, answer)),
                    State::Running(_) => None,
                })
                .collect(),
        )
    }
}
