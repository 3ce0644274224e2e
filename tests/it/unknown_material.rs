//! What the protocol does not describe: left out and told by a tolerant reader, refused by a
//! strict one, kept where it is data.

use ag_ui::decode::{decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{
    AdjustmentKind, AgentCapabilities, DecodeErrorKind, Event, Message, RunAgentInput, RunOutcome,
};
use serde_json::{Value, json};

use crate::documents::{Documents, tags_first};
use crate::null_policy::adjustments;

/// A document, what is told about it, the document without it, and where a strict reader stops.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str);

const FIELDS: [Case; 4] = [
    (
        r#"{"type":"STEP_STARTED","stepName":"a","later":1,"~/":{"x":null},"constructor":[]}"#,
        &[
            "/later: the protocol has no such field, left out",
            "/~0~1: the protocol has no such field, left out",
            "/constructor: the protocol has no such field, left out",
        ],
        r#"{"type":"STEP_STARTED","stepName":"a"}"#,
        "/later",
    ),
    (
        r#"{"type":"RUN_STARTED","subagentRunId":"s","threadId":"t","runId":"r"}"#,
        &["/subagentRunId: the protocol has no such field, left out"],
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        "/subagentRunId",
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"system","id":"a","content":""},{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"","strict":true},"subagentRunId":"s"}],"x":1}]}"#,
        &[
            "/messages/1/toolCalls/0/function/strict: the protocol has no such field, left out",
            "/messages/1/toolCalls/0/subagentRunId: the protocol has no such field, left out",
            "/messages/1/x: the protocol has no such field, left out",
        ],
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"system","id":"a","content":""},{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":""}}]}]}"#,
        "/messages/1/toolCalls/0/function/strict",
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","interrupts":[{"id":7}]}}"#,
        &["/outcome/interrupts: the protocol has no such field, left out"],
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}"#,
        "/outcome/interrupts",
    ),
];

const VARIANTS: [Case; 9] = [
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"narrator","id":7,"content":null},{"role":"user","id":"m","content":"a"}]}"#,
        &["/messages/0: unrecognised variant `narrator`, left out"],
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":"a"}]}"#,
        "/messages/0/role",
    ),
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":"a"},{"id":"n"},{"id":"o","role":7}]}"#,
        &[
            "/messages/1: unrecognised variant ``, left out",
            "/messages/2: unrecognised variant ``, left out",
        ],
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":"a"}]}"#,
        "/messages/1/role",
    ),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"a"},{"type":"hologram","x":{"type":"text"}}]}"#,
        &["/content/1: unrecognised variant `hologram`, left out"],
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"a"}]}"#,
        "/content/1/type",
    ),
    // The source is required, so the part goes with it; what was told of the part goes too.
    (
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":[{"type":"image","later":1,"metadata":null,"source":{"type":"quantum","value":7}},{"type":"text","text":"a"}]}]}"#,
        &["/messages/0/content/0: unrecognised variant `quantum`, left out"],
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":[{"type":"text","text":"a"}]}]}"#,
        "/messages/0/content/0/later",
    ),
    (
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"source":{"value":"v"},"type":"image"}]}"#,
        &["/content/0: unrecognised variant ``, left out"],
        r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[]}"#,
        "/content/0/source/type",
    ),
    (
        r#"{"type":"STATE_DELTA","delta":[{"op":"increment","path":7},{"op":"remove","path":"/a"},{"path":"/b"},{"op":null}]}"#,
        &[
            "/delta/0: unrecognised variant `increment`, left out",
            "/delta/2: unrecognised variant ``, left out",
            "/delta/3: unrecognised variant ``, left out",
        ],
        r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}"#,
        "/delta/0/op",
    ),
    (
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"postponed"}}"#,
        &["/outcome: unrecognised variant `postponed`, left out"],
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        "/outcome/type",
    ),
    (
        r#"{"type":"RUN_FINISHED","outcome":{},"threadId":"t","runId":"r"}"#,
        &["/outcome: unrecognised variant ``, left out"],
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        "/outcome/type",
    ),
    (
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"why":"a","type":["success"]}}"#,
        &["/outcome: unrecognised variant ``, left out"],
        r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
        "/outcome/type",
    ),
];

#[test]
fn it_is_left_out_and_told() {
    for (json, told, without, strict) in FIELDS.into_iter().chain(VARIANTS) {
        assert_eq!(adjustments::<Event>(json), told);
        let event: Event = decode(without).unwrap();
        assert_eq!(to_json(&event), without);
        assert_eq!(decode::<Event>(json).unwrap(), event, "{json}");
        assert_eq!(serde_json::from_str::<Event>(json).unwrap(), event, "{json}");
        assert!(adjustments::<Event>(without).is_empty());

        let error = decode_strict::<Event>(json).unwrap_err();
        assert_eq!(error.path(), strict, "{error}");
    }
}

