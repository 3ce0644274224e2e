//! The one owner of Rust names: case, keywords, ids, and names upstream does not give.

use heck::{ToSnakeCase, ToUpperCamelCase};

/// The union of all events, which gets conveniences of its own.
pub(crate) const EVENT_UNION: &str = "Event";

/// The set of event names.
pub(crate) const EVENT_TYPE: &str = "EventType";

/// Words that Rust keeps for itself and that `r#` makes names of.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Upstream type name and the name it has in Rust, where they differ.
const RENAMED: &[(&str, &str)] =
    &[("RunFinishedOutcome", "RunOutcome"), ("SubagentFinishedOutcome", "SubagentOutcome")];

/// Types of the model whose Rust form is written by hand.
const HAND_WRITTEN: &[&str] = &["JsonPointer", "SubagentRunId"];

/// Fields that hold the id of something, by wire name.
const ID_FIELDS: &[(&str, &str)] = &[
    ("interruptId", "InterruptId"),
    ("interruptIds", "InterruptId"),
    ("messageId", "MessageId"),
    ("parentMessageId", "MessageId"),
    ("parentRunId", "RunId"),
    ("parentSubagentRunId", "SubagentRunId"),
    ("parentToolCallId", "ToolCallId"),
    ("pendingToolCallIds", "ToolCallId"),
    ("runId", "RunId"),
    ("subagentRunId", "SubagentRunId"),
    ("threadId", "ThreadId"),
    ("toolCallId", "ToolCallId"),
];

/// Fields named just `id`, by type.
const OWN_IDS: &[(&str, &str)] = &[
    ("ActivityMessage", "MessageId"),
    ("AssistantMessage", "MessageId"),
    ("DeveloperMessage", "MessageId"),
    ("Interrupt", "InterruptId"),
    ("ReasoningMessage", "MessageId"),
    ("SystemMessage", "MessageId"),
    ("ToolCall", "ToolCallId"),
    ("ToolMessage", "MessageId"),
    ("UserMessage", "MessageId"),
];

/// Optional fields that can only hold one string: presence is data, so they get an enum.
const LITERAL_ENUMS: &[(&str, &str, &str)] = &[("ToolCallResultEvent", "role", "ToolResultRole")];

/// Optional fields that the constructor of the struct takes all the same.
const STRUCT_ARGUMENTS: &[(&str, &str)] = &[("Tool", "parameters")];

/// Optional fields that the constructor on the union of events takes all the same.
const EVENT_ARGUMENTS: &[(&str, &str)] = &[("TextMessageStartEvent", "role")];

/// The variant a decoder starts from: by far the most frequent one then needs no second start.
const BLANK_VARIANTS: &[(&str, &str)] = &[("Event", "TEXT_MESSAGE_CONTENT")];

/// Retired variants that are read as their successor, with the function that converts them.
const UPGRADES: &[(&str, &str, &str)] = &[("ContentPart", "BinaryInputContent", "binary_part")];

pub(crate) fn of_type(name: &str) -> String {
    RENAMED
        .iter()
        .find(|(upstream, _)| *upstream == name)
        .map_or_else(|| name.to_owned(), |(_, rust)| (*rust).to_owned())
}

pub(crate) fn of_field(wire: &str) -> String {
    let name = wire.to_snake_case();
    if KEYWORDS.contains(&name.as_str()) { format!("r#{name}") } else { name }
}

/// A field name as the end of a longer identifier, where keywords do no harm.
pub(crate) fn of_field_suffix(wire: &str) -> String {
    wire.to_snake_case()
}

pub(crate) fn of_variant(tag: &str) -> String {
    tag.to_upper_camel_case()
}

pub(crate) fn of_function(variant: &str) -> String {
    variant.to_snake_case()
}

pub(crate) fn is_hand_written(name: &str) -> bool {
    HAND_WRITTEN.contains(&name)
}

/// The id type that a string field holds.
pub(crate) fn id_of(type_name: &str, wire: &str) -> Option<&'static str> {
    let (table, key) = if wire == "id" { (OWN_IDS, type_name) } else { (ID_FIELDS, wire) };
    table.iter().find(|(name, _)| *name == key).map(|(_, id)| *id)
}

pub(crate) fn literal_enum(type_name: &str, wire: &str) -> Option<&'static str> {
    LITERAL_ENUMS
        .iter()
        .find(|(owner, field, _)| (*owner, *field) == (type_name, wire))
        .map(|(_, _, name)| *name)
}

pub(crate) fn is_struct_argument(type_name: &str, wire: &str) -> bool {
    STRUCT_ARGUMENTS.contains(&(type_name, wire))
}

pub(crate) fn is_event_argument(type_name: &str, wire: &str) -> bool {
    EVENT_ARGUMENTS.contains(&(type_name, wire))
}

pub(crate) fn blank_variant(union: &str) -> Option<&'static str> {
    BLANK_VARIANTS.iter().find(|(owner, _)| *owner == union).map(|(_, value)| *value)
}

pub(crate) fn upgrade(union: &str, variant: &str) -> Option<&'static str> {
    UPGRADES
        .iter()
        .find(|(owner, name, _)| (*owner, *name) == (union, variant))
        .map(|(_, _, function)| *function)
}
