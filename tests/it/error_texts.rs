//! What a user reads after a typical mistake: what is wrong, where, and what would be right.

use ag_ui::decode::{decode, decode_strict};
use ag_ui::{Event, EventType, JsonPointer, Message, Role, RunAgentInput};

#[test]
fn an_event_that_is_wrong_is_told_by_type_place_and_expectation() {
    for (json, text) in [
        (
            r#"{"type":"STEP_STARTED","step_name":"a"}"#,
            "STEP_STARTED at /stepName: missing field `stepName` (line 1, column 40)",
        ),
        (
            r#"{"type":"STEP_STARTED","stepName":7}"#,
            "STEP_STARTED at /stepName: invalid type: number `7`, expected a string (line 1, column 36)",
        ),
        (
            r#"{"type":"STEP_STARTED","stepName":"a","stepName":"b"}"#,
            "STEP_STARTED at /stepName: field `stepName` occurs more than once (line 1, column 49)",
        ),
        (
            r#"{"type":"STEP_STARTED","stepName":"a","timestamp":0.5}"#,
            "STEP_STARTED at /timestamp: invalid value: number `0.5`, expected an integer from \
             -9007199254740991 to 9007199254740991 (line 1, column 54)",
        ),
        (
            r#"{"type":"STEP_STARTED","stepName":"a","metadata":null}"#,
            "STEP_STARTED at /metadata: null is no value here, leave the field out (line 1, column 54)",
        ),
        (
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"agent"}"#,
            "TEXT_MESSAGE_START at /role: invalid value: string `agent`, expected one of: \
             developer, system, assistant, user (line 1, column 60)",
        ),
        (
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"assistant"}"#,
            "REASONING_MESSAGE_START at /role: invalid value: string `assistant`, expected the \
             string `reasoning` (line 1, column 69)",
        ),
        (
            r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"tasks"}]}"#,
            "STATE_DELTA at /delta/0/path: `tasks` is not a JSON Pointer: at byte 0, a pointer is \
             empty or begins with `/` (line 1, column 61)",
        ),
        (
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":{"a":1}}"#,
            "TOOL_CALL_RESULT at /content: invalid type: object, expected a string or an array of \
             content parts (line 1, column 72)",
        ),
        (
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":"success"}"#,
            "RUN_FINISHED at /outcome: invalid type: string `success`, expected an object of type \
             RunOutcome (line 1, column 70)",
        ),
        (
            r#"{"type":"STEP_BEGUN"}"#,
            "at /type: unknown event type `STEP_BEGUN` (line 1, column 21)",
        ),
        (r#"{"stepName":"a"}"#, "at /type: missing field `type` (line 1, column 17)"),
        (
            r#"["STEP_STARTED"]"#,
            "invalid type: array, expected an object of type Event (line 1, column 2)",
        ),
        (
            "{\"type\":\"STEP_STARTED\",\n  \"stepName\": \"a\",\n}",
            "STEP_STARTED: not JSON: expected a field name (line 3, column 1)",
        ),
        ("data: {}", "not JSON: expected a value (line 1, column 1)"),
        ("", "not JSON: the text ends within a value (line 1, column 1)"),
    ] {
        assert_eq!(decode::<Event>(json).unwrap_err().to_string(), text, "{json}");
    }
}

#[test]
fn a_strict_reader_says_what_would_have_been_right() {
    for (json, text) in [
        (
            r#"{"type":"STEP_STARTED","step_name":"a"}"#,
            "STEP_STARTED at /step_name: unknown field `step_name`, expected one of: type, \
             timestamp, rawEvent, metadata, subagentRunId, stepName (line 1, column 35)",
        ),
        (
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"stopped"}}"#,
            "RUN_FINISHED at /outcome/type: unknown `type` `stopped`, expected one of: success, \
             interrupt, cancelled (line 1, column 78)",
        ),
        (
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}"#,
            "RUN_FINISHED at /outcome/interrupts: list of 0 where at least 1 is required (line 1, \
             column 97)",
        ),
        (
            r#"{"type":"THINKING_START"}"#,
            "THINKING_START at /type: `THINKING_START` is retired and not part of the current \
             protocol (line 1, column 25)",
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","content":"x"}]}"#,
            "MESSAGES_SNAPSHOT at /messages/0/role: missing field `role` (line 1, column 65)",
        ),
    ] {
        assert_eq!(decode_strict::<Event>(json).unwrap_err().to_string(), text, "{json}");
    }
}

#[test]
fn other_documents_are_told_the_same_way() {
    assert_eq!(
        decode::<RunAgentInput>(r#"{"threadId":"t"}"#).unwrap_err().to_string(),
        "at /runId: missing field `runId` (line 1, column 17)"
    );
    assert_eq!(
        decode::<Message>(r#"{"role":"bot"}"#).unwrap_err().to_string(),
        "unknown `role` `bot`, expected one of: developer, system, assistant, user, tool, \
         activity, reasoning (line 1, column 15)"
    );
    assert_eq!(
        decode::<Message>(r#"{"id":"m"}"#).unwrap_err().to_string(),
        "`role` is missing or no name, expected one of: developer, system, assistant, user, tool, \
         activity, reasoning (line 1, column 11)"
    );
}

/// Through `serde_json` it is its text and place, after our path.
#[test]
fn plain_serde_errors_begin_with_the_path() {
    for (json, text) in [
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":7,"content":""}]}"#,
            "/messages/0/id: invalid type: integer `7`, expected a string at line 1 column 61",
        ),
        (
            r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}"#,
            "/delta/0/value: missing field `value` at line 1 column 55",
        ),
        (r#"{"type":"LATER"}"#, "/type: unknown event type `LATER` at line 1 column 16"),
    ] {
        assert_eq!(serde_json::from_str::<Event>(json).unwrap_err().to_string(), text);
    }
}

#[test]
fn names_and_pointers_are_told_without_a_document() {
    assert_eq!(
        "bot".parse::<Role>().unwrap_err().to_string(),
        "`bot` is not in Role; expected one of: developer, system, assistant, user, tool, \
         activity, reasoning"
    );
    let error = "RUN_BEGUN".parse::<EventType>().unwrap_err().to_string();
    assert!(
        error.starts_with("`RUN_BEGUN` is not in EventType; expected one of: TEXT_MESSAGE_START, ")
    );
    assert_eq!(
        JsonPointer::parse("/a~b").unwrap_err().to_string(),
        "`/a~b` is not a JSON Pointer: at byte 2, `~` must be followed by 0 or 1"
    );
}
