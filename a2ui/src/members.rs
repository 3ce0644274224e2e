//! Reading closed objects member by member.

use serde_core::de;
use serde_json::{Map, Value};

/// A member that has to be there.
pub(crate) fn required<T: de::DeserializeOwned, E: de::Error>(
    members: &mut Map<String, Value>,
    name: &'static str,
) -> Result<T, E> {
    optional(members, name)?.ok_or_else(|| E::missing_field(name))
}

/// A member that may be missing.
pub(crate) fn optional<T: de::DeserializeOwned, E: de::Error>(
    members: &mut Map<String, Value>,
    name: &'static str,
) -> Result<Option<T>, E> {
    let Some(value) = members.remove(name) else { return Ok(None) };
    let read = serde_json::from_value(value);
    read.map(Some).map_err(|error| E::custom(format_args!("`{name}`: {error}")))
}

/// The only member that is left, which has to be an object.
pub(crate) fn only<E: de::Error>(
    members: Map<String, Value>,
    what: &str,
) -> Result<(String, Map<String, Value>), E> {
    let mut members = members.into_iter();
    match (members.next(), members.next()) {
        (Some((name, Value::Object(body))), None) => Ok((name, body)),
        (Some((name, _)), None) => Err(E::custom(format_args!("`{name}` is an object"))),
        _ => Err(E::custom(format_args!("a message has `version` and exactly one {what}"))),
    }
}

/// Nothing is left.
pub(crate) fn end<E: de::Error>(members: &Map<String, Value>, owner: &str) -> Result<(), E> {
    match members.keys().next() {
        Some(unknown) => Err(E::custom(format_args!("`{owner}` has no member `{unknown}`"))),
        None => Ok(()),
    }
}
