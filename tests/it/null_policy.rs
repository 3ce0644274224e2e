//! Null for absence: tolerated where older producers send it, an error naming the field elsewhere.

use std::collections::BTreeSet;

use ag_ui::decode::{Wire, decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{AdjustmentKind, AgentCapabilities, DecodeErrorKind, Event, Message, RunAgentInput};
use serde_json::Value;

use crate::documents::{Documents, tags_first};

/// What a tolerant reader leaves out of a document, as path and text.
pub(crate) fn adjustments<T: Wire>(json: &str) -> Vec<String> {
    let (_, report) = decode_with_report::<T>(json).unwrap();
    assert_eq!(report.unlisted(), 0);
    report.adjustments().iter().map(ToString::to_string).collect()
}

/// The whole list, and the document that has the same meaning without the null.
const TOLERATED: [(&str, &str, &str); 14] = [
    (
        r#"{"type":"STEP_STARTED","rawEvent":null,"stepName":"a"}"#,
        "/rawEvent",
        r#"{"type":"STEP_STARTED","stepName":"a"}"#,
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null}"#,
        "/result",
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":null}"#,
        "/outcome",
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ),
    (
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":null}"#,
        "/result",
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
    ),
    (
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n","parentMessageId":null}"#,
        "/parentMessageId",
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}"#,
    ),
    (
        r#"{"type":"TOOL_CALL_CHUNK","parentMessageId":null}"#,
        "/parentMessageId",
        r#"{"type":"TOOL_CALL_CHUNK"}"#,
    ),
    (
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"forwardedProps":null}}"#,
        "/input/forwardedProps",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}}"#,
    ),
    (
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","state":null,"messages":[],"tools":[],"context":[]}}"#,
        "/input/state",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}}"#,
    ),
    (
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[{"name":"a","description":"b"},{"name":"n","description":"d","parameters":null}],"context":[]}}"#,
        "/input/tools/1/parameters",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[{"name":"a","description":"b"},{"name":"n","description":"d"}],"context":[]}}"#,
    ),
    (
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"resume":[{"interruptId":"i","status":"resolved","payload":null}]}}"#,
        "/input/resume/0/payload",
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"resume":[{"interruptId":"i","status":"resolved"}]}}"#,
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[{"type":"text","text":"a"},{"type":"image","metadata":null,"source":{"type":"url","value":"u"}}]}]}"#,
        "/messages/0/content/1/metadata",
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","value":"u"}}]}]}"#,
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"tool","toolCallId":"c","content":[{"type":"audio","metadata":null,"source":{"type":"url","value":"u"}}]}]}"#,
        "/messages/0/content/0/metadata",
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"tool","toolCallId":"c","content":[{"type":"audio","source":{"type":"url","value":"u"}}]}]}"#,
    ),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"video","metadata":null,"source":{"type":"url","value":"u"}}]}"#,
        "/content/0/metadata",
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"video","source":{"type":"url","value":"u"}}]}"#,
    ),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"document","metadata":null,"source":{"type":"url","value":"u"}}]}"#,
        "/content/0/metadata",
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"document","source":{"type":"url","value":"u"}}]}"#,
    ),
];

#[test]
fn nulls_of_older_producers_are_read_as_absence() {
    for (with_null, path, without) in TOLERATED {
        let (event, report) = decode_with_report::<Event>(with_null).unwrap();
        assert_eq!(event, decode::<Event>(without).unwrap());
        assert_eq!(event, serde_json::from_str::<Event>(with_null).unwrap());
        let [adjustment] = report.adjustments() else { panic!("{report:?} of {with_null}") };
        assert_eq!(adjustment.path(), path);
        assert_eq!(adjustment.kind(), &AdjustmentKind::NullOmitted);
        assert_eq!(adjustment.to_string(), format!("{path}: null read as absent"));
        assert!(adjustments::<Event>(without).is_empty());

        let error = decode_strict::<Event>(with_null).unwrap_err();
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::Null, path), "{error}");
    }
}

/// Fields of the model whose null is forgiven, besides the `rawEvent` of every event.
const FORGIVEN: [(&str, &str); 13] = [
    ("AudioPart", "metadata"),
    ("DocumentPart", "metadata"),
    ("ImagePart", "metadata"),
    ("ResumeEntry", "payload"),
    ("RunAgentInput", "forwardedProps"),
    ("RunAgentInput", "state"),
    ("RunFinishedEvent", "outcome"),
    ("RunFinishedEvent", "result"),
    ("SubagentFinishedEvent", "result"),
    ("Tool", "parameters"),
    ("ToolCallChunkEvent", "parentMessageId"),
    ("ToolCallStartEvent", "parentMessageId"),
    ("VideoPart", "metadata"),
];

