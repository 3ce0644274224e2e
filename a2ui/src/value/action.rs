//! What happens on input, and what input is held to.

use serde_json::{Map, Value, json};

use super::call::{FunctionCall, VoidCall};
use super::dynamic::{DynamicBoolean, DynamicValue};
use super::read::{PropertyError, PropertyValue, serde_by_value};

/// What is done on input.
///
/// ```
/// use ag_ui_a2ui::value::{Action, bind};
/// use serde_json::json;
///
/// let action = Action::event("checkout").context("cart", bind("/id"));
/// assert_eq!(
///     serde_json::to_value(Action::from(action))?,
///     json!({"event": {"name": "checkout", "context": {"cart": {"path": "/id"}}}})
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has these two")]
pub enum Action {
    /// The agent is told.
    Event(EventAction),
    /// The renderer does something, and the agent does not hear of it.
    FunctionCall(FunctionCall),
}

/// An event that the agent is told.
#[derive(Debug, Clone, PartialEq)]
pub struct EventAction {
    name: String,
    context: Option<Map<String, Value>>,
}

impl Action {
    /// Tells the agent of an event.
    pub fn event(name: impl Into<String>) -> EventAction {
        EventAction { name: name.into(), context: None }
    }

    /// Calls a function of the renderer.
    #[must_use]
    pub fn call(call: VoidCall) -> Self {
        Self::FunctionCall(call.into())
    }
}

impl EventAction {
    /// Adds a value that is sent along, worked out at the moment of the input.
    #[must_use]
    pub fn context(mut self, name: impl Into<String>, value: impl Into<DynamicValue>) -> Self {
        self.context.get_or_insert_default().insert(name.into(), value.into().write());
        self
    }

    /// The name of the event.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl From<EventAction> for Action {
    fn from(event: EventAction) -> Self {
        Self::Event(event)
    }
}

impl From<VoidCall> for Action {
    fn from(call: VoidCall) -> Self {
        Self::call(call)
    }
}

impl PropertyValue for Action {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let expected = || PropertyError::expected("an action", value);
        let mut members = value.as_object().ok_or_else(expected)?.iter();
        match (members.next(), members.next()) {
            (Some((name, event)), None) if name == "event" => {
                EventAction::read(event).map(Self::Event).map_err(|error| error.within("event"))
            }
            (Some((name, call)), None) if name == "functionCall" => FunctionCall::read(call)
                .map(Self::FunctionCall)
                .map_err(|error| error.within("functionCall")),
            _ => Err(expected()),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Event(event) => json!({"event": event.write()}),
            Self::FunctionCall(call) => json!({"functionCall": call.write()}),
        }
    }
}

impl PropertyValue for EventAction {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let expected = || PropertyError::expected("an event with a name", value);
        let members = value.as_object().ok_or_else(expected)?;
        let Some(Value::String(name)) = members.get("name") else { return Err(expected()) };
        let context = match members.get("context") {
            None => None,
            Some(Value::Object(context)) => Some(context.clone()),
            Some(other) => {
                return Err(PropertyError::expected("an object", other).within("context"));
            }
        };
        for (name, value) in context.iter().flatten() {
            DynamicValue::read(value).map_err(|error| error.within(name).within("context"))?;
        }
        match members.keys().find(|name| *name != "name" && *name != "context") {
            Some(unknown) => Err(PropertyError::new(format!("an event has no member `{unknown}`"))),
            None => Ok(Self { name: name.clone(), context }),
        }
    }

    fn write(&self) -> Value {
        let mut members = Map::new();
        members.insert("name".to_owned(), self.name.clone().into());
        if let Some(context) = &self.context {
            members.insert("context".to_owned(), context.clone().into());
        }
        Value::Object(members)
    }
}

/// What has to be true of an input, and what is said when it is not.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRule {
    condition: DynamicBoolean,
    message: String,
}

impl CheckRule {
    /// What has to be true, and what is said when it is not.
    #[must_use]
    pub fn new(condition: impl Into<DynamicBoolean>, message: impl Into<String>) -> Self {
        Self { condition: condition.into(), message: message.into() }
    }
}

impl PropertyValue for CheckRule {
    fn read(value: &Value) -> Result<Self, PropertyError> {
        let expected = || PropertyError::expected("a check with `condition` and `message`", value);
        let members = value.as_object().ok_or_else(expected)?;
        match (members.get("condition"), members.get("message"), members.len()) {
            (Some(condition), Some(Value::String(message)), 2) => {
                let condition = DynamicBoolean::read(condition);
                let condition = condition.map_err(|error| error.within("condition"))?;
                Ok(Self { condition, message: message.clone() })
            }
            _ => Err(expected()),
        }
    }

    fn write(&self) -> Value {
        json!({"condition": self.condition.write(), "message": self.message})
    }
}

serde_by_value!(Action, EventAction, CheckRule);
