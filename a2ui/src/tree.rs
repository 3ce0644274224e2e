//! Surfaces written as trees: components in components, ids given where none are.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::constants::ROOT_ID;
use crate::value::DataBinding;
use crate::{AgentMessage, Component};

/// A component with the components that it holds, whatever its type.
///
/// Ids are given where there are none: the type in small letters and a number, `text-1`, `text-2`,
/// in the order in which the tree is read. What is at the top becomes the root.
///
/// ```
/// use ag_ui_a2ui::Node;
/// use ag_ui_a2ui::catalog::basic::{Button, Card, Column, Text};
/// use ag_ui_a2ui::value::Action;
///
/// let card = Card::of(Column::of([
///     Node::from(Text::of("Ready?")),
///     Button::of(Text::of("Go"), Action::event("go")).id("go").into(),
/// ]));
/// let components = Node::from(card).into_components();
/// let ids: Vec<&str> = components.iter().map(|component| component.id()).collect();
/// assert_eq!(ids, ["root", "column-1", "text-1", "go", "text-2"]);
/// assert_eq!(components[0].get("child").unwrap(), "column-1");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    component: Component,
    links: Vec<(Slot, Node)>,
}

/// A component of a type with the components that it holds.
///
/// The constructors `of` and `each` of typed components give these.
///
/// ```
/// use ag_ui_a2ui::catalog::basic::{Column, ColumnAlign, Text};
/// use ag_ui_a2ui::Node;
///
/// let column = Column::of([Text::of("a"), Text::of("b")]).set(|it| it.align(ColumnAlign::Center));
/// assert_eq!(Node::from(column).into_components()[0].get("align").unwrap(), "center");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Branch<C> {
    component: C,
    id: Option<String>,
    links: Vec<(Slot, Node)>,
}

/// Where a component holds another.
#[derive(Debug, Clone, PartialEq)]
enum Slot {
    One(String),
    /// One more of a list.
    Many(String),
    /// The template of a list.
    Template {
        property: String,
        path: String,
    },
    /// A member of a further item of a list, which has these members besides.
    Item {
        property: String,
        member: String,
        others: Map<String, Value>,
    },
}

impl<C: Into<Component>> Branch<C> {
    /// A component that holds nothing yet.
    #[must_use]
    pub fn new(component: C) -> Self {
        Self { component, id: None, links: Vec::new() }
    }

    /// Names the component.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets what else there is to set of the component.
    #[must_use]
    pub fn set(mut self, change: impl FnOnce(C) -> C) -> Self {
        self.component = change(self.component);
        self
    }
}

impl<C: Into<Component>> From<Branch<C>> for Node {
    fn from(branch: Branch<C>) -> Self {
        let component = branch.component.into();
        let component = match branch.id {
            Some(id) => component.with_id(id),
            None => component,
        };
        Self { component, links: branch.links }
    }
}

/// How components come to hold others, of a type or not.
macro_rules! links {
    () => {
        /// Puts a component into a property, such as `trigger`.
        #[must_use]
        pub fn slot(mut self, property: impl Into<String>, node: impl Into<Node>) -> Self {
            self.links.push((Slot::One(property.into()), node.into()));
            self
        }

        /// Puts components into a list, such as `children`, behind those that are there.
        #[must_use]
        pub fn slots<N: Into<Node>>(
            mut self,
            property: impl Into<String>,
            nodes: impl IntoIterator<Item = N>,
        ) -> Self {
            let property = property.into();
            let slot = |node: N| (Slot::Many(property.clone()), node.into());
            self.links.extend(nodes.into_iter().map(slot));
            self
        }

        /// Puts a component into a property that is drawn for each item of a list in the data.
        #[must_use]
        pub fn template(
            mut self,
            property: impl Into<String>,
            list: DataBinding,
            node: impl Into<Node>,
        ) -> Self {
            let slot = Slot::Template { property: property.into(), path: list.path().to_owned() };
            self.links.push((slot, node.into()));
            self
        }

        /// Adds an item to a list whose items hold a component each, such as `tabs`: the component
        /// goes to the member of that name, beside `others`.
        #[must_use]
        pub fn item(
            mut self,
            property: impl Into<String>,
            member: impl Into<String>,
            others: impl IntoIterator<Item = (String, Value)>,
            node: impl Into<Node>,
        ) -> Self {
            let (property, member) = (property.into(), member.into());
            let slot = Slot::Item { property, member, others: others.into_iter().collect() };
            self.links.push((slot, node.into()));
            self
        }
    };
}

impl<C: Into<Component>> Branch<C> {
    links!();
}

impl Node {
    links!();

    /// A component that holds nothing yet. An empty id is none.
    #[must_use]
    pub fn new(component: impl Into<Component>) -> Self {
        Self { component: component.into(), links: Vec::new() }
    }

