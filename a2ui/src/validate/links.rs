//! Which components a component links to.

use serde_json::{Map, Value};

use super::entry::Entry;
use crate::Component;
use crate::catalog::{Catalog, Link};

/// A link from one component to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge<'a> {
    pub(crate) target: &'a str,
    property: &'a str,
    item: Option<usize>,
    member: Option<&'a str>,
    /// The list that the target is drawn once for each item of.
    pub(crate) template: Option<&'a str>,
}

impl Edge<'_> {
    /// Where the link stands, from the component on.
    pub(crate) fn path(&self) -> String {
        match (self.item, self.member) {
            (Some(item), Some(member)) => format!("{}[{item}].{member}", self.property),
            (Some(item), None) => format!("{}[{item}]", self.property),
            _ => self.property.to_owned(),
        }
    }
}

/// Names that properties with links mostly have, for catalogs that do not say which those are.
const ONE: [&str; 3] = ["child", "entryPointChild", "contentChild"];
const MANY: [&str; 1] = ["children"];
const ITEMS: [&str; 2] = ["tabs", "tabItems"];

/// The ids that a component links to.
pub(crate) fn targets<'a>(catalog: &Catalog, component: &'a Component) -> Vec<&'a str> {
    let mut targets = Vec::new();
    let entry = Entry::of(component, super::entry::Place::of_list(0));
    each(catalog, &entry, |edge| targets.push(edge.target));
    targets
}

/// Goes through the links of a component.
pub(crate) fn each<'a>(catalog: &Catalog, entry: &Entry<'a>, mut take: impl FnMut(Edge<'a>)) {
    match catalog.spec(entry.kind).filter(|_| catalog.has_links()) {
        Some(spec) => {
            for (name, property) in &spec.properties {
                if let Some(link) = &property.link
                    && let Some((name, value)) = entry.properties.get_key_value(name)
                {
                    of_property(name, value, link, &mut take);
                }
            }
        }
        None => by_name(entry.properties, &mut take),
    }
}

fn by_name<'a>(properties: &'a Map<String, Value>, take: &mut impl FnMut(Edge<'a>)) {
    let named = |names: &'static [&'static str]| {
        names.iter().filter_map(|name| properties.get_key_value(*name))
    };
    named(&ONE).for_each(|(name, value)| of_property(name, value, &Link::One, take));
    named(&MANY).for_each(|(name, value)| of_property(name, value, &Link::Many, take));
    for (name, value) in named(&ITEMS) {
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            if let Some((member, Value::String(target))) =
                item.as_object().and_then(|item| item.get_key_value("child"))
            {
                let member = Some(member.as_str());
                take(Edge { target, property: name, item: Some(index), member, template: None });
            }
        }
    }
}

fn of_property<'a>(
    property: &'a str,
    value: &'a Value,
    link: &Link,
    take: &mut impl FnMut(Edge<'a>),
) {
    let edge = |target| Edge { target, property, item: None, member: None, template: None };
    match (link, value) {
        (Link::One, Value::String(target)) => take(edge(target)),
        (Link::Many, Value::Array(items)) => many(items, edge(""), take),
        (Link::Many, Value::Object(fields)) => {
            // v0.8 wraps both forms.
            if let Some(Value::Array(items)) = fields.get("explicitList") {
                return many(items, edge(""), take);
            }
            let template = match fields.get("template") {
                Some(Value::Object(template)) => template,
                _ => fields,
            };
            if let Some(Value::String(target)) = template.get("componentId") {
                let path = template.get("path").or_else(|| template.get("dataBinding"));
                take(Edge { template: path.and_then(Value::as_str), ..edge(target) });
            }
        }
        (Link::Items(members), Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                let Value::Object(item) = item else { continue };
                for name in members.keys() {
                    if let Some((member, Value::String(target))) = item.get_key_value(name) {
                        let member = Some(member.as_str());
                        take(Edge { item: Some(index), member, ..edge(target) });
                    }
                }
            }
        }
        _ => {}
    }
}

fn many<'a>(items: &'a [Value], edge: Edge<'a>, take: &mut impl FnMut(Edge<'a>)) {
    for (index, item) in items.iter().enumerate() {
        if let Value::String(target) = item {
            take(Edge { target, item: Some(index), ..edge });
        }
    }
}
