//! Writing JSON straight into a byte buffer, and the same entries through serde.
//!
//! Generated code describes the entries of an object once, in [`Entries::entries`]; the two
//! sinks of this module turn that description into bytes or into a serde map.

use std::io::Write;

use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Number, Value};

/// The name of a field in both forms a sink may need.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    /// Plain, for serde.
    pub(crate) plain: &'static str,
    /// With comma, quotes and colon: `,"name":`.
    pub(crate) json: &'static str,
}

/// Takes the entries of one object.
pub(crate) trait Sink {
    type Error;

    /// A string that is always the same; the tag of a union is one.
    fn constant(&mut self, name: Name, value: Literal) -> Result<(), Self::Error>;

    fn entry<T: WriteJson + Serialize + ?Sized>(
        &mut self,
        name: Name,
        value: &T,
    ) -> Result<(), Self::Error>;

    /// Entries whose keys are data.
    fn additional(&mut self, entries: &Map<String, Value>) -> Result<(), Self::Error>;

    /// An entry that is left out when there is no value.
    #[inline]
    fn optional<T: WriteJson + Serialize>(
        &mut self,
        name: Name,
        value: &Option<T>,
    ) -> Result<(), Self::Error> {
        match value {
            Some(value) => self.entry(name, value),
            None => Ok(()),
        }
    }

    /// Arbitrary JSON that is left out when there is none, or when it is a null: absence is the
    /// one way to say nothing.
    fn not_null(&mut self, name: Name, value: &Option<Value>) -> Result<(), Self::Error> {
        match value {
            Some(Value::Null) | None => Ok(()),
            Some(value) => self.entry(name, value),
        }
    }
}

/// A constant string, plain and as JSON.
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    pub(crate) plain: &'static str,
    pub(crate) json: &'static str,
}

/// A field name in both forms.
macro_rules! name {
    ($wire:literal) => {
        $crate::wire::write::Name { plain: $wire, json: concat!(",\"", $wire, "\":") }
    };
}

/// A constant string in both forms; it must need no escaping.
macro_rules! literal {
    ($value:literal) => {
        $crate::wire::write::Literal { plain: $value, json: concat!("\"", $value, "\"") }
    };
}

pub(crate) use {literal, name};

/// Implemented by generated code for each object type.
pub(crate) trait Entries {
    fn entries<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// Anything that can be written as JSON text.
pub(crate) trait WriteJson {
    fn write_json(&self, out: &mut Vec<u8>);
}

struct ByteSink<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl ByteSink<'_> {
    #[inline]
    fn name(&mut self, name: Name) {
        let json = name.json.as_bytes();
        self.out.extend_from_slice(if self.first { &json[1..] } else { json });
        self.first = false;
    }
}

impl Sink for ByteSink<'_> {
    type Error = std::convert::Infallible;

    #[inline]
    fn constant(&mut self, name: Name, value: Literal) -> Result<(), Self::Error> {
        self.name(name);
        self.out.extend_from_slice(value.json.as_bytes());
        Ok(())
    }

    #[inline]
    fn entry<T: WriteJson + ?Sized>(&mut self, name: Name, value: &T) -> Result<(), Self::Error> {
        self.name(name);
        value.write_json(self.out);
        Ok(())
    }

    fn additional(&mut self, entries: &Map<String, Value>) -> Result<(), Self::Error> {
        for (key, value) in entries {
            if !self.first {
                self.out.push(b',');
            }
            self.first = false;
            write_string(key, self.out);
            self.out.push(b':');
            value.write_json(self.out);
        }
        Ok(())
    }
}

/// Writes an object from its entries.
#[inline]
pub(crate) fn object<T: Entries>(value: &T, out: &mut Vec<u8>) {
    out.push(b'{');
    let Ok(()) = value.entries(&mut ByteSink { out, first: true });
    out.push(b'}');
}

struct SerdeSink<M>(M);

impl<M: SerializeMap> Sink for SerdeSink<M> {
    type Error = M::Error;

    fn constant(&mut self, name: Name, value: Literal) -> Result<(), M::Error> {
        self.0.serialize_entry(name.plain, value.plain)
    }

    fn entry<T: Serialize + ?Sized>(&mut self, name: Name, value: &T) -> Result<(), M::Error> {
        self.0.serialize_entry(name.plain, value)
    }

    fn additional(&mut self, entries: &Map<String, Value>) -> Result<(), M::Error> {
        entries.iter().try_for_each(|(key, value)| self.0.serialize_entry(key, value))
    }
}

