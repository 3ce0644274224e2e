//! Writing catalog documents in one form.

use serde_json::{Map, Value, json};

use super::model::{Catalog, Component, Function, Property, Shape};

/// Where the types that all catalogs share are described.
const COMMON: &str = "https://a2ui.org/specification/v0_9/common_types.json#/$defs/";

/// The document of a catalog: what it says, in one form, with its own words.
#[must_use]
pub fn to_document(catalog: &Catalog) -> Value {
    let components: Map<String, Value> = catalog
        .components
        .iter()
        .map(|component| (component.name.clone(), of_component(component)))
        .collect();
    let functions: Map<String, Value> = catalog
        .functions
        .iter()
        .map(|function| (function.name.clone(), of_function(function)))
        .collect();
    let one_of = |kind: &str, names: Vec<&String>| -> Vec<Value> {
        names.into_iter().map(|name| json!({"$ref": format!("#/{kind}/{name}")})).collect()
    };
    let components_by_name = one_of("components", components.keys().collect());
    let functions_by_name = one_of("functions", functions.keys().collect());
    let mut theme = of_properties(&catalog.theme);
    theme.insert("type".into(), "object".into());
    theme.insert("additionalProperties".into(), true.into());
    let mut common = of_properties(&catalog.common);
    common.insert("type".into(), "object".into());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": catalog.id,
        "description": catalog.docs,
        "catalogId": catalog.id,
        "components": components,
        "functions": functions,
        "$defs": {
            "CatalogComponentCommon": common,
            "theme": theme,
            "anyComponent": {
                "oneOf": components_by_name,
                "discriminator": {"propertyName": "component"},
            },
            "anyFunction": {"oneOf": functions_by_name},
        },
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("{COMMON}{name}")})
}

fn of_component(component: &Component) -> Value {
    let mut own = of_properties(&component.properties);
    own.insert("type".into(), "object".into());
    let required = own.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        required.insert(0, "component".into());
    }
    let properties = own.entry("properties").or_insert_with(|| json!({}));
    properties["component"] = json!({"const": component.name});
    let mut parts =
        vec![reference("ComponentCommon"), json!({"$ref": "#/$defs/CatalogComponentCommon"})];
    if component.is_checkable {
        parts.push(reference("Checkable"));
    }
    parts.push(Value::Object(own));
    json!({
        "type": "object",
        "description": component.docs,
        "allOf": parts,
        "unevaluatedProperties": false,
    })
}

fn of_function(function: &Function) -> Value {
    let mut arguments = of_properties(&function.arguments);
    arguments.insert("type".into(), "object".into());
    arguments.insert("additionalProperties".into(), false.into());
    if !function.any_of.is_empty() {
        let any_of = function.any_of.iter().map(|name| json!({"required": [name]}));
        arguments.insert("anyOf".into(), any_of.collect());
    }
    json!({
        "type": "object",
        "description": function.docs,
        "properties": {
            "call": {"const": function.name},
            "args": arguments,
            "returnType": {"const": function.returns},
        },
        "required": ["call", "args"],
        "unevaluatedProperties": false,
    })
}

fn of_properties(properties: &[Property]) -> Map<String, Value> {
    let described: Map<String, Value> = properties
        .iter()
        .map(|property| {
            let mut schema = of_shape(&property.shape);
            if let Some(schema) = schema.as_object_mut() {
                if !property.docs.is_empty() {
                    schema.insert("description".into(), property.docs.clone().into());
                }
                if let Some(default) = &property.default {
                    schema.insert("default".into(), default.clone());
                }
            }
            (property.name.clone(), schema)
        })
        .collect();
    let required: Vec<&str> = properties
        .iter()
        .filter(|property| property.is_required)
        .map(|property| property.name.as_str())
        .collect();
    let mut schema = Map::new();
    schema.insert("properties".into(), Value::Object(described));
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    schema
}

fn of_shape(shape: &Shape) -> Value {
    match shape {
        Shape::ComponentId => reference("ComponentId"),
        Shape::ChildList => reference("ChildList"),
        Shape::DynamicString => reference("DynamicString"),
        Shape::DynamicNumber => reference("DynamicNumber"),
        Shape::DynamicBoolean => reference("DynamicBoolean"),
        Shape::DynamicStringList => reference("DynamicStringList"),
        Shape::DynamicValue => reference("DynamicValue"),
        Shape::DataBinding => reference("DataBinding"),
        Shape::Action => reference("Action"),
        Shape::DynamicDate => {
            let formats = ["date", "time", "date-time"].map(|format| json!({"format": format}));
            json!({"allOf": [
                reference("DynamicString"),
                {"if": {"type": "string"}, "then": {"oneOf": formats}},
            ]})
        }
        Shape::Text { format, pattern } => {
            let mut schema = json!({"type": "string"});
            if let Some(format) = format {
                schema["format"] = json!(format);
            }
            if let Some(pattern) = pattern {
                schema["pattern"] = json!(pattern);
            }
            schema
        }
        Shape::Number => json!({"type": "number"}),
        Shape::Integer { minimum: None } => json!({"type": "integer"}),
        Shape::Integer { minimum: Some(minimum) } => json!({"type": "integer", "minimum": minimum}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::OneOfTexts(texts) => json!({"type": "string", "enum": texts}),
        Shape::Any => json!({}),
        Shape::List { item, minimum } => {
            let mut schema = json!({"type": "array", "items": of_shape(item)});
            if *minimum > 0 {
                schema["minItems"] = json!(minimum);
            }
            schema
        }
        Shape::Object(properties) => {
            let mut schema = of_properties(properties);
            schema.insert("type".into(), "object".into());
            schema.insert("additionalProperties".into(), false.into());
            Value::Object(schema)
        }
        Shape::OneOf(shapes) => json!({"oneOf": shapes.iter().map(of_shape).collect::<Vec<_>>()}),
    }
}
