//! One-pass reading: the traits that generated code implements, and where a decoding begins.

mod entries;
mod lists;
mod tagged;

use serde_core::de::{self, DeserializeSeed, Deserializer, MapAccess};

use super::excerpt::ShortPath;
use super::reading::Reading;
use crate::error::DecodeErrorKind;

pub(crate) use entries::{Entry, Key, KeySeed, Seen, additional, object, unknown};
pub(crate) use lists::{at_least, list};
pub(crate) use tagged::union;

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

struct Seed<'r, T>(&'r mut Reading, &'r mut T);

impl<'de, T: Decode<'de>> DeserializeSeed<'de> for Seed<'_, T> {
    type Value = Known;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Known, D::Error> {
        T::decode(deserializer, self.0, self.1)
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
