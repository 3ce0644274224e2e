//! Reading catalog documents.
//!
//! A form of JSON Schema that has no type here is an error that names the place: nothing is
//! guessed.

use serde_json::{Map, Value};

use super::model::{Catalog, Component, Function, Property, Shape};

/// Why a document is no catalog that types can be emitted of.
#[derive(Debug)]
#[non_exhaustive]
pub enum CatalogError {
    /// The text is no JSON.
    NotJson(serde_json::Error),
    /// A part of the document is not understood.
    NotUnderstood {
        /// Where, with `/` before each name.
        place: String,
        /// What is wrong, and what would do.
        problem: String,
    },
}

impl std::fmt::Display for CatalogError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotJson(error) => write!(formatter, "the catalog is no JSON: {error}"),
            Self::NotUnderstood { place, problem } => {
                write!(formatter, "the catalog at {place}: {problem}")
            }
        }
    }
}

impl std::error::Error for CatalogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotJson(error) => Some(error),
            Self::NotUnderstood { .. } => None,
        }
    }
}

type Result<T, E = CatalogError> = std::result::Result<T, E>;

fn refuse<T>(place: &str, problem: impl Into<String>) -> Result<T> {
    let place = if place.is_empty() { "/" } else { place };
    Err(CatalogError::NotUnderstood { place: place.to_owned(), problem: problem.into() })
}

/// Reads a catalog document.
///
/// # Errors
/// When a part of it is not understood.
pub fn read(document: &Value) -> Result<Catalog> {
    let reader = Reader { root: document };
    let root = reader.object(document, "")?;
    let Some(Value::String(id)) = root.get("catalogId") else {
        return refuse("/catalogId", "a catalog needs an id, which is a string");
    };
    let mut catalog = Catalog { id: id.clone(), docs: docs(root), ..Catalog::default() };
    if let Some(common) = document.pointer("/$defs/CatalogComponentCommon") {
        catalog.common = reader.properties(common, "/$defs/CatalogComponentCommon")?;
    }
    for (name, schema) in reader.members(root, "components")? {
        let place = format!("/components/{name}");
        catalog.components.push(reader.component(name, schema, &place)?);
    }
    for (name, schema) in reader.members(root, "functions")? {
        let place = format!("/functions/{name}");
        catalog.functions.push(reader.function(name, schema, &place)?);
    }
    if let Some(theme) = document.pointer("/$defs/theme") {
        catalog.theme = reader.properties(theme, "/$defs/theme")?;
    }
    Ok(catalog)
}

fn docs(schema: &Map<String, Value>) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The last part of a reference.
fn target(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

struct Reader<'d> {
    root: &'d Value,
}

