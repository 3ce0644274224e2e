//! The inventory of events: complete, in upstream's order, exhaustive, and built with all fields.

#![allow(deprecated, reason = "retired events are part of the inventory")]

use ag_ui::decode::{decode, decode_strict};
use ag_ui::encode::to_json;
use ag_ui::{
    ActivitySnapshotEvent, DecodeErrorKind, Event, EventType, Metadata,
    ReasoningEncryptedValueSubtype, RunOutcome, TextMessageRole, TextMessageStartEvent,
    ToolResultRole,
};
use serde_json::{Value, json};

const NAMES: [&str; 36] = [
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "THINKING_START",
    "THINKING_END",
    "THINKING_TEXT_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "RAW",
    "CUSTOM",
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "STEP_STARTED",
    "STEP_FINISHED",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_END",
    "REASONING_ENCRYPTED_VALUE",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "SUBAGENT_ERROR",
];

/// One event of each type, with what it requires and nothing else, in the order of [`NAMES`].
fn one_of_each() -> Vec<Event> {
    vec![
        Event::text_message_start("m", TextMessageRole::User),
        Event::text_message_content("m", "a"),
        Event::text_message_end("m"),
        Event::text_message_chunk(),
        Event::tool_call_start("c", "search"),
        Event::tool_call_args("c", "{}"),
        Event::tool_call_end("c"),
        Event::tool_call_chunk(),
        Event::tool_call_result("m", "c", "found"),
        Event::thinking_start(),
        Event::thinking_end(),
        Event::thinking_text_message_start(),
        Event::thinking_text_message_content("a"),
        Event::thinking_text_message_end(),
        Event::state_snapshot(json!({})),
        Event::state_delta(vec![]),
        Event::messages_snapshot(vec![]),
        Event::activity_snapshot("m", "plan", Metadata::new()),
        Event::activity_delta("m", "plan", vec![]),
        Event::raw(Value::Null),
        Event::custom("name", 7),
        Event::run_started("t", "r"),
        Event::run_finished("t", "r"),
        Event::run_error("it broke"),
        Event::step_started("plan"),
        Event::step_finished("plan"),
        Event::reasoning_start("m"),
        Event::reasoning_message_start("m"),
        Event::reasoning_message_content("m", "a"),
        Event::reasoning_message_end("m"),
        Event::reasoning_message_chunk(),
        Event::reasoning_end("m"),
        Event::reasoning_encrypted_value(ReasoningEncryptedValueSubtype::Message, "m", "sealed"),
        Event::subagent_started("s", "researcher"),
        Event::subagent_finished("s"),
        Event::subagent_error("s", "it broke"),
    ]
}

/// Exhaustive on purpose: a new event must stop this from compiling.
fn name_of_variant(event: &Event) -> &'static str {
    match event {
        Event::TextMessageStart(_) => "TEXT_MESSAGE_START",
        Event::TextMessageContent(_) => "TEXT_MESSAGE_CONTENT",
        Event::TextMessageEnd(_) => "TEXT_MESSAGE_END",
        Event::TextMessageChunk(_) => "TEXT_MESSAGE_CHUNK",
        Event::ToolCallStart(_) => "TOOL_CALL_START",
        Event::ToolCallArgs(_) => "TOOL_CALL_ARGS",
        Event::ToolCallEnd(_) => "TOOL_CALL_END",
        Event::ToolCallChunk(_) => "TOOL_CALL_CHUNK",
        Event::ToolCallResult(_) => "TOOL_CALL_RESULT",
        Event::ThinkingStart(_) => "THINKING_START",
        Event::ThinkingEnd(_) => "THINKING_END",
        Event::ThinkingTextMessageStart(_) => "THINKING_TEXT_MESSAGE_START",
        Event::ThinkingTextMessageContent(_) => "THINKING_TEXT_MESSAGE_CONTENT",
        Event::ThinkingTextMessageEnd(_) => "THINKING_TEXT_MESSAGE_END",
        Event::StateSnapshot(_) => "STATE_SNAPSHOT",
        Event::StateDelta(_) => "STATE_DELTA",
        Event::MessagesSnapshot(_) => "MESSAGES_SNAPSHOT",
        Event::ActivitySnapshot(_) => "ACTIVITY_SNAPSHOT",
        Event::ActivityDelta(_) => "ACTIVITY_DELTA",
        Event::Raw(_) => "RAW",
        Event::Custom(_) => "CUSTOM",
        Event::RunStarted(_) => "RUN_STARTED",
        Event::RunFinished(_) => "RUN_FINISHED",
        Event::RunError(_) => "RUN_ERROR",
        Event::StepStarted(_) => "STEP_STARTED",
        Event::StepFinished(_) => "STEP_FINISHED",
        Event::ReasoningStart(_) => "REASONING_START",
        Event::ReasoningMessageStart(_) => "REASONING_MESSAGE_START",
        Event::ReasoningMessageContent(_) => "REASONING_MESSAGE_CONTENT",
        Event::ReasoningMessageEnd(_) => "REASONING_MESSAGE_END",
        Event::ReasoningMessageChunk(_) => "REASONING_MESSAGE_CHUNK",
        Event::ReasoningEnd(_) => "REASONING_END",
        Event::ReasoningEncryptedValue(_) => "REASONING_ENCRYPTED_VALUE",
        Event::SubagentStarted(_) => "SUBAGENT_STARTED",
        Event::SubagentFinished(_) => "SUBAGENT_FINISHED",
        Event::SubagentError(_) => "SUBAGENT_ERROR",
    }
}

