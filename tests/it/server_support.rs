//! Running agents to their end.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use ag_ui::server::{Agent, AgentState, Result, Run, RunContext, run};
use ag_ui::{Event, EventType, Message, RunAgentInput, RunOutcome};
use futures_executor::block_on;
use futures_util::StreamExt;

/// An agent without awaits, so that a test reads in one place.
pub(crate) struct Script<S>(fn(&mut RunContext<S>) -> Result<RunOutcome>);

pub(crate) fn script<S>(run: fn(&mut RunContext<S>) -> Result<RunOutcome>) -> Script<S> {
    Script(run)
}

impl<S: AgentState> Agent for Script<S> {
    type State = S;

    async fn run(&self, context: &mut RunContext<S>) -> Result<RunOutcome> {
        (self.0)(context)
    }
}

pub(crate) fn input(text: &str) -> RunAgentInput {
    RunAgentInput::new("t-1", "r-1", vec![Message::user("m-1", text)])
}

pub(crate) fn collect(run: Run) -> Vec<Event> {
    block_on(run.map(Result::unwrap).collect())
}

pub(crate) fn events_of(agent: impl Agent + 'static) -> Vec<Event> {
    collect(run(agent, input("hello")))
}

pub(crate) fn types(events: &[Event]) -> Vec<EventType> {
    events.iter().map(Event::event_type).collect()
}

/// The events as JSON text, for exact comparison.
pub(crate) fn lines(events: &[Event]) -> Vec<String> {
    events.iter().map(ag_ui::encode::to_json).collect()
}

/// The events in short: type, and whose they are.
pub(crate) fn outline(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match event.subagent_run_id() {
        Some(owner) => format!("{} @{owner}", event.event_type()),
        None => event.event_type().to_string(),
    };
    events.iter().map(line).collect()
}

/// What a piece of an agent emits.
pub(crate) fn emitted<S: AgentState>(
    piece: impl FnOnce(&mut RunContext<S>) -> Result<()>,
) -> Vec<Event> {
    let (mut context, events) = RunContext::new(RunAgentInput::new("t", "r", vec![])).unwrap();
    piece(&mut context).unwrap();
    events.drain()
}

/// Gives everything else its turn, once.
pub(crate) fn pause() -> impl Future<Output = ()> + Send + Unpin {
    let mut paused = false;
    futures_util::future::poll_fn(move |task| {
        if std::mem::replace(&mut paused, true) {
            return Poll::Ready(());
        }
        task.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Says one word, then waits until it is dropped, which sets the flag.
pub(crate) struct Waiting(pub(crate) Arc<AtomicBool>);

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Agent for Waiting {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        let _guard = SetOnDrop(Arc::clone(&self.0));
        let mut message = context.assistant_message()?;
        message.delta("wait")?;
        std::future::pending::<()>().await;
        unreachable!("nothing wakes it");
    }
}
