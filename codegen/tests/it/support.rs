//! Small sources and small repositories.

use std::fs;
use std::path::{Path, PathBuf};

use ag_ui_codegen::extract::{
    self, Contents, Error, Field, Kind, Object, Plan, Release, SourceFile, Type,
};
use ag_ui_codegen::project::Project;
use ag_ui_codegen::repairs::{Action, Releases, Repair};
use flate2::Compression;
use flate2::write::GzEncoder;

pub(crate) fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.into(), text: text.into() }
}

/// A packed archive of these entries; paths are written as they are, however bad.
pub(crate) fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, text) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// Reads zod schemas out of files that import `z` from zod.
pub(crate) fn read_zod(files: &[(&str, &str)]) -> Result<Vec<Type>, Error> {
    let validators: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    let plan = Plan { validators: &validators, ..Plan::default() };
    let files: Vec<SourceFile> = files.iter().map(|(path, text)| file(path, text)).collect();
    extract::read(plan, &files).map(|contents| contents.types)
}

/// Reads one file of zod schemas; the import of zod is its first line.
pub(crate) fn zod(text: &str) -> Result<Vec<Type>, Error> {
    read_zod(&[("src/a.ts", &format!("import {{ z }} from \"zod\";\n{text}"))])
}

/// Reads one file of type aliases.
pub(crate) fn aliases(text: &str) -> Result<Vec<Type>, Error> {
    let types = ["src/types.ts".to_owned()];
    let plan = Plan { types: &types, ..Plan::default() };
    extract::read(plan, &[file("src/types.ts", text)]).map(|contents| contents.types)
}

/// Reads a file of type aliases and one of validators for them.
pub(crate) fn both(types: &str, validators: &str) -> Result<Contents, Error> {
    let paths = ["types.ts".to_owned(), "schemas.ts".to_owned()];
    let plan = Plan { types: &paths[..1], validators: &paths[1..], version: None };
    extract::read(plan, &[file("types.ts", types), file("schemas.ts", validators)])
}

pub(crate) fn release(version: &str, types: Vec<Type>) -> Release {
    let (name, version) = ("pkg".into(), version.into());
    Release { name, version, protocol_version: None, types, fragments: Vec::new() }
}

pub(crate) fn find<'t>(types: &'t [Type], name: &str) -> &'t Type {
    let found = types.iter().find(|candidate| candidate.name == name);
    found.unwrap_or_else(|| panic!("no type {name} among {types:#?}"))
}

pub(crate) fn object<'t>(types: &'t [Type], name: &str) -> &'t Object {
    match &find(types, name).kind {
        Kind::Object(object) => object,
        other => panic!("{name} is {other:?}"),
    }
}

pub(crate) fn field<'t>(types: &'t [Type], owner: &str, name: &str) -> &'t Field {
    let found = object(types, owner).fields.iter().find(|field| field.name == name);
    found.unwrap_or_else(|| panic!("no field {name} in {owner}"))
}

/// The pins of a small repository with two releases, one of them with two kinds of files.
pub(crate) const PINS: &str = r#"
[[source]]
kind = "npm"
name = "@ag-ui/core"
version = "0.9.0"
files = ["src/events.ts"]
[source.model]
protocol = "ag-ui"
validators = ["src/events.ts"]

[[source]]
kind = "npm"
name = "@ag-ui/core"
version = "1.0.0"
files = ["types.ts", "schemas.ts", "version.ts"]
[source.model]
protocol = "ag-ui"
types = ["types.ts"]
validators = ["schemas.ts"]
version = "version.ts"
"#;

pub(crate) const OLD: &str = r#"import { z } from "zod";
export enum EventType { START = "START", STOP = "STOP", NAP = "NAP" }
export const BaseEventSchema = z.object({ type: z.string(), at: z.number().optional() }).passthrough();
export const StartEventSchema = BaseEventSchema.extend({
  type: z.literal(EventType.START),
  role: z.enum(["dog", "cat"]).default("dog"),
});
export const StopEventSchema = BaseEventSchema.extend({ type: z.literal(EventType.STOP) });
export const NapEventSchema = BaseEventSchema.extend({ type: z.literal(EventType.NAP) });
export const EventSchemas = z.discriminatedUnion("type", [
  StartEventSchema,
  StopEventSchema,
  NapEventSchema,
]);
"#;

pub(crate) const TYPES: &str = r#"export enum EventType { START = "START", STOP = "STOP" }
export type Role = "dog" | "cat";
export type StartEvent = {
  type: EventType.START;
  at?: number;
  /** @default "dog" */
  role?: Role;
};
export type StopEvent = { type: EventType.STOP; at?: number; reason: string };
export type Event = StartEvent | StopEvent;
export type BaseEvent = { type: string; at?: number };
"#;

