//! Whether a surface means something: what JSON Schema cannot say.
//!
//! A schema can say that `children` is a list of strings. It cannot say that each of them names a
//! component that is there, that the tree has a root, or that it comes to an end.
//!
//! ```
//! use ag_ui_a2ui::validate::{ErrorCode, Validator};
//! use ag_ui_a2ui::{Catalog, Component};
//! use serde_json::json;
//!
//! let catalog = Catalog::from_schema(&json!({"components": {
//!     "Card": {"properties": {"child": {"$ref": "common_types.json#/$defs/ComponentId"}}},
//! }}))?;
//! let card = Component::new("root", "Card").with("child", "greeting");
//! let report = Validator::new(&catalog).validate(&[card]);
//! assert_eq!(report.errors[0].code, ErrorCode::UnresolvedChild);
//! assert_eq!(report.errors[0].path, "components[0].child");
//! # Ok::<(), ag_ui_a2ui::CatalogError>(())
//! ```
//!
//! Everything that is wrong is reported, so that a model can put all of it right at once. The work
//! is linear in components and links, and nothing recurses on what a model nested.

mod bindings;
mod depth;
pub(crate) mod entry;
mod envelope;
mod fold;
mod graph;
pub(crate) mod links;
mod options;
mod properties;
mod report;

use std::collections::HashMap;

use serde_json::Value;

pub(crate) use entry::short;
pub use options::ValidateOptions;
pub use report::{ErrorCode, ValidationError, ValidationErrors, ValidationReport};

use self::entry::{Entry, Place};
use self::fold::{Folded, Surface};
use crate::data::DataModel;
use crate::{AgentMessage, Catalog, Component, WireVersion};

/// Validates surfaces against a catalog.
///
/// What a surface comes from decides what is demanded of it. One that is created has to be whole:
/// with a root, and every link leading to a component. An update of one that the renderer holds
/// does not. [`Self::validate_messages`] and [`Self::validate_json_messages`] see for each surface
/// which of the two it is.
#[derive(Debug, Clone)]
pub struct Validator<'c> {
    catalog: &'c Catalog,
    options: ValidateOptions,
    version: WireVersion,
}

impl<'c> Validator<'c> {
    /// A validator for surfaces that have to be whole.
    #[must_use]
    pub fn new(catalog: &'c Catalog) -> Self {
        Self::with_options(catalog, ValidateOptions::default())
    }

    /// A validator for updates of surfaces that the renderer holds.
    #[must_use]
    pub fn incremental(catalog: &'c Catalog) -> Self {
        Self::with_options(catalog, ValidateOptions::incremental_update())
    }

    /// A validator with options of its own.
    #[must_use]
    pub fn with_options(catalog: &'c Catalog, options: ValidateOptions) -> Self {
        Self { catalog, options, version: WireVersion::default() }
    }

    /// Sets the version of the protocol that raw messages are written in. By default v0.9.
    #[must_use]
    pub fn wire_version(mut self, version: WireVersion) -> Self {
        self.version = version;
        self
    }

    /// Validates components without data.
    #[must_use]
    pub fn validate(&self, components: &[Component]) -> ValidationReport {
        self.validate_with(components, None)
    }

    /// Validates components, and that their bindings lead somewhere in the data.
    #[must_use]
    pub fn validate_surface(&self, components: &[Component], data: &Value) -> ValidationReport {
        self.validate_with(components, Some(data))
    }

    fn validate_with(&self, components: &[Component], data: Option<&Value>) -> ValidationReport {
        let mut report = ValidationReport::default();
        let entries: Vec<Entry<'_>> = components
            .iter()
            .enumerate()
            .map(|(index, component)| Entry::of(component, Place::of_list(index)))
            .collect();
        entry::check_duplicates(&entries, &mut report);
        self.validate_entries(&entries, data, &self.options, true, &mut report);
        report
    }

    /// Validates components as they come from a model, which may have no id or no type.
    #[must_use]
    pub fn validate_json(&self, components: &[Value]) -> ValidationReport {
        let mut report = ValidationReport::default();
        let mut entries = Vec::with_capacity(components.len());
        for (index, component) in components.iter().enumerate() {
            entries.extend(Entry::read(
                component,
                Place::of_list(index),
                self.version,
                &mut report,
            ));
        }
        entry::check_duplicates(&entries, &mut report);
        self.validate_entries(&entries, None, &self.options, true, &mut report);
        report
    }

    /// Validates what a stream of messages comes to.
    #[must_use]
    pub fn validate_messages(&self, messages: &[AgentMessage]) -> ValidationReport {
        let mut report = ValidationReport::default();
        let folded = fold::of_messages(messages, &mut report, &self.options);
        self.validate_folded(&folded, &mut report);
        report
    }

    /// Validates a stream of messages as they come from a model: also their envelopes, how deep
    /// their JSON is nested, and how many calls stand in each other's arguments.
    #[must_use]
    pub fn validate_json_messages(&self, messages: &[Value]) -> ValidationReport {
        let mut report = ValidationReport::default();
        depth::check(messages, &self.options, &mut report);
        if self.options.check_envelope {
            envelope::check(messages, self.version, &mut report);
        }
        let folded = fold::of_json(messages, self.version, &mut report, &self.options);
        self.validate_folded(&folded, &mut report);
        report
    }

    fn validate_folded(&self, folded: &Folded<'_>, report: &mut ValidationReport) {
        for surface in folded.surfaces() {
            if surface.components.is_empty() {
                continue;
            }
            let options = self.options_for(surface);
            let data = surface.data.as_ref().map(DataModel::value);
            self.validate_entries(&surface.components, data, &options, false, report);
        }
    }

    /// A surface that is not created here is held by the renderer.
    fn options_for(&self, surface: &Surface<'_>) -> ValidateOptions {
        let mut options = self.options.clone();
        if !surface.is_created {
            options.require_root = false;
            options.allow_dangling_children = true;
        }
        if let Some(root) = surface.root {
            root.clone_into(&mut options.root_id);
        }
        options
    }

    fn validate_entries(
        &self,
        entries: &[Entry<'_>],
        data: Option<&Value>,
        options: &ValidateOptions,
        is_list: bool,
        report: &mut ValidationReport,
    ) {
        if entries.is_empty() {
            if is_list && report.errors.is_empty() {
                let message = "the list of components is empty; send at least one component";
                report.error(ErrorCode::EmptyComponents, "components".to_owned(), message);
            }
            return;
        }
        let mut ids: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            ids.entry(entry.id).or_insert(index);
        }
        for entry in entries {
            properties::check(self.catalog, entry, options, report);
            if options.check_binding_syntax {
                bindings::check_syntax(entry, report);
            }
        }
        let graph = graph::Graph::new(self.catalog, entries, &ids, options, report);
        let root = ids.get(options.root_id.as_str()).copied();
        if root.is_none() && options.require_root {
            let message = format!(
                "Missing root component: no component has the id `{}`; give it to the outermost one",
                options.root_id
            );
            report.error(ErrorCode::NoRoot, entries[0].place.list(), message);
        }
        graph.check(root, options, report);
        if let (true, Some(data)) = (options.check_bindings, data) {
            bindings::check(&graph, root, data, report);
        }
    }
}
