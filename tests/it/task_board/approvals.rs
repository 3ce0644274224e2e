//! The question before the board is cleared, and every way in which it is answered.

use ag_ui::{Event, EventType, Message, ResumeEntry, RunOutcome};
use serde_json::{Value, json};

use super::approval::Approval;
use super::board::Board;
use super::support::{approval, events, hold_to, outcome, results, resumed, said, scripted, text};
use crate::server_support::{input, types};

/// Tasks on the board that a client holds after these events.
fn tasks_left(events: &[Event]) -> usize {
    let removed = |event: &Event| match event {
        Event::StateDelta(event) => serde_json::to_string(&event.delta).unwrap().contains("tasks"),
        Event::StateSnapshot(event) => event.snapshot["columns"][0]["tasks"] == json!([]),
        _ => false,
    };
    if events.iter().any(removed) { 0 } else { Board::default().tasks().count() }
}

fn answered(answer: ResumeEntry) -> Vec<Event> {
    events(scripted(), resumed(Some(approval()), vec![answer]))
}

#[test]
fn clearing_asks_first() {
    let events = said("clear the board");
    hold_to("clear", &events);
    let [interrupt] = outcome(&events).interrupts() else { panic!("{events:?}") };
    assert_eq!(interrupt.message.as_deref(), Some("May I take all 3 tasks off the board?"));
    assert_eq!(interrupt.tool_call_id.as_ref().unwrap(), "r-1-call-1");
    assert_eq!(interrupt.expires_at.as_deref(), Some("2026-05-04T10:10:00Z"));
    assert_eq!(results(&events), [""; 0], "the call waits for the user");
    let schema = Value::Object(interrupt.response_schema.clone().unwrap());
    let schema = jsonschema::validator_for(&schema).unwrap();
    assert!(schema.is_valid(&json!({ "approved": false })));
    assert!(!schema.is_valid(&json!({ "approved": "yes" })));
    assert!(!schema.is_valid(&json!({})));
}

#[test]
fn approval_clears_the_board_and_answers_the_call() {
    let events =
        answered(ResumeEntry::resolved(approval().interrupt_id, json!({ "approved": true })));
    hold_to("approved", &events);
    assert_eq!(results(&events), ["The board is clear: 3 tasks are gone."]);
    assert_eq!(tasks_left(&events), 0);
    assert_eq!(*outcome(&events), RunOutcome::success());
}

#[test]
fn a_decline_in_either_form_keeps_the_board() {
    let id = approval().interrupt_id;
    let declined = answered(ResumeEntry::resolved(&id, json!({ "approved": false })));
    hold_to("declined", &declined);
    let cancelled = answered(ResumeEntry::cancelled(&id));
    for events in [declined, cancelled] {
        assert_eq!(results(&events), ["The board stays as it is: clearing was declined."]);
        assert_eq!(tasks_left(&events), 3);
        assert_eq!(*outcome(&events), RunOutcome::success());
    }
}

#[test]
fn an_approval_that_comes_too_late_clears_nothing() {
    let late = Approval { expires_at: "2026-05-04T10:00:00Z".to_owned(), ..approval() };
    let answer = ResumeEntry::resolved(&late.interrupt_id, json!({ "approved": true }));
    let events = events(scripted(), resumed(Some(late), vec![answer]));
    assert_eq!(results(&events), ["The board stays as it is: the time to approve is over."]);
    assert_eq!(tasks_left(&events), 3);
    assert_eq!(*outcome(&events), RunOutcome::success());
}

#[test]
fn a_late_decline_is_still_a_decline() {
    let late = Approval { expires_at: "2026-05-04T09:00:00Z".to_owned(), ..approval() };
    let answer = ResumeEntry::cancelled(&late.interrupt_id);
    let events = events(scripted(), resumed(Some(late), vec![answer]));
    assert_eq!(results(&events), ["The board stays as it is: clearing was declined."]);
}

