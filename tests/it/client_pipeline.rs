//! From texts to events that can be relied on.

use ag_ui::client::{
    Error, Passed, PeerVersion, Pipeline, PipelineSettings, RetiredEvents, Undescribed,
    UnknownEvents, Verification, prepare_input,
};
use ag_ui::transform::{BoxError, FilterToolCalls, Output, Redact, StreamTransformer};
use ag_ui::verify::Rule;
use ag_ui::{Event, EventType, Message, RunAgentInput};
use serde_json::{Value, json};

use crate::client_support::{events, said, texts};

/// What came out, in short, the warnings, and how it ended.
fn through(
    settings: PipelineSettings,
    stream: &str,
) -> (Vec<Event>, Vec<String>, Result<(), Error>) {
    let mut pipeline = Pipeline::new(settings, "run");
    let (mut events, mut warnings) = (Vec::new(), Vec::new());
    let mut put_out = |passed| match passed {
        Passed::Event(event) => events.push(event),
        Passed::Warning(warning) => warnings.push(warning.to_string()),
    };
    let pushed = texts(stream).iter().try_for_each(|text| pipeline.push_json(text, &mut put_out));
    let ended = pushed.and_then(|()| pipeline.finish(&mut put_out));
    (events, warnings, ended)
}

fn types(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.event_type().as_str()).collect()
}

const START: &str = "RUN_STARTED threadId=t runId=r;";
const FINISH: &str = ";RUN_FINISHED threadId=t runId=r";

#[test]
fn what_is_not_described_is_left_out_or_fails_the_run() {
    let stream = format!(
        "{START}STEP_STARTED stepName=x later=1;STEP_FINISHED stepName=x{FINISH} outcome={{\"type\":\"paused\"}}"
    );
    let (events, warnings, ended) = through(PipelineSettings::new(), &stream);
    ended.unwrap();
    assert_eq!(events.len(), 4);
    assert_eq!(
        warnings,
        [
            "event 1, STEP_STARTED: /later: the protocol has no such field, left out",
            "event 3, RUN_FINISHED: /outcome: unrecognised variant `paused`, left out",
        ]
    );
    let (events, warnings, ended) =
        through(PipelineSettings::new().undescribed(Undescribed::Fail), &stream);
    assert_eq!((events.len(), warnings.len()), (1, 0));
    assert!(
        ended
            .unwrap_err()
            .to_string()
            .starts_with("event 1 cannot be read: STEP_STARTED at /later")
    );
}

#[test]
fn unknown_events_end_the_run_or_are_dropped() {
    let stream = format!("{START}LATER_EVENT x=1{FINISH}");
    let (events, _, ended) = through(PipelineSettings::new(), &stream);
    assert_eq!(types(&events), ["RUN_STARTED"]);
    let message = ended.unwrap_err().to_string();
    assert!(
        message.starts_with(
            "event 1 is of the unknown type `LATER_EVENT`; the agent speaks a newer protocol"
        ),
        "{message}"
    );

    for undescribed in [Undescribed::Strip, Undescribed::Fail] {
        let settings = PipelineSettings::new()
            .unknown_events(UnknownEvents::DropWithWarning)
            .undescribed(undescribed);
        let (events, warnings, ended) = through(settings, &stream);
        ended.unwrap();
        assert_eq!(types(&events), ["RUN_STARTED", "RUN_FINISHED"]);
        assert_eq!(warnings, ["event 1 is of the unknown type `LATER_EVENT`, dropped"]);
    }
    // An event without a type is not unknown but malformed, whatever is set.
    let settings = PipelineSettings::new().unknown_events(UnknownEvents::DropWithWarning);
    for text in [
        "{}",
        r#"{"type":""}"#,
        r#"{"type":7}"#,
        "[]",
        "null",
        "",
        r#"{"type":"STEP_STARTED""#,
        "[DONE]",
    ] {
        let mut pipeline = Pipeline::new(settings.clone(), "run");
        let error = pipeline.push_json(text, &mut |_| {}).unwrap_err();
        assert_eq!(error.code(), "DECODE", "{text}: {error}");
    }
}

