//! Comparing a value with its published form while it is serialized.
//!
//! Nothing is built for what is alike. Where the two are of different shape, the part in question is
//! built and compared as JSON.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_core::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Map, Value};

use super::diff;
use crate::JsonPointer;
use crate::patch::{AddOperation, JsonPatch, RemoveOperation};
use crate::server::tracked::{CHANGES, COLLECTION, Seen, ask};

/// What a comparison found.
pub(super) struct Differ<'a> {
    path: Vec<Token<'a>>,
    pub(super) patch: JsonPatch,
    /// Lists that were compared, where they stand.
    pub(super) seen: Vec<(String, Seen)>,
    known: &'a BTreeMap<String, Seen>,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Key(&'a str),
    Index(usize),
}

/// Why a comparison stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// The value has no JSON form.
    Serialization(serde_json::Error),
    /// The value is of another shape.
    Shape,
}

impl Display for Stop {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Serialization(error) => error.fmt(formatter),
            Self::Shape => formatter.write_str("of another shape"),
        }
    }
}

impl std::error::Error for Stop {}

impl serde_core::ser::Error for Stop {
    fn custom<T: Display>(message: T) -> Self {
        Self::Serialization(serde_json::Error::custom(message))
    }
}

type Compared = Result<(), Stop>;

impl<'a> Differ<'a> {
    pub(super) fn new(known: &'a BTreeMap<String, Seen>) -> Self {
        Self { path: Vec::new(), patch: JsonPatch::new(), seen: Vec::new(), known }
    }

    /// Compares a value with the one at the current path.
    pub(super) fn compare<T: Serialize + ?Sized>(
        &mut self,
        old: &'a Value,
        new: &T,
    ) -> Result<(), serde_json::Error> {
        let (depth, edits, seen) = (self.path.len(), self.patch.len(), self.seen.len());
        match new.serialize(At { differ: self, old }) {
            Ok(()) => Ok(()),
            Err(Stop::Serialization(error)) => Err(error),
            Err(Stop::Shape) => {
                self.path.truncate(depth);
                self.patch.truncate(edits);
                self.seen.truncate(seen);
                let new = serde_json::to_value(new)?;
                diff::diff_at(&self.pointer(), old, &new, &mut self.patch);
                Ok(())
            }
        }
    }

    fn compare_at<T: Serialize + ?Sized>(
        &mut self,
        token: Token<'a>,
        old: &'a Value,
        new: &T,
    ) -> Compared {
        self.path.push(token);
        self.compare(old, new).map_err(Stop::Serialization)?;
        self.path.pop();
        Ok(())
    }

    fn add<T: Serialize + ?Sized>(&mut self, token: &str, new: &T) -> Compared {
        let value = serde_json::to_value(new).map_err(Stop::Serialization)?;
        self.patch.push(AddOperation::new(self.pointer().join(token), value).into());
        Ok(())
    }

    fn pointer(&self) -> JsonPointer {
        let mut pointer = JsonPointer::root();
        for token in &self.path {
            pointer = match token {
                Token::Key(key) => pointer.join(key),
                Token::Index(index) => pointer.join(index.to_string()),
            };
        }
        pointer
    }
}

/// A place in the published value, as a serializer of what stands there now.
struct At<'d, 'a> {
    differ: &'d mut Differ<'a>,
    old: &'a Value,
}

impl<'d, 'a> At<'d, 'a> {
    fn leaf(self, is_alike: bool) -> Compared {
        if is_alike { Ok(()) } else { Err(Stop::Shape) }
    }

    fn list(self, position: Position) -> Result<List<'d, 'a>, Stop> {
        let Self { differ, old } = self;
        let Value::Array(old) = old else { return Err(Stop::Shape) };
        let edits = differ.patch.len();
        Ok(List { differ, old, next: 0, shifts_from: 0, edits, position })
    }

    fn fields(self) -> Result<Fields<'d, 'a>, Stop> {
        let Self { differ, old } = self;
        let Value::Object(old) = old else { return Err(Stop::Shape) };
        Ok(Fields { differ, old, alike: 0, key: None, inside: false })
    }

    /// The content of an enum's variant, which is the one field of an object.
    fn variant(self, variant: &str) -> Result<Self, Stop> {
        let Self { differ, old } = self;
        let Value::Object(fields) = old else { return Err(Stop::Shape) };
        let (Some((key, old)), 1) = (fields.iter().next(), fields.len()) else {
            return Err(Stop::Shape);
        };
        if key != variant {
            return Err(Stop::Shape);
        }
        differ.path.push(Token::Key(key));
        Ok(Self { differ, old })
    }
}