#[test]
fn an_answer_to_no_open_question_is_refused() {
    let stranger = || ResumeEntry::resolved("clear-r-0-call-9", json!({ "approved": true }));
    let refusal = "No question “clear-r-0-call-9” is open, so its answer changes nothing.";

    let settled = events(scripted(), resumed(None, vec![stranger()]));
    hold_to("stale", &settled);
    assert_eq!(text(&settled), refusal);
    assert_eq!(results(&settled), [""; 0]);
    assert_eq!(tasks_left(&settled), 3);
    assert_eq!(*outcome(&settled), RunOutcome::success());

    let waiting = events(scripted(), resumed(Some(approval()), vec![stranger()]));
    assert_eq!(text(&waiting), format!("{refusal}First answer the question that is open."));
    assert_eq!(outcome(&waiting).interrupts()[0].id, approval().interrupt_id);
    assert_eq!(tasks_left(&waiting), 3);
}

#[test]
fn an_answer_given_twice_counts_once() {
    let answer = || ResumeEntry::resolved(approval().interrupt_id, json!({ "approved": true }));
    assert_eq!(tasks_left(&answered(answer())), 0);
    // The same entry again: the state that the client now holds has no open question.
    let again = events(scripted(), resumed(None, vec![answer()]));
    assert_eq!(tasks_left(&again), 3);
    assert!(text(&again).starts_with("No question “clear-asked-call-1” is open"));
}

#[test]
fn an_answer_that_does_not_fit_leaves_the_question_open() {
    for payload in [json!({}), json!({ "approved": "yes" }), json!("yes"), json!([])] {
        let events = answered(ResumeEntry::resolved(approval().interrupt_id, payload));
        assert!(text(&events).starts_with("That answer cannot be read: "), "{}", text(&events));
        assert_eq!(outcome(&events).interrupts()[0].id, approval().interrupt_id);
        assert_eq!(tasks_left(&events), 3);
    }
}

#[test]
fn something_else_does_not_answer_the_question() {
    let mut input = resumed(Some(approval()), vec![]);
    input.messages.push(Message::user("m-2", "add buy milk"));
    let events = events(scripted(), input);
    assert_eq!(text(&events), "First answer the question that is open.");
    assert_eq!(outcome(&events).interrupts()[0].id, approval().interrupt_id);
    assert!(!types(&events).contains(&EventType::ToolCallStart));
}

#[test]
fn a_question_that_lapsed_does_not_hold_up_what_comes_next() {
    let late = Approval { expires_at: "2026-05-04T09:00:00Z".to_owned(), ..approval() };
    let mut input = resumed(Some(late), vec![]);
    input.messages.push(Message::user("m-2", "add buy milk"));
    let events = events(scripted(), input);
    assert_eq!(
        results(&events),
        ["The board stays as it is: the time to approve is over.", "Task 4 is “buy milk”."]
    );
    assert_eq!(*outcome(&events), RunOutcome::success());
}

/// A client that lost the conversation gets no answer to a call it does not know.
#[test]
fn a_call_that_is_not_in_the_conversation_is_not_answered() {
    let answer = ResumeEntry::resolved(approval().interrupt_id, json!({ "approved": true }));
    let mut input = resumed(Some(approval()), vec![answer]);
    input.messages = vec![Message::assistant("m-9", "Hello.")];
    let events = events(scripted(), input);
    assert_eq!(results(&events), [""; 0]);
    assert_eq!(tasks_left(&events), 0);
}

/// The question of one run is answered in the next with what the first one sent alone.
#[test]
fn the_question_travels_in_the_state() {
    let asked = said("clear the board");
    let published = asked.iter().rev().find_map(|event| match event {
        Event::StateDelta(event) => Some(serde_json::to_value(&event.delta).unwrap()),
        _ => None,
    });
    let published = published.unwrap();
    let approval: Approval = serde_json::from_value(published[0]["value"].clone()).unwrap();
    assert_eq!(approval.interrupt_id, outcome(&asked).interrupts()[0].id);
    let board = Board { approval: Some(approval.clone()), ..Board::default() };
    let answer = ResumeEntry::resolved(approval.interrupt_id, json!({ "approved": true }));
    let input = input("clear the board")
        .with_state(serde_json::to_value(board).unwrap())
        .with_resume(vec![answer]);
    let events = events(scripted(), input);
    assert_eq!(tasks_left(&events), 0);
}
