//! JSON text of protocol values.

use crate::decode::Wire;

/// Writes the JSON text of a protocol value at the end of a buffer.
///
/// Absent optional fields are left out, nulls that are data are kept, and the discriminator comes
/// first. The text is one line.
///
/// ```
/// let mut buffer = Vec::new();
/// ag_ui::encode::json_into(&ag_ui::Event::step_started("plan"), &mut buffer);
/// assert_eq!(buffer, br#"{"type":"STEP_STARTED","stepName":"plan"}"#);
/// ```
pub fn json_into<T: Wire>(value: &T, buffer: &mut Vec<u8>) {
    value.write_json(buffer);
}

/// The JSON text of a protocol value, as [`json_into`] writes it.
#[must_use]
pub fn to_json<T: Wire>(value: &T) -> String {
    let mut buffer = Vec::with_capacity(128);
    value.write_json(&mut buffer);
    into_string(buffer)
}

/// The text that was written; all of it came from strings, so nothing is replaced here.
pub(super) fn into_string(buffer: Vec<u8>) -> String {
    String::from_utf8(buffer)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
