//! What values come to: for tests and previews of surfaces.
//!
//! It is what a renderer does, in the way of English as written in the United States, with the
//! functions of the basic catalog. Renderers elsewhere write numbers and dates otherwise.
//!
//! ```
//! use ag_ui_a2ui::DataModel;
//! use ag_ui_a2ui::evaluate::{Evaluator, Outcome};
//! use serde_json::json;
//!
//! let data = DataModel::from(json!({"cart": {"total": 1234.5}}));
//! let call = json!({
//!     "call": "formatString",
//!     "args": {"value": "Total: ${formatCurrency(value: /cart/total, currency: 'USD')}"},
//! });
//! let outcome = Evaluator::new(&data).evaluate(&call)?;
//! assert_eq!(outcome, Outcome::Value(json!("Total: $1,234.50")));
//! # Ok::<(), ag_ui_a2ui::evaluate::EvaluateError>(())
//! ```

mod convert;
mod dates;
mod functions;
mod numbers;
mod template;

use serde_json::{Map, Value};

use crate::data::{DataModel, find};
use crate::pointer::is_absolute;

/// Calls and places for values that may stand in each other.
const DEPTH: usize = 100;

/// Works out values against the data of a surface.
#[derive(Debug, Clone)]
pub struct Evaluator<'d> {
    data: &'d DataModel,
    scope: Option<&'d Value>,
    index: Option<usize>,
}

/// What a value comes to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// A value; null where the data have none.
    Value(Value),
    /// Something that a renderer would do, which is not done here.
    Effect {
        /// The function.
        name: String,
        /// Its arguments, worked out.
        args: Map<String, Value>,
    },
}

/// Why a value comes to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// There is no such function.
    #[error("there is no function `{0}`")]
    UnknownFunction(String),
    /// A function lacks an argument.
    #[error("`{function}` needs the argument `{argument}`")]
    #[non_exhaustive]
    MissingArgument {
        /// The function.
        function: String,
        /// The argument.
        argument: &'static str,
    },
    /// An argument cannot be used.
    #[error("`{function}`: {problem}")]
    #[non_exhaustive]
    Argument {
        /// The function.
        function: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A text with places for values is malformed.
    #[error("at character {at} of the text: {problem}")]
    #[non_exhaustive]
    Template {
        /// Where, in characters from zero.
        at: usize,
        /// What is wrong there.
        problem: String,
    },
    /// Calls stand in each other too often.
    #[error("calls are nested more than {DEPTH} levels deep")]
    TooDeep,
}

impl<'d> Evaluator<'d> {
    /// For components that are in no list.
    #[must_use]
    pub fn new(data: &'d DataModel) -> Self {
        Self { data, scope: None, index: None }
    }

    /// For components that are drawn for an item of a list: relative pointers begin there. `None`
    /// when the list has no such item.
    #[must_use]
    pub fn for_item(&self, list: &str, index: usize) -> Option<Self> {
        let item = self.find(list)?.as_array()?.get(index)?;
        Some(Self { data: self.data, scope: Some(item), index: Some(index) })
    }

    /// Works out a value: a literal stays as it is, a binding becomes what the data have, a call
    /// what its function gives.
    ///
    /// # Errors
    /// When a function is unknown, lacks an argument, or cannot use one.
    pub fn evaluate(&self, value: &Value) -> Result<Outcome, EvaluateError> {
        self.at_depth(value, 0)
    }

    fn at_depth(&self, value: &Value, depth: usize) -> Result<Outcome, EvaluateError> {
        if depth > DEPTH {
            return Err(EvaluateError::TooDeep);
        }
        let Value::Object(members) = value else { return Ok(Outcome::Value(value.clone())) };
        match (members.get("call"), members.get("path")) {
            (Some(Value::String(name)), _) => {
                let none = Map::new();
                let args = members.get("args").and_then(Value::as_object).unwrap_or(&none);
                let args = args
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), self.value(value, depth + 1)?)))
                    .collect::<Result<Map<_, _>, EvaluateError>>()?;
                functions::call(self, name, args, depth)
            }
            (None, Some(Value::String(path))) => {
                Ok(Outcome::Value(self.find(path).cloned().unwrap_or_default()))
            }
            _ => Ok(Outcome::Value(value.clone())),
        }
    }

    /// A value, where nothing can be done but that.
    fn value(&self, value: &Value, depth: usize) -> Result<Value, EvaluateError> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.value(item, depth + 1)).collect(),
            other => match self.at_depth(other, depth)? {
                Outcome::Value(value) => Ok(value),
                Outcome::Effect { name, .. } => Err(EvaluateError::Argument {
                    function: name,
                    problem: "it gives nothing that could be an argument".to_owned(),
                }),
            },
        }
    }

    fn find(&self, path: &str) -> Option<&'d Value> {
        match self.scope {
            Some(scope) if !is_absolute(path) => find(scope, path),
            _ => self.data.get(path),
        }
    }
}
