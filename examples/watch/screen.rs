//! What a run looks like in a terminal: one line for each thing that happens, and text as it comes.

use std::io::{self, Write};

use ag_ui::client::{
    ActivityChange, ReasoningChange, RunEnd, Session, StateUpdate, StepChange, SubagentUpdate,
    TextChange, ToolCallChange, ToolCallUpdate, Update,
};
use ag_ui::patch::JsonPatchOperation;
use ag_ui::{Message, MessageId, SubagentRunId};
use serde_json::Value;

use crate::text::{line, lines};

/// Where a run is shown.
pub(crate) struct Screen<O, E> {
    out: O,
    errors: E,
    /// The message whose text the cursor stands behind.
    open: Option<MessageId>,
}

impl<O: Write, E: Write> Screen<O, E> {
    pub(crate) fn new(out: O, errors: E) -> Self {
        Self { out, errors, open: None }
    }

    /// Shows one update.
    pub(crate) fn show(&mut self, update: &Update, session: &Session) -> io::Result<()> {
        match update {
            Update::Text(text) => {
                let owner = text.subagent_run_id.as_ref();
                match &text.change {
                    TextChange::Delta(delta) => {
                        let speaker = speaker(session, &text.message_id);
                        self.stream(&text.message_id, &speaker, owner, delta)
                    }
                    TextChange::Ended => self.end_line(),
                    _ => Ok(()),
                }
            }
            Update::Reasoning(reasoning) => {
                let owner = reasoning.subagent_run_id.as_ref();
                match &reasoning.change {
                    ReasoningChange::Delta(delta) => {
                        self.stream(&reasoning.message_id, "thinks", owner, delta)
                    }
                    ReasoningChange::Ended => self.end_line(),
                    _ => Ok(()),
                }
            }
            Update::ToolCall(call) => self.tool_call(call, session),
            Update::ToolResult { message_id, subagent_run_id, .. } => {
                let text = session.messages().get(message_id.as_str()).and_then(Message::text);
                self.line("result", subagent_run_id.as_ref(), &text.unwrap_or_default())
            }
            Update::State(change) => self.state(change, session),
            Update::Messages => {
                let count = session.messages().len();
                self.line("messages", None, &format!("restated, {count} now"))
            }
            Update::Activity(activity) => {
                let Some(Message::Activity(message)) =
                    session.messages().get(activity.message_id.as_str())
                else {
                    return Ok(());
                };
                let what = match &activity.change {
                    ActivityChange::Patched(patch) => operations(patch).join(", "),
                    _ => Value::Object(message.content.clone()).to_string(),
                };
                let text = format!("{}: {what}", message.activity_type);
                self.line("activity", activity.subagent_run_id.as_ref(), &text)
            }
            Update::Step(step) => {
                let done = if step.change == StepChange::Finished { " done" } else { "" };
                let owner = step.subagent_run_id.as_ref();
                self.line("step", owner, &format!("{}{done}", step.name))
            }
            Update::Subagent(subagent) => self.subagent(subagent),
            Update::Custom(event) => {
                let text = format!("{}: {}", event.name, event.value);
                self.line("custom", event.subagent_run_id.as_ref(), &text)
            }
            Update::Raw(event) => {
                self.line("raw", event.subagent_run_id.as_ref(), &event.event.to_string())
            }
            Update::Usage(usage) => {
                let count = |tokens: Option<u64>| {
                    tokens.map_or("?".to_owned(), |tokens| tokens.to_string())
                };
                usage.iter().try_for_each(|usage| {
                    let model = usage.model.as_deref().unwrap_or("model");
                    let (input, output) = (count(usage.input_tokens), count(usage.output_tokens));
                    self.line("usage", None, &format!("{model}: {input} tokens in, {output} out"))
                })
            }
            Update::Warning(warning) => self.warn(&warning.to_string()),
            Update::Done(end) => self.done(end),
            _ => Ok(()),
        }
    }

    /// Says something on a line of its own.
    pub(crate) fn line(
        &mut self,
        what: &str,
        owner: Option<&SubagentRunId>,
        text: &str,
    ) -> io::Result<()> {
        self.end_line()?;
        let text = format!("{what:<9} {}{}", prefix(owner), line(text));
        writeln!(self.out, "{}", text.trim_end())
    }

