//! Compacted streams: shorter, and worth the same.

use ag_ui::client::{Conversation, Passed, Pipeline, PipelineSettings};
use ag_ui::compact::compact;
use ag_ui::verify::EventVerifier;
use ag_ui::{Event, encode};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client_support::events;

fn compacted(stream: &str) -> Vec<String> {
    compact(events(stream)).unwrap().iter().map(encode::to_json).collect()
}

/// What a reader of a stream ends at.
fn comes_to(events: &[Event]) -> Value {
    let mut pipeline = Pipeline::new(PipelineSettings::new(), "r");
    let mut conversation = Conversation::new();
    for event in events {
        pipeline
            .push_event(event.clone(), &mut |passed| {
                if let Passed::Event(event) = passed {
                    conversation.apply(event, &mut |_| {});
                }
            })
            .unwrap();
    }
    conversation.abandon(&mut |_| {});
    json!({
        "messages": conversation.messages().iter().collect::<Vec<_>>().iter().map(|message| serde_json::to_value(message).unwrap()).collect::<Value>(),
        "state": conversation.raw_state(),
        "pending": conversation.pending_tool_calls().map(|call| call.id.as_str()).collect::<Vec<_>>(),
        "interrupts": conversation.interrupts().len(),
    })
}

#[test]
fn pieces_become_one_with_what_they_had() {
    assert_eq!(
        compacted(
            "RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_START messageId=m @s; TEXT_MESSAGE_CONTENT messageId=m delta=a metadata={\"x\":1,\"y\":1}; CUSTOM name=n value=1; TEXT_MESSAGE_CONTENT messageId=m delta=b metadata={\"y\":2} @s; TEXT_MESSAGE_END messageId=m metadata={\"z\":3} @s; RUN_FINISHED threadId=t runId=r"
        ),
        [
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"TEXT_MESSAGE_START","subagentRunId":"s","messageId":"m"}"#,
            r#"{"type":"CUSTOM","name":"n","value":"1"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","metadata":{"x":1,"y":2},"subagentRunId":"s","messageId":"m","delta":"ab"}"#,
            r#"{"type":"TEXT_MESSAGE_END","metadata":{"z":3},"subagentRunId":"s","messageId":"m"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ]
    );
}

#[test]
fn a_piece_that_is_alone_stays_as_it_is() {
    let stream = "RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_START messageId=m; TEXT_MESSAGE_CONTENT messageId=m delta=a rawEvent={\"x\":1}; TEXT_MESSAGE_END messageId=m; STATE_SNAPSHOT snapshot={} rawEvent={\"x\":1}";
    assert_eq!(compact(events(stream)).unwrap(), events(stream));
}

#[test]
fn states_become_one_of_each_owner() {
    let delta = |value: u32| {
        format!("STATE_DELTA delta=[{{\"op\":\"replace\",\"path\":\"/n\",\"value\":{value}}}]")
    };
    let long = "x".repeat(400);
    // Nothing is known of the state before the first snapshot.
    let lines = compacted(&format!(
        "RUN_STARTED threadId=t runId=r;{};{};STATE_SNAPSHOT snapshot={{\"n\":0,\"long\":\"{long}\"}};{};{};{} @s;{} @s;RUN_ERROR message=x",
        delta(1),
        delta(2),
        delta(3),
        delta(4),
        delta(5),
        delta(6),
    ));
    assert_eq!(lines.len(), 6, "{lines:#?}");
    assert!(lines[1].contains("\"value\":1") && lines[2].contains("\"value\":2"));
    assert!(lines[3].contains("STATE_SNAPSHOT") && lines[3].contains("\"n\":4"));
    assert_eq!(
        lines[4],
        r#"{"type":"STATE_DELTA","subagentRunId":"s","delta":[{"op":"replace","path":"/n","value":5},{"op":"replace","path":"/n","value":6}]}"#
    );
}

#[test]
fn a_delta_that_does_not_apply_goes_without_taking_others_along() {
    let lines = compacted(
        "RUN_STARTED threadId=t runId=r;STATE_SNAPSHOT snapshot={\"n\":0};STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1},{\"op\":\"remove\",\"path\":\"/m\"}];STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":2}]",
    );
    assert_eq!(lines[1..], [r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}"#]);
}

