//! Lists, and values that may be null.

use std::fmt;

use serde_core::de::{self, Deserializer, SeqAccess, Visitor};

use super::{Blank, Decode, Known, Seed};
use crate::error::{AdjustmentKind, DecodeErrorKind};
use crate::wire::reading::{Reading, Segment};

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