    pub(crate) fn warn(&mut self, text: &str) -> io::Result<()> {
        self.end_line()?;
        writeln!(self.errors, "warning: {}", line(text))
    }

    fn stream(
        &mut self,
        id: &MessageId,
        speaker: &str,
        owner: Option<&SubagentRunId>,
        delta: &str,
    ) -> io::Result<()> {
        if self.open.as_ref() != Some(id) {
            self.end_line()?;
            write!(self.out, "{:<9} {}", line(speaker), prefix(owner))?;
            self.open = Some(id.clone());
        }
        write!(self.out, "{}", lines(delta))?;
        self.out.flush()
    }

    fn end_line(&mut self) -> io::Result<()> {
        if self.open.take().is_some() {
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn tool_call(&mut self, update: &ToolCallUpdate, session: &Session) -> io::Result<()> {
        let what = match update.change {
            ToolCallChange::Ended => "calls",
            ToolCallChange::Running => "runs",
            _ => return Ok(()),
        };
        let Some((_, call)) = session.messages().tool_call(update.tool_call_id.as_str()) else {
            return Ok(());
        };
        let text = format!("{} {}", call.function.name, call.function.arguments);
        self.line(what, update.subagent_run_id.as_ref(), text.trim_end())
    }

    fn state(&mut self, change: &StateUpdate, session: &Session) -> io::Result<()> {
        match change {
            StateUpdate::Patched(patch) => operations(patch)
                .iter()
                .try_for_each(|operation| self.line("state", None, operation)),
            _ => {
                let state = session.raw_state().map(Value::to_string).unwrap_or_default();
                self.line("state", None, &state)
            }
        }
    }

    fn subagent(&mut self, update: &SubagentUpdate) -> io::Result<()> {
        match update {
            SubagentUpdate::Started(event) => {
                let text = format!("{} begins", event.name);
                self.line("subagent", Some(&event.subagent_run_id), &text)
            }
            SubagentUpdate::Finished(event) => {
                self.line("subagent", Some(&event.subagent_run_id), "ends")
            }
            SubagentUpdate::Failed(event) => {
                let text = format!("fails: {}", event.message);
                self.line("subagent", Some(&event.subagent_run_id), &text)
            }
            _ => Ok(()),
        }
    }

    fn done(&mut self, end: &RunEnd) -> io::Result<()> {
        match end {
            RunEnd::Success { result: Some(result), .. } => {
                self.line("done", None, &result.to_string())
            }
            RunEnd::Success { pending_tool_calls, .. } if !pending_tool_calls.is_empty() => {
                let count = pending_tool_calls.len();
                self.line("waits", None, &format!("for the answers to {count} tool calls"))
            }
            RunEnd::Success { .. } => self.line("done", None, ""),
            RunEnd::Interrupted { interrupts } => {
                let text = format!("for the answers to {} interrupts", interrupts.len());
                self.line("waits", None, &text)
            }
            RunEnd::Failed { message, code } => {
                let code = code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
                self.line("failed", None, &format!("{message}{code}"))
            }
        }
    }
}

fn prefix(owner: Option<&SubagentRunId>) -> String {
    owner.map(|owner| format!("[{}] ", line(owner.as_str()))).unwrap_or_default()
}

fn speaker(session: &Session, id: &MessageId) -> String {
    match session.messages().get(id.as_str()) {
        Some(Message::Assistant(message)) => {
            message.name.clone().unwrap_or_else(|| "agent".to_owned())
        }
        Some(message) => message.role().to_string(),
        None => "agent".to_owned(),
    }
}

/// One line for each operation of a patch.
fn operations(patch: &[JsonPatchOperation]) -> Vec<String> {
    let shown = |operation: &JsonPatchOperation| match operation {
        JsonPatchOperation::Add(change) => format!("add {} {}", change.path, change.value),
        JsonPatchOperation::Remove(change) => format!("remove {}", change.path),
        JsonPatchOperation::Replace(change) => format!("replace {} {}", change.path, change.value),
        JsonPatchOperation::Move(change) => format!("move {} to {}", change.from, change.path),
        JsonPatchOperation::Copy(change) => format!("copy {} to {}", change.from, change.path),
        JsonPatchOperation::Test(change) => format!("test {} {}", change.path, change.value),
        other => format!("{other:?}"),
    };
    patch.iter().map(shown).collect()
}