pub(crate) const SCHEMAS: &str = r#"import { z } from "zod/v4";
import { EventType } from "./types";
export const EventTypeSchema = z.enum(EventType);
export const RoleSchema = z.enum(["dog", "cat"]);
export const StartEventSchema = z.looseObject({
  type: z.literal(EventType.START),
  at: z.int().min(0).optional(),
  role: RoleSchema.optional(),
});
export const StopEventSchema = z.looseObject({
  type: z.literal(EventType.STOP),
  at: z.int().min(0).optional(),
  reason: z.string(),
});
export const EventSchema = z.discriminatedUnion("type", [StartEventSchema, StopEventSchema]);
export const BaseEventSchema = z.looseObject({ type: z.string(), at: z.int().min(0).optional() });
"#;

pub(crate) const OVERLAY: &str = r#"{
  "protocolVersion": { "value": "1.1", "source": "the text" },
  "fields": [
    {
      "type": "StopEvent", "name": "extra", "after": "at", "optional": true,
      "shape": "string", "source": "the text", "version": "1.1"
    }
  ]
}"#;

pub(crate) const DOCS: &str = r#"
[common.fields]
type = "Which event this is."
at = "When it happened."
[EventType]
doc = "The kinds of events."
[Role]
doc = "Who barks or purrs."
[Role.members]
dog = "Barks."
cat = "Purrs."
[StartEvent]
doc = "It begins."
[StartEvent.fields]
role = "Who begins."
[StopEvent]
doc = "It ends."
[StopEvent.fields]
reason = "Why it ends."
extra = "More about it."
[NapEvent]
doc = "It rests."
[Event]
doc = "Any of them."
"#;

/// The repairs that the small repository needs.
pub(crate) const REPAIRS: &[Repair] = &[
    Repair {
        of: Releases::Only("0.9.0"),
        action: Action::NameStrings { path: "StartEvent.role", name: "Role" },
    },
    Repair { of: Releases::All, action: Action::Fragment { name: "BaseEvent" } },
    Repair {
        of: Releases::Only("0.9.0"),
        action: Action::Compose { retired: "NapEvent", fragment: "BaseEvent" },
    },
];

/// A repository in a temporary directory, with [`OLD`], [`TYPES`] and the other texts above.
pub(crate) struct Repository {
    directory: tempfile::TempDir,
}

impl Repository {
    /// Without a model on file.
    pub(crate) fn new() -> Self {
        let repository = Self { directory: tempfile::tempdir().unwrap() };
        repository.write("vendor/upstream.toml", PINS);
        repository.write("vendor/npm/@ag-ui/core/0.9.0/src/events.ts", OLD);
        repository.write("vendor/npm/@ag-ui/core/1.0.0/types.ts", TYPES);
        repository.write("vendor/npm/@ag-ui/core/1.0.0/schemas.ts", SCHEMAS);
        let version = "export const PROTOCOL_VERSION = \"1.0\";\n";
        repository.write("vendor/npm/@ag-ui/core/1.0.0/version.ts", version);
        repository.write("schema/ag-ui.overlay.json", OVERLAY);
        repository.write("schema/ag-ui.docs.toml", DOCS);
        repository
    }

    /// With the model on file that its sources make.
    pub(crate) fn with_model() -> Self {
        let repository = Self::new();
        let project = repository.project();
        let computed = project.compute(project.releases().unwrap()).unwrap();
        let text = ag_ui_codegen::pipeline::to_text(&computed.model).unwrap();
        repository.write("schema/ag-ui.json", &text);
        repository
    }

    pub(crate) fn project(&self) -> Project {
        Project::at(self.root()).unwrap().with_repairs(REPAIRS)
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Replaces a text that must be there.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}");
        self.write(path, &text.replace(from, to));
    }

    /// Gives the set of strings in the old source a name there, so that no repair is needed.
    pub(crate) fn name_the_role(&self) {
        let old = "vendor/npm/@ag-ui/core/0.9.0/src/events.ts";
        self.edit(old, "z.enum([\"dog\", \"cat\"])", "RoleSchema");
        let constant =
            "export const RoleSchema = z.enum([\"dog\", \"cat\"]);\nexport const StartEvent";
        self.edit(old, "export const StartEvent", constant);
    }

    /// The lines of the drift check.
    pub(crate) fn check(&self) -> Vec<String> {
        let findings = ag_ui_codegen::check::check(&self.project()).unwrap();
        findings.iter().map(ToString::to_string).collect()
    }
}
