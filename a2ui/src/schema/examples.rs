//! Examples for a model, from files.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Why examples cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// A pattern for paths is none.
    #[error("`{pattern}` is no pattern for paths: {problem}")]
    #[non_exhaustive]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    #[non_exhaustive]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no JSON, or does not validate.
    #[error("Failed to validate example {}: {problem}", path.display())]
    #[non_exhaustive]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// What is asked about the JSON of an example: what is wrong with it, if anything is.
pub type ExampleCheck<'c> = &'c dyn Fn(&Value) -> Result<(), String>;

/// Reads examples: the `*.json` of a directory, or what a pattern names (`*`, `?`, `[1-3]`, `[!a]`,
/// `**` for any number of directories). Each stands between marks that name its file, in the order
/// of the paths. What is not there gives no examples.
///
/// `check` is asked about each file's JSON, if it is given; then a file also has to be JSON.
///
/// # Errors
/// When a pattern is none, a file cannot be read, or does not pass the check.
pub fn load_examples(
    path: impl AsRef<Path>,
    check: Option<ExampleCheck<'_>>,
) -> Result<String, ExampleError> {
    let mut examples = Vec::new();
    for path in files(path.as_ref())? {
        let read = std::fs::read_to_string(&path);
        let text = read.map_err(|source| ExampleError::Read { path: path.clone(), source })?;
        if let Some(check) = check {
            let value = serde_json::from_str(&text).map_err(|error| error.to_string());
            let checked = value.and_then(|value: Value| check(&value));
            checked.map_err(|problem| ExampleError::Invalid { path: path.clone(), problem })?;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        examples.push(format!("---BEGIN {name}---\n{}\n---END {name}---", text.trim_end()));
    }
    Ok(examples.join("\n\n"))
}

fn files(path: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let pattern = path.to_string_lossy();
    let pattern = if path.is_dir() {
        format!("{}/*.json", glob::Pattern::escape(&pattern))
    } else {
        pattern.into_owned()
    };
    let found = glob::glob(&pattern).map_err(|error| ExampleError::Pattern {
        pattern: pattern.clone(),
        problem: error.to_string(),
    })?;
    let mut files: Vec<PathBuf> =
        found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}
