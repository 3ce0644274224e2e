//! Agents in the same process.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::transport::{Connecting, Frame, Frames, Transport};
use super::{Error, Result};
use crate::RunAgentInput;
use crate::server::{Agent, Run, run};

/// An agent in the same process.
///
/// Its events do not become text. They pass the stages of a client nevertheless.
///
/// ```
/// use ag_ui::client::{InProcess, Session};
/// use ag_ui::RunOutcome;
/// use ag_ui::server::agent_fn;
///
/// let agent = agent_fn(async |context: &mut ag_ui::server::RunContext<()>| {
///     context.say("Hello!")?;
///     Ok(RunOutcome::success())
/// });
/// # futures_executor::block_on(async {
/// let mut session = Session::new(InProcess::new(agent), "t-1");
/// assert!(session.send("Hi").finish().await.is_success());
/// assert_eq!(session.messages().last().unwrap().text().unwrap(), "Hello!");
/// # });
/// ```
#[derive(Debug)]
pub struct InProcess<A>(Arc<A>);

impl<A: Agent + 'static> InProcess<A> {
    /// A transport to that agent.
    pub fn new(agent: A) -> Self {
        Self(Arc::new(agent))
    }
}

impl<A: Agent + 'static> Transport for InProcess<A> {
    fn run(&self, input: RunAgentInput) -> Connecting {
        let run = run(self.0.clone(), input);
        Box::pin(async { Ok(Box::pin(Hosted(run)) as Frames) })
    }
}

struct Hosted(Run);

impl Stream for Hosted {
    type Item = Result<Frame>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = Pin::new(&mut self.0).poll_next(context);
        polled.map(|event| event.map(|event| event.map(Frame::from).map_err(Error::transport)))
    }
}
