//! JSON Pointers, and the patch operations that carry them.

use ag_ui::decode::{decode, decode_strict};
use ag_ui::encode::to_json;
use ag_ui::patch::{JsonPatch, JsonPatchOperation};
use ag_ui::{Event, JsonPointer};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn pointers_are_read_as_rfc_6901_has_them() {
    for (text, tokens) in [
        ("", &[][..]),
        ("/", &[""]),
        ("//", &["", ""]),
        ("/a", &["a"]),
        ("/a/", &["a", ""]),
        ("/a~1b/m~0n", &["a/b", "m~n"]),
        ("/~01", &["~1"]),
        ("/~10", &["/0"]),
        ("/c%d/e^f/g|h/i\\j/k\"l/ ", &["c%d", "e^f", "g|h", "i\\j", "k\"l", " "]),
        ("/0/-/01", &["0", "-", "01"]),
        ("/ü/\u{0}/\u{1F600}", &["ü", "\u{0}", "\u{1F600}"]),
    ] {
        let pointer = JsonPointer::parse(text).unwrap();
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), tokens, "{text}");
        assert_eq!(JsonPointer::from_tokens(tokens), pointer);
        assert_eq!(pointer.as_str(), text);
        assert_eq!(pointer.to_string(), text);
        assert_eq!(text.parse::<JsonPointer>().unwrap(), pointer);
    }
    assert_eq!(JsonPointer::root(), JsonPointer::parse("").unwrap());
    assert_eq!(JsonPointer::default(), JsonPointer::root());
}

#[test]
fn an_error_tells_the_byte() {
    for (text, offset, message) in [
        ("a", 0, "`a` is not a JSON Pointer: at byte 0, a pointer is empty or begins with `/`"),
        ("~", 0, "`~` is not a JSON Pointer: at byte 0, a pointer is empty or begins with `/`"),
        ("/~", 1, "`/~` is not a JSON Pointer: at byte 1, `~` must be followed by 0 or 1"),
        ("/ü~2", 3, "`/ü~2` is not a JSON Pointer: at byte 3, `~` must be followed by 0 or 1"),
        ("/~0~~1", 3, "`/~0~~1` is not a JSON Pointer: at byte 3, `~` must be followed by 0 or 1"),
        ("/a~/b", 2, "`/a~/b` is not a JSON Pointer: at byte 2, `~` must be followed by 0 or 1"),
        ("/a~ü", 2, "`/a~ü` is not a JSON Pointer: at byte 2, `~` must be followed by 0 or 1"),
    ] {
        let error = JsonPointer::parse(text).unwrap_err();
        assert_eq!(error.offset(), offset, "{text}");
        assert_eq!(error.to_string(), message);
        let json = json!([{ "op": "remove", "path": text }]).to_string();
        let json = format!(r#"{{"type":"STATE_DELTA","delta":{json}}}"#);
        let error = decode::<Event>(&json).unwrap_err();
        assert_eq!(error.path(), "/delta/0/path");
        assert!(error.to_string().contains(message), "{error}");
    }
}

proptest! {
    #[test]
    fn any_tokens_make_a_pointer_that_finds_them(
        tokens in prop::collection::vec(any::<String>(), 0..6),
    ) {
        let pointer = JsonPointer::from_tokens(&tokens);
        prop_assert_eq!(pointer.tokens().collect::<Vec<_>>(), tokens.clone());
        prop_assert_eq!(&JsonPointer::parse(pointer.as_str()).unwrap(), &pointer);
        // `serde_json` agrees on what the pointer means.
        let leaf = json!("found");
        let nested = tokens.iter().rev().fold(leaf.clone(), |value, token| {
            Value::Object([(token.clone(), value)].into_iter().collect())
        });
        prop_assert_eq!(nested.pointer(pointer.as_str()), Some(&leaf));
    }

    #[test]
    fn a_text_is_a_pointer_exactly_when_the_grammar_says_so(text in "[/~01aü]{0,8}") {
        let grammar = text.is_empty()
            || text.starts_with('/')
                && text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        match JsonPointer::parse(text.as_str()) {
            Ok(pointer) => {
                prop_assert!(grammar, "{}", text);
                prop_assert_eq!(JsonPointer::from_tokens(pointer.tokens()), pointer);
            }
            Err(error) => {
                prop_assert!(!grammar, "{}", text);
                prop_assert!(text.is_char_boundary(error.offset()));
            }
        }
    }
}

#[test]
fn operations_keep_their_additional_members_and_their_nulls() {
    for json in [
        r#"{"op":"add","path":"/a/-","value":null}"#,
        r#"{"op":"remove","path":""}"#,
        r#"{"op":"replace","path":"/a","value":{"op":"add"}}"#,
        r#"{"op":"move","from":"/a","path":"/b"}"#,
        r#"{"op":"copy","from":"/a","path":"/a/b"}"#,
        r#"{"op":"test","path":"/~0~1","value":[null]}"#,
        r#"{"op":"remove","path":"","":null,"from":7,"value":null,"\n":"\u0000"}"#,
    ] {
        let operation: JsonPatchOperation = decode_strict(json).unwrap();
        assert_eq!(decode::<JsonPatchOperation>(json).unwrap(), operation);
        let written = to_json(&operation);
        assert_eq!(written.parse::<Value>().unwrap(), json.parse::<Value>().unwrap());
        assert!(written.starts_with(r#"{"op":"#), "{written}");
        assert_eq!(decode_strict::<JsonPatchOperation>(&written).unwrap(), operation);
        assert_eq!(serde_json::to_string(&operation).unwrap(), written);
        let patch: JsonPatch = serde_json::from_str(&format!("[{json}]")).unwrap();
        assert_eq!(patch, [operation]);
    }
}
