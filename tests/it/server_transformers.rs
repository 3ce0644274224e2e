//! What transformers can do to a stream, and what they cannot.

use std::sync::{Arc, Mutex};

use ag_ui::EventType::*;
use ag_ui::server::{Agent, Error, RunContext, Runner};
use ag_ui::transform::{Output, Result, StreamTransformer};
use ag_ui::{Event, EventType, RunOutcome};

use crate::server_support::{Script, collect, input, lines, script, types};

fn transformed<A: Agent + 'static>(
    agent: A,
    transformer: impl StreamTransformer + 'static,
) -> Vec<Event> {
    collect(Runner::new(agent).transformer(transformer).run(input("x")))
}

fn greeter() -> Script<()> {
    script(|context| {
        context.think("hm")?;
        context.say("Hello!")?;
        Ok(RunOutcome::success())
    })
}

/// A transformer that fails at an event of that type, and keeps the event or not.
fn failing_at(at: EventType) -> impl StreamTransformer {
    move |event: Event, output: &mut Output<'_>| {
        if event.event_type() == at {
            return Err("the disk is full".into());
        }
        output.push(event);
        Ok(())
    }
}

/// The message and the code of the error that a stream ends with.
fn error(events: &[Event]) -> (&str, &str) {
    match events.last() {
        Some(Event::RunError(error)) => (&error.message, error.code.as_deref().unwrap()),
        _ => panic!("{:?}", types(events)),
    }
}

fn is_terminal(event: &Event) -> bool {
    matches!(event.event_type(), RunFinished | RunError)
}

#[test]
fn each_sees_what_the_one_before_put_out() {
    let mark = |mark: &'static str| {
        move |mut event: Event, output: &mut Output<'_>| -> Result {
            if let Event::TextMessageContent(content) = &mut event {
                content.delta.push_str(mark);
                output.push(event.clone());
            }
            output.push(event);
            Ok(())
        }
    };
    let runner = Runner::new(greeter()).transformer(mark("1")).transformer(mark("2"));
    let events = collect(runner.run(input("x")));
    let texts: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::TextMessageContent(content) => Some(content.delta.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["Hello!12"; 4]);
}

#[test]
fn a_dropped_block_is_as_good_as_never_emitted() {
    let events = transformed(greeter(), |event: Event, output: &mut Output<'_>| {
        if !event.event_type().as_str().starts_with("REASONING") {
            output.push(event);
        }
        Ok(())
    });
    assert_eq!(
        types(&events),
        [RunStarted, TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]
    );
}

/// Holds all text back until the end.
#[derive(Default)]
struct Latecomer(Vec<Event>);

impl StreamTransformer for Latecomer {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        match event.event_type() {
            TextMessageStart | TextMessageContent | TextMessageEnd => self.0.push(event),
            _ => output.push(event),
        }
        Ok(())
    }

    fn finish(&mut self, output: &mut Output<'_>) -> Result {
        self.0.drain(..).for_each(|event| output.push(event));
        Ok(())
    }
}

#[test]
fn what_was_held_back_comes_before_the_terminal_event_and_meets_later_transformers() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let later = Arc::clone(&seen);
    let runner = Runner::new(greeter()).transformer(Latecomer::default()).transformer(
        move |event: Event, output: &mut Output<'_>| {
            later.lock().unwrap().push(event.event_type());
            output.push(event);
            Ok(())
        },
    );
    let events = collect(runner.run(input("x")));
    assert_eq!(
        types(&events)[6..],
        [TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]
    );
    assert_eq!(*seen.lock().unwrap(), types(&events));
}

#[test]
fn an_error_ends_the_run_wherever_it_happens() {
    for at in types(&transformed(greeter(), |event: Event, output: &mut Output<'_>| {
        output.push(event);
        Ok(())
    })) {
        let events = transformed(greeter(), failing_at(at));
        assert_eq!(
            error(&events),
            ("a transformer failed: the disk is full", "TRANSFORMER_ERROR"),
            "{at}"
        );
        assert_eq!(events[0].event_type(), RunStarted, "{at}");
        assert_eq!(events.iter().filter(|event| is_terminal(event)).count(), 1, "{at}");
    }
}

#[test]
fn an_error_of_the_agent_keeps_its_code_when_it_cannot_be_transformed() {
    let failing = script::<()>(|_| Err(Error::agent("secret")));
    let events = transformed(failing, failing_at(RunError));
    // The message was not seen by the transformer, so it does not go out.
    assert_eq!(error(&events), ("a transformer failed: the disk is full", "AGENT_ERROR"));
}

