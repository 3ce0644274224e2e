//! Values that are written, bound, or worked out.

use serde_json::Value;

use super::DataBinding;
use super::call::{
    AnyCall, ArrayCall, BooleanCall, FunctionCall, NumberCall, ObjectCall, StringCall,
};
use super::number::Number;
use super::read::{PropertyError, PropertyValue, serde_by_value};

macro_rules! dynamic {
    ($($(#[$docs:meta])* $name:ident($literal:ty), $what:literal, $returns:literal;)*) => {$(
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq)]
        #[expect(clippy::exhaustive_enums, reason = "the protocol has these three")]
        pub enum $name {
            /// As it is.
            Literal($literal),
            /// What the data hold.
            Binding(DataBinding),
            /// What a function gives.
            Call(FunctionCall),
        }

        impl PropertyValue for $name {
            fn read(value: &Value) -> Result<Self, PropertyError> {
                let Value::Object(members) = value else {
                    return <$literal>::read(value)
                        .map(Self::Literal)
                        .map_err(|_| PropertyError::expected($what, value));
                };
                if members.contains_key("call") {
                    let call = FunctionCall::read(value)?;
                    return if call.gives($returns) {
                        Ok(Self::Call(call))
                    } else {
                        Err(PropertyError::expected($what, value))
                    };
                }
                DataBinding::read(value)
                    .map(Self::Binding)
                    .map_err(|_| PropertyError::expected($what, value))
            }

            fn write(&self) -> Value {
                match self {
                    Self::Literal(literal) => literal.write(),
                    Self::Binding(binding) => binding.write(),
                    Self::Call(call) => call.write(),
                }
            }
        }

        serde_by_value!($name);

        impl From<DataBinding> for $name {
            fn from(binding: DataBinding) -> Self {
                Self::Binding(binding)
            }
        }
    )*};
}

dynamic! {
    /// A text, or what becomes one.
    ///
    /// ```compile_fail,E0277
    /// # use ag_ui_a2ui::value::{BooleanCall, DynamicString, FunctionCall};
    /// // What gives true or false is no text.
    /// let text = DynamicString::from(BooleanCall::trusted(FunctionCall::new("isNew")));
    /// ```
    DynamicString(String), "a string, a binding, or a call that gives a string", "string";
    /// A number, or what becomes one.
    DynamicNumber(Number), "a number, a binding, or a call that gives a number", "number";
    /// True or false, or what becomes one of them.
    DynamicBoolean(bool), "true, false, a binding, or a call that gives a boolean", "boolean";
    /// Texts, or what becomes them.
    DynamicStringList(Vec<String>), "a list of strings, a binding, or a call that gives a list", "array";
}

impl From<&str> for DynamicString {
    fn from(text: &str) -> Self {
        Self::Literal(text.to_owned())
    }
}

impl From<String> for DynamicString {
    fn from(text: String) -> Self {
        Self::Literal(text)
    }
}

impl From<StringCall> for DynamicString {
    fn from(call: StringCall) -> Self {
        Self::Call(call.0)
    }
}

macro_rules! from_numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for DynamicNumber {
            fn from(number: $number) -> Self {
                Self::Literal(number.into())
            }
        }
    )*};
}
from_numbers!(i32, i64, u32, u64, usize, f64);

impl From<Number> for DynamicNumber {
    fn from(number: Number) -> Self {
        Self::Literal(number)
    }
}

impl From<NumberCall> for DynamicNumber {
    fn from(call: NumberCall) -> Self {
        Self::Call(call.0)
    }
}

impl From<bool> for DynamicBoolean {
    fn from(literal: bool) -> Self {
        Self::Literal(literal)
    }
}

impl From<BooleanCall> for DynamicBoolean {
    fn from(call: BooleanCall) -> Self {
        Self::Call(call.0)
    }
}

impl<T: Into<String>> From<Vec<T>> for DynamicStringList {
    fn from(texts: Vec<T>) -> Self {
        Self::Literal(texts.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<String>, const N: usize> From<[T; N]> for DynamicStringList {
    fn from(texts: [T; N]) -> Self {
        Self::Literal(texts.into_iter().map(Into::into).collect())
    }
}

impl From<ArrayCall> for DynamicStringList {
    fn from(call: ArrayCall) -> Self {
        Self::Call(call.0)
    }
}

/// Any value that a renderer can work out: text, number, truth value, list, binding or call.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has these three")]
pub enum DynamicValue {
    /// As it is. Objects and null have no place here.
    Literal(Value),
    /// What the data hold.
    Binding(DataBinding),
    /// What a function gives.
    Call(FunctionCall),
}

impl PropertyValue for DynamicValue {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        match value {
            Value::Null => Err(PropertyError::expected("a value", value)),
            Value::Object(members) if members.contains_key("call") => {
                FunctionCall::read(value).map(Self::Call)
            }
            Value::Object(_) => DataBinding::read(value).map(Self::Binding),
            literal => Ok(Self::Literal(literal.clone())),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Literal(literal) => literal.clone(),
            Self::Binding(binding) => binding.write(),
            Self::Call(call) => call.write(),
        }
    }
}

serde_by_value!(DynamicValue);

impl From<DataBinding> for DynamicValue {
    fn from(binding: DataBinding) -> Self {
        Self::Binding(binding)
    }
}

macro_rules! into_values {
    (literals: $($literal:ty),*; calls: $($call:ty),*; dynamic: $($dynamic:ident),*) => {
        $(impl From<$literal> for DynamicValue {
            fn from(literal: $literal) -> Self {
                Self::Literal(literal.into())
            }
        })*
        $(impl From<$call> for DynamicValue {
            fn from(call: $call) -> Self {
                Self::Call(call.into())
            }
        })*
        $(impl From<$dynamic> for DynamicValue {
            fn from(dynamic: $dynamic) -> Self {
                match dynamic {
                    $dynamic::Literal(literal) => Self::Literal(literal.write()),
                    $dynamic::Binding(binding) => Self::Binding(binding),
                    $dynamic::Call(call) => Self::Call(call),
                }
            }
        })*
    };
}

into_values! {
    literals: &str, String, bool, i32, i64, u32, u64, usize, f64, Vec<Value>;
    calls: FunctionCall, StringCall, NumberCall, BooleanCall, ArrayCall, ObjectCall, AnyCall;
    dynamic: DynamicString, DynamicNumber, DynamicBoolean, DynamicStringList
}
