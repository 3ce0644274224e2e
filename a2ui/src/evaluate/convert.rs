//! From one type to another, as renderers do it.

use serde_json::Value;

/// A value as text.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), plain),
        other => other.to_string(),
    }
}

/// A number without a fraction that says nothing.
fn plain(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        number.to_string()
    }
}

/// A value as a number; what is none is 0.
pub(super) fn number(value: &Value) -> f64 {
    strict_number(value).unwrap_or_default()
}

/// A number, or a text that is one.
pub(super) fn strict_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

/// A value as true or false.
pub(super) fn truth(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => text.eq_ignore_ascii_case("true"),
        _ => false,
    }
}
