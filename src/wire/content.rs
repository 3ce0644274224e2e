//! Content that is a string or a list.

use std::fmt;

use serde_core::de::{self, Deserializer, SeqAccess, Visitor};

use super::Reading;
use super::read::{self, Blank, Decode, Known};

/// A type that holds a string or a list.
pub(crate) trait TextOrList {
    type Item;

    fn text(text: String) -> Self;

    fn list(items: Vec<Item<Self::Item>>) -> Self;
}

/// An element of the list, and whether it was read from a retired form.
pub(crate) struct Item<T> {
    pub(crate) value: T,
    pub(crate) is_upgraded: bool,
}

impl<T: Blank> Blank for Item<T> {
    #[inline]
    fn blank() -> Self {
        Self { value: T::blank(), is_upgraded: false }
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Item<T> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        let known = T::decode(deserializer, reading, &mut value.value)?;
        value.is_upgraded = reading.take_upgraded();
        Ok(known)
    }
}

pub(crate) fn decode<'de, T: TextOrList<Item: Decode<'de>>, D: Deserializer<'de>>(
    deserializer: D,
    reading: &mut Reading,
    value: &mut T,
) -> Result<Known, D::Error> {
    deserializer.deserialize_any(ContentVisitor(reading, value))
}

struct ContentVisitor<'r, T>(&'r mut Reading, &'r mut T);

impl<'de, T: TextOrList<Item: Decode<'de>>> Visitor<'de> for ContentVisitor<'_, T> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string or an array of content parts")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Known, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Known, E> {
        *self.1 = T::text(text);
        Ok(Known::Yes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Known, A::Error> {
        let mut items = Vec::new();
        let known = read::list(seq, self.0, &mut items)?;
        *self.1 = T::list(items);
        Ok(known)
    }
}

macro_rules! impl_content {
    ($name:ident, $part:ty) => {
        impl $crate::wire::content::TextOrList for $name {
            type Item = $part;

            fn text(text: String) -> Self {
                Self::Text(text)
            }

            fn list(parts: Vec<$crate::wire::content::Item<$part>>) -> Self {
                Self::Parts($crate::legacy::without_repeats(parts))
            }
        }

        impl $crate::wire::read::Blank for $name {
            #[inline]
            fn blank() -> Self {
                Self::Text(String::new())
            }
        }

        impl<'de> $crate::wire::read::Decode<'de> for $name {
            fn decode<D: serde_core::Deserializer<'de>>(
                deserializer: D,
                reading: &mut $crate::wire::Reading,
                value: &mut Self,
            ) -> Result<$crate::wire::read::Known, D::Error> {
                $crate::wire::content::decode(deserializer, reading, value)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::wire::read::deserialize(deserializer)
            }
        }

        impl $crate::wire::write::WriteJson for $name {
            fn write_json(&self, out: &mut Vec<u8>) {
                match self {
                    Self::Text(text) => text.write_json(out),
                    Self::Parts(parts) => parts.write_json(out),
                }
            }
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                match self {
                    Self::Text(text) => text.serialize(serializer),
                    Self::Parts(parts) => parts.serialize(serializer),
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::Text(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::Text(text)
            }
        }

        impl From<Vec<$part>> for $name {
            fn from(parts: Vec<$part>) -> Self {
                Self::Parts(parts)
            }
        }
    };
}

pub(crate) use impl_content;
