//! One run of a session, and those that the tools of this side lead to.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::Session;
use crate::cancellation::{CancellationToken, Cancelled};
use crate::client::peer::prepare_input;
use crate::client::pipeline::{Passed, Pipeline};
use crate::client::tools::Running;
use crate::client::transport::{Connecting, Frame, Frames};
use crate::client::update::{ToolCallChange, ToolCallUpdate, Update};
use crate::client::{Error, Result, RunEnd, Warning};
use crate::{ResumeEntry, ToolCallId};

/// The updates of a run, of which the last is [`Update::Done`].
///
/// It borrows the session; between two updates, [`Self::session`] shows what the run has come to.
/// Dropping it stops the run and leaves the session as it is then.
#[must_use = "a run does nothing unless it is polled"]
pub struct RunStream<'session> {
    session: &'session mut Session,
    phase: Phase,
    updates: VecDeque<Update>,
    token: CancellationToken,
    cancelled: Cancelled,
    rounds: usize,
    /// How the last run of the stream ended, as far as one did.
    last: Option<RunEnd>,
    error: Option<Error>,
}

enum Phase {
    Refused(Error),
    Beginning(Vec<ResumeEntry>),
    Connecting(Connecting, Box<Pipeline>),
    Streaming(Frames, Box<Pipeline>),
    Answering(Running),
    Ended,
}

impl<'session> RunStream<'session> {
    pub(super) fn begin(session: &'session mut Session, answers: Vec<ResumeEntry>) -> Self {
        Self::new(session, Phase::Beginning(answers))
    }

    pub(super) fn refused(session: &'session mut Session, error: Error) -> Self {
        Self::new(session, Phase::Refused(error))
    }

    fn new(session: &'session mut Session, phase: Phase) -> Self {
        let token = CancellationToken::new();
        Self {
            session,
            phase,
            updates: VecDeque::new(),
            cancelled: token.cancelled(),
            token,
            rounds: 0,
            last: None,
            error: None,
        }
    }

    /// The next update; `None` after [`Update::Done`].
    pub async fn next(&mut self) -> Option<Update> {
        poll_fn(|context| self.poll_update(context)).await
    }

    /// Lets the run end, and says how it did.
    pub async fn finish(mut self) -> RunEnd {
        loop {
            match self.next().await {
                Some(Update::Done(end)) => return end,
                Some(_) => {}
                None => return self.last.take().unwrap_or(RunEnd::from(&Error::Cancelled)),
            }
        }
    }