#[test]
fn a_run_that_stops_in_the_middle_loses_nothing() {
    for end in ["RUN_ERROR message=x", ""] {
        let stream = format!(
            "RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_CHUNK messageId=m delta=a; TEXT_MESSAGE_CHUNK delta=b; REASONING_MESSAGE_START messageId=q role=reasoning @s; REASONING_MESSAGE_CONTENT messageId=q delta=c; REASONING_MESSAGE_CONTENT messageId=q delta=d; TOOL_CALL_START toolCallId=c toolCallName=x @s; TOOL_CALL_ARGS toolCallId=c delta=e; TOOL_CALL_ARGS toolCallId=c delta=f;{end}"
        );
        let compacted = compact(events(&stream)).unwrap();
        assert_eq!(comes_to(&compacted), comes_to(&events(&stream)));
        assert_eq!(comes_to(&compacted)["messages"][0]["content"], "ab");
        assert_eq!(comes_to(&compacted)["pending"], json!(["c"]));
    }
}

#[test]
fn what_breaks_a_rule_is_not_compacted() {
    let violation = compact(events("RUN_STARTED threadId=t runId=r; TEXT_MESSAGE_END messageId=m"))
        .unwrap_err();
    assert_eq!(violation.event_index(), 1);
}

/// Any event of a small world: few ids, few owners.
pub(crate) fn any_event() -> impl Strategy<Value = String> {
    let id = prop::sample::select(vec!["m", "n", "c"]);
    let tag = prop::sample::select(vec!["", "", " @s", " @q"]);
    let kind = prop::sample::select(vec![
        "TEXT_MESSAGE_START messageId={}",
        "TEXT_MESSAGE_CONTENT messageId={} delta=x",
        "TEXT_MESSAGE_CONTENT messageId={} delta=y metadata={\"k\":1}",
        "TEXT_MESSAGE_CONTENT messageId={} delta=z metadata={\"k\":2,\"l\":3}",
        "TEXT_MESSAGE_END messageId={}",
        "TEXT_MESSAGE_CHUNK messageId={} delta=chunk",
        "REASONING_MESSAGE_START messageId={} role=reasoning",
        "REASONING_MESSAGE_CONTENT messageId={} delta=r",
        "REASONING_MESSAGE_END messageId={}",
        "TOOL_CALL_START toolCallId={} toolCallName=x",
        "TOOL_CALL_START toolCallId={} toolCallName=y parentMessageId=m",
        "TOOL_CALL_ARGS toolCallId={} delta=1",
        "TOOL_CALL_ARGS toolCallId={} delta=2 metadata={\"k\":1}",
        "TOOL_CALL_END toolCallId={}",
        "TOOL_CALL_CHUNK toolCallId={} toolCallName=x delta=3",
        "TOOL_CALL_RESULT messageId={} toolCallId=c content=done",
        "ACTIVITY_SNAPSHOT messageId={} activityType=x content={\"n\":0}",
        "ACTIVITY_DELTA messageId={} activityType=x patch=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1}]",
        "MESSAGES_SNAPSHOT messages=[{\"id\":\"{}\",\"role\":\"assistant\",\"content\":\"s\"}]",
        "REASONING_ENCRYPTED_VALUE subtype=message entityId={} encryptedValue=e",
    ]);
    let about = (kind, id, tag).prop_map(|(kind, id, tag)| {
        let tag = if kind.starts_with("MESSAGES") { "" } else { tag };
        format!("{}{tag}", kind.replace("{}", id))
    });
    let others = prop::sample::select(vec![
        "STATE_SNAPSHOT snapshot={\"n\":0}",
        "STATE_SNAPSHOT snapshot=[] @s",
        "STATE_DELTA delta=[{\"op\":\"replace\",\"path\":\"/n\",\"value\":1}]",
        "STATE_DELTA delta=[{\"op\":\"add\",\"path\":\"/m\",\"value\":2}] @s",
        "STATE_DELTA delta=[{\"op\":\"remove\",\"path\":\"/m\"}]",
        "RUN_FINISHED threadId=t runId=r",
        "RUN_ERROR message=x",
        "RUN_STARTED threadId=t runId=r",
        "CUSTOM name=x value=y",
    ]);
    prop_oneof![4 => about, 2 => others.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_compacted_stream_verifies_and_comes_to_the_same(
        lines in prop::collection::vec(any_event(), 1..40),
    ) {
        // What breaks a rule is left out, so that the rest is a stream.
        let mut verifier = EventVerifier::new();
        let mut stream = events("RUN_STARTED threadId=t runId=r");
        verifier.verify(&stream[0]).unwrap();
        for line in lines {
            let event = events(&line).remove(0);
            if verifier.verify(&event).is_ok() {
                stream.push(event);
            }
        }
        let short = compact(stream.clone()).unwrap();
        let mut verifier = EventVerifier::new();
        for event in &short {
            prop_assert!(verifier.verify(event).is_ok(), "{event:?} in {short:#?}");
        }
        prop_assert_eq!(comes_to(&short), comes_to(&stream));
        prop_assert_eq!(compact(short.clone()).unwrap().len(), short.len());
    }
}
