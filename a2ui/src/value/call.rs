//! Calls of functions.

use serde_json::{Map, Value};

use super::action::CheckRule;
use super::read::{PropertyError, PropertyValue, serde_by_value};

/// A call of a function that the renderer has, whatever it gives.
///
/// The functions of a catalog give calls that know what they give: such a call fits wherever that
/// is wanted, and nowhere else.
///
/// ```
/// use ag_ui_a2ui::value::{FunctionCall, bind};
/// use serde_json::json;
///
/// let call = FunctionCall::new("trim").arg("value", &bind("/name"));
/// let value = serde_json::to_value(&call)?;
/// assert_eq!(value, json!({"call": "trim", "args": {"value": {"path": "/name"}}}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    name: String,
    args: Option<Map<String, Value>>,
    return_type: Option<String>,
}

const RETURN_TYPES: [&str; 7] = ["string", "number", "boolean", "array", "object", "any", "void"];

impl FunctionCall {
    /// A call without arguments.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), args: Some(Map::new()), return_type: None }
    }

    /// Sets an argument.
    #[must_use]
    pub fn arg(mut self, name: impl Into<String>, value: &impl PropertyValue) -> Self {
        self.args.get_or_insert_default().insert(name.into(), value.write());
        self
    }

    /// States what the function gives.
    #[must_use]
    pub fn returning(mut self, return_type: impl Into<String>) -> Self {
        self.return_type = Some(return_type.into());
        self
    }

    /// The function.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments.
    pub fn args(&self) -> impl Iterator<Item = (&String, &Value)> + '_ {
        self.args.iter().flatten()
    }

    /// What the call says that the function gives.
    #[must_use]
    pub fn return_type(&self) -> Option<&str> {
        self.return_type.as_deref()
    }

    /// Whether the call can stand where that is wanted: it says so, or says nothing.
    pub(super) fn gives(&self, wanted: &str) -> bool {
        self.return_type.as_deref().is_none_or(|stated| stated == wanted)
    }
}

impl PropertyValue for FunctionCall {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let expected = || PropertyError::expected("a call of a function", value);
        let members = value.as_object().ok_or_else(expected)?;
        let Some(Value::String(name)) = members.get("call") else { return Err(expected()) };
        let args = match members.get("args") {
            None => None,
            Some(Value::Object(args)) => Some(args.clone()),
            Some(other) => {
                return Err(PropertyError::expected("an object of arguments", other).within("args"));
            }
        };
        let return_type = match members.get("returnType") {
            None => None,
            Some(Value::String(name)) if RETURN_TYPES.contains(&name.as_str()) => {
                Some(name.clone())
            }
            Some(other) => {
                return Err(PropertyError::expected("a return type", other).within("returnType"));
            }
        };
        let known = ["call", "args", "returnType"];
        match members.keys().find(|name| !known.contains(&name.as_str())) {
            Some(unknown) => Err(PropertyError::new(format!("a call has no member `{unknown}`"))),
            None => Ok(Self { name: name.clone(), args, return_type }),
        }
    }

    fn write(&self) -> Value {
        let mut members = Map::new();
        members.insert("call".to_owned(), self.name.clone().into());
        if let Some(args) = &self.args {
            members.insert("args".to_owned(), args.clone().into());
        }
        if let Some(return_type) = &self.return_type {
            members.insert("returnType".to_owned(), return_type.clone().into());
        }
        Value::Object(members)
    }
}

serde_by_value!(FunctionCall);

macro_rules! calls {
    ($($(#[$docs:meta])* $name:ident;)*) => {$(
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(pub(super) FunctionCall);

        impl $name {
            /// Takes a call on trust: that its function gives this is for the caller to know.
            #[must_use]
            pub fn trusted(call: FunctionCall) -> Self {
                Self(call)
            }

            /// The call itself.
            #[must_use]
            pub fn into_call(self) -> FunctionCall {
                self.0
            }
        }

        impl PropertyValue for $name {
            fn read(value: &Value) -> Result<Self, PropertyError> {
                FunctionCall::read(value).map(Self)
            }

            fn write(&self) -> Value {
                self.0.write()
            }
        }

        impl From<$name> for FunctionCall {
            fn from(call: $name) -> Self {
                call.0
            }
        }
    )*};
}

calls! {
    /// A call that gives a text.
    StringCall;
    /// A call that gives a number.
    NumberCall;
    /// A call that gives true or false.
    BooleanCall;
    /// A call that gives a list.
    ArrayCall;
    /// A call that gives an object.
    ObjectCall;
    /// A call that may give anything.
    AnyCall;
    /// A call that does something and gives nothing.
    VoidCall;
}

impl BooleanCall {
    /// A check that this is true, and what is said when it is not.
    #[must_use]
    pub fn message(self, message: impl Into<String>) -> CheckRule {
        CheckRule::new(self, message)
    }
}
