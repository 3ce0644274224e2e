//! Answers to interrupts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jiff::Timestamp;
use serde_core::Serialize;
use serde_json::{Value, json};

use crate::{Interrupt, InterruptId, ResumeEntry, ResumeStatus};

/// Why answers cannot be sent. Nothing was sent, and the interrupts still wait.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// Some interrupts have no answer. The protocol wants all of them answered at once.
    #[error(
        "interrupts wait for an answer: {}; answer or cancel each of them in one `Session::resume`, \
         or give them up with `Session::drop_interrupts`",
        list(.0)
    )]
    Missing(Vec<InterruptId>),
    /// An answer is to something that nobody asked.
    #[error("nobody asked `{id}`; what waits is {}", list(.waiting))]
    #[non_exhaustive]
    Unknown {
        /// The id.
        id: InterruptId,
        /// What was asked.
        waiting: Vec<InterruptId>,
    },
    /// An interrupt has more than one answer.
    #[error("`{0}` is answered more than once")]
    Repeated(InterruptId),
    /// An interrupt can only be cancelled any more.
    #[error("`{id}` expired at {at}; it can only be cancelled")]
    #[non_exhaustive]
    Expired {
        /// The interrupt.
        id: InterruptId,
        /// When it expired, as the agent wrote it.
        at: String,
    },
    /// An answer is not what the agent asked for.
    #[error("the answer to `{id}` is not what the agent asked for: {reason}")]
    #[non_exhaustive]
    Schema {
        /// The interrupt.
        id: InterruptId,
        /// What is wrong, and where.
        reason: String,
    },
    /// An answer has no JSON form.
    #[error("the answer to `{id}` has no JSON form: {source}")]
    #[non_exhaustive]
    Serialization {
        /// The interrupt.
        id: InterruptId,
        /// Why.
        source: serde_json::Error,
    },
}

fn list(ids: &[InterruptId]) -> String {
    if ids.is_empty() {
        return "nothing".to_owned();
    }
    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    ids.join(", ")
}

/// Answers to the interrupts of a run, checked when they are [built](Self::build).
///
/// ```
/// use ag_ui::Interrupt;
/// use ag_ui::client::Answers;
///
/// let interrupts = [Interrupt::new("i-1", "approval"), Interrupt::new("i-2", "address")];
/// let entries = Answers::to(&interrupts)
///     .resolve("i-1", true)?
///     .cancel("i-2")
///     .build()?;
/// assert_eq!(entries.len(), 2);
///
/// let error = Answers::to(&interrupts).cancel("i-1").build().unwrap_err();
/// assert!(error.to_string().contains("`i-2`"));
/// # Ok::<(), ag_ui::client::AnswerError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Answers {
    interrupts: Vec<Interrupt>,
    entries: Vec<ResumeEntry>,
}

impl Answers {
    /// No answers yet, to those interrupts.
    #[must_use]
    pub fn to(interrupts: &[Interrupt]) -> Self {
        Self { interrupts: interrupts.to_vec(), entries: Vec::new() }
    }

    /// Answers an interrupt with a value.
    ///
    /// # Errors
    /// When the value has no JSON form.
    pub fn resolve(
        self,
        id: impl Into<InterruptId>,
        answer: impl Serialize,
    ) -> Result<Self, AnswerError> {
        let id = id.into();
        match serde_json::to_value(answer) {
            Ok(Value::Null) => Ok(self.entry(ResumeEntry::new(id, ResumeStatus::Resolved))),
            Ok(answer) => Ok(self.entry(ResumeEntry::resolved(id, answer))),
            Err(source) => Err(AnswerError::Serialization { id, source }),
        }
    }

    /// Approves a tool call with other arguments: `{"approved": true, "editedArgs": …}`.
    ///
    /// The protocol leaves the form of answers to agents; an agent that wants another says so in
    /// the interrupt's `response_schema`.
    ///
    /// # Errors
    /// When the arguments have no JSON form.
    pub fn resolve_with_edits(
        self,
        id: impl Into<InterruptId>,
        arguments: impl Serialize,
    ) -> Result<Self, AnswerError> {
        let id = id.into();
        let arguments = serde_json::to_value(arguments);
        let arguments =
            arguments.map_err(|source| AnswerError::Serialization { id: id.clone(), source })?;
        self.resolve(id, json!({"approved": true, "editedArgs": arguments}))
    }

