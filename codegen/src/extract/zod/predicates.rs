//! Functions handed to `refine`, `transform`, `custom`, `default` and `superRefine`.
//!
//! Code cannot be read in general. Each function here recognises one form by its syntax tree.

use oxc_ast::ast::{
    ArrowFunctionExpression, BinaryExpression, BinaryOperator, BindingPattern, CallExpression,
    Expression, LogicalExpression, LogicalOperator, Statement, TSType, UnaryOperator,
};
use serde_json::Value;

use super::{literals, only_argument};

/// What a `refine` demands.
pub(super) enum Demand {
    /// `(value) => value !== null`
    NotNull,
    /// `(value) => value !== undefined`
    Present,
}

pub(super) fn demand(expression: &Expression<'_>) -> Option<Demand> {
    let (parameter, body) = lambda(expression)?;
    let Expression::BinaryExpression(comparison) = body else { return None };
    match compared(comparison, BinaryOperator::StrictInequality, parameter)? {
        Expression::NullLiteral(_) => Some(Demand::NotNull),
        other if other.is_undefined() => Some(Demand::Present),
        _ => None,
    }
}

/// `(value) => value ?? undefined`
pub(super) fn is_null_to_absent(expression: &Expression<'_>) -> bool {
    let Some((parameter, Expression::LogicalExpression(logical))) = lambda(expression) else {
        return false;
    };
    logical.operator == LogicalOperator::Coalesce
        && logical.left.is_specific_id(parameter)
        && logical.right.is_undefined()
}

/// The value of a default, given as it is or by a function without parameters.
pub(super) fn default_value(expression: &Expression<'_>) -> Option<Value> {
    match expression {
        Expression::ArrowFunctionExpression(arrow) if arrow.params.items.is_empty() => {
            literals::json(arrow.get_expression()?)
        }
        _ => literals::json(expression),
    }
}

/// `(value) => typeof value === "object" && value !== null && !Array.isArray(value)`
pub(super) fn is_object_test(expression: &Expression<'_>) -> bool {
    let Some((parameter, Expression::LogicalExpression(all))) = lambda(expression) else {
        return false;
    };
    let mut tests = Vec::new();
    conjuncts(all, &mut tests);
    tests.len() == 3
        && tests.iter().any(|test| is_typeof_object(test, parameter))
        && tests.iter().any(|test| is_not_null(test, parameter))
        && tests.iter().any(|test| is_not_array(test, parameter))
}

/// `Record<string, any>`
pub(crate) fn is_open_record(kind: &TSType<'_>) -> bool {
    let TSType::TSTypeReference(reference) = kind else { return false };
    let Some(arguments) = &reference.type_arguments else { return false };
    reference.type_name.get_identifier_reference().is_some_and(|name| name.name == "Record")
        && matches!(
            arguments.params.as_slice(),
            [TSType::TSStringKeyword(_), TSType::TSAnyKeyword(_) | TSType::TSUnknownKeyword(_)]
        )
}

