#![allow(clippy::unwrap_used)]

use serde_core::Deserialize;
use serde_json::Value;

use super::Text;

fn read(json: &str) -> Result<Value, String> {
    let mut text = Text::new(json);
    let value = Value::deserialize(&mut text).map_err(|error| error.to_string())?;
    text.end().map_err(|error| error.to_string())?;
    Ok(value)
}

#[track_caller]
fn agrees(json: &str) {
    match (read(json), serde_json::from_str::<Value>(json)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{json}"),
        (Err(_), Err(_)) => {}
        (ours, theirs) => panic!("{json:?}: {ours:?} where serde_json says {theirs:?}"),
    }
}

const DOCUMENTS: &[&str] = &[
    "",
    " ",
    "null",
    "nul",
    "nulll",
    "true",
    "false",
    "tru",
    "1",
    "-1",
    "0",
    "-0",
    "00",
    "01",
    "-01",
    "-",
    "1.",
    "1.5",
    ".5",
    "1e5",
    "1E+5",
    "1e-5",
    "1e",
    "1e+",
    "1.e5",
    "1e400",
    "-1e400",
    "1e-400",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "\"\"",
    "\"a\"",
    "\"a",
    "\"\\n\\t\\b\\f\\r\\\\\\/\\\"\"",
    "\"\\x\"",
    "\"\\u00e4\"",
    "\"\\uD83D\\uDE00\"",
    "\"\\uD83D\"",
    "\"\\uD83Dx\"",
    "\"\\uDE00\"",
    "\"\\uD83D\\uD83D\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\\",
    "\"\n\"",
    "\"\u{7f}\u{2028}ü\"",
    "[]",
    "[ ]",
    "[1]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1,2",
    "[",
    "]",
    "{}",
    "{ }",
    "{\"a\":1}",
    "{\"a\":1,}",
    "{,}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\" 1}",
    "{a:1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"b\":[{\"c\":null}]}",
    "{",
    "}",
    "{\"a\":1}}",
    "[1]x",
    " \t\r\n[ 1 , 2 ] ",
    "\u{feff}1",
    "{\"\\u0061\":1}",
    "{\"a\":1,\"a\":2}",
];

#[test]
fn documents_are_read_as_serde_json_reads_them() {
    DOCUMENTS.iter().for_each(|json| agrees(json));
}

#[test]
fn every_cut_of_a_document_is_refused_as_serde_json_refuses_it() {
    let json = r#"{"a":[1.5e3,-0.25,true,null,"x\u00e4\\",{"b":{}}],"c":"\uD83D\uDE00"}"#;
    for end in 0..=json.len() {
        agrees(&json[..end]);
    }
}

#[test]
fn nesting_is_limited_to_127_levels() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for levels in 125..130 {
        agrees(&nested(levels));
    }
    assert!(read(&nested(127)).is_ok());
    assert_eq!(read(&nested(128)).unwrap_err(), "nested more than 127 levels deep");
    assert!(read(&"[".repeat(1_000_000)).is_err());
    assert!(read(&"{\"a\":".repeat(1_000_000)).is_err());
}

#[test]
fn a_problem_is_placed_by_line_and_column() {
    let mut text = Text::new("{\n  \"a\": x}");
    assert!(Value::deserialize(&mut text).is_err());
    assert_eq!(text.position(), (2, 8));
}