#[test]
fn a_panic_of_a_transformer_is_contained_even_while_the_agent_unwinds() {
    let panicking = script::<()>(|context| {
        let _message = context.assistant_message()?;
        panic!("the agent is broken");
    });
    let events = transformed(panicking, |event: Event, output: &mut Output<'_>| {
        assert!(event.event_type() != TextMessageEnd, "the transformer is broken");
        output.push(event);
        Ok(())
    });
    assert_eq!(error(&events), ("the agent panicked", "AGENT_ERROR"));

    let events = transformed(greeter(), |event: Event, output: &mut Output<'_>| {
        assert!(event.event_type() != TextMessageContent, "the transformer is broken");
        output.push(event);
        Ok(())
    });
    assert_eq!(
        error(&events),
        ("a transformer panicked at TEXT_MESSAGE_CONTENT", "TRANSFORMER_ERROR")
    );
}

#[test]
fn the_ends_of_a_run_cannot_be_dropped_repeated_or_made_up() {
    let swallows = |at: EventType| {
        move |event: Event, output: &mut Output<'_>| -> Result {
            if event.event_type() != at {
                output.push(event);
            }
            Ok(())
        }
    };
    let events = transformed(greeter(), swallows(RunFinished));
    assert_eq!(
        error(&events),
        (
            "a transformer turned RUN_FINISHED into 0 events that open or end a run; it must pass \
             that event on, once, as the last of what it puts out",
            "TRANSFORMER_ERROR"
        )
    );
    let events = transformed(greeter(), swallows(RunStarted));
    assert_eq!(types(&events), [RunStarted, RunError]);

    let repeats = |event: Event, output: &mut Output<'_>| -> Result {
        output.push(event.clone());
        output.push(event);
        Ok(())
    };
    let events = transformed(script::<()>(|_| Ok(RunOutcome::success())), repeats);
    assert_eq!(types(&events), [RunStarted, RunError]);

    let invents = |event: Event, output: &mut Output<'_>| -> Result {
        if event.event_type() == TextMessageContent {
            output.push(Event::run_finished("t-1", "r-1"));
        }
        output.push(event);
        Ok(())
    };
    let events = transformed(greeter(), invents);
    assert_eq!(types(&events)[6..], [TextMessageStart, TextMessageEnd, RunError]);
    assert_eq!(error(&events).1, "ORDERING");
}

#[test]
fn an_agent_that_overlooks_a_failed_transformer_does_not_succeed() {
    let overlooks = script::<()>(|context| {
        let _ = context.custom("acme.note", &1);
        let error = context.say("unheard").unwrap_err();
        assert_eq!(error.to_string(), "a transformer failed: the disk is full");
        Ok(RunOutcome::success())
    });
    let events = transformed(overlooks, failing_at(Custom));
    assert_eq!(types(&events), [RunStarted, RunError]);
}

#[test]
fn the_terminal_event_can_be_changed() {
    let softens = |mut event: Event, output: &mut Output<'_>| -> Result {
        if let Event::RunError(error) = &mut event {
            error.message = "Sorry.".to_owned();
        }
        output.push(event);
        Ok(())
    };
    let events = transformed(script::<()>(|_| Err(Error::agent("stack trace"))), softens);
    assert_eq!(
        lines(&events)[1],
        r#"{"type":"RUN_ERROR","message":"Sorry.","code":"AGENT_ERROR"}"#
    );
}

#[test]
fn inserted_events_meet_the_limit() {
    let floods = |event: Event, output: &mut Output<'_>| -> Result {
        if event.event_type() == Custom {
            for _ in 0..1_000 {
                output.push(event.clone());
            }
        } else {
            output.push(event);
        }
        Ok(())
    };
    let agent = script::<()>(|context| {
        context.custom("acme.note", &1)?;
        Ok(RunOutcome::success())
    });
    let limits = ag_ui::server::QueueLimits::default().with_events(10);
    let runner = Runner::new(agent).queue_limits(limits).transformer(floods);
    let events = collect(runner.run(input("x")));
    assert_eq!((events.len(), error(&events).1), (12, "OVERFLOW"));
}

#[test]
fn a_context_without_a_stream_has_no_transformers_but_the_same_errors() {
    let (mut context, _events) = RunContext::<()>::new(input("x")).unwrap();
    context.cancellation_token().cancel();
    assert!(context.say("a").unwrap_err().is_cancelled());
}
