//! How deep raw messages are nested.

use serde_json::Value;

use super::options::ValidateOptions;
use super::report::{ErrorCode, ValidationReport};

/// Counts levels of JSON from the list of messages on, and calls in arguments of calls.
pub(super) fn check(messages: &[Value], options: &ValidateOptions, report: &mut ValidationReport) {
    for (index, message) in messages.iter().enumerate() {
        let (levels, calls) = depth(message);
        if levels > options.max_depth {
            let message = format!(
                "Global recursion limit exceeded: the JSON is nested {levels} levels deep, {} are \
                 allowed; make it flatter",
                options.max_depth
            );
            report.error(ErrorCode::MaxDepthExceeded, format!("messages[{index}]"), message);
        }
        if calls > options.max_function_call_depth {
            let message = format!(
                "Recursion limit exceeded: functionCall depth > {}; call fewer functions in \
                 arguments of functions",
                options.max_function_call_depth
            );
            report.error(ErrorCode::MaxDepthExceeded, format!("messages[{index}]"), message);
        }
    }
}

/// The deepest level, where the message itself is at the first, and the longest chain of calls.
fn depth(message: &Value) -> (usize, usize) {
    let mut deepest = (0, 0);
    let mut pending = vec![(message, 1, 0)];
    while let Some((value, level, calls)) = pending.pop() {
        deepest = (deepest.0.max(level), deepest.1.max(calls));
        match value {
            Value::Array(items) => {
                pending.extend(items.iter().map(|item| (item, level + 1, calls)));
            }
            Value::Object(fields) => {
                let is_call =
                    fields.get("call").is_some_and(Value::is_string) && fields.contains_key("args");
                let inside = calls + usize::from(is_call);
                deepest.1 = deepest.1.max(inside);
                pending.extend(fields.iter().map(|(name, field)| {
                    let calls = if is_call && name == "args" { inside } else { calls };
                    (field, level + 1, calls)
                }));
            }
            _ => {}
        }
    }
    deepest
}
