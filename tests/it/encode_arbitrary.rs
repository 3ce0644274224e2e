//! Whatever the data of an event is, what is written is what is read.

use std::cell::RefCell;

use ag_ui::decode::{Wire, decode, decode_strict, decode_with_report};
use ag_ui::encode::to_json;
use ag_ui::{
    AudioPart, DocumentPart, Event, ImagePart, PartSource, ResumeEntry, RunAgentInput,
    RunFinishedEvent, SubagentFinishedEvent, TextPart, Tool, VideoPart,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Number, Value, json};

use crate::documents::{Documents, Random};

/// Any JSON. Its fractions have few digits, because `serde_json` may be off by one in the last.
fn any_json() -> impl Strategy<Value = Value> {
    let float = any::<i32>()
        .prop_filter_map("no number", |number| Number::from_f64(f64::from(number) / 1024.0));
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        float.prop_map(Value::Number),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn any_map() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map(any::<String>(), any_json(), 0..4)
        .prop_map(|entries| entries.into_iter().collect())
}

/// What a document is filled with, taken in turn.
#[derive(Debug, Clone)]
struct Filling {
    texts: Vec<String>,
    values: Vec<Value>,
    maps: Vec<Map<String, Value>>,
}

fn any_filling() -> impl Strategy<Value = Filling> {
    let texts = prop::collection::vec(any::<String>(), 1..6);
    let values = prop::collection::vec(any_json(), 1..4);
    let maps = prop::collection::vec(any_map(), 1..4);
    (texts, values, maps).prop_map(|(texts, values, maps)| Filling { texts, values, maps })
}

/// A valid document with its free strings and its opaque data replaced.
fn filled(documents: &mut Documents, name: &str, filling: &Filling) -> Value {
    let (mut document, places) = documents.described(name);
    let mut texts = filling.texts.iter().cycle();
    let mut values = filling.values.iter().cycle();
    let mut maps = filling.maps.iter().cycle();
    for place in places {
        let target = document.pointer_mut(&place.pointer).unwrap();
        let shape = &place.field["shape"];
        let is_any = *shape == "any" || shape["ref"] == "State";
        if *shape == "string" || (shape.get("oneOf").is_some() && target.is_string()) {
            *target = texts.next().unwrap().as_str().into();
        } else if *shape == "map" || shape["ref"] == "Metadata" {
            *target = Value::Object(maps.next().unwrap().clone());
        } else if is_any {
            let value = values.next().unwrap();
            if !value.is_null() || place.field["null"] == "value" {
                *target = value.clone();
            }
        }
        let is_operation = place.type_name.ends_with("Operation");
        if is_operation && place.is_tag {
            let operation = place.pointer.strip_suffix("/op").unwrap();
            let operation = document.pointer_mut(operation).unwrap().as_object_mut().unwrap();
            for (key, value) in maps.next().unwrap() {
                operation.entry(key.as_str()).or_insert_with(|| value.clone());
            }
        }
    }
    document
}

fn assert_returns<T: Wire + serde::Serialize + PartialEq + std::fmt::Debug>(
    document: &Value,
) -> Result<(), TestCaseError> {
    let text = document.to_string();
    let (value, report) = decode_with_report::<T>(&text).unwrap();
    let absent = report.adjustments().iter().filter(|one| !one.path().ends_with("/tools"));
    let absent = absent.filter(|one| !one.path().ends_with("/context"));
    prop_assert_eq!(absent.count(), 0);
    let written = to_json(&value);
    prop_assert_eq!(&decode::<T>(&written).unwrap(), &value);
    prop_assert_eq!(&decode_strict::<T>(&written).unwrap(), &value);
    prop_assert_eq!(&serde_json::to_string(&value).unwrap(), &written);
    // White space between tokens says nothing.
    let spread = serde_json::to_string_pretty(document).unwrap().replace('\n', "\r\n\t");
    prop_assert_eq!(&decode::<T>(&spread).unwrap(), &value);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_json_is_carried_as_it_is(value in any_json(), name in any::<String>()) {
        let events = [
            Event::custom(name.as_str(), value.clone()),
            Event::raw(value.clone()),
            Event::state_snapshot(value.clone()),
        ];
        for (event, field) in events.iter().zip(["value", "event", "snapshot"]) {
            let text = to_json(event);
            let parsed: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&parsed[field], &value);
            prop_assert_eq!(&decode::<Event>(&text).unwrap(), event);
            prop_assert_eq!(&serde_json::from_str::<Event>(&text).unwrap(), event);
            prop_assert_eq!(&serde_json::from_value::<Event>(parsed).unwrap(), event);
        }
    }

    #[test]
    fn every_bit_of_a_number_is_kept(float in any::<f64>(), signed in any::<i64>()) {
        for number in [Number::from_f64(float), Some(signed.into()), Some(signed.cast_unsigned().into())] {
            let Some(number) = number else { continue };
            let event = Event::state_snapshot(Value::Number(number.clone()));
            let Event::StateSnapshot(read) = decode(&to_json(&event)).unwrap() else { panic!() };
            let Value::Number(read) = read.snapshot else { panic!("{}", read.snapshot) };
            prop_assert_eq!(read.is_f64(), number.is_f64());
            prop_assert_eq!(read.as_f64().map(f64::to_bits), number.as_f64().map(f64::to_bits));
            prop_assert_eq!(read, number);
        }
    }
}

