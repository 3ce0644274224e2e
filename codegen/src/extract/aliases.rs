//! Reads type aliases and enums.

mod jsdoc;

use std::collections::BTreeSet;

use ag_ui_codegen_emit::model::{Array, Null, Shape, Unknown};
use oxc_ast::ast::{
    TSLiteral, TSPropertySignature, TSSignature, TSType, TSTypeAliasDeclaration, TSTypeName,
    TSTypeReference,
};
use oxc_span::GetSpan;

use super::error::Error;
use super::modules::{Item, Module, Modules};
use super::reading::{Field, Kind, Object, Presence, Type, Union, Variant, find};
use super::zod::{enum_members, is_open_record};

/// Reads every alias and every enum of `files`, in source order.
///
/// What they import is looked up in `modules`.
pub(crate) fn read<'a>(files: &[&Module<'a>], modules: &Modules<'a>) -> Result<Vec<Type>, Error> {
    let mut types = Vec::new();
    // Unions are recognised by what their members are, so they come after everything else.
    let mut unions = Vec::new();
    for &module in files {
        let reader = Reader { modules, module };
        for (name, item) in &module.items {
            match *item {
                Item::Enum(declaration) => {
                    let members = enum_members(module, declaration)?;
                    let kind = Kind::Strings(members.into_iter().map(|(_, value)| value).collect());
                    reader.declare(name, &declaration.id, kind, &mut types)?;
                }
                Item::Alias(alias) => {
                    reader.alias(name, alias, &mut types)?;
                    if let Some(members) = union_of_names(alias) {
                        unions.push((types.len() - 1, module.place(&alias.id), members));
                    }
                }
                Item::Interface(span) => {
                    return Err(Error::TypeForm {
                        at: module.place_at(span),
                        form: "an interface",
                    });
                }
                Item::Constant(_) => {}
            }
        }
    }
    for (index, at, members) in unions {
        let union = union(&types, &members).ok_or(Error::Ambiguous { at })?;
        types[index].kind = Kind::Union(union);
    }
    Ok(types)
}

struct Reader<'m, 'a> {
    modules: &'m Modules<'a>,
    module: &'m Module<'a>,
}