/// The same documents with their keys in alphabetical order, where tags come late.
#[test]
fn the_place_of_the_tag_changes_nothing() {
    for (json, told, without, _) in FIELDS.into_iter().chain(VARIANTS) {
        let mut told = told.to_vec();
        let sorted = json.parse::<Value>().unwrap().to_string();
        let mut found = adjustments::<Event>(&sorted);
        found.sort();
        told.sort_unstable();
        assert_eq!(found, told, "{sorted}");
        assert_eq!(decode::<Event>(&sorted).unwrap(), decode(without).unwrap());
        assert!(decode_strict::<Event>(&sorted).is_err());
    }
}

#[test]
fn another_kind_than_an_object_is_malformed_in_any_union() {
    for (json, path) in [
        (r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":[]}"#, "/outcome"),
        (r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"success"}"#, "/outcome"),
        (r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":null}"#, "/outcome"),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":[null]}"#, "/messages/0"),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":{}}"#, "/messages"),
        (r#"{"type":"STATE_DELTA","delta":["remove"]}"#, "/delta/0"),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":""},[]]}"#, "/delta/1"),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":["a"]}"#,
            "/content/0",
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image","source":"u"}]}"#,
            "/content/0/source",
        ),
    ] {
        let error = decode::<Event>(json).unwrap_err();
        assert_eq!(error.path(), path, "{error}");
        let error = serde_json::from_str::<Event>(json).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{path}: ")), "{error}");
    }
}

/// A known variant that is malformed is an error, however much may be left out around it.
#[test]
fn a_malformed_value_is_never_left_out() {
    for (json, path) in [
        (
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt"}}"#,
            "/outcome/interrupts",
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":7,"content":""}]}"#,
            "/messages/0/id",
        ),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}"#, "/delta/0/value"),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"a"}]}"#, "/delta/0/path"),
        (
            r#"{"type":"STATE_DELTA","delta":[{"op":"move","from":"/~2","path":"/a"}]}"#,
            "/delta/0/from",
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image"}]}"#,
            "/content/0/source",
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"a","metadata":null}]}"#,
            "/content/0/metadata",
        ),
    ] {
        let error = decode::<Event>(json).unwrap_err();
        assert_eq!(error.path(), path, "{error}");
    }
}

#[test]
fn closed_sets_of_strings_are_closed() {
    for (json, path) in [
        (r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}"#, "/role"),
        (r#"{"type":"TEXT_MESSAGE_CHUNK","role":"narrator"}"#, "/role"),
        (r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"assistant"}"#, "/role"),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"","role":"user"}"#,
            "/role",
        ),
        (
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"part","entityId":"e","encryptedValue":""}"#,
            "/subtype",
        ),
        (
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"ignored"}]}}"#,
            "/input/resume/0/status",
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"procedure","function":{"name":"n","arguments":""}}]}]}"#,
            "/messages/0/toolCalls/0/type",
        ),
    ] {
        for error in [decode::<Event>(json).unwrap_err(), decode_strict::<Event>(json).unwrap_err()]
        {
            assert_eq!((error.kind(), error.path()), (DecodeErrorKind::WrongValue, path));
            assert!(error.to_string().contains(", expected "), "{error}");
        }
    }
}

#[test]
fn extra_members_of_patch_operations_are_kept() {
    let json = r#"{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"a","patch":[{"op":"remove","path":"/a","note":{"x":null},"value":1}]}"#;
    let event: Event = decode_strict(json).unwrap();
    assert_eq!(to_json(&event), json);
    assert!(adjustments::<Event>(json).is_empty());
}

#[test]
fn open_sets_are_open() {
    for json in [
        r#"{"type":"CUSTOM","name":"anything at all","value":{"type":"later"}}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"later","content":{"nested":{"role":7},"op":"later"}}"#,
        r#"{"type":"RUN_ERROR","message":"m","code":"later"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"later"}"#,
    ] {
        let (event, report) = decode_with_report::<Event>(json).unwrap();
        assert!(report.is_empty());
        assert_eq!(to_json(&event), json);
    }
}

