//! What the script does for each command.

use ag_ui::{Event, EventType, RunAgentInput, RunOutcome};
use serde_json::json;

use super::board::{Board, BoardError};
use super::command::Command;
use super::support::{events, failure, hold_to, outcome, results, said, scripted, text};
use crate::server_support::{input, types};

#[test]
fn commands_are_read_from_plain_words() {
    for (text, command) in [
        ("add buy milk", Command::Add { title: "buy milk" }),
        ("  Add\tbuy milk ", Command::Add { title: "buy milk" }),
        ("add", Command::Unknown),
        ("move 2 to done", Command::Move { id: 2, column: "done" }),
        ("MOVE #2 to To do", Command::Move { id: 2, column: "To do" }),
        ("move two to done", Command::Unknown),
        ("move 2", Command::Unknown),
        ("move 99999999999 to done", Command::Unknown),
        ("rename 1 to walk to work", Command::Rename { id: 1, title: "walk to work" }),
        ("assign 1 to Ada", Command::Assign { id: 1, assignee: "Ada" }),
        ("assign 1 to  ", Command::Unknown),
        ("plan a picnic", Command::Plan { goal: "a picnic" }),
        ("clear the board", Command::Clear),
        ("clear", Command::Clear),
        ("", Command::Unknown),
        ("hello", Command::Unknown),
    ] {
        assert_eq!(Command::parse(text), command, "{text:?}");
    }
}

#[test]
fn the_streams_are_the_recorded_ones() {
    for (name, text) in [
        ("add", "add buy milk"),
        ("move", "move 2 to done"),
        ("rename", "rename 1 to feed the cat"),
        ("assign", "assign 1 to Ada"),
        ("plan", "plan a picnic"),
        ("unknown", "sing a song"),
    ] {
        let events = said(text);
        hold_to(name, &events);
        assert_eq!(*outcome(&events), RunOutcome::success(), "{name}");
    }
}

#[test]
fn a_task_is_added_while_its_call_is_open() {
    let events = said("add buy milk");
    assert_eq!(text(&events), "Task 4 is “buy milk”.");
    let types = types(&events);
    let at = |wanted| types.iter().position(|event_type| *event_type == wanted).unwrap();
    assert!(at(EventType::ToolCallArgs) < at(EventType::StateDelta));
    assert!(at(EventType::StateDelta) < at(EventType::ToolCallEnd));
    assert!(at(EventType::StepFinished) < at(EventType::ToolCallStart), "first it thinks");
}

#[test]
fn the_planner_owns_what_it_does() {
    let events = said("plan a picnic");
    let is_call = |event: &&Event| event.event_type() == EventType::ToolCallStart;
    let calls: Vec<_> = events.iter().filter(is_call).collect();
    assert_eq!(calls.len(), 3);
    assert!(calls.iter().all(|call| call.subagent_run_id().unwrap() == "r-1-planner"));
    assert_eq!(text(&events), "3 tasks lead to a picnic. They are on the board.");
    let is_progress = |event: &&Event| event.event_type() == EventType::ActivityDelta;
    assert_eq!(events.iter().filter(is_progress).count(), 3, "each task is ticked off");
}

#[test]
fn what_cannot_be_done_is_said() {
    for (command, reason) in [
        ("move 9 to done", "there is no task 9 on the board"),
        ("move 1 to limbo", "there is no column “limbo”; there is To do, Doing, Done"),
        ("assign 7 to Ada", "there is no task 7 on the board"),
    ] {
        let events = said(command);
        let told = format!("That did not work: {reason}.");
        assert_eq!(results(&events), [told.as_str()]);
        assert_eq!(text(&events), told);
        assert_eq!(*outcome(&events), RunOutcome::success());
        assert!(!types(&events).contains(&EventType::StateDelta), "the board is untouched");
    }
}

#[test]
fn an_empty_board_is_cleared_without_asking() {
    let mut board = Board::default();
    board.clear();
    let input = input("clear").with_state(serde_json::to_value(board).unwrap());
    let events = events(scripted(), input);
    assert_eq!(text(&events), "The board is empty already.");
    assert_eq!(*outcome(&events), RunOutcome::success());
}

#[test]
fn a_state_of_another_application_is_refused_by_its_field() {
    let input = input("add milk").with_state(json!({ "columns": [{ "name": "To do" }] }));
    let events = events(scripted(), input);
    let (code, message) = failure(&events);
    assert_eq!(code, "SERIALIZATION");
    assert!(message.contains("/state/columns/0"), "{message}");
}

#[test]
fn a_conversation_begins_with_the_board_and_a_welcome() {
    let events = events(scripted(), RunAgentInput::new("t-1", "r-1", vec![]));
    hold_to("welcome", &events);
    assert_eq!(types(&events)[1], EventType::StateSnapshot);
    assert!(text(&events).starts_with("This is your board."), "{}", text(&events));
}

#[test]
fn a_board_without_columns_or_numbers_takes_no_task() {
    let mut board = Board { columns: vec![], approval: None };
    assert_eq!(board.add("tea", None), Err(BoardError::NoColumns));
    let mut board = Board::default();
    assert_eq!(board.add("  ", None), Err(BoardError::NoTitle));
    board.columns[0].tasks[0].id = u32::MAX;
    assert_eq!(board.add("tea", None), Err(BoardError::Full));
    assert_eq!(
        board.add("tea", Some("LIMBO")).unwrap_err().to_string(),
        BoardError::Full.to_string()
    );
    board.clear();
    assert_eq!(board.add("tea", Some(" doing ")).map(|task| task.id), Ok(1));
}

#[test]
fn a_task_is_assigned_to_nobody_by_a_blank_name() {
    let mut board = Board::default();
    board.assign(1, " Ada ").unwrap();
    assert_eq!(board.task(1).unwrap().assignee.as_deref(), Some("Ada"));
    board.assign(1, " ").unwrap();
    assert_eq!(board.task(1).unwrap().assignee, None);
}
