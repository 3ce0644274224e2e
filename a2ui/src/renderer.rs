//! What renderers say to agents.

use serde_core::de::{self, Deserialize, Deserializer};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::constants::PROTOCOL_VERSION;
use crate::members::{end, only, optional, required};
use crate::validate::ValidationError;

/// A message from a renderer to an agent.
///
/// ```
/// use ag_ui_a2ui::{RendererMessage, RendererPayload};
///
/// let message: RendererMessage = serde_json::from_str(r#"{
///     "version": "v0.9",
///     "action": {
///         "name": "checkout",
///         "surfaceId": "cart",
///         "sourceComponentId": "buy",
///         "timestamp": "2026-01-01T12:00:00Z",
///         "context": {"cart": 7}
///     }
/// }"#)?;
/// let RendererPayload::Action(action) = message.payload else { panic!("it is an action") };
/// assert_eq!(action.name, "checkout");
/// assert_eq!(action.context["cart"], 7);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RendererMessage {
    /// The version of the protocol that it is written in.
    pub version: String,
    /// What it says.
    pub payload: RendererPayload,
}

/// What a renderer says to an agent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RendererPayload {
    /// Somebody did something on a surface.
    Action(UserAction),
    /// A surface could not be drawn.
    Error(RendererError),
}

/// What somebody did on a surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UserAction {
    /// The name of the event, as the component's action states it.
    pub name: String,
    /// The surface.
    pub surface_id: String,
    /// The component.
    pub source_component_id: String,
    /// When, in ISO 8601.
    pub timestamp: String,
    /// What the component's action sends along, worked out at that moment.
    pub context: Map<String, Value>,
    /// What else a renderer says.
    pub other: Map<String, Value>,
}

/// What kept a renderer from drawing a surface.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RendererError {
    /// What went wrong; [`VALIDATION_FAILED`](Self::VALIDATION_FAILED) where a message was no valid
    /// one.
    pub code: String,
    /// The surface.
    pub surface_id: String,
    /// Where in the message it is, as a JSON Pointer. Always there with `VALIDATION_FAILED`.
    pub path: Option<String>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What else a renderer says. Nothing with `VALIDATION_FAILED`, which is closed.
    pub other: Map<String, Value>,
}

impl RendererMessage {
    /// A message in the version of the protocol that this package speaks.
    #[must_use]
    pub fn new(payload: impl Into<RendererPayload>) -> Self {
        Self { version: PROTOCOL_VERSION.to_owned(), payload: payload.into() }
    }

    /// The surface that it is about.
    #[must_use]
    pub fn surface_id(&self) -> &str {
        match &self.payload {
            RendererPayload::Action(action) => &action.surface_id,
            RendererPayload::Error(error) => &error.surface_id,
        }
    }
}

impl UserAction {
    /// An action with nothing sent along.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        surface_id: impl Into<String>,
        source_component_id: impl Into<String>,
        timestamp: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            surface_id: surface_id.into(),
            source_component_id: source_component_id.into(),
            timestamp: timestamp.into(),
            context: Map::new(),
            other: Map::new(),
        }
    }

    /// Adds a value that is sent along.
    #[must_use]
    pub fn with_context(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.context.insert(name.into(), value.into());
        self
    }
}

impl RendererError {
    /// The code of what is no valid message.
    pub const VALIDATION_FAILED: &str = "VALIDATION_FAILED";

    /// A message was no valid one.
    #[must_use]
    pub fn validation_failed(
        surface_id: impl Into<String>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { path: Some(path.into()), ..Self::new(Self::VALIDATION_FAILED, surface_id, message) }
    }

