//! Strict decoding refuses what the official JSON Schema refuses, and nothing else.
//!
//! The schema is not ours to carry: its path comes in `AG_UI_SCHEMA`. Without it the test is
//! skipped, because no registry has the file; with it, a missing file is a failure. Continuous
//! integration sets it.

#![allow(clippy::print_stderr, reason = "says what was skipped")]

use std::collections::BTreeSet;

use ag_ui::decode::{self, Wire};
use ag_ui::{AgentCapabilities, Event, Message, RunAgentInput};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::documents::{Documents, places, tags_first};

const VALID_EACH: usize = 60;
const MUTATIONS_EACH: usize = 6;

/// The official schema with what protocol 1.1 adds to it.
fn official() -> Option<Value> {
    let Some(path) = std::env::var_os("AG_UI_SCHEMA") else {
        eprintln!("skipped: AG_UI_SCHEMA does not name the official schema");
        return None;
    };
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for name in [
        "ReasoningEncryptedValueEvent",
        "DeveloperMessage",
        "SystemMessage",
        "AssistantMessage",
        "UserMessage",
        "ToolMessage",
        "ReasoningMessage",
        "ToolCall",
    ] {
        schema["$defs"][name]["properties"]["encryptedValueType"] = json!({ "type": "string" });
    }
    Some(schema)
}

fn validator(official: &Value, name: &str) -> Validator {
    let mut schema = official.clone();
    schema["$ref"] = json!(format!("#/$defs/{name}"));
    jsonschema::validator_for(&schema).unwrap()
}

#[derive(Default)]
struct Tally {
    documents: usize,
    accepted: usize,
    disagreements: Vec<String>,
}

impl Tally {
    fn judge<T: Wire>(&mut self, validator: &Validator, document: &Value) -> bool {
        let text = tags_first(document);
        let ours = decode::decode_strict::<T>(&text);
        let tag_later = decode::decode_strict::<T>(&document.to_string());
        assert_eq!(ours.is_ok(), tag_later.is_ok(), "the place of the tag decides: {text}");
        let theirs = validator.is_valid(document);
        self.documents += 1;
        self.accepted += usize::from(theirs);
        if ours.is_ok() != theirs {
            let ours = ours.map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
            let theirs = validator.validate(document).map_or_else(
                |error| format!("{error} at {}", error.instance_path()),
                |()| "accepted".to_owned(),
            );
            self.disagreements.push(format!("{text}\n  ours:   {ours}\n  theirs: {theirs}"));
        }
        theirs
    }

    fn with_mutations<T: Wire>(
        &mut self,
        documents: &mut Documents,
        validator: &Validator,
        valid: &Value,
    ) {
        assert!(self.judge::<T>(validator, valid), "{valid} was meant to be valid");
        for _ in 0..MUTATIONS_EACH {
            let mutated = documents.mutated(valid.clone());
            self.judge::<T>(validator, &mutated);
            if documents.random.chance(30) {
                let twice = documents.mutated(mutated);
                self.judge::<T>(validator, &twice);
            }
        }
    }

    fn finish(self, least: usize) {
        let shown = self.disagreements.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
        assert!(
            self.disagreements.is_empty(),
            "{} of {} documents:\n{shown}",
            self.disagreements.len(),
            self.documents
        );
        assert!(self.documents >= least, "{} documents", self.documents);
        let refused = self.documents - self.accepted;
        assert!(self.accepted * 5 > self.documents, "{} accepted", self.accepted);
        assert!(refused * 5 > self.documents, "{refused} refused");
    }
}

#[test]
fn events_agree() {
    let Some(official) = official() else { return };
    let validator = validator(&official, "Event");
    let mut documents = Documents::new(1);
    let mut tally = Tally::default();
    for name in documents.variants("Event") {
        let mut seen = BTreeSet::new();
        let (documents_before, accepted_before) = (tally.documents, tally.accepted);
        for _ in 0..VALID_EACH {
            let valid = documents.valid(&name);
            seen.extend(valid.as_object().unwrap().keys().cloned());
            tally.with_mutations::<Event>(&mut documents, &validator, &valid);
        }
        let fields = documents.fields(&name);
        let fields = fields.iter().map(|field| field["name"].as_str().unwrap().to_owned());
        assert_eq!(seen, fields.collect(), "every field of {name} occurs");
        let accepted = tally.accepted - accepted_before;
        let refused = tally.documents - documents_before - accepted;
        assert!(accepted > VALID_EACH && refused > VALID_EACH, "{name}: {accepted}, {refused}");
    }
    tally.finish(10_000);
}

