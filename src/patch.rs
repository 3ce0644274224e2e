//! JSON Pointers, JSON Patch operations, and their application to a document.

mod apply;

use std::fmt;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::error::JsonPointerError;
use crate::wire::Reading;
use crate::wire::read::{Blank, Decode, Known};
use crate::wire::write::WriteJson;

pub use apply::{COPY_LIMIT, MAX_DEPTH, PatchError, PatchFault, apply};
#[cfg(feature = "client")]
pub(crate) use apply::{CopyBudget, apply_within};

pub use crate::protocol::{
    AddOperation, CopyOperation, JsonPatch, JsonPatchOperation, MoveOperation, RemoveOperation,
    ReplaceOperation, TestOperation,
};

/// A place in a JSON document, as RFC 6901 writes it: empty, or `/` before each token.
///
/// ```
/// use ag_ui::JsonPointer;
///
/// let pointer = JsonPointer::parse("/tasks/0/a~1b")?;
/// assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["tasks", "0", "a/b"]);
/// assert_eq!(JsonPointer::from_tokens(["tasks", "0", "a/b"]), pointer);
/// assert!(JsonPointer::parse("tasks").is_err());
/// # Ok::<(), ag_ui::JsonPointerError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPointer(String);

impl JsonPointer {
    /// The whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Takes a pointer in its text form.
    ///
    /// # Errors
    /// When the text is neither empty nor begins with `/`, or has a `~` that neither 0 nor 1
    /// follows.
    pub fn parse(text: impl Into<String>) -> Result<Self, JsonPointerError> {
        let text = text.into();
        match offence(&text) {
            None => Ok(Self(text)),
            Some(offset) => Err(JsonPointerError { text, offset }),
        }
    }

    /// The pointer through these tokens, escaped as needed.
    #[must_use]
    pub fn from_tokens<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Self {
        tokens.into_iter().fold(Self::root(), |pointer, token| pointer.join(token))
    }

    /// The pointer one token deeper.
    #[must_use]
    pub fn join(mut self, token: impl AsRef<str>) -> Self {
        self.0.push('/');
        for character in token.as_ref().chars() {
            match character {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// The text form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The tokens without their escapes.
    pub fn tokens(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
    }
}

#[cfg(any(feature = "server", feature = "client"))]
impl JsonPointer {
    /// Where deserializing went wrong.
    pub(crate) fn of_path(path: &serde_path_to_error::Path) -> Self {
        use serde_path_to_error::Segment;

        Self::from_tokens(path.iter().filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        }))
    }
}

/// Byte position of the first character that no pointer has there.
fn offence(text: &str) -> Option<usize> {
    if !text.is_empty() && !text.starts_with('/') {
        return Some(0);
    }
    let bytes = text.as_bytes();
    let mut tildes = (0..bytes.len()).filter(|offset| bytes[*offset] == b'~');
    tildes.find(|offset| !matches!(bytes.get(offset + 1), Some(b'0' | b'1')))
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl AsRef<str> for JsonPointer {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for JsonPointer {
    type Err = JsonPointerError;

    fn from_str(text: &str) -> Result<Self, JsonPointerError> {
        Self::parse(text)
    }
}

impl From<JsonPointer> for String {
    fn from(pointer: JsonPointer) -> Self {
        pointer.0
    }
}

impl Serialize for JsonPointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for JsonPointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_string(PointerVisitor)
    }
}

struct PointerVisitor;

impl Visitor<'_> for PointerVisitor {
    type Value = JsonPointer;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON Pointer")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonPointer, E> {
        JsonPointer::parse(text).map_err(E::custom)
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<JsonPointer, E> {
        JsonPointer::parse(text).map_err(E::custom)
    }
}

impl<'de> Decode<'de> for JsonPointer {
    const IS_PLAIN: bool = true;

    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        _reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        *value = Self::deserialize(deserializer)?;
        Ok(Known::Yes)
    }
}

impl Blank for JsonPointer {
    fn blank() -> Self {
        Self::root()
    }
}

impl WriteJson for JsonPointer {
    fn write_json(&self, out: &mut Vec<u8>) {
        self.0.write_json(out);
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for JsonPointer {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonPointer".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        crate::wire::schema::pattern("^(/([^/~]|~[01])*)*$")
    }
}
