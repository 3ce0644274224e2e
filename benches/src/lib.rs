//! What the benchmarks share: the work, and how it is measured.

mod chatty_run;
mod measure;

pub use chatty_run::chatty_run;
pub use measure::{Contest, Row};
