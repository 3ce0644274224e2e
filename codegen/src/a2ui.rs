//! The basic catalog of A2UI: what upstream says, with our own text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ag_ui_codegen_emit::a2ui::model::{Catalog, Property, Shape};
use ag_ui_codegen_emit::a2ui::{CatalogError, read, to_document};
use serde_json::Value;

use crate::error::Error;
use crate::finding::Finding;

/// The document that the types of the basic catalog are emitted from.
pub const DOCUMENT: &str = "a2ui/schema/basic.json";
/// Our texts.
pub const DOCS: &str = "a2ui/schema/basic.docs.toml";
/// The document of upstream, where it is vendored.
const UPSTREAM: &str = "npm/@a2ui/web_core/0.11.0/src/v0_9/schemas/catalogs/basic/catalog.json";

/// The document as it should be, and what is wrong with the texts.
#[derive(Debug)]
pub struct Computed {
    /// The text of the file.
    pub text: String,
    /// Texts that are missing, or describe nothing.
    pub findings: Vec<Finding>,
}

/// Computes the document from the vendored one and our texts.
///
/// # Errors
/// When a file is missing or is not what it has to be.
pub fn compute(root: &Path, vendor: &Path) -> Result<Computed, Error> {
    let upstream = vendor.join(UPSTREAM);
    let mut catalog = read_catalog(&upstream)?;
    let path = root.join(DOCS);
    let docs = read_text(&path)?;
    let docs: BTreeMap<String, String> =
        toml::from_str(&docs).map_err(|error| Error::Catalog(format!("{DOCS}: {error}")))?;
    let findings = describe(&mut catalog, &docs);
    let mut text = serde_json::to_string_pretty(&to_document(&catalog)).map_err(Error::Text)?;
    text.push('\n');
    Ok(Computed { text, findings })
}

/// The document on file.
///
/// # Errors
/// When it cannot be read.
pub fn recorded(root: &Path) -> Result<String, Error> {
    read_text(&root.join(DOCUMENT))
}

/// What the document on file and the computed one say differently, a line each.
#[must_use]
pub fn differences(recorded: &str, computed: &str) -> Vec<Finding> {
    if recorded == computed {
        return Vec::new();
    }
    let leaves = |text: &str| {
        let mut leaves = BTreeMap::new();
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let mut pending = vec![(String::new(), &value)];
        while let Some((path, value)) = pending.pop() {
            match value {
                Value::Object(fields) => {
                    pending
                        .extend(fields.iter().map(|(key, value)| (format!("{path}/{key}"), value)));
                }
                Value::Array(items) => {
                    pending.extend(
                        items.iter().enumerate().map(|(at, value)| (format!("{path}/{at}"), value)),
                    );
                }
                leaf => drop(leaves.insert(path, leaf.to_string())),
            }
        }
        leaves
    };
    let (recorded, computed) = (leaves(recorded), leaves(computed));
    let paths: BTreeSet<&String> = recorded.keys().chain(computed.keys()).collect();
    let mut found: Vec<Finding> = paths
        .into_iter()
        .filter(|path| recorded.get(*path) != computed.get(*path))
        .map(|path| {
            let side = |leaves: &BTreeMap<String, String>| {
                leaves.get(path).cloned().unwrap_or_else(|| "nothing".to_owned())
            };
            let line = format!(
                "{DOCUMENT}{path}: {} on file, {} upstream",
                side(&recorded),
                side(&computed)
            );
            Finding::Drift(line)
        })
        .collect();
    if found.is_empty() {
        found.push(Finding::Drift(format!(
            "{DOCUMENT}: says the same in another form; run `model`"
        )));
    }
    found
}

fn read_text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read { path: PathBuf::from(path), source })
}

fn read_catalog(path: &Path) -> Result<Catalog, Error> {
    let text = read_text(path)?;
    let document = serde_json::from_str(&text).map_err(CatalogError::NotJson);
    let catalog = document.and_then(|document: Value| read(&document));
    catalog.map_err(|error| Error::Catalog(format!("{}: {error}", path.display())))
}

/// Puts our texts in place of upstream's.
fn describe(catalog: &mut Catalog, docs: &BTreeMap<String, String>) -> Vec<Finding> {
    let mut texts = Texts { docs, used: BTreeSet::new(), findings: Vec::new() };
    texts.put("catalog".to_owned(), &mut catalog.docs);
    texts.properties("common.", "", &mut catalog.common);
    for component in &mut catalog.components {
        texts.put(component.name.clone(), &mut component.docs);
        texts.properties(&format!("{}.", component.name), "", &mut component.properties);
    }
    for function in &mut catalog.functions {
        texts.put(format!("{}()", function.name), &mut function.docs);
        texts.properties(&format!("{}(", function.name), ")", &mut function.arguments);
    }
    texts.properties("theme.", "", &mut catalog.theme);
    let stale = docs.keys().filter(|key| !texts.used.contains(*key));
    let stale: Vec<Finding> =
        stale.map(|key| Finding::Drift(format!("{DOCS}: `{key}` describes nothing"))).collect();
    texts.findings.extend(stale);
    texts.findings
}

struct Texts<'d> {
    docs: &'d BTreeMap<String, String>,
    used: BTreeSet<String>,
    findings: Vec<Finding>,
}

impl Texts<'_> {
    fn put(&mut self, key: String, docs: &mut String) {
        match self.docs.get(&key) {
            Some(text) => text.clone_into(docs),
            None => {
                docs.clear();
                self.findings.push(Finding::Drift(format!("{DOCS}: `{key}` has no text")));
            }
        }
        self.used.insert(key);
    }

    fn properties(&mut self, before: &str, after: &str, properties: &mut [Property]) {
        for property in properties {
            let key = format!("{before}{}", property.name);
            self.put(format!("{key}{after}"), &mut property.docs);
            self.shape(&key, &mut property.shape);
        }
    }

    fn shape(&mut self, key: &str, shape: &mut Shape) {
        match shape {
            Shape::List { item, .. } => self.shape(key, item),
            Shape::Object(members) => self.properties(&format!("{key}."), "", members),
            Shape::OneOf(shapes) => shapes.iter_mut().for_each(|shape| self.shape(key, shape)),
            _ => {}
        }
    }
}