#[test]
fn events_that_are_wrong_can_be_skipped_but_the_end_is_taken() {
    let stream = format!(
        "{START}TEXT_MESSAGE_CONTENT messageId=m delta=x;TEXT_MESSAGE_START messageId=m;STEP_STARTED stepName=null;TEXT_MESSAGE_CHUNK delta=x{FINISH};STEP_STARTED stepName=x;RUN_STARTED threadId=t runId=q;RUN_FINISHED threadId=t runId=q"
    );
    let (events, warnings, ended) =
        through(PipelineSettings::new().verification(Verification::SkipWithWarning), &stream);
    ended.unwrap();
    assert_eq!(
        types(&events),
        ["RUN_STARTED", "TEXT_MESSAGE_START", "RUN_FINISHED", "RUN_STARTED", "RUN_FINISHED"]
    );
    assert_eq!(warnings.len(), 5, "{warnings:?}");

    // Without verification everything passes that can be read.
    let stream =
        format!("{START}TEXT_MESSAGE_CONTENT messageId=m delta=x;STEP_FINISHED stepName=x{FINISH}");
    let off = PipelineSettings::new().verification(Verification::Off);
    let (events, warnings, ended) = through(off.clone(), &stream);
    ended.unwrap();
    assert_eq!((events.len(), warnings.len()), (4, 0));
    assert_eq!(through(off, START).2.unwrap_err().code(), "TRUNCATED");
}

#[test]
fn a_violation_says_where_the_event_stood_before_chunks_were_expanded() {
    let stream = format!(
        "{START}TEXT_MESSAGE_CHUNK messageId=m delta=a;TEXT_MESSAGE_CHUNK delta=b;TEXT_MESSAGE_CHUNK delta=c;STEP_FINISHED stepName=x"
    );
    let (_, _, ended) = through(PipelineSettings::new(), &stream);
    let Error::Order(violation) = ended.unwrap_err() else { panic!() };
    assert_eq!((violation.rule(), violation.event_index()), (Rule::NotOpen, 4));
}

#[test]
fn retired_events_are_read_as_what_replaced_them() {
    let stream = format!("{START}THINKING_START title=Hm timestamp=null;{FINISH}");
    assert_eq!(through(PipelineSettings::new(), &stream).2.unwrap_err().code(), "DECODE");

    let stream = format!(
        "{START}THINKING_START title=Hm metadata={{\"a\":1}};THINKING_TEXT_MESSAGE_START;THINKING_TEXT_MESSAGE_CONTENT delta=a;THINKING_TEXT_MESSAGE_END;THINKING_TEXT_MESSAGE_START;THINKING_TEXT_MESSAGE_CONTENT delta=b;THINKING_TEXT_MESSAGE_END;THINKING_END{FINISH}"
    );
    let (events, warnings, ended) = through(PipelineSettings::new(), &stream);
    ended.unwrap();
    assert_eq!(warnings.len(), 8);
    assert_eq!(
        warnings[0],
        "event 1, THINKING_START, is retired, read as REASONING_START; its `title` is lost"
    );
    let json: Vec<Value> =
        events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    assert_eq!(
        json[1],
        json!({"type": "REASONING_START", "messageId": "run-thinking-1", "metadata": {"a": 1}})
    );
    assert_eq!(
        (&json[3]["messageId"], &json[6]["messageId"]),
        (&json!("run-thinking-2"), &json!("run-thinking-3"))
    );
    assert_eq!(json[8]["messageId"], "run-thinking-1");

    // What was never opened is made up an id for, which nothing knows.
    let stream = format!("{START}THINKING_TEXT_MESSAGE_CONTENT delta=a");
    assert_eq!(through(PipelineSettings::new(), &stream).2.unwrap_err().code(), "ORDERING");
}