impl<'d> Reader<'d> {
    fn object<'v>(&self, value: &'v Value, place: &str) -> Result<&'v Map<String, Value>> {
        match value {
            Value::Object(object) => Ok(object),
            _ => refuse(place, "it has to be an object"),
        }
    }

    fn members<'v>(
        &self,
        object: &'v Map<String, Value>,
        name: &str,
    ) -> Result<Vec<(&'v String, &'v Value)>> {
        match object.get(name) {
            None => Ok(Vec::new()),
            Some(members) => Ok(self.object(members, &format!("/{name}"))?.iter().collect()),
        }
    }

    fn component(&self, name: &str, schema: &Value, place: &str) -> Result<Component> {
        let object = self.object(schema, place)?;
        let mut component =
            Component { name: name.to_owned(), docs: docs(object), ..Component::default() };
        let own = schema.get("properties").is_some().then_some(schema);
        let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for part in parts.chain(own) {
            match part.get("$ref").and_then(Value::as_str).map(target) {
                Some("ComponentCommon" | "CatalogComponentCommon") => {}
                Some("Checkable") => component.is_checkable = true,
                Some(_) => {
                    let part = self.local(part, place)?;
                    component.properties.extend(self.properties(part, place)?);
                }
                None => component.properties.extend(self.properties(part, place)?),
            }
        }
        component
            .properties
            .retain(|property| property.name != "component" && property.name != "id");
        if component.docs.is_empty() {
            let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            let described = parts.filter_map(Value::as_object).map(docs);
            component.docs =
                described.into_iter().find(|docs| !docs.is_empty()).unwrap_or_default();
        }
        Ok(component)
    }

    fn function(&self, name: &str, schema: &Value, place: &str) -> Result<Function> {
        let object = self.object(schema, place)?;
        let returns = schema.pointer("/properties/returnType/const").and_then(Value::as_str);
        let Some(returns) = returns else {
            return refuse(place, "a function has to state its return type as a constant");
        };
        let none = Value::Object(Map::new());
        let arguments = schema.pointer("/properties/args").unwrap_or(&none);
        let any_of = arguments.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        let any_of = any_of.filter_map(|one| one.pointer("/required/0")?.as_str());
        Ok(Function {
            name: name.to_owned(),
            docs: docs(object),
            returns: returns.to_owned(),
            arguments: self.properties(arguments, &format!("{place}/properties/args"))?,
            any_of: any_of.map(str::to_owned).collect(),
        })
    }

    fn properties(&self, schema: &Value, place: &str) -> Result<Vec<Property>> {
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut properties = Vec::new();
        let Some(described) = schema.get("properties") else { return Ok(properties) };
        for (name, schema) in self.object(described, place)? {
            let place = format!("{place}/properties/{name}");
            if name == "component" {
                continue;
            }
            properties.push(Property {
                name: name.clone(),
                docs: schema.as_object().map(docs).unwrap_or_default(),
                shape: self.shape(schema, &place)?,
                is_required: required.contains(&name.as_str()),
                default: schema.get("default").cloned(),
            });
        }
        // Documents have no order that readers share; what is required comes first, as named.
        properties.sort_by_key(|property| {
            let position = required.iter().position(|name| *name == property.name);
            (position.unwrap_or(usize::MAX), property.name.clone())
        });
        Ok(properties)
    }

    fn local(&self, schema: &'d Value, place: &str) -> Result<&'d Value> {
        let found = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|name| self.root.pointer(name.strip_prefix('#')?));
        match found {
            Some(found) => Ok(found),
            None => refuse(place, "a reference leads out of the document, or nowhere"),
        }
    }

    fn shape(&self, schema: &Value, place: &str) -> Result<Shape> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return match named(target(reference)) {
                Some(shape) => Ok(shape),
                None => {
                    match reference.strip_prefix('#').and_then(|name| self.root.pointer(name)) {
                        Some(found) if found != schema => self.shape(found, place),
                        _ => refuse(place, format!("`{reference}` is no type that is known here")),
                    }
                }
            };
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            return self.narrowed(parts, place);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(parts)) = schema.get(key) {
                let shapes = parts.iter().map(|part| self.shape(part, place));
                return Ok(Shape::OneOf(shapes.collect::<Result<_>>()?));
            }
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return texts(values, place);
        }
        self.typed(schema, place)
    }

    /// A type that something narrows. The only such form is a date within a dynamic text.
    fn narrowed(&self, parts: &[Value], place: &str) -> Result<Shape> {
        let shapes = parts.iter().filter(|part| part.get("if").is_none());
        let shapes = shapes.map(|part| self.shape(part, place)).collect::<Result<Vec<_>>>()?;
        let narrows = parts.iter().any(|part| part.get("if").is_some());
        match (shapes.as_slice(), narrows) {
            ([Shape::DynamicString], true) => Ok(Shape::DynamicDate),
            ([shape], false) => Ok(shape.clone()),
            _ => refuse(place, "`allOf` with several types has no type here"),
        }
    }

    fn typed(&self, schema: &Value, place: &str) -> Result<Shape> {
        let text = |name: &str| schema.get(name).and_then(Value::as_str).map(str::to_owned);
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => Ok(Shape::Text { format: text("format"), pattern: text("pattern") }),
            Some("number") => Ok(Shape::Number),
            Some("integer") => {
                Ok(Shape::Integer { minimum: schema.get("minimum").and_then(Value::as_i64) })
            }
            Some("boolean") => Ok(Shape::Boolean),
            Some("array") => {
                let item = schema
                    .get("items")
                    .map_or(Ok(Shape::Any), |items| self.shape(items, &format!("{place}/items")))?;
                let minimum = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default();
                Ok(Shape::List { item: Box::new(item), minimum })
            }
            Some("object") if schema.get("properties").is_some() => {
                self.properties(schema, place).map(Shape::Object)
            }
            Some("object") | None => Ok(Shape::Any),
            Some(other) => refuse(place, format!("the type `{other}` has no type here")),
        }
    }
}

fn named(name: &str) -> Option<Shape> {
    Some(match name {
        "ComponentId" => Shape::ComponentId,
        "ChildList" => Shape::ChildList,
        "DynamicString" => Shape::DynamicString,
        "DynamicNumber" => Shape::DynamicNumber,
        "DynamicBoolean" => Shape::DynamicBoolean,
        "DynamicStringList" => Shape::DynamicStringList,
        "DynamicValue" => Shape::DynamicValue,
        "DataBinding" => Shape::DataBinding,
        "Action" => Shape::Action,
        _ => return None,
    })
}

fn texts(values: &[Value], place: &str) -> Result<Shape> {
    let texts: Option<Vec<String>> =
        values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    match texts {
        Some(texts) => Ok(Shape::OneOfTexts(texts)),
        None => refuse(place, "an enumeration has to be of strings"),
    }
}
