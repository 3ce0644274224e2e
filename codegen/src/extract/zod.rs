//! Reads zod schemas.
//!
//! A schema is a chain of calls that starts at the zod namespace or at the name of another
//! schema. The reader evaluates the chain from its start, each call by the meaning zod gives it.

mod constructors;
mod literals;
mod methods;
mod object;
mod predicates;

pub(crate) use literals::enum_members;
pub(crate) use predicates::is_open_record;

use std::collections::BTreeMap;

use ag_ui_codegen_emit::model::{Null, Shape, Unknown};
use oxc_ast::ast::{Argument, CallExpression, Expression, TSEnumDeclaration};
use oxc_span::GetSpan;

use super::error::Error;
use super::modules::{Item, Module, Modules};
use super::reading::{Kind, Object, Presence, Type, find};

/// Reads every schema constant and every enum of `files`, in source order.
///
/// What they import is looked up in `modules`.
pub(crate) fn read<'a>(files: &[&Module<'a>], modules: &Modules<'a>) -> Result<Vec<Type>, Error> {
    let mut reader = Reader {
        modules,
        done: BTreeMap::new(),
        active: Vec::new(),
        types: Vec::new(),
        variant_notes: Vec::new(),
    };
    for &module in files {
        for (name, item) in &module.items {
            reader.declaration(module, name, *item)?;
        }
    }
    Ok(reader.finish())
}

/// What a schema expression accepts.
#[derive(Debug, Clone)]
struct Schema {
    kind: Kind,
    presence: Presence,
    /// The type this is, as long as at most its presence was changed since.
    name: Option<String>,
}

impl Schema {
    fn new(kind: Kind) -> Self {
        let presence = natural_presence(&kind);
        Self { kind, presence, name: None }
    }

    fn shape(shape: Shape) -> Self {
        Self::new(Kind::Alias(shape))
    }

    /// Whether a constant with this schema declares a type, rather than a way to mention one.
    fn is_type(&self) -> bool {
        self.presence == natural_presence(&self.kind)
    }
}

/// How a value may be missing before anything was said about it: `any` accepts everything.
fn natural_presence(kind: &Kind) -> Presence {
    match kind {
        Kind::Alias(Shape::Any) => Presence { optional: true, null: Null::Value, default: None },
        _ => Presence::REQUIRED,
    }
}

struct Reader<'m, 'a> {
    modules: &'m Modules<'a>,
    /// Schemas of constants already evaluated, by file and name.
    done: BTreeMap<(&'a str, &'a str), Schema>,
    /// Constants under evaluation.
    active: Vec<(&'a str, &'a str)>,
    types: Vec<Type>,
    /// Rules stated on a union for one of its variants.
    variant_notes: Vec<(String, String)>,
}

/// The constant inside which an expression stands.
#[derive(Clone, Copy)]
struct Scope<'m, 'a> {
    module: &'m Module<'a>,
    constant: &'a str,
}

impl<'m, 'a> Reader<'m, 'a> {
    fn declaration(
        &mut self,
        module: &'m Module<'a>,
        name: &'a str,
        item: Item<'a>,
    ) -> Result<(), Error> {
        match item {
            Item::Enum(declaration) => {
                let members = literals::enum_members(module, declaration)?;
                let kind = Kind::Strings(members.into_iter().map(|(_, value)| value).collect());
                // A constant further up may have declared it under the same name.
                match find(&self.types, name) {
                    Some(declared) if declared.kind == kind => Ok(()),
                    _ => self.declare(module, name, &declaration.id, kind),
                }
            }
            Item::Constant(constant) => {
                let Some(init) = &constant.init else { return Ok(()) };
                if type_name(name).is_none() {
                    return match root(init) {
                        Some(root) if module.zod == Some(root) => {
                            Err(Error::Name { at: module.place(constant), name: name.into() })
                        }
                        _ => Ok(()),
                    };
                }
                self.constant(module, name, init).map(|_| ())
            }
            Item::Alias(_) | Item::Interface(_) => Ok(()),
        }
    }

    /// Evaluates a schema constant once, and declares its type if it is one.
    fn constant(
        &mut self,
        module: &'m Module<'a>,
        name: &'a str,
        init: &'a Expression<'a>,
    ) -> Result<Schema, Error> {
        let key = (module.path, name);
        if let Some(schema) = self.done.get(&key) {
            return Ok(schema.clone());
        }
        if self.active.contains(&key) {
            return Err(Error::Cycle { at: module.place(init), name: name.into() });
        }
        self.active.push(key);
        let mut schema = self.schema(Scope { module, constant: name }, init)?;
        self.active.pop();
        if let Some(own) = type_name(name).filter(|_| schema.is_type()) {
            let kind = match schema.name.take() {
                Some(other) if other != own => Kind::Alias(Shape::Ref(other)),
                _ => schema.kind.clone(),
            };
            // The schema of an enum has the name of the enum.
            if find(&self.types, own).is_none_or(|declared| declared.kind != kind) {
                self.declare(module, own, init, kind)?;
            }
            schema.name = Some(own.into());
        }
        self.done.insert(key, schema.clone());
        Ok(schema)
    }

