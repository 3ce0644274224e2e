//! Catalogs: which components there are, and what their properties are.

pub mod basic;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use crate::Component;
use crate::constants::DEFAULT_CUTTABLE_KEYS;
use crate::error::CatalogError;

/// The components of a design system, as far as a validator has to know them.
///
/// It knows the type names, which properties are required, which of them link to other components,
/// and the JSON type that a property is pinned to. Everything else is for a JSON Schema engine.
///
/// ```
/// use ag_ui_a2ui::Catalog;
/// use serde_json::json;
///
/// let catalog = Catalog::from_schema(&json!({
///     "catalogId": "https://example.com/charts.json",
///     "components": {
///         "Chart": {
///             "properties": {"columns": {"type": "integer"}},
///             "required": ["series"],
///         },
///     },
/// }))?;
/// assert_eq!(catalog.component_names().collect::<Vec<_>>(), ["Chart"]);
/// # Ok::<(), ag_ui_a2ui::CatalogError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Catalog(Arc<Inner>);

#[derive(Debug, Clone, Default, PartialEq)]
struct Inner {
    id: Option<String>,
    components: BTreeMap<String, ComponentSpec>,
    functions: BTreeSet<String>,
    has_links: bool,
    cuttable_keys: Option<BTreeSet<String>>,
    document: Value,
}

/// What a catalog says of a component.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ComponentSpec {
    pub(crate) properties: BTreeMap<String, PropertySpec>,
    pub(crate) required: BTreeSet<String>,
    pub(crate) allowed_parents: Option<BTreeSet<String>>,
    pub(crate) allowed_children: Option<BTreeSet<String>>,
}

/// What a catalog says of a property.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PropertySpec {
    pub(crate) link: Option<Link>,
    pub(crate) json_type: Option<JsonType>,
}

/// How a property links to other components.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Link {
    /// To one.
    One,
    /// To several, by a list or a template.
    Many,
    /// By these members of the items of a list.
    Items(BTreeMap<String, Link>),
}

/// A type of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Whether a value is of the type. A number without a fraction is an integer.
    pub(crate) fn has(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null)
            | (Self::Boolean, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::String, Value::String(_))
            | (Self::Array, Value::Array(_))
            | (Self::Object, Value::Object(_)) => true,
            (Self::Integer, Value::Number(number)) => {
                number.is_i64()
                    || number.is_u64()
                    || number.as_f64().is_some_and(|number| number.fract() == 0.0)
            }
            _ => false,
        }
    }
}

/// The basic catalog, read once.
static BASIC: LazyLock<Catalog> = LazyLock::new(|| {
    let document = serde_json::from_str(include_str!("../schema/basic.json")).unwrap_or_default();
    Catalog::from_schema(&document).unwrap_or_else(|_| Catalog(Arc::default()))
});

impl Catalog {
    /// The basic catalog, which every renderer has.
    ///
    /// ```
    /// let catalog = ag_ui_a2ui::Catalog::basic();
    /// assert_eq!(catalog.component_names().count(), 18);
    /// assert_eq!(catalog.function_names().count(), 14);
    /// ```
    #[must_use]
    pub fn basic() -> Self {
        BASIC.clone()
    }

    /// Reads a catalog document.
    ///
    /// A document without `components` is no catalog: then no component is unknown.
    ///
    /// # Errors
    /// When the document is no object, or a part of it is not what it has to be. The error names
    /// the place.
    pub fn from_schema(document: &Value) -> Result<Self, CatalogError> {
        read::read(document).map(|inner| Self(Arc::new(inner)))
    }