fn is_retired(event_type: EventType) -> bool {
    match event_type {
        EventType::ThinkingStart
        | EventType::ThinkingEnd
        | EventType::ThinkingTextMessageStart
        | EventType::ThinkingTextMessageContent
        | EventType::ThinkingTextMessageEnd => true,
        EventType::TextMessageStart
        | EventType::TextMessageContent
        | EventType::TextMessageEnd
        | EventType::TextMessageChunk
        | EventType::ToolCallStart
        | EventType::ToolCallArgs
        | EventType::ToolCallEnd
        | EventType::ToolCallChunk
        | EventType::ToolCallResult
        | EventType::StateSnapshot
        | EventType::StateDelta
        | EventType::MessagesSnapshot
        | EventType::ActivitySnapshot
        | EventType::ActivityDelta
        | EventType::Raw
        | EventType::Custom
        | EventType::RunStarted
        | EventType::RunFinished
        | EventType::RunError
        | EventType::StepStarted
        | EventType::StepFinished
        | EventType::ReasoningStart
        | EventType::ReasoningMessageStart
        | EventType::ReasoningMessageContent
        | EventType::ReasoningMessageEnd
        | EventType::ReasoningMessageChunk
        | EventType::ReasoningEnd
        | EventType::ReasoningEncryptedValue
        | EventType::SubagentStarted
        | EventType::SubagentFinished
        | EventType::SubagentError => false,
    }
}

#[test]
fn the_inventory_is_upstreams_in_its_order() {
    assert_eq!(EventType::ALL.map(EventType::as_str), NAMES);
    let variants: Vec<_> = one_of_each().iter().map(name_of_variant).collect();
    assert_eq!(variants, NAMES);
    for event in one_of_each() {
        assert_eq!(event.event_type().as_str(), name_of_variant(&event));
    }
}

#[test]
fn names_are_read_back_and_nothing_else_is() {
    for event_type in *EventType::ALL {
        assert_eq!(event_type.as_str().parse(), Ok(event_type));
        assert_eq!(event_type.to_string(), event_type.as_str());
        assert_eq!(format!("{event_type:>30}").len(), 30);
        assert_eq!(serde_json::to_value(event_type).unwrap(), event_type.as_str());
        let name = Value::from(event_type.as_str());
        assert_eq!(serde_json::from_value::<EventType>(name).unwrap(), event_type);
        for near in [event_type.as_str().to_lowercase(), format!("{event_type} ")] {
            let error = near.parse::<EventType>().unwrap_err();
            assert_eq!(error.name(), near);
            assert_eq!(error.expected(), NAMES);
        }
    }
    assert!("".parse::<EventType>().is_err());
}