#[test]
fn an_unknown_type_of_event_is_an_error() {
    let missing = (DecodeErrorKind::MissingField, "/type");
    let unknown = (DecodeErrorKind::UnknownVariant, "/type");
    let wrong = (DecodeErrorKind::WrongValue, "/type");
    for (json, expected) in [
        ("{}", missing),
        (r#"{"stepName":"a"}"#, missing),
        (r#"{"type":"LATER","stepName":"a"}"#, unknown),
        (r#"{"stepName":"a","type":"LATER"}"#, unknown),
        (r#"{"type":"","stepName":"a"}"#, wrong),
        (r#"{"type":"step_started","stepName":"a"}"#, unknown),
        (r#"{"type":7,"stepName":"a"}"#, wrong),
        (r#"{"stepName":"a","type":7}"#, wrong),
        (r#"{"type":null}"#, wrong),
        (r#"{"type":["STEP_STARTED"],"stepName":"a"}"#, wrong),
        (r#"{"stepName":"a","type":{"a":1}}"#, wrong),
    ] {
        for error in [decode::<Event>(json).unwrap_err(), decode_strict::<Event>(json).unwrap_err()]
        {
            assert_eq!((error.kind(), error.path()), expected, "{error} in {json}");
            assert_eq!(error.event_type(), None);
        }
        assert!(
            serde_json::from_str::<Event>(json).unwrap_err().to_string().starts_with("/type: ")
        );
    }
}

#[test]
fn an_unknown_role_of_a_lone_message_is_an_error() {
    for json in [r#"{"role":"narrator","id":"m"}"#, r#"{"id":"m","role":"narrator"}"#] {
        let error = decode::<Message>(json).unwrap_err();
        assert_eq!(error.kind(), DecodeErrorKind::UnknownVariant);
        let text = error.to_string();
        assert!(
            text.starts_with("unknown `role` `narrator`, expected one of: developer, "),
            "{text}"
        );
        let error = decode_strict::<Message>(json).unwrap_err();
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::UnknownVariant, "/role"));
    }
    let error = decode::<RunOutcome>("{}").unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::UnknownVariant);
    let error = decode_strict::<RunOutcome>("{}").unwrap_err();
    assert_eq!((error.kind(), error.path()), (DecodeErrorKind::MissingField, "/type"));
}

#[test]
fn absent_lists_of_an_input_are_filled_in_and_told() {
    let json = r#"{"threadId":"t","runId":"r","messages":[]}"#;
    let (input, report) = decode_with_report::<RunAgentInput>(json).unwrap();
    assert!(input.tools.is_empty() && input.context.is_empty());
    let paths: Vec<_> = report.adjustments().iter().map(|one| (one.path(), one.kind())).collect();
    assert_eq!(
        paths,
        [("/tools", &AdjustmentKind::Defaulted), ("/context", &AdjustmentKind::Defaulted)]
    );
    decode_strict::<RunAgentInput>(json).unwrap();
}

#[test]
fn a_retired_name_of_a_capability_is_not_read() {
    let json = r#"{"multiAgent":{"subAgents":[{"name":"a"}],"handoffs":true}}"#;
    let told = ["/multiAgent/subAgents: the protocol has no such field, left out"];
    assert_eq!(adjustments::<AgentCapabilities>(json), told);
    assert!(decode_strict::<AgentCapabilities>(json).is_err());
}

fn message_of(parts: &Value) -> String {
    json!({ "role": "user", "id": "m", "content": parts }).to_string()
}

#[test]
fn legacy_binary_parts_become_what_replaced_them() {
    let data = |mime: &str| json!({ "type": "data", "value": "aGk=", "mimeType": mime });
    let url = json!({ "type": "url", "value": "https://a.example/b", "mimeType": "image/png" });
    for (binary, part) in [
        (
            json!({ "type": "binary", "mimeType": "image/png", "data": "aGk=" }),
            json!({ "type": "image", "source": data("image/png") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "audio/wav", "data": "aGk=", "url": "u" }),
            json!({ "type": "audio", "source": data("audio/wav") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "video/mp4", "data": "aGk=", "filename": "f" }),
            json!({ "type": "video", "source": data("video/mp4"), "metadata": { "filename": "f" } }),
        ),
        (
            json!({ "type": "binary", "mimeType": "application/pdf", "data": "aGk=", "id": "i" }),
            json!({ "type": "document", "source": data("application/pdf") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "image", "data": "aGk=" }),
            json!({ "type": "document", "source": data("image") }),
        ),
        (
            json!({ "type": "binary", "mimeType": "image/png", "data": "", "url": "https://a.example/b" }),
            json!({ "type": "image", "source": url }),
        ),
    ] {
        let text = json!({ "type": "text", "text": "a" });
        let json = message_of(&json!([text, binary]));
        let (message, report) = decode_with_report::<Message>(&json).unwrap();
        let expected = message_of(&json!([text, part]));
        assert_eq!(message, decode::<Message>(&expected).unwrap());
        let [adjustment] = report.adjustments() else { panic!("{report:?}") };
        assert_eq!(adjustment.path(), "/content/1");
        assert_eq!(adjustment.kind(), &AdjustmentKind::Upgraded { from: "binary" });
        let error = decode_strict::<Message>(&json).unwrap_err();
        assert_eq!(
            (error.kind(), error.path()),
            (DecodeErrorKind::UnknownVariant, "/content/1/type")
        );
    }
}

#[test]
fn a_legacy_part_that_only_has_an_id_is_left_out() {
    for fields in [json!({}), json!({ "id": "i" }), json!({ "id": "i", "data": "", "url": "" })] {
        let mut binary = json!({ "type": "binary", "mimeType": "image/png", "later": 1 });
        binary.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let json = message_of(&json!([binary]));
        let told = ["/content/0: unrecognised variant `binary`, left out"];
        assert_eq!(adjustments::<Message>(&json), told);
        assert_eq!(decode::<Message>(&json).unwrap(), Message::user("m", vec![]));
    }
}

/// Producers that serve old and new peers send both forms.
#[test]
fn a_legacy_part_beside_its_successor_is_read_once() {
    let binary = json!({ "type": "binary", "mimeType": "image/png", "data": "aGk=" });
    let named =
        json!({ "type": "binary", "mimeType": "image/png", "data": "aGk=", "filename": "f" });
    let source = json!({ "type": "data", "value": "aGk=", "mimeType": "image/png" });
    let image = json!({ "type": "image", "source": source });
    let image_f =
        json!({ "type": "image", "source": source, "metadata": { "filename": "f", "x": 1 } });
    let upgraded = json!({ "type": "image", "source": source, "metadata": { "filename": "f" } });
    let text = json!({ "type": "text", "text": "a" });
    let document = json!({ "type": "document", "source": source });
    for (parts, expected) in [
        (json!([binary, text, image]), json!([text, image])),
        (json!([image, binary]), json!([image])),
        (json!([image_f, binary]), json!([image_f])),
        (json!([image_f, named]), json!([image_f])),
        (json!([image, named]), json!([image, upgraded])),
        (json!([document, binary]), json!([document, image])),
        (json!([binary, binary]), json!([image, image])),
        (json!([image, image]), json!([image, image])),
    ] {
        let message: Message = decode(&message_of(&parts)).unwrap();
        assert_eq!(message, decode(&message_of(&expected)).unwrap(), "{parts}");
    }
}

#[test]
fn a_report_has_an_end() {
    let parts = |count: usize| -> Value {
        (0..count).map(|_| json!({ "type": "text", "text": "a", "later": 1 })).collect()
    };
    for (count, listed, unlisted) in [(0, 0, 0), (1_024, 1_024, 0), (1_030, 1_024, 6)] {
        let (_, report) = decode_with_report::<Message>(&message_of(&parts(count))).unwrap();
        assert_eq!((report.adjustments().len(), report.unlisted()), (listed, unlisted));
        assert_eq!(report.is_empty(), count == 0);
        for (index, adjustment) in report.adjustments().iter().enumerate() {
            assert_eq!(adjustment.path(), format!("/content/{index}/later"));
        }
    }
}

/// What is told of a part goes when the part goes, also when it was only counted.
#[test]
fn the_outermost_removal_is_the_one_that_counts() {
    let mut source = serde_json::Map::new();
    source.extend((0..2_000).map(|index| (format!("later{index}"), json!(1))));
    source.insert("type".to_owned(), json!("image"));
    source.insert("source".to_owned(), json!({ "type": "later" }));
    let (_, report) = decode_with_report::<Message>(&message_of(&json!([source]))).unwrap();
    assert_eq!((report.adjustments().len(), report.unlisted()), (1, 0));
    assert_eq!(report.adjustments()[0].path(), "/content/0");
}

#[test]
fn clean_documents_give_an_empty_report() {
    let mut documents = Documents::full(10);
    for _ in 0..200 {
        let event = tags_first(&documents.valid("Event"));
        assert!(decode_with_report::<Event>(&event).unwrap().1.is_empty(), "{event}");
        let capabilities = tags_first(&documents.valid("AgentCapabilities"));
        assert!(decode_with_report::<AgentCapabilities>(&capabilities).unwrap().1.is_empty());
    }
}