/// Serializes an object from its entries.
pub(crate) fn serialize<T: Entries, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut sink = SerdeSink(serializer.serialize_map(None)?);
    value.entries(&mut sink)?;
    sink.0.end()
}

impl WriteJson for str {
    #[inline]
    fn write_json(&self, out: &mut Vec<u8>) {
        write_string(self, out);
    }
}

impl WriteJson for String {
    #[inline]
    fn write_json(&self, out: &mut Vec<u8>) {
        write_string(self, out);
    }
}

impl WriteJson for bool {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl WriteJson for i64 {
    fn write_json(&self, out: &mut Vec<u8>) {
        display(self, out);
    }
}

impl WriteJson for u64 {
    fn write_json(&self, out: &mut Vec<u8>) {
        display(self, out);
    }
}

impl WriteJson for Number {
    fn write_json(&self, out: &mut Vec<u8>) {
        display(self, out);
    }
}

fn display(value: &impl std::fmt::Display, out: &mut Vec<u8>) {
    let written = write!(out, "{value}");
    debug_assert!(written.is_ok(), "a vector takes every byte");
}

impl<T: WriteJson + ?Sized> WriteJson for Box<T> {
    fn write_json(&self, out: &mut Vec<u8>) {
        (**self).write_json(out);
    }
}

impl<T: WriteJson> WriteJson for Vec<T> {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            item.write_json(out);
        }
        out.push(b']');
    }
}

impl WriteJson for Map<String, Value> {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        let Ok(()) = ByteSink { out, first: true }.additional(self);
        out.push(b'}');
    }
}

impl WriteJson for Value {
    fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(value) => value.write_json(out),
            Self::Number(value) => value.write_json(out),
            Self::String(value) => value.write_json(out),
            Self::Array(value) => value.write_json(out),
            Self::Object(value) => value.write_json(out),
        }
    }
}

/// How many bytes the JSON text of a value has.
#[cfg(feature = "server")]
pub(crate) fn length(value: &impl WriteJson) -> usize {
    let mut text = Vec::new();
    value.write_json(&mut text);
    text.len()
}

/// Writes a JSON string with its quotes.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut rest = bytes;
    while let Some(position) = find_escape(rest) {
        let (plain, escaped) = rest.split_at(position);
        out.extend_from_slice(plain);
        write_escape(escaped[0], out);
        rest = &escaped[1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Position of the first byte that JSON wants escaped, eight bytes at a time.
#[inline]
pub(crate) fn find_escape(bytes: &[u8]) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut offset = 0;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let quote = word ^ (LOW * 0x22);
        let backslash = word ^ (LOW * 0x5C);
        let control = word.wrapping_sub(LOW * 0x20) & !word;
        let hits = ((quote.wrapping_sub(LOW) & !quote)
            | (backslash.wrapping_sub(LOW) & !backslash)
            | control)
            & HIGH;
        if hits != 0 {
            // A borrow may mark bytes above the first hit, never below it.
            return Some(offset + (hits.trailing_zeros() / 8) as usize);
        }
        offset += 8;
    }
    rest.iter().position(|byte| needs_escape(*byte)).map(|index| offset + index)
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[cold]
fn write_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        0x09 => b't',
        0x0A => b'n',
        0x0C => b'f',
        0x0D => b'r',
        _ => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            out.extend_from_slice(b"\\u00");
            out.push(HEX[usize::from(byte >> 4)]);
            out.push(HEX[usize::from(byte & 0x0F)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write_string(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_are_written_as_serde_json_writes_them() {
        for byte in 0..=0x7F_u8 {
            for position in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[position] = byte;
                let text = std::str::from_utf8(&bytes).unwrap();
                assert_eq!(written(text), serde_json::to_string(text).unwrap());
            }
        }
        for text in ["", "ü\u{2028}\u{7f}\"", "\u{1F600}\n\\\\\"\"end", "ÿ\u{0}ÿ\u{1f}ÿ"] {
            assert_eq!(written(text), serde_json::to_string(text).unwrap());
        }
    }

    #[test]
    fn values_are_written_as_serde_json_writes_them() {
        let value = serde_json::json!({
            "a": [null, true, false, -1, 18_446_744_073_709_551_615_u64, 1.0, 1e-7, 1.5e300],
            "b\n": {"": {}, "x": []},
        });
        let mut out = Vec::new();
        value.write_json(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&value).unwrap());
    }
}
