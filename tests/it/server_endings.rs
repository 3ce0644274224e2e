//! However a run ends, its stream is whole: one start, one end, everything closed in between.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ag_ui::EventType::*;
use ag_ui::server::{Activity, Agent, Error, Result, RunContext, Runner, agent_fn, run};
use ag_ui::{Event, EventType, Interrupt, RunOutcome};
use futures_executor::block_on;
use futures_util::StreamExt;
use serde_json::json;

use crate::server_support::{collect, input, lines, pause, types};

/// Has something of everything open, and awaits in every depth.
struct Busy {
    /// Counts down at each await; at zero the agent fails in the way that follows.
    fuse: AtomicUsize,
    how: fn() -> Result<()>,
}

impl Busy {
    async fn rest(&self) -> Result<()> {
        if self.fuse.fetch_sub(1, Ordering::SeqCst) == 1 {
            return (self.how)();
        }
        pause().await;
        Ok(())
    }
}

/// Awaits of a run of [`Busy`].
const AWAITS: usize = 9;

impl Agent for Busy {
    type State = Vec<u32>;

    async fn run(&self, context: &mut RunContext<Vec<u32>>) -> Result<RunOutcome> {
        self.rest().await?;
        let mut step = context.step("plan")?;
        self.rest().await?;
        let mut reasoning = step.reasoning()?;
        reasoning.delta("hm")?;
        self.rest().await?;
        reasoning.end()?;
        let mut subagent = step.subagent("helper")?;
        self.rest().await?;
        let mut inner = subagent.step("look")?;
        let mut message = inner.assistant_message()?;
        message.delta("I look.")?;
        self.rest().await?;
        message.update_state(|state| state.push(1))?;
        drop(message);
        drop(inner);
        let mut calls = subagent.tool_calls();
        calls.start(1, "a")?;
        calls.start(2, "b")?;
        calls.args(&1, "{}")?;
        self.rest().await?;
        calls.result(&1, "done")?;
        self.rest().await?;
        drop(calls);
        subagent.finish()?;
        step.finish();
        let subagents = context.subagents();
        let mut first = subagents.start("one")?;
        let second = subagents.start("two")?;
        let mut message = first.assistant_message()?;
        message.delta("We look.")?;
        self.rest().await?;
        message.end()?;
        second.finish()?;
        self.rest().await?;
        first.finish()?;
        Ok(RunOutcome::interrupt(vec![Interrupt::new("i-1", "approval")]))
    }
}

/// Everything that was opened, by its closing event; what is left is not closed.
fn left_open(events: &[Event]) -> Vec<String> {
    let mut open = Vec::new();
    let close = |open: &mut Vec<String>, block: String| {
        let place = open.iter().position(|open| *open == block);
        open.remove(place.unwrap_or_else(|| panic!("{block} is not open")));
    };
    for event in events {
        match event {
            Event::StepStarted(event) => open.push(format!("step {}", event.step_name)),
            Event::StepFinished(event) => close(&mut open, format!("step {}", event.step_name)),
            Event::TextMessageStart(event) => open.push(format!("text {}", event.message_id)),
            Event::TextMessageEnd(event) => close(&mut open, format!("text {}", event.message_id)),
            Event::ReasoningStart(event) => open.push(format!("span {}", event.message_id)),
            Event::ReasoningEnd(event) => close(&mut open, format!("span {}", event.message_id)),
            Event::ReasoningMessageStart(event) => {
                open.push(format!("thought {}", event.message_id));
            }
            Event::ReasoningMessageEnd(event) => {
                close(&mut open, format!("thought {}", event.message_id));
            }
            Event::ToolCallStart(event) => open.push(format!("call {}", event.tool_call_id)),
            Event::ToolCallEnd(event) => close(&mut open, format!("call {}", event.tool_call_id)),
            Event::SubagentStarted(event) => open.push(format!("sub {}", event.subagent_run_id)),
            Event::SubagentFinished(event) => {
                close(&mut open, format!("sub {}", event.subagent_run_id));
            }
            Event::SubagentError(event) => {
                close(&mut open, format!("sub {}", event.subagent_run_id));
            }
            _ => {}
        }
    }
    open
}

