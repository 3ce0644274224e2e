//! One-pass reading of objects, unions and lists.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};

use super::buffer::{Buffered, BufferedEntries};
use super::excerpt::{Excerpt, ShortPath};
use super::reading::{Reading, Segment, Unrecognised};
use crate::error::{AdjustmentKind, DecodeErrorKind};

/// Whether a value was read, or its tag is none this build knows.
///
/// The latter travels outwards to the nearest place that may be left out: a list element or an
/// optional field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Yes,
    No,
}

/// A type with a cheap value to start from, which a decoder then fills in place.
///
/// Values are large and mostly empty; filling them where they end up avoids moving them through
/// every level of the decoder.
pub(crate) trait Blank {
    fn blank() -> Self;
}

/// Anything that can be read from the wire.
pub(crate) trait Decode<'de>: Blank {
    /// Whether nothing within such a value can be left out.
    const IS_PLAIN: bool = false;

    /// Fills `value`. After an error, or [`Known::No`], what it holds means nothing.
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error>;
}

/// Implemented by generated code for each object type.
pub(crate) trait Object<'de>: Sized {
    /// Shown in errors, for example `a user message`.
    const EXPECTING: &'static str;
    /// Wire names in the order of the indices that [`Self::index`] gives.
    const FIELDS: &'static [&'static str];
    /// Whether undescribed properties are data.
    const OPEN: bool = false;

    fn index(name: &str) -> Option<u8>;

    /// Reads the entries. `tagged` says that the tag field has been read already.
    fn read<A: MapAccess<'de>>(
        map: A,
        tagged: bool,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, A::Error>;
}

/// Implemented by generated code for each union.
pub(crate) trait Union<'de>: Sized {
    /// Shown in errors, for example `a message`.
    const EXPECTING: &'static str;
    /// Name of the tag field.
    const TAG: &'static str;
    /// Tags in the order of the indices that [`Self::index`] gives.
    const VARIANTS: &'static [&'static str];
    /// Whether this is the union of events, which every stream consists of.
    const IS_EVENT: bool = false;

    fn index(tag: &str) -> Option<u8>;

    /// Whether the current protocol no longer has the variant.
    fn is_retired(index: u8) -> bool;

    fn read<A: MapAccess<'de>>(
        index: u8,
        map: A,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, A::Error>;
}

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

struct Seed<'r, T>(&'r mut Reading, &'r mut T);

impl<'de, T: Decode<'de>> DeserializeSeed<'de> for Seed<'_, T> {
    type Value = Known;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Known, D::Error> {
        T::decode(deserializer, self.0, self.1)
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

/// Reads a union, whichever place its tag has in the object.
#[inline]
pub(crate) fn union<'de, T: Union<'de>, D: Deserializer<'de>>(
    deserializer: D,
    reading: &mut Reading,
    value: &mut T,
) -> Result<Known, D::Error> {
    deserializer.deserialize_map(UnionVisitor(reading, value))
}

struct UnionVisitor<'r, T>(&'r mut Reading, &'r mut T);

impl<'de, T: Union<'de>> Visitor<'de> for UnionVisitor<'_, T> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(T::EXPECTING)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Known, A::Error> {
        let Self(reading, value) = self;
        match map.next_key_seed(FirstKey(T::TAG))? {
            Some(None) => match map.next_value_seed(TagSeed::<T>(PhantomData)) {
                Ok(Tag::Known(index)) => select(index, map, reading, value),
                Ok(Tag::Unknown(tag)) => tag_unknown::<T, A>(&tag, map, reading),
                Err(error) => Err(reading.at(T::TAG, error)),
            },
            Some(Some(first)) => tag_later(first, map, reading, value),
            None => unrecognised::<T, A::Error>(None, reading),
        }
    }
}

#[inline]
fn select<'de, T: Union<'de>, A: MapAccess<'de>>(
    index: u8,
    map: A,
    reading: &mut Reading,
    value: &mut T,
) -> Result<Known, A::Error> {
    if T::IS_EVENT {
        reading.set_event_type(T::VARIANTS[usize::from(index)]);
    }
    if T::is_retired(index) && reading.is_strict() {
        let name = T::VARIANTS[usize::from(index)];
        let message = format!("`{name}` is retired and not part of the current protocol");
        let error = reading.fail(DecodeErrorKind::UnknownVariant, &message);
        return Err(reading.at(T::TAG, error));
    }
    T::read(index, map, reading, value)
}

