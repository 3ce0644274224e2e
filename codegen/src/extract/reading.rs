//! What one release says, before releases are merged.

use ag_ui_codegen_emit::model::{Array, Null, Shape, Unknown};
use serde_json::Value;

use super::place::Place;

/// The types of one upstream release.
#[derive(Debug, Clone)]
pub struct Release {
    /// Package name.
    pub name: String,
    /// Package version.
    pub version: String,
    /// The protocol version it states, if it does.
    pub protocol_version: Option<String>,
    /// The types, in source order.
    pub types: Vec<Type>,
    /// Types that only serve to compose others, once a repair has set them apart.
    pub fragments: Vec<Type>,
}

/// A named type as one release has it.
#[derive(Debug, Clone)]
pub struct Type {
    /// Its name; `Owner.field` while nobody has named it.
    pub name: String,
    /// Names it had before a repair.
    pub formerly: Vec<String>,
    /// Where it is declared.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of named types.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// An object with described fields.
    Object(Object),
    /// A choice between objects.
    Union(Union),
    /// A closed set of strings.
    Strings(Vec<String>),
    /// Another name for a shape.
    Alias(Shape),
}

/// An object with described fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// What becomes of other properties.
    pub unknown: Unknown,
    /// Rules stated in code.
    pub notes: Vec<String>,
    /// The fields in order.
    pub fields: Vec<Field>,
}

/// A field of an object.
#[derive(Debug, Clone)]
pub struct Field {
    /// Name on the wire.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
    /// Whether it may be absent, and what `null` and absence mean.
    pub presence: Presence,
    /// What it holds.
    pub shape: Shape,
}

/// Two fields are the same when they say the same, wherever they stand.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.presence, &self.shape) == (&other.name, &other.presence, &other.shape)
    }
}

/// How a value may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Presence {
    /// Whether it may be absent.
    pub optional: bool,
    /// What `null` means.
    pub null: Null,
    /// What absence means.
    pub default: Option<Value>,
}

impl Presence {
    /// Neither absent nor null.
    pub(crate) const REQUIRED: Self = Self { optional: false, null: Null::Reject, default: None };
}

/// A choice between objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Union {
    /// The field that tells them apart.
    pub tag: String,
    /// The choices in order.
    pub variants: Vec<Variant>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Value of the tag.
    pub value: String,
    /// The object type.
    pub name: String,
}

impl Object {
    pub(crate) fn find(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The type of that name.
pub(crate) fn find<'t>(types: &'t [Type], name: &str) -> Option<&'t Type> {
    types.iter().find(|candidate| candidate.name == name)
}

/// `shape` with every alias replaced by what it stands for.
pub(crate) fn resolve(shape: &Shape, types: &[Type]) -> Shape {
    resolve_within(shape, types, types.len())
}

/// More steps than there are types lead in a circle, which is left as it is.
fn resolve_within(shape: &Shape, types: &[Type], steps: usize) -> Shape {
    match shape {
        Shape::Ref(name) => match (find(types, name).map(|found| &found.kind), steps) {
            (Some(Kind::Alias(target)), 1..) => resolve_within(target, types, steps - 1),
            _ => shape.clone(),
        },
        Shape::Array(array) => {
            let items = Box::new(resolve_within(&array.items, types, steps));
            Shape::Array(Array { items, min_items: array.min_items })
        }
        Shape::OneOf(choices) => Shape::OneOf(
            choices.iter().map(|choice| resolve_within(choice, types, steps)).collect(),
        ),
        _ => shape.clone(),
    }
}

/// Calls `visit` on every type name inside `shape`.
pub(crate) fn each_reference<'s>(shape: &'s mut Shape, visit: &mut dyn FnMut(&'s mut String)) {
    match shape {
        Shape::Ref(name) => visit(name),
        Shape::Array(array) => each_reference(&mut array.items, visit),
        Shape::OneOf(choices) => {
            for choice in choices {
                each_reference(choice, visit);
            }
        }
        _ => {}
    }
}
