//! Closed sets of strings: text both ways.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{self, Deserializer, Visitor};

use super::excerpt::OneOf;
use super::read::Known;

/// Implemented for each generated set of strings.
pub(crate) trait Names: Sized {
    const NAMES: &'static [&'static str];

    fn find(name: &str) -> Option<Self>;
}

pub(crate) fn decode<'de, T: Names, D: Deserializer<'de>>(
    deserializer: D,
    value: &mut T,
) -> Result<Known, D::Error> {
    *value = deserializer.deserialize_str(NameVisitor(PhantomData))?;
    Ok(Known::Yes)
}

struct NameVisitor<T>(PhantomData<T>);

impl<T: Names> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", OneOf(T::NAMES))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        T::find(name).ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))
    }
}

macro_rules! impl_names {
    ($name:ident, $set:literal) => {
        impl $crate::wire::names::Names for $name {
            const NAMES: &'static [&'static str] = Self::NAMES;

            fn find(name: &str) -> Option<Self> {
                Self::find(name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::error::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::find(name)
                    .ok_or_else(|| $crate::error::UnknownName::new($set, name, Self::NAMES))
            }
        }

        impl<'de> $crate::wire::read::Decode<'de> for $name {
            fn decode<D: serde_core::Deserializer<'de>>(
                deserializer: D,
                _reading: &mut $crate::wire::Reading,
                value: &mut Self,
            ) -> Result<$crate::wire::read::Known, D::Error> {
                $crate::wire::names::decode(deserializer, value)
            }
        }

        impl $crate::wire::read::Blank for $name {
            #[inline]
            fn blank() -> Self {
                Self::ALL[0]
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
                self.as_str().write_json(out);
            }
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

pub(crate) use impl_names;
