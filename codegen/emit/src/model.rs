//! The intermediate model: what a protocol says, as plain data.
//!
//! Extraction writes it, people review its diff, the emitter reads it. Nothing in it belongs to
//! the language of the source or of the output. Versions are the version strings of the sources
//! it was read from; `since` names the oldest of them that has an item, `until` the newest one
//! when the current protocol no longer has it.

mod read;

#[cfg(feature = "write")]
use serde::Serialize;
use serde_json::Value;

pub use read::{ReadError, read, read_shape};

/// The layout of the model file that this build reads and writes.
pub const FORMAT: u32 = 1;

/// A whole protocol.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Model {
    /// Layout version of this file, [`FORMAT`].
    pub format: u32,
    /// Short name of the protocol, `ag-ui`.
    pub protocol: String,
    /// The protocol version the model describes, `MAJOR.MINOR`.
    pub protocol_version: String,
    /// Where it was read from, oldest first.
    pub sources: Vec<Source>,
    /// Every named type, in the order of the newest source; retired types follow.
    pub types: Vec<TypeDef>,
}

/// One upstream release, or one overlay, that contributed to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Source {
    /// Package name, or the path of the overlay file.
    pub name: String,
    /// Version as used by `since` and `until`.
    pub version: String,
}

/// A named type.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct TypeDef {
    /// Name in the newest source that has it.
    pub name: String,
    /// Our own sentence about it.
    pub docs: String,
    /// Oldest source version that has it.
    pub since: String,
    /// Newest source version that has it, when it is retired.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub until: Option<String>,
    /// Names it carried in older sources.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Vec::is_empty"))]
    pub formerly: Vec<String>,
    /// What it is.
    pub shape: TypeShape,
}

/// The four kinds of named types.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
#[expect(clippy::exhaustive_enums, reason = "a reader of the model must answer for every kind")]
pub enum TypeShape {
    /// A JSON object with described fields.
    Object(Object),
    /// A choice between objects, told apart by one field.
    Union(Union),
    /// A closed set of strings.
    Strings(Strings),
    /// Another name for a shape.
    Alias(Shape),
}

/// A JSON object with described fields.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Object {
    /// What becomes of a property that is not described.
    pub unknown: Unknown,
    /// What it was in older sources, where it differs from `unknown`.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Vec::is_empty"))]
    pub earlier: Vec<EarlierObject>,
    /// Rules stated in code that no field can carry, by their upstream name.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Vec::is_empty"))]
    pub notes: Vec<String>,
    /// The fields in source order.
    pub fields: Vec<Field>,
}

/// Treatment of undescribed properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
#[expect(clippy::exhaustive_enums, reason = "a reader of the model must answer for every kind")]
pub enum Unknown {
    /// Removed by the reader; invalid for a strict reader.
    Strip,
    /// Part of the data.
    Keep,
    /// Invalid for every reader.
    Reject,
}

/// How an older source treated undescribed properties.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct EarlierObject {
    /// The source version.
    pub version: String,
    /// Its treatment.
    pub unknown: Unknown,
}

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Field {
    /// Name on the wire.
    pub name: String,
    /// Our own sentence about it.
    pub docs: String,
    /// Oldest source version that has it.
    pub since: String,
    /// Newest source version that has it, when it is retired.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub until: Option<String>,
    /// Whether it may be absent.
    pub optional: bool,
    /// What an explicit `null` means.
    pub null: Null,
    /// What absence means, where the source says so.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub default: Option<Value>,
    /// What it holds.
    pub shape: Shape,
    /// Older readings, oldest first, where they differ.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Vec::is_empty"))]
    pub earlier: Vec<EarlierField>,
}

/// How an older source described a field.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct EarlierField {
    /// The source version.
    pub version: String,
    /// Whether it could be absent.
    pub optional: bool,
    /// What `null` meant.
    pub null: Null,
    /// What absence meant.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub default: Option<Value>,
    /// What it held.
    pub shape: Shape,
}

/// What an explicit `null` means in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
#[expect(clippy::exhaustive_enums, reason = "a reader of the model must answer for every kind")]
pub enum Null {
    /// It is malformed.
    Reject,
    /// A tolerant reader takes it for absence, a strict reader refuses it.
    Absent,
    /// It is a value like any other.
    Value,
}

/// A choice between objects.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Union {
    /// The field that tells the variants apart.
    pub tag: String,
    /// The variants in source order; retired ones stand where their source had them.
    pub variants: Vec<Variant>,
}

/// One choice of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Variant {
    /// The value of the tag field.
    pub value: String,
    /// The object type it selects.
    pub name: String,
    /// Oldest source version that has it.
    pub since: String,
    /// Newest source version that has it, when it is retired.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub until: Option<String>,
}

/// A closed set of strings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Strings {
    /// The members in source order.
    pub members: Vec<Member>,
}

/// One member of a closed set of strings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Member {
    /// The string on the wire.
    pub value: String,
    /// Our own sentence about it.
    pub docs: String,
    /// Oldest source version that has it.
    pub since: String,
    /// Newest source version that has it, when it is retired.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub until: Option<String>,
}

/// What a field or an alias holds.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
#[expect(clippy::exhaustive_enums, reason = "a reader of the model must answer for every kind")]
pub enum Shape {
    /// Any string.
    String,
    /// A string that matches a regular expression.
    Pattern(String),
    /// `true` or `false`.
    Boolean,
    /// Any JSON number.
    Number,
    /// A JSON number without a fraction, within bounds.
    Integer(Integer),
    /// Any JSON value; whether `null` counts is the field's business.
    Any,
    /// A JSON object with arbitrary keys.
    Map,
    /// Exactly this string.
    Literal(String),
    /// A list.
    Array(Array),
    /// A named type.
    Ref(String),
    /// One of several shapes that differ in their JSON kind.
    OneOf(Vec<Shape>),
}

/// Bounds of an integer, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Integer {
    /// Smallest value, when bounded.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub min: Option<i64>,
    /// Largest value, when bounded.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "Option::is_none"))]
    pub max: Option<i64>,
}

/// A list.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(rename_all = "camelCase"))]
pub struct Array {
    /// What each element holds.
    pub items: Box<Shape>,
    /// Smallest length, `0` unless stated.
    #[cfg_attr(feature = "write", serde(skip_serializing_if = "is_zero"))]
    pub min_items: u32,
}

#[cfg(feature = "write")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Model {
    /// The type of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&TypeDef> {
        self.types.iter().find(|definition| definition.name == name)
    }
}
