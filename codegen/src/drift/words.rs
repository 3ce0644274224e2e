//! Words for the values of a model.

use ag_ui_codegen_emit::model::{Null, Shape, TypeShape, Unknown};

pub(super) fn kind(shape: &TypeShape) -> &'static str {
    match shape {
        TypeShape::Object(_) => "an object",
        TypeShape::Union(_) => "a choice of objects",
        TypeShape::Strings(_) => "a set of strings",
        TypeShape::Alias(_) => "an alias",
    }
}

pub(super) fn treatment(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Strip => "removed",
        Unknown::Keep => "kept",
        Unknown::Reject => "rejected",
    }
}

pub(super) fn null(null: Null) -> &'static str {
    match null {
        Null::Reject => "rejected",
        Null::Absent => "absence",
        Null::Value => "a value",
    }
}

pub(super) fn presence(optional: bool) -> &'static str {
    if optional { "optional" } else { "required" }
}

pub(super) fn retired(until: Option<&str>) -> String {
    until.map_or_else(|| "current".into(), |version| format!("retired after {version}"))
}

pub(super) fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

pub(super) fn shape(shape: &Shape) -> String {
    match shape {
        Shape::String => "string".into(),
        Shape::Pattern(pattern) => format!("string matching {pattern}"),
        Shape::Boolean => "boolean".into(),
        Shape::Number => "number".into(),
        Shape::Integer(bounds) => {
            let end = |bound: Option<i64>| bound.map(|bound| bound.to_string()).unwrap_or_default();
            match (bounds.min, bounds.max) {
                (None, None) => "integer".into(),
                (min, max) => format!("integer {}..={}", end(min), end(max)),
            }
        }
        Shape::Any => "any value".into(),
        Shape::Map => "map".into(),
        Shape::Literal(value) => format!("\"{value}\""),
        Shape::Array(array) if array.min_items > 0 => {
            format!("list of {} or more {}", array.min_items, self::shape(&array.items))
        }
        Shape::Array(array) => format!("list of {}", self::shape(&array.items)),
        Shape::Ref(name) => name.clone(),
        Shape::OneOf(choices) => choices.iter().map(self::shape).collect::<Vec<_>>().join(" or "),
    }
}
