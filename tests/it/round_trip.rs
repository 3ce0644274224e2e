//! What is written is what is read, for every event.

use std::collections::BTreeSet;

use ag_ui::decode::{decode, decode_strict, decode_with_report};
use ag_ui::encode::{json_into, to_json};
use ag_ui::{Event, EventType, RunAgentInput};
use serde_json::{Value, json};

use crate::documents::{Documents, tags_first};

/// As the encoder writes it: lists that absence empties are there.
fn with_defaults(mut document: Value) -> Value {
    let fill = |input: &mut Value| {
        let input = input.as_object_mut().unwrap();
        for list in ["tools", "context"] {
            input.entry(list).or_insert_with(|| json!([]));
        }
    };
    if document.get("type").is_none() {
        fill(&mut document);
    } else if document["type"] == "RUN_STARTED"
        && let Some(input) = document.get_mut("input")
    {
        fill(input);
    }
    document
}

#[test]
fn every_event_comes_back_as_it_was() {
    let mut documents = Documents::new(3);
    let mut types = BTreeSet::new();
    for name in documents.variants("Event") {
        for _ in 0..60 {
            let document = documents.valid(&name);
            let event: Event = decode(&document.to_string()).unwrap();
            assert_eq!(decode::<Event>(&tags_first(&document)).unwrap(), event);
            types.insert(event.event_type());
            let text = to_json(&event);
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), with_defaults(document));
            assert_eq!(decode::<Event>(&text).unwrap(), event);
            assert_eq!(decode_strict::<Event>(&text).unwrap(), event);
            assert!(text.starts_with(&format!(r#"{{"type":"{}""#, event.event_type())), "{text}");
        }
    }
    assert_eq!(types.len(), 31);
}

#[test]
fn every_way_of_serde_reads_and_writes_the_same() {
    let mut documents = Documents::new(4);
    for _ in 0..1_500 {
        let document = documents.valid("Event");
        let text = document.to_string();
        let event: Event = decode(&text).unwrap();
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
        assert_eq!(serde_json::from_slice::<Event>(text.as_bytes()).unwrap(), event);
        assert_eq!(serde_json::from_reader::<_, Event>(text.as_bytes()).unwrap(), event);
        assert_eq!(serde_json::from_value::<Event>(document).unwrap(), event);
        let written = to_json(&event);
        assert_eq!(serde_json::to_string(&event).unwrap(), written);
        assert_eq!(serde_json::to_value(&event).unwrap(), written.parse::<Value>().unwrap());
    }
}

#[test]
fn the_place_of_the_discriminator_does_not_matter() {
    let mut documents = Documents::new(5);
    for _ in 0..1_500 {
        let document = documents.valid("Event");
        let Value::Object(mut entries) = document.clone() else { panic!("{document}") };
        let tag = entries.remove("type").unwrap();
        let others: Vec<String> =
            entries.iter().map(|(key, value)| format!("{}:{value}", json!(key))).collect();
        let event: Event = decode(&document.to_string()).unwrap();
        for place in [0, others.len() / 2, others.len()] {
            let mut fields = others.clone();
            fields.insert(place, format!("\"type\":{tag}"));
            let text = format!("{{{}}}", fields.join(","));
            assert_eq!(decode::<Event>(&text).unwrap(), event, "{text}");
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }
}

/// The shortcut for deltas and the general way agree, whatever the layout.
#[test]
fn compact_deltas_are_read_like_any_other() {
    let mut documents = Documents::new(6);
    for name in ["TextMessageContentEvent", "ToolCallArgsEvent", "ReasoningMessageContentEvent"] {
        for _ in 0..300 {
            let Value::Object(document) = documents.valid(name) else { panic!("{name}") };
            let fields = documents.fields(name);
            let fields: Vec<String> = fields
                .iter()
                .map(|field| field["name"].as_str().unwrap())
                .filter_map(|field| Some(format!("\"{field}\":{}", document.get(field)?)))
                .collect();
            let compact: Event = decode(&format!("{{{}}}", fields.join(","))).unwrap();
            let spaced: Event = decode(&format!("{{ {} }}\n", fields.join(" , "))).unwrap();
            assert_eq!(compact, spaced);
        }
    }
    for (json, delta) in [
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#, Some("a")),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\u0061"}"#, Some("a")),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"ü"}"#, Some("ü")),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}}"#, None),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a""#, None),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"#, None),
        (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":7}"#, None),
        ("{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"\n\"}", None),
    ] {
        let read = decode::<Event>(json).ok().map(|event| match event {
            Event::TextMessageContent(event) => event.delta,
            other => panic!("{other:?}"),
        });
        assert_eq!(read.as_deref(), delta, "{json}");
    }
}

#[test]
fn inputs_come_back_as_they_were_and_report_their_defaults() {
    let mut documents = Documents::new(7);
    for _ in 0..300 {
        let document = documents.valid("RunAgentInput");
        let (input, report) = decode_with_report::<RunAgentInput>(&document.to_string()).unwrap();
        let absent = ["tools", "context"].iter().filter(|list| document.get(**list).is_none());
        assert_eq!(report.adjustments().len(), absent.count());
        let written: Value = to_json(&input).parse().unwrap();
        assert_eq!(written, with_defaults(document));
    }
}

#[test]
fn nulls_that_are_data_stay_and_nulls_that_say_nothing_go() {
    for json in [
        r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#,
        r#"{"type":"RAW","event":null}"#,
        r#"{"type":"CUSTOM","name":"a","value":null}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"","value":null}]}"#,
        r#"{"type":"CUSTOM","metadata":{"a":null},"name":"a","value":{"b":[null]}}"#,
    ] {
        let event: Event = decode(json).unwrap();
        assert_eq!(to_json(&event), json);
        assert_eq!(serde_json::to_string(&event).unwrap(), json);
    }
    let mut event = Event::run_finished("t", "r");
    assert!(event.set_raw_event(Value::Null));
    let Event::RunFinished(finished) = &mut event else { panic!("{event:?}") };
    finished.result = Some(Value::Null);
    assert_eq!(to_json(&event), r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#);
    assert_eq!(serde_json::to_string(&event).unwrap(), to_json(&event));
}

#[test]
fn a_reused_buffer_keeps_what_it_held() {
    let mut buffer = b"before ".to_vec();
    json_into(&Event::step_started("plan"), &mut buffer);
    assert_eq!(buffer, br#"before {"type":"STEP_STARTED","stepName":"plan"}"#);
}

#[test]
fn retired_events_are_read_and_written() {
    for (json, event_type) in [
        (r#"{"type":"THINKING_START","title":"hm"}"#, "THINKING_START"),
        (r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#, "THINKING_TEXT_MESSAGE_START"),
        (
            r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"a"}"#,
            "THINKING_TEXT_MESSAGE_CONTENT",
        ),
        (r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#, "THINKING_TEXT_MESSAGE_END"),
        (r#"{"type":"THINKING_END"}"#, "THINKING_END"),
    ] {
        let event: Event = decode(json).unwrap();
        assert_eq!(to_json(&event), json);
        assert_eq!(event.event_type(), event_type.parse::<EventType>().unwrap());
        assert!(event.is_deprecated());
        let error = decode_strict::<Event>(json).unwrap_err();
        assert_eq!(error.path(), "/type");
    }
}
