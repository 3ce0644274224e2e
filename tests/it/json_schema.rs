//! The JSON Schemas of the types say what strict decoding does, and tools take theirs from types.

use std::collections::BTreeSet;

use ag_ui::decode::{Wire, decode_strict};
use ag_ui::encode::to_json;
use ag_ui::{AgentCapabilities, Event, EventType, Message, RunAgentInput, RunOutcome, Tool};
use jsonschema::Validator;
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};

use crate::documents::{Documents, Random, places};

fn schema_of<T: JsonSchema>() -> Value {
    schema_for!(T).to_value()
}

#[derive(Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    disagreements: Vec<String>,
}

impl Tally {
    fn judge<T: Wire>(&mut self, validator: &Validator, document: &Value) {
        let decoded = decode_strict::<T>(&document.to_string());
        let validated = validator.validate(document);
        match validated.is_ok() {
            true => self.accepted += 1,
            false => self.refused += 1,
        }
        match (decoded, validated) {
            (Ok(_), Ok(())) | (Err(_), Err(_)) => {}
            (Err(error), Ok(())) => {
                self.disagreements.push(format!("{document}\n  only decoding refuses: {error}"));
            }
            (Ok(_), Err(error)) => {
                let place = error.instance_path();
                self.disagreements
                    .push(format!("{document}\n  only the schema refuses: {error} at {place}"));
            }
        }
    }

    fn corpus<T: Wire + JsonSchema>(&mut self, documents: &mut Documents, name: &str, count: u32) {
        let validator = jsonschema::validator_for(&schema_of::<T>()).unwrap();
        for _ in 0..count {
            let valid = documents.valid(name);
            self.judge::<T>(&validator, &valid);
            for _ in 0..3 {
                let mutated = documents.mutated(valid.clone());
                self.judge::<T>(&validator, &mutated);
            }
        }
    }
}

#[test]
fn a_schema_refuses_what_strict_decoding_refuses() {
    let mut documents = Documents::new(21);
    let mut tally = Tally::default();
    for name in documents.variants("Event") {
        tally.corpus::<Event>(&mut documents, &name, 10);
    }
    for name in documents.variants("Message") {
        tally.corpus::<Message>(&mut documents, &name, 15);
    }
    tally.corpus::<RunAgentInput>(&mut documents, "RunAgentInput", 40);
    tally.corpus::<AgentCapabilities>(&mut documents, "AgentCapabilities", 40);
    tally.corpus::<RunOutcome>(&mut documents, "RunFinishedOutcome", 40);
    tally.corpus::<Tool>(&mut documents, "Tool", 40);
    let shown = tally.disagreements.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(tally.disagreements.is_empty(), "{} times:\n{shown}", tally.disagreements.len());
    assert!(tally.accepted > 700 && tally.refused > 500, "{}/{}", tally.accepted, tally.refused);
}

#[test]
fn every_event_of_the_current_protocol_is_in_the_schema() {
    let schema = schema_of::<Event>();
    let variants = schema["oneOf"].as_array().unwrap();
    let tags: BTreeSet<&str> = variants
        .iter()
        .map(|variant| {
            let reference = variant["$ref"].as_str().unwrap();
            let variant = schema.pointer(reference.strip_prefix('#').unwrap()).unwrap();
            variant["properties"]["type"]["const"].as_str().unwrap()
        })
        .collect();
    let current = EventType::ALL.iter().filter(|event_type| !event_type.is_deprecated());
    assert_eq!(tags, current.map(|event_type| event_type.as_str()).collect());
    assert_eq!(variants.len(), tags.len());
}

/// A model reads these texts: nothing goes undescribed.
#[test]
fn every_type_and_property_is_described() {
    for schema in [schema_of::<Event>(), schema_of::<RunAgentInput>(), schema_of::<Tool>()] {
        let is_described =
            |value: &Value| value["description"].as_str().is_some_and(|text| text.ends_with('.'));
        assert!(is_described(&schema), "{}", schema["title"]);
        for place in places(&schema) {
            let value = schema.pointer(&place).unwrap();
            let Some(properties) = value.get("properties").and_then(Value::as_object) else {
                continue;
            };
            assert!(is_described(value), "{place}");
            for (name, property) in properties {
                let described = is_described(property) || property.get("$ref").is_some();
                assert!(described, "{name} at {place}");
            }
        }
    }
}

/// What a user asks a model for.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct AddTask {
    /// What is to be done.
    title: String,
    due: Option<String>,
    priority: Priority,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
enum Priority {
    Low,
    High,
}

#[test]
fn a_tool_takes_its_parameters_from_a_type() {
    let tool = Tool::of::<AddTask>("add_task", "Adds a task.");
    assert_eq!((tool.name.as_str(), tool.description.as_str()), ("add_task", "Adds a task."));
    let parameters = tool.parameters.clone().unwrap();
    assert_eq!(parameters, schema_of::<AddTask>());
    assert_eq!(parameters["properties"]["title"]["description"], "What is to be done.");

    let read: Tool = decode_strict(&to_json(&tool)).unwrap();
    assert_eq!(read, tool);
    let validator = jsonschema::validator_for(read.parameters.as_ref().unwrap()).unwrap();
    assert!(validator.is_valid(&json!({"title": "Tea", "priority": "Low"})));
    assert!(!validator.is_valid(&json!({"title": "Tea", "priority": "None"})));
    assert!(!validator.is_valid(&json!({"priority": "Low"})));
}

/// What a user embeds the types in.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Recording {
    input: RunAgentInput,
    events: Vec<Event>,
}

#[test]
fn types_of_a_user_may_contain_them() {
    let validator = jsonschema::validator_for(&schema_of::<Recording>()).unwrap();
    let mut documents = Documents::new(22);
    let mut random = Random::new(23);
    for _ in 0..20 {
        let count = random.below(4);
        let events: Vec<Value> = (0..count).map(|_| documents.valid("Event")).collect();
        let mut recording = json!({"input": documents.valid("RunAgentInput"), "events": events});
        assert!(validator.is_valid(&recording), "{recording}");
        recording["events"] = json!([{"type": "STEP_STARTED"}]);
        assert!(!validator.is_valid(&recording));
    }
}
