//! Interrupts and the answers to them.

use std::time::{Duration, SystemTime};

use ag_ui::client::{AnswerError, Answers, ReplayTransport, RunEnd, Session};
use ag_ui::{Interrupt, ResumeEntry, ResumeStatus};
use serde_json::json;

use crate::client_support::{drain, failed, frames, run_of, send, session, success};

fn asking(interrupts: &serde_json::Value) -> Vec<ag_ui::client::Frame> {
    frames(&format!(
        "RUN_STARTED threadId=t runId=r; RUN_FINISHED threadId=t runId=r outcome={{\"type\":\"interrupt\",\"interrupts\":{interrupts}}}"
    ))
}

#[test]
fn a_run_asks_and_the_next_one_answers() {
    let asks = json!([{"id": "i", "reason": "approval", "message": "Sure?"}, {"id": "j", "reason": "approval"}]);
    let (mut session, transport) = session([asking(&asks), run_of("")]);
    let (_, end) = send(&mut session, "Clear");
    let RunEnd::Interrupted { interrupts } = end else { panic!("{end:?}") };
    assert_eq!(interrupts[0].message.as_deref(), Some("Sure?"));
    let answers = session
        .answers()
        .cancel("j")
        .resolve_with_edits("i", json!({"title": "x"}))
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(drain(session.resume(answers)).1, success());
    assert_eq!(
        serde_json::to_value(&transport.requests()[1].resume).unwrap(),
        json!([
            {"interruptId": "i", "status": "resolved", "payload": {"approved": true, "editedArgs": {"title": "x"}}},
            {"interruptId": "j", "status": "cancelled"},
        ])
    );
    assert_ne!(transport.requests()[0].run_id, transport.requests()[1].run_id);
    assert!(session.pending().is_empty());
}

#[test]
fn nothing_is_sent_while_interrupts_wait() {
    let asks = json!([{"id": "i", "reason": "x"}, {"id": "j", "reason": "x"}]);
    let (mut session, transport) = session([asking(&asks), run_of("")]);
    send(&mut session, "Hi");
    for answers in [
        vec![],
        vec![ResumeEntry::resolved("i", true)],
        vec![
            ResumeEntry::resolved("i", true),
            ResumeEntry::cancelled("i"),
            ResumeEntry::cancelled("j"),
        ],
        vec![
            ResumeEntry::resolved("i", true),
            ResumeEntry::cancelled("j"),
            ResumeEntry::cancelled("k"),
        ],
    ] {
        let (_, end) = drain(session.resume(answers));
        assert_eq!(failed(&end).0, "INTERRUPTS");
    }
    let (_, end) = send(&mut session, "Never mind");
    assert!(
        failed(&end).1.starts_with("interrupts wait for an answer: `i`, `j`; answer or cancel"),
        "{end:?}"
    );
    assert_eq!(session.messages().len(), 1, "what could not be sent was not said");
    assert_eq!(transport.requests().len(), 1);
    assert_eq!(session.pending().interrupts.len(), 2);

    assert_eq!(session.drop_interrupts().len(), 2);
    assert_eq!(send(&mut session, "Never mind").1, success());
}

#[test]
fn answers_to_nothing_are_refused() {
    let (mut session, _) = session([run_of("")]);
    let (_, end) = drain(session.resume(vec![ResumeEntry::cancelled("i")]));
    assert_eq!(failed(&end).1, "nobody asked `i`; what waits is nothing");
}

#[test]
fn an_expired_interrupt_can_only_be_cancelled() {
    fn now() -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)
    }
    for (expires_at, is_expired) in [
        ("2023-11-14T22:13:20Z", true),
        ("2023-11-14T22:13:20.001Z", false),
        ("2023-11-15T00:13:19+02:00", true),
        ("2023-11-15T00:13:21+02:00", false),
        ("tomorrow", false),
    ] {
        let asks = json!([{"id": "i", "reason": "x", "expiresAt": expires_at}]);
        let transport = ReplayTransport::with_runs([asking(&asks), run_of("")]);
        let mut session = Session::builder(transport.clone(), "t").clock(now).build();
        send(&mut session, "Hi");
        let answers = session.answers().resolve("i", true).unwrap().build().unwrap();
        let (_, end) = drain(session.resume(answers));
        assert_eq!(end == success(), !is_expired, "{expires_at}: {end:?}");
        if is_expired {
            assert!(failed(&end).1.contains(expires_at), "{end:?}");
            let answers = session.answers().cancel_rest().build().unwrap();
            assert_eq!(drain(session.resume(answers)).1, success(), "{expires_at}");
        }
    }
}

#[cfg(feature = "jsonschema")]
#[test]
fn an_answer_is_what_the_agent_asked_for() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let schema = schema.as_object().unwrap().clone();
    let interrupts = [Interrupt::new("i", "x").with_response_schema(schema)];
    let build = |answer| Answers::to(&interrupts).resolve("i", answer).unwrap().build();
    assert!(build(json!({"n": 1})).is_ok());
    for (answer, reason) in
        [(json!({"n": "1"}), "at /n"), (json!({}), "\"n\""), (json!(null), "null")]
    {
        let error = build(answer).unwrap_err();
        assert!(matches!(error, AnswerError::Schema { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    assert!(Answers::to(&interrupts).cancel("i").build().is_ok());
}

#[test]
fn answers_come_in_the_order_of_the_questions() {
    let interrupts = [Interrupt::new("a", "x"), Interrupt::new("b", "x"), Interrupt::new("c", "x")];
    let answers = Answers::to(&interrupts)
        .resolve("c", 1)
        .unwrap()
        .resolve("a", ())
        .unwrap()
        .cancel_rest()
        .build()
        .unwrap();
    let ids: Vec<_> = answers.iter().map(|entry| entry.interrupt_id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(answers[1].status, ResumeStatus::Cancelled);
    assert_eq!(answers[0].payload, None);
}
