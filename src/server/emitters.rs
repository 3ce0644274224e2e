//! What an agent speaks through.

use std::fmt::Debug;
use std::sync::Arc;

use serde_core::Serialize;

use super::activity::Activity;
use super::agent::AgentState;
use super::context::RunContext;
use super::error::Result;
use super::message::MessageHandle;
use super::open_handle::open_handle;
use super::reasoning::ReasoningHandle;
use super::step::StepGuard;
use super::subagent::SubagentScope;
use super::subagents::Subagents;
use super::tool_call::ToolCallHandle;
use super::tool_calls::ToolCalls;
use crate::{
    Event, Message, MessageContent, MessageId, SubagentStartedEvent, TextMessageRole,
    TextMessageStartEvent, TokenUsage, ToolCallId, ToolCallStartEvent,
};

/// Emitters.
impl<S: AgentState> RunContext<S> {
    /// Opens a message of the assistant.
    ///
    /// # Errors
    /// As with all emitters, see [`RunContext`](RunContext#errors).
    pub fn assistant_message(&mut self) -> Result<MessageHandle<'_, S>> {
        self.message(TextMessageRole::Assistant)
    }

    /// Opens a message of that role.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn message(&mut self, role: TextMessageRole) -> Result<MessageHandle<'_, S>> {
        let id = self.sink.next_message_id();
        self.message_with_id(id, role)
    }

    /// Opens a message with an id of the caller's. The id of a closed message opens it again.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn message_with_id(
        &mut self,
        id: impl Into<MessageId>,
        role: TextMessageRole,
    ) -> Result<MessageHandle<'_, S>> {
        self.message_from(TextMessageStartEvent::new(id).with_role(role))
    }

    /// Opens a message with that event, which may name its author or carry metadata.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn message_from(&mut self, start: TextMessageStartEvent) -> Result<MessageHandle<'_, S>> {
        MessageHandle::open(&self.sink, &mut self.state, start)
    }

    /// Says one whole message as the assistant. Returns its id.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn say(&mut self, text: impl AsRef<str>) -> Result<MessageId> {
        let mut message = self.assistant_message()?;
        message.delta(text)?;
        message.end()
    }

    /// Opens a tool call.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call(&mut self, name: impl Into<String>) -> Result<ToolCallHandle<'_, S>> {
        let id = self.sink.next_call_id();
        self.tool_call_with_id(id, name)
    }

    /// Opens a tool call with an id of the caller's, such as the one the model gave.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call_with_id(
        &mut self,
        id: impl Into<ToolCallId>,
        name: impl Into<String>,
    ) -> Result<ToolCallHandle<'_, S>> {
        self.tool_call_from(ToolCallStartEvent::new(id, name))
    }

    /// Opens a tool call that belongs to a message.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call_of(
        &mut self,
        parent: impl Into<MessageId>,
        name: impl Into<String>,
    ) -> Result<ToolCallHandle<'_, S>> {
        let start = ToolCallStartEvent::new(self.sink.next_call_id(), name);
        self.tool_call_from(start.with_parent_message_id(parent))
    }

    /// Opens a tool call with that event, which may name a parent message or carry metadata.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_call_from(&mut self, start: ToolCallStartEvent) -> Result<ToolCallHandle<'_, S>> {
        ToolCallHandle::open(&self.sink, &mut self.state, start)
    }

    /// Opens tool calls that are open at the same time, each under a key.
    pub fn tool_calls<K: Ord + Debug>(&mut self) -> ToolCalls<'_, S, K> {
        ToolCalls::new(&self.sink, &mut self.state)
    }

    /// Answers a tool call that was ended without a result, in this run or an earlier one. Returns
    /// the id of the tool message.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn tool_result(
        &mut self,
        tool_call_id: impl Into<ToolCallId>,
        content: impl Into<MessageContent>,
    ) -> Result<MessageId> {
        let id = self.sink.next_message_id();
        self.sink.emit(Event::tool_call_result(&id, tool_call_id, content))?;
        Ok(id)
    }

    /// Opens a span of reasoning with one message in it.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn reasoning(&mut self) -> Result<ReasoningHandle<'_, S>> {
        let id = self.sink.next_reasoning_id();
        self.reasoning_with_id(id)
    }

    /// Opens a span of reasoning with an id of the caller's.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn reasoning_with_id(
        &mut self,
        id: impl Into<MessageId>,
    ) -> Result<ReasoningHandle<'_, S>> {
        ReasoningHandle::open(&self.sink, &mut self.state, id.into())
    }

    /// Thinks one whole thought. Returns its id.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn think(&mut self, text: impl AsRef<str>) -> Result<MessageId> {
        let mut reasoning = self.reasoning()?;
        reasoning.delta(text)?;
        reasoning.end()
    }

    /// Opens a step. The guard stands for the context until the step is finished.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn step(&mut self, name: impl Into<String>) -> Result<StepGuard<'_, S>> {
        StepGuard::open(self, name.into())
    }

    /// Starts a subagent. The scope stands for the context, and what is emitted through it is
    /// attributed to the subagent; one started inside names it as its parent.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn subagent(&mut self, name: impl Into<String>) -> Result<SubagentScope<'_, S>> {
        let id = self.sink.next_subagent_id();
        self.subagent_from(SubagentStartedEvent::new(id, name))
    }

    /// Starts a subagent with that event, which may say what it is for and who called it.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn subagent_from(&mut self, start: SubagentStartedEvent) -> Result<SubagentScope<'_, S>> {
        SubagentScope::open(self, start)
    }

    /// Starts subagents that work at the same time.
    pub fn subagents(&mut self) -> Subagents<'_, S> {
        Subagents::new(&self.sink, Arc::clone(&self.input), &mut self.state)
    }

    /// Shows an activity: progress for the user that never goes back to the model. Its content is
    /// an object.
    ///
    /// # Errors
    /// [`Error::ActivityContent`](super::Error::ActivityContent); when the content has no JSON
    /// form; else as [`Self::assistant_message`].
    pub fn activity(
        &mut self,
        activity_type: impl Into<String>,
        content: &(impl Serialize + ?Sized),
    ) -> Result<Activity> {
        let id = self.sink.next_activity_id();
        self.activity_with_id(id, activity_type, content)
    }

    /// Shows an activity with an id of the caller's. An id that was shown before, also in an
    /// earlier run, gets the new content.
    ///
    /// # Errors
    /// As [`Self::activity`].
    pub fn activity_with_id(
        &mut self,
        id: impl Into<MessageId>,
        activity_type: impl Into<String>,
        content: &(impl Serialize + ?Sized),
    ) -> Result<Activity> {
        Activity::show(&self.sink, id.into(), activity_type.into(), content)
    }

    /// Replaces the conversation that the interface holds.
    ///
    /// # Errors
    /// As [`Self::assistant_message`].
    pub fn messages_snapshot(&mut self, messages: Vec<Message>) -> Result<()> {
        self.sink.emit(Event::messages_snapshot(messages))
    }

    /// Adds to the tokens that the terminal event reports, an entry per provider and model.
    pub fn add_usage(&mut self, usage: TokenUsage) {
        self.sink.add_usage(usage);
    }

    /// Sets what the run returns when it succeeds.
    ///
    /// # Errors
    /// When the result has no JSON form.
    pub fn set_result(&mut self, result: &(impl Serialize + ?Sized)) -> Result<()> {
        self.sink.set_result(serde_json::to_value(result)?);
        Ok(())
    }

    open_handle!();
}