/// The tag came first and no variant answers to it: the rest of the object is passed over.
#[cold]
fn tag_unknown<'de, T: Union<'de>, A: MapAccess<'de>>(
    tag: &Buffered<'de>,
    mut map: A,
    reading: &mut Reading,
) -> Result<Known, A::Error> {
    let outcome = match tag.as_str() {
        Some(name) => unrecognised::<T, A::Error>(Some(name.to_owned()), reading),
        None => not_a_tag::<T, A::Error>(tag, reading),
    };
    if outcome.is_ok() {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    }
    outcome
}

/// The tag did not come first: the whole object is kept aside until its type is known.
#[cold]
fn tag_later<'de, T: Union<'de>, A: MapAccess<'de>>(
    first: Buffered<'de>,
    mut map: A,
    reading: &mut Reading,
    target: &mut T,
) -> Result<Known, A::Error> {
    let mut entries = vec![(first, map.next_value()?)];
    let mut tag = None;
    while let Some((key, value)) = map.next_entry::<Buffered<'de>, Buffered<'de>>()? {
        if key.as_str() != Some(T::TAG) {
            entries.push((key, value));
        } else if tag.replace(value).is_some() {
            return Err(reading.duplicate(T::TAG));
        }
    }
    let Some(tag) = tag else {
        return unrecognised::<T, A::Error>(None, reading);
    };
    match tag.as_str().map(|tag| (T::index(tag), tag)) {
        Some((Some(index), _)) => {
            select(index, BufferedEntries::<A::Error>::new(entries), reading, target)
        }
        Some((None, tag)) => unrecognised::<T, A::Error>(Some(tag.to_owned()), reading),
        None => not_a_tag::<T, A::Error>(&tag, reading),
    }
}

/// An event needs a type that is known; any other value may be left out, unless the reader is
/// strict.
#[cold]
fn unrecognised<'de, T: Union<'de>, E: de::Error>(
    tag: Option<String>,
    reading: &mut Reading,
) -> Result<Known, E> {
    let tag = match tag {
        Some(tag) => tag,
        None if must_be_known::<T>(reading) => return Err(reading.missing(T::TAG)),
        None => String::new(),
    };
    if T::IS_EVENT {
        let message = format!("unknown event type {}", Excerpt(&tag));
        let error = reading.fail(DecodeErrorKind::UnknownVariant, &message);
        return Err(reading.at(T::TAG, error));
    }
    let known = (0_u8..).zip(T::VARIANTS).filter(|(index, _)| !T::is_retired(*index));
    let known = known.map(|(_, tag)| *tag).collect();
    let unrecognised = Unrecognised { tag, field: T::TAG, known };
    if reading.is_strict() {
        let error = reading.fail(DecodeErrorKind::UnknownVariant, &unrecognised.to_string());
        return Err(reading.at(T::TAG, error));
    }
    reading.set_unrecognised(unrecognised);
    Ok(Known::No)
}

fn must_be_known<'de, T: Union<'de>>(reading: &Reading) -> bool {
    T::IS_EVENT || reading.is_strict()
}

fn not_a_tag<'de, T: Union<'de>, E: de::Error>(
    tag: &Buffered<'de>,
    reading: &mut Reading,
) -> Result<Known, E> {
    if must_be_known::<T>(reading) {
        let error = E::invalid_type(tag.unexpected(), &"a string");
        return Err(reading.at(T::TAG, error));
    }
    unrecognised::<T, E>(None, reading)
}

/// Whether the first key is the tag (`None`), or which other key it is.
struct FirstKey(&'static str);

impl<'de> DeserializeSeed<'de> for FirstKey {
    type Value = Option<Buffered<'de>>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for FirstKey {
    type Value = Option<Buffered<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a field name")
    }

    #[inline]
    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok((name != self.0).then(|| Buffered::String(name.into())))
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok((name != self.0).then(|| Buffered::String(name.to_owned().into())))
    }
}

enum Tag<'de> {
    Known(u8),
    Unknown(Buffered<'de>),
}

struct TagSeed<T>(PhantomData<T>);

