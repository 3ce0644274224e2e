//! The differences between two models, in words.

mod fields;
mod words;

use ag_ui_codegen_emit::model::{Model, Object, Source, Strings, TypeDef, TypeShape, Union};

use words::{kind, list, retired, treatment};

/// The union whose variants are spoken of as events.
const EVENT: &str = "Event";

/// Says what is different in `computed`, line by line, for someone who knows `recorded`.
#[must_use]
pub fn differences(recorded: &Model, computed: &Model) -> Vec<String> {
    let mut lines = Lines::default();
    lines.change("format", &recorded.format, &computed.format);
    lines.change("protocol", &recorded.protocol, &computed.protocol);
    lines.change("protocol version", &recorded.protocol_version, &computed.protocol_version);
    sources(&recorded.sources, &computed.sources, &mut lines);
    let (old, new) = (&recorded.types, &computed.types);
    compare_lists(
        old,
        new,
        |definition| definition.name.as_str(),
        &mut lines,
        &Phrases { gone: "type gone: ", added: "type added: ", reordered: "types: order differs" },
    );
    for definition in old {
        if let Some(other) = computed.find(&definition.name) {
            compare(definition, other, &mut lines);
        }
    }
    lines.0
}

/// The list under construction.
#[derive(Default)]
struct Lines(Vec<String>);

impl Lines {
    fn say(&mut self, line: String) {
        self.0.push(line);
    }

    fn change<T: PartialEq + ToString>(&mut self, subject: &str, old: &T, new: &T) {
        if old != new {
            self.say(format!("{subject}: was {}, now {}", old.to_string(), new.to_string()));
        }
    }

    fn text(&mut self, subject: &str, old: &str, new: &str) {
        if old != new {
            self.say(format!("{subject}: text differs"));
        }
    }

    /// A change of the versions that have an item.
    fn lifetime(&mut self, subject: &str, old: (&str, Option<&str>), new: (&str, Option<&str>)) {
        if old.0 != new.0 {
            self.say(format!("{subject}: was there since {}, now since {}", old.0, new.0));
        }
        if old.1 != new.1 {
            self.say(format!("{subject}: was {}, now {}", retired(old.1), retired(new.1)));
        }
    }
}

/// How to speak of the items of a list.
struct Phrases<'p> {
    gone: &'p str,
    added: &'p str,
    reordered: &'p str,
}

/// Says what came, what went, and whether the rest changed places.
fn compare_lists<'l, T>(
    old: &'l [T],
    new: &'l [T],
    key: impl Fn(&'l T) -> &'l str,
    lines: &mut Lines,
    phrases: &Phrases<'_>,
) {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.iter().map(&key).collect(), new.iter().map(&key).collect());
    for gone in old.iter().filter(|item| !new.contains(item)) {
        lines.say(format!("{}{gone}", phrases.gone));
    }
    for added in new.iter().filter(|item| !old.contains(item)) {
        lines.say(format!("{}{added}", phrases.added));
    }
    let kept = old.iter().filter(|item| new.contains(item));
    if !kept.eq(new.iter().filter(|item| old.contains(item))) {
        lines.say(phrases.reordered.into());
    }
}

fn sources(old: &[Source], new: &[Source], lines: &mut Lines) {
    for source in old.iter().filter(|source| !new.contains(source)) {
        lines.say(format!("source gone: {} {}", source.name, source.version));
    }
    for source in new.iter().filter(|source| !old.contains(source)) {
        lines.say(format!("source added: {} {}", source.name, source.version));
    }
}

