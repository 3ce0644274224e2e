//! Input that is broken by accident or on purpose: an error that says where, and never a panic.

use ag_ui::decode::{Wire, decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{
    AgentCapabilities, DecodeError, DecodeErrorKind, Event, JsonPatchOperation, Message,
    RunAgentInput,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::documents::{Documents, Random, tags_first};

/// Every way to read a text agrees on whether it is an event.
#[track_caller]
fn refused(json: &str) -> DecodeError {
    let error = decode::<Event>(json).unwrap_err();
    let with_report = decode_with_report::<Event>(json).unwrap_err();
    assert_eq!(error.to_string(), with_report.to_string());
    assert!(decode_strict::<Event>(json).is_err(), "strict takes {json}");
    for serde in
        [serde_json::from_str::<Event>(json), serde_json::from_slice::<Event>(json.as_bytes())]
    {
        let serde = serde.unwrap_err().to_string();
        if !error.path().is_empty() {
            assert!(serde.starts_with(&format!("{}: ", error.path())), "{serde}, but {error}");
        }
    }
    error
}

#[test]
fn a_duplicate_key_is_an_error_wherever_the_tag_stands() {
    for (json, path) in [
        (r#"{"type":"STEP_STARTED","stepName":"a","stepName":"a"}"#, "/stepName"),
        (r#"{"stepName":"a","stepName":"a","type":"STEP_STARTED"}"#, "/stepName"),
        (r#"{"stepName":"a","type":"STEP_STARTED","stepName":"b"}"#, "/stepName"),
        (r#"{"type":"STEP_STARTED","type":"STEP_STARTED","stepName":"a"}"#, "/type"),
        (r#"{"type":"STEP_STARTED","stepName":"a","type":"STEP_STARTED"}"#, "/type"),
        (r#"{"stepName":"a","type":"STEP_STARTED","type":"RAW"}"#, "/type"),
        (r#"{"type":"STEP_STARTED","stepName":"a","\u0073tepName":"b"}"#, "/stepName"),
        (r#"{"type":"STEP_STARTED","stepName":"a","timestamp":1,"timestamp":1}"#, "/timestamp"),
        (r#"{"type":"STEP_STARTED","rawEvent":null,"stepName":"a","rawEvent":null}"#, "/rawEvent"),
        (
            r#"{"messages":[{"id":"m","content":"a","role":"user","id":"m"}],"type":"MESSAGES_SNAPSHOT"}"#,
            "/messages/0/id",
        ),
        (
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":[{"text":"a","type":"text","text":"b"}]}]}"#,
            "/messages/0/content/0/text",
        ),
        (
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"},"outcome":{"type":"cancelled"}}"#,
            "/outcome",
        ),
        (
            r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","path":"/b"}]}"#,
            "/delta/0/path",
        ),
    ] {
        let error = refused(json);
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::DuplicateField, path), "{json}");
        let field = path.rsplit('/').next().unwrap();
        assert!(error.to_string().contains(&format!("`{field}` occurs more than once")), "{error}");
    }
}

/// In data the last one counts, as for `JSON.parse` and `serde_json`.
#[test]
fn duplicate_keys_in_data_are_the_business_of_the_data() {
    for json in [
        r#"{"type":"CUSTOM","name":"a","value":{"x":1,"x":2}}"#,
        r#"{"value":{"x":1,"x":2},"name":"a","type":"CUSTOM"}"#,
        r#"{"type":"CUSTOM","later":1,"later":2,"name":"a","value":{"x":2}}"#,
    ] {
        assert_eq!(
            to_json(&decode::<Event>(json).unwrap()),
            r#"{"type":"CUSTOM","name":"a","value":{"x":2}}"#
        );
    }
    let json = r#"{"op":"remove","path":"/a","note":1,"note":2}"#;
    let operation: JsonPatchOperation = decode(json).unwrap();
    assert_eq!(to_json(&operation), r#"{"op":"remove","path":"/a","note":2}"#);
}

#[test]
fn numbers_are_whole_and_exact_or_refused() {
    let timestamp =
        |number: &str| format!(r#"{{"type":"STEP_STARTED","stepName":"a","timestamp":{number}}}"#);
    for (number, value) in [
        ("9007199254740991", 9_007_199_254_740_991),
        ("-9007199254740991", -9_007_199_254_740_991),
        ("9007199254740991.0", 9_007_199_254_740_991),
        ("1.0", 1),
        ("1e3", 1_000),
        ("12.5e1", 125),
        ("-0", 0),
        ("-0.0", 0),
        ("0e999", 0),
    ] {
        let event: Event = decode_strict(&timestamp(number)).unwrap();
        assert_eq!(event.timestamp(), Some(value), "{number}");
        assert_eq!(event, serde_json::from_str(&timestamp(number)).unwrap());
        let written: Value = to_json(&event).parse().unwrap();
        assert_eq!(written["timestamp"], value);
    }
    for number in [
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993.0",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775809",
        "0.5",
        "1e-1",
        "1e300",
        "1e400",
        "-1e999999999999999999999",
        &"9".repeat(10_000),
        &format!("0.{}", "3".repeat(10_000)),
        "true",
        "\"1\"",
    ] {
        let error = refused(&timestamp(number));
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::WrongValue, "/timestamp"));
        assert!(error.to_string().len() < 200, "{error}");
    }
    for number in ["01", "-", "+1", ".5", "1.", "1e", "NaN", "Infinity", "--1"] {
        let error = refused(&timestamp(number));
        let expected = (DecodeErrorKind::Syntax, "/timestamp");
        assert_eq!((error.kind(), error.path()), expected, "{number}");
    }
    for number in ["0x1", "1_000", "1 000"] {
        let error = refused(&timestamp(number));
        assert_eq!((error.kind(), error.path()), (DecodeErrorKind::Syntax, ""), "{number}");
    }
    let usage = |number: &str| {
        format!(r#"{{"type":"RUN_ERROR","message":"m","usage":[{{"inputTokens":{number}}}]}}"#)
    };
    decode_strict::<Event>(&usage("9007199254740991")).unwrap();
    for number in ["-1", "9007199254740992", "0.5"] {
        assert_eq!(refused(&usage(number)).path(), "/usage/0/inputTokens");
    }
}

#[test]
fn deep_nesting_is_refused_wherever_it_stands() {
    const DEPTH: usize = 100_000;
    let arrays = "[".repeat(DEPTH);
    let objects = r#"{"a":"#.repeat(DEPTH);
    for (start, path) in [
        ("", ""),
        (r#"{"type":"STATE_SNAPSHOT","snapshot":"#, "/snapshot"),
        (r#"{"type":"STATE_SNAPSHOT","later":"#, ""),
        (r#"{"snapshot":"#, ""),
        (r#"{"type":"#, "/type"),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"#, "/messages/0/role"),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"#, "/messages/0"),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"later","x":"#, "/delta/0"),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"test","path":"","x":"#, "/delta/0"),
        (r#"{"type":"STEP_STARTED","metadata":{"a":"#, "/metadata"),
    ] {
        for (depths, closed) in [(&arrays, "]".repeat(DEPTH)), (&objects, "}".repeat(DEPTH))] {
            for json in [format!("{start}{depths}"), format!("{start}{depths}1{closed}")] {
                let error = decode::<Event>(&json).unwrap_err();
                if !start.is_empty() {
                    assert_eq!(error.kind(), DecodeErrorKind::TooDeep, "{error}");
                    assert!(error.to_string().contains("127"), "{error}");
                }
                assert!(error.path().starts_with(path), "{error}");
                assert!(decode_with_report::<Event>(&json).is_err());
                assert!(serde_json::from_str::<Event>(&json).is_err());
            }
        }
    }
}

#[test]
fn what_is_just_not_too_deep_is_read_back() {
    let nested = |depth: usize| {
        let (start, end) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{start}{end}}}"#)
    };
    let error = refused(&nested(127));
    assert_eq!((error.kind(), error.path()), (DecodeErrorKind::TooDeep, "/snapshot"), "{error}");
    for depth in [1, 64, 126] {
        let json = nested(depth);
        let event: Event = decode_strict(&json).unwrap();
        assert_eq!(to_json(&event), json);
        assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), event);
    }
}

#[test]
fn strings_that_are_no_unicode_are_refused() {
    for (string, kind) in [
        (r#""\ud800""#, DecodeErrorKind::Syntax),
        (r#""\udc00""#, DecodeErrorKind::Syntax),
        (r#""a\ud83d b""#, DecodeErrorKind::Syntax),
        (r#""\ud83d\ud83d""#, DecodeErrorKind::Syntax),
        (r#""\ud83d\n""#, DecodeErrorKind::Syntax),
        (r#""\u12""#, DecodeErrorKind::Syntax),
        (r#""\u12g4""#, DecodeErrorKind::Syntax),
        (r#""\uü000""#, DecodeErrorKind::Syntax),
        (r#""\x41""#, DecodeErrorKind::Syntax),
        (r#""\ü""#, DecodeErrorKind::Syntax),
        ("\"a\nb\"", DecodeErrorKind::Syntax),
        ("\"a\u{0}b\"", DecodeErrorKind::Syntax),
    ] {
        for (before, after, path) in [
            (r#"{"type":"STEP_STARTED","stepName":"#, "}", "/stepName"),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"#, "}", "/delta"),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"#, r#","delta":""}"#, "/messageId"),
            (r#"{"type":"#, r#","stepName":""}"#, "/type"),
            (r#"{"type":"RAW","event":["#, "]}", "/event"),
            (r#"{"type":"RAW","#, ":1}", ""),
            (r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"#, "}]}", "/delta/0/path"),
        ] {
            let error = refused(&format!("{before}{string}{after}"));
            assert_eq!((error.kind(), error.path()), (kind, path), "{error} in {string}");
        }
    }
    let pair = r#"{"type":"STEP_STARTED","stepName":"\ud83d\ude00"}"#;
    assert_eq!(decode::<Event>(pair).unwrap(), Event::step_started("😀"));
}

#[test]
fn long_strings_are_taken_whole_and_shown_cut() {
    let long = format!("{}\\\"", "ü, plain ".repeat(1_000_000));
    let string = Value::from(long.as_str()).to_string();
    assert!(string.len() > 10_000_000);
    let event: Event =
        decode_strict(&format!(r#"{{"type":"STEP_STARTED","stepName":{string}}}"#)).unwrap();
    assert_eq!(event, Event::step_started(long.as_str()));
    for (before, after) in [
        (r#"{"type":"STEP_STARTED","timestamp":"#, "}"),
        (r#"{"type":"#, "}"),
        (r#"{"stepName":"a","type":"#, "}"),
        (r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"#, "}"),
        (r#"{"type":"REASONING_MESSAGE_START","messageId":"m","role":"#, "}"),
        (r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"#, "}]}"),
        (r#"{"type":"STATE_DELTA","delta":"#, "}"),
    ] {
        let error = decode::<Event>(&format!("{before}{string}{after}")).unwrap_err();
        assert!(error.to_string().len() < 400, "{} bytes", error.to_string().len());
    }
    for (before, after) in [
        (r#"{"type":"STEP_STARTED","#, r#":1,"stepName":""}"#),
        (r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"#, "}]}"),
        (r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"#, "}}"),
    ] {
        let json = format!("{before}{string}{after}");
        let error = decode_strict::<Event>(&json).unwrap_err();
        assert!(error.to_string().len() < 2_000, "{} bytes", error.to_string().len());
        let (_, report) = decode_with_report::<Event>(&json).unwrap();
        let told = report.adjustments()[0].to_string();
        assert!(told.len() < 2_000, "{} bytes", told.len());
    }
}

/// A document with something of everything.
fn mixed() -> String {
    [
        r#"{"type":"RUN_STARTED","timestamp":-12e1,"metadata":{"a":[true,false,null,{"":"\u00fc\ud83d\ude00"}]},"#,
        r#""threadId":"t","runId":"r","later":[0.5,{"x":"y"}],"input":{"threadId":"t","runId":"r","#,
        r#""messages":[{"id":"m","role":"user","content":[{"type":"image","source":{"value":"u","type":"url"}}]},"#,
        r#"{"role":"narrator","x":[]}],"tools":[],"forwardedProps":null}}"#,
    ]
    .concat()
}

#[test]
fn a_text_cut_anywhere_ends_too_early() {
    let mixed = mixed();
    decode::<Event>(&mixed).unwrap();
    for json in [mixed.as_str(), r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"ü"}"#]
    {
        for end in (0..json.len()).filter(|end| json.is_char_boundary(*end)) {
            let error = decode::<Event>(&json[..end]).unwrap_err();
            assert_eq!(error.kind(), DecodeErrorKind::UnexpectedEnd, "{error} at {end}");
            assert_eq!((error.line(), error.column()), (1, end + 1), "{error}");
            let serde = serde_json::from_str::<Event>(&json[..end]).unwrap_err().to_string();
            assert!(error.path().is_empty() || serde.starts_with(error.path()), "{serde}: {error}");
        }
    }
}

#[test]
fn text_after_the_document_is_refused() {
    for rest in ["}", " {}", ",", "null", "\u{0}", "\u{feff}"] {
        for json in [
            r#"{"type":"STEP_STARTED","stepName":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
        ] {
            let error = decode::<Event>(&format!("{json}{rest}")).unwrap_err();
            assert_eq!((error.kind(), error.path()), (DecodeErrorKind::Syntax, ""), "{error}");
            assert_eq!(error.column(), json.len() + 1 + usize::from(rest.starts_with(' ')));
            decode::<Event>(&format!("\t\r\n {json} \n")).unwrap();
        }
    }
}

#[test]
fn bytes_that_are_no_utf8_are_refused() {
    for bytes in [&b"\xff"[..], b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc0\xaf"] {
        for (before, after) in [
            (r#"{"type":"STEP_STARTED","stepName":""#, r#""}"#),
            (r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""#, r#""}"#),
            (r#"{"type":"RAW","event":{""#, r#"":1}}"#),
            ("", r#"{"type":"STEP_STARTED","stepName":"a"}"#),
        ] {
            let input = [before.as_bytes(), bytes, after.as_bytes()].concat();
            assert!(serde_json::from_slice::<Event>(&input).is_err(), "{bytes:?}");
            assert!(serde_json::from_reader::<_, Event>(input.as_slice()).is_err(), "{bytes:?}");
        }
    }
}

fn read_all<T: Wire>(json: &str) {
    let tolerant = decode::<T>(json);
    let reported = decode_with_report::<T>(json);
    assert_eq!(tolerant.is_ok(), reported.is_ok(), "{json}");
    if decode_strict::<T>(json).is_ok() {
        assert!(tolerant.is_ok(), "{json}");
    }
    if let Err(error) = tolerant {
        assert!(!error.to_string().is_empty());
        assert!(error.line() >= 1 && error.column() >= 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_decoder_panic(text in "[\\[\\]{}\",:0-9a-z\\\\ü .-]{0,60}") {
        read_all::<Event>(&text);
        read_all::<Message>(&text);
    }

    #[test]
    fn no_bytes_make_a_decoder_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = serde_json::from_slice::<Event>(&bytes);
        read_all::<Event>(&String::from_utf8_lossy(&bytes));
    }
}

/// Well-formed documents with one character changed.
#[test]
fn no_typing_error_makes_a_decoder_panic() {
    const TYPED: [char; 14] =
        ['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', 'e', 'ü', '\u{0}', '\u{10ffff}'];
    let mut documents = Documents::new(11);
    for _ in 0..400 {
        let event = tags_first(&documents.valid("Event"));
        read_all::<Event>(&spoil(&event, &TYPED, &mut documents.random));
        let input = documents.valid("RunAgentInput").to_string();
        read_all::<RunAgentInput>(&spoil(&input, &TYPED, &mut documents.random));
        let capabilities = documents.valid("AgentCapabilities").to_string();
        read_all::<AgentCapabilities>(&spoil(&capabilities, &TYPED, &mut documents.random));
    }
}

fn spoil(json: &str, typed: &[char], random: &mut Random) -> String {
    let place = random.below(json.chars().count());
    let change = |(index, character)| if index == place { *random.pick(typed) } else { character };
    json.chars().enumerate().map(change).collect()
}
