//! Objects and unions of objects.

use ag_ui_codegen_emit::model::{Shape, Unknown};
use oxc_ast::ast::{Expression, ObjectProperty, ObjectPropertyKind};
use oxc_span::GetSpan;

use super::{Reader, Schema, Scope, type_name};
use crate::extract::error::Error;
use crate::extract::reading::{Field, Kind, Object, Type, Union, Variant};

impl<'m, 'a> Reader<'m, 'a> {
    /// `{ field: schema, … }`
    pub(super) fn object(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'static str,
        fields: &'a Expression<'a>,
        unknown: Unknown,
    ) -> Result<Object, Error> {
        let wanted = "an object literal with plain keys";
        let Expression::ObjectExpression(literal) = fields else {
            return Err(Error::Argument { at: scope.module.place(fields), call, wanted });
        };
        let mut object = Object { unknown, notes: Vec::new(), fields: Vec::new() };
        for property in &literal.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                return Err(Error::Argument { at: scope.module.place(property), call, wanted });
            };
            let name = plain_key(property).ok_or_else(|| Error::Argument {
                at: scope.module.place(property.as_ref()),
                call,
                wanted,
            })?;
            let field = self.field(scope, name, &property.value)?;
            object.put(field);
        }
        Ok(object)
    }

    fn field(
        &mut self,
        scope: Scope<'m, 'a>,
        name: String,
        value: &'a Expression<'a>,
    ) -> Result<Field, Error> {
        let mut schema = self.schema(scope, value)?;
        let presence = schema.presence.clone();
        if let (None, Kind::Strings(_)) = (&schema.name, &schema.kind) {
            schema.name = Some(self.strings_in_place(scope, &name, value, schema.kind.clone())?);
        }
        let shape = self.used(scope, value, schema)?;
        Ok(Field { name, place: scope.module.place(value), presence, shape })
    }

    /// Declares a set of strings that stands in a field, under the path of that field.
    fn strings_in_place(
        &mut self,
        scope: Scope<'m, 'a>,
        field: &str,
        node: &impl GetSpan,
        kind: Kind,
    ) -> Result<String, Error> {
        let owner = type_name(scope.constant).unwrap_or(scope.constant);
        let name = format!("{owner}.{field}");
        self.declare(scope.module, &name, node, kind)?;
        Ok(name)
    }

    /// `z.discriminatedUnion(tag, [A, B, …])`
    pub(super) fn union_of_objects(
        &mut self,
        scope: Scope<'m, 'a>,
        tag: &str,
        variants: &[&'a Expression<'a>],
    ) -> Result<Schema, Error> {
        let mut union = Union { tag: tag.into(), variants: Vec::new() };
        for variant in variants {
            let schema = self.schema(scope, variant)?;
            let value = tag_value(&schema, tag).ok_or_else(|| Error::Tag {
                at: scope.module.place(*variant),
                variant: schema.name.clone().unwrap_or_else(|| "object".into()),
                tag: tag.into(),
            })?;
            let Some(name) = schema.name else {
                let what = "an object";
                return Err(Error::Nameless { at: scope.module.place(*variant), what });
            };
            union.variants.push(Variant { value, name });
        }
        Ok(Schema::new(Kind::Union(union)))
    }

    /// Records a rule that a union states for one of its variants.
    pub(super) fn note_variant(&mut self, union: &Union, value: &str, note: &str) -> bool {
        let variant = union.variants.iter().find(|variant| variant.value == value);
        if let Some(variant) = variant {
            self.variant_notes.push((variant.name.clone(), note.into()));
        }
        variant.is_some()
    }

    /// Whether values of the two shapes may have the same JSON kind.
    pub(super) fn overlap(&self, one: &Shape, other: &Shape) -> bool {
        match (self.json_kind(one), self.json_kind(other)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    fn json_kind(&self, shape: &Shape) -> Option<&'static str> {
        match shape {
            Shape::String | Shape::Pattern(_) | Shape::Literal(_) => Some("string"),
            Shape::Boolean => Some("boolean"),
            Shape::Number | Shape::Integer(_) => Some("number"),
            Shape::Map => Some("object"),
            Shape::Array(_) => Some("array"),
            Shape::Any | Shape::OneOf(_) => None,
            Shape::Ref(name) => {
                let found: Option<&Type> = crate::extract::reading::find(&self.types, name);
                match &found?.kind {
                    Kind::Object(_) | Kind::Union(_) => Some("object"),
                    Kind::Strings(_) => Some("string"),
                    Kind::Alias(shape) => self.json_kind(shape),
                }
            }
        }
    }
}

/// The one string that a schema allows in its tag field.
fn tag_value(schema: &Schema, tag: &str) -> Option<String> {
    let Kind::Object(object) = &schema.kind else { return None };
    match object.find(tag) {
        Some(Field { shape: Shape::Literal(value), .. }) => Some(value.clone()),
        _ => None,
    }
}

fn plain_key(property: &ObjectProperty<'_>) -> Option<String> {
    if property.computed || property.method {
        return None;
    }
    Some(property.key.static_name()?.into_owned())
}

/// The keys of `{ key: true, … }`.
pub(super) fn selected(mask: &Expression<'_>) -> Option<Vec<String>> {
    let Expression::ObjectExpression(literal) = mask else { return None };
    literal
        .properties
        .iter()
        .map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => match &property.value {
                Expression::BooleanLiteral(value) if value.value => plain_key(property),
                _ => None,
            },
            ObjectPropertyKind::SpreadProperty(_) => None,
        })
        .collect()
}

impl Object {
    /// Adds a field, or replaces the one of that name where it stands.
    pub(super) fn put(&mut self, field: Field) {
        match self.fields.iter_mut().find(|existing| existing.name == field.name) {
            Some(existing) => *existing = field,
            None => self.fields.push(field),
        }
    }
}
