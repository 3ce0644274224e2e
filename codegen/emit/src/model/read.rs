//! Reading of a model from JSON, by hand: a build reads one every time, and derived code would
//! cost it more than all of the emitter.

use std::fmt;

use serde_json::{Map, Value};

use super::{
    Array, EarlierField, EarlierObject, Field, Integer, Member, Model, Null, Object, Shape, Source,
    Strings, TypeDef, TypeShape, Union, Unknown, Variant,
};

type Result<T> = std::result::Result<T, ReadError>;

/// JSON that is not a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    path: String,
    problem: String,
}

impl ReadError {
    fn new(problem: impl Into<String>) -> Self {
        Self { path: String::new(), problem: problem.into() }
    }

    fn within(mut self, segment: impl fmt::Display) -> Self {
        self.path = format!("/{segment}{}", self.path);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "/" } else { &self.path };
        write!(formatter, "at {path}: {}", self.problem)
    }
}

impl std::error::Error for ReadError {}

/// Reads a model.
///
/// # Errors
/// When a key is missing or unknown, or a value is none that the model has there. The error names
/// the place.
pub fn read(json: &Value) -> Result<Model> {
    object(json, |entries| {
        Ok(Model {
            format: entries.required("format", number)?,
            protocol: entries.required("protocol", text)?,
            protocol_version: entries.required("protocolVersion", text)?,
            sources: entries.required("sources", |value| list(value, source))?,
            types: entries.required("types", |value| list(value, type_def))?,
        })
    })
}

/// Reads what a field holds.
///
/// # Errors
/// As [`read`].
pub fn read_shape(json: &Value) -> Result<Shape> {
    choice(json, |kind, inner| {
        Ok(match (kind, inner) {
            ("string", None) => Shape::String,
            ("boolean", None) => Shape::Boolean,
            ("number", None) => Shape::Number,
            ("any", None) => Shape::Any,
            ("map", None) => Shape::Map,
            ("pattern", Some(inner)) => Shape::Pattern(text(inner)?),
            ("literal", Some(inner)) => Shape::Literal(text(inner)?),
            ("ref", Some(inner)) => Shape::Ref(text(inner)?),
            ("oneOf", Some(inner)) => Shape::OneOf(list(inner, read_shape)?),
            ("integer", Some(inner)) => Shape::Integer(integer(inner)?),
            ("array", Some(inner)) => Shape::Array(array(inner)?),
            _ => return Err(ReadError::new("no shape of the model")),
        })
    })
}

fn integer(json: &Value) -> Result<Integer> {
    object(json, |entries| {
        Ok(Integer { min: entries.optional("min", bound)?, max: entries.optional("max", bound)? })
    })
}

fn array(json: &Value) -> Result<Array> {
    object(json, |entries| {
        Ok(Array {
            items: Box::new(entries.required("items", read_shape)?),
            min_items: entries.optional("minItems", number)?.unwrap_or_default(),
        })
    })
}

fn source(json: &Value) -> Result<Source> {
    object(json, |entries| {
        Ok(Source {
            name: entries.required("name", text)?,
            version: entries.required("version", text)?,
        })
    })
}

fn type_def(json: &Value) -> Result<TypeDef> {
    object(json, |entries| {
        Ok(TypeDef {
            name: entries.required("name", text)?,
            docs: entries.required("docs", text)?,
            since: entries.required("since", text)?,
            until: entries.optional("until", text)?,
            formerly: entries.optional("formerly", |value| list(value, text))?.unwrap_or_default(),
            shape: entries.required("shape", type_shape)?,
        })
    })
}

fn type_shape(json: &Value) -> Result<TypeShape> {
    choice(json, |kind, inner| {
        let inner = inner.ok_or_else(|| ReadError::new("no kind of type of the model"))?;
        Ok(match kind {
            "object" => TypeShape::Object(object_shape(inner)?),
            "union" => TypeShape::Union(union(inner)?),
            "strings" => TypeShape::Strings(strings(inner)?),
            "alias" => TypeShape::Alias(read_shape(inner)?),
            _ => return Err(ReadError::new("no kind of type of the model")),
        })
    })
}

fn object_shape(json: &Value) -> Result<Object> {
    object(json, |entries| {
        Ok(Object {
            unknown: entries.required("unknown", unknown)?,
            earlier: entries
                .optional("earlier", |value| list(value, earlier_object))?
                .unwrap_or_default(),
            notes: entries.optional("notes", |value| list(value, text))?.unwrap_or_default(),
            fields: entries.required("fields", |value| list(value, field))?,
        })
    })
}

fn earlier_object(json: &Value) -> Result<EarlierObject> {
    object(json, |entries| {
        Ok(EarlierObject {
            version: entries.required("version", text)?,
            unknown: entries.required("unknown", unknown)?,
        })
    })
}

