//! What a check finds.

use std::fmt;

use crate::docs::Item;
use crate::{overlay, repairs};

/// One line of a check's list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The recorded model differs from what the sources say.
    Drift(String),
    /// A repair changes nothing any more.
    Repair(repairs::Stale),
    /// An overlay entry does not apply.
    Overlay(overlay::Stale),
    /// Something has no text.
    NoText(Item),
    /// A text describes what does not exist.
    StaleText(Item),
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drift(difference) => formatter.write_str(difference),
            Self::Repair(stale) => {
                write!(formatter, "repair no longer applies: {}: {}", stale.repair, stale.reason)
            }
            Self::Overlay(stale) => {
                write!(formatter, "overlay entry does not apply: {}: {}", stale.entry, stale.reason)
            }
            Self::NoText(item) => write!(formatter, "text missing: {item}"),
            Self::StaleText(item) => write!(formatter, "text describes nothing: {item}"),
        }
    }
}
