//! The functions of the basic catalog.

use regex_lite::Regex;
use serde_json::{Map, Value, json};

use super::convert::{number, strict_number, text, truth};
use super::template::{self, Part};
use super::{EvaluateError, Evaluator, Outcome, dates, numbers};

/// Digits behind the point that anybody can ask for.
const DECIMALS: f64 = 20.0;

/// Calls a function with arguments that are worked out.
pub(super) fn call(
    evaluator: &Evaluator<'_>,
    name: &str,
    args: Map<String, Value>,
    depth: usize,
) -> Result<Outcome, EvaluateError> {
    let arguments = Arguments { function: name, args: &args };
    let value = match name {
        "required" => json!(is_there(arguments.or_null("value"))),
        "regex" => json!(matches_pattern(&arguments)?),
        "length" => json!(has_length(&arguments)?),
        "numeric" => json!(is_within(&arguments)?),
        "email" => json!(is_address(&text(arguments.get("value")?))),
        "and" => json!(arguments.list("values")?.iter().all(truth)),
        "or" => json!(arguments.list("values")?.iter().any(truth)),
        "not" => json!(!truth(arguments.get("value")?)),
        "formatString" => json!(filled(evaluator, &text(arguments.get("value")?), depth)?),
        "formatNumber" => {
            let value = number(arguments.get("value")?);
            json!(numbers::format(value, arguments.decimals(), arguments.grouping()))
        }
        "formatCurrency" => {
            let (value, currency) =
                (number(arguments.get("value")?), text(arguments.get("currency")?));
            json!(numbers::format_currency(
                value,
                &currency,
                arguments.decimals(),
                arguments.grouping()
            ))
        }
        "formatDate" => {
            let date = match arguments.get("value")? {
                Value::Number(number) => number.as_f64().and_then(dates::of_milliseconds),
                other => dates::read(&text(other)),
            };
            let pattern = text(arguments.get("format")?);
            json!(date.map(|date| dates::format(date, &pattern)).unwrap_or_default())
        }
        "pluralize" => {
            // English has two forms; `zero` is for who wants to say it.
            let value = number(arguments.get("value")?);
            let form = if value == 0.0 && args.contains_key("zero") {
                "zero"
            } else if value == 1.0 && args.contains_key("one") {
                "one"
            } else {
                "other"
            };
            json!(text(arguments.get(form)?))
        }
        "@index" => match evaluator.index {
            Some(index) => {
                #[expect(clippy::cast_precision_loss, reason = "lists are shorter than that")]
                let place = index as f64 + number(arguments.or_null("offset"));
                json!(place)
            }
            None => return Err(arguments.problem("it has a meaning in a list only")),
        },
        "openUrl" => {
            arguments.get("url")?;
            return Ok(Outcome::Effect { name: name.to_owned(), args });
        }
        _ => return Err(EvaluateError::UnknownFunction(name.to_owned())),
    };
    Ok(Outcome::Value(value))
}

/// The arguments of a call.
struct Arguments<'a> {
    function: &'a str,
    args: &'a Map<String, Value>,
}

impl Arguments<'_> {
    fn problem(&self, problem: impl Into<String>) -> EvaluateError {
        EvaluateError::Argument { function: self.function.to_owned(), problem: problem.into() }
    }

    fn get(&self, name: &'static str) -> Result<&Value, EvaluateError> {
        self.args.get(name).ok_or_else(|| EvaluateError::MissingArgument {
            function: self.function.to_owned(),
            argument: name,
        })
    }

    fn or_null(&self, name: &str) -> &Value {
        self.args.get(name).unwrap_or(&Value::Null)
    }

    fn list(&self, name: &'static str) -> Result<&Vec<Value>, EvaluateError> {
        let value = self.get(name)?;
        value.as_array().ok_or_else(|| self.problem(format!("`{name}` has to be a list")))
    }

    fn decimals(&self) -> Option<usize> {
        let decimals = strict_number(self.args.get("decimals")?)?.clamp(0.0, DECIMALS);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 20"
        )]
        Some(decimals as usize)
    }

    fn grouping(&self) -> bool {
        self.args.get("grouping").is_none_or(truth)
    }
}

fn is_there(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn matches_pattern(arguments: &Arguments<'_>) -> Result<bool, EvaluateError> {
    let pattern = text(arguments.get("pattern")?);
    let pattern = Regex::new(&pattern)
        .map_err(|error| arguments.problem(format!("`{pattern}` is no pattern: {error}")))?;
    Ok(pattern.is_match(&text(arguments.get("value")?)))
}

fn has_length(arguments: &Arguments<'_>) -> Result<bool, EvaluateError> {
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than that")]
    let length = match arguments.get("value")? {
        Value::Array(items) => items.len(),
        other => text(other).encode_utf16().count(),
    } as f64;
    within(arguments, length)
}

fn is_within(arguments: &Arguments<'_>) -> Result<bool, EvaluateError> {
    match strict_number(arguments.get("value")?) {
        Some(number) => within(arguments, number),
        None => Ok(false),
    }
}

fn within(arguments: &Arguments<'_>, number: f64) -> Result<bool, EvaluateError> {
    let bound = |name: &str| arguments.args.get(name).and_then(strict_number);
    match (bound("min"), bound("max")) {
        (None, None) => Err(arguments.problem("it needs `min` or `max`")),
        (min, max) => {
            Ok(min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max))
        }
    }
}

/// As the catalog has it: letters, digits and a few signs, `@`, a domain with a dot.
fn is_address(text: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(&byte);
    let is_of_domain = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
    let Some((name, domain)) = text.rsplit_once('@') else { return false };
    let Some((host, top)) = domain.rsplit_once('.') else { return false };
    let all = |text: &str, is_allowed: &dyn Fn(u8) -> bool| {
        !text.is_empty() && text.bytes().all(is_allowed)
    };
    all(name, &is_of_name)
        && all(host, &is_of_domain)
        && top.len() >= 2
        && all(top, &|byte: u8| byte.is_ascii_alphabetic())
}

/// A text with values put in.
fn filled(
    evaluator: &Evaluator<'_>,
    template: &str,
    depth: usize,
) -> Result<String, EvaluateError> {
    let mut filled = String::new();
    for part in template::read(template)? {
        match part {
            Part::Text(literal) => filled.push_str(&literal),
            Part::Value(value) => filled.push_str(&text(&evaluator.value(&value, depth + 1)?)),
        }
    }
    Ok(filled)
}
