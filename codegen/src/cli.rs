//! The command line.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use lexopt::prelude::*;

use crate::a2ui;
use crate::check::{check, check_latest};
use crate::error::Error;
use crate::finding::Finding;
use crate::pipeline::to_text;
use crate::project::Project;
use crate::vendor::{self, Fetched};

const HELP: &str = "\
Reads the upstream protocol sources into the model that the types of `ag-ui` are generated from.

Usage: cargo run -p ag-ui-codegen -- [--root DIR] <command>

Commands:
  vendor [--mirror DIR]  Fetch what vendor/upstream.toml pins, check it, and unpack the listed
                         files. DIR, or AG_UI_VENDOR_MIRROR, holds the git sources under
                         NAME/VERSION.
  model                  Rewrite schema/ag-ui.json and a2ui/schema/basic.json from the vendored
                         files, the overlay and the texts.
  check                  Compare both with the vendored files, and list every difference and
                         every item without a text.
  check --latest         The same against the newest release that the registry has.
  expand                 Print the Rust that is generated from schema/ag-ui.json.

Options:
  --root DIR             The repository; by default the one around the current directory.
  -h, --help             Print this.

Exit status: 0 when all is well, 1 when a check found something, 2 when the repository or the
input does not allow an answer.
";

/// The environment variable that names a mirror.
const MIRROR: &str = "AG_UI_VENDOR_MIRROR";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    Help,
    Vendor { mirror: Option<PathBuf> },
    Model { allow_missing_docs: bool },
    Check { latest: bool },
    Expand,
}

/// Runs the command that the arguments, without the program's own name, ask for.
///
/// # Errors
///
/// See [`Error`]; what a check found has been written to `out` by then.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (root, command) = parse(arguments).map_err(|error| Error::Usage(error.to_string()))?;
    let project = || match root {
        Some(root) => Project::at(&root),
        None => {
            let path = PathBuf::from(".");
            let current = std::env::current_dir().map_err(|source| Error::Read { path, source });
            Project::around(&current?)
        }
    };
    match command {
        Command::Help => say(out, HELP.trim_end()),
        Command::Vendor { mirror } => fetch_all(&project()?, mirror.as_deref(), out),
        Command::Model { allow_missing_docs } => write_model(&project()?, allow_missing_docs, out),
        Command::Check { latest: false } => {
            let project = project()?;
            let mut findings = check(&project)?;
            findings.extend(check_catalog(&project)?);
            if findings.is_empty() {
                return say(out, "the models are what the vendored files say");
            }
            report(&findings, out)
        }
        Command::Check { latest: true } => report_latest(&project()?, out),
        Command::Expand => {
            let text = ag_ui_codegen_emit::emit_ag_ui(&project()?.recorded()?)?;
            write!(out, "{text}").map_err(Error::Output)
        }
    }
}

fn parse(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Option<PathBuf>, Command), lexopt::Error> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let (mut root, mut command) = (None, None);
    while let Some(argument) = parser.next()? {
        match (argument, &mut command) {
            (Short('h') | Long("help"), _) => return Ok((root, Command::Help)),
            (Long("root"), _) => root = Some(parser.value()?.into()),
            (Long("mirror"), Some(Command::Vendor { mirror })) => {
                *mirror = Some(parser.value()?.into());
            }
            (Long("allow-missing-docs"), Some(Command::Model { allow_missing_docs })) => {
                *allow_missing_docs = true;
            }
            (Long("latest"), Some(Command::Check { latest })) => *latest = true,
            (Value(name), None) => command = Some(named(&name.string()?)?),
            (argument, _) => return Err(argument.unexpected()),
        }
    }
    Ok((root, command.unwrap_or(Command::Help)))
}

fn named(command: &str) -> Result<Command, lexopt::Error> {
    match command {
        "vendor" => {
            let mirror = std::env::var_os(MIRROR).filter(|path| !path.is_empty());
            Ok(Command::Vendor { mirror: mirror.map(PathBuf::from) })
        }
        "model" => Ok(Command::Model { allow_missing_docs: false }),
        "check" => Ok(Command::Check { latest: false }),
        "expand" => Ok(Command::Expand),
        other => Err(format!("there is no command `{other}`").into()),
    }
}