#[test]
fn current_events_pass_the_boundary_untouched() {
    let mut retired = RetiredEvents::new("r");
    for event in events(&said("m", "x")) {
        assert_eq!(retired.translate(event.clone(), 0), (event, None));
    }
}

#[test]
fn the_version_of_the_agent_is_remarked_on_when_it_is_newer_or_none() {
    for (version, text) in [
        ("1.0", None),
        ("1.1", None),
        ("0.9", None),
        ("1.2", Some("declares protocol version 1.2, this client speaks 1.1")),
        ("1.10", Some("1.10")),
        ("2.0", Some("2.0")),
        ("1", Some("cannot be interpreted")),
        ("1.0.0", Some("cannot be interpreted")),
        ("1.x", Some("cannot be interpreted")),
        ("+1.0", Some("cannot be interpreted")),
    ] {
        let stream = format!("RUN_STARTED threadId=t runId=r protocolVersion={version}{FINISH}");
        let (_, warnings, ended) = through(PipelineSettings::new(), &stream);
        ended.unwrap();
        assert_eq!(warnings.len(), usize::from(text.is_some()), "{version}: {warnings:?}");
        assert!(text.is_none_or(|text| warnings[0].contains(text)), "{version}: {warnings:?}");
    }
}

#[test]
fn an_older_agent_has_no_subagents() {
    let interrupt =
        r#"{"type":"interrupt","interrupts":[{"id":"i","reason":"x","subagentRunId":"s"}]}"#;
    let message = r#"[{"id":"m","role":"user","content":"x","subagentRunId":"s"}]"#;
    let stream = format!(
        "RUN_STARTED threadId=t runId=r input={{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":{message}}};SUBAGENT_STARTED subagentRunId=s name=x;STEP_STARTED stepName=x @s;STEP_FINISHED stepName=x @s;CUSTOM name=x value={{\"subagentRunId\":\"s\"}} @s;MESSAGES_SNAPSHOT messages={message};SUBAGENT_ERROR subagentRunId=s message=x{FINISH} outcome={interrupt}"
    );
    for (version, dropped) in
        [("0.0.57", true), ("0.0.39", true), ("0.0.58", false), ("1.0.0", false)]
    {
        let settings = PipelineSettings::new().peer(version.parse().unwrap());
        let (events, warnings, ended) = through(settings, &stream);
        ended.unwrap();
        let text: String = events.iter().map(ag_ui::encode::to_json).collect();
        assert_eq!(events.len(), if dropped { 6 } else { 8 }, "{version}");
        assert_eq!(warnings.len(), if dropped { 2 } else { 0 }, "{version}: {warnings:?}");
        // What is opaque stays.
        assert_eq!(
            text.matches("subagentRunId").count(),
            if dropped { 1 } else { 9 },
            "{version}: {text}"
        );
    }
}

