//! Events that are refused: a stream with a gap never counts as a success.

use ag_ui::EventType::*;
use ag_ui::patch::ReplaceOperation;
use ag_ui::server::{Agent, QueueLimits, RunContext, Runner};
use ag_ui::{Event, JsonPointer, Message, Metadata, RunOutcome, TextMessageStartEvent};
use serde_json::json;

use crate::server_support::{collect, events_of, input, script, types};

fn with_limits(agent: impl Agent + 'static, limits: QueueLimits) -> Vec<Event> {
    collect(Runner::new(agent).queue_limits(limits).run(input("x")))
}

fn error_code(events: &[Event]) -> Option<&str> {
    match events.last() {
        Some(Event::RunError(error)) => error.code.as_deref(),
        _ => None,
    }
}

#[test]
fn an_agent_that_overlooks_an_overflow_does_not_succeed() {
    let agent = script::<()>(|context| {
        let mut message = context.assistant_message()?;
        for _ in 0..5 {
            let _ = message.delta("a");
        }
        drop(message);
        Ok(RunOutcome::success())
    });
    let events = with_limits(agent, QueueLimits::default().with_events(3));
    assert_eq!(
        types(&events),
        [
            RunStarted,
            TextMessageStart,
            TextMessageContent,
            TextMessageContent,
            TextMessageEnd,
            RunError
        ]
    );
    assert_eq!(error_code(&events), Some("OVERFLOW"));
}

#[test]
fn nothing_follows_a_gap() {
    let agent = script::<()>(|context| {
        context.say("x".repeat(20_000))?;
        assert_eq!(context.say("y".repeat(20_000)).unwrap_err().code(), "OVERFLOW");
        assert_eq!(context.say("short").unwrap_err().code(), "OVERFLOW");
        Ok(RunOutcome::success())
    });
    let events = with_limits(agent, QueueLimits::default().with_bytes(25_000));
    assert_eq!(
        types(&events),
        [
            RunStarted,
            TextMessageStart,
            TextMessageContent,
            TextMessageEnd,
            TextMessageStart,
            TextMessageEnd,
            RunError
        ]
    );
}

#[test]
fn an_agent_that_overlooks_its_cancellation_does_not_succeed() {
    let events = events_of(script::<()>(|context| {
        let mut message = context.assistant_message()?;
        let _ = message.delta("heard");
        drop(message);
        context.cancellation_token().cancel();
        let _ = context.say("unheard");
        Ok(RunOutcome::success())
    }));
    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:?}") };
    assert_eq!(finished.outcome, Some(RunOutcome::cancelled()));
}

#[test]
fn an_agent_that_was_done_before_its_cancellation_succeeds() {
    let events = events_of(script::<()>(|context| {
        context.say("heard")?;
        context.cancellation_token().cancel();
        Ok(RunOutcome::success())
    }));
    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:?}") };
    assert_eq!(finished.outcome, Some(RunOutcome::success()));
}

#[test]
fn beginning_and_end_of_a_run_are_left_to_the_driver() {
    let events = events_of(script::<()>(|context| {
        for event in [
            Event::run_started("t-1", "r-1"),
            Event::run_finished("t-1", "r-1"),
            Event::run_error("no"),
        ] {
            let event_type = event.event_type();
            let error = context.emit(event.clone()).unwrap_err();
            assert_eq!(error.code(), "ORDERING");
            assert!(error.to_string().contains(event_type.as_str()), "{error}");
            let mut message = context.assistant_message()?;
            assert_eq!(message.emit(event).unwrap_err().code(), "ORDERING");
        }
        Ok(RunOutcome::success())
    }));
    assert_eq!(types(&events).iter().filter(|name| **name == TextMessageStart).count(), 3);
    assert_eq!(events.len(), 8, "{events:?}");
    assert_eq!(events[7].event_type(), RunFinished);
}

/// Ways to put a long text into an event. Several of them may follow each other.
const LONG: &[fn(usize, String) -> Event] = &[
    |_, text| Event::text_message_content("open", text),
    |_, text| Event::tool_call_result("m", "c", vec![ag_ui::ContentPart::text(text)]),
    |_, text| Event::state_snapshot(json!({ "note": text })),
    |_, text| Event::state_delta(vec![ReplaceOperation::new(JsonPointer::root(), text).into()]),
    |_, text| {
        let patch = vec![ReplaceOperation::new(JsonPointer::root(), text).into()];
        Event::activity_delta("m", "plan", patch)
    },
    |_, text| Event::messages_snapshot(vec![Message::user("m", text)]),
    |_, text| Event::custom("acme.note", text),
    |place, text| Event::step_started(format!("{place}{text}")),
    |place, text| {
        let metadata = Metadata::from_iter([("note".to_owned(), json!(text))]);
        TextMessageStartEvent::new(place.to_string()).with_metadata(metadata).into()
    },
    |place, text| TextMessageStartEvent::new(place.to_string()).with_raw_event(text).into(),
];

#[test]
fn whatever_makes_an_event_long_counts() {
    struct Emits(fn(usize, String) -> Event);

    impl Agent for Emits {
        type State = ();

        async fn run(&self, context: &mut RunContext<()>) -> ag_ui::server::Result<RunOutcome> {
            context.emit(TextMessageStartEvent::new("open"))?;
            for place in 0..3 {
                context.emit((self.0)(place, "x".repeat(10_000)))?;
            }
            Ok(RunOutcome::success())
        }
    }

    for event in LONG {
        let name = event(0, String::new()).event_type();
        let events = with_limits(Emits(*event), QueueLimits::default().with_bytes(25_000));
        assert_eq!(error_code(&events), Some("OVERFLOW"), "{name}");
        assert_eq!(events.len(), 1 + 1 + 2 + 1, "{name}");
    }
}
