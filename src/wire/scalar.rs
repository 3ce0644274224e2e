//! Reading of strings, numbers, booleans and opaque JSON.

use std::fmt;

use serde_core::Deserialize;
use serde_core::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::read::{Blank, Decode, Known};
use super::reading::Reading;

macro_rules! decode_with_serde {
    ($($type:ty),*) => {$(
        impl<'de> Decode<'de> for $type {
            const IS_PLAIN: bool = true;

            #[inline]
            fn decode<D: Deserializer<'de>>(
                deserializer: D,
                _reading: &mut Reading,
                value: &mut Self,
            ) -> Result<Known, D::Error> {
                *value = Self::deserialize(deserializer)?;
                Ok(Known::Yes)
            }
        }

        impl Blank for $type {
            #[inline]
            fn blank() -> Self {
                Self::default()
            }
        }
    )*};
}

decode_with_serde!(String, bool, Value);

impl Blank for Map<String, Value> {
    #[inline]
    fn blank() -> Self {
        Self::new()
    }
}

impl<'de> Decode<'de> for Map<String, Value> {
    const IS_PLAIN: bool = true;

    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        _reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        deserializer.deserialize_map(MapVisitor(value))
    }
}

/// Its own, because the map of `serde_json` takes a null for an empty map.
struct MapVisitor<'a>(&'a mut Map<String, Value>);

impl<'de> Visitor<'de> for MapVisitor<'_> {
    type Value = Known;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Known, A::Error> {
        while let Some((key, value)) = entries.next_entry()? {
            self.0.insert(key, value);
        }
        Ok(Known::Yes)
    }
}

impl Blank for i64 {
    fn blank() -> Self {
        0
    }
}

impl Blank for u64 {
    fn blank() -> Self {
        0
    }
}

/// A place for a JSON number without a fraction between `MIN` and `MAX`; `1.0` counts as `1`.
pub(crate) struct Bounded<T, const MIN: i64, const MAX: i64>(pub(crate) T);

impl<T: Blank, const MIN: i64, const MAX: i64> Blank for Bounded<T, MIN, MAX> {
    fn blank() -> Self {
        Self(T::blank())
    }
}

impl<'de, const MIN: i64, const MAX: i64> Decode<'de> for Bounded<i64, MIN, MAX> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        _reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        value.0 = deserializer.deserialize_i64(IntegerVisitor::<MIN, MAX>)?;
        Ok(Known::Yes)
    }
}

impl<'de, const MIN: i64, const MAX: i64> Decode<'de> for Bounded<u64, MIN, MAX> {
    fn decode<D: Deserializer<'de>>(
        deserializer: D,
        _reading: &mut Reading,
        value: &mut Self,
    ) -> Result<Known, D::Error> {
        value.0 = deserializer.deserialize_i64(IntegerVisitor::<MIN, MAX>)?.unsigned_abs();
        Ok(Known::Yes)
    }
}

struct IntegerVisitor<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Visitor<'_> for IntegerVisitor<MIN, MAX> {
    type Value = i64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an integer from {MIN} to {MAX}")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<i64, E> {
        if (MIN..=MAX).contains(&value) {
            return Ok(value);
        }
        Err(E::invalid_value(de::Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<i64, E> {
        match i64::try_from(value) {
            Ok(signed) => self.visit_i64(signed),
            Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(value), &self)),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the value is integral and below 2^53")]
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<i64, E> {
        if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_991.0 {
            return self.visit_i64(value as i64);
        }
        Err(E::invalid_value(de::Unexpected::Float(value), &self))
    }
}
