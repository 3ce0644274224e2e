//! What a catalog says, without the forms of JSON Schema.

use serde_json::Value;

/// A catalog.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalog {
    /// The id that surfaces name it by.
    pub id: String,
    /// What it is, in words.
    pub docs: String,
    /// Properties that all components have, beside `id` and `accessibility`.
    pub common: Vec<Property>,
    /// Its components, in the order of the document.
    pub components: Vec<Component>,
    /// Its functions, in the order of the document.
    pub functions: Vec<Function>,
    /// What a theme can set.
    pub theme: Vec<Property>,
}

/// A component.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Component {
    /// The name of its type.
    pub name: String,
    /// What it is, in words.
    pub docs: String,
    /// Its own properties.
    pub properties: Vec<Property>,
    /// Whether it takes checks.
    pub is_checkable: bool,
}

/// A property of a component, an argument of a function, or a setting of a theme.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub docs: String,
    /// What it can hold.
    pub shape: Shape,
    /// Whether it has to be there.
    pub is_required: bool,
    /// What its absence means.
    pub default: Option<Value>,
}

/// What a property can hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// The id of a component: a link.
    ComponentId,
    /// Ids of components, or a template: links.
    ChildList,
    /// A text, a binding, or a call.
    DynamicString,
    /// A text that is a date or a time, a binding, or a call.
    DynamicDate,
    /// A number, a binding, or a call.
    DynamicNumber,
    /// A truth value, a binding, or a call.
    DynamicBoolean,
    /// Texts, a binding, or a call.
    DynamicStringList,
    /// Any value that a renderer works out.
    DynamicValue,
    /// A binding.
    DataBinding,
    /// What is done on input.
    Action,
    /// A text, of a format or a pattern if one is given.
    Text {
        /// The name of a format.
        format: Option<String>,
        /// A regular expression.
        pattern: Option<String>,
    },
    /// A number.
    Number,
    /// A whole number, at least this if one is given.
    Integer {
        /// The least one.
        minimum: Option<i64>,
    },
    /// A truth value.
    Boolean,
    /// One of these texts.
    OneOfTexts(Vec<String>),
    /// Any JSON.
    Any,
    /// A list, with at least so many items.
    List {
        /// What its items are.
        item: Box<Shape>,
        /// The least number of items.
        minimum: u64,
    },
    /// An object with these members and no others.
    Object(Vec<Property>),
    /// One of several.
    OneOf(Vec<Shape>),
}

/// A function that a renderer can call.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it does, in words.
    pub docs: String,
    /// What it gives: `string`, `number`, `boolean`, `array`, `object`, `any` or `void`.
    pub returns: String,
    /// Its arguments.
    pub arguments: Vec<Property>,
    /// Arguments of which at least one has to be there.
    pub any_of: Vec<String>,
}