impl<'a> Reader<'_, 'a> {
    fn alias(
        &self,
        name: &str,
        alias: &'a TSTypeAliasDeclaration<'a>,
        types: &mut Vec<Type>,
    ) -> Result<(), Error> {
        if let Some(parameters) = &alias.type_parameters {
            return Err(self.form(parameters.as_ref(), "a type with parameters"));
        }
        let kind = match &alias.type_annotation {
            TSType::TSTypeLiteral(literal) => {
                let mut object =
                    Object { unknown: Unknown::Strip, notes: Vec::new(), fields: Vec::new() };
                for member in &literal.members {
                    object.fields.push(self.field(name, member, types)?);
                }
                Kind::Object(object)
            }
            other => match string_members(other) {
                Some(members) => Kind::Strings(members),
                None => Kind::Alias(self.shape(other)?),
            },
        };
        self.declare(name, &alias.id, kind, types)
    }

    fn declare(
        &self,
        name: &str,
        node: &impl GetSpan,
        kind: Kind,
        types: &mut Vec<Type>,
    ) -> Result<(), Error> {
        let place = self.module.place(node);
        if let Some(first) = find(types, name) {
            let first = first.place.clone();
            return Err(Error::Twice { at: place, name: name.into(), first });
        }
        types.push(Type { name: name.into(), formerly: Vec::new(), place, kind });
        Ok(())
    }

    fn field(
        &self,
        owner: &str,
        member: &'a TSSignature<'a>,
        types: &mut Vec<Type>,
    ) -> Result<Field, Error> {
        let TSSignature::TSPropertySignature(property) = member else {
            return Err(self.form(member, "a member that is not a property"));
        };
        let name = property.key.static_name().filter(|_| !property.computed);
        let name = name.ok_or_else(|| self.form(property.as_ref(), "a computed property name"))?;
        let Some(annotation) = &property.type_annotation else {
            return Err(self.form(property.as_ref(), "a property without a type"));
        };
        let shape = match string_members(&annotation.type_annotation) {
            Some(members) => {
                let path = format!("{owner}.{name}");
                let kind = Kind::Strings(members);
                self.declare(&path, &annotation.type_annotation, kind, types)?;
                Shape::Ref(path)
            }
            None => self.shape(&annotation.type_annotation)?,
        };
        let presence = self.presence(property, &shape)?;
        let place = self.module.place(property.as_ref());
        Ok(Field { name: name.into_owned(), place, presence, shape })
    }

    fn presence(
        &self,
        property: &'a TSPropertySignature<'a>,
        shape: &Shape,
    ) -> Result<Presence, Error> {
        let default = jsdoc::default_before(self.module, property.span)?;
        // The language has no type for "any value but null"; the validators say which it is.
        let null = if *shape == Shape::Any { Null::Value } else { Null::Reject };
        Ok(Presence { optional: property.optional, null, default })
    }

    fn shape(&self, kind: &'a TSType<'a>) -> Result<Shape, Error> {
        match kind {
            TSType::TSStringKeyword(_) => Ok(Shape::String),
            TSType::TSNumberKeyword(_) => Ok(Shape::Number),
            TSType::TSBooleanKeyword(_) => Ok(Shape::Boolean),
            TSType::TSAnyKeyword(_) | TSType::TSUnknownKeyword(_) => Ok(Shape::Any),
            TSType::TSParenthesizedType(inner) => self.shape(&inner.type_annotation),
            TSType::TSLiteralType(literal) => match &literal.literal {
                TSLiteral::StringLiteral(text) => Ok(Shape::Literal(text.value.to_string())),
                _ => Err(self.form(literal.as_ref(), "a literal that is not a string")),
            },
            TSType::TSArrayType(array) => self.array(&array.element_type),
            TSType::TSTypeReference(reference) => self.reference(kind, reference),
            TSType::TSUnionType(union) => {
                let choices = union.types.iter().map(|choice| self.shape(choice));
                Ok(Shape::OneOf(choices.collect::<Result<_, _>>()?))
            }
            TSType::TSTypeLiteral(literal) => {
                let at = self.module.place(literal.as_ref());
                Err(Error::Nameless { at, what: "an object" })
            }
            other => Err(self.form(other, "a type expression")),
        }
    }

    fn array(&self, items: &'a TSType<'a>) -> Result<Shape, Error> {
        Ok(Shape::Array(Array { items: Box::new(self.shape(items)?), min_items: 0 }))
    }

    fn reference(
        &self,
        kind: &TSType<'a>,
        reference: &'a TSTypeReference<'a>,
    ) -> Result<Shape, Error> {
        if is_open_record(kind) {
            return Ok(Shape::Map);
        }
        match (&reference.type_name, &reference.type_arguments) {
            (TSTypeName::IdentifierReference(name), None) => {
                match self.modules.resolve(self.module, name.name.as_str()) {
                    Some((_, name, Item::Alias(_) | Item::Enum(_))) => Ok(Shape::Ref(name.into())),
                    _ => Err(self.unresolved(reference, name.name.as_str())),
                }
            }
            (TSTypeName::IdentifierReference(name), Some(arguments)) if name.name == "Array" => {
                match arguments.params.as_slice() {
                    [items] => self.array(items),
                    _ => Err(self.form(reference, "a list of several types")),
                }
            }
            (TSTypeName::QualifiedName(path), None) => self.enum_member(path, reference),
            _ => Err(self.form(reference, "a type with arguments")),
        }
    }

    /// `EventType.RAW`
    fn enum_member(
        &self,
        path: &oxc_ast::ast::TSQualifiedName<'a>,
        reference: &TSTypeReference<'a>,
    ) -> Result<Shape, Error> {
        let enumeration = path.left.get_identifier_reference().map(|name| name.name.as_str());
        let resolved = enumeration.and_then(|name| self.modules.resolve(self.module, name));
        let member = path.right.name.as_str();
        let Some((module, _, Item::Enum(declaration))) = resolved else {
            return Err(self.unresolved(reference, enumeration.unwrap_or(member)));
        };
        let members = enum_members(module, declaration)?;
        let value = members.into_iter().find_map(|(name, value)| (name == member).then_some(value));
        value.map(Shape::Literal).ok_or_else(|| self.unresolved(reference, member))
    }

    fn form(&self, node: &impl GetSpan, form: &'static str) -> Error {
        Error::TypeForm { at: self.module.place(node), form }
    }

    fn unresolved(&self, node: &impl GetSpan, name: &str) -> Error {
        Error::Unresolved { at: self.module.place(node), name: name.into() }
    }
}

/// The members of `"a" | "b"`.
fn string_members(kind: &TSType<'_>) -> Option<Vec<String>> {
    let TSType::TSUnionType(union) = kind else { return None };
    union
        .types
        .iter()
        .map(|member| match member {
            TSType::TSLiteralType(literal) => match &literal.literal {
                TSLiteral::StringLiteral(text) => Some(text.value.to_string()),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// The members of `A | B`.
fn union_of_names<'a>(alias: &'a TSTypeAliasDeclaration<'a>) -> Option<Vec<&'a str>> {
    let TSType::TSUnionType(union) = &alias.type_annotation else { return None };
    union
        .types
        .iter()
        .map(|member| match member {
            TSType::TSTypeReference(reference) => {
                Some(reference.type_name.get_identifier_reference()?.name.as_str())
            }
            _ => None,
        })
        .collect()
}

/// The union of these objects, told apart by the one field that is a different literal in each.
fn union(types: &[Type], members: &[&str]) -> Option<Union> {
    let objects: Vec<(&str, &Object)> = members
        .iter()
        .map(|name| match &find(types, name)?.kind {
            Kind::Object(object) => Some((*name, object)),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let (_, first) = objects.first()?;
    let mut tags = first.fields.iter().filter(|field| distinguishes(&objects, &field.name));
    let tag = tags.next()?.name.clone();
    if tags.next().is_some() {
        return None;
    }
    let variants = objects.iter().filter_map(|(name, object)| {
        Some(Variant { value: literal(object, &tag)?.into(), name: (*name).into() })
    });
    Some(Union { variants: variants.collect(), tag })
}

fn distinguishes(objects: &[(&str, &Object)], field: &str) -> bool {
    let values: Option<BTreeSet<&str>> =
        objects.iter().map(|(_, object)| literal(object, field)).collect();
    values.is_some_and(|values| values.len() == objects.len())
}

fn literal<'o>(object: &'o Object, field: &str) -> Option<&'o str> {
    match object.find(field) {
        Some(Field { shape: Shape::Literal(value), presence, .. }) if !presence.optional => {
            Some(value)
        }
        _ => None,
    }
}
