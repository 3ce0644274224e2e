//! Reading catalog documents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{ComponentSpec, Inner, JsonType, Link, PropertySpec};
use crate::error::CatalogError;

/// References that are followed one after the other. They may lead in a circle.
const REFERENCES: usize = 32;

pub(super) fn read(document: &Value) -> Result<Inner, CatalogError> {
    let root = object(document, "")?;
    let id = match root.get("catalogId") {
        None => None,
        Some(Value::String(id)) => Some(id.clone()),
        Some(_) => return Err(CatalogError::new("/catalogId", "it has to be a string")),
    };
    let mut components = BTreeMap::new();
    if let Some(described) = root.get("components") {
        for (name, schema) in object(described, "/components")? {
            let place = format!("/components/{name}");
            components.insert(name.clone(), component(document, schema, &place)?);
        }
    }
    let has_links = components
        .values()
        .flat_map(|spec: &ComponentSpec| spec.properties.values())
        .any(|property| property.link.is_some());
    Ok(Inner {
        id,
        components,
        functions: functions(root)?,
        has_links,
        cuttable_keys: None,
        document: document.clone(),
    })
}

/// Documents have functions by name, catalogs that travel in capabilities have a list of them.
fn functions(root: &Map<String, Value>) -> Result<BTreeSet<String>, CatalogError> {
    match root.get("functions") {
        None => Ok(BTreeSet::new()),
        Some(Value::Object(functions)) => Ok(functions.keys().cloned().collect()),
        Some(Value::Array(functions)) => Ok(functions
            .iter()
            .filter_map(|function| function.get("name")?.as_str().map(str::to_owned))
            .collect()),
        Some(_) => Err(CatalogError::new("/functions", "it has to be an object or a list")),
    }
}

fn component(root: &Value, schema: &Value, place: &str) -> Result<ComponentSpec, CatalogError> {
    if !schema.is_object() && !schema.is_boolean() {
        return Err(CatalogError::new(place, "the schema of a component has to be an object"));
    }
    let mut spec = ComponentSpec::default();
    gather(root, schema, &mut spec, 0);
    // Every component has these, and they are no properties: an id is no link to itself.
    for name in ["id", "component"] {
        spec.required.remove(name);
        spec.properties.remove(name);
    }
    let names = |key: &str| {
        let names = schema.get(key)?.as_array()?.iter();
        Some(names.filter_map(|name| name.as_str().map(str::to_owned)).collect())
    };
    spec.allowed_parents = names("allowedParents");
    spec.allowed_children = names("allowedChildren");
    Ok(spec)
}

/// Collects properties from a schema and from all that it is made of.
fn gather(root: &Value, schema: &Value, spec: &mut ComponentSpec, followed: usize) {
    let Value::Object(schema) = schema else { return };
    if followed > REFERENCES {
        return;
    }
    if let Some(target) = schema.get("$ref").and_then(|name| local(root, name)) {
        gather(root, target, spec, followed + 1);
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        gather(root, part, spec, followed + 1);
    }
    for (name, property) in
        schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        let property =
            PropertySpec { link: link(root, property, 0), json_type: json_type(root, property, 0) };
        spec.properties.insert(name.clone(), property);
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        spec.required.extend(name.as_str().map(str::to_owned));
    }
}

/// How a property links: by a reference to the type of component ids or of child lists.
fn link(root: &Value, schema: &Value, followed: usize) -> Option<Link> {
    let schema = schema.as_object()?;
    if followed > REFERENCES {
        return None;
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        match name.rsplit('/').next() {
            Some("ComponentId" | "Child") => return Some(Link::One),
            Some("ChildList") => return Some(Link::Many),
            _ => {}
        }
        if let Some(found) = schema.get("$ref").and_then(|name| local(root, name)) {
            let found = link(root, found, followed + 1);
            if found.is_some() {
                return found;
            }
        }
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let parts = schema.get(key).and_then(Value::as_array).into_iter().flatten();
        if let Some(found) = parts.filter_map(|part| link(root, part, followed + 1)).next() {
            return Some(found);
        }
    }
    let items = schema.get("items")?;
    match link(root, items, followed + 1) {
        Some(Link::One) => return Some(Link::Many),
        Some(other) => return Some(other),
        None => {}
    }
    let members = items.get("properties")?.as_object()?.iter();
    let members: BTreeMap<String, Link> = members
        .filter_map(|(name, member)| Some((name.clone(), link(root, member, followed + 1)?)))
        .collect();
    if members.is_empty() { None } else { Some(Link::Items(members)) }
}

/// The one type that a schema says itself. Whatever may be of several types is of none.
fn json_type(root: &Value, schema: &Value, followed: usize) -> Option<JsonType> {
    let schema = schema.as_object()?;
    if followed > REFERENCES {
        return None;
    }
    if let Some(Value::String(name)) = schema.get("type") {
        return JsonType::named(name);
    }
    if let Some(Value::String(name)) = schema.get("$ref") {
        if name.rsplit('/').next() == Some("ComponentId") {
            return Some(JsonType::String);
        }
        let target = schema.get("$ref").and_then(|name| local(root, name))?;
        return json_type(root, target, followed + 1);
    }
    None
}

/// What a reference within the document names.
fn local<'v>(root: &'v Value, name: &Value) -> Option<&'v Value> {
    root.pointer(name.as_str()?.strip_prefix('#')?)
}

fn object<'v>(value: &'v Value, place: &str) -> Result<&'v Map<String, Value>, CatalogError> {
    value.as_object().ok_or_else(|| CatalogError::new(place, "it has to be an object"))
}
