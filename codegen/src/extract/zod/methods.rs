//! `.name(…)` on a schema

use ag_ui_codegen_emit::model::{Integer, Null, Shape, Unknown};
use oxc_ast::ast::{CallExpression, Expression, IdentifierName};

use super::constructors::argument;
use super::predicates::{self, Demand, Rule};
use super::{Reader, Schema, Scope, literals, object, only_argument, type_name};
use crate::extract::error::Error;
use crate::extract::reading::{Kind, Object};

impl<'m, 'a> Reader<'m, 'a> {
    /// Applies one call of a chain to what the chain is so far.
    pub(super) fn apply(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
        method: &'a IdentifierName<'a>,
        receiver: Schema,
    ) -> Result<Schema, Error> {
        let name = method.name.as_str();
        if let Some(schema) = presence(scope, call, name, &receiver)? {
            return Ok(schema);
        }
        // From here on the schema becomes another one, which no longer has the name.
        let kind = match (name, receiver.kind) {
            ("superRefine", kind @ (Kind::Object(_) | Kind::Union(_))) => {
                self.super_refine(scope, call, kind)?
            }
            (_, Kind::Object(object)) => Kind::Object(self.on_object(scope, call, method, object)?),
            (_, Kind::Alias(shape)) => Kind::Alias(on_shape(scope, call, method, shape)?),
            (_, Kind::Union(_)) => return Err(unknown(scope, method, "a union")),
            (_, Kind::Strings(_)) => return Err(unknown(scope, method, "a set of strings")),
        };
        Ok(Schema { kind, presence: receiver.presence, name: None })
    }

    fn on_object(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
        method: &'a IdentifierName<'a>,
        mut object: Object,
    ) -> Result<Object, Error> {
        match method.name.as_str() {
            "strict" => object.unknown = Unknown::Reject,
            "passthrough" | "loose" => object.unknown = Unknown::Keep,
            "strip" => object.unknown = Unknown::Strip,
            "extend" => {
                let added = only_argument(call)
                    .ok_or_else(|| argument(scope, call, ".extend", "an object literal"))?;
                let added = self.object(scope, ".extend", added, object.unknown)?;
                added.fields.into_iter().for_each(|field| object.put(field));
            }
            "merge" => {
                let other = only_argument(call)
                    .ok_or_else(|| argument(scope, call, ".merge", "an object schema"))?;
                let Kind::Object(other) = self.schema(scope, other)?.kind else {
                    return Err(argument(scope, call, ".merge", "an object schema"));
                };
                object.unknown = other.unknown;
                other.fields.into_iter().for_each(|field| object.put(field));
            }
            "omit" => {
                let keys = mask(scope, call, ".omit", &object)?;
                object.fields.retain(|field| !keys.contains(&field.name));
            }
            "pick" => {
                let keys = mask(scope, call, ".pick", &object)?;
                object.fields.retain(|field| keys.contains(&field.name));
            }
            "meta" => {
                let wanted = "`{ specOpen: true }`";
                let meta = only_argument(call).and_then(object::selected);
                if meta.is_none_or(|keys| keys != ["specOpen"]) {
                    return Err(argument(scope, call, ".meta", wanted));
                }
                object.unknown = Unknown::Keep;
            }
            _ => return Err(unknown(scope, method, "an object")),
        }
        Ok(object)
    }

    fn super_refine(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
        mut kind: Kind,
    ) -> Result<Kind, Error> {
        let code = only_argument(call)
            .ok_or_else(|| argument(scope, call, ".superRefine", "a function"))?;
        match (&mut kind, predicates::rule(code)) {
            (Kind::Object(object), Rule::Always(helper)) => object.notes.push(helper.into()),
            (Kind::Object(object), Rule::Inline | Rule::Variant { .. }) => {
                let name = type_name(scope.constant).unwrap_or(scope.constant);
                object.notes.push(name.into());
            }
            (Kind::Union(union), Rule::Variant { tag, value, helper })
                if tag == union.tag && self.note_variant(union, value, helper) => {}
            _ => {
                let wanted = "on a union a helper called for one variant";
                return Err(argument(scope, call, ".superRefine", wanted));
            }
        }
        Ok(kind)
    }
}