/// What a `superRefine` checks.
pub(super) enum Rule<'a> {
    /// A helper, called for every value.
    Always(&'a str),
    /// A helper, called where the tag field has this value.
    Variant { tag: &'a str, value: &'a str, helper: &'a str },
    /// Code of its own.
    Inline,
}

pub(super) fn rule<'a>(expression: &'a Expression<'a>) -> Rule<'a> {
    let arrow = match expression {
        Expression::Identifier(helper) => return Rule::Always(helper.name.as_str()),
        Expression::ArrowFunctionExpression(arrow) => arrow,
        _ => return Rule::Inline,
    };
    let statement = match arrow.body.as_function_body().map(|body| body.statements.as_slice()) {
        Some([statement]) => statement,
        _ => return Rule::Inline,
    };
    match statement {
        Statement::IfStatement(condition) if condition.alternate.is_none() => {
            let test = tag_test(arrow, &condition.test);
            match (test, helper_call(&condition.consequent)) {
                (Some((tag, value)), Some(helper)) => Rule::Variant { tag, value, helper },
                _ => Rule::Inline,
            }
        }
        other => helper_call(other).map_or(Rule::Inline, Rule::Always),
    }
}

/// The function that a statement calls, if that is all it does.
fn helper_call<'a>(statement: &'a Statement<'a>) -> Option<&'a str> {
    match statement {
        Statement::BlockStatement(block) => match block.body.as_slice() {
            [only] => helper_call(only),
            _ => None,
        },
        Statement::ExpressionStatement(statement) => match &statement.expression {
            Expression::CallExpression(call) => match &call.callee {
                Expression::Identifier(name) => Some(name.name.as_str()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// `value.tag === "text"`
fn tag_test<'a>(
    arrow: &'a ArrowFunctionExpression<'a>,
    test: &'a Expression<'a>,
) -> Option<(&'a str, &'a str)> {
    let parameter = arrow.params.items.first()?.pattern.get_identifier_name()?;
    let Expression::BinaryExpression(comparison) = test else { return None };
    let Expression::StaticMemberExpression(member) = &comparison.left else { return None };
    let is_test = comparison.operator == BinaryOperator::StrictEquality
        && member.object.is_specific_id(parameter.as_str());
    let value = literals::string(&comparison.right)?;
    is_test.then_some((member.property.name.as_str(), value))
}

/// Parameter and body of `(parameter) => body`.
fn lambda<'a>(expression: &'a Expression<'a>) -> Option<(&'a str, &'a Expression<'a>)> {
    let Expression::ArrowFunctionExpression(arrow) = expression else { return None };
    let [parameter] = arrow.params.items.as_slice() else { return None };
    let BindingPattern::BindingIdentifier(name) = &parameter.pattern else { return None };
    Some((name.name.as_str(), arrow.get_expression()?.without_parentheses()))
}

/// The right side of `parameter <operator> right`.
fn compared<'a>(
    comparison: &'a BinaryExpression<'a>,
    operator: BinaryOperator,
    parameter: &str,
) -> Option<&'a Expression<'a>> {
    let matches = comparison.operator == operator && comparison.left.is_specific_id(parameter);
    matches.then_some(&comparison.right)
}

fn conjuncts<'a>(all: &'a LogicalExpression<'a>, tests: &mut Vec<&'a Expression<'a>>) {
    for side in [&all.left, &all.right] {
        match side {
            Expression::LogicalExpression(inner)
                if all.operator == LogicalOperator::And && inner.operator == all.operator =>
            {
                conjuncts(inner, tests);
            }
            other => tests.push(other),
        }
    }
}

fn is_typeof_object(test: &Expression<'_>, parameter: &str) -> bool {
    let Expression::BinaryExpression(comparison) = test else { return false };
    let Expression::UnaryExpression(operand) = &comparison.left else { return false };
    comparison.operator == BinaryOperator::StrictEquality
        && operand.operator == UnaryOperator::Typeof
        && operand.argument.is_specific_id(parameter)
        && comparison.right.is_specific_string_literal("object")
}

fn is_not_null(test: &Expression<'_>, parameter: &str) -> bool {
    let Expression::BinaryExpression(comparison) = test else { return false };
    compared(comparison, BinaryOperator::StrictInequality, parameter)
        .is_some_and(|right| right.is_null())
}

fn is_not_array(test: &Expression<'_>, parameter: &str) -> bool {
    let Expression::UnaryExpression(negation) = test else { return false };
    let Expression::CallExpression(call) = &negation.argument else { return false };
    negation.operator == UnaryOperator::LogicalNot && is_array_test(call, parameter)
}

fn is_array_test(call: &CallExpression<'_>, parameter: &str) -> bool {
    call.callee.is_specific_member_access("Array", "isArray")
        && only_argument(call).is_some_and(|argument| argument.is_specific_id(parameter))
}
