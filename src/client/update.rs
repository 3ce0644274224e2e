//! What a run tells whoever shows it.

use super::{RunEnd, Warning};
use crate::patch::JsonPatch;
use crate::{
    CustomEvent, MessageId, RawEvent, ReasoningEncryptedValueEvent, RunId, SubagentErrorEvent,
    SubagentFinishedEvent, SubagentRunId, SubagentStartedEvent, TextMessageRole, TokenUsage,
    ToolCallId,
};

/// One change worth showing.
///
/// Updates come one by one in the order of the stream. They carry what is new and the id of what
/// it belongs to; the whole is in the [`Session`](super::Session).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// A run began.
    #[non_exhaustive]
    RunStarted {
        /// The run.
        run_id: RunId,
        /// The run that started it, if it was one.
        parent_run_id: Option<RunId>,
    },
    /// A text message grows.
    Text(TextUpdate),
    /// Reasoning grows.
    Reasoning(ReasoningUpdate),
    /// A tool call grows.
    ToolCall(ToolCallUpdate),
    /// A tool call was answered, by the agent or by a tool of this side.
    #[non_exhaustive]
    ToolResult {
        /// The message that holds the answer.
        message_id: MessageId,
        /// The call.
        tool_call_id: ToolCallId,
        /// The subagent it came from; absent means the agent itself.
        subagent_run_id: Option<SubagentRunId>,
    },
    /// A message or tool call got an opaque value.
    EncryptedValue(ReasoningEncryptedValueEvent),
    /// The state changed.
    State(StateUpdate),
    /// The conversation was restated: read all of it again.
    Messages,
    /// An activity came or changed.
    Activity(ActivityUpdate),
    /// A step began or ended.
    Step(StepUpdate),
    /// A subagent began or ended.
    Subagent(SubagentUpdate),
    /// Something that application and agent agreed on.
    Custom(CustomEvent),
    /// An event of another system.
    Raw(RawEvent),
    /// What the run has used up.
    Usage(Vec<TokenUsage>),
    /// Something is not as the protocol has it. The run goes on.
    Warning(Warning),
    /// A run ended. A stream may hold several, one after the other.
    #[non_exhaustive]
    RunEnded {
        /// How.
        end: RunEnd,
    },
    /// Nothing more comes. It is the last update, comes once, and says how the last run ended.
    Done(RunEnd),
}

/// Change of a text message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextUpdate {
    /// The message.
    pub message_id: MessageId,
    /// The subagent it comes from; absent means the agent itself.
    pub subagent_run_id: Option<SubagentRunId>,
    /// What happened.
    pub change: TextChange,
}

/// What happened to a text message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextChange {
    /// It began, or a closed one was opened again: then it keeps its text.
    #[non_exhaustive]
    Started {
        /// Who speaks.
        role: TextMessageRole,
        /// Display name of who speaks.
        name: Option<String>,
    },
    /// Text was added.
    Delta(String),
    /// Nothing more is added. A message that the stream left open ends with it.
    Ended,
}

/// Change of reasoning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReasoningUpdate {
    /// The message, or the span.
    pub message_id: MessageId,
    /// The subagent it comes from; absent means the agent itself.
    pub subagent_run_id: Option<SubagentRunId>,
    /// What happened.
    pub change: ReasoningChange,
}

/// What happened to reasoning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningChange {
    /// A span began: reasoning messages may follow.
    SpanStarted,
    /// A message began.
    Started,
    /// Text was added to a message.
    Delta(String),
    /// A message ended.
    Ended,
    /// A span ended.
    SpanEnded,
}

/// Change of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCallUpdate {
    /// The call.
    pub tool_call_id: ToolCallId,
    /// The message it belongs to.
    pub message_id: MessageId,
    /// The subagent it comes from; absent means the agent itself.
    pub subagent_run_id: Option<SubagentRunId>,
    /// What happened.
    pub change: ToolCallChange,
}

/// What happened to a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolCallChange {
    /// It began.
    #[non_exhaustive]
    Started {
        /// The tool.
        name: String,
    },
    /// Arguments were added. Nobody may act on them before they end.
    Arguments(String),
    /// The arguments are whole, or the stream left them as they are.
    Ended,
    /// A tool of this side works on it.
    Running,
}

/// Change of the state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StateUpdate {
    /// It was replaced.
    Replaced,
    /// These changes were made to it.
    Patched(JsonPatch),
}

/// Change of an activity.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ActivityUpdate {
    /// The activity message.
    pub message_id: MessageId,
    /// The subagent it comes from; absent means the agent itself.
    pub subagent_run_id: Option<SubagentRunId>,
    /// What happened.
    pub change: ActivityChange,
}

/// What happened to an activity.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ActivityChange {
    /// It came, or was replaced.
    Replaced,
    /// These changes were made to its content.
    Patched(JsonPatch),
}

/// Change of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepUpdate {
    /// Its name.
    pub name: String,
    /// The subagent it belongs to; absent means the agent itself.
    pub subagent_run_id: Option<SubagentRunId>,
    /// What happened.
    pub change: StepChange,
}

/// What happened to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepChange {
    /// It began.
    Started,
    /// It ended, or the run ended before it did.
    Finished,
}

/// Change of a subagent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SubagentUpdate {
    /// It began.
    Started(SubagentStartedEvent),
    /// It ended or paused.
    Finished(SubagentFinishedEvent),
    /// It failed. The run goes on.
    Failed(SubagentErrorEvent),
}
