//! The drift check.

use crate::drift::differences;
use crate::error::Error;
use crate::extract::SourceFile;
use crate::finding::Finding;
use crate::pipeline::to_text;
use crate::project::{Project, part, release};
use crate::upstream::{Kind, Pin};
use crate::vendor::{self, Fetched, File};

/// Compares the model on file with what the vendored sources say, in both directions.
///
/// # Errors
///
/// Files that are missing or wrong.
pub fn check(project: &Project) -> Result<Vec<Finding>, Error> {
    let recorded = project.recorded()?;
    let computed = project.compute(project.releases()?)?;
    let mut findings = computed.findings;
    let drift = differences(&recorded, &computed.model);
    if drift.is_empty() {
        let text = to_text(&computed.model).map_err(Error::Text)?;
        if project.recorded_text()?.as_deref() != Some(text.as_str()) {
            let line = "schema/ag-ui.json: says the same in another form; run `model`";
            findings.push(Finding::Drift(line.into()));
        }
    }
    findings.extend(drift.into_iter().map(Finding::Drift));
    Ok(findings)
}

/// A release newer than every pinned one.
#[derive(Debug)]
pub struct Newer {
    /// The package.
    pub name: String,
    /// The newest pinned version.
    pub pinned: String,
    /// The newer version.
    pub version: String,
    /// What the model would change.
    pub findings: Vec<Finding>,
}

/// Asks the registry for newer releases, and compares the model on file with the one they would
/// make.
///
/// # Errors
///
/// A registry that does not answer, files that are missing or wrong, forms that no reader knows.
pub fn check_latest(project: &Project) -> Result<Vec<Newer>, Error> {
    let upstream = project.upstream()?;
    let mut found = Vec::new();
    for pin in upstream.sources.iter().filter(|pin| pin.kind == Kind::Npm) {
        let later = |other: &&Pin| other.name == pin.name && other.is_later_than(pin);
        if upstream.sources.iter().any(|other| later(&other)) {
            continue;
        }
        let newest = vendor::newest(&pin.name)?;
        let candidate =
            Pin { version: newest.version, integrity: Some(newest.integrity), ..pin.clone() };
        if candidate.is_later_than(pin) {
            let files = match vendor::fetch(&candidate, None)? {
                Fetched::Files(files) => files,
                Fetched::Skipped(_) => Vec::new(),
            };
            let findings = would_change(project, &candidate, files)?;
            let (name, pinned) = (pin.name.clone(), pin.version.clone());
            found.push(Newer { name, pinned, version: candidate.version, findings });
        }
    }
    Ok(found)
}

/// What the model on file would change with one more release on top of the pinned ones.
///
/// # Errors
///
/// Files that are missing or wrong, forms that no reader knows.
pub fn would_change(
    project: &Project,
    candidate: &Pin,
    files: Vec<File>,
) -> Result<Vec<Finding>, Error> {
    let Some(part) = part(candidate) else { return Ok(Vec::new()) };
    let files: Vec<SourceFile> = files.into_iter().map(source_file).collect();
    let mut releases = project.releases()?;
    releases.push(release(candidate, part, &files)?);
    let computed = project.compute(releases)?;
    let mut findings = computed.findings;
    let drift = differences(&project.recorded()?, &computed.model);
    findings.extend(drift.into_iter().map(Finding::Drift));
    Ok(findings)
}

fn source_file(file: File) -> SourceFile {
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    SourceFile { path: file.path, text }
}
