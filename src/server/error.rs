//! What can go wrong while an agent is hosted.

use std::fmt;
use std::sync::Arc;

use crate::error::OutcomeError;
use crate::verify::Violation;
use crate::wire::excerpt::cut;
use crate::{EventType, JsonPointer, ToolCallId};

/// The result of hosting.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong while an agent is hosted.
///
/// Returned from an agent it ends the run: as `RUN_ERROR` with [`Error::code`], or as cancelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The run was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
    /// The agent emitted more than may wait to be read.
    #[error(
        "{events} events of about {bytes} bytes wait to be read, which is the limit; await \
         something between emits, or raise `QueueLimits`"
    )]
    #[non_exhaustive]
    Overflow {
        /// Events that wait.
        events: usize,
        /// Their approximate size in bytes.
        bytes: usize,
    },
    /// The agent emitted an event that opens or ends a run.
    #[error(
        "{event_type} is emitted by the driver of the run; return an outcome or an error to end it"
    )]
    #[non_exhaustive]
    RunEvent {
        /// The event.
        event_type: EventType,
    },
    /// An event breaks a rule of the order of events. It was not sent.
    #[error(transparent)]
    Order(#[from] Violation),
    /// The agent emitted after the run had ended, through something it had kept.
    #[error("the run has ended, so nothing more can be emitted")]
    Ended,
    /// A transformer failed, see [`StreamTransformer`](crate::transform::StreamTransformer).
    #[error("a transformer failed: {0}")]
    Transformer(#[source] Arc<dyn std::error::Error + Send + Sync>),
    /// A transformer panicked.
    #[error("a transformer panicked at {event_type}")]
    #[non_exhaustive]
    TransformerPanic {
        /// The event it was given; what followed in the stream is lost.
        event_type: EventType,
    },
    /// A transformer kept back, repeated or made up an event that opens or ends a run.
    #[error(
        "a transformer turned {event_type} into {passed} events that open or end a run; it must \
         pass that event on, once, as the {place} of what it puts out"
    )]
    #[non_exhaustive]
    TransformedRunEvent {
        /// The event that the transformers were given.
        event_type: EventType,
        /// Events that open or end a run among what they put out.
        passed: usize,
        /// Where the event belongs: first or last.
        place: &'static str,
    },
    /// Arguments were added to a tool call that had all of its arguments.
    #[error("the arguments of the tool call `{id}` were ended; add to them before that")]
    #[non_exhaustive]
    ArgumentsEnded {
        /// The call.
        id: ToolCallId,
    },
    /// No tool call was started under that key, or it was answered already.
    #[error("no tool call is open under the key {key}; start it first")]
    #[non_exhaustive]
    UnknownKey {
        /// The key, as its `Debug` writes it.
        key: String,
    },
    /// A tool call was started under a key that stands for another.
    #[error("a tool call is open under the key {key}; answer it, or start with another key")]
    #[non_exhaustive]
    KeyInUse {
        /// The key, as its `Debug` writes it.
        key: String,
    },
    /// The content of an activity is not a JSON object.
    #[error("the content of the activity `{activity_type}` is not a JSON object, which it must be")]
    #[non_exhaustive]
    ActivityContent {
        /// Type of the activity.
        activity_type: String,
    },
    /// A value has no JSON form, or JSON is not the wanted type.
    #[error("serialization failed: {}", Short(.0))]
    Serialization(#[source] serde_json::Error),
    /// The state of the request is not the state of the agent.
    #[error("the state of the request does not fit the agent, at /state{path}: {}", Short(.source))]
    #[non_exhaustive]
    State {
        /// Where in the state, as a JSON Pointer.
        path: JsonPointer,
        /// What is wrong there.
        source: serde_json::Error,
    },
    /// The outcome that the agent returned breaks the protocol.
    #[error(transparent)]
    Outcome(#[from] OutcomeError),
    /// The agent failed for a reason of its own.
    #[error("{0}")]
    Agent(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// A failure of the agent's own. A string will do.
    ///
    /// ```
    /// use ag_ui::server::Error;
    ///
    /// let error = Error::agent("the weather service is down");
    /// assert_eq!(error.code(), "AGENT_ERROR");
    /// assert_eq!(error.to_string(), "the weather service is down");
    /// ```
    #[must_use]
    pub fn agent(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Agent(error.into())
    }

    /// The code that `RUN_ERROR` carries. Codes are stable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled => "CANCELLED",
            Self::Overflow { .. } => "OVERFLOW",
            Self::RunEvent { .. }
            | Self::Order(_)
            | Self::Ended
            | Self::ArgumentsEnded { .. }
            | Self::UnknownKey { .. }
            | Self::KeyInUse { .. } => "ORDERING",
            Self::Transformer(_)
            | Self::TransformerPanic { .. }
            | Self::TransformedRunEvent { .. } => "TRANSFORMER_ERROR",
            Self::Serialization(_) | Self::State { .. } | Self::ActivityContent { .. } => {
                "SERIALIZATION"
            }
            Self::Outcome(_) => "PROTOCOL",
            Self::Agent(_) => "AGENT_ERROR",
        }
    }

    /// Whether the run was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Cancelled)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Serialization(error)
    }
}

impl From<Box<dyn std::error::Error + Send + Sync>> for Error {
    fn from(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Self::Agent(error)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::agent(error)
    }
}

/// Characters of a message from elsewhere that are passed on: it may quote all of a request.
const SHOWN: usize = 200;

/// A message from elsewhere, cut where it is long.
struct Short<'a>(&'a serde_json::Error);

impl fmt::Display for Short<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.0.to_string();
        let (start, rest) = cut(&message, SHOWN);
        formatter.write_str(start)?;
        if rest > 0 { formatter.write_str("…") } else { Ok(()) }
    }
}
