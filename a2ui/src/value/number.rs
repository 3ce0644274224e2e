//! Numbers as JSON has them.

use serde_json::Value;

use super::read::{PropertyError, PropertyValue, serde_by_value};

/// A number as JSON has it: `1` stays `1`, and `1.0` stays `1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Number(serde_json::Number);

impl Number {
    /// The number as a float.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.0.as_f64().unwrap_or(f64::NAN)
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(number: $integer) -> Self {
                Self(number.into())
            }
        }
    )*};
}
from_integers!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

impl From<f64> for Number {
    /// What JSON cannot write, infinities and what is no number, becomes 0.
    fn from(number: f64) -> Self {
        Self(serde_json::Number::from_f64(number).unwrap_or_else(|| 0.into()))
    }
}

impl From<serde_json::Number> for Number {
    fn from(number: serde_json::Number) -> Self {
        Self(number)
    }
}

impl PropertyValue for Number {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        match value {
            Value::Number(number) => Ok(Self(number.clone())),
            other => Err(PropertyError::expected("a number", other)),
        }
    }

    fn write(&self) -> Value {
        Value::Number(self.0.clone())
    }
}

serde_by_value!(Number);
