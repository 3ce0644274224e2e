//! The JSON Schemas that describe messages and components, cut to what is needed.

mod examples;
#[cfg(feature = "schema-validation")]
mod full;
mod prune;

use serde_json::Value;

pub use examples::{ExampleCheck, ExampleError, load_examples};
#[cfg(feature = "schema-validation")]
pub use full::{SchemaError, SchemaValidator};

/// The three documents that describe what an agent may send: messages, the types that all catalogs
/// share, and a catalog.
///
/// ```
/// use ag_ui_a2ui::Catalog;
/// use ag_ui_a2ui::schema::SchemaBundle;
/// use serde_json::json;
///
/// let bundle = SchemaBundle::new(json!({}), json!({}), Catalog::basic().to_schema().clone());
/// let pruned = bundle.prune_components(&["Text", "Column"]);
/// assert_eq!(pruned.catalog()["components"].as_object().unwrap().len(), 2);
/// assert!(pruned.render().starts_with("---BEGIN A2UI JSON SCHEMA---"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaBundle {
    server_to_client: Value,
    common_types: Value,
    catalog: Value,
}

impl SchemaBundle {
    /// The documents as they are.
    #[must_use]
    pub fn new(server_to_client: Value, common_types: Value, catalog: Value) -> Self {
        Self { server_to_client, common_types, catalog }
    }

    /// The document of the messages.
    #[must_use]
    pub fn server_to_client(&self) -> &Value {
        &self.server_to_client
    }

    /// The document of the types that all catalogs share.
    #[must_use]
    pub fn common_types(&self) -> &Value {
        &self.common_types
    }

    /// The document of the catalog.
    #[must_use]
    pub fn catalog(&self) -> &Value {
        &self.catalog
    }

    /// The documents without other components, and without the shared types that then nothing
    /// names.
    #[must_use]
    pub fn prune_components(&self, allowed: &[impl AsRef<str>]) -> Self {
        let mut pruned = self.clone();
        prune::components(&mut pruned.catalog, allowed);
        pruned.drop_unused_types();
        pruned
    }

    /// The documents without other messages, and without what then nothing names. Messages are named
    /// as the document defines them: `CreateSurfaceMessage`, in v0.8 `beginRendering`.
    #[must_use]
    pub fn prune_messages(&self, allowed: &[impl AsRef<str>]) -> Self {
        let mut pruned = self.clone();
        prune::messages(&mut pruned.server_to_client, allowed);
        pruned.drop_unused_types();
        pruned
    }

    fn drop_unused_types(&mut self) {
        prune::common_types(&mut self.common_types, [&self.catalog, &self.server_to_client]);
    }

    /// The documents as a block for a model, each on one line. Shared types are left out where
    /// there are none.
    #[must_use]
    pub fn render(&self) -> String {
        let mut sections = vec![
            "---BEGIN A2UI JSON SCHEMA---".to_owned(),
            format!("### Server To Client Schema:\n{}", self.server_to_client),
        ];
        let has_types = |types: &Value| types.as_object().is_some_and(|types| !types.is_empty());
        if self.common_types.get("$defs").is_some_and(has_types) {
            sections.push(format!("### Common Types Schema:\n{}", self.common_types));
        }
        sections.push(format!("### Catalog Schema:\n{}", self.catalog));
        sections.push("---END A2UI JSON SCHEMA---".to_owned());
        sections.join("\n\n")
    }

    /// The documents, so that what they do not describe is allowed. Some models do better with
    /// schemas that forbid less.
    #[must_use]
    pub fn without_strict_validation(mut self) -> Self {
        for document in [&mut self.server_to_client, &mut self.common_types, &mut self.catalog] {
            remove_strict_validation(document);
        }
        self
    }
}

/// Takes away what forbids properties that a schema does not describe.
pub fn remove_strict_validation(schema: &mut Value) {
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        match schema {
            Value::Object(members) => {
                for name in ["additionalProperties", "unevaluatedProperties"] {
                    if members.get(name) == Some(&Value::Bool(false)) {
                        members.remove(name);
                    }
                }
                pending.extend(members.values_mut());
            }
            Value::Array(items) => pending.extend(items.iter_mut()),
            _ => {}
        }
    }
}