fn compare(old: &TypeDef, new: &TypeDef, lines: &mut Lines) {
    let name = &old.name;
    lines.text(name, &old.docs, &new.docs);
    let (was, is) =
        ((old.since.as_str(), old.until.as_deref()), (&*new.since, new.until.as_deref()));
    lines.lifetime(name, was, is);
    if old.formerly != new.formerly {
        let (old, new) = (list(&old.formerly), list(&new.formerly));
        lines.say(format!("{name}: former names were {old}, now {new}"));
    }
    match (&old.shape, &new.shape) {
        (TypeShape::Object(old), TypeShape::Object(new)) => object(name, old, new, lines),
        (TypeShape::Union(old), TypeShape::Union(new)) => union(name, old, new, lines),
        (TypeShape::Strings(old), TypeShape::Strings(new)) => strings(name, old, new, lines),
        (TypeShape::Alias(old), TypeShape::Alias(new)) => {
            if old != new {
                let (old, new) = (words::shape(old), words::shape(new));
                lines.say(format!("{name}: was {old}, now {new}"));
            }
        }
        (old, new) => lines.say(format!("{name}: was {}, now {}", kind(old), kind(new))),
    }
}

fn object(name: &str, old: &Object, new: &Object, lines: &mut Lines) {
    if old.unknown != new.unknown {
        let (old, new) = (treatment(old.unknown), treatment(new.unknown));
        lines.say(format!("{name}: other properties were {old}, now {new}"));
    }
    for earlier in old.earlier.iter().filter(|earlier| !new.earlier.contains(earlier)) {
        let (version, unknown) = (&earlier.version, treatment(earlier.unknown));
        lines.say(format!("{name}: no longer says that {version} {unknown} other properties"));
    }
    for earlier in new.earlier.iter().filter(|earlier| !old.earlier.contains(earlier)) {
        let (version, unknown) = (&earlier.version, treatment(earlier.unknown));
        lines.say(format!("{name}: now says that {version} {unknown} other properties"));
    }
    compare_lists(
        &old.notes,
        &new.notes,
        String::as_str,
        lines,
        &Phrases {
            gone: &format!("{name}: note gone: "),
            added: &format!("{name}: note added: "),
            reordered: &format!("{name}: order of notes differs"),
        },
    );
    compare_lists(
        &old.fields,
        &new.fields,
        |field| field.name.as_str(),
        lines,
        &Phrases {
            gone: &format!("field gone: {name}."),
            added: &format!("field added: {name}."),
            reordered: &format!("{name}: order of fields differs"),
        },
    );
    for field in &old.fields {
        if let Some(other) = new.fields.iter().find(|other| other.name == field.name) {
            fields::compare(name, field, other, lines);
        }
    }
}

fn union(name: &str, old: &Union, new: &Union, lines: &mut Lines) {
    lines.change(&format!("{name}: tag"), &old.tag, &new.tag);
    let phrases = match name {
        EVENT => {
            ["event gone: ", "event added: ", "Event: order of events differs"].map(String::from)
        }
        _ => [
            format!("{name}: variant gone: "),
            format!("{name}: variant added: "),
            format!("{name}: order of variants differs"),
        ],
    };
    let [gone, added, reordered] = &phrases;
    let phrases = Phrases { gone, added, reordered };
    compare_lists(&old.variants, &new.variants, |variant| variant.value.as_str(), lines, &phrases);
    for variant in &old.variants {
        if let Some(other) = new.variants.iter().find(|other| other.value == variant.value) {
            let subject = format!("{name} variant {}", variant.value);
            lines.change(&subject, &variant.name, &other.name);
            let was = (variant.since.as_str(), variant.until.as_deref());
            lines.lifetime(&subject, was, (&other.since, other.until.as_deref()));
        }
    }
}

fn strings(name: &str, old: &Strings, new: &Strings, lines: &mut Lines) {
    compare_lists(
        &old.members,
        &new.members,
        |member| member.value.as_str(),
        lines,
        &Phrases {
            gone: &format!("{name}: member gone: "),
            added: &format!("{name}: member added: "),
            reordered: &format!("{name}: order of members differs"),
        },
    );
    for member in &old.members {
        if let Some(other) = new.members.iter().find(|other| other.value == member.value) {
            let subject = format!("{name} member {}", member.value);
            lines.text(&subject, &member.docs, &other.docs);
            let was = (member.since.as_str(), member.until.as_deref());
            lines.lifetime(&subject, was, (&other.since, other.until.as_deref()));
        }
    }
}
