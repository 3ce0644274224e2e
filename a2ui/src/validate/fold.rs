//! What a stream of messages comes to, surface by surface.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::entry::{Entry, Place, check_duplicates};
use super::options::ValidateOptions;
use super::report::{ErrorCode, ValidationReport};
use crate::data::DataModel;
use crate::{AgentMessage, AgentPayload, WireVersion};

/// Surfaces in the order in which they came up.
#[derive(Default)]
pub(super) struct Folded<'a> {
    order: Vec<Surface<'a>>,
    by_id: HashMap<&'a str, usize>,
}

/// A surface, as far as the messages say.
#[derive(Default)]
pub(super) struct Surface<'a> {
    pub(super) is_created: bool,
    /// The id of the root, where a message names it.
    pub(super) root: Option<&'a str>,
    pub(super) components: Vec<Entry<'a>>,
    by_id: HashMap<&'a str, usize>,
    /// Known once a message says something of it.
    pub(super) data: Option<DataModel>,
}

impl<'a> Folded<'a> {
    pub(super) fn surfaces(&self) -> &[Surface<'a>] {
        &self.order
    }

    fn surface(&mut self, id: &'a str) -> &mut Surface<'a> {
        let Self { order, by_id } = self;
        let index = *by_id.entry(id).or_insert_with(|| {
            order.push(Surface::default());
            order.len() - 1
        });
        &mut order[index]
    }

    fn delete(&mut self, id: &'a str) {
        if let Some(index) = self.by_id.remove(id) {
            self.order[index] = Surface::default();
        }
    }

    fn update(&mut self, id: &'a str, entries: Vec<Entry<'a>>, report: &mut ValidationReport) {
        check_duplicates(&entries, report);
        let surface = self.surface(id);
        for entry in entries {
            match surface.by_id.get(entry.id) {
                Some(index) => surface.components[*index] = entry,
                None => {
                    surface.by_id.insert(entry.id, surface.components.len());
                    surface.components.push(entry);
                }
            }
        }
    }

    fn write(
        &mut self,
        id: &'a str,
        path: &str,
        value: Option<Value>,
        place: String,
        options: &ValidateOptions,
        report: &mut ValidationReport,
    ) {
        let data = self.surface(id).data.get_or_insert_default();
        let written = match value {
            Some(value) => data.set(path, value),
            None => data.remove(path),
        };
        if let Err(error) = written
            && options.check_binding_syntax
        {
            let message = match error {
                crate::DataError::Malformed { .. } => format!("Invalid path syntax: {error}"),
                error => error.to_string(),
            };
            report.error(ErrorCode::UnresolvedBinding, place, message);
        }
    }
}

pub(super) fn of_messages<'a>(
    messages: &'a [AgentMessage],
    report: &mut ValidationReport,
    options: &ValidateOptions,
) -> Folded<'a> {
    let mut folded = Folded::default();
    for (index, message) in messages.iter().enumerate() {
        match &message.payload {
            AgentPayload::CreateSurface(create) => {
                folded.surface(&create.surface_id).is_created = true;
            }
            AgentPayload::UpdateComponents(update) => {
                const NAME: &str = "updateComponents";
                if update.components.is_empty() {
                    report_empty(index, NAME, report);
                }
                let entries = update.components.iter().enumerate();
                let entries = entries
                    .map(|(at, component)| Entry::of(component, Place::of_message(index, NAME, at)))
                    .collect();
                folded.update(&update.surface_id, entries, report);
            }
            AgentPayload::UpdateDataModel(update) => {
                let path = update.path.as_deref().unwrap_or("/");
                let place = format!("messages[{index}].updateDataModel.path");
                let value = update.value.clone();
                folded.write(&update.surface_id, path, value, place, options, report);
            }
            AgentPayload::DeleteSurface(delete) => folded.delete(&delete.surface_id),
        }
    }
    folded
}

