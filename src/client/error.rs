//! What can go wrong while a run is consumed.

use std::sync::Arc;
use std::time::Duration;

use super::answers::AnswerError;
use crate::DecodeError;
use crate::verify::Violation;
use crate::wire::excerpt::Excerpt;

/// The result of consuming.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any error, as it comes from a transport, a tool or a hook.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What can go wrong while a run is consumed.
///
/// In a session it ends the run as [`RunEnd::Failed`](super::RunEnd::Failed) with
/// [`Error::code`]; what arrived before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An event is malformed.
    #[error("event {event_index} cannot be read: {source}")]
    #[non_exhaustive]
    Decode {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// What is wrong with it.
        source: DecodeError,
    },
    /// An event is of a type that this version of the protocol does not have.
    #[error(
        "event {event_index} is of the unknown type {}; the agent speaks a newer protocol than \
         {own}: update this client, or let it drop such events with `UnknownEvents::DropWithWarning`",
        Excerpt(event_type),
        own = crate::PROTOCOL_VERSION
    )]
    #[non_exhaustive]
    UnknownEvent {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// The type it states.
        event_type: String,
    },
    /// An event breaks a rule of the order of events, or the stream ended too early.
    #[error(transparent)]
    Order(#[from] Violation),
    /// A transformer failed.
    #[error("a transformer failed: {0}")]
    Transformer(#[source] Arc<dyn std::error::Error + Send + Sync>),
    /// The stream ended without a terminal event.
    #[error(
        "the stream ended after {events} events without a terminal event; what arrived is kept, \
         and whether the agent did the rest is not known"
    )]
    #[non_exhaustive]
    Truncated {
        /// Events that arrived.
        events: u64,
    },
    /// The server refused the run.
    #[error("the server answered with status {status}: {}", Excerpt(body))]
    #[non_exhaustive]
    Status {
        /// The HTTP status.
        status: u16,
        /// The beginning of the body, at most 2,048 characters.
        body: String,
    },
    /// The answer is no event stream.
    #[error(
        "the server answered with {} in place of text/event-stream; is the URL that of an agent? \
         It begins: {}",
        content_type.as_deref().unwrap_or("no content type"), Excerpt(body)
    )]
    #[non_exhaustive]
    ContentType {
        /// What the answer says it is.
        content_type: Option<String>,
        /// The beginning of the body, at most 2,048 characters.
        body: String,
    },
    /// Nothing came for too long.
    #[error("{what} took longer than {} s; raise `HttpTransportBuilder::{setting}`", .limit.as_secs_f64())]
    #[non_exhaustive]
    Timeout {
        /// What was waited for.
        what: &'static str,
        /// The setting that bounds it.
        setting: &'static str,
        /// The bound.
        limit: Duration,
    },
    /// The answer is larger than allowed.
    #[error("the answer is larger than {limit} bytes; raise `HttpTransportBuilder::body_limit`")]
    #[non_exhaustive]
    TooLarge {
        /// The bound, in bytes.
        limit: u64,
    },
    /// The bytes of the stream are no server-sent events.
    #[cfg(feature = "sse")]
    #[error(transparent)]
    Sse(#[from] crate::encode::SseError),
    /// The connection failed, before or during the run.
    #[error("the connection failed: {0}")]
    Transport(#[source] BoxError),
    /// The run was aborted on this side.
    #[error("the run was aborted")]
    Cancelled,
    /// Interrupts are not answered as the protocol wants it. Nothing was sent.
    #[error(transparent)]
    Answers(#[from] AnswerError),
    /// The state of the agent is not the type that is asked for.
    #[error("the state does not fit, at {path}: {source}")]
    #[non_exhaustive]
    State {
        /// Where in the state, as a JSON Pointer.
        path: crate::JsonPointer,
        /// What is wrong there.
        source: serde_json::Error,
    },
    /// No tool call of that id waits for an answer.
    #[error("no tool call `{id}` waits for an answer")]
    #[non_exhaustive]
    UnknownToolCall {
        /// The id.
        id: crate::ToolCallId,
    },
    /// A setting cannot be used.
    #[error("{0}")]
    Config(String),
    /// A replayed transport has no run left.
    #[error("the recording has no run left: {runs} were recorded and replayed")]
    #[non_exhaustive]
    NoRunLeft {
        /// Runs of the recording.
        runs: usize,
    },
}

impl Error {
    /// A failure of a transport of the caller's own. A string will do.
    #[must_use]
    pub fn transport(error: impl Into<BoxError>) -> Self {
        Self::Transport(error.into())
    }

    /// The code that [`RunEnd::Failed`](super::RunEnd::Failed) carries. Codes are stable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Decode { .. } => "DECODE",
            Self::UnknownEvent { .. } => "UNKNOWN_EVENT",
            Self::Order(_) => "ORDERING",
            Self::Transformer(_) => "TRANSFORMER_ERROR",
            Self::Truncated { .. } => "TRUNCATED",
            Self::Status { .. } | Self::ContentType { .. } => "HTTP",
            Self::Timeout { .. } => "TIMEOUT",
            Self::TooLarge { .. } => "TOO_LARGE",
            #[cfg(feature = "sse")]
            Self::Sse(_) => "DECODE",
            Self::Transport(_) | Self::NoRunLeft { .. } => "TRANSPORT",
            Self::Cancelled => super::CANCELLED,
            Self::Answers(_) => "INTERRUPTS",
            Self::State { .. } => "SERIALIZATION",
            Self::UnknownToolCall { .. } => "UNKNOWN_TOOL_CALL",
            Self::Config(_) => "CONFIG",
        }
    }

    /// Whether the run was aborted on this side.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
    }
}