#[test]
fn an_input_is_what_an_older_agent_can_read() {
    let messages = json!([
        {"id": "1", "role": "user", "subagentRunId": "s", "content": [
            {"type": "text", "text": "a"}, {"type": "image", "source": {"type": "url", "value": "x:y"}}, {"type": "text", "text": "b"},
        ]},
        {"id": "2", "role": "assistant", "toolCalls": []},
        {"id": "3", "role": "activity", "activityType": "x", "content": {}},
        {"id": "4", "role": "tool", "toolCallId": "c", "content": [{"type": "text", "text": "c"}]},
    ]);
    let prepared = |version: &str| {
        let messages: Vec<Message> = serde_json::from_value(messages.clone()).unwrap();
        let mut input = RunAgentInput::new("t", "r", messages).with_parent_run_id("p");
        let warnings = prepare_input(&mut input, version.parse().unwrap());
        (serde_json::to_value(&input).unwrap(), warnings)
    };
    let (input, warnings) = prepared("0.0.39");
    assert_eq!(
        input["messages"],
        json!([
            {"id": "1", "role": "user", "content": "ab"},
            {"id": "2", "role": "assistant", "content": "", "toolCalls": []},
            {"id": "4", "role": "tool", "toolCallId": "c", "content": "c"},
        ])
    );
    assert_eq!((&input["parentRunId"], &input["protocolVersion"]), (&Value::Null, &Value::Null));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(
        warnings[0].to_string(),
        "message `1`: 1 parts that are no text cannot be sent to a peer of version 0.0.39, left out"
    );

    let (input, warnings) = prepared("0.0.57");
    assert!(
        input["messages"][0].get("subagentRunId").is_none()
            && input["messages"][0]["content"].is_array()
    );
    assert_eq!((&input["parentRunId"], warnings.len()), (&json!("p"), 0));
    let (input, _) = prepared("1.1.0");
    assert_eq!(
        (&input["protocolVersion"], input["messages"].as_array().unwrap().len()),
        (&json!("1.1"), 3)
    );
    assert_eq!(input["messages"][0]["subagentRunId"], "s");

    for text in ["", "1", "1.0", "1.0.0.0", "a.b.c", "1.0.+1", "1.0.99999999999999999999"] {
        assert!(text.parse::<PeerVersion>().is_err(), "{text}");
    }
}

#[test]
fn transformers_see_every_event_and_are_new_for_each_run() {
    /// Puts the number of events it has seen before the end.
    #[derive(Default)]
    struct Counts(u32);

    impl StreamTransformer for Counts {
        fn transform(&mut self, event: Event, output: &mut Output<'_>) -> ag_ui::transform::Result {
            self.0 += 1;
            output.push(event);
            Ok(())
        }

        fn finish(&mut self, output: &mut Output<'_>) -> ag_ui::transform::Result {
            output.push(Event::custom("count", self.0));
            Ok(())
        }
    }

    let stream = format!("{START}TEXT_MESSAGE_CHUNK messageId=m delta=a{FINISH};{START}{FINISH}");
    let (events, _, ended) = through(PipelineSettings::new().transformer(Counts::default), &stream);
    ended.unwrap();
    let counts: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Custom(event) => Some(event.value.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(counts, [json!(2), json!(1)]);

    // A stream that is cut off gives back what is held.
    let (events, _, ended) = through(PipelineSettings::new().transformer(Counts::default), START);
    assert_eq!(ended.unwrap_err().code(), "TRUNCATED");
    assert_eq!(types(&events), ["RUN_STARTED", "CUSTOM"]);
}

#[test]
fn built_in_transformers_work_on_this_side_too() {
    let stream = format!(
        "{START}TOOL_CALL_START toolCallId=c toolCallName=x;TOOL_CALL_END toolCallId=c;{}{FINISH}",
        said("m", "hunter2")
    );
    let settings = PipelineSettings::new()
        .transformer(|| FilterToolCalls::block(["x"]))
        .transformer(|| Redact::new(["hunter2"]));
    let (events, _, ended) = through(settings, &stream);
    ended.unwrap();
    assert_eq!(events.len(), 5);
    assert!(events.contains(&Event::text_message_content("m", "[redacted]")));
}

#[test]
fn a_transformer_that_fails_fails_the_run() {
    let fails = || {
        |event: Event, output: &mut Output<'_>| {
            if event.event_type() == EventType::StepStarted {
                return Err(BoxError::from("the disk is full"));
            }
            output.push(event);
            Ok(())
        }
    };
    let (events, _, ended) = through(
        PipelineSettings::new().transformer(fails),
        &format!("{START}STEP_STARTED stepName=x"),
    );
    assert_eq!(ended.unwrap_err().to_string(), "a transformer failed: the disk is full");
    assert_eq!(events.len(), 1);
}
