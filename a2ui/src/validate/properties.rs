//! Types and properties, as the catalog has them.

use serde_json::Value;

use super::entry::{Entry, short};
use super::options::ValidateOptions;
use super::report::{ErrorCode, ValidationReport};
use crate::catalog::{Catalog, JsonType};

pub(super) fn check(
    catalog: &Catalog,
    entry: &Entry<'_>,
    options: &ValidateOptions,
    report: &mut ValidationReport,
) {
    let Some(spec) = catalog.spec(entry.kind) else {
        if options.check_component_types && !catalog.is_empty() {
            let message =
                format!("`{}` is not in the catalog; use one of {}", entry.kind, names(catalog));
            let path = entry.place.of_property("component");
            report.error(ErrorCode::UnknownComponent, path, message);
        }
        return;
    };
    if options.check_required_props {
        for name in spec.required.iter().filter(|name| !entry.properties.contains_key(*name)) {
            let message = format!("a {} needs `{name}`; add it", entry.kind);
            report.error(ErrorCode::MissingRequiredProp, entry.place.of_property(name), message);
        }
    }
    if options.check_prop_types {
        for (name, value) in entry.properties {
            let wanted = spec.properties.get(name).and_then(|property| property.json_type);
            if let Some(wanted) = wanted.filter(|wanted| !fits(*wanted, value)) {
                let message = format!(
                    "{} is not of type '{}'; write `{name}` of a {} as that",
                    short(value),
                    wanted.name(),
                    entry.kind
                );
                report.error(ErrorCode::TypeMismatch, entry.place.of_property(name), message);
            }
        }
    }
}

/// What a renderer works out has the type that comes out, and not the one it is written in.
fn fits(wanted: JsonType, value: &Value) -> bool {
    let is_worked_out = value.as_object().is_some_and(|value| {
        value.get("path").is_some_and(Value::is_string)
            || value.get("call").is_some_and(Value::is_string)
    });
    is_worked_out || wanted.has(value)
}

fn names(catalog: &Catalog) -> String {
    const SHOWN: usize = 30;
    let shown: Vec<&str> = catalog.component_names().take(SHOWN).collect();
    let rest = catalog.component_names().count() - shown.len();
    let list = shown.join(", ");
    if rest > 0 { format!("{list}, and {rest} more") } else { list }
}
