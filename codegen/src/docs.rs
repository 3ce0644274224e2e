//! Our own text for every type, field and member.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ag_ui_codegen_emit::model::{Member, TypeDef, TypeShape};
use serde::Deserialize;

/// The name under which fields are described that mean the same wherever they occur.
const COMMON: &str = "common";

/// The set of strings that names events, and the union of the events.
const EVENT_TYPE: &str = "EventType";
const EVENT: &str = "Event";

/// The texts, as written in `schema/ag-ui.docs.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Docs {
    entries: BTreeMap<String, Entry>,
}

/// The texts of one type.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    doc: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, String>,
    #[serde(default)]
    members: BTreeMap<String, String>,
}

/// Something that has a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// A type.
    Type(String),
    /// A field of an object.
    Field {
        /// The object, or `common`.
        owner: String,
        /// The field.
        name: String,
    },
    /// A member of a set of strings.
    Member {
        /// The set.
        owner: String,
        /// The member.
        value: String,
    },
}

/// What is wrong between texts and types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    /// What has no text.
    pub missing: Vec<Item>,
    /// Texts for what does not exist.
    pub stale: Vec<Item>,
}

impl Docs {
    /// Writes the texts into `types`.
    ///
    /// A field without a text of its own takes the common one of its name, and a member of the
    /// event type that of its event.
    pub fn apply(&self, types: &mut [TypeDef]) -> Gaps {
        let mut writer = Writer { docs: self, used: BTreeSet::new(), missing: Vec::new() };
        for definition in types.iter_mut() {
            writer.describe(definition);
        }
        let events = event_texts(types);
        for definition in types.iter_mut().filter(|definition| definition.name == EVENT_TYPE) {
            if let TypeShape::Strings(strings) = &mut definition.shape {
                writer.describe_events(&mut strings.members, &events);
            }
        }
        let Writer { used, missing, .. } = writer;
        let stale = self.items().into_iter().filter(|item| !used.contains(item)).collect();
        Gaps { missing, stale }
    }

    fn text(&self, item: &Item) -> Option<&str> {
        let text = match item {
            Item::Type(name) => self.entries.get(name)?.doc.as_ref(),
            Item::Field { owner, name } => self.entries.get(owner)?.fields.get(name),
            Item::Member { owner, value } => self.entries.get(owner)?.members.get(value),
        };
        text.map(|text| text.trim()).filter(|text| !text.is_empty())
    }

    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (owner, entry) in &self.entries {
            items.extend(entry.doc.is_some().then(|| Item::Type(owner.clone())));
            items.extend(entry.fields.keys().map(|name| Item::field(owner, name)));
            items.extend(entry.members.keys().map(|value| Item::member(owner, value)));
        }
        items
    }
}

struct Writer<'d> {
    docs: &'d Docs,
    used: BTreeSet<Item>,
    missing: Vec<Item>,
}

impl Writer<'_> {
    fn describe(&mut self, definition: &mut TypeDef) {
        let owner = &definition.name;
        definition.docs = self.take(Item::Type(owner.clone()), None);
        match &mut definition.shape {
            TypeShape::Object(object) => {
                for field in &mut object.fields {
                    let common = Item::field(COMMON, &field.name);
                    field.docs = self.take(Item::field(owner, &field.name), Some(&common));
                }
            }
            TypeShape::Strings(strings) => {
                for member in &mut strings.members {
                    member.docs = self.take(Item::member(owner, &member.value), None);
                }
            }
            TypeShape::Union(_) | TypeShape::Alias(_) => {}
        }
    }

    fn describe_events(&mut self, members: &mut [Member], events: &BTreeMap<String, String>) {
        for member in members.iter_mut().filter(|member| member.docs.is_empty()) {
            if let Some(text) = events.get(&member.value) {
                member.docs.clone_from(text);
                let item = Item::member(EVENT_TYPE, &member.value);
                self.missing.retain(|missing| *missing != item);
            }
        }
    }

    /// The text of `own`, or else of `common`, or else nothing, which is remembered.
    fn take(&mut self, own: Item, common: Option<&Item>) -> String {
        let found = [Some(&own), common].into_iter().flatten().find_map(|item| {
            let text = self.docs.text(item)?;
            Some((item.clone(), text.to_owned()))
        });
        match found {
            Some((item, text)) => {
                self.used.insert(item);
                text
            }
            None => {
                self.missing.push(own);
                String::new()
            }
        }
    }
}

/// The text of each event by the value of its tag.
fn event_texts(types: &[TypeDef]) -> BTreeMap<String, String> {
    let find = |name: &str| types.iter().find(|definition| definition.name == name);
    let variants = match find(EVENT).map(|union| &union.shape) {
        Some(TypeShape::Union(union)) => union.variants.as_slice(),
        _ => &[],
    };
    variants
        .iter()
        .filter_map(|variant| Some((variant.value.clone(), find(&variant.name)?.docs.clone())))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

impl Item {
    fn field(owner: &str, name: &str) -> Self {
        Self::Field { owner: owner.into(), name: name.into() }
    }

    fn member(owner: &str, value: &str) -> Self {
        Self::Member { owner: owner.into(), value: value.into() }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(name) => write!(formatter, "type {name}"),
            Self::Field { owner, name } => write!(formatter, "field {owner}.{name}"),
            Self::Member { owner, value } => write!(formatter, "member {value} of {owner}"),
        }
    }
}
