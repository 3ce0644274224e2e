//! Differences between two readings of a field.

use ag_ui_codegen_emit::model::{EarlierField, Field};

use super::Lines;
use super::words::{null, presence, shape};

pub(super) fn compare(owner: &str, old: &Field, new: &Field, lines: &mut Lines) {
    let subject = format!("{owner}.{}", old.name);
    lines.text(&subject, &old.docs, &new.docs);
    let was = (old.since.as_str(), old.until.as_deref());
    lines.lifetime(&subject, was, (&new.since, new.until.as_deref()));
    if old.optional != new.optional {
        lines.say(format!("{subject}: now {}", presence(new.optional)));
    }
    if old.null != new.null {
        lines.say(format!("{subject}: null was {}, now {}", null(old.null), null(new.null)));
    }
    match (&old.default, &new.default) {
        (Some(old), Some(new)) => lines.change(&format!("{subject}: default"), old, new),
        (Some(old), None) => lines.say(format!("{subject}: default removed: {old}")),
        (None, Some(new)) => lines.say(format!("{subject}: default added: {new}")),
        (None, None) => {}
    }
    if old.shape != new.shape {
        let (old, new) = (shape(&old.shape), shape(&new.shape));
        lines.say(format!("{subject}: was {old}, now {new}"));
    }
    earlier(&subject, &old.earlier, &new.earlier, lines);
}

fn earlier(subject: &str, old: &[EarlierField], new: &[EarlierField], lines: &mut Lines) {
    for reading in old {
        let (version, was) = (&reading.version, words(reading));
        match new.iter().find(|other| other.version == *version) {
            Some(other) if other == reading => {}
            Some(other) => {
                let is = words(other);
                lines.say(format!("{subject}: reading of {version} was {was}, now {is}"));
            }
            None => lines.say(format!("{subject}: reading of {version} gone: {was}")),
        }
    }
    for reading in new {
        if !old.iter().any(|other| other.version == reading.version) {
            let (version, is) = (&reading.version, words(reading));
            lines.say(format!("{subject}: reading of {version} added: {is}"));
        }
    }
}

fn words(reading: &EarlierField) -> String {
    let default = reading.default.as_ref().map(|value| format!(", default {value}"));
    format!(
        "{} {}, null {}{}",
        presence(reading.optional),
        shape(&reading.shape),
        null(reading.null),
        default.unwrap_or_default()
    )
}
