//! Objects: their entries, one by one.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::{Decode, Known, Object, Seed};
use crate::error::{AdjustmentKind, DecodeErrorKind};
use crate::wire::reading::{Reading, Segment};

/// Fields seen so far in one object, one bit each; the top bit says that a required field held a
/// value of unrecognised type.
pub(crate) struct Seen(u64);

const UNRECOGNISED: u64 = 1 << 63;

impl Seen {
    /// `tagged` says that the field of index `tag` has been read already.
    #[inline]
    pub(crate) fn new(tagged: bool, tag: u8) -> Self {
        Self(u64::from(tagged) << tag)
    }

    /// Fails when the field of that index was not among the entries.
    #[inline]
    pub(crate) fn require<E: de::Error>(
        &self,
        index: u8,
        name: &'static str,
        reading: &mut Reading,
    ) -> Result<(), E> {
        if self.0 & (1 << index) != 0 { Ok(()) } else { Err(reading.missing(name)) }
    }

    /// Notes a list that was absent and is now empty.
    pub(crate) fn default_list(&self, index: u8, name: &'static str, reading: &mut Reading) {
        if self.0 & (1 << index) == 0 {
            reading.note_field(name, || AdjustmentKind::Defaulted);
        }
    }

    #[inline]
    pub(crate) fn has_unrecognised(&self) -> bool {
        self.0 & UNRECOGNISED != 0
    }
}

/// One entry of an object that is being read.
pub(crate) struct Entry<'a, A> {
    map: &'a mut A,
    reading: &'a mut Reading,
    seen: &'a mut Seen,
    index: u8,
    names: &'static [&'static str],
}

impl<'a, 'de, A: MapAccess<'de>> Entry<'a, A> {
    #[inline(always)]
    pub(crate) fn new<T: Object<'de>>(
        map: &'a mut A,
        reading: &'a mut Reading,
        seen: &'a mut Seen,
        index: u8,
    ) -> Self {
        Self { map, reading, seen, index, names: T::FIELDS }
    }

    #[cold]
    fn name(&self) -> &'static str {
        self.names[usize::from(self.index)]
    }

    #[inline(always)]
    fn once(&mut self) -> Result<(), A::Error> {
        let bit = 1 << self.index;
        if self.seen.0 & bit != 0 {
            return Err(self.reading.duplicate(self.name()));
        }
        self.seen.0 |= bit;
        Ok(())
    }

    #[inline]
    fn value<T: Decode<'de>>(&mut self, value: &mut T) -> Result<Known, A::Error> {
        self.once()?;
        let mark = if T::IS_PLAIN { 0 } else { self.reading.mark() };
        match self.map.next_value_seed(Seed(self.reading, value)) {
            Ok(known) => {
                if !T::IS_PLAIN && self.reading.mark() != mark {
                    self.reading.prefix(mark, self.name());
                }
                Ok(known)
            }
            Err(error) => Err(self.reading.at(self.name(), error)),
        }
    }

    /// A field without which the object is malformed, or a list that absence empties.
    #[inline]
    pub(crate) fn required<T: Decode<'de>>(mut self, value: &mut T) -> Result<(), A::Error> {
        if self.value(value)? == Known::No {
            self.seen.0 |= UNRECOGNISED;
        }
        Ok(())
    }

    /// A field that may be absent but not null.
    #[inline]
    pub(crate) fn optional<T: Decode<'de>>(mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        let mark = self.reading.mark();
        if self.value(slot)? == Known::No {
            *slot = None;
            self.leave_out(mark);
            return Ok(());
        }
        if slot.is_none() {
            return Err(self.refuse_null());
        }
        Ok(())
    }

    /// A field that may be absent, and whose null older producers send for absence.
    #[inline]
    pub(crate) fn nullable<T: Decode<'de>>(mut self, slot: &mut Option<T>) -> Result<(), A::Error> {
        let mark = self.reading.mark();
        if self.value(slot)? == Known::No {
            *slot = None;
            self.leave_out(mark);
            return Ok(());
        }
        if slot.is_none() {
            return self.null();
        }
        Ok(())
    }

    #[cold]
    fn refuse_null(self) -> A::Error {
        let message = "null is no value here, leave the field out";
        let error = self.reading.fail(DecodeErrorKind::Null, message);
        self.reading.at(self.name(), error)
    }

    #[cold]
    fn null(self) -> Result<(), A::Error> {
        if self.reading.is_strict() {
            return Err(self.refuse_null());
        }
        let name = self.name();
        self.reading.note_field(name, || AdjustmentKind::NullOmitted);
        Ok(())
    }

    /// A field that always holds the same string.
    pub(crate) fn literal(mut self, expected: &'static str) -> Result<(), A::Error> {
        self.once()?;
        match self.map.next_value_seed(LiteralSeed(expected)) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.reading.at(self.name(), error)),
        }
    }

    #[cold]
    fn leave_out(self, mark: usize) {
        let tag = self.reading.take_unrecognised().tag;
        self.reading.forget(mark);
        let name = self.name();
        self.reading.note_field(name, || AdjustmentKind::UnknownVariant { tag });
    }
}

