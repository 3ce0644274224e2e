//! Bindings: whether they are pointers, and whether they lead somewhere.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::entry::Entry;
use super::graph::Graph;
use super::report::{ErrorCode, ValidationReport};
use crate::data::find;
use crate::pointer::{is_absolute, is_valid};

/// Lists inside of lists that are looked into. A graph of few components can ask for very many.
const SCOPES: usize = 4_096;

/// Reports absolute bindings that no data can resolve.
pub(super) fn check_syntax(entry: &Entry<'_>, report: &mut ValidationReport) {
    each(entry, |property, path, _| {
        if is_absolute(path) && !is_valid(path) {
            let message = format!(
                "Invalid path syntax: `{path}`; write `~` as `~0` and `/` within a name as `~1`"
            );
            report.error(ErrorCode::UnresolvedBinding, entry.place.of_property(property), message);
        }
    });
}

/// Goes through the bindings of a component: the property, the pointer, and whether it is that of
/// a template, which names a list.
fn each<'a>(entry: &Entry<'a>, mut take: impl FnMut(&'a str, &'a str, bool)) {
    for (name, value) in entry.properties {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match value {
                Value::Array(items) => pending.extend(items.iter().rev()),
                Value::Object(fields) => {
                    let is_template = fields.contains_key("componentId");
                    let path = fields
                        .get("path")
                        .or_else(|| fields.get("dataBinding").filter(|_| is_template));
                    if let Some(Value::String(path)) = path {
                        take(name, path, is_template);
                    }
                    pending.extend(fields.values());
                }
                _ => {}
            }
        }
    }
}

/// What relative pointers of a component begin at.
#[derive(Clone)]
enum Scope<'d> {
    /// The component is in no list.
    Root,
    /// It is drawn for each of these.
    Items(Rc<[&'d Value]>),
    /// It is in a list that leads nowhere, or whose items are not known.
    Unknown,
}

/// Reports bindings that lead nowhere in the data.
pub(super) fn check(
    graph: &Graph<'_, '_>,
    root: Option<usize>,
    data: &Value,
    report: &mut ValidationReport,
) {
    // A component may stand in several lists, and is looked at once for each of them.
    let mut scopes = vec![Scope::Root];
    let mut known: HashMap<(usize, &str), usize> = HashMap::new();
    let mut seen: HashMap<(usize, usize), ()> = HashMap::new();
    let mut pending: Vec<(usize, usize)> = match root {
        Some(root) => vec![(root, 0)],
        None => (0..graph.entries.len()).map(|index| (index, 0)).collect(),
    };
    while let Some((index, scope)) = pending.pop() {
        if seen.insert((index, scope), ()).is_some() {
            continue;
        }
        check_entry(&graph.entries[index], &scopes[scope], data, report);
        for (edge, target) in graph.links(index) {
            let Some(target) = *target else { continue };
            let inside = match edge.template {
                None => scope,
                Some(path) => match known.get(&(scope, path)) {
                    Some(inside) => *inside,
                    None if scopes.len() >= SCOPES => continue,
                    None => {
                        scopes.push(items(&scopes[scope], path, data));
                        known.insert((scope, path), scopes.len() - 1);
                        scopes.len() - 1
                    }
                },
            };
            pending.push((target, inside));
        }
    }
}

fn items<'d>(scope: &Scope<'d>, path: &str, data: &'d Value) -> Scope<'d> {
    let lists = match scope {
        _ if is_absolute(path) => find(data, path).into_iter().collect(),
        Scope::Root | Scope::Unknown => Vec::new(),
        Scope::Items(items) => items.iter().filter_map(|item| find(item, path)).collect::<Vec<_>>(),
    };
    let items: Vec<&Value> = lists.into_iter().filter_map(Value::as_array).flatten().collect();
    if items.is_empty() { Scope::Unknown } else { Scope::Items(items.into()) }
}

fn check_entry(entry: &Entry<'_>, scope: &Scope<'_>, data: &Value, report: &mut ValidationReport) {
    each(entry, |property, path, is_template| {
        let message = match scope {
            // What is no pointer was reported as such.
            _ if !is_valid(path) => return,
            _ if is_absolute(path) => found(find(data, path), path, is_template),
            Scope::Root => Some(format!(
                "`{path}` is relative, but the component is in no list; begin it with `/`"
            )),
            Scope::Unknown => None,
            Scope::Items(items) => {
                let first = items.iter().find_map(|item| find(item, path));
                found(first, path, is_template)
            }
        };
        if let Some(message) = message {
            report.error(ErrorCode::UnresolvedBinding, entry.place.of_property(property), message);
        }
    });
}

fn found(value: Option<&Value>, path: &str, is_template: bool) -> Option<String> {
    match value {
        None => {
            Some(format!("`{path}` leads nowhere in the data; send it, or bind something else"))
        }
        Some(value) if is_template && !value.is_array() => {
            Some(format!("`{path}` is no list; a template needs one to be drawn for"))
        }
        Some(_) => None,
    }
}