#[test]
fn retired_events_are_marked_and_only_they_are() {
    for event in one_of_each() {
        let retired = is_retired(event.event_type());
        assert_eq!(event.is_deprecated(), retired);
        assert_eq!(event.event_type().is_deprecated(), retired);
        assert_eq!(decode_strict::<Event>(&to_json(&event)).is_err(), retired, "{event:?}");
    }
}

#[test]
fn what_a_constructor_makes_is_minimal_and_well_formed() {
    for event in one_of_each() {
        let json = to_json(&event);
        assert_eq!(decode::<Event>(&json).unwrap(), event);
        let Value::Object(document) = json.parse().unwrap() else { panic!("{json}") };
        assert!(event.timestamp().is_none() && event.raw_event().is_none(), "{json}");
        for field in document.keys() {
            // The constructor takes a role although the protocol has a default for it.
            if matches!(event, Event::TextMessageStart(_)) && field == "role" {
                continue;
            }
            let mut less = document.clone();
            less.remove(field);
            let less = Value::Object(less).to_string();
            let error = decode::<Event>(&less).unwrap_err();
            assert_eq!(error.kind(), DecodeErrorKind::MissingField, "{less}");
            assert_eq!(error.path(), format!("/{field}"), "{less}");
        }
    }
}

#[test]
fn base_fields_are_read_and_set_on_any_event() {
    let metadata: Metadata = Metadata::from_iter([("a".to_owned(), Value::Null)]);
    let mut attributable = 0;
    for mut event in one_of_each() {
        assert!(event.set_timestamp(-7));
        assert!(event.set_raw_event(json!({"provider": 1})));
        assert!(event.set_metadata(metadata.clone()));
        assert_eq!(event.timestamp(), Some(-7));
        assert_eq!(event.raw_event(), Some(&json!({"provider": 1})));
        assert_eq!(event.metadata(), Some(&metadata));
        let has_owner = event.set_subagent_run_id("s-7".into());
        assert_eq!(event.subagent_run_id().is_some_and(|id| id == "s-7"), has_owner);
        attributable += usize::from(has_owner);
        let mut expected: Value = to_json(&event).parse().unwrap();
        let read: Event = decode(&to_json(&event)).unwrap();
        assert_eq!(read, event);
        let fields = expected.as_object_mut().unwrap();
        assert_eq!(fields.remove("timestamp"), Some(json!(-7)));
        assert_eq!(fields.remove("rawEvent"), Some(json!({"provider": 1})));
        assert_eq!(fields.remove("metadata"), Some(json!({"a": null})));
        assert_eq!(fields.remove("subagentRunId").is_some(), has_owner);
    }
    // All but the lifecycle of the run, the snapshot of all messages, and the retired five.
    assert_eq!(attributable, 36 - 4 - 5);
}

#[test]
fn defaults_are_told_and_not_written() {
    let start = TextMessageStartEvent::new("m");
    assert_eq!(start.role, None);
    assert_eq!(start.role_or_default(), TextMessageRole::Assistant);
    assert_eq!(to_json(&start), r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#);
    let snapshot = ActivitySnapshotEvent::new("m", "plan", Metadata::new());
    assert!(snapshot.replace_or_default());
    assert!(!snapshot.clone().with_replace(false).replace_or_default());
    assert!(!to_json(&snapshot).contains("replace"));
    let result = ag_ui::ToolCallResultEvent::new("m", "c", "found").with_role(ToolResultRole::Tool);
    assert!(to_json(&result).contains(r#""role":"tool""#));
}

#[test]
fn a_struct_becomes_its_event_and_keeps_its_tag() {
    let start = TextMessageStartEvent::new("m").with_name("Ada").with_timestamp(1);
    let json = to_json(&start);
    assert_eq!(to_json(&Event::from(start)), json);
    let finished = ag_ui::RunFinishedEvent::new("t", "r").with_outcome(RunOutcome::cancelled());
    let json =
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}"#;
    assert_eq!(to_json(&finished), json);
    let error = decode_strict::<TextMessageStartEvent>(json).unwrap_err();
    assert_eq!(error.path(), "/type");
}