    /// Names the component.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.component = self.component.with_id(id);
        self
    }

    /// The components of the tree, each before what it holds, the root first.
    #[must_use]
    pub fn into_components(mut self) -> Vec<Component> {
        let mut ids = Ids::of(&self);
        if self.component.id().is_empty() && !ids.given.contains(ROOT_ID) {
            self.component = self.component.with_id(ROOT_ID);
        }
        let mut components = Vec::new();
        // A component is written once those behind it have ids; the stack is that of the tree.
        let mut pending = vec![self];
        while let Some(node) = pending.pop() {
            let Node { component, links } = node;
            let mut component = ids.given_to(component);
            let mut held = Vec::with_capacity(links.len());
            let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for (slot, mut node) in links {
                node.component = ids.given_to(node.component);
                let id = node.component.id().to_owned();
                match slot {
                    Slot::One(property) => component.set(property, id),
                    Slot::Many(property) => lists.entry(property).or_default().push(json!(id)),
                    Slot::Template { property, path } => {
                        component.set(property, json!({"componentId": id, "path": path}));
                    }
                    Slot::Item { property, member, mut others } => {
                        others.insert(member, json!(id));
                        lists.entry(property).or_default().push(Value::Object(others));
                    }
                }
                held.push(node);
            }
            for (property, mut items) in lists {
                if let Some(Value::Array(there)) = component.get(&property) {
                    items.splice(0..0, there.iter().cloned());
                }
                component.set(property, items);
            }
            components.push(component);
            pending.extend(held.into_iter().rev());
        }
        components
    }
}

impl<C: Into<Component>> From<C> for Node {
    fn from(component: C) -> Self {
        Self::new(component)
    }
}

/// Ids that are taken, and how far each type has come.
struct Ids {
    given: BTreeSet<String>,
    next: BTreeMap<String, usize>,
}

impl Ids {
    fn of(root: &Node) -> Self {
        let mut given = BTreeSet::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            given.insert(node.component.id().to_owned());
            pending.extend(node.links.iter().map(|(_, node)| node));
        }
        Self { given, next: BTreeMap::new() }
    }

    /// The component with an id that no other has.
    fn given_to(&mut self, component: Component) -> Component {
        if !component.id().is_empty() {
            return component;
        }
        let kind = in_words(component.component());
        let next = self.next.entry(kind.clone()).or_default();
        loop {
            *next += 1;
            let id = format!("{kind}-{next}");
            if self.given.insert(id.clone()) {
                return component.with_id(id);
            }
        }
    }
}

/// `TextField` as `text-field`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for (index, character) in name.char_indices() {
        if character.is_uppercase() && index > 0 {
            words.push('-');
        }
        words.extend(character.to_lowercase());
    }
    words
}

/// A surface as a whole: its components and its data.
///
/// ```
/// use ag_ui_a2ui::Surface;
/// use ag_ui_a2ui::catalog::basic::{List, Text};
/// use ag_ui_a2ui::value::bind;
/// use serde_json::json;
///
/// let surface = Surface::new("cart")
///     .root(List::each(bind("/items"), Text::of(bind("title"))))
///     .data(json!({"items": [{"title": "Tea"}]}));
/// assert_eq!(surface.into_messages().len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    id: String,
    catalog_id: String,
    theme: Option<Map<String, Value>>,
    root: Option<Node>,
    data: Option<Value>,
}

impl Surface {
    /// A surface of the basic catalog with nothing on it. Renderers know that catalog by
    /// [`BASIC_CATALOG_ID`](crate::constants::BASIC_CATALOG_ID) or by
    /// [`CANONICAL_BASIC_CATALOG_ID`](crate::constants::CANONICAL_BASIC_CATALOG_ID); this takes the
    /// first.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        let catalog_id = crate::constants::BASIC_CATALOG_ID.to_owned();
        Self { id: id.into(), catalog_id, theme: None, root: None, data: None }
    }

    /// Sets the catalog that its components are of.
    #[must_use]
    pub fn catalog(mut self, catalog_id: impl Into<String>) -> Self {
        self.catalog_id = catalog_id.into();
        self
    }

    /// Sets what its theme sets.
    #[must_use]
    pub fn theme(mut self, theme: impl Into<Map<String, Value>>) -> Self {
        self.theme = Some(theme.into());
        self
    }

    /// Sets what is on it.
    #[must_use]
    pub fn root(mut self, root: impl Into<Node>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Sets its data.
    #[must_use]
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// Its components.
    #[must_use]
    pub fn into_components(self) -> Vec<Component> {
        self.root.map(Node::into_components).unwrap_or_default()
    }

    /// The messages that make it, in the order that renderers expect: it is created, then come its
    /// components, then its data.
    #[must_use]
    pub fn into_messages(self) -> Vec<AgentMessage> {
        let Self { id, catalog_id, theme, root, data } = self;
        let components = root.map(Node::into_components);
        let mut messages = vec![AgentMessage::create_surface_with_theme(&id, catalog_id, theme)];
        messages
            .extend(components.map(|components| AgentMessage::update_components(&id, components)));
        messages.extend(data.map(|data| AgentMessage::update_data(&id, "/", data)));
        messages
    }
}