/// Fields whose null is data.
const DATA: [(&str, &str); 6] = [
    ("AddOperation", "value"),
    ("CustomEvent", "value"),
    ("RawEvent", "event"),
    ("ReplaceOperation", "value"),
    ("StateSnapshotEvent", "snapshot"),
    ("TestOperation", "value"),
];

/// Sets each described field to null in turn.
fn judge_nulls<T: Wire>(
    documents: &mut Documents,
    name: &str,
    found: &mut BTreeSet<(String, String)>,
) {
    let (valid, places) = documents.described(name);
    let before = adjustments::<T>(&tags_first(&valid));
    assert!(before.is_empty(), "{before:?}");
    for place in places.iter().filter(|place| !place.is_tag) {
        let mut document = valid.clone();
        *document.pointer_mut(&place.pointer).unwrap() = Value::Null;
        let field = (place.type_name.as_str(), place.name());
        found.insert((field.0.to_owned(), field.1.to_owned()));
        for json in [tags_first(&document), document.to_string()] {
            let strict = decode_strict::<T>(&json);
            if DATA.contains(&field) {
                assert!(strict.is_ok(), "{json}");
                assert!(adjustments::<T>(&json).is_empty(), "{json}");
                let written: Value = to_json(&strict.unwrap()).parse().unwrap();
                assert_eq!(written.pointer(&place.pointer), Some(&Value::Null), "{json}");
                continue;
            }
            let strict = strict.err().unwrap_or_else(|| panic!("{} in {json}", place.pointer));
            assert_eq!(strict.path(), place.pointer, "{strict} in {json}");
            if FORGIVEN.contains(&field) || field.1 == "rawEvent" {
                let expected = format!("{}: null read as absent", place.pointer);
                assert_eq!(adjustments::<T>(&json), [expected], "{json}");
                continue;
            }
            let error = decode::<T>(&json).err();
            let error = error.unwrap_or_else(|| panic!("{} in {json}", place.pointer));
            assert_eq!(error.path(), place.pointer, "{error} in {json}");
            // A list that absence empties is as good as required.
            let is_list = place.field["default"].is_array();
            let kind = match place.is_optional() && !is_list {
                true => DecodeErrorKind::Null,
                false => DecodeErrorKind::WrongValue,
            };
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains("null"), "{error}");
        }
    }
}

#[test]
fn every_other_null_is_an_error_at_its_place() {
    let mut documents = Documents::full(9);
    let mut found = BTreeSet::new();
    for name in documents.variants("Event") {
        for _ in 0..8 {
            judge_nulls::<Event>(&mut documents, &name, &mut found);
        }
    }
    for _ in 0..20 {
        judge_nulls::<Message>(&mut documents, "Message", &mut found);
        judge_nulls::<RunAgentInput>(&mut documents, "RunAgentInput", &mut found);
        judge_nulls::<AgentCapabilities>(&mut documents, "AgentCapabilities", &mut found);
    }
    for (type_name, field) in FORGIVEN.iter().chain(&DATA) {
        assert!(found.contains(&((*type_name).to_owned(), (*field).to_owned())));
    }
    let all = documents.all_fields();
    let missed: Vec<_> = all.difference(&found).filter(|(_, field)| !is_tag(field)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

fn is_tag(field: &str) -> bool {
    ["type", "role", "op"].contains(&field)
}

#[test]
fn nulls_within_data_are_kept() {
    for json in [
        r#"{"type":"STEP_STARTED","rawEvent":{"a":null},"metadata":{"b":[null]},"stepName":"a"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":[null]}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"a","content":{"x":null}}"#,
        r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","value":null}]}"#,
    ] {
        let (event, report) = decode_with_report::<Event>(json).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(to_json(&event), json);
        assert_eq!(decode_strict::<Event>(json).unwrap(), event);
    }
}

#[test]
fn a_null_instead_of_the_document_is_an_error() {
    for error in [
        decode::<Event>("null").unwrap_err(),
        decode::<Message>(" null ").unwrap_err(),
        decode::<RunAgentInput>("null").unwrap_err(),
        decode::<AgentCapabilities>("null").unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::WrongValue, ""), "{error}");
    }
}
