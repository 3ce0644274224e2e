//! The ways to read a text agree, whatever the text is, and wherever the types are embedded.

use std::collections::BTreeMap;

use ag_ui::decode::{Wire, decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{AdjustmentKind, DecodeErrorKind, Event, Message, RunAgentInput, RunId, ToolCall};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::documents::{Documents, Random, tags_first};

/// Pieces that make trouble where they are put into a text.
const PIECES: [&str; 30] = [
    "null",
    "{}",
    "[]",
    "0",
    "-",
    "01",
    "1.0",
    "0.5",
    "9007199254740992",
    "\"\"",
    "\"type\":",
    "\"type\":\"RAW\",",
    "\"role\":\"user\",",
    "\"op\":\"add\",",
    "\"source\":{\"type\":\"later\"},",
    "\"later\":1,",
    "\"id\":null,",
    "\"metadata\":null,",
    "\"rawEvent\":null,",
    "\"timestamp\":1.5,",
    "\\u0000",
    "\\",
    "\n",
    "\u{7f}",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
];

/// The text with a few edits, of characters and of whole stretches.
fn edited(random: &mut Random, text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.below(3) {
        let place = random.below(characters.len() + 1);
        let end = (place + random.below(8)).min(characters.len());
        match random.below(4) {
            0 => drop(characters.drain(place..end)),
            1 => drop(characters.splice(place..end, random.pick(&PIECES).chars())),
            2 => drop(characters.splice(place..place, random.pick(&PIECES).chars())),
            _ => {
                let copied: Vec<char> = characters[place..end].to_vec();
                let place = random.below(characters.len() + 1);
                characters.splice(place..place, copied);
            }
        }
    }
    characters.into_iter().collect()
}

/// What `serde_json` does not look at in a property that is passed over.
fn is_only_ours(error: &ag_ui::DecodeError) -> bool {
    let text = error.to_string();
    text.contains("lone surrogate") || text.contains("number out of range")
}

/// Checks one text and says whether it was taken.
fn judge<T>(text: &str) -> bool
where
    T: Wire + DeserializeOwned + Serialize + PartialEq + std::fmt::Debug,
{
    let tolerant = decode::<T>(text);
    let strict = decode_strict::<T>(text);
    let reported = decode_with_report::<T>(text);
    let plain = serde_json::from_str::<T>(text);
    let read = serde_json::from_reader::<_, T>(text.as_bytes());
    assert_eq!(plain.as_ref().ok(), read.as_ref().ok(), "{text}");
    let Ok(value) = tolerant else {
        let error = tolerant.unwrap_err();
        assert_eq!(error.to_string(), reported.unwrap_err().to_string(), "{text}");
        assert!(strict.is_err(), "{text}");
        assert!(plain.is_err() || is_only_ours(&error), "{error} in {text}");
        let is_json = serde_json::from_str::<Value>(text).is_ok();
        let no_json = [DecodeErrorKind::Syntax, DecodeErrorKind::UnexpectedEnd];
        assert!(!is_json || !no_json.contains(&error.kind()), "{error} in {text}");
        return false;
    };
    assert_eq!(plain.as_ref().ok(), Some(&value), "{text}");
    let (same, report) = reported.unwrap();
    assert_eq!(same, value, "{text}");
    let is_clean = report.adjustments().iter().all(|one| *one.kind() == AdjustmentKind::Defaulted);
    match strict {
        Ok(strict) => assert!(is_clean && strict == value, "{text}"),
        // A reader that is tolerant takes an empty list of interrupts, and says nothing of it.
        Err(error) => {
            assert!(!is_clean || error.kind() == DecodeErrorKind::OutOfRange, "{error} in {text}");
        }
    }
    let written = to_json(&value);
    assert_eq!(decode::<T>(&written).unwrap(), value, "{text}");
    assert_eq!(serde_json::to_string(&value).unwrap(), written, "{text}");

    let document: Value = serde_json::from_str(text).unwrap();
    let once = decode::<T>(&document.to_string()).unwrap();
    assert_eq!(T::deserialize(&document).unwrap(), once, "{text}");
    assert_eq!(serde_json::from_value::<T>(document).unwrap(), once, "{text}");
    true
}

#[test]
fn every_way_to_read_gives_the_same_verdict() {
    let mut documents = Documents::new(31);
    let mut random = Random::new(32);
    let mut taken = 0;
    let names = documents.variants("Event");
    for round in 0..4_000 {
        let valid = documents.valid(&names[round % names.len()]);
        let document = if random.chance(50) { documents.mutated(valid) } else { valid };
        let text = if random.chance(50) { document.to_string() } else { tags_first(&document) };
        let text = edited(&mut random, &text);
        taken += usize::from(judge::<Event>(&text));
        if round % 8 == 0 {
            let input = documents.valid("RunAgentInput").to_string();
            judge::<RunAgentInput>(&edited(&mut random, &input));
            let message = tags_first(&documents.valid("Message"));
            judge::<Message>(&edited(&mut random, &message));
        }
    }
    assert!((1_000..3_500).contains(&taken), "{taken} of 4000 taken");
}

/// An event as programs wrap it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Recorded {
    at: u64,
    #[serde(flatten)]
    event: Event,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Event { event: Box<Event> },
    Input(Box<RunAgentInput>),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Event(Event),
    Other(Value),
}

fn assert_embeds<T>(value: &T, expected: &Value)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    assert_eq!(&serde_json::to_value(value).unwrap(), expected);
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&text.parse::<Value>().unwrap(), expected);
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
    assert_eq!(&serde_json::from_value::<T>(expected.clone()).unwrap(), value);
}

#[test]
fn serde_finds_them_within_types_of_a_user() {
    let mut documents = Documents::new(33);
    for name in documents.variants("Event") {
        let document = documents.valid(&name);
        let event: Event = decode(&document.to_string()).unwrap();
        let document = serde_json::to_value(&event).unwrap();
        let mut flat = document.clone();
        flat["at"] = json!(7);
        assert_embeds(&Recorded { at: 7, event: event.clone() }, &flat);
        let line = Line::Event { event: Box::new(event.clone()) };
        assert_embeds(&line, &json!({"kind": "event", "event": document}));
        assert_embeds(&Either::Event(event.clone()), &document);
        assert_embeds(&vec![Some(event.clone()), None], &json!([document, null]));
        assert_embeds(&BTreeMap::from([(RunId::new("r"), event)]), &json!({"r": document}));
    }
    for _ in 0..20 {
        let input: RunAgentInput = decode(&documents.valid("RunAgentInput").to_string()).unwrap();
        let mut line = serde_json::to_value(&input).unwrap();
        line["kind"] = json!("input");
        assert_embeds(&Line::Input(Box::new(input)), &line);
    }
    let other = json!({"type": "LATER"});
    assert_eq!(serde_json::from_value::<Either>(other.clone()).unwrap(), Either::Other(other));
}

#[test]
fn an_error_within_a_type_of_a_user_still_tells_the_field() {
    let lines = r#"[{"type":"STEP_STARTED","stepName":"a"},{"type":"STEP_STARTED","stepName":7}]"#;
    let error = serde_json::from_str::<Vec<Event>>(lines).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/stepName: invalid type: integer `7`, expected a string at line 1 column 75"
    );
    let call = r#"{"id":"c","type":"function","function":{"name":"n"}}"#;
    let error = serde_json::from_str::<ToolCall>(call).unwrap_err();
    assert!(error.to_string().starts_with("/function/arguments: missing field"), "{error}");
}
