//! The rules by name.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;

macro_rules! rules {
    ($($variant:ident = $name:literal: $sentence:literal;)*) => {
        /// A rule of the order of events. Names are stable.
        ///
        /// ```
        /// use ag_ui::verify::Rule;
        ///
        /// assert_eq!(Rule::NotOpen.name(), "not-open");
        /// assert_eq!("not-open".parse(), Ok(Rule::NotOpen));
        /// assert_eq!(Rule::NotOpen.describe(), "Only a block that is open can be added to or closed.");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $(#[doc = $sentence] $variant,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            const NAMES: &'static [&'static str] = &[$($name,)*];

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What the rule says, in a sentence.
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self {
                    $(Self::$variant => $sentence,)*
                }
            }
        }

        impl FromStr for Rule {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                match name {
                    $($name => Ok(Self::$variant),)*
                    _ => Err(UnknownName::new("the rules", name, Self::NAMES)),
                }
            }
        }
    };
}

rules! {
    RunNotStarted = "run-not-started": "A stream begins with RUN_STARTED, or with RUN_ERROR when not even that was possible.";
    RunEnded = "run-ended": "Nothing follows the end of a run but the start of another.";
    DuplicateRunStarted = "duplicate-run-started": "A run starts once; the next one starts when it has ended.";
    DuplicateStart = "duplicate-start": "What is open cannot be opened again.";
    NotOpen = "not-open": "Only a block that is open can be added to or closed.";
    UnknownId = "unknown-id": "A block is opened before anything is added to it.";
    OutOfOrder = "out-of-order": "The result of a tool call follows the end of its arguments.";
    OpenAtFinish = "open-at-finish": "A run finishes when everything in it is closed.";
    OwnerMismatch = "owner-mismatch": "An event that names a subagent belongs to something of that subagent's.";
    SubagentReused = "subagent-reused": "The id of a subagent that has ended stands for no other in the same run.";
    UnknownParent = "unknown-parent": "The parent of a subagent was started before it, in the same run.";
    AmbiguousChunk = "ambiguous-chunk": "A chunk that names neither id nor subagent continues the only open one of its kind.";
    IncompleteChunk = "incomplete-chunk": "A chunk that opens a block has an id, and of a tool call the name of the tool.";
    ChunkConflict = "chunk-conflict": "A chunk that continues a block says of it what the first one said.";
    RunIdMismatch = "run-id-mismatch": "A run finishes with the id that it started with.";
    ThreadIdMismatch = "thread-id-mismatch": "All runs of a stream are of one thread, from start to finish.";
    EmptyInterrupts = "empty-interrupts": "A run that ends in interrupts lists at least one.";
    DuplicateInterrupt = "duplicate-interrupt": "Every interrupt of an outcome has an id of its own.";
    Truncated = "truncated": "A stream goes on until its run has ended.";
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