/// Cases with documents of these types; reading the model once keeps them cheap.
fn for_documents(
    names: &[&str],
    check: impl Fn(Value) -> Result<(), TestCaseError>,
) -> Result<(), proptest::test_runner::TestError<(u64, usize, Filling)>> {
    let documents = RefCell::new(Documents::new(0));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(400));
    runner.run(&(any::<u64>(), 0..names.len(), any_filling()), |(seed, index, filling)| {
        let mut documents = documents.borrow_mut();
        documents.random = Random::new(seed);
        check(filled(&mut documents, names[index], &filling))
    })
}

#[test]
fn events_of_any_content_come_back() {
    let variants = Documents::new(0).variants("Event");
    let names: Vec<&str> = variants.iter().map(String::as_str).collect();
    let outcome = for_documents(&names, |document| {
        assert_returns::<Event>(&document)?;
        if document["type"] != "RUN_STARTED" {
            let event: Event = decode(&document.to_string()).unwrap();
            prop_assert_eq!(&to_json(&event).parse::<Value>().unwrap(), &document);
            prop_assert_eq!(&serde_json::to_value(&event).unwrap(), &document);
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn inputs_of_any_content_come_back() {
    let outcome =
        for_documents(&["RunAgentInput"], |document| assert_returns::<RunAgentInput>(&document));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_null_where_only_absence_says_nothing_is_not_written() {
    macro_rules! with_null {
        ($value:expr, $($field:ident),*) => {{
            let mut value = $value;
            $(value.$field = Some(Value::Null);)*
            written_twice(&value)
        }};
    }
    let url = || PartSource::url("u");
    let input = RunAgentInput::new("t", "r", vec![]);
    let finished = SubagentFinishedEvent::new("s");
    for (written, expected) in [
        (with_null!(TextPart::new("a"), metadata), r#"{"type":"text","text":"a"}"#),
        (with_null!(ImagePart::new(url()), metadata), &media("image")),
        (with_null!(AudioPart::new(url()), metadata), &media("audio")),
        (with_null!(VideoPart::new(url()), metadata), &media("video")),
        (with_null!(DocumentPart::new(url()), metadata), &media("document")),
        (
            with_null!(Tool::new("n", "d", json!({})), parameters),
            r#"{"name":"n","description":"d"}"#,
        ),
        (
            with_null!(ResumeEntry::cancelled("i"), payload),
            r#"{"interruptId":"i","status":"cancelled"}"#,
        ),
        (
            with_null!(input, state, forwarded_props),
            r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[]}"#,
        ),
        (
            with_null!(RunFinishedEvent::new("t", "r"), result, raw_event),
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
        ),
        (
            with_null!(finished, result, raw_event),
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}"#,
        ),
    ] {
        assert_eq!(written, expected);
    }
    // Null is data within data.
    let tool = Tool::new("n", "d", json!({"default": null}));
    assert_eq!(
        written_twice(&tool),
        r#"{"name":"n","description":"d","parameters":{"default":null}}"#
    );
}

fn media(kind: &str) -> String {
    format!(r#"{{"type":"{kind}","source":{{"type":"url","value":"u"}}}}"#)
}

/// Both encoders agree, and a strict reader takes what they write.
fn written_twice<T: Wire + serde::Serialize>(value: &T) -> String {
    let written = to_json(value);
    assert_eq!(serde_json::to_string(value).unwrap(), written);
    assert!(decode_strict::<T>(&written).is_ok(), "{written}");
    written
}