fn fetch_all(project: &Project, mirror: Option<&Path>, out: &mut dyn Write) -> Result<(), Error> {
    for pin in &project.upstream()?.sources {
        match vendor::fetch(pin, mirror)? {
            Fetched::Files(files) => {
                vendor::store(&project.vendor(), pin, &files)?;
                let count = files.len();
                say(out, &format!("{} {}: {count} files", pin.name, pin.version))?;
            }
            Fetched::Skipped(reason) => say(out, &format!("skipped: {reason}"))?,
        }
    }
    Ok(())
}

fn write_model(
    project: &Project,
    allow_missing_docs: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let computed = project.compute(project.releases()?)?;
    let mut findings = computed.findings;
    if allow_missing_docs {
        findings.retain(|finding| !matches!(finding, Finding::NoText(_)));
    }
    if !findings.is_empty() {
        say(out, "the model is not written, for these reasons:")?;
        return report(&findings, out);
    }
    let text = to_text(&computed.model).map_err(Error::Text)?;
    let path = project.model_path();
    let same = project.recorded_text()?.as_deref() == Some(text.as_str());
    if !same {
        fs::write(&path, text).map_err(|source| Error::Write { path, source })?;
    }
    let outcome = if same { "unchanged" } else { "rewritten" };
    say(out, &format!("schema/ag-ui.json: {} types, {outcome}", computed.model.types.len()))?;
    write_catalog(project, out)
}

/// Whether the repository has the catalog of A2UI.
fn has_catalog(project: &Project) -> bool {
    project.root().join(a2ui::DOCS).is_file()
}

fn write_catalog(project: &Project, out: &mut dyn Write) -> Result<(), Error> {
    if !has_catalog(project) {
        return Ok(());
    }
    let computed = a2ui::compute(project.root(), &project.vendor())?;
    if !computed.findings.is_empty() {
        say(out, "the catalog is not written, for these reasons:")?;
        return report(&computed.findings, out);
    }
    let path = project.root().join(a2ui::DOCUMENT);
    let same = fs::read_to_string(&path).is_ok_and(|recorded| recorded == computed.text);
    if !same {
        fs::write(&path, computed.text).map_err(|source| Error::Write { path, source })?;
    }
    let outcome = if same { "unchanged" } else { "rewritten" };
    say(out, &format!("{}: {outcome}", a2ui::DOCUMENT))
}

fn check_catalog(project: &Project) -> Result<Vec<Finding>, Error> {
    if !has_catalog(project) {
        return Ok(Vec::new());
    }
    let computed = a2ui::compute(project.root(), &project.vendor())?;
    let mut findings = computed.findings;
    findings.extend(a2ui::differences(&a2ui::recorded(project.root())?, &computed.text));
    Ok(findings)
}

fn report_latest(project: &Project, out: &mut dyn Write) -> Result<(), Error> {
    let newer = check_latest(project)?;
    if newer.is_empty() {
        return say(out, "every pinned package is at its newest release");
    }
    // Differences that are there already would hide in the list of new ones.
    let findings = check(project)?;
    if !findings.is_empty() {
        say(out, "there is a newer release, and the pinned ones differ already:")?;
        return report(&findings, out);
    }
    let mut all = Vec::new();
    for found in newer {
        let line = format!("{} {} is out, {} is pinned:", found.name, found.version, found.pinned);
        say(out, &line)?;
        for finding in &found.findings {
            say(out, &format!("  {finding}"))?;
        }
        all.extend(found.findings);
    }
    Err(Error::Findings { count: all.len() })
}

fn report(findings: &[Finding], out: &mut dyn Write) -> Result<(), Error> {
    for finding in findings {
        say(out, &finding.to_string())?;
    }
    Err(Error::Findings { count: findings.len() })
}

fn say(out: &mut dyn Write, line: &str) -> Result<(), Error> {
    writeln!(out, "{line}").map_err(Error::Output)
}
