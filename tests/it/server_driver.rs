//! The driver: a stream begins with `RUN_STARTED` and has exactly one terminal event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ag_ui::EventType::*;
use ag_ui::server::{Agent, BoxAgent, Error, QueueLimits, Result, RunContext, Runner, run};
use ag_ui::{Event, EventType, Interrupt, RunAgentInput, RunOutcome, TextMessageRole, TokenUsage};
use futures_executor::block_on;
use futures_util::StreamExt;
use serde_json::json;

use crate::server_support::{Waiting, collect, events_of, input, lines, pause, script, types};

fn terminal(events: &[Event]) -> &Event {
    let is_terminal =
        |event: &&Event| matches!(event.event_type(), EventType::RunFinished | EventType::RunError);
    assert_eq!(events.iter().filter(is_terminal).count(), 1, "{events:?}");
    let last = events.last().unwrap();
    assert!(is_terminal(&last), "{events:?}");
    last
}

#[track_caller]
fn failed_with(events: &[Event], code: &str, message: &str) {
    let Event::RunError(error) = terminal(events) else { panic!("{events:?}") };
    assert_eq!((error.code.as_deref(), error.message.as_str()), (Some(code), message));
}

#[test]
fn a_run_that_does_nothing_is_whole() {
    let events = events_of(script::<()>(|_| Ok(RunOutcome::success())));
    assert_eq!(
        lines(&events),
        [
            r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1","outcome":{"type":"success"}}"#,
        ]
    );
}

#[test]
fn an_error_in_mid_message_closes_the_message_and_ends_the_run() {
    let events = events_of(script::<()>(|context| {
        let mut message = context.assistant_message()?;
        message.delta("Let me s")?;
        Err(Error::agent("the weather service is down"))
    }));
    assert_eq!(
        types(&events),
        [RunStarted, TextMessageStart, TextMessageContent, TextMessageEnd, RunError]
    );
    failed_with(&events, "AGENT_ERROR", "the weather service is down");
}

#[test]
fn a_panic_is_contained() {
    let events = events_of(script::<()>(|context| {
        let mut step = context.step("plan")?;
        let _message = step.assistant_message()?;
        panic!("a secret that must not travel");
    }));
    assert_eq!(
        types(&events),
        [RunStarted, StepStarted, TextMessageStart, TextMessageEnd, StepFinished, RunError]
    );
    failed_with(&events, "AGENT_ERROR", "the agent panicked");
}

#[test]
fn a_state_that_does_not_fit_is_an_error_of_the_run() {
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    struct Board {
        tasks: Vec<String>,
    }
    let agent = script::<Board>(|_| Ok(RunOutcome::success()));
    let events = collect(run(agent, input("x").with_state(json!({ "tasks": 7 }))));
    failed_with(
        &events,
        "SERIALIZATION",
        "the state of the request does not fit the agent, at /state/tasks: invalid type: integer \
         `7`, expected a sequence",
    );
    for state in [json!(null), json!({})] {
        let agent = script::<Board>(|context| {
            assert!(context.state().tasks.is_empty());
            Ok(RunOutcome::success())
        });
        let events = collect(run(agent, input("x").with_state(state)));
        assert_eq!(types(&events), [RunStarted, RunFinished]);
    }
}

#[test]
fn a_refused_state_is_not_sent_back_in_full() {
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    struct Board {
        tasks: Vec<u32>,
    }
    let agent = script::<Board>(|_| Ok(RunOutcome::success()));
    let state = json!({ "tasks": [1, "x".repeat(100_000)] });
    let events = collect(run(agent, input("x").with_state(state)));
    let Event::RunError(error) = terminal(&events) else { panic!("{events:?}") };
    let start = "the state of the request does not fit the agent, at /state/tasks/1: invalid type";
    assert!(error.message.starts_with(start), "{}", error.message);
    assert!(error.message.chars().count() < 300, "{}", error.message.len());
}

#[test]
fn an_outcome_that_no_peer_may_send_is_refused() {
    let events = events_of(script::<()>(|_| Ok(RunOutcome::interrupt(vec![]))));
    failed_with(&events, "PROTOCOL", "an interrupt outcome needs at least one interrupt");

    let events = events_of(script::<()>(|_| {
        let again = || Interrupt::new("i-1", "approval");
        Ok(RunOutcome::interrupt(vec![again(), again()]))
    }));
    failed_with(&events, "PROTOCOL", "interrupt id `i-1` occurs more than once in one outcome");
}