    fn declare(
        &mut self,
        module: &Module<'a>,
        name: &str,
        node: &impl GetSpan,
        kind: Kind,
    ) -> Result<(), Error> {
        let place = module.place(node);
        if let Some(first) = find(&self.types, name) {
            let first = first.place.clone();
            return Err(Error::Twice { at: place, name: name.into(), first });
        }
        self.types.push(Type { name: name.into(), formerly: Vec::new(), place, kind });
        Ok(())
    }

    /// Evaluates an expression that must be a schema.
    fn schema(
        &mut self,
        scope: Scope<'m, 'a>,
        expression: &'a Expression<'a>,
    ) -> Result<Schema, Error> {
        match expression {
            Expression::ParenthesizedExpression(inner) => self.schema(scope, &inner.expression),
            Expression::Identifier(name) => self.reference(scope, expression, name.name.as_str()),
            Expression::CallExpression(call) => self.call(scope, call),
            _ => Err(Error::Expression { at: scope.module.place(expression) }),
        }
    }

    fn reference(
        &mut self,
        scope: Scope<'m, 'a>,
        node: &'a Expression<'a>,
        name: &str,
    ) -> Result<Schema, Error> {
        match self.modules.resolve(scope.module, name) {
            Some((module, name, Item::Constant(constant))) => match &constant.init {
                Some(init) if type_name(name).is_some() => self.constant(module, name, init),
                _ => Err(Error::Expression { at: scope.module.place(node) }),
            },
            Some(_) => Err(Error::Expression { at: scope.module.place(node) }),
            None => Err(Error::Unresolved { at: scope.module.place(node), name: name.into() }),
        }
    }

    fn call(
        &mut self,
        scope: Scope<'m, 'a>,
        call: &'a CallExpression<'a>,
    ) -> Result<Schema, Error> {
        let Expression::StaticMemberExpression(callee) = &call.callee else {
            return Err(Error::Expression { at: scope.module.place(call) });
        };
        let method = callee.property.name.as_str();
        match &callee.object {
            Expression::Identifier(object) if scope.module.zod == Some(object.name.as_str()) => {
                self.construct(scope, call, method)
            }
            object => {
                let receiver = self.schema(scope, object)?;
                self.apply(scope, call, &callee.property, receiver)
            }
        }
    }

    /// The enum that an expression names.
    fn enumeration(
        &self,
        scope: Scope<'m, 'a>,
        name: &str,
    ) -> Option<(&'m Module<'a>, &'a str, &'a TSEnumDeclaration<'a>)> {
        match self.modules.resolve(scope.module, name)? {
            (module, name, Item::Enum(declaration)) => Some((module, name, declaration)),
            _ => None,
        }
    }

    /// The shape of a schema that is used inside another one.
    fn used(
        &self,
        scope: Scope<'m, 'a>,
        node: &impl GetSpan,
        schema: Schema,
    ) -> Result<Shape, Error> {
        let nameless = |what| Error::Nameless { at: scope.module.place(node), what };
        match (schema.name, schema.kind) {
            (Some(name), _) => Ok(Shape::Ref(name)),
            (None, Kind::Alias(shape)) => Ok(shape),
            (None, Kind::Object(_)) => Err(nameless("an object")),
            (None, Kind::Union(_)) => Err(nameless("a choice of objects")),
            (None, Kind::Strings(_)) => Err(nameless("a set of strings")),
        }
    }

    fn finish(mut self) -> Vec<Type> {
        for (variant, note) in self.variant_notes {
            let found = self.types.iter_mut().find(|candidate| candidate.name == variant);
            if let Some(Type { kind: Kind::Object(object), .. }) = found
                && !object.notes.contains(&note)
            {
                object.notes.push(note);
            }
        }
        self.types
    }
}

/// The type that a schema constant of that name declares.
fn type_name(constant: &str) -> Option<&str> {
    let name = constant.strip_suffix("Schemas").or_else(|| constant.strip_suffix("Schema"))?;
    (!name.is_empty()).then_some(name)
}

/// The identifier a chain of calls starts at.
fn root<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        Expression::CallExpression(call) => root(&call.callee),
        Expression::StaticMemberExpression(member) => root(&member.object),
        Expression::ParenthesizedExpression(inner) => root(&inner.expression),
        _ => None,
    }
}

/// The arguments of a call, `None` where one is spread.
fn arguments<'a>(call: &'a CallExpression<'a>) -> Option<Vec<&'a Expression<'a>>> {
    call.arguments.iter().map(Argument::as_expression).collect()
}

/// The argument of a call that takes one.
fn only_argument<'a>(call: &'a CallExpression<'a>) -> Option<&'a Expression<'a>> {
    match arguments(call)?.as_slice() {
        [argument] => Some(argument),
        _ => None,
    }
}

/// An object schema before any call on it.
fn object_schema(object: Object) -> Schema {
    Schema::new(Kind::Object(object))
}

/// Undescribed properties of a `z.object`: zod removes them.
const OBJECT: Unknown = Unknown::Strip;

/// Undescribed properties of a `z.looseObject`.
///
/// The validator lets them through, and the client removes them afterwards unless the schema
/// carries `meta({ specOpen: true })`. That is the protocol's word on them.
const LOOSE_OBJECT: Unknown = Unknown::Strip;