    /// The id that surfaces name it by; absent when its document states none.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// The names of its components, in alphabetical order.
    pub fn component_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.0.components.keys().map(String::as_str)
    }

    /// The names of its functions, in alphabetical order.
    pub fn function_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.0.functions.iter().map(String::as_str)
    }

    /// Whether it has a component of that name.
    #[must_use]
    pub fn has_component(&self, name: &str) -> bool {
        self.0.components.contains_key(name)
    }

    /// Whether it defines nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.components.is_empty()
    }

    /// The document that it was read from.
    #[must_use]
    pub fn to_schema(&self) -> &Value {
        &self.0.document
    }

    /// Sets the properties whose text may be shown while it is still being written, in place of
    /// [`DEFAULT_CUTTABLE_KEYS`].
    #[must_use]
    pub fn with_cuttable_keys<K: Into<String>>(
        mut self,
        keys: impl IntoIterator<Item = K>,
    ) -> Self {
        let keys = keys.into_iter().map(Into::into).collect();
        Arc::make_mut(&mut self.0).cuttable_keys = Some(keys);
        self
    }

    /// Whether the text of a property may be shown while it is still being written.
    #[must_use]
    pub fn is_cuttable(&self, key: &str) -> bool {
        match &self.0.cuttable_keys {
            Some(keys) => keys.contains(key),
            None => DEFAULT_CUTTABLE_KEYS.contains(&key),
        }
    }

    pub(crate) fn spec(&self, component: &str) -> Option<&ComponentSpec> {
        self.0.components.get(component)
    }

    /// Whether any property of any component is typed as a link. Some front ends send catalogs
    /// that have lost those types; then properties are taken by their conventional names.
    pub(crate) fn has_links(&self) -> bool {
        self.0.has_links
    }

    /// What the catalog says of its components, in lines for a model: each component with its
    /// properties, the required ones first.
    ///
    /// ```
    /// # use ag_ui_a2ui::Catalog;
    /// # use serde_json::json;
    /// let catalog = Catalog::from_schema(&json!({"components": {"Chart": {
    ///     "properties": {"columns": {"type": "integer"}, "series": {"type": "array"}},
    ///     "required": ["series"],
    /// }}}))?;
    /// assert_eq!(catalog.render_summary(), "- Chart: series (array, required), columns (integer)\n");
    /// # Ok::<(), ag_ui_a2ui::CatalogError>(())
    /// ```
    #[must_use]
    pub fn render_summary(&self) -> String {
        let mut summary = String::new();
        for (name, spec) in &self.0.components {
            let (required, optional): (Vec<_>, Vec<_>) =
                spec.names().partition(|name| spec.required.contains(*name));
            let shown = required.iter().map(|name| spec.describe(name, true));
            let shown = shown.chain(optional.iter().map(|name| spec.describe(name, false)));
            let shown: Vec<String> = shown.collect();
            summary.push_str("- ");
            summary.push_str(name);
            if !shown.is_empty() {
                summary.push_str(": ");
                summary.push_str(&shown.join(", "));
            }
            summary.push('\n');
        }
        summary
    }

    /// Components that stand where their catalog does not allow them.
    ///
    /// Catalogs may say which parents and children a component can have. It is a matter apart from
    /// validity: renderers have codes of their own for it.
    #[must_use]
    pub fn composition_violations(&self, components: &[Component]) -> Vec<CompositionViolation> {
        let by_id: BTreeMap<&str, &Component> =
            components.iter().map(|component| (component.id(), component)).collect();
        let mut violations = Vec::new();
        for parent in components {
            for id in crate::validate::links::targets(self, parent) {
                let Some(child) = by_id.get(id) else { continue };
                let may_hold =
                    self.spec(parent.component()).and_then(|spec| spec.allowed_children.as_ref());
                let may_stand =
                    self.spec(child.component()).and_then(|spec| spec.allowed_parents.as_ref());
                let code = if may_hold.is_some_and(|allowed| !allowed.contains(child.component())) {
                    CompositionCode::UnallowedChild
                } else if may_stand.is_some_and(|allowed| !allowed.contains(parent.component())) {
                    CompositionCode::UnallowedParent
                } else {
                    continue;
                };
                violations.push(CompositionViolation {
                    code,
                    parent: parent.id().to_owned(),
                    child: child.id().to_owned(),
                    message: format!(
                        "a {} cannot stand in a {}; put `{}` somewhere else",
                        child.component(),
                        parent.component(),
                        child.id()
                    ),
                });
            }
        }
        violations
    }
}

impl ComponentSpec {
    /// The properties, and what is required without being described.
    fn names(&self) -> impl Iterator<Item = &str> {
        let described = self.properties.keys();
        let names: BTreeSet<&str> = described.chain(&self.required).map(String::as_str).collect();
        names.into_iter().filter(|name| *name != "id" && *name != "component")
    }

    fn describe(&self, name: &str, is_required: bool) -> String {
        let spec = self.properties.get(name);
        let kind = match spec.and_then(|spec| spec.link.as_ref()) {
            Some(Link::One) => Some("component id"),
            Some(Link::Many) => Some("component ids"),
            Some(Link::Items(_)) => Some("array with component ids"),
            None => spec.and_then(|spec| spec.json_type).map(JsonType::name),
        };
        let facts: Vec<&str> = kind.into_iter().chain(is_required.then_some("required")).collect();
        if facts.is_empty() { name.to_owned() } else { format!("{name} ({})", facts.join(", ")) }
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Catalog")
            .field("id", &self.0.id)
            .field("components", &self.0.components.keys())
            .finish_non_exhaustive()
    }
}

/// A component that stands where its catalog does not allow it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompositionViolation {
    /// Which of the two does not allow the other.
    pub code: CompositionCode,
    /// Id of the component that holds the other.
    pub parent: String,
    /// Id of the component that is held.
    pub child: String,
    /// What to do, for a model.
    pub message: String,
}

/// What a renderer calls such a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompositionCode {
    /// The child may not stand in the parent, as the child's definition says.
    UnallowedParent,
    /// The parent may not hold the child, as the parent's definition says.
    UnallowedChild,
}

impl CompositionCode {
    /// The code on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnallowedParent => "UNALLOWED_PARENT",
            Self::UnallowedChild => "UNALLOWED_CHILD",
        }
    }
}
