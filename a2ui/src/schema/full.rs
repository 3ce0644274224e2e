//! Validation by JSON Schema, for what the semantic validator leaves to it.

use serde_json::{Map, Value};

use super::SchemaBundle;

/// Holds messages to their JSON Schemas: closed objects, enumerations, patterns, and whatever else
/// the documents say.
///
/// It knows nothing of what a [`Validator`](crate::Validator) checks, such as links that lead
/// nowhere; the two stand beside each other.
#[derive(Debug)]
pub struct SchemaValidator(jsonschema::Validator);

/// Why documents are no schemas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the documents are no JSON Schemas: {0}")]
pub struct SchemaError(String);

impl SchemaBundle {
    /// A validator for messages.
    ///
    /// # Errors
    /// When the documents are no JSON Schemas, or refer to something else than each other.
    pub fn validator(&self) -> Result<SchemaValidator, SchemaError> {
        let schema = self.as_one();
        // Dates are told apart from times by their formats.
        let built = jsonschema::options().should_validate_formats(true).build(&schema);
        built.map(SchemaValidator).map_err(|error| SchemaError(error.to_string()))
    }

    /// The three documents as one, so that nothing has to be looked up elsewhere.
    fn as_one(&self) -> Value {
        let mut whole = self.server_to_client.clone();
        bind(&mut whole, "");
        let mut definitions = Map::new();
        for (name, document) in [("common_types", &self.common_types), ("catalog", &self.catalog)] {
            let mut document = document.clone();
            bind(&mut document, &format!("/$defs/{name}"));
            definitions.insert(name.to_owned(), document);
        }
        if let Some(whole) = whole.as_object_mut() {
            match whole.get_mut("$defs") {
                Some(Value::Object(own)) => own.extend(definitions),
                _ => drop(whole.insert("$defs".to_owned(), Value::Object(definitions))),
            }
        }
        whole
    }
}

/// Turns references to the other documents, and within a document that has moved, into ones that
/// lead to where things are now.
fn bind(document: &mut Value, moved_to: &str) {
    let mut pending = vec![document];
    while let Some(schema) = pending.pop() {
        match schema {
            Value::Object(members) => {
                members.remove("$id");
                if let Some(Value::String(reference)) = members.get_mut("$ref") {
                    *reference = bound(reference, moved_to);
                }
                pending.extend(members.values_mut());
            }
            Value::Array(items) => pending.extend(items.iter_mut()),
            _ => {}
        }
    }
}

fn bound(reference: &str, moved_to: &str) -> String {
    let Some((document, place)) = reference.split_once('#') else { return reference.to_owned() };
    match document.rsplit('/').next() {
        Some("common_types.json") => format!("#/$defs/common_types{place}"),
        Some("catalog.json") => format!("#/$defs/catalog{place}"),
        _ => format!("#{moved_to}{place}"),
    }
}

impl SchemaValidator {
    /// Validates a message, or whatever else the documents describe at their root.
    ///
    /// # Errors
    /// All that is wrong, a line each, with the place first.
    pub fn validate(&self, message: &Value) -> Result<(), Vec<String>> {
        let errors: Vec<String> = self
            .0
            .iter_errors(message)
            .map(|error| match error.instance_path().to_string() {
                place if place.is_empty() => error.to_string(),
                place => format!("{place}: {error}"),
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
