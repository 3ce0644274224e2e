//! Ids: any string, byte for byte, and no mixing up.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ag_ui::decode::{decode, decode_strict};
use ag_ui::encode::to_json;
use ag_ui::{Event, InterruptId, MessageId, RunId, SubagentRunId, ThreadId, ToolCallId};
use proptest::prelude::*;
use serde_json::Value;

/// Around the length up to which an id is kept inline, and what JSON has to escape.
fn awkward() -> Vec<String> {
    let mut texts: Vec<String> = (0..=70).map(|length| "x".repeat(length)).collect();
    texts.extend(
        [
            " ",
            "\u{0}",
            "\"\\/",
            "line\nbreak",
            "\u{2028}\u{2029}\u{feff}",
            "ü",
            "u\u{308}",
            "\u{1F600}\u{10FFFF}",
            "null",
            "7",
            "{}",
        ]
        .map(str::to_owned),
    );
    texts.push("ü".repeat(11));
    texts.push("ü".repeat(12));
    texts.push("long ".repeat(100_000));
    texts
}

macro_rules! checks {
    ($($check:ident for $id:ident;)*) => {$(
        fn $check(text: &str) {
            let id = $id::new(text);
            assert_eq!(id.as_str(), text);
            assert_eq!(id.to_string(), text);
            assert_eq!(id.as_ref(), text);
            assert_eq!(id, *text);
            assert_eq!(id, text);
            assert_eq!(String::from(id.clone()), text);
            for same in [$id::from(text), $id::from(text.to_owned()), $id::from(&id), id.clone()] {
                assert_eq!(same, id);
                assert_eq!(same.cmp(&id), std::cmp::Ordering::Equal);
            }
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(json, serde_json::to_string(text).unwrap());
            assert_eq!(serde_json::from_str::<$id>(&json).unwrap(), id);
            assert_eq!(serde_json::from_slice::<$id>(json.as_bytes()).unwrap(), id);
            assert_eq!(serde_json::from_reader::<_, $id>(json.as_bytes()).unwrap(), id);
            assert_eq!(serde_json::from_value::<$id>(Value::from(text)).unwrap(), id);
            // Found by its text in both kinds of map.
            assert_eq!(HashMap::from([(id.clone(), 1)]).get(text), Some(&1));
            assert_eq!(BTreeMap::from([(id.clone(), 1)]).get(text), Some(&1));
            assert_eq!(format!("{id:?}"), format!("{}({text:?})", stringify!($id)));
            assert!(serde_json::from_str::<$id>("7").is_err());
            assert!(serde_json::from_str::<$id>("null").is_err());
        }
    )*

        fn check_all(text: &str) {
            $($check(text);)*
        }
    };
}

checks! {
    check_thread for ThreadId;
    check_run for RunId;
    check_message for MessageId;
    check_tool_call for ToolCallId;
    check_subagent_run for SubagentRunId;
    check_interrupt for InterruptId;
}

#[test]
fn every_string_is_an_id_and_stays_what_it_is() {
    for text in awkward() {
        check_all(&text);
    }
}

proptest! {
    #[test]
    fn ids_survive_the_wire(text in any::<String>()) {
        check_all(&text);
        let event = Event::tool_call_result(text.as_str(), text.as_str(), "found");
        let json = to_json(&event);
        prop_assert_eq!(&decode::<Event>(&json).unwrap(), &event);
        prop_assert_eq!(&decode_strict::<Event>(&json).unwrap(), &event);
        let Event::ToolCallResult(result) = event else { unreachable!() };
        prop_assert_eq!(result.message_id.as_str(), &text);
        prop_assert_eq!(result.tool_call_id.as_str(), &text);
    }

    #[test]
    fn ids_are_ordered_like_their_texts(left in any::<String>(), right in any::<String>()) {
        let ids = (RunId::new(&left), RunId::new(&right));
        prop_assert_eq!(ids.0.cmp(&ids.1), left.cmp(&right));
        prop_assert_eq!(ids.0 == ids.1, left == right);
    }
}

#[test]
fn ids_that_look_alike_are_different() {
    let alike = ["a", "A", "a ", " a", "\u{e4}", "a\u{308}", "\u{200b}a", "a\u{0}"];
    let ids: BTreeSet<MessageId> = alike.iter().map(MessageId::new).collect();
    assert_eq!(ids.len(), alike.len());
}

#[test]
fn a_clone_of_a_long_id_shares_its_text() {
    let id = ThreadId::new("long ".repeat(10));
    assert!(std::ptr::eq(id.clone().as_str(), id.as_str()));
}

#[test]
fn an_id_fills_a_column() {
    let id = RunId::new("ü");
    assert_eq!(format!("{id:>3}|{id:<3}|{id:-^3}"), "  ü|ü  |-ü-");
}
