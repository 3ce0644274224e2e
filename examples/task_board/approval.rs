//! The question before the board is cleared, and what comes of the answer.
//!
//! The run that asks ends as interrupted. A later run brings the answer; what was asked is in the
//! state, so that run can be served by any process.

use std::time::{Duration, SystemTime};

use ag_ui::server::{Result, RunContext};
use ag_ui::{Interrupt, InterruptId, Message, ResumeStatus, RunOutcome, ToolCallId};
use humantime::{format_rfc3339_seconds, parse_rfc3339_weak};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};

use super::board::Board;
use super::voice::Voice;

/// A question that waits for its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Approval {
    pub(crate) interrupt_id: InterruptId,
    /// The call of `clear_board` that is answered once the user has decided.
    pub(crate) tool_call_id: ToolCallId,
    pub(crate) expires_at: String,
}

/// Whether the user approves.
#[derive(Deserialize, JsonSchema)]
struct Answer {
    /// True to clear the board.
    approved: bool,
}

/// How the user is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    pub(crate) now: fn() -> SystemTime,
    /// How long an answer is accepted.
    pub(crate) patience: Duration,
}

impl Default for Asking {
    fn default() -> Self {
        Self { now: SystemTime::now, patience: Duration::from_secs(10 * 60) }
    }
}

enum Verdict {
    Approved,
    Declined,
    Expired,
    Unreadable(serde_json::Error),
    Missing,
}

impl Approval {
    fn expired(&self, now: SystemTime) -> bool {
        // A time that cannot be read sets no limit, as the protocol says.
        parse_rfc3339_weak(&self.expires_at).is_ok_and(|end| end <= now)
    }

    fn verdict(&self, context: &RunContext<Board>, now: SystemTime) -> Verdict {
        let expired = self.expired(now);
        match context.resume_for(&self.interrupt_id) {
            Some(entry) if entry.status == ResumeStatus::Cancelled => Verdict::Declined,
            _ if expired => Verdict::Expired,
            Some(entry) => match Answer::deserialize(entry.payload.clone().unwrap_or_default()) {
                Ok(Answer { approved: true }) => Verdict::Approved,
                Ok(Answer { approved: false }) => Verdict::Declined,
                Err(error) => Verdict::Unreadable(error),
            },
            None => Verdict::Missing,
        }
    }

    fn outcome(&self, board: &Board) -> RunOutcome {
        let question = match board.tasks().count() {
            1 => "May I take the one task off the board?".to_owned(),
            count => format!("May I take all {count} tasks off the board?"),
        };
        let mut interrupt = Interrupt::new(&self.interrupt_id, "confirmation")
            .with_message(question)
            .with_tool_call_id(&self.tool_call_id)
            .with_expires_at(&self.expires_at);
        interrupt.response_schema = schema_for!(Answer).as_object().cloned();
        RunOutcome::interrupt(vec![interrupt])
    }
}

impl Asking {
    /// Ends the run with the question whether the board may be cleared.
    pub(crate) fn ask(
        self,
        context: &mut RunContext<Board>,
        call: ToolCallId,
    ) -> Result<RunOutcome> {
        let approval = Approval {
            interrupt_id: InterruptId::new(format!("clear-{call}")),
            tool_call_id: call,
            expires_at: format_rfc3339_seconds((self.now)() + self.patience).to_string(),
        };
        let outcome = approval.outcome(context.state());
        context.update_state(|board| board.approval = Some(approval))?;
        Ok(outcome)
    }

    /// Deals with the question that an earlier run has asked, and with answers to none. Returns the
    /// outcome if that is all there is to this run.
    pub(crate) async fn settle(
        self,
        context: &mut RunContext<Board>,
        voice: Voice,
    ) -> Result<Option<RunOutcome>> {
        let refused = refuse_strangers(context, voice).await?;
        let Some(approval) = context.state().approval.clone() else {
            return Ok((refused && !user_spoke_last(context)).then(RunOutcome::success));
        };
        let verdict = approval.verdict(context, (self.now)());
        let mut step = context.step("approval")?;
        let told = match verdict {
            Verdict::Approved => match step.state_mut().clear() {
                1 => "The board is clear: one task is gone.".to_owned(),
                count => format!("The board is clear: {count} tasks are gone."),
            },
            Verdict::Declined => "The board stays as it is: clearing was declined.".to_owned(),
            Verdict::Expired => "The board stays as it is: the time to approve is over.".to_owned(),
            Verdict::Unreadable(error) => {
                let told = format!("That answer cannot be read: {error}. The question stays open.");
                voice.say(&mut step, &told).await?;
                return Ok(Some(approval.outcome(step.state())));
            }
            Verdict::Missing => {
                voice.say(&mut step, "First answer the question that is open.").await?;
                return Ok(Some(approval.outcome(step.state())));
            }
        };
        close(&mut step, &approval, voice, &told).await?;
        Ok((!user_spoke_last(&step)).then(RunOutcome::success))
    }
}

/// Answers to questions that are not open change nothing. The user is told so.
async fn refuse_strangers(context: &mut RunContext<Board>, voice: Voice) -> Result<bool> {
    let open = context.state().approval.as_ref().map(|approval| approval.interrupt_id.clone());
    let answered = context.input().resume.iter().flatten();
    let strangers: Vec<_> = answered
        .filter(|entry| Some(&entry.interrupt_id) != open.as_ref())
        .map(|entry| format!("“{}”", entry.interrupt_id))
        .collect();
    if strangers.is_empty() {
        return Ok(false);
    }
    let told =
        format!("No question {} is open, so its answer changes nothing.", strangers.join(", "));
    voice.say(context, &told).await?;
    Ok(true)
}

/// Closes the question: publishes the board without it, and answers the call that led to it.
async fn close(
    context: &mut RunContext<Board>,
    approval: &Approval,
    voice: Voice,
    told: &str,
) -> Result<()> {
    context.update_state(|board| board.approval = None)?;
    let history = context.messages().to_vec();
    if history.iter().any(|message| makes(message, &approval.tool_call_id)) {
        // The call was made in an earlier run. With it the stream can be understood alone.
        context.messages_snapshot(history)?;
        context.tool_result(&approval.tool_call_id, told)?;
    }
    voice.say(context, told).await
}

fn makes(message: &Message, call: &ToolCallId) -> bool {
    let Message::Assistant(message) = message else { return false };
    message.tool_calls.iter().flatten().any(|made| made.id == *call)
}

fn user_spoke_last(context: &RunContext<Board>) -> bool {
    matches!(context.messages().last(), Some(Message::User(_)))
}
