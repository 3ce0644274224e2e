//! What generated types stand on, and what they have in common.
//!
//! The types of the basic catalog are in [`catalog::basic`](crate::catalog::basic). Those of a design
//! system of one's own are emitted by a build script, see the package `ag-ui-codegen-emit`.

#[cfg(feature = "schemars")]
#[doc(hidden)]
pub mod schemas;

pub use serde_json::{Map, Value};

pub use crate::value::{
    Accessibility, Action, AnyCall, ArrayCall, BooleanCall, CheckRule, ChildList, ComponentId,
    DataBinding, DynamicBoolean, DynamicNumber, DynamicString, DynamicStringList, DynamicValue,
    FunctionCall, Number, NumberCall, ObjectCall, PropertyError, PropertyValue, StringCall,
    VoidCall,
};
pub use crate::{Branch, Component, Node};

/// A component with types of its own.
pub trait TypedComponent: Sized {
    /// The name of its type on the wire.
    const NAME: &'static str;

    /// Its id.
    fn id(&self) -> &ComponentId;

    /// The component without its types.
    fn to_component(&self) -> Component;

    /// Reads a component.
    ///
    /// # Errors
    /// When it is of another type, lacks what is required, or has what the type does not have. The
    /// error names the property.
    fn from_component(component: &Component) -> Result<Self, PropertyError>;
}

/// Reads the members of an object, each once, and finds those that nobody has read.
#[derive(Debug)]
pub struct MemberReader<'a> {
    members: &'a Map<String, Value>,
    read: Vec<&'static str>,
}

impl<'a> MemberReader<'a> {
    /// Reads an object.
    ///
    /// # Errors
    /// When the value is none.
    pub fn of_value(value: &'a Value) -> Result<Self, PropertyError> {
        match value {
            Value::Object(members) => Ok(Self { members, read: Vec::new() }),
            other => Err(PropertyError::expected("an object", other)),
        }
    }

    /// Reads the properties of a component.
    ///
    /// # Errors
    /// When the component is of another type.
    pub fn of_component(component: &'a Component, name: &str) -> Result<Self, PropertyError> {
        if component.component() == name {
            return Ok(Self { members: component.properties(), read: Vec::new() });
        }
        let problem = format!("`{}` is a {}, no {name}", component.id(), component.component());
        Err(PropertyError::new(problem))
    }

    /// A member that has to be there.
    ///
    /// # Errors
    /// When it is not, or is something else.
    pub fn required<T: PropertyValue>(&mut self, name: &'static str) -> Result<T, PropertyError> {
        let value = self.optional(name)?;
        value.ok_or_else(|| PropertyError::new("it is required").within(name))
    }

    /// A member that may be missing.
    ///
    /// # Errors
    /// When it is something else.
    pub fn optional<T: PropertyValue>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, PropertyError> {
        self.read.push(name);
        let value = self.members.get(name).map(T::read);
        value.transpose().map_err(|error| error.within(name))
    }

    /// The end: nothing is left.
    ///
    /// # Errors
    /// When a member is there that nobody has read.
    pub fn end(self) -> Result<(), PropertyError> {
        match self.members.keys().find(|name| !self.read.contains(&name.as_str())) {
            Some(unknown) => Err(PropertyError::new("there is no such property").within(unknown)),
            None => Ok(()),
        }
    }
}

/// Writes the members of an object.
#[derive(Debug, Default)]
pub struct MemberWriter(Map<String, Value>);

impl MemberWriter {
    /// No members yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A member that is there.
    pub fn required(&mut self, name: &str, value: &impl PropertyValue) {
        self.0.insert(name.to_owned(), value.write());
    }

    /// A member that may be missing.
    pub fn optional(&mut self, name: &str, value: Option<&impl PropertyValue>) {
        if let Some(value) = value {
            self.required(name, value);
        }
    }

    /// The members.
    #[must_use]
    pub fn into_members(self) -> Map<String, Value> {
        self.0
    }
}

/// The JSON Schema of a generated type; nothing unless the feature `schemars` is on.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ($($tokens:tt)*) => {};
}
