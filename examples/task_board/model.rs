//! The agent that a model drives.

use std::collections::BTreeMap;

use ag_ui::server::{Agent, Result, RunContext, ToolCalls};
use ag_ui::{RunOutcome, ToolCallId};
use serde_json::Value;

use super::approval::Asking;
use super::board::Board;
use super::chat::{ChatError, ChatModel};
use super::history::{answer, calling, conversation};
use super::opening::open;
use super::reply::{CallPiece, Piece, Reply};
use super::tools::{self, ToolError};
use super::voice::Voice;

/// Replies in one run. A model that keeps calling tools is stopped.
const TURNS: usize = 8;

/// Lets a model decide what to do. Whether the board is cleared is still decided by the user.
pub(crate) struct ModelBoard {
    pub(crate) model: ChatModel,
    pub(crate) voice: Voice,
    pub(crate) asking: Asking,
}

/// What a reply of the model came to.
#[derive(Default)]
struct Turn {
    text: String,
    calls: Vec<(ToolCallId, String, String)>,
    answers: Vec<Value>,
    /// The call that waits for the user.
    to_approve: Option<ToolCallId>,
}

impl Agent for ModelBoard {
    type State = Board;

    async fn run(&self, context: &mut RunContext<Board>) -> Result<RunOutcome> {
        if let Some(outcome) = open(context, self.voice, self.asking).await? {
            return Ok(outcome);
        }
        let mut messages = conversation(context);
        for _ in 0..TURNS {
            let turn = self.turn(context, &messages).await?;
            if let Some(call) = turn.to_approve {
                return self.asking.ask(context, call);
            }
            if turn.calls.is_empty() {
                return Ok(RunOutcome::success());
            }
            messages.push(calling(&turn.text, &turn.calls));
            messages.extend(turn.answers);
        }
        Err(ChatError::TooManyTurns(TURNS).into())
    }
}

impl ModelBoard {
    /// Passes one reply of the model on and carries out what it calls for.
    async fn turn(&self, context: &mut RunContext<Board>, messages: &[Value]) -> Result<Turn> {
        let mut reply = self.model.ask(messages).await?;
        let mut turn = Turn::default();
        let mut next = reply.next().await?;
        while let Some(piece) = next {
            next = match piece {
                Piece::Text(first) => relay_text(context, &mut reply, first, &mut turn).await?,
                Piece::Thought(first) => relay_thought(context, &mut reply, first).await?,
                Piece::Call(first) => relay_calls(context, &mut reply, first, &mut turn).await?,
            };
        }
        if let Some(usage) = reply.usage(self.model.name()) {
            context.add_usage(usage);
        }
        Ok(turn)
    }
}

/// Streams one message, and returns the piece behind it. So do its siblings.
async fn relay_text(
    context: &mut RunContext<Board>,
    reply: &mut Reply,
    first: String,
    turn: &mut Turn,
) -> Result<Option<Piece>> {
    let mut message = context.assistant_message()?;
    let mut next = Some(Piece::Text(first));
    while let Some(Piece::Text(text)) = next {
        message.delta(&text)?;
        turn.text.push_str(&text);
        next = reply.next().await?;
    }
    message.end()?;
    Ok(next)
}

async fn relay_thought(
    context: &mut RunContext<Board>,
    reply: &mut Reply,
    first: String,
) -> Result<Option<Piece>> {
    let mut reasoning = context.reasoning()?;
    let mut next = Some(Piece::Thought(first));
    while let Some(Piece::Thought(text)) = next {
        reasoning.delta(&text)?;
        next = reply.next().await?;
    }
    reasoning.end()?;
    Ok(next)
}

async fn relay_calls(
    context: &mut RunContext<Board>,
    reply: &mut Reply,
    first: CallPiece,
    turn: &mut Turn,
) -> Result<Option<Piece>> {
    let mut calls = context.tool_calls();
    let mut names = BTreeMap::new();
    let mut next = Some(Piece::Call(first));
    while let Some(Piece::Call(CallPiece { index, id, function })) = next {
        if !calls.contains(&index) {
            let name = function.name.ok_or(ChatError::StrayCall(index))?;
            match id {
                Some(id) => calls.start_with_id(index, id, &name)?,
                None => calls.start(index, &name)?,
            };
            names.insert(index, name);
        }
        calls.args(&index, function.arguments.unwrap_or_default())?;
        next = reply.next().await?;
    }
    for (index, name) in names {
        carry_out(&mut calls, index, name, turn)?;
    }
    Ok(next)
}

/// Carries out a call. A mistake of the model is told to the model, which may do better.
fn carry_out(
    calls: &mut ToolCalls<'_, Board, u32>,
    index: u32,
    name: String,
    turn: &mut Turn,
) -> Result<()> {
    let Some(id) = calls.id(&index).cloned() else { return Ok(()) };
    // Models leave out what has no content.
    let arguments = calls.raw_args(&index).filter(|text| !text.is_empty()).unwrap_or("{}");
    let arguments = arguments.to_owned();
    let done = tools::run(calls.state_mut(), &name, &arguments);
    turn.calls.push((id.clone(), name, arguments));
    let told = match done {
        Ok(done) => done,
        Err(ToolError::NeedsApproval) if turn.to_approve.is_none() => {
            turn.to_approve = Some(id);
            return calls.end_args(&index);
        }
        Err(error) => format!("That did not work: {error}."),
    };
    calls.publish_state()?;
    turn.answers.push(answer(&id, &told));
    calls.result(&index, told)?;
    Ok(())
}
