//! Running agents to their end.

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