/// Calls that change how a value may be missing, and nothing else.
fn presence<'a>(
    scope: Scope<'_, 'a>,
    call: &'a CallExpression<'a>,
    method: &str,
    receiver: &Schema,
) -> Result<Option<Schema>, Error> {
    let mut schema = receiver.clone();
    let presence = &mut schema.presence;
    match method {
        "optional" => presence.optional = true,
        "nullable" => presence.null = Null::Value,
        "nullish" => {
            presence.optional = true;
            presence.null = Null::Value;
        }
        "default" => {
            let value = only_argument(call).and_then(predicates::default_value);
            let wanted = "a JSON value, or a function that returns one";
            let value = value.ok_or_else(|| argument(scope, call, ".default", wanted))?;
            presence.optional = true;
            presence.default = Some(value);
        }
        "transform" => match only_argument(call) {
            Some(code) if predicates::is_null_to_absent(code) => {
                if presence.null == Null::Value {
                    presence.null = Null::Absent;
                }
            }
            _ => return Err(predicate(scope, call, ".transform")),
        },
        "refine" => match only_argument(call).and_then(predicates::demand) {
            Some(Demand::NotNull) => presence.null = Null::Reject,
            Some(Demand::Present) => presence.optional = false,
            None => return Err(predicate(scope, call, ".refine")),
        },
        _ => return Ok(None),
    }
    Ok(Some(schema))
}

fn on_shape<'a>(
    scope: Scope<'_, 'a>,
    call: &'a CallExpression<'a>,
    method: &'a IdentifierName<'a>,
    shape: Shape,
) -> Result<Shape, Error> {
    match (method.name.as_str(), shape) {
        ("int", Shape::Number) => Ok(Shape::Integer(Integer { min: None, max: None })),
        ("nonnegative", Shape::Integer(bounds)) => {
            Ok(Shape::Integer(Integer { min: bounds.min.max(Some(0)), ..bounds }))
        }
        ("min" | "gte", Shape::Integer(bounds)) => {
            let min = bound(scope, call)?;
            Ok(Shape::Integer(Integer { min: bounds.min.max(Some(min)), ..bounds }))
        }
        ("max" | "lte", Shape::Integer(bounds)) => {
            let bound = bound(scope, call)?;
            let max = Some(bounds.max.map_or(bound, |max| max.min(bound)));
            Ok(Shape::Integer(Integer { max, ..bounds }))
        }
        ("min", Shape::Array(mut array)) => {
            let length = u32::try_from(bound(scope, call)?);
            array.min_items = length
                .map_err(|_| argument(scope, call, ".min", "a length that is not negative"))?;
            Ok(Shape::Array(array))
        }
        ("regex", Shape::String) => {
            let pattern = only_argument(call).and_then(pattern);
            let wanted = "`new RegExp(\"…\")` without flags";
            pattern.map(Shape::Pattern).ok_or_else(|| argument(scope, call, ".regex", wanted))
        }
        (_, shape) => Err(unknown(scope, method, kind_name(&shape))),
    }
}

fn bound<'a>(scope: Scope<'_, 'a>, call: &'a CallExpression<'a>) -> Result<i64, Error> {
    let bound = only_argument(call).and_then(literals::integer);
    bound.ok_or_else(|| argument(scope, call, ".min and .max", "an integer literal"))
}

/// `new RegExp("…")`
fn pattern(expression: &Expression<'_>) -> Option<String> {
    let Expression::NewExpression(new) = expression else { return None };
    match new.arguments.as_slice() {
        [text] if new.callee.is_specific_id("RegExp") => {
            text.as_expression().and_then(literals::string).map(str::to_owned)
        }
        _ => None,
    }
}

/// The keys given to `omit` or `pick`, all of which the object must have.
fn mask<'a>(
    scope: Scope<'_, 'a>,
    call: &'a CallExpression<'a>,
    name: &'static str,
    object: &Object,
) -> Result<Vec<String>, Error> {
    let keys = only_argument(call).and_then(object::selected);
    keys.filter(|keys| keys.iter().all(|key| object.find(key).is_some())).ok_or_else(|| {
        argument(scope, call, name, "`{ field: true, … }` with fields of the object")
    })
}

fn kind_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::String | Shape::Pattern(_) => "a string",
        Shape::Boolean => "a boolean",
        Shape::Number => "a number",
        Shape::Integer(_) => "an integer",
        Shape::Any => "any value",
        Shape::Map => "a record",
        Shape::Literal(_) => "a literal",
        Shape::Array(_) => "an array",
        Shape::Ref(_) => "a named schema",
        Shape::OneOf(_) => "a union",
    }
}

fn unknown(scope: Scope<'_, '_>, method: &IdentifierName<'_>, receiver: &'static str) -> Error {
    Error::Method { at: scope.module.place(method), name: method.name.to_string(), receiver }
}

fn predicate<'a>(scope: Scope<'_, 'a>, call: &'a CallExpression<'a>, name: &'static str) -> Error {
    let at = match only_argument(call) {
        Some(argument) => scope.module.place(argument),
        None => scope.module.place(call),
    };
    Error::Predicate { at, call: name }
}
