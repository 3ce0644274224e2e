//! Runs of the example, and what their streams are held to.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use ag_ui::server::{Agent, run};
use ag_ui::{Event, InterruptId, Message, ResumeEntry, RunAgentInput, RunOutcome, ToolCall};
use humantime::parse_rfc3339;

use super::approval::{Approval, Asking};
use super::board::Board;
use super::script::ScriptedBoard;
use crate::server_support::{collect, input, lines};

/// Ten in the morning, always.
pub(crate) fn asking() -> Asking {
    let now: fn() -> SystemTime = || parse_rfc3339("2026-05-04T10:00:00Z").unwrap();
    Asking { now, patience: Duration::from_secs(600) }
}

pub(crate) fn scripted() -> ScriptedBoard {
    ScriptedBoard { asking: asking(), ..ScriptedBoard::default() }
}

pub(crate) fn events(agent: impl Agent + 'static, input: RunAgentInput) -> Vec<Event> {
    collect(run(agent, input))
}

/// The stream that answers a user who says this to the default board.
pub(crate) fn said(text: &str) -> Vec<Event> {
    events(scripted(), input(text))
}

/// The question of the run `asked`, open until ten past ten.
pub(crate) fn approval() -> Approval {
    Approval {
        interrupt_id: InterruptId::new("clear-asked-call-1"),
        tool_call_id: "asked-call-1".into(),
        expires_at: "2026-05-04T10:10:00Z".to_owned(),
    }
}

/// What a client sends after the run `asked`, with these answers.
pub(crate) fn resumed(approval: Option<Approval>, answers: Vec<ResumeEntry>) -> RunAgentInput {
    let call = ToolCall::function("asked-call-1", "clear_board", "{}");
    let messages = vec![
        Message::user("m-1", "clear the board"),
        Message::tool_calls("asked-call-1", vec![call]),
    ];
    let board = Board { approval, ..Board::default() };
    RunAgentInput::new("t-1", "r-2", messages)
        .with_state(serde_json::to_value(board).unwrap())
        .with_resume(answers)
}

/// The whole text of the assistant in a stream.
pub(crate) fn text(events: &[Event]) -> String {
    let delta = |event: &Event| match event {
        Event::TextMessageContent(event) => Some(event.delta.clone()),
        _ => None,
    };
    events.iter().filter_map(delta).collect()
}

/// What the tools answered, in order.
pub(crate) fn results(events: &[Event]) -> Vec<String> {
    let result = |event: &Event| match event {
        Event::ToolCallResult(event) => Some(event.content.text().into_owned()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

pub(crate) fn outcome(events: &[Event]) -> &RunOutcome {
    match events.last() {
        Some(Event::RunFinished(event)) => event.outcome.as_ref().unwrap(),
        other => panic!("the run did not finish: {other:?}"),
    }
}

/// Code and message of the failure that a stream ends with.
pub(crate) fn failure(events: &[Event]) -> (&str, &str) {
    match events.last() {
        Some(Event::RunError(event)) => (event.code.as_deref().unwrap(), &event.message),
        other => panic!("the run did not fail: {other:?}"),
    }
}

/// Compares a stream with the recorded one, or records it with `UPDATE=1`.
#[track_caller]
pub(crate) fn hold_to(name: &str, events: &[Event]) {
    let directory =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/task_board/transcripts");
    let path = directory.join(format!("{name}.jsonl"));
    let stream = lines(events).join("\n") + "\n";
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&path, stream).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE=1 records it", path.display()));
    for (index, (line, wanted)) in stream.lines().zip(recorded.lines()).enumerate() {
        assert_eq!(line, wanted, "event {index} of {name}; UPDATE=1 records the stream anew");
    }
    assert_eq!(stream.lines().count(), recorded.lines().count(), "events of {name}");
}