    /// Declines to answer an interrupt.
    #[must_use]
    pub fn cancel(self, id: impl Into<InterruptId>) -> Self {
        self.entry(ResumeEntry::cancelled(id))
    }

    /// Declines to answer whatever has no answer yet.
    #[must_use]
    pub fn cancel_rest(mut self) -> Self {
        let answered: BTreeSet<_> =
            self.entries.iter().map(|entry| entry.interrupt_id.clone()).collect();
        let rest = self.interrupts.iter().filter(|interrupt| !answered.contains(&interrupt.id));
        let rest: Vec<_> = rest.map(|interrupt| ResumeEntry::cancelled(&interrupt.id)).collect();
        self.entries.extend(rest);
        self
    }

    /// Adds an answer with everything that one can have.
    #[must_use]
    pub fn entry(mut self, entry: ResumeEntry) -> Self {
        self.entries.push(entry);
        self
    }

    /// The answers in the order of the interrupts.
    ///
    /// # Errors
    /// When an interrupt has no answer or several, an answer belongs to no interrupt, or is not
    /// what the interrupt's `response_schema` asks for (feature `jsonschema`). Whether an interrupt
    /// has expired is checked when the answers are sent.
    pub fn build(self) -> Result<Vec<ResumeEntry>, AnswerError> {
        check(&self.interrupts, &self.entries, None)?;
        let mut entries: BTreeMap<_, _> =
            self.entries.into_iter().map(|entry| (entry.interrupt_id.clone(), entry)).collect();
        Ok(self.interrupts.iter().filter_map(|interrupt| entries.remove(&interrupt.id)).collect())
    }
}

/// What the protocol demands of answers.
pub(super) fn check(
    interrupts: &[Interrupt],
    entries: &[ResumeEntry],
    now: Option<SystemTime>,
) -> Result<(), AnswerError> {
    let asked: BTreeMap<_, _> =
        interrupts.iter().map(|interrupt| (&interrupt.id, interrupt)).collect();
    let mut answered = BTreeSet::new();
    for entry in entries {
        let id = &entry.interrupt_id;
        let Some(interrupt) = asked.get(id) else {
            let waiting = interrupts.iter().map(|interrupt| interrupt.id.clone()).collect();
            return Err(AnswerError::Unknown { id: id.clone(), waiting });
        };
        if !answered.insert(id) {
            return Err(AnswerError::Repeated(id.clone()));
        }
        if entry.status == ResumeStatus::Resolved {
            check_expiry(interrupt, now)?;
            check_schema(interrupt, entry)?;
        }
    }
    let missing = interrupts.iter().map(|interrupt| &interrupt.id);
    let missing: Vec<_> = missing.filter(|id| !answered.contains(id)).cloned().collect();
    if missing.is_empty() { Ok(()) } else { Err(AnswerError::Missing(missing)) }
}

fn check_expiry(interrupt: &Interrupt, now: Option<SystemTime>) -> Result<(), AnswerError> {
    let (Some(at), Some(now)) = (&interrupt.expires_at, now) else { return Ok(()) };
    // What cannot be read as a time never expires.
    let (Ok(time), Ok(now)) = (at.parse::<Timestamp>(), Timestamp::try_from(now)) else {
        return Ok(());
    };
    if time > now {
        return Ok(());
    }
    Err(AnswerError::Expired { id: interrupt.id.clone(), at: at.clone() })
}

#[cfg(feature = "jsonschema")]
fn check_schema(interrupt: &Interrupt, entry: &ResumeEntry) -> Result<(), AnswerError> {
    let Some(schema) = &interrupt.response_schema else { return Ok(()) };
    let schema = Value::Object(schema.clone());
    // A schema that is none says nothing about the answer: the agent has to cope with what it gets.
    let Ok(validator) = jsonschema::validator_for(&schema) else { return Ok(()) };
    let payload = entry.payload.as_ref().unwrap_or(&Value::Null);
    validator.validate(payload).map_err(|error| AnswerError::Schema {
        id: interrupt.id.clone(),
        reason: match error.instance_path().to_string() {
            path if path.is_empty() => error.to_string(),
            path => format!("at {path}: {error}"),
        },
    })
}

#[cfg(not(feature = "jsonschema"))]
fn check_schema(_interrupt: &Interrupt, _entry: &ResumeEntry) -> Result<(), AnswerError> {
    Ok(())
}