macro_rules! leaves {
    ($($method:ident: $type:ty,)*) => {$(
        #[expect(clippy::cmp_owned, reason = "compared as it is, 1 is 1.0")]
        fn $method(self, new: $type) -> Compared {
            let is_alike = *self.old == Value::from(new);
            self.leaf(is_alike)
        }
    )*};
}

impl<'d, 'a> Serializer for At<'d, 'a> {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = List<'d, 'a>;
    type SerializeTuple = List<'d, 'a>;
    type SerializeTupleStruct = List<'d, 'a>;
    type SerializeTupleVariant = List<'d, 'a>;
    type SerializeMap = Fields<'d, 'a>;
    type SerializeStruct = Fields<'d, 'a>;
    type SerializeStructVariant = Fields<'d, 'a>;

    leaves! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
    }

    fn serialize_str(self, new: &str) -> Compared {
        let is_alike = self.old.as_str() == Some(new);
        self.leaf(is_alike)
    }

    fn serialize_char(self, new: char) -> Compared {
        self.serialize_str(new.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, _new: &[u8]) -> Compared {
        Err(Stop::Shape)
    }

    fn serialize_i128(self, _new: i128) -> Compared {
        Err(Stop::Shape)
    }

    fn serialize_u128(self, _new: u128) -> Compared {
        Err(Stop::Shape)
    }

    fn serialize_none(self) -> Compared {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, new: &T) -> Compared {
        new.serialize(self)
    }

    fn serialize_unit(self) -> Compared {
        let is_alike = self.old.is_null();
        self.leaf(is_alike)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Compared {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Compared {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        new: &T,
    ) -> Compared {
        if name != COLLECTION {
            return new.serialize(self);
        }
        let known = self.differ.known;
        let known = if known.is_empty() { None } else { known.get(self.differ.pointer().as_str()) };
        ask(known.copied(), || new.serialize(self))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        new: &T,
    ) -> Compared {
        let At { differ, old } = self.variant(variant)?;
        differ.compare(old, new).map_err(Stop::Serialization)?;
        differ.path.pop();
        Ok(())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<List<'d, 'a>, Stop> {
        self.list(Position::Plain)
    }

    fn serialize_tuple(self, _length: usize) -> Result<List<'d, 'a>, Stop> {
        self.list(Position::Plain)
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _length: usize,
    ) -> Result<List<'d, 'a>, Stop> {
        self.list(if name == CHANGES { Position::Id } else { Position::Plain })
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<List<'d, 'a>, Stop> {
        self.variant(variant)?.list(Position::InVariant)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Fields<'d, 'a>, Stop> {
        self.fields()
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Fields<'d, 'a>, Stop> {
        self.fields()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Fields<'d, 'a>, Stop> {
        let mut fields = self.variant(variant)?.fields()?;
        fields.inside = true;
        Ok(fields)
    }
}

/// A list that is compared item by item.
struct List<'d, 'a> {
    differ: &'d mut Differ<'a>,
    old: &'a [Value],
    next: usize,
    /// Items before are where they were.
    shifts_from: usize,
    /// Edits when the items that may have been shifted began.
    edits: usize,
    position: Position,
}

/// What comes next in a list: its items, or what a tracked list says of its changes.
#[derive(Clone, Copy)]
enum Position {
    Plain,
    InVariant,
    Id,
    Version { id: u64 },
    From { seen: Seen },
    Count { seen: Seen, from: usize },
    Index { seen: Seen, from: usize, left: usize },
    Item { seen: Seen, from: usize, left: usize, index: usize },
    Rest { seen: Seen },
}

impl List<'_, '_> {
    fn item<T: Serialize + ?Sized>(&mut self, new: &T) -> Compared {
        let index = self.next;
        self.next += 1;
        match self.old.get(index) {
            Some(old) => self.differ.compare_at(Token::Index(index), old, new),
            None => self.differ.add(&index.to_string(), new),
        }
    }

    fn changes<T: Serialize + ?Sized>(&mut self, new: &T) -> Compared {
        self.position = match self.position {
            Position::Plain | Position::InVariant | Position::Rest { .. } => {
                return self.item(new);
            }
            Position::Id => Position::Version { id: number(new)? },
            Position::Version { id } => Position::From { seen: Seen { id, version: number(new)? } },
            Position::From { seen } => Position::Count { seen, from: place(new)? },
            Position::Count { seen, from } => self.index_or_rest(seen, from, place(new)?)?,
            Position::Index { seen, from, left } => {
                Position::Item { seen, from, left, index: place(new)? }
            }
            Position::Item { seen, from, left, index } => {
                let old = self.old.get(index).ok_or(Stop::Shape)?;
                self.differ.compare_at(Token::Index(index), old, new)?;
                self.index_or_rest(seen, from, left - 1)?
            }
        };
        Ok(())
    }

    fn index_or_rest(&mut self, seen: Seen, from: usize, left: usize) -> Result<Position, Stop> {
        if left > 0 {
            return Ok(Position::Index { seen, from, left });
        }
        // Of what is published there cannot be less than what did not change.
        if from > self.old.len() {
            return Err(Stop::Shape);
        }
        self.next = from;
        self.shifts_from = from;
        self.edits = self.differ.patch.len();
        Ok(Position::Rest { seen })
    }

    fn end(self) -> Compared {
        let length = self.next;
        let compared = self.old.len().min(length) - self.shifts_from.min(length);
        let added = length.saturating_sub(self.old.len());
        let edits = self.differ.patch.len().saturating_sub(self.edits + added);
        // When much differs in a list of another length, items have moved: what both ends have in
        // common is found where both lists are at hand.
        if length != self.old.len() && edits > compared / 4 {
            return Err(Stop::Shape);
        }
        for index in (length..self.old.len()).rev() {
            let path = self.differ.pointer().join(index.to_string());
            self.differ.patch.push(RemoveOperation::new(path).into());
        }
        match self.position {
            Position::InVariant => drop(self.differ.path.pop()),
            Position::Rest { seen } => {
                let path = self.differ.pointer().as_str().to_owned();
                self.differ.seen.push((path, seen));
            }
            _ => {}
        }
        Ok(())
    }
}

fn number<T: Serialize + ?Sized>(new: &T) -> Result<u64, Stop> {
    let number = serde_json::to_value(new).map_err(Stop::Serialization)?;
    number.as_u64().ok_or(Stop::Shape)
}

fn place<T: Serialize + ?Sized>(new: &T) -> Result<usize, Stop> {
    usize::try_from(number(new)?).map_err(|_| Stop::Shape)
}

macro_rules! list {
    ($($trait:ident: $method:ident,)*) => {$(
        impl $trait for List<'_, '_> {
            type Ok = ();
            type Error = Stop;

            fn $method<T: Serialize + ?Sized>(&mut self, new: &T) -> Compared {
                self.changes(new)
            }

            fn end(self) -> Compared {
                List::end(self)
            }
        }
    )*};
}

list! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

/// An object that is compared field by field.
struct Fields<'d, 'a> {
    differ: &'d mut Differ<'a>,
    old: &'a Map<String, Value>,
    /// Fields that were there before.
    alike: usize,
    key: Option<String>,
    /// Whether it is the content of a variant.
    inside: bool,
}

impl Fields<'_, '_> {
    fn field<T: Serialize + ?Sized>(&mut self, key: &str, new: &T) -> Compared {
        match self.old.get_key_value(key) {
            Some((key, old)) => {
                self.alike += 1;
                self.differ.compare_at(Token::Key(key), old, new)
            }
            None => self.differ.add(key, new),
        }
    }

    fn end(self) -> Compared {
        // Which fields are gone is found where both objects are at hand.
        if self.alike != self.old.len() {
            return Err(Stop::Shape);
        }
        if self.inside {
            self.differ.path.pop();
        }
        Ok(())
    }
}

macro_rules! fields {
    ($($trait:ident,)*) => {$(
        impl $trait for Fields<'_, '_> {
            type Ok = ();
            type Error = Stop;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                new: &T,
            ) -> Compared {
                self.field(key, new)
            }

            fn end(self) -> Compared {
                Fields::end(self)
            }
        }
    )*};
}

fields! { SerializeStruct, SerializeStructVariant, }

impl SerializeMap for Fields<'_, '_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Compared {
        self.key = Some(key_text(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, new: &T) -> Compared {
        let key = self.key.take().ok_or_else(|| Stop::custom("a map has a value without a key"))?;
        self.field(&key, new)
    }

    fn end(self) -> Compared {
        Fields::end(self)
    }
}

/// The text that stands for a key in JSON, as `serde_json` has it.
fn key_text<T: Serialize + ?Sized>(key: &T) -> Result<String, Stop> {
    struct OneKey<'a, T: ?Sized>(&'a T);

    impl<T: Serialize + ?Sized> Serialize for OneKey<'_, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(self.0, &())?;
            map.end()
        }
    }

    let map = serde_json::to_value(OneKey(key)).map_err(Stop::Serialization)?;
    let Value::Object(map) = map else { return Err(Stop::Shape) };
    map.into_iter().next().map(|(key, _)| key).ok_or(Stop::Shape)
}
