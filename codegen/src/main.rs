//! The maintainers' tool; see `--help`.

use std::error::Error as _;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let result = ag_ui_codegen::run(std::env::args_os().skip(1), &mut out);
    let Err(error) = result else { return ExitCode::SUCCESS };
    let mut message = format!("error: {error}");
    let mut cause = error.source();
    while let Some(source) = cause {
        message.push_str(&format!("\n  because: {source}"));
        cause = source.source();
    }
    // Nothing is left to do where even this cannot be written.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(error.exit_code())
}