#[track_caller]
fn assert_whole(events: &[Event]) {
    let is = |event: &Event, what: &[EventType]| what.contains(&event.event_type());
    assert!(is(&events[0], &[RunStarted]), "{events:?}");
    assert!(is(&events[events.len() - 1], &[RunFinished, RunError]), "{events:?}");
    let ends = events.iter().filter(|event| is(event, &[RunStarted, RunFinished, RunError]));
    assert_eq!(ends.count(), 2, "{:?}", types(events));
    assert_eq!(left_open(events), [""; 0], "{:?}", types(events));
}

fn busy(fuse: usize, how: fn() -> Result<()>) -> Busy {
    Busy { fuse: AtomicUsize::new(fuse), how }
}

#[test]
fn a_run_that_goes_well_awaits_as_often_as_the_tests_below_assume() {
    let agent = Arc::new(busy(100, || Ok(())));
    let events = collect(run(Arc::clone(&agent), input("x")));
    assert_whole(&events);
    assert_eq!(agent.fuse.load(Ordering::SeqCst), 100 - AWAITS);
    let last = lines(&events).pop().unwrap();
    assert!(last.contains(r#""outcome":{"type":"interrupt""#), "{last}");
}

#[test]
fn an_error_at_any_await_is_the_end() {
    for fuse in 1..=AWAITS {
        let events = collect(run(busy(fuse, || Err(Error::agent("no power"))), input("x")));
        assert_whole(&events);
        let last = lines(&events).pop().unwrap();
        let expected = r#"{"type":"RUN_ERROR","message":"no power","code":"AGENT_ERROR"}"#;
        assert_eq!(last, expected, "await {fuse}");
    }
}

#[test]
fn a_panic_at_any_await_is_the_end() {
    for fuse in 1..=AWAITS {
        let events = collect(run(busy(fuse, || panic!("the agent is broken")), input("x")));
        assert_whole(&events);
        assert_eq!(events.last().unwrap().event_type(), RunError, "await {fuse}");
    }
}

#[test]
fn cancellation_at_any_event_is_the_end() {
    let whole = collect(run(busy(100, || Ok(())), input("x"))).len();
    for read in 0..whole {
        let mut run = run(busy(100, || Ok(())), input("x"));
        let token = run.cancellation_token();
        let events = block_on(async {
            let mut events = Vec::new();
            for _ in 0..read {
                events.push(run.next().await.unwrap().unwrap());
            }
            token.cancel();
            while let Some(event) = run.next().await {
                events.push(event.unwrap());
            }
            events
        });
        assert_whole(&events);
        let last = lines(&events).pop().unwrap();
        // Behind the last await come the end of a subagent and, in the same poll, of the run.
        let expected = if read + 1 < whole { "cancelled" } else { "interrupt" };
        assert!(last.contains(expected), "after {read} of {whole} events: {last}");
    }
}

#[test]
fn cancellation_during_any_await_is_the_end() {
    for fuse in 1..=AWAITS {
        let agent = Arc::new(busy(100, || Ok(())));
        let mut run = run(Arc::clone(&agent), input("x"));
        let token = run.cancellation_token();
        let events = block_on(async {
            let mut events = Vec::new();
            while agent.fuse.load(Ordering::SeqCst) > 100 - fuse {
                events.push(run.next().await.unwrap().unwrap());
            }
            token.cancel();
            while let Some(event) = run.next().await {
                events.push(event.unwrap());
            }
            events
        });
        assert_whole(&events);
        assert_eq!(events.last().unwrap().event_type(), RunFinished, "await {fuse}");
    }
}

#[test]
fn a_reader_that_leaves_after_any_event_drops_the_agent_and_cancels() {
    let whole = collect(run(busy(100, || Ok(())), input("x"))).len();
    for read in 0..whole {
        let agent = Arc::new(busy(100, || Ok(())));
        let mut run = run(Arc::clone(&agent), input("x"));
        let token = run.cancellation_token();
        block_on(async {
            for _ in 0..read {
                run.next().await.unwrap().unwrap();
            }
        });
        drop(run);
        assert_eq!(Arc::strong_count(&agent), 1, "after {read} of {whole} events");
        // When everything was emitted, the run had ended by itself.
        if read + 1 < whole {
            assert!(token.is_cancelled(), "after {read} of {whole} events");
        }
    }
}

/// Panics when it is dropped.
struct Fragile;

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "a destructor is broken");
    }
}

