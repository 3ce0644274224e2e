//! Tool calls that are open at the same time.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use super::agent::AgentState;
use super::call::Call;
use super::error::{Error, Result};
use super::open_handle::open_handle;
use super::sink::Sink;
use super::state::SharedState;
use crate::{ContentPart, MessageContent, MessageId, ToolCallId, ToolCallStartEvent};

/// Tool calls that are open side by side, each under a key of the caller's, such as the index that
/// a model streams its parallel calls with. Dropping it closes all that are open.
///
/// A call stays under its key until it is answered; ending its arguments does not remove it.
///
/// ```
/// # use ag_ui::{RunAgentInput, server::{Result, RunContext}};
/// fn forecast(context: &mut RunContext<()>) -> Result<()> {
///     let mut calls = context.tool_calls();
///     calls.start(0, "weather")?;
///     calls.start(1, "tides")?;
///     calls.args(&0, r#"{"city":"#)?;
///     calls.args(&1, r#"{"port":"Busan"}"#)?;
///     calls.args(&0, r#""Seoul"}"#)?;
///     calls.result(&1, "high at noon")?;
///     calls.result(&0, "sunny")?;
///     Ok(())
/// }
/// # let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![]))?;
/// # forecast(&mut context)?;
/// # assert_eq!(events.drain().len(), 9);
/// # Ok::<(), ag_ui::server::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the calls are closed as soon as this is dropped"]
pub struct ToolCalls<'a, S, K = String> {
    calls: BTreeMap<K, Call<'a>>,
    sink: &'a Sink,
    state: &'a mut SharedState<S>,
}

impl<'a, S: AgentState, K: Ord + Debug> ToolCalls<'a, S, K> {
    pub(super) fn new(sink: &'a Sink, state: &'a mut SharedState<S>) -> Self {
        Self { calls: BTreeMap::new(), sink, state }
    }

    /// Opens a call under a key and returns its id.
    ///
    /// # Errors
    /// [`Error::KeyInUse`]; else as with all emitters, see
    /// [`RunContext`](super::RunContext#errors).
    pub fn start(&mut self, key: K, name: impl Into<String>) -> Result<ToolCallId> {
        let id = self.sink.next_call_id();
        self.start_from(key, ToolCallStartEvent::new(id, name))
    }

    /// Opens a call with an id of the caller's, such as the one the model gave.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with_id(
        &mut self,
        key: K,
        id: impl Into<ToolCallId>,
        name: impl Into<String>,
    ) -> Result<ToolCallId> {
        self.start_from(key, ToolCallStartEvent::new(id, name))
    }

    /// Opens a call with that event, which may name a parent message or carry metadata.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_from(&mut self, key: K, start: ToolCallStartEvent) -> Result<ToolCallId> {
        if self.calls.contains_key(&key) {
            return Err(Error::KeyInUse { key: format!("{key:?}") });
        }
        let call = Call::start(self.sink, start)?;
        let id = call.id.clone();
        self.calls.insert(key, call);
        Ok(id)
    }

    /// Whether a call was started under that key and not answered.
    #[must_use]
    pub fn contains(&self, key: &K) -> bool {
        self.calls.contains_key(key)
    }

    /// Keys of the calls that were not answered, in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.calls.keys()
    }

    /// Id of the call under that key.
    #[must_use]
    pub fn id(&self, key: &K) -> Option<&ToolCallId> {
        self.calls.get(key).map(|call| &call.id)
    }

    /// Adds a piece of the arguments of a call. An empty piece emits nothing.
    ///
    /// # Errors
    /// [`Error::UnknownKey`], [`Error::ArgumentsEnded`]; else as with all emitters.
    pub fn args(&mut self, key: &K, fragment: impl AsRef<str>) -> Result<()> {
        self.call(key)?.args(fragment.as_ref())
    }

    /// Adds the arguments of a call at once.
    ///
    /// # Errors
    /// When they have no JSON form; else as [`Self::args`].
    pub fn args_json(&mut self, key: &K, arguments: &(impl Serialize + ?Sized)) -> Result<()> {
        self.call(key)?.args_json(arguments)
    }

    /// The arguments of a call so far.
    #[must_use]
    pub fn raw_args(&self, key: &K) -> Option<&str> {
        self.calls.get(key).map(Call::raw_args)
    }

    /// Reads the arguments of a call. They come from a model: treat them as input of a stranger.
    ///
    /// # Errors
    /// [`Error::UnknownKey`]; while they are incomplete, or when they are not the JSON of a `T`.
    pub fn parse_args<T: DeserializeOwned>(&self, key: &K) -> Result<T> {
        self.calls.get(key).ok_or_else(|| unknown(key))?.parse_args()
    }

    /// Says that the arguments of a call are complete. It may still be answered here; if it is not,
    /// it is left to the client.
    ///
    /// # Errors
    /// [`Error::UnknownKey`]; else as with all emitters.
    pub fn end_args(&mut self, key: &K) -> Result<()> {
        self.call(key)?.end_args()
    }

    /// Answers a call, which ends its arguments. Returns the id of the tool message.
    ///
    /// # Errors
    /// [`Error::UnknownKey`]; else as with all emitters.
    pub fn result(&mut self, key: &K, content: impl Into<MessageContent>) -> Result<MessageId> {
        let call = self.calls.remove(key).ok_or_else(|| unknown(key))?;
        call.result(content.into())
    }

    /// Answers a call with JSON text.
    ///
    /// # Errors
    /// When the result has no JSON form, and the call stays open; else as [`Self::result`].
    pub fn result_json(
        &mut self,
        key: &K,
        result: &(impl Serialize + ?Sized),
    ) -> Result<MessageId> {
        let text = serde_json::to_string(result)?;
        self.result(key, text)
    }

    /// Answers a call with parts.
    ///
    /// # Errors
    /// As [`Self::result`].
    pub fn result_parts(&mut self, key: &K, parts: Vec<ContentPart>) -> Result<MessageId> {
        self.result(key, parts)
    }

    /// Ends the arguments of all calls and leaves those without an answer to the client. Returns
    /// their ids in the order of the keys.
    ///
    /// # Errors
    /// As with all emitters. All are closed all the same.
    pub fn end(self) -> Result<Vec<ToolCallId>> {
        let mut closed = Ok(());
        let mut ids = Vec::with_capacity(self.calls.len());
        for mut call in self.calls.into_values() {
            closed = closed.and(call.end_args());
            ids.push(call.id);
        }
        closed.map(|()| ids)
    }

    fn call(&mut self, key: &K) -> Result<&mut Call<'a>> {
        self.calls.get_mut(key).ok_or_else(|| unknown(key))
    }

    open_handle!();
}

fn unknown(key: &impl Debug) -> Error {
    Error::UnknownKey { key: format!("{key:?}") }
}
