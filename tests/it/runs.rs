//! What goes into a run and what comes out of it.

use ag_ui::decode::{decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{
    AdjustmentKind, ContentPart, Context, Event, Interrupt, Message, OutcomeError, PartSource,
    ResumeEntry, ResumeStatus, RunAgentInput, RunFinishedEvent, RunOutcome, Tool,
};
use serde_json::{Value, json};

fn input(messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new("t", "r", messages)
}

#[test]
fn an_input_says_no_more_than_it_was_given() {
    let json = r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#;
    assert_eq!(to_json(&input(vec![])), json);
    let full = input(vec![Message::user("m", "Hello")])
        .with_protocol_version("1.1")
        .with_parent_run_id("r-0")
        .with_state(json!({"a": null}))
        .with_tools(vec![Tool::new("search", "Searches.", json!({"type": "object"}))])
        .with_context(vec![Context::new("city", "Oslo")])
        .with_forwarded_props(json!([null]))
        .with_resume(vec![ResumeEntry::cancelled("i")]);
    let json = to_json(&full);
    assert_eq!(decode_strict::<RunAgentInput>(&json).unwrap(), full);
    let expected = json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.1", "parentRunId": "r-0",
        "state": {"a": null}, "messages": [{"role": "user", "id": "m", "content": "Hello"}],
        "tools": [
            {"name": "search", "description": "Searches.", "parameters": {"type": "object"}},
        ],
        "context": [{"description": "city", "value": "Oslo"}], "forwardedProps": [null],
        "resume": [{"interruptId": "i", "status": "cancelled"}],
    });
    assert_eq!(json.parse::<Value>().unwrap(), expected);
}

#[test]
fn absent_lists_are_empty_and_said_to_be() {
    let json = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    let (read, report) = decode_with_report::<RunAgentInput>(json).unwrap();
    assert_eq!(read, input(vec![]));
    let told: Vec<_> =
        report.adjustments().iter().map(|one| (one.path(), one.kind().clone())).collect();
    let defaulted = AdjustmentKind::Defaulted;
    assert_eq!(told, [("/tools", defaulted.clone()), ("/context", defaulted.clone())]);
    assert_eq!(decode_strict::<RunAgentInput>(json).unwrap(), read);

    let within = format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{json}}}"#);
    let (_, report) = decode_with_report::<Event>(&within).unwrap();
    let told: Vec<_> =
        report.adjustments().iter().map(|one| (one.path(), one.kind().clone())).collect();
    assert_eq!(told, [("/input/tools", defaulted.clone()), ("/input/context", defaulted)]);
}

#[test]
fn the_last_user_text_is_that_of_the_last_user_message() {
    let picture = ag_ui::ImagePart::new(PartSource::url("u")).into();
    for (messages, text) in [
        (vec![], None),
        (vec![Message::assistant("m", "Hi")], None),
        (vec![Message::user("a", "one"), Message::user("b", "two")], Some("two")),
        (vec![Message::user("a", "one"), Message::assistant("b", "two")], Some("one")),
        (vec![Message::user("a", "one"), Message::tool("b", "c", "two")], Some("one")),
        (vec![Message::user("a", "one"), Message::user("b", vec![picture])], Some("")),
        (
            vec![Message::user("a", vec![ContentPart::text("o"), ContentPart::text("ne")])],
            Some("one"),
        ),
    ] {
        assert_eq!(input(messages).last_user_text().as_deref(), text);
    }
}

#[test]
fn tools_and_answers_are_found_by_name_and_id() {
    let plain = input(vec![]);
    assert!(!plain.is_resume() && plain.resume_for("i").is_none() && plain.tool("a").is_none());
    assert!(!plain.clone().with_resume(vec![]).is_resume());
    let answers =
        vec![ResumeEntry::resolved("i", json!({"yes": true})), ResumeEntry::cancelled("j")];
    let tools = vec![Tool::new("a", "first", json!({})), Tool::new("a", "second", json!({}))];
    let input = plain.with_resume(answers).with_tools(tools);
    assert!(input.is_resume());
    let answer = input.resume_for("i").unwrap();
    assert_eq!(answer.status, ResumeStatus::Resolved);
    assert_eq!(answer.payload, Some(json!({"yes": true})));
    assert_eq!(input.resume_for("j").unwrap().status, ResumeStatus::Cancelled);
    assert_eq!(input.resume_for("j").unwrap().payload, None);
    assert!(input.resume_for("").is_none());
    assert_eq!(input.tool("a").unwrap().description, "first");
    assert!(input.tool("A").is_none());
}

#[test]
fn outcomes_have_their_forms() {
    for (outcome, json) in [
        (RunOutcome::success(), r#"{"type":"success"}"#),
        (
            RunOutcome::pending(vec!["c".into(), "".into()]),
            r#"{"type":"success","pendingToolCallIds":["c",""]}"#,
        ),
        (RunOutcome::cancelled(), r#"{"type":"cancelled"}"#),
        (
            RunOutcome::interrupt(vec![Interrupt::new("i", "approval")]),
            r#"{"type":"interrupt","interrupts":[{"id":"i","reason":"approval"}]}"#,
        ),
    ] {
        assert_eq!(to_json(&outcome), json);
        assert_eq!(decode_strict::<RunOutcome>(json).unwrap(), outcome);
        assert_eq!(outcome.validate(), Ok(()));
        let finished = RunFinishedEvent::new("t", "r").with_outcome(outcome.clone());
        let read: RunFinishedEvent = decode(&to_json(&finished)).unwrap();
        assert_eq!(read.outcome, Some(outcome));
    }
    let ids: Vec<String> =
        RunOutcome::interrupt(vec![Interrupt::new("i", ""), Interrupt::new("j", "")])
            .interrupts()
            .iter()
            .map(|interrupt| interrupt.id.to_string())
            .collect();
    assert_eq!(ids, ["i", "j"]);
    assert!(RunOutcome::success().interrupts().is_empty());
    assert!(RunOutcome::cancelled().interrupts().is_empty());
}

#[test]
fn interrupts_are_there_and_have_ids_of_their_own() {
    let none = RunOutcome::interrupt(vec![]);
    assert_eq!(none.validate(), Err(OutcomeError::NoInterrupts));
    assert_eq!(
        OutcomeError::NoInterrupts.to_string(),
        "an interrupt outcome needs at least one interrupt"
    );
    let interrupt = |id: &str| Interrupt::new(id, "approval");
    let twice = RunOutcome::interrupt(vec![interrupt("i"), interrupt("j"), interrupt("i")]);
    let error = twice.validate().unwrap_err();
    assert_eq!(error, OutcomeError::DuplicateInterrupt("i".into()));
    assert_eq!(error.to_string(), "interrupt id `i` occurs more than once in one outcome");
}