    /// Anything else went wrong.
    #[must_use]
    pub fn new(
        code: impl Into<String>,
        surface_id: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code: code.into(),
            surface_id: surface_id.into(),
            path: None,
            message: message.into(),
            other: Map::new(),
        }
    }

    /// What a [`Validator`](crate::Validator) found in the components of a message, as a renderer
    /// says it: `components[0].child` becomes `/components/0/child`.
    ///
    /// ```
    /// use ag_ui_a2ui::{Catalog, Component, RendererError, Validator};
    ///
    /// let card = Component::new("root", "Card").with("child", "nowhere");
    /// let report = Validator::new(&Catalog::basic()).validate(&[card]);
    /// let error = RendererError::found("cart", &report.errors[0]);
    /// assert_eq!(error.path.as_deref(), Some("/components/0/child"));
    /// ```
    #[must_use]
    pub fn found(surface_id: impl Into<String>, error: &ValidationError) -> Self {
        Self::validation_failed(surface_id, pointer(&error.path), &error.message)
    }
}

/// `components[0].tabs[1]` as `/components/0/tabs/1`.
fn pointer(path: &str) -> String {
    let mut pointer = String::with_capacity(path.len() + 1);
    for name in path.split(['.', '[']).map(|name| name.trim_end_matches(']')) {
        if !name.is_empty() {
            pointer.push('/');
            pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        }
    }
    pointer
}

impl From<UserAction> for RendererPayload {
    fn from(action: UserAction) -> Self {
        Self::Action(action)
    }
}

impl From<RendererError> for RendererPayload {
    fn from(error: RendererError) -> Self {
        Self::Error(error)
    }
}

impl Serialize for RendererMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("version", &self.version)?;
        match &self.payload {
            RendererPayload::Action(action) => map.serialize_entry("action", action)?,
            RendererPayload::Error(error) => map.serialize_entry("error", error)?,
        }
        map.end()
    }
}

impl Serialize for UserAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("surfaceId", &self.surface_id)?;
        map.serialize_entry("sourceComponentId", &self.source_component_id)?;
        map.serialize_entry("timestamp", &self.timestamp)?;
        map.serialize_entry("context", &self.context)?;
        for (name, value) in &self.other {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for RendererError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code)?;
        map.serialize_entry("surfaceId", &self.surface_id)?;
        if let Some(path) = &self.path {
            map.serialize_entry("path", path)?;
        }
        map.serialize_entry("message", &self.message)?;
        for (name, value) in &self.other {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for RendererMessage {
    /// A message has no other members; actions and errors may have them, but for errors with the code
    /// `VALIDATION_FAILED`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut message = Map::deserialize(deserializer)?;
        let version = required(&mut message, "version")?;
        let (name, body) = only(message, "of `action` and `error`")?;
        let payload = match name.as_str() {
            "action" => RendererPayload::Action(action(body)?),
            "error" => RendererPayload::Error(error(body)?),
            other => return Err(de::Error::unknown_variant(other, &["action", "error"])),
        };
        Ok(Self { version, payload })
    }
}

impl<'de> Deserialize<'de> for UserAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        action(Map::deserialize(deserializer)?)
    }
}

fn action<E: de::Error>(mut body: Map<String, Value>) -> Result<UserAction, E> {
    Ok(UserAction {
        name: required(&mut body, "name")?,
        surface_id: required(&mut body, "surfaceId")?,
        source_component_id: required(&mut body, "sourceComponentId")?,
        timestamp: required(&mut body, "timestamp")?,
        context: required(&mut body, "context")?,
        other: body,
    })
}

fn error<E: de::Error>(mut body: Map<String, Value>) -> Result<RendererError, E> {
    let mut error = RendererError {
        code: required(&mut body, "code")?,
        surface_id: required(&mut body, "surfaceId")?,
        path: None,
        message: required(&mut body, "message")?,
        other: Map::new(),
    };
    if error.code == RendererError::VALIDATION_FAILED {
        error.path = Some(required(&mut body, "path")?);
        end(&body, "error")?;
    } else {
        // Other codes may have a path of any kind; only a text is one to us.
        if body.get("path").is_some_and(Value::is_string) {
            error.path = optional(&mut body, "path")?;
        }
        error.other = body;
    }
    Ok(error)
}