    /// The session, with what the run has come to.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.session
    }

    /// Aborts the run from elsewhere: it ends as [`RunEnd::Failed`] with the code `CANCELLED`.
    #[must_use]
    pub fn cancellation_token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Why the run failed, where it was not the agent that said so.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    fn poll_update(&mut self, context: &mut Context<'_>) -> Poll<Option<Update>> {
        loop {
            if let Some(update) = self.updates.pop_front() {
                return Poll::Ready(Some(update));
            }
            if matches!(self.phase, Phase::Ended) {
                return Poll::Ready(None);
            }
            if Pin::new(&mut self.cancelled).poll(context).is_ready() {
                self.fail(Error::Cancelled);
                continue;
            }
            match self.advance(context) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(error)) => self.fail(error),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// Goes one step on, which may bring updates.
    fn advance(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        match std::mem::replace(&mut self.phase, Phase::Ended) {
            Phase::Refused(error) => Poll::Ready(Err(error)),
            Phase::Beginning(answers) => {
                self.connect(answers);
                Poll::Ready(Ok(()))
            }
            Phase::Connecting(mut connecting, pipeline) => {
                match connecting.as_mut().poll(context) {
                    Poll::Ready(Ok(frames)) => {
                        self.phase = Phase::Streaming(frames, pipeline);
                        Poll::Ready(Ok(()))
                    }
                    Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                    Poll::Pending => {
                        self.phase = Phase::Connecting(connecting, pipeline);
                        Poll::Pending
                    }
                }
            }
            Phase::Streaming(mut frames, mut pipeline) => {
                let polled = frames.as_mut().poll_next(context);
                let taken = polled.map(|frame| match frame {
                    Some(Ok(frame)) => self.take(&mut pipeline, frame),
                    Some(Err(error)) => self.after_end(&pipeline, error).map(|()| Taken::EndsHere),
                    None => Ok(Taken::EndsHere),
                });
                match taken {
                    Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                    Poll::Ready(Ok(Taken::EndsHere)) => {
                        Poll::Ready(self.end_of_stream(&mut pipeline))
                    }
                    Poll::Ready(Ok(Taken::GoesOn)) => {
                        self.phase = Phase::Streaming(frames, pipeline);
                        Poll::Ready(Ok(()))
                    }
                    Poll::Pending => {
                        self.phase = Phase::Streaming(frames, pipeline);
                        Poll::Pending
                    }
                }
            }
            Phase::Answering(mut running) => match running.poll(context) {
                Poll::Ready(answers) => {
                    for (tool_call_id, answer) in answers {
                        let message_id = self.session.add_answer(tool_call_id.clone(), answer);
                        let subagent_run_id = None;
                        let result =
                            Update::ToolResult { message_id, tool_call_id, subagent_run_id };
                        self.updates.push_back(result);
                    }
                    self.go_on()
                }
                Poll::Pending => {
                    self.phase = Phase::Answering(running);
                    Poll::Pending
                }
            },
            Phase::Ended => Poll::Ready(Ok(())),
        }
    }

    fn connect(&mut self, answers: Vec<ResumeEntry>) {
        let waiting: Vec<ToolCallId> =
            self.session.conversation.pending_tool_calls().map(|call| call.id.clone()).collect();
        if !waiting.is_empty() {
            self.warn(Warning::Unanswered(waiting));
        }
        let mut input = self.session.input(answers);
        let peer = self.session.settings.peer_version();
        prepare_input(&mut input, peer).into_iter().for_each(|warning| self.warn(warning));
        let pipeline = Pipeline::new(self.session.settings.clone(), input.run_id.as_str());
        let connecting = self.session.transport.run(input);
        self.phase = Phase::Connecting(connecting, Box::new(pipeline));
    }

    fn take(&mut self, pipeline: &mut Pipeline, frame: Frame) -> Result<Taken> {
        let Self { session, updates, last, .. } = self;
        let conversation = &mut session.conversation;
        let mut reduce = |passed| match passed {
            Passed::Warning(warning) => updates.push_back(Update::Warning(warning)),
            Passed::Event(event) => conversation.apply(event, &mut |update| {
                if let Update::RunEnded { end } = &update {
                    *last = Some(end.clone());
                }
                updates.push_back(update);
            }),
        };
        match frame {
            Frame::Json(json) => pipeline.push_json(&json, &mut reduce)?,
            Frame::Event(event) => pipeline.push_event(*event, &mut reduce)?,
        }
        let is_over = self.session.single_run && pipeline.is_ended();
        Ok(if is_over { Taken::EndsHere } else { Taken::GoesOn })
    }

    /// The way back may fail when nothing more had to come.
    fn after_end(&mut self, pipeline: &Pipeline, error: Error) -> Result<()> {
        let is_of_transport =
            matches!(error, Error::Transport(_) | Error::Timeout { .. } | Error::TooLarge { .. });
        if !is_of_transport || !pipeline.is_ended() {
            return Err(error);
        }
        self.warn(Warning::AfterEnd(error.to_string()));
        Ok(())
    }

    fn end_of_stream(&mut self, pipeline: &mut Pipeline) -> Result<()> {
        let Self { session, updates, .. } = self;
        let conversation = &mut session.conversation;
        pipeline.finish(&mut |passed| match passed {
            Passed::Warning(warning) => updates.push_back(Update::Warning(warning)),
            Passed::Event(event) => {
                conversation.apply(event, &mut |update| updates.push_back(update));
            }
        })?;
        let end = self.last.clone().unwrap_or(RunEnd::from(&Error::Truncated { events: 0 }));
        match end {
            RunEnd::Success { .. } => self.run_tools(),
            _ => self.done(end),
        }
        Ok(())
    }

    /// Runs the tools of this side that the agent left calls of.
    fn run_tools(&mut self) {
        let session = &*self.session;
        let calls: Vec<_> = session.conversation.pending_tool_calls().cloned().collect();
        let is_handled = |call: &crate::ToolCall| session.tools.is_handled(&call.function.name);
        let end = self.last.clone();
        if calls.iter().any(is_handled) && self.rounds < session.tool_rounds {
            let calls: Vec<_> = calls
                .iter()
                .filter_map(|call| Some((call.id.clone(), session.tools.run(call)?)))
                .collect();
            for (id, _) in &calls {
                let Some((message_id, _)) = session.messages().tool_call(id.as_str()) else {
                    continue;
                };
                self.updates.push_back(Update::ToolCall(ToolCallUpdate {
                    tool_call_id: id.clone(),
                    message_id: message_id.clone(),
                    subagent_run_id: None,
                    change: ToolCallChange::Running,
                }));
            }
            self.rounds += 1;
            self.phase = Phase::Answering(Running::new(calls));
            return;
        }
        if calls.iter().any(is_handled) {
            self.warn(Warning::ToolRounds { limit: self.session.tool_rounds });
        }
        if let Some(end) = end {
            self.done(end);
        }
    }

    /// The agent goes on when all of its calls are answered; otherwise the rest is the caller's.
    fn go_on(&mut self) -> Poll<Result<()>> {
        let rest: Vec<_> =
            self.session.conversation.pending_tool_calls().map(|call| call.id.clone()).collect();
        match self.last.take() {
            Some(RunEnd::Success { result, .. }) if !rest.is_empty() => {
                self.done(RunEnd::Success { result, pending_tool_calls: rest });
            }
            _ => self.phase = Phase::Beginning(Vec::new()),
        }
        Poll::Ready(Ok(()))
    }

    fn warn(&mut self, warning: Warning) {
        self.updates.push_back(Update::Warning(warning));
    }

    fn fail(&mut self, error: Error) {
        let Self { session, updates, .. } = self;
        session.conversation.abandon(&mut |update| updates.push_back(update));
        let end = RunEnd::from(&error);
        self.error = Some(error);
        self.done(end);
    }

    fn done(&mut self, end: RunEnd) {
        // What the phase holds stops with it: the connection, or the tools.
        self.phase = Phase::Ended;
        self.last = Some(end.clone());
        self.updates.push_back(Update::Done(end));
    }
}

/// What became of a frame.
enum Taken {
    GoesOn,
    EndsHere,
}

impl Stream for RunStream<'_> {
    type Item = Update;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Update>> {
        self.poll_update(context)
    }
}

impl Drop for RunStream<'_> {
    fn drop(&mut self) {
        if !matches!(self.phase, Phase::Ended) {
            self.session.conversation.abandon(&mut |_| {});
        }
    }
}

impl fmt::Debug for RunStream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match &self.phase {
            Phase::Refused(_) => "refused",
            Phase::Beginning(_) => "beginning",
            Phase::Connecting(..) => "connecting",
            Phase::Streaming(..) => "streaming",
            Phase::Answering(_) => "answering",
            Phase::Ended => "ended",
        };
        formatter.debug_struct("RunStream").field("phase", &phase).finish_non_exhaustive()
    }
}