/// Folds raw messages; what is not as the wire wants it is passed over.
pub(super) fn of_json<'a>(
    messages: &'a [Value],
    version: WireVersion,
    report: &mut ValidationReport,
    options: &ValidateOptions,
) -> Folded<'a> {
    let mut folded = Folded::default();
    for (index, message) in messages.iter().enumerate() {
        let Value::Object(message) = message else { continue };
        for (name, body) in message {
            let Value::Object(body) = body else { continue };
            let Some(Value::String(surface)) = body.get("surfaceId") else { continue };
            let operation = Operation { index, surface, body };
            match (version, name.as_str()) {
                (_, "deleteSurface") => folded.delete(surface),
                (WireVersion::V0_8, "beginRendering") => {
                    let surface = folded.surface(surface);
                    surface.is_created = true;
                    surface.root = body.get("root").and_then(Value::as_str);
                }
                (WireVersion::V0_8, "surfaceUpdate") => {
                    operation.components("surfaceUpdate", version, &mut folded, report);
                }
                (WireVersion::V0_8, "dataModelUpdate") => {
                    let value = body.get("contents").and_then(Value::as_array);
                    let value = value.map(|contents| of_contents(contents, options.max_depth));
                    operation.data("dataModelUpdate", value, &mut folded, options, report);
                }
                (WireVersion::V0_8, _) => {}
                (_, "createSurface") => {
                    folded.surface(surface).is_created = true;
                    if body.contains_key("components") {
                        operation.components("createSurface", version, &mut folded, report);
                    }
                }
                (_, "updateComponents") => {
                    operation.components("updateComponents", version, &mut folded, report);
                }
                (_, "updateDataModel") => {
                    let value = body.get("value").cloned();
                    operation.data("updateDataModel", value, &mut folded, options, report);
                }
                _ => {}
            }
        }
    }
    folded
}

/// An operation on a surface.
struct Operation<'a> {
    index: usize,
    surface: &'a str,
    body: &'a Map<String, Value>,
}

impl<'a> Operation<'a> {
    fn components(
        &self,
        name: &'static str,
        version: WireVersion,
        folded: &mut Folded<'a>,
        report: &mut ValidationReport,
    ) {
        let Some(Value::Array(components)) = self.body.get("components") else { return };
        if components.is_empty() {
            report_empty(self.index, name, report);
        }
        let mut entries = Vec::with_capacity(components.len());
        for (at, component) in components.iter().enumerate() {
            let place = Place::of_message(self.index, name, at);
            entries.extend(Entry::read(component, place, version, report));
        }
        folded.update(self.surface, entries, report);
    }

    fn data(
        &self,
        name: &str,
        value: Option<Value>,
        folded: &mut Folded<'a>,
        options: &ValidateOptions,
        report: &mut ValidationReport,
    ) {
        let path = self.body.get("path").and_then(Value::as_str).unwrap_or("/");
        let place = format!("messages[{}].{name}.path", self.index);
        folded.write(self.surface, path, value, place, options, report);
    }
}

fn report_empty(index: usize, operation: &str, report: &mut ValidationReport) {
    let path = format!("messages[{index}].{operation}.components");
    let message = "the list of components is empty; send at least one component";
    report.error(ErrorCode::EmptyComponents, path, message);
}

/// The data of v0.8: a list of keys with a value of one type each.
fn of_contents(contents: &[Value], room: usize) -> Value {
    let entries = contents.iter().filter_map(|entry| {
        let key = entry.get("key")?.as_str()?.to_owned();
        let plain = ["valueString", "valueNumber", "valueBoolean"];
        let value = match plain.iter().find_map(|name| entry.get(name)) {
            Some(value) => value.clone(),
            // What is deeper was reported as too deep.
            None => match (entry.get("valueMap")?.as_array(), room.checked_sub(1)) {
                (Some(entries), Some(room)) => of_contents(entries, room),
                _ => Value::Null,
            },
        };
        Some((key, value))
    });
    Value::Object(entries.collect())
}
