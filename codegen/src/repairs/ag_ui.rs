//! The corrections that AG-UI's releases need.

use super::{Action, Releases, Repair};

/// The release that was written by hand, before the protocol had a schema of its own.
const HAND_WRITTEN: Releases = Releases::Only("0.0.59");

/// The releases that are generated from the protocol's schema.
const GENERATED: Releases = Releases::From("1.0.0");

/// Corrections in the order in which they are applied.
pub const REPAIRS: &[Repair] = &[
    // The union is declared twice: bare, and with the rule about binary parts on top.
    second_name("InputContentBase", "InputContent"),
    // The same for the binary part itself; the union lists the bare one under another name.
    rename("LegacyBinaryInputContentObject", "BinaryInputContent"),
    // The parts were once called "input parts"; the schemas kept both names.
    second_name("ImageInputPart", "ImageInputContent"),
    second_name("AudioInputPart", "AudioInputContent"),
    second_name("VideoInputPart", "VideoInputContent"),
    second_name("DocumentInputPart", "DocumentInputContent"),
    // Since 1.0 parts also travel in tool results, so their names no longer say "input".
    rename("InputContent", "ContentPart"),
    rename("TextInputContent", "TextPart"),
    rename("ImageInputContent", "ImagePart"),
    rename("AudioInputContent", "AudioPart"),
    rename("VideoInputContent", "VideoPart"),
    rename("DocumentInputContent", "DocumentPart"),
    rename("InputContentSource", "PartSource"),
    rename("InputContentDataSource", "DataSource"),
    rename("InputContentUrlSource", "UrlSource"),
    // 1.0 writes "subagent" as one word.
    rename("SubAgentInfo", "SubagentInfo"),
    // Written in place everywhere; the name is the one that 0.0.59 exports for it.
    all(Action::NameStrings { path: "ResumeEntry.status", name: "ResumeStatus" }),
    // Common fields that events and messages spread into their own; nothing on the wire is one.
    all(Action::Fragment { name: "BaseEvent" }),
    all(Action::Fragment { name: "BaseMessage" }),
    Repair { of: GENERATED, action: Action::Fragment { name: "Attributable" } },
    // The retired events never got the integer timestamp and the null rule of their siblings. A
    // reader that treats the common fields of all events alike needs them to have both.
    compose("ThinkingStartEvent"),
    compose("ThinkingEndEvent"),
    compose("ThinkingTextMessageStartEvent"),
    compose("ThinkingTextMessageContentEvent"),
    compose("ThinkingTextMessageEndEvent"),
];

const fn all(action: Action) -> Repair {
    Repair { of: Releases::All, action }
}

const fn rename(from: &'static str, to: &'static str) -> Repair {
    Repair { of: HAND_WRITTEN, action: Action::Rename { from, to } }
}

const fn second_name(name: &'static str, of: &'static str) -> Repair {
    Repair { of: HAND_WRITTEN, action: Action::SecondName { name, of } }
}

const fn compose(retired: &'static str) -> Repair {
    Repair { of: HAND_WRITTEN, action: Action::Compose { retired, fragment: "BaseEvent" } }
}
