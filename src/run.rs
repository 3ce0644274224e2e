//! Conveniences on what goes into a run and what comes out of it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::OutcomeError;
use crate::ids::{InterruptId, ToolCallId};
use crate::protocol::{
    Interrupt, Message, ResumeEntry, ResumeStatus, RunAgentInput, RunFinishedCancelledOutcome,
    RunFinishedInterruptOutcome, RunFinishedSuccessOutcome, RunOutcome, Tool,
};

impl RunAgentInput {
    /// Whether the run answers interrupts of an earlier one.
    #[must_use]
    pub fn is_resume(&self) -> bool {
        self.resume.as_ref().is_some_and(|entries| !entries.is_empty())
    }

    /// The answer to that interrupt, if this input brings one.
    #[must_use]
    pub fn resume_for(&self, interrupt_id: impl AsRef<str>) -> Option<&ResumeEntry> {
        let id = interrupt_id.as_ref();
        self.resume.iter().flatten().find(|entry| entry.interrupt_id == id)
    }

    /// The offered tool of that name. An agent may call others; those the client cannot run.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The text of the last user message without its media; `None` when no user has spoken.
    ///
    /// ```
    /// use ag_ui::{Message, RunAgentInput};
    ///
    /// let input = RunAgentInput::new("t-1", "r-1", vec![Message::user("m-1", "Hello")]);
    /// assert_eq!(input.last_user_text().as_deref(), Some("Hello"));
    /// ```
    #[must_use]
    pub fn last_user_text(&self) -> Option<Cow<'_, str>> {
        self.messages.iter().rev().find_map(|message| match message {
            Message::User(message) => Some(message.content.text()),
            _ => None,
        })
    }
}

impl Tool {
    /// A tool whose parameters are described by a type.
    ///
    /// ```
    /// #[derive(schemars::JsonSchema)]
    /// struct AddTask {
    ///     title: String,
    /// }
    ///
    /// let tool = ag_ui::Tool::of::<AddTask>("add_task", "Adds a task to the board.");
    /// assert_eq!(tool.parameters.unwrap()["required"][0], "title");
    /// ```
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn of<T: schemars::JsonSchema>(
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self::new(name, description, schemars::schema_for!(T).to_value())
    }
}

impl RunOutcome {
    /// The run did what it was asked for.
    #[must_use]
    pub fn success() -> Self {
        RunFinishedSuccessOutcome::new().into()
    }

    /// The run did its part and leaves these tool calls to the client.
    #[must_use]
    pub fn pending(tool_call_ids: Vec<ToolCallId>) -> Self {
        RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(tool_call_ids).into()
    }

    /// The run pauses until these are answered.
    #[must_use]
    pub fn interrupt(interrupts: Vec<Interrupt>) -> Self {
        RunFinishedInterruptOutcome::new(interrupts).into()
    }

    /// The run was stopped on purpose; nothing is pending.
    #[must_use]
    pub fn cancelled() -> Self {
        RunFinishedCancelledOutcome::new().into()
    }

    /// What it waits for; empty unless the run was interrupted.
    #[must_use]
    pub fn interrupts(&self) -> &[Interrupt] {
        match self {
            Self::Interrupt(outcome) => &outcome.interrupts,
            _ => &[],
        }
    }

    /// Checks what the type cannot express.
    ///
    /// # Errors
    /// When an interrupt outcome lists no interrupt, or one id twice.
    pub fn validate(&self) -> Result<(), OutcomeError> {
        let Self::Interrupt(outcome) = self else { return Ok(()) };
        if outcome.interrupts.is_empty() {
            return Err(OutcomeError::NoInterrupts);
        }
        let mut ids = BTreeSet::new();
        match outcome.interrupts.iter().find(|interrupt| !ids.insert(&interrupt.id)) {
            Some(again) => Err(OutcomeError::DuplicateInterrupt(again.id.clone())),
            None => Ok(()),
        }
    }
}

impl ResumeEntry {
    /// The user answered, with what the agent asked for.
    #[must_use]
    pub fn resolved(interrupt_id: impl Into<InterruptId>, payload: impl Into<Value>) -> Self {
        Self::new(interrupt_id, ResumeStatus::Resolved).with_payload(payload)
    }

    /// The user declined to answer.
    #[must_use]
    pub fn cancelled(interrupt_id: impl Into<InterruptId>) -> Self {
        Self::new(interrupt_id, ResumeStatus::Cancelled)
    }
}
