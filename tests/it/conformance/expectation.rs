//! What a stream asks for, and what came.

use ag_ui::client::RunEnd;
use serde_json::Value;

use super::wording;

/// What came of a stream.
#[derive(Debug, Default)]
pub(super) struct Observed {
    pub(super) ends: Vec<RunEnd>,
    pub(super) error: Option<(&'static str, String)>,
    pub(super) run_errors: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) messages: Vec<Value>,
    pub(super) state: Option<Value>,
    pub(super) request: Value,
    pub(super) events: Vec<Value>,
}

impl Observed {
    /// Where it is not what is asked for.
    pub(super) fn differences(&self, stream: &str, expect: &Value) -> Vec<String> {
        let mut found = Vec::new();
        if self.ends.len() != 1 {
            found.push(format!("{} ends: {:?}", self.ends.len(), self.ends));
        }
        for (key, value) in expect.as_object().unwrap() {
            if let Some(difference) = self.difference(stream, key, value) {
                found.push(format!("{key}: {difference}"));
            }
        }
        found
    }

    fn difference(&self, stream: &str, key: &str, value: &Value) -> Option<String> {
        let wrong = |is_wrong: bool, shown: &dyn std::fmt::Debug| {
            is_wrong.then(|| format!("expected {value}, got {shown:?}"))
        };
        let types = || -> Vec<&str> {
            self.events.iter().map(|event| event["type"].as_str().unwrap()).collect()
        };
        match key {
            "outcome" => {
                let outcome = if self.error.is_some() { "failed" } else { "completed" };
                wrong(outcome != value, &self.error)
            }
            "messageCount" => {
                wrong(value.as_u64() != Some(self.messages.len() as u64), &self.messages)
            }
            "messages" => {
                let messages = Value::from(self.messages.clone());
                wrong(!is_within(value, &messages), &self.messages)
            }
            "state" => wrong(
                !self.state.as_ref().is_some_and(|state| is_within(value, state)),
                &self.state,
            ),
            "request" => wrong(!is_within(value, &self.request), &self.request),
            "requestAbsentPaths" => {
                let present = |path: &Value| at(&self.request, path.as_str().unwrap()).is_some();
                wrong(value.as_array().unwrap().iter().any(present), &self.request)
            }
            "runError" => {
                wrong(!self.run_errors.iter().any(|error| *error == *value), &self.run_errors)
            }
            "noWarnings" => wrong(*value == true && !self.warnings.is_empty(), &self.warnings),
            "warnings" if *value == Value::Array(Vec::new()) => None,
            "warnings" => {
                let wording = wording::of(stream);
                let said =
                    |text: &&&str| !self.warnings.iter().any(|warning| warning.contains(**text));
                let missing: Vec<_> = wording.names.iter().filter(said).collect();
                wrong(!missing.is_empty(), &(missing, &self.warnings))
            }
            "errorContains" => {
                let wording = wording::of(stream);
                let Some((code, text)) = &self.error else { return wrong(true, &"no error") };
                let missing: Vec<_> =
                    wording.names.iter().filter(|name| !text.contains(**name)).collect();
                wrong(Some(*code) != wording.code || !missing.is_empty(), &(code, missing, text))
            }
            "eventTypes" => wrong(Value::from(types()) != *value, &types()),
            "eventTypesAbsent" => {
                let absent = value.as_array().unwrap();
                wrong(types().iter().any(|name| absent.contains(&Value::from(*name))), &types())
            }
            "eventPaths" => {
                let events = Value::from(self.events.clone());
                let paths = value.as_object().unwrap();
                let differs = |(path, value): (&String, &Value)| {
                    !at(&events, path).is_some_and(|found| is_within(value, found))
                };
                wrong(paths.iter().any(differs), &self.events)
            }
            "eventAbsentPaths" => {
                let events = Value::from(self.events.clone());
                let present = |path: &Value| at(&events, path.as_str().unwrap()).is_some();
                wrong(value.as_array().unwrap().iter().any(present), &self.events)
            }
            unread => panic!("{stream}: nothing reads the expectation `{unread}`"),
        }
    }
}

/// Whether everything that is asked for is there; lists have to be of one length.
fn is_within(asked: &Value, found: &Value) -> bool {
    match (asked, found) {
        (Value::Object(asked), Value::Object(found)) => asked
            .iter()
            .all(|(key, value)| found.get(key).is_some_and(|found| is_within(value, found))),
        (Value::Array(asked), Value::Array(found)) => {
            asked.len() == found.len()
                && asked.iter().zip(found).all(|(asked, found)| is_within(asked, found))
        }
        (asked, found) => asked == found,
    }
}

/// The value at a path of keys and indexes with dots between.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, token| match value {
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        value => value.get(token),
    })
}