#[test]
fn an_interrupt_ends_the_run_with_its_outcome() {
    let events = events_of(script::<()>(|context| {
        assert!(!context.is_resume());
        Ok(RunOutcome::interrupt(vec![Interrupt::new("i-1", "approval")]))
    }));
    assert_eq!(
        lines(&events)[1],
        r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1","outcome":{"type":"interrupt","interrupts":[{"id":"i-1","reason":"approval"}]}}"#
    );
}

#[test]
fn calls_without_an_answer_are_listed_as_pending() {
    let events = events_of(script::<()>(|context| {
        context.tool_call("open_map")?.end()?;
        context.tool_call("weather")?.result("sunny")?;
        context.tool_call_with_id("mine", "close_map")?.end()?;
        Ok(RunOutcome::success())
    }));
    let Event::RunFinished(finished) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(
        serde_json::to_value(&finished.outcome).unwrap(),
        json!({ "type": "success", "pendingToolCallIds": ["r-1-call-1", "mine"] })
    );
}

#[test]
fn usage_and_result_go_out_with_the_terminal_event() {
    let events = events_of(script::<()>(|context| {
        context.add_usage(TokenUsage::new().with_model("small").with_input_tokens(7));
        context.set_result(&json!({ "answer": 42 }))?;
        Ok(RunOutcome::success())
    }));
    let Event::RunFinished(finished) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(finished.result, Some(json!({ "answer": 42 })));
    assert_eq!(finished.usage.as_ref().unwrap()[0].input_tokens, Some(7));

    let events = events_of(script::<()>(|context| {
        context.add_usage(TokenUsage::new().with_output_tokens(3));
        Err(Error::agent("stop"))
    }));
    let Event::RunError(error) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(error.usage.as_ref().unwrap()[0].output_tokens, Some(3));
}

#[test]
fn usage_has_an_entry_per_provider_and_model() {
    let events = events_of(script::<()>(|context| {
        let of = |model| TokenUsage::new().with_provider("acme").with_model(model);
        context.add_usage(of("small").with_input_tokens(7));
        context.add_usage(of("large").with_input_tokens(1).with_output_tokens(0));
        context.add_usage(of("small").with_input_tokens(5).with_output_tokens(2));
        context.add_usage(of("large").with_input_tokens(u64::MAX));
        Ok(RunOutcome::success())
    }));
    let Event::RunFinished(finished) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(
        finished.usage.as_deref().unwrap(),
        [
            TokenUsage::new()
                .with_provider("acme")
                .with_model("small")
                .with_input_tokens(12)
                .with_output_tokens(2),
            TokenUsage::new()
                .with_provider("acme")
                .with_model("large")
                .with_input_tokens((1 << 53) - 1)
                .with_output_tokens(0),
        ]
    );
}

#[test]
fn an_agent_without_state_leaves_the_state_of_the_thread_alone() {
    let agent = script::<()>(|_| Ok(RunOutcome::success()));
    let events = collect(run(agent, input("x").with_state(json!({ "tasks": ["tea"] }))));
    assert_eq!(types(&events), [RunStarted, RunFinished]);
}

#[test]
fn cancelling_closes_everything_and_ends_as_cancelled() {
    let dropped = Arc::new(AtomicBool::new(false));
    let runner = Runner::new(Waiting(Arc::clone(&dropped)));
    let token = runner.cancellation_token();
    let mut run = runner.run(input("x"));
    let events = block_on(async {
        let mut events = Vec::new();
        for _ in 0..3 {
            events.push(run.next().await.unwrap().unwrap());
        }
        token.cancel();
        while let Some(event) = run.next().await {
            events.push(event.unwrap());
        }
        events
    });
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(
        types(&events),
        [RunStarted, TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]
    );
    assert_eq!(
        lines(&events)[4],
        r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1","outcome":{"type":"cancelled"}}"#
    );
}

