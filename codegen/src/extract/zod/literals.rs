//! Values written out in the source.

use oxc_ast::ast::{
    ArrayExpressionElement, Expression, ObjectPropertyKind, TSEnumDeclaration, UnaryOperator,
};
use serde_json::{Map, Number, Value};

use crate::extract::error::Error;
use crate::extract::modules::Module;

/// The members of an enum with their strings, in source order.
pub(crate) fn enum_members(
    module: &Module<'_>,
    declaration: &TSEnumDeclaration<'_>,
) -> Result<Vec<(String, String)>, Error> {
    declaration
        .body
        .members
        .iter()
        .map(|member| match &member.initializer {
            Some(Expression::StringLiteral(value)) => {
                Ok((member.id.static_name().to_string(), value.value.to_string()))
            }
            _ => Err(Error::TypeForm {
                at: module.place(member),
                form: "an enum member that is not a string",
            }),
        })
        .collect()
}

/// A string literal.
pub(super) fn string<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::StringLiteral(literal) => Some(literal.value.as_str()),
        _ => None,
    }
}

/// A list of string literals.
pub(super) fn strings(expression: &Expression<'_>) -> Option<Vec<String>> {
    let Expression::ArrayExpression(array) = expression else { return None };
    array
        .elements
        .iter()
        .map(|element| element.as_expression().and_then(string).map(str::to_owned))
        .collect()
}

/// An integer literal, with or without a sign.
pub(super) fn integer(expression: &Expression<'_>) -> Option<i64> {
    json(expression)?.as_i64()
}

/// The JSON value that an expression writes out.
pub(super) fn json(expression: &Expression<'_>) -> Option<Value> {
    match expression {
        Expression::ParenthesizedExpression(inner) => json(&inner.expression),
        Expression::StringLiteral(literal) => Some(literal.value.as_str().into()),
        Expression::BooleanLiteral(literal) => Some(literal.value.into()),
        Expression::NullLiteral(_) => Some(Value::Null),
        Expression::NumericLiteral(literal) => number(literal.value),
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
            match &unary.argument {
                Expression::NumericLiteral(literal) => number(-literal.value),
                _ => None,
            }
        }
        Expression::ArrayExpression(array) => array
            .elements
            .iter()
            .map(|element| element.as_expression().and_then(json))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array),
        Expression::ObjectExpression(object) => object
            .properties
            .iter()
            .map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) if !property.computed => {
                    Some((property.key.static_name()?.into_owned(), json(&property.value)?))
                }
                _ => None,
            })
            .collect::<Option<Map<_, _>>>()
            .map(Value::Object),
        _ => None,
    }
}

/// A number, without a fraction where it has none.
fn number(value: f64) -> Option<Value> {
    // Exact: the comparison holds only where the conversion loses nothing.
    let integral = value as i64;
    if integral as f64 == value && integral.unsigned_abs() <= 1 << 53 {
        return Some(integral.into());
    }
    Number::from_f64(value).map(Value::Number)
}

/// The expressions of an array literal.
pub(super) fn elements<'a>(expression: &'a Expression<'a>) -> Option<Vec<&'a Expression<'a>>> {
    let Expression::ArrayExpression(array) = expression else { return None };
    array.elements.iter().map(ArrayExpressionElement::as_expression).collect()
}