fn field(json: &Value) -> Result<Field> {
    object(json, |entries| {
        Ok(Field {
            name: entries.required("name", text)?,
            docs: entries.required("docs", text)?,
            since: entries.required("since", text)?,
            until: entries.optional("until", text)?,
            optional: entries.required("optional", boolean)?,
            null: entries.required("null", null)?,
            default: entries.optional("default", |value| Ok(value.clone()))?,
            shape: entries.required("shape", read_shape)?,
            earlier: entries
                .optional("earlier", |value| list(value, earlier_field))?
                .unwrap_or_default(),
        })
    })
}

fn earlier_field(json: &Value) -> Result<EarlierField> {
    object(json, |entries| {
        Ok(EarlierField {
            version: entries.required("version", text)?,
            optional: entries.required("optional", boolean)?,
            null: entries.required("null", null)?,
            default: entries.optional("default", |value| Ok(value.clone()))?,
            shape: entries.required("shape", read_shape)?,
        })
    })
}

fn union(json: &Value) -> Result<Union> {
    object(json, |entries| {
        Ok(Union {
            tag: entries.required("tag", text)?,
            variants: entries.required("variants", |value| list(value, variant))?,
        })
    })
}

fn variant(json: &Value) -> Result<Variant> {
    object(json, |entries| {
        Ok(Variant {
            value: entries.required("value", text)?,
            name: entries.required("name", text)?,
            since: entries.required("since", text)?,
            until: entries.optional("until", text)?,
        })
    })
}

fn strings(json: &Value) -> Result<Strings> {
    object(json, |entries| {
        Ok(Strings { members: entries.required("members", |value| list(value, member))? })
    })
}

fn member(json: &Value) -> Result<Member> {
    object(json, |entries| {
        Ok(Member {
            value: entries.required("value", text)?,
            docs: entries.required("docs", text)?,
            since: entries.required("since", text)?,
            until: entries.optional("until", text)?,
        })
    })
}

fn unknown(json: &Value) -> Result<Unknown> {
    match json.as_str() {
        Some("strip") => Ok(Unknown::Strip),
        Some("keep") => Ok(Unknown::Keep),
        Some("reject") => Ok(Unknown::Reject),
        _ => Err(ReadError::new("expected `strip`, `keep` or `reject`")),
    }
}

fn null(json: &Value) -> Result<Null> {
    match json.as_str() {
        Some("reject") => Ok(Null::Reject),
        Some("absent") => Ok(Null::Absent),
        Some("value") => Ok(Null::Value),
        _ => Err(ReadError::new("expected `reject`, `absent` or `value`")),
    }
}

fn text(json: &Value) -> Result<String> {
    json.as_str().map(str::to_owned).ok_or_else(|| ReadError::new("expected a string"))
}

fn boolean(json: &Value) -> Result<bool> {
    json.as_bool().ok_or_else(|| ReadError::new("expected true or false"))
}

fn bound(json: &Value) -> Result<i64> {
    json.as_i64().ok_or_else(|| ReadError::new("expected an integer"))
}

fn number(json: &Value) -> Result<u32> {
    let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| ReadError::new("expected a small positive integer"))
}

fn list<T>(json: &Value, read: impl Fn(&Value) -> Result<T>) -> Result<Vec<T>> {
    let items = json.as_array().ok_or_else(|| ReadError::new("expected an array"))?;
    let read = |(index, item)| read(item).map_err(|error| error.within(index));
    items.iter().enumerate().map(read).collect()
}

/// A kind by its name alone, or an object with the name of the kind as its one key.
fn choice<T>(json: &Value, read: impl FnOnce(&str, Option<&Value>) -> Result<T>) -> Result<T> {
    match json {
        Value::String(kind) => read(kind, None),
        Value::Object(entries) if entries.len() == 1 => match entries.iter().next() {
            Some((kind, inner)) => read(kind, Some(inner)).map_err(|error| error.within(kind)),
            None => Err(ReadError::new("expected a kind")),
        },
        _ => Err(ReadError::new("expected the name of a kind, or an object with that one key")),
    }
}

/// Reads an object and refuses the keys that nobody asked for.
fn object<T>(json: &Value, read: impl FnOnce(&mut Entries<'_>) -> Result<T>) -> Result<T> {
    let map = json.as_object().ok_or_else(|| ReadError::new("expected an object"))?;
    let mut entries = Entries { map, known: Vec::new() };
    let value = read(&mut entries)?;
    match map.keys().find(|key| !entries.known.contains(&key.as_str())) {
        None => Ok(value),
        Some(key) => Err(ReadError::new("unknown key").within(key)),
    }
}

struct Entries<'a> {
    map: &'a Map<String, Value>,
    known: Vec<&'static str>,
}

impl Entries<'_> {
    fn required<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&Value) -> Result<T>,
    ) -> Result<T> {
        let value = self.optional(key, read)?;
        value.ok_or_else(|| ReadError::new(format!("key `{key}` is missing")))
    }

    fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&Value) -> Result<T>,
    ) -> Result<Option<T>> {
        self.known.push(key);
        let value = self.map.get(key).map(read).transpose();
        value.map_err(|error| error.within(key))
    }
}
