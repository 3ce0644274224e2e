//! Conveniences on messages, their content, and tool calls.

use std::borrow::Cow;

use serde_core::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::ids::{MessageId, SubagentRunId, ToolCallId};
use crate::protocol::{
    ActivityMessage, AssistantMessage, ContentPart, DataSource, DeveloperMessage, FileSource,
    FunctionCall, Message, MessageContent, Metadata, PartSource, ReasoningMessage, Role,
    SystemMessage, TextPart, ToolCall, ToolMessage, UrlSource, UserMessage,
};

/// Runs the same expression on the struct of whichever role.
macro_rules! each {
    ($message:expr, $inner:ident => $expression:expr) => {
        match $message {
            Message::Developer($inner) => $expression,
            Message::System($inner) => $expression,
            Message::Assistant($inner) => $expression,
            Message::User($inner) => $expression,
            Message::Tool($inner) => $expression,
            Message::Activity($inner) => $expression,
            Message::Reasoning($inner) => $expression,
        }
    };
}

impl Message {
    /// What the user said, as text or parts.
    ///
    /// ```
    /// use ag_ui::{Message, Role};
    ///
    /// let message = Message::user("m-1", "Move the first card.");
    /// assert_eq!(message.role(), Role::User);
    /// assert_eq!(message.text().as_deref(), Some("Move the first card."));
    /// ```
    #[must_use]
    pub fn user(id: impl Into<MessageId>, content: impl Into<MessageContent>) -> Self {
        UserMessage::new(id, content).into()
    }

    /// What the assistant said.
    #[must_use]
    pub fn assistant(id: impl Into<MessageId>, text: impl Into<String>) -> Self {
        AssistantMessage::new(id).with_content(text).into()
    }

    /// What the assistant did: tool calls without text.
    #[must_use]
    pub fn tool_calls(id: impl Into<MessageId>, calls: Vec<ToolCall>) -> Self {
        AssistantMessage::new(id).with_tool_calls(calls).into()
    }

    /// Instructions of the system.
    #[must_use]
    pub fn system(id: impl Into<MessageId>, text: impl Into<String>) -> Self {
        SystemMessage::new(id, text).into()
    }

    /// Instructions of the developer.
    #[must_use]
    pub fn developer(id: impl Into<MessageId>, text: impl Into<String>) -> Self {
        DeveloperMessage::new(id, text).into()
    }

    /// What a tool answered to a call, as text or parts.
    #[must_use]
    pub fn tool(
        id: impl Into<MessageId>,
        call_id: impl Into<ToolCallId>,
        content: impl Into<MessageContent>,
    ) -> Self {
        ToolMessage::new(id, content, call_id).into()
    }

    /// What the model thought.
    #[must_use]
    pub fn reasoning(id: impl Into<MessageId>, text: impl Into<String>) -> Self {
        ReasoningMessage::new(id, text).into()
    }

    /// Structured progress of that type; it is shown, and never sent back to an agent.
    #[must_use]
    pub fn activity(
        id: impl Into<MessageId>,
        activity_type: impl Into<String>,
        content: Map<String, Value>,
    ) -> Self {
        ActivityMessage::new(id, activity_type, content).into()
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        each!(self, message => &message.id)
    }

    /// Who it is from.
    #[must_use]
    pub fn role(&self) -> Role {
        match self {
            Self::Developer(_) => Role::Developer,
            Self::System(_) => Role::System,
            Self::Assistant(_) => Role::Assistant,
            Self::User(_) => Role::User,
            Self::Tool(_) => Role::Tool,
            Self::Activity(_) => Role::Activity,
            Self::Reasoning(_) => Role::Reasoning,
        }
    }

    /// Its text. Of content in parts, the text parts joined without a separator; `None` for an
    /// assistant message without content and for an activity.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Developer(message) => Some(Cow::Borrowed(&message.content)),
            Self::System(message) => Some(Cow::Borrowed(&message.content)),
            Self::Assistant(message) => message.content.as_deref().map(Cow::Borrowed),
            Self::User(message) => Some(message.content.text()),
            Self::Tool(message) => Some(message.content.text()),
            Self::Reasoning(message) => Some(Cow::Borrowed(&message.content)),
            Self::Activity(_) => None,
        }
    }

    /// What was attached to it.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        each!(self, message => message.metadata.as_ref())
    }

    /// The subagent it came from; `None` means the agent itself, or the user.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        each!(self, message => message.subagent_run_id.as_ref())
    }
}

impl MessageContent {
    /// The text. Of parts, the text parts joined without a separator; media are passed over.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Parts(parts) => match parts.as_slice() {
                [ContentPart::Text(part)] => Cow::Borrowed(&part.text),
                parts => Cow::Owned(parts.iter().filter_map(ContentPart::as_text).collect()),
            },
        }
    }
}

impl ContentPart {
    /// A text part.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        TextPart::new(text).into()
    }

    /// The text of a text part.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(part) => Some(&part.text),
            _ => None,
        }
    }
}

impl PartSource {
    /// Bytes carried inline, base64-encoded.
    #[must_use]
    pub fn data(base64: impl Into<String>, mime_type: impl Into<String>) -> Self {
        DataSource::new(base64, mime_type).into()
    }

    /// Bytes behind a URL of any scheme.
    #[must_use]
    pub fn url(url: impl Into<String>) -> Self {
        UrlSource::new(url).into()
    }

    /// Bytes that lie with a provider, under the handle it gave out.
    #[must_use]
    pub fn file(handle: impl Into<String>) -> Self {
        FileSource::new(handle).into()
    }
}

impl ToolCall {
    /// A call of that function, its arguments as the model wrote them.
    ///
    /// ```
    /// use ag_ui::ToolCall;
    ///
    /// let call = ToolCall::function("c-1", "add_task", r#"{"title":"Tea"}"#);
    /// let arguments: serde_json::Value = call.parse_arguments()?;
    /// assert_eq!(arguments["title"], "Tea");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn function(
        id: impl Into<ToolCallId>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self::new(id, FunctionCall::new(name, arguments))
    }

    /// Reads the arguments. They come from a model: treat them as input of a stranger.
    ///
    /// # Errors
    /// When the arguments are not JSON, or not the JSON of a `T`; the protocol promises neither.
    pub fn parse_arguments<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.function.arguments)
    }
}
