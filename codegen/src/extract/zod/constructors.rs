//! `z.name(…)`

use ag_ui_codegen_emit::model::{Array, Integer, Shape, Unknown};
use oxc_ast::ast::{CallExpression, Expression};

use super::{
    LOOSE_OBJECT, OBJECT, Reader, Schema, Scope, arguments, literals, object_schema, only_argument,
    predicates,
};
use crate::extract::error::Error;
use crate::extract::reading::Kind;

/// The integers that a double holds exactly; `z.int()` accepts no others.
const SAFE: i64 = (1 << 53) - 1;

impl<'m, 'a> Reader<'m, 'a> {
    pub(super) fn construct(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
        name: &str,
    ) -> Result<Schema, Error> {
        let scalar = |name, shape| match call.arguments.as_slice() {
            [] => Ok(Schema::shape(shape)),
            _ => Err(argument(scope, call, name, "no argument")),
        };
        match name {
            "string" => scalar("z.string", Shape::String),
            "boolean" => scalar("z.boolean", Shape::Boolean),
            "number" => scalar("z.number", Shape::Number),
            "int" => scalar("z.int", Shape::Integer(Integer { min: Some(-SAFE), max: Some(SAFE) })),
            "any" => scalar("z.any", Shape::Any),
            "unknown" => scalar("z.unknown", Shape::Any),
            "literal" => self.literal(scope, call),
            "enum" | "nativeEnum" => self.closed_set(scope, call),
            "object" => self.new_object(scope, call, "z.object", OBJECT),
            "looseObject" => self.new_object(scope, call, "z.looseObject", LOOSE_OBJECT),
            "strictObject" => self.new_object(scope, call, "z.strictObject", Unknown::Reject),
            "array" => self.array(scope, call),
            "record" => self.record(scope, call),
            "custom" => custom(scope, call),
            "union" => self.union(scope, call),
            "discriminatedUnion" => match arguments(call).as_deref() {
                Some([Expression::StringLiteral(tag), variants]) => {
                    let variants = literals::elements(variants).ok_or_else(|| {
                        argument(scope, call, "z.discriminatedUnion", "a list of schemas")
                    })?;
                    self.union_of_objects(scope, tag.value.as_str(), &variants)
                }
                _ => Err(argument(scope, call, "z.discriminatedUnion", "a tag and a list")),
            },
            _ => Err(Error::Constructor { at: scope.module.place(call), name: name.into() }),
        }
    }

    fn literal(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let value = only_argument(call).and_then(|value| match value {
            Expression::StringLiteral(literal) => Some(literal.value.to_string()),
            Expression::StaticMemberExpression(member) => {
                let name = member.object.get_identifier_reference()?.name.as_str();
                let (module, _, declaration) = self.enumeration(scope, name)?;
                let members = literals::enum_members(module, declaration).ok()?;
                let wanted = member.property.name.as_str();
                members.into_iter().find_map(|(name, value)| (name == wanted).then_some(value))
            }
            _ => None,
        });
        let wanted = "a string or a member of a declared enum";
        let value = value.ok_or_else(|| argument(scope, call, "z.literal", wanted))?;
        Ok(Schema::shape(Shape::Literal(value)))
    }

    fn closed_set(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let set = only_argument(call)
            .ok_or_else(|| argument(scope, call, "z.enum", "a list of strings or an enum"))?;
        if let Expression::Identifier(name) = set
            && let Some((module, name, declaration)) = self.enumeration(scope, name.name.as_str())
        {
            let members = literals::enum_members(module, declaration)?;
            let kind = Kind::Strings(members.into_iter().map(|(_, value)| value).collect());
            return Ok(Schema { name: Some(name.into()), ..Schema::new(kind) });
        }
        let members = literals::strings(set)
            .ok_or_else(|| argument(scope, call, "z.enum", "a list of strings or an enum"))?;
        Ok(Schema::new(Kind::Strings(members)))
    }

    fn new_object(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
        name: &'static str,
        unknown: Unknown,
    ) -> Result<Schema, Error> {
        let fields =
            only_argument(call).ok_or_else(|| argument(scope, call, name, "an object literal"))?;
        Ok(object_schema(self.object(scope, name, fields, unknown)?))
    }

    fn array(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let element = only_argument(call)
            .ok_or_else(|| argument(scope, call, "z.array", "the schema of an element"))?;
        let schema = self.schema(scope, element)?;
        let items = Box::new(self.used(scope, element, schema)?);
        Ok(Schema::shape(Shape::Array(Array { items, min_items: 0 })))
    }

    fn record(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let wanted = "string keys and values of any kind";
        let values = match arguments(call).as_deref() {
            Some([values]) => *values,
            Some([keys, values]) => match self.schema(scope, keys)?.kind {
                Kind::Alias(Shape::String) => *values,
                _ => return Err(argument(scope, call, "z.record", wanted)),
            },
            _ => return Err(argument(scope, call, "z.record", wanted)),
        };
        match self.schema(scope, values)?.kind {
            Kind::Alias(Shape::Any) => Ok(Schema::shape(Shape::Map)),
            _ => Err(argument(scope, call, "z.record", wanted)),
        }
    }

    fn union(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let choices = only_argument(call)
            .and_then(literals::elements)
            .ok_or_else(|| argument(scope, call, "z.union", "a list of schemas"))?;
        let mut shapes = Vec::new();
        for choice in choices {
            let schema = self.schema(scope, choice)?;
            shapes.push(self.used(scope, choice, schema)?);
        }
        let literals: Option<Vec<String>> = shapes
            .iter()
            .map(|shape| match shape {
                Shape::Literal(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if let Some(members) = literals {
            return Ok(Schema::new(Kind::Strings(members)));
        }
        let clash = shapes.iter().enumerate().any(|(index, shape)| {
            shapes[index + 1..].iter().any(|other| self.overlap(shape, other))
        });
        if clash {
            return Err(Error::Ambiguous { at: scope.module.place(call) });
        }
        Ok(Schema::shape(Shape::OneOf(shapes)))
    }
}

/// `z.custom<Record<string, any>>(isObject)`
fn custom<'a>(scope: Scope<'_, 'a>, call: &'a CallExpression<'a>) -> Result<Schema, Error> {
    let wanted = "the type `Record<string, any>` and a test";
    let typed = call.type_arguments.as_ref().is_some_and(|arguments| {
        matches!(arguments.params.as_slice(), [only] if predicates::is_open_record(only))
    });
    let test = only_argument(call).filter(|_| typed);
    let test = test.ok_or_else(|| argument(scope, call, "z.custom", wanted))?;
    if predicates::is_object_test(test) {
        return Ok(Schema::shape(Shape::Map));
    }
    Err(Error::Predicate { at: scope.module.place(test), call: "z.custom" })
}

pub(super) fn argument<'a>(
    scope: Scope<'_, 'a>,
    call: &'a CallExpression<'a>,
    name: &'static str,
    wanted: &'static str,
) -> Error {
    let at = match only_argument(call) {
        Some(argument) => scope.module.place(argument),
        None => scope.module.place(call),
    };
    Error::Argument { at, call: name, wanted }
}
