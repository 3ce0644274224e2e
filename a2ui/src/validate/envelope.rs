//! What the wire wants of a message, whatever the catalog.

use serde_json::{Map, Value};

use super::entry::short;
use super::report::{ErrorCode, ValidationReport};
use crate::WireVersion;
use crate::catalog::JsonType;

/// A member of an operation.
struct Member {
    name: &'static str,
    json_type: Option<JsonType>,
    required: bool,
}

const fn required(name: &'static str, json_type: JsonType) -> Member {
    Member { name, json_type: Some(json_type), required: true }
}

const fn optional(name: &'static str, json_type: JsonType) -> Member {
    Member { name, json_type: Some(json_type), required: false }
}

type Operation = (&'static str, &'static [Member]);

const SURFACE: Member = required("surfaceId", JsonType::String);

const CURRENT: [Operation; 4] = [
    (
        "createSurface",
        &[
            SURFACE,
            required("catalogId", JsonType::String),
            optional("theme", JsonType::Object),
            optional("sendDataModel", JsonType::Boolean),
        ],
    ),
    ("updateComponents", &[SURFACE, required("components", JsonType::Array)]),
    (
        "updateDataModel",
        &[
            SURFACE,
            optional("path", JsonType::String),
            Member { name: "value", json_type: None, required: false },
        ],
    ),
    ("deleteSurface", &[SURFACE]),
];

const OF_V0_8: [Operation; 4] = [
    (
        "beginRendering",
        &[
            SURFACE,
            required("root", JsonType::String),
            optional("catalogId", JsonType::String),
            optional("styles", JsonType::Object),
        ],
    ),
    ("surfaceUpdate", &[SURFACE, required("components", JsonType::Array)]),
    (
        "dataModelUpdate",
        &[SURFACE, optional("path", JsonType::String), required("contents", JsonType::Array)],
    ),
    ("deleteSurface", &[SURFACE]),
];

pub(super) fn check(messages: &[Value], version: WireVersion, report: &mut ValidationReport) {
    for (index, message) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        let Value::Object(message) = message else {
            let text = format!("{} is not of type 'object'; write a message", short(message));
            report.error(ErrorCode::TypeMismatch, place, text);
            continue;
        };
        if version != WireVersion::V0_8 {
            check_version(message, version, &place, report);
        }
        let operations = if version == WireVersion::V0_8 { &OF_V0_8 } else { &CURRENT };
        check_operations(message, operations, &place, report);
    }
}

fn check_version(
    message: &Map<String, Value>,
    version: WireVersion,
    place: &str,
    report: &mut ValidationReport,
) {
    let path = format!("{place}.version");
    let wanted = version.spellings();
    match message.get("version") {
        None => {
            let text = format!("the message has no version; add \"version\": \"{}\"", wanted[0]);
            report.error(ErrorCode::MissingField, path, text);
        }
        Some(Value::String(stated)) if wanted.contains(&stated.as_str()) => {}
        Some(Value::String(stated)) => {
            let text = format!("version `{stated}` is not spoken here; write \"{}\"", wanted[0]);
            report.error(ErrorCode::InvalidValue, path, text);
        }
        Some(other) => {
            let text = format!("{} is not of type 'string'; write \"{}\"", short(other), wanted[0]);
            report.error(ErrorCode::TypeMismatch, path, text);
        }
    }
}

fn check_operations(
    message: &Map<String, Value>,
    operations: &[Operation],
    place: &str,
    report: &mut ValidationReport,
) {
    let present: Vec<&Operation> =
        operations.iter().filter(|(name, _)| message.contains_key(*name)).collect();
    let names: Vec<&str> = operations.iter().map(|(name, _)| *name).collect();
    match present.as_slice() {
        [] => {
            let text = format!("the message says nothing; add one of {}", names.join(", "));
            report.error(ErrorCode::MissingField, place.to_owned(), text);
        }
        [_] => {}
        _ => {
            let text = "the message has several operations; send each in a message of its own";
            report.error(ErrorCode::InvalidValue, place.to_owned(), text);
        }
    }
    for name in message.keys().filter(|name| *name != "version" && !names.contains(&name.as_str()))
    {
        let text = format!("a message has no member `{name}`; leave it out");
        report.error(ErrorCode::InvalidValue, format!("{place}.{name}"), text);
    }
    for (name, members) in present {
        let place = format!("{place}.{name}");
        match &message[*name] {
            Value::Object(body) => check_body(body, members, name, &place, report),
            other => {
                let text = format!("{} is not of type 'object'; write what it does", short(other));
                report.error(ErrorCode::TypeMismatch, place, text);
            }
        }
    }
}

fn check_body(
    body: &Map<String, Value>,
    members: &[Member],
    operation: &str,
    place: &str,
    report: &mut ValidationReport,
) {
    for member in members {
        let path = || format!("{place}.{}", member.name);
        match body.get(member.name) {
            None if member.required => {
                let text = format!("{operation} needs `{}`; add it", member.name);
                report.error(ErrorCode::MissingField, path(), text);
            }
            Some(value) if member.json_type.is_some_and(|wanted| !wanted.has(value)) => {
                let wanted = member.json_type.map_or("", JsonType::name);
                let text = format!("{} is not of type '{wanted}'; write that", short(value));
                report.error(ErrorCode::TypeMismatch, path(), text);
            }
            _ => {}
        }
    }
    // Producers exist that put the first components into the message that creates a surface.
    let is_known = |name: &str| {
        members.iter().any(|member| member.name == name)
            || (operation == "createSurface" && name == "components")
    };
    for name in body.keys().filter(|name| !is_known(name)) {
        let text = format!("{operation} has no member `{name}`; leave it out");
        report.error(ErrorCode::InvalidValue, format!("{place}.{name}"), text);
    }
}
