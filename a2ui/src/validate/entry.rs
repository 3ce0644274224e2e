//! Components in the one form that is validated, whatever version they are written in.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::report::{ErrorCode, ValidationReport};
use crate::{Component, WireVersion};

/// A component, borrowed from where it came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) id: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) properties: &'a Map<String, Value>,
    pub(crate) place: Place,
}

/// Where a component came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The message, and the operation in it.
    message: Option<(usize, &'static str)>,
    index: usize,
}

impl Place {
    pub(crate) fn of_list(index: usize) -> Self {
        Self { message: None, index }
    }

    pub(crate) fn of_message(message: usize, operation: &'static str, index: usize) -> Self {
        Self { message: Some((message, operation)), index }
    }

    /// The list that it came in.
    pub(crate) fn list(self) -> String {
        match self.message {
            Some((message, operation)) => format!("messages[{message}].{operation}.components"),
            None => "components".to_owned(),
        }
    }

    pub(crate) fn path(self) -> String {
        format!("{}[{}]", self.list(), self.index)
    }

    pub(crate) fn of_property(self, name: &str) -> String {
        format!("{}.{name}", self.path())
    }
}

impl<'a> Entry<'a> {
    pub(crate) fn of(component: &'a Component, place: Place) -> Self {
        let (id, kind) = (component.id(), component.component());
        Self { id, kind, properties: component.properties(), place }
    }

    /// Reads a component as it is on the wire; one without an id or a type is reported and left
    /// out.
    pub(crate) fn read(
        component: &'a Value,
        place: Place,
        version: WireVersion,
        report: &mut ValidationReport,
    ) -> Option<Self> {
        let Value::Object(members) = component else {
            let message =
                format!("{} is not of type 'object'; write a component", short(component));
            report.error(ErrorCode::TypeMismatch, place.path(), message);
            return None;
        };
        let text = |name: &str| members.get(name)?.as_str().filter(|text| !text.is_empty());
        let id = text("id");
        if id.is_none() {
            let message = "the component has no id; give it one that no other component has";
            report.error(ErrorCode::MissingId, place.of_property("id"), message);
        }
        let shape = match version {
            WireVersion::V0_8 => nested(members),
            _ => text("component").map(|kind| (kind, members)),
        };
        if shape.is_none() {
            let message = "the component has no type; name one of the catalog under `component`";
            report.error(ErrorCode::MissingComponentType, place.of_property("component"), message);
        }
        let (kind, properties) = shape?;
        Some(Self { id: id?, kind, properties, place })
    }
}

/// The form of v0.8: the properties stand under the name of the type.
fn nested(members: &Map<String, Value>) -> Option<(&str, &Map<String, Value>)> {
    let mut kinds = members.get("component")?.as_object()?.iter();
    match (kinds.next(), kinds.next()) {
        (Some((kind, Value::Object(properties))), None) => Some((kind, properties)),
        _ => None,
    }
}

/// Reports ids that occur twice in a list.
pub(crate) fn check_duplicates(entries: &[Entry<'_>], report: &mut ValidationReport) {
    let mut seen = HashSet::with_capacity(entries.len());
    for entry in entries {
        if !seen.insert(entry.id) {
            let message = format!(
                "Duplicate component ID: {}; give each component of the list an id of its own",
                entry.id
            );
            report.error(ErrorCode::DuplicateId, entry.place.of_property("id"), message);
        }
    }
}

/// A value in few characters.
pub(crate) fn short(value: &Value) -> String {
    const SHOWN: usize = 60;
    match value {
        Value::Array(items) => format!("a list of {} items", items.len()),
        Value::Object(fields) => format!("an object of {} members", fields.len()),
        Value::String(text) => {
            let mut shown: String = text.chars().take(SHOWN).collect();
            if text.chars().nth(SHOWN).is_some() {
                shown.push('…');
            }
            format!("'{shown}'")
        }
        scalar => scalar.to_string(),
    }
}
