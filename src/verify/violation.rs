//! What is wrong with a stream.

use std::fmt;

use super::rule::Rule;
use crate::{EventType, SubagentRunId};

/// An event that breaks a rule of the order of events: which rule, where, and what to do.
///
/// ```
/// use ag_ui::verify::{EventVerifier, Rule};
/// use ag_ui::Event;
///
/// let mut verifier = EventVerifier::new();
/// verifier.verify(&Event::run_started("t-1", "r-1"))?;
/// let violation = verifier.verify(&Event::text_message_content("m-1", "Hello")).unwrap_err();
/// assert_eq!(violation.rule(), Rule::UnknownId);
/// assert_eq!((violation.event_index(), violation.id()), (1, Some("m-1")));
/// assert!(violation.to_string().starts_with(
///     "event 1, TEXT_MESSAGE_CONTENT, breaks unknown-id: no message `m-1` was started; \
///      emit TEXT_MESSAGE_START first",
/// ));
/// # Ok::<(), ag_ui::verify::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    fault: Fault,
    event_index: u64,
    event_type: Option<EventType>,
    /// What else was open, in builds that are for finding faults.
    open: Option<String>,
}

/// A violation before it is known where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Rule,
    pub(crate) id: Option<String>,
    pub(crate) owner: Option<SubagentRunId>,
    pub(crate) advice: String,
}

impl Fault {
    pub(crate) fn new(rule: Rule, advice: impl Into<String>) -> Self {
        Self { rule, id: None, owner: None, advice: advice.into() }
    }

    pub(crate) fn of(mut self, id: impl AsRef<str>) -> Self {
        self.id = Some(id.as_ref().to_owned());
        self
    }

    pub(crate) fn by(mut self, owner: Option<&SubagentRunId>) -> Self {
        self.owner = owner.cloned();
        self
    }

    #[cold]
    pub(crate) fn at(
        self,
        event_index: u64,
        event_type: Option<EventType>,
        open: Option<String>,
    ) -> Violation {
        Violation(Box::new(Inner { fault: self, event_index, event_type, open }))
    }
}

impl Violation {
    /// The rule that is broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.0.fault.rule
    }

    /// Place of the event in the stream, from zero; at the end of the stream, the number of events.
    #[must_use]
    pub fn event_index(&self) -> u64 {
        self.0.event_index
    }

    /// The same violation where a reader counts otherwise, as before chunks were expanded.
    #[cfg(feature = "client")]
    pub(crate) fn with_event_index(mut self, event_index: u64) -> Self {
        self.0.event_index = event_index;
        self
    }

    /// Type of the event; `None` at the end of the stream.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        self.0.event_type
    }

    /// Id of what the event is about: a message, a tool call, a subagent, or the name of a step.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.fault.id.as_deref()
    }

    /// The subagent that the event names.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        self.0.fault.owner.as_ref()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { fault, event_index, event_type, open } = &*self.0;
        match event_type {
            Some(event_type) => write!(formatter, "event {event_index}, {event_type},")?,
            None => write!(formatter, "the end after {event_index} events")?,
        }
        write!(formatter, " breaks {}: {}", fault.rule, fault.advice)?;
        match open {
            Some(open) => write!(formatter, " (open: {open})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Violation {}
