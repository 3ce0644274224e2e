//! Unions: the tag, wherever it stands, decides how the object is read.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor,
};

use super::{Known, Union};
use crate::error::DecodeErrorKind;
use crate::wire::buffer::{Buffered, BufferedEntries};
use crate::wire::excerpt::Excerpt;
use crate::wire::reading::{Reading, Unrecognised};

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
        // A receiver may pass over an event of a newer type, but an empty type is malformed.
        let error = if tag.is_empty() {
            reading.fail(DecodeErrorKind::WrongValue, "the event type is the empty string")
        } else {
            let message = format!("unknown event type {}", Excerpt(&tag));
            reading.fail(DecodeErrorKind::UnknownVariant, &message)
        };
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