impl<'de, T: Union<'de>> DeserializeSeed<'de> for TagSeed<T> {
    type Value = Tag<'de>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tag<'de>, D::Error> {
        let tag = Buffered::deserialize(deserializer)?;
        Ok(match tag.as_str().and_then(T::index) {
            Some(index) => Tag::Known(index),
            None => Tag::Unknown(tag),
        })
    }
}

impl<T> Blank for Vec<T> {
    #[inline]
    fn blank() -> Self {
        Self::new()
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        deserializer.deserialize_seq(ListVisitor(reading, value))
    }
}

struct ListVisitor<'r, T>(&'r mut Reading, &'r mut Vec<T>);

impl<'de, T: Decode<'de>> Visitor<'de> for ListVisitor<'_, T> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Known, A::Error> {
        list(seq, self.0, self.1)
    }
}

/// Reads list elements, leaving out those whose tag no variant answers to.
pub(crate) fn list<'de, T: Decode<'de>, A: SeqAccess<'de>>(
    mut seq: A,
    reading: &mut Reading,
    items: &mut Vec<T>,
) -> Result<Known, A::Error> {
    for index in 0.. {
        let mark = reading.mark();
        let mut item = T::blank();
        match seq.next_element_seed(Seed(reading, &mut item)) {
            Ok(Some(Known::Yes)) => {
                items.push(item);
                if reading.mark() != mark {
                    reading.prefix_index(mark, index);
                }
            }
            Ok(Some(Known::No)) => skip_element(index, mark, reading),
            Ok(None) => break,
            Err(error) => return Err(reading.at_index(index, error)),
        }
    }
    Ok(Known::Yes)
}

#[cold]
fn skip_element(index: usize, mark: usize, reading: &mut Reading) {
    let tag = reading.take_unrecognised().tag;
    reading.forget(mark);
    reading.note(Some(Segment::Index(index)), || AdjustmentKind::UnknownVariant { tag });
}

/// Reads a list that must have at least `min` elements where the reader is strict.
pub(crate) fn at_least<E: de::Error>(
    length: usize,
    min: usize,
    name: &'static str,
    reading: &mut Reading,
) -> Result<(), E> {
    if length >= min || !reading.is_strict() {
        return Ok(());
    }
    let message = format!("list of {length} where at least {min} is required");
    let error = reading.fail(DecodeErrorKind::OutOfRange, &message);
    Err(reading.at(name, error))
}

impl<T> Blank for Option<T> {
    #[inline]
    fn blank() -> Self {
        None
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Option<T> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        deserializer.deserialize_option(OptionVisitor(reading, value))
    }
}

struct OptionVisitor<'r, T>(&'r mut Reading, &'r mut Option<T>);

impl<'de, T: Decode<'de>> Visitor<'de> for OptionVisitor<'_, T> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Known, E> {
        Ok(Known::Yes)
    }

    fn visit_none<E: de::Error>(self) -> Result<Known, E> {
        Ok(Known::Yes)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Known, D::Error> {
        T::decode(deserializer, self.0, self.1.insert(T::blank()))
    }
}

impl<T: Blank> Blank for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Box<T> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        T::decode(deserializer, reading, value)
    }
}

/// Plain deserialization of a generated type: tolerant, with the path in the error.
pub(crate) fn deserialize<'de, T: Decode<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut reading = Reading::new(super::Mode::Tolerant);
    let mut value = T::blank();
    let outcome = T::decode(deserializer, &mut reading, &mut value);
    match finish(outcome, &mut reading) {
        Ok(()) => Ok(value),
        Err(error) => Err(locate(error, &reading)),
    }
}

/// Turns an unrecognised outermost value into the error it is there.
#[inline]
pub(crate) fn finish<E: de::Error>(
    outcome: Result<Known, E>,
    reading: &mut Reading,
) -> Result<(), E> {
    match outcome? {
        Known::Yes => Ok(()),
        Known::No => {
            let message = reading.take_unrecognised().to_string();
            Err(reading.fail(DecodeErrorKind::UnknownVariant, &message))
        }
    }
}

#[cold]
fn locate<E: de::Error>(error: E, reading: &Reading) -> E {
    let path = reading.pointer();
    if path.is_empty() { error } else { E::custom(format_args!("{}: {error}", ShortPath(&path))) }
}
