//! Values that a renderer works out: literals, bindings, and calls of functions.

mod action;
mod call;
mod dynamic;
mod list;
mod number;
mod read;

pub use action::{Action, CheckRule, EventAction};
pub use call::{
    AnyCall, ArrayCall, BooleanCall, FunctionCall, NumberCall, ObjectCall, StringCall, VoidCall,
};
pub use dynamic::{DynamicBoolean, DynamicNumber, DynamicString, DynamicStringList, DynamicValue};
pub use list::{Accessibility, ChildList, ComponentId, Template};
pub use number::Number;
pub use read::{PropertyError, PropertyValue};

use serde_json::{Value, json};

/// A place in the data of a surface.
///
/// ```
/// use ag_ui_a2ui::value::{DynamicString, bind};
///
/// let text: DynamicString = bind("/cart/title").into();
/// assert_eq!(serde_json::to_value(&text)?, serde_json::json!({"path": "/cart/title"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataBinding {
    path: String,
}

/// Binds to a place in the data: a pointer from the root where it begins with `/`, else from the
/// item that a list is at.
#[must_use]
pub fn bind(path: impl Into<String>) -> DataBinding {
    DataBinding { path: path.into() }
}

impl DataBinding {
    /// The pointer.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl PropertyValue for DataBinding {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        match value.as_object() {
            Some(members) if members.len() == 1 => match members.get("path") {
                Some(Value::String(path)) => Ok(bind(path)),
                _ => Err(PropertyError::expected("a binding", value)),
            },
            _ => Err(PropertyError::expected("a binding", value)),
        }
    }

    fn write(&self) -> Value {
        json!({"path": self.path})
    }
}

read::serde_by_value!(DataBinding);
