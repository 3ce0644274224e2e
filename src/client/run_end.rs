//! How a run ended.

use serde_json::Value;

use super::Error;
use crate::{Interrupt, RunErrorEvent, RunFinishedEvent, RunOutcome, ToolCallId};

/// Code of a run that was cancelled, by the agent or by this side.
pub const CANCELLED: &str = "CANCELLED";

/// How a run ended. There is no fourth way.
///
/// ```
/// use ag_ui::client::RunEnd;
///
/// fn prompt(end: &RunEnd) -> String {
///     match end {
///         RunEnd::Success { .. } => "What next?".to_owned(),
///         RunEnd::Interrupted { interrupts } => format!("{} questions", interrupts.len()),
///         RunEnd::Failed { message, .. } => format!("It failed: {message}"),
///     }
/// }
///
/// let end = RunEnd::Failed { message: "no connection".to_owned(), code: None };
/// assert_eq!(prompt(&end), "It failed: no connection");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a run that ends in a new way must not go unnoticed")]
pub enum RunEnd {
    /// The agent said that it did what it was asked for.
    Success {
        /// What it answers beside its messages.
        result: Option<Value>,
        /// Tool calls that it leaves to this side.
        pending_tool_calls: Vec<ToolCallId>,
    },
    /// The run waits for answers. The next one has to bring them.
    Interrupted {
        /// What is asked.
        interrupts: Vec<Interrupt>,
    },
    /// The agent, or the way to it, failed; or the run was cancelled.
    Failed {
        /// What went wrong.
        message: String,
        /// What kind of failure it is: of [`Error::code`], or of the agent.
        code: Option<String>,
    },
}

impl RunEnd {
    /// Whether the run was cancelled: by the agent, as it says, or by this side.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Failed { code: Some(code), .. } if code == CANCELLED)
    }

    /// Whether the agent said that it did what it was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Success { .. })
    }

    pub(super) fn finished(event: &RunFinishedEvent, pending: Vec<ToolCallId>) -> Self {
        match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => {
                Self::Interrupted { interrupts: outcome.interrupts.clone() }
            }
            Some(RunOutcome::Cancelled(_)) => Self::Failed {
                message: "the agent cancelled the run".to_owned(),
                code: Some(CANCELLED.to_owned()),
            },
            _ => Self::Success { result: event.result.clone(), pending_tool_calls: pending },
        }
    }
}

impl From<&RunErrorEvent> for RunEnd {
    fn from(event: &RunErrorEvent) -> Self {
        Self::Failed { message: event.message.clone(), code: event.code.clone() }
    }
}

impl From<&Error> for RunEnd {
    fn from(error: &Error) -> Self {
        Self::Failed { message: error.to_string(), code: Some(error.code().to_owned()) }
    }
}