#[test]
fn a_cancelled_run_is_woken_from_another_thread() {
    let dropped = Arc::new(AtomicBool::new(false));
    let run = run(Waiting(Arc::clone(&dropped)), input("x"));
    let token = run.cancellation_token();
    let reader = std::thread::spawn(move || collect(run));
    std::thread::spawn(move || token.cancel()).join().unwrap();
    let events = reader.join().unwrap();
    let Event::RunFinished(finished) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(finished.outcome, Some(RunOutcome::cancelled()));
    assert!(dropped.load(Ordering::SeqCst) || types(&events) == [RunStarted, RunFinished]);
}

#[test]
fn an_emit_after_cancellation_fails() {
    let events = events_of(script::<()>(|context| {
        context.cancellation_token().cancel();
        assert!(context.is_cancelled());
        let error = context.say("too late").unwrap_err();
        assert!(error.is_cancelled(), "{error}");
        context.check_cancelled()?;
        unreachable!("the check fails");
    }));
    assert_eq!(types(&events), [RunStarted, RunFinished]);
}

#[test]
fn dropping_the_stream_drops_the_agent() {
    let dropped = Arc::new(AtomicBool::new(false));
    let mut run = run(Waiting(Arc::clone(&dropped)), input("x"));
    block_on(async {
        for _ in 0..3 {
            run.next().await.unwrap().unwrap();
        }
    });
    assert!(!dropped.load(Ordering::SeqCst));
    drop(run);
    assert!(dropped.load(Ordering::SeqCst));
}

#[test]
fn an_agent_that_never_awaits_meets_the_limit() {
    let agent = script::<()>(|context| {
        let mut message = context.assistant_message()?;
        loop {
            message.delta("on and on ")?;
        }
    });
    let limits = QueueLimits::default().with_events(10);
    let events = collect(Runner::new(agent).queue_limits(limits).run(input("x")));
    let Event::RunError(error) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(error.code.as_deref(), Some("OVERFLOW"));
    // What was read before the agent began, what fits, the end of the message, and the terminal.
    assert_eq!(events.len(), 1 + 10 + 1 + 1);
    assert_eq!(events[11].event_type(), TextMessageEnd);
}

#[test]
fn the_limit_counts_bytes_too() {
    let agent = script::<()>(|context| {
        context.say("x".repeat(10_000))?;
        context.say("y".repeat(10_000))?;
        Ok(RunOutcome::success())
    });
    let limits = QueueLimits::default().with_bytes(15_000);
    let events = collect(Runner::new(agent).queue_limits(limits).run(input("x")));
    let Event::RunError(error) = terminal(&events) else { panic!("{events:?}") };
    assert_eq!(error.code.as_deref(), Some("OVERFLOW"));
}

/// Counts its polls: one for each piece.
struct Counting(Arc<AtomicUsize>);

impl Agent for Counting {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        for _ in 0..100 {
            self.0.fetch_add(1, Ordering::SeqCst);
            context.say("a")?;
            pause().await;
        }
        Ok(RunOutcome::success())
    }
}

#[test]
fn a_reader_that_stops_stops_the_agent() {
    let polls = Arc::new(AtomicUsize::new(0));
    let mut run = run(Counting(Arc::clone(&polls)), input("x"));
    block_on(async {
        for _ in 0..4 {
            run.next().await.unwrap().unwrap();
        }
    });
    assert_eq!(polls.load(Ordering::SeqCst), 1, "the queue still holds what it emitted");
    // 99 further messages of three events, and the terminal one.
    assert_eq!(collect(run).len(), 99 * 3 + 1);
}

#[test]
fn agents_behind_pointers_are_agents() {
    let agent: BoxAgent<()> = BoxAgent::new(script::<()>(|context| {
        drop(context.message_with_id("m-9", TextMessageRole::System)?);
        Ok(RunOutcome::success())
    }));
    let events = events_of(Arc::new(agent));
    assert_eq!(types(&events), [RunStarted, TextMessageStart, TextMessageEnd, RunFinished]);
}

#[test]
fn the_input_is_echoed_on_request() {
    let input: RunAgentInput = input("x").with_parent_run_id("r-0");
    let runner = Runner::new(script::<()>(|_| Ok(RunOutcome::success()))).echo_input(true);
    let events = collect(runner.run(input.clone()));
    let Event::RunStarted(started) = &events[0] else { panic!("{events:?}") };
    assert_eq!(started.input.as_deref(), Some(&input));
    assert_eq!(started.parent_run_id, Some("r-0".into()));
}
