//! Building blocks for the JSON Schemas of generated types.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// One described field of an object.
pub(crate) struct Property {
    name: &'static str,
    text: &'static str,
    required: bool,
    shape: Schema,
}

pub(crate) fn required(name: &'static str, text: &'static str, shape: Schema) -> Property {
    Property { name, text, required: true, shape }
}

pub(crate) fn optional(name: &'static str, text: &'static str, shape: Schema) -> Property {
    Property { name, text, required: false, shape }
}

/// Gives the element type of a list type.
pub(crate) trait Items {
    type Item;
}

impl<T> Items for Vec<T> {
    type Item = T;
}

fn schema(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

pub(crate) fn object(text: &str, open: bool, properties: Vec<Property>) -> Schema {
    let required: Vec<_> =
        properties.iter().filter(|property| property.required).map(|one| one.name).collect();
    let described: Map<String, Value> = properties
        .into_iter()
        .map(|Property { name, text, mut shape, .. }| {
            if shape.get("$ref").is_none() {
                shape.insert("description".to_owned(), text.into());
            }
            (name.to_owned(), shape.to_value())
        })
        .collect();
    schema(json!({
        "type": "object",
        "description": text,
        "properties": described,
        "required": required,
        "additionalProperties": open,
    }))
}

pub(crate) fn one_of(text: &str, variants: Vec<Schema>) -> Schema {
    let variants: Vec<Value> = variants.into_iter().map(Schema::to_value).collect();
    schema(json!({ "description": text, "oneOf": variants }))
}

pub(crate) fn members(text: &str, members: &[&str]) -> Schema {
    schema(json!({ "type": "string", "description": text, "enum": members }))
}

pub(crate) fn constant(value: &str) -> Schema {
    schema(json!({ "const": value }))
}

pub(crate) fn string() -> Schema {
    schema(json!({ "type": "string" }))
}

pub(crate) fn pattern(pattern: &str) -> Schema {
    schema(json!({ "type": "string", "pattern": pattern }))
}

pub(crate) fn boolean() -> Schema {
    schema(json!({ "type": "boolean" }))
}

pub(crate) fn integer(min: Option<i64>, max: Option<i64>) -> Schema {
    let mut integer = schema(json!({ "type": "integer" }));
    for (keyword, bound) in [("minimum", min), ("maximum", max)] {
        if let Some(bound) = bound {
            integer.insert(keyword.to_owned(), bound.into());
        }
    }
    integer
}

pub(crate) fn any() -> Schema {
    Schema::default()
}

pub(crate) fn not_null() -> Schema {
    schema(json!({ "not": { "type": "null" } }))
}

pub(crate) fn map() -> Schema {
    schema(json!({ "type": "object" }))
}

pub(crate) fn array(items: Schema, min_items: u32) -> Schema {
    let mut array = schema(json!({ "type": "array", "items": items.to_value() }));
    if min_items > 0 {
        array.insert("minItems".to_owned(), min_items.into());
    }
    array
}
