//! Joins the type declarations of a release with its validators.
//!
//! The declarations give order, optionality and defaults. The validators add what the type
//! language cannot say: the meaning of null, bounds, patterns, lengths, and which objects are
//! open. What both can say they must agree on.

use ag_ui_codegen_emit::model::{Array, Shape};
use serde_json::Value;

use super::error::Error;
use super::reading::{Field, Kind, Object, Presence, Type, find};

/// Refines `types` by `validators`; the lists of files are for messages.
pub(crate) fn combine(
    types: Vec<Type>,
    validators: &[Type],
    type_files: &str,
    validator_files: &str,
) -> Result<Vec<Type>, Error> {
    let only_there = validators.iter().find(|validator| find(&types, &validator.name).is_none());
    if let Some(validator) = only_there {
        let difference = "there is a validator and no type";
        let places = (type_files.to_owned(), validator.place.to_string());
        return Err(disagreement(&validator.name, difference, places));
    }
    types
        .into_iter()
        .map(|declared| match find(validators, &declared.name) {
            Some(validator) => refine(declared, validator),
            None => {
                let places = (declared.place.to_string(), validator_files.to_owned());
                let difference = "there is a type and no validator";
                Err(disagreement(&declared.name, difference, places))
            }
        })
        .collect()
}

fn refine(mut declared: Type, validator: &Type) -> Result<Type, Error> {
    let places = || (declared.place.to_string(), validator.place.to_string());
    let kind = match (declared.kind, &validator.kind) {
        (Kind::Object(declared_object), Kind::Object(object)) => {
            Kind::Object(refine_object(&declared.name, declared_object, object, places)?)
        }
        (Kind::Alias(shape), Kind::Alias(refined)) => match refine_shape(&shape, refined) {
            Some(shape) => Kind::Alias(shape),
            None => return Err(disagreement(&declared.name, "another shape", places())),
        },
        (own, other) if own == *other => own,
        (Kind::Strings(_), Kind::Strings(_)) => {
            return Err(disagreement(&declared.name, "other strings or order", places()));
        }
        (Kind::Union(_), Kind::Union(_)) => {
            return Err(disagreement(&declared.name, "other variants or order", places()));
        }
        _ => return Err(disagreement(&declared.name, "another kind of type", places())),
    };
    declared.kind = kind;
    Ok(declared)
}

fn refine_object(
    name: &str,
    declared: Object,
    validator: &Object,
    places: impl Fn() -> (String, String),
) -> Result<Object, Error> {
    if let Some(extra) = validator.fields.iter().find(|field| declared.find(&field.name).is_none())
    {
        let difference = "only the validator has the field";
        let places = (places().0, extra.place.to_string());
        return Err(disagreement(&format!("{name}.{}", extra.name), difference, places));
    }
    let mut fields = Vec::new();
    for field in declared.fields {
        let subject = format!("{name}.{}", field.name);
        match validator.find(&field.name) {
            Some(refinement) => fields.push(refine_field(&subject, field, refinement)?),
            None => {
                let difference = "only the type has the field";
                let places = (field.place.to_string(), places().1);
                return Err(disagreement(&subject, difference, places));
            }
        }
    }
    Ok(Object { unknown: validator.unknown, notes: validator.notes.clone(), fields })
}

fn refine_field(subject: &str, declared: Field, validator: &Field) -> Result<Field, Error> {
    let places = || (declared.place.to_string(), validator.place.to_string());
    let Some(shape) = refine_shape(&declared.shape, &validator.shape) else {
        return Err(disagreement(subject, "another shape", places()));
    };
    let (own, other) = (&declared.presence, &validator.presence);
    // The type describes a value after reading, where an empty list has taken the place of an
    // absent one; on the wire the field is optional.
    let filled_in = other.default == Some(Value::Array(Vec::new())) && !own.optional;
    if own.optional != other.optional && !filled_in {
        return Err(disagreement(subject, "optional in one of them only", places()));
    }
    if let (Some(one), Some(two)) = (&own.default, &other.default)
        && one != two
    {
        return Err(disagreement(subject, "another default", places()));
    }
    let presence = Presence {
        optional: other.optional,
        null: other.null,
        default: own.default.clone().or_else(|| other.default.clone()),
    };
    Ok(Field { shape, presence, ..declared })
}

/// The more exact of two shapes, if they describe the same kind of value.
fn refine_shape(declared: &Shape, validator: &Shape) -> Option<Shape> {
    match (declared, validator) {
        (Shape::Array(own), Shape::Array(other)) => {
            let items = Box::new(refine_shape(&own.items, &other.items)?);
            Some(Shape::Array(Array { items, min_items: other.min_items }))
        }
        (Shape::OneOf(own), Shape::OneOf(other)) if own.len() == other.len() => {
            let choices = own.iter().zip(other).map(|(own, other)| refine_shape(own, other));
            Some(Shape::OneOf(choices.collect::<Option<_>>()?))
        }
        (Shape::String, Shape::Pattern(_)) | (Shape::Number, Shape::Integer(_)) => {
            Some(validator.clone())
        }
        _ => (declared == validator).then(|| validator.clone()),
    }
}

fn disagreement(subject: &str, difference: &str, places: (String, String)) -> Error {
    let (types, validators) = places;
    Error::Disagreement {
        subject: subject.into(),
        difference: difference.into(),
        types,
        validators,
    }
}
