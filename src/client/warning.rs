//! What went wrong and was coped with.

use crate::error::Adjustment;
use crate::patch::PatchError;
use crate::verify::Violation;
use crate::wire::excerpt::Excerpt;
use crate::{DecodeError, EventType, MessageId, ToolCallId};

/// Something that is not as the protocol has it and did not end the run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// Something in an event was left out or read as something else.
    #[error("event {event_index}, {event_type}: {adjustment}")]
    #[non_exhaustive]
    Adjusted {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// Type of the event.
        event_type: EventType,
        /// What was done, and where.
        adjustment: Adjustment,
    },
    /// More was left out of an event than is listed.
    #[error("event {event_index}, {event_type}: {count} further adjustments are not listed")]
    #[non_exhaustive]
    Unlisted {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// Type of the event.
        event_type: EventType,
        /// How many.
        count: usize,
    },
    /// An event of an unknown type was dropped.
    #[error("event {event_index} is of the unknown type {}, dropped", Excerpt(event_type))]
    #[non_exhaustive]
    UnknownEvent {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// The type it states.
        event_type: String,
    },
    /// A retired event was read as what replaced it.
    #[error(
        "event {event_index}, {from}, is retired, read as {to}{}",
        .lost.map(|field| format!("; its `{field}` is lost")).unwrap_or_default()
    )]
    #[non_exhaustive]
    Retired {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// Its type.
        from: EventType,
        /// What it was read as.
        to: EventType,
        /// The field that has no place there.
        lost: Option<&'static str>,
    },
    /// An event was dropped because the peer is set to be older than it.
    #[error(
        "event {event_index}, {event_type}, dropped: the peer is set to version {peer}, which does not have it"
    )]
    #[non_exhaustive]
    NotOfPeer {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// Type of the event.
        event_type: EventType,
        /// The version that is set.
        peer: super::PeerVersion,
    },
    /// Part of a message does not reach the agent, because the peer is too old for it.
    #[error("message `{message_id}`: {lost} cannot be sent to a peer of version {peer}, left out")]
    #[non_exhaustive]
    NotForPeer {
        /// The message.
        message_id: MessageId,
        /// What is left out.
        lost: String,
        /// The version that is set.
        peer: super::PeerVersion,
    },
    /// The agent speaks a newer version of the protocol.
    #[error("the agent declares protocol version {declared}, this client speaks {own}; it may send what this client leaves out", own = crate::PROTOCOL_VERSION)]
    #[non_exhaustive]
    NewerVersion {
        /// The version it declares.
        declared: String,
    },
    /// The agent declares a version that is none.
    #[error(
        "the agent declares protocol version {}, which cannot be interpreted: a version is two numbers with a dot between",
        Excerpt(declared)
    )]
    #[non_exhaustive]
    UnreadableVersion {
        /// What it declares.
        declared: String,
    },
    /// An event that breaks a rule was skipped, or taken nevertheless because it ends the run.
    #[error("{0}")]
    Order(Violation),
    /// A malformed event was skipped.
    #[error("event {event_index} cannot be read, skipped: {error}")]
    #[non_exhaustive]
    Malformed {
        /// Place of the event in the stream, from zero.
        event_index: u64,
        /// What is wrong with it.
        error: Box<DecodeError>,
    },
    /// A state delta does not apply; the state is as it was.
    #[error("the state patch does not apply, the state stays as it was: {0}")]
    StatePatch(PatchError),
    /// An activity delta does not apply; the activity is as it was.
    #[error("the patch of the activity `{message_id}` does not apply, it stays as it was: {error}")]
    #[non_exhaustive]
    ActivityPatch {
        /// The activity.
        message_id: MessageId,
        /// Why.
        error: PatchError,
    },
    /// An activity delta would make the content something other than an object.
    #[error("the patch of the activity `{message_id}` leaves no object, it stays as it was")]
    #[non_exhaustive]
    ActivityContent {
        /// The activity.
        message_id: MessageId,
    },
    /// An event is about something that is not there, or cannot take it.
    #[error("{event_type} is about `{id}`, {problem}; ignored")]
    #[non_exhaustive]
    NoTarget {
        /// Type of the event.
        event_type: EventType,
        /// What it is about.
        id: String,
        /// Why it cannot be.
        problem: &'static str,
    },
    /// A tool call was started again under another name, which it has now.
    #[error("tool call `{tool_call_id}` was started again as `{name}`")]
    #[non_exhaustive]
    ToolCallRenamed {
        /// The call.
        tool_call_id: ToolCallId,
        /// Its new name.
        name: String,
    },
    /// The parent of a tool call is no message of the assistant; the call has one of its own.
    #[error(
        "tool call `{tool_call_id}` names `{parent}` as its message, which is not from the assistant; it gets one of its own"
    )]
    #[non_exhaustive]
    ToolCallParent {
        /// The call.
        tool_call_id: ToolCallId,
        /// The message it names.
        parent: MessageId,
    },
    /// Tool calls that nobody has answered are sent to the agent.
    #[error("tool calls of earlier runs have no answer: {}; answer them with `Session::answer_tool`", ids(.0))]
    Unanswered(Vec<ToolCallId>),
    /// The connection failed after the run had ended, which changes nothing.
    #[error("after the end of the run: {0}")]
    AfterEnd(String),
    /// The tools were run as often as allowed; the calls are left to the caller.
    #[error(
        "the tools ran {limit} times in a row, which is the limit; raise `SessionBuilder::tool_rounds`, or go on with `Session::run`"
    )]
    #[non_exhaustive]
    ToolRounds {
        /// The limit.
        limit: usize,
    },
}

fn ids(ids: &[ToolCallId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    ids.join(", ")
}
