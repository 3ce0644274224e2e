//! Leaving out of schemas what is not needed.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Keeps the components of those names.
pub(super) fn components(catalog: &mut Value, allowed: &[impl AsRef<str>]) {
    let allowed: BTreeSet<&str> = allowed.iter().map(AsRef::as_ref).collect();
    if let Some(Value::Object(components)) = catalog.get_mut("components") {
        components.retain(|name, _| allowed.contains(name.as_str()));
    }
    if let Some(Value::Array(any)) = catalog.pointer_mut("/$defs/anyComponent/oneOf") {
        any.retain(|one| {
            let name = one.get("$ref").and_then(Value::as_str);
            let name = name.and_then(|name| name.strip_prefix("#/components/"));
            name.is_some_and(|name| allowed.contains(name))
        });
    }
}

/// Keeps the messages of those names, and what they need.
pub(super) fn messages(schema: &mut Value, allowed: &[impl AsRef<str>]) {
    let allowed: BTreeSet<&str> = allowed.iter().map(AsRef::as_ref).collect();
    match schema.get_mut("oneOf") {
        Some(Value::Array(one_of)) => {
            one_of.retain(|one| {
                let name = one.get("$ref").and_then(Value::as_str);
                let name = name.and_then(|name| name.strip_prefix("#/$defs/"));
                name.is_some_and(|name| allowed.contains(name))
            });
            let roots = allowed.iter().map(|name| (*name).to_owned()).collect();
            keep_reachable(schema, "$defs", roots);
        }
        // v0.8 has its messages as properties of one object.
        _ => {
            let roots = allowed.iter().map(|name| (*name).to_owned()).collect();
            keep_reachable(schema, "properties", roots);
        }
    }
}

/// Keeps the shared types that the documents name, and those that these need.
pub(super) fn common_types<'v>(types: &mut Value, documents: impl IntoIterator<Item = &'v Value>) {
    let mut roots = BTreeSet::new();
    for document in documents {
        each_reference(document, |reference| {
            if let Some((_, name)) = reference.split_once("common_types.json#/$defs/") {
                roots.insert(name.to_owned());
            }
        });
    }
    keep_reachable(types, "$defs", roots);
}

/// Keeps the members of a section that the roots are, or lead to.
fn keep_reachable(schema: &mut Value, section: &str, roots: BTreeSet<String>) {
    let Some(Value::Object(members)) = schema.get_mut(section) else { return };
    let kept = reachable(members, &format!("#/{section}/"), roots);
    members.retain(|name, _| kept.contains(name));
}

fn reachable(
    members: &Map<String, Value>,
    prefix: &str,
    roots: BTreeSet<String>,
) -> BTreeSet<String> {
    let mut pending: Vec<String> = roots.into_iter().collect();
    let mut kept = BTreeSet::new();
    while let Some(name) = pending.pop() {
        if let Some(member) = members.get(&name)
            && kept.insert(name)
        {
            each_reference(member, |reference| {
                pending.extend(reference.strip_prefix(prefix).map(str::to_owned));
            });
        }
    }
    kept
}

fn each_reference(schema: &Value, mut take: impl FnMut(&str)) {
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        match schema {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    take(reference);
                }
                pending.extend(members.values());
            }
            Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
}
