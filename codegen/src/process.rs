//! Runs the ordinary clients: npm, cargo and git.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fmt, io};

/// A client could not be run, or did not succeed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It could not be started.
    #[error("cannot start `{command}`; is it installed?")]
    Start {
        /// The command line.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It failed.
    #[error("`{command}` failed\n{output}")]
    Failed {
        /// The command line.
        command: String,
        /// What it wrote to standard error.
        output: String,
    },
}

/// Runs a program to its end and returns what it wrote to standard output.
///
/// # Errors
///
/// When it cannot be started or fails.
pub(crate) fn run(
    program: &str,
    arguments: &[impl AsRef<OsStr>],
    directory: &Path,
) -> Result<String, Error> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    let words = || Line(program, arguments).to_string();
    let output = command.output().map_err(|source| Error::Start { command: words(), source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let output = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(Error::Failed { command: words(), output })
}

struct Line<'l, A>(&'l str, &'l [A]);

impl<A: AsRef<OsStr>> fmt::Display for Line<'_, A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)?;
        self.1.iter().try_for_each(|word| write!(formatter, " {}", word.as_ref().to_string_lossy()))
    }
}