#[test]
fn a_destructor_that_panics_does_not_cost_the_end() {
    let agent = agent_fn(async |context: &mut RunContext<()>| {
        let _fragile = Fragile;
        let _message = context.assistant_message()?;
        std::future::pending().await
    });
    let mut run = run(agent, input("x"));
    let token = run.cancellation_token();
    let events = block_on(async {
        let mut events =
            vec![run.next().await.unwrap().unwrap(), run.next().await.unwrap().unwrap()];
        token.cancel();
        while let Some(event) = run.next().await {
            events.push(event.unwrap());
        }
        events
    });
    assert_whole(&events);
    assert_eq!(events.last().unwrap().event_type(), RunError);
}

#[test]
fn what_is_emitted_from_outside_wakes_the_reader() {
    let (sender, receiver) = std::sync::mpsc::channel::<Activity>();
    let sender = Mutex::new(sender);
    struct Shows(Mutex<std::sync::mpsc::Sender<Activity>>);
    impl Agent for Shows {
        type State = ();

        async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
            let activity = context.activity("PLAN", &json!({ "done": 0 }))?;
            self.0.lock().unwrap().send(activity).unwrap();
            context.cancelled().await;
            Ok(RunOutcome::cancelled())
        }
    }
    let run = run(Shows(sender), input("x"));
    let token = run.cancellation_token();
    let outside = std::thread::spawn(move || {
        let mut activity = receiver.recv().unwrap();
        activity.update(&json!({ "done": 1 })).unwrap();
        activity
    });
    let events = block_on(
        run.map(Result::unwrap)
            .inspect(|event| {
                // The last of both: without the wake-up it would never be read.
                if lines(std::slice::from_ref(event))[0].contains(r#""done":1"#) {
                    token.cancel();
                }
            })
            .collect::<Vec<_>>(),
    );
    assert_whole(&events);
    let mut activity = outside.join().unwrap();
    assert!(matches!(activity.update(&json!({})), Err(Error::Ended)));
}

#[test]
fn an_agent_that_only_emits_waits_for_its_reader() {
    let agent = agent_fn(async |context: &mut RunContext<()>| {
        let mut message = context.assistant_message()?;
        for _ in 0..1_000 {
            message.delta("on and on ")?;
            message.flushed().await;
        }
        drop(message);
        Ok(RunOutcome::success())
    });
    let limits = ag_ui::server::QueueLimits::default().with_events(3);
    let events = collect(Runner::new(agent).queue_limits(limits).run(input("x")));
    assert_whole(&events);
    assert_eq!(events.len(), 1_000 + 4);
}

#[test]
fn a_run_is_not_cancelled_by_its_own_end() {
    let seen = Arc::new(AtomicBool::new(false));
    let watched = Arc::clone(&seen);
    let run = run(busy(100, || Ok(())), input("x"));
    let token = run.cancellation_token();
    collect(run);
    watched.store(token.is_cancelled(), Ordering::SeqCst);
    assert!(!seen.load(Ordering::SeqCst));
}