#[test]
fn inputs_messages_and_capabilities_agree() {
    let Some(official) = official() else { return };
    let mut documents = Documents::new(2);
    let mut tally = Tally::default();
    let input = validator(&official, "RunAgentInput");
    let message = validator(&official, "Message");
    let capabilities = validator(&official, "AgentCapabilities");
    for _ in 0..200 {
        let valid = documents.valid("RunAgentInput");
        tally.with_mutations::<RunAgentInput>(&mut documents, &input, &valid);
        let valid = documents.valid("Message");
        tally.with_mutations::<Message>(&mut documents, &message, &valid);
        let valid = documents.valid("AgentCapabilities");
        tally.with_mutations::<AgentCapabilities>(&mut documents, &capabilities, &valid);
    }
    tally.finish(4_000);
}

/// Ways to spoil a value, some of which it may survive.
fn spoiled(value: &Value) -> Vec<Value> {
    let mut values = vec![
        Value::Null,
        json!(true),
        json!(7),
        json!(-1),
        json!(7.5),
        json!(1.0),
        json!(9_007_199_254_740_992_i64),
        json!("other"),
        json!("/a~2"),
        json!([]),
        json!([null]),
        json!({}),
    ];
    match value {
        Value::Object(map) => {
            for unknown in ["later", "constructor", "", "Type"] {
                let mut map = map.clone();
                map.insert(unknown.to_owned(), json!(1));
                values.push(Value::Object(map));
            }
            for key in map.keys() {
                let mut map = map.clone();
                map.remove(key);
                values.push(Value::Object(map));
            }
        }
        Value::Array(items) => {
            for item in [json!({}), json!({"type": "later", "role": "later", "op": "later"})] {
                let mut items = items.clone();
                items.push(item);
                values.push(Value::Array(items));
            }
        }
        Value::String(text) => {
            values.push(json!(text.to_lowercase()));
            values.push(json!(format!("{text} ")));
        }
        _ => {}
    }
    values
}

impl Tally {
    fn every_place<T: Wire>(&mut self, validator: &Validator, valid: &Value) {
        assert!(self.judge::<T>(validator, valid), "{valid} was meant to be valid");
        for place in places(valid) {
            for value in spoiled(valid.pointer(&place).unwrap()) {
                let mut document = valid.clone();
                *document.pointer_mut(&place).unwrap() = value;
                self.judge::<T>(validator, &document);
            }
        }
    }
}

#[test]
fn every_field_spoiled_in_every_way_agrees() {
    let Some(official) = official() else { return };
    let mut documents = Documents::full(8);
    let mut tally = Tally::default();
    let event = validator(&official, "Event");
    for name in documents.variants("Event") {
        tally.every_place::<Event>(&event, &documents.valid(&name));
    }
    for outcome in documents.variants("RunFinishedOutcome") {
        let mut finished = documents.valid("RunFinishedEvent");
        finished["outcome"] = documents.valid(&outcome);
        tally.every_place::<Event>(&event, &finished);
    }
    for outcome in documents.variants("SubagentFinishedOutcome") {
        let mut finished = documents.valid("SubagentFinishedEvent");
        finished["outcome"] = documents.valid(&outcome);
        tally.every_place::<Event>(&event, &finished);
    }
    for operation in documents.variants("JsonPatchOperation") {
        let delta = json!([documents.valid(&operation)]);
        tally.every_place::<Event>(&event, &json!({ "type": "STATE_DELTA", "delta": delta }));
    }
    let message = validator(&official, "Message");
    for name in documents.variants("Message") {
        tally.every_place::<Message>(&message, &documents.valid(&name));
    }
    for part in documents.variants("ContentPart") {
        for source in documents.variants("PartSource") {
            let mut part = documents.valid(&part);
            if let Some(place) = part.get_mut("source") {
                *place = documents.valid(&source);
            }
            let content = json!([part]);
            let message_of_user = json!({ "role": "user", "id": "m", "content": content });
            tally.every_place::<Message>(&message, &message_of_user);
        }
    }
    let input = validator(&official, "RunAgentInput");
    let capabilities = validator(&official, "AgentCapabilities");
    for _ in 0..4 {
        tally.every_place::<RunAgentInput>(&input, &documents.valid("RunAgentInput"));
        let declared = documents.valid("AgentCapabilities");
        tally.every_place::<AgentCapabilities>(&capabilities, &declared);
    }
    assert_eq!(documents.made, documents.all_fields(), "every field of every type occurs");
    tally.finish(10_000);
}