/// A key of an object: a described field, or the name of another property where it is wanted.
pub(crate) enum Key {
    Known(u8),
    Unknown(Option<Box<str>>),
}

pub(crate) struct KeySeed<T> {
    keep_name: bool,
    object: PhantomData<T>,
}

impl<'de, T: Object<'de>> KeySeed<T> {
    #[inline]
    pub(crate) fn new(reading: &Reading) -> Self {
        Self { keep_name: T::OPEN || reading.wants_names(), object: PhantomData }
    }
}

impl<'de, T: Object<'de>> DeserializeSeed<'de> for KeySeed<T> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for KeySeed<T> {
    type Value = Key;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field name")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Key, E> {
        Ok(match T::index(name) {
            Some(index) => Key::Known(index),
            None => Key::Unknown(self.keep_name.then(|| name.into())),
        })
    }
}

/// A property that the object does not describe: refused, reported or passed over.
#[cold]
pub(crate) fn unknown<'de, T: Object<'de>, A: MapAccess<'de>>(
    map: &mut A,
    name: Option<Box<str>>,
    reading: &mut Reading,
) -> Result<(), A::Error> {
    if let Some(name) = name {
        if reading.is_strict() {
            return Err(reading.unknown_field(&name, T::FIELDS));
        }
        let segment = Segment::Key(String::from(name).into());
        reading.note(Some(segment), || AdjustmentKind::UnknownField);
    }
    map.next_value::<IgnoredAny>()?;
    Ok(())
}

/// A property of an open object: kept.
pub(crate) fn additional<'de, A: MapAccess<'de>>(
    map: &mut A,
    name: Option<Box<str>>,
    additional: &mut Map<String, Value>,
) -> Result<(), A::Error> {
    let value = map.next_value()?;
    additional.insert(String::from(name.unwrap_or_default()), value);
    Ok(())
}

struct LiteralSeed(&'static str);

impl<'de> DeserializeSeed<'de> for LiteralSeed {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for LiteralSeed {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the string `{}`", self.0)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        if value == self.0 {
            return Ok(());
        }
        Err(E::invalid_value(de::Unexpected::Str(value), &self))
    }
}

/// Reads an object type that stands on its own.
pub(crate) fn object<'de, T: Object<'de>, D: Deserializer<'de>>(
    deserializer: D,
    reading: &mut Reading,
    value: &mut T,
) -> Result<Known, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(reading, value))
}

struct ObjectVisitor<'r, T>(&'r mut Reading, &'r mut T);

impl<'de, T: Object<'de>> Visitor<'de> for ObjectVisitor<'_, T> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(T::EXPECTING)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Known, A::Error> {
        T::read(map, false, self.0, self.1)
    }
}
