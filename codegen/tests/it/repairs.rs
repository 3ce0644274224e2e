//! Named corrections, and what happens when they no longer apply.

use ag_ui_codegen::extract::{Kind, Release};
use ag_ui_codegen::merge::merge;
use ag_ui_codegen::repairs::{Action, Releases, Repair, Stale, apply};
use ag_ui_codegen_emit::model::{Null, Shape, TypeShape, Unknown};

use crate::support::{field, find, release, zod};

const OLD: &str = "
    const OldSchema = z.object({ status: z.enum([\"on\", \"off\"]) });
    const SecondSchema = OldSchema;
    const UserSchema = z.object({ one: OldSchema, many: z.array(SecondSchema) });
    const BaseSchema = z.object({ id: z.string() });";

fn releases() -> Vec<Release> {
    vec![release("1.0.0", zod(OLD).unwrap())]
}

fn repair(action: Action) -> Vec<Repair> {
    vec![Repair { of: Releases::All, action }]
}

fn applied(action: Action) -> Release {
    let mut releases = releases();
    assert_eq!(apply(&repair(action), &mut releases), []);
    releases.remove(0)
}

fn stale(of: Releases, action: Action) -> Stale {
    let mut stale = apply(&[Repair { of, action }], &mut releases());
    assert_eq!(stale.len(), 1, "{stale:?}");
    stale.remove(0)
}

#[test]
fn a_rename_reaches_every_mention_and_is_remembered() {
    let release = applied(Action::Rename { from: "Old", to: "New" });
    assert_eq!(find(&release.types, "New").formerly, ["Old"]);
    assert_eq!(field(&release.types, "User", "one").shape, Shape::Ref("New".into()));
    assert_eq!(find(&release.types, "Second").kind, Kind::Alias(Shape::Ref("New".into())));
}

#[test]
fn a_second_name_gives_way_to_the_first() {
    let release = applied(Action::SecondName { name: "Second", of: "Old" });
    assert!(release.types.iter().all(|candidate| candidate.name != "Second"));
    let Shape::Array(array) = &field(&release.types, "User", "many").shape else { panic!() };
    assert_eq!(*array.items, Shape::Ref("Old".into()));
}

#[test]
fn a_set_of_strings_gets_its_name() {
    let release = applied(Action::NameStrings { path: "Old.status", name: "Status" });
    assert_eq!(field(&release.types, "Old", "status").shape, Shape::Ref("Status".into()));
    assert_eq!(find(&release.types, "Status").formerly, [""; 0]);
}

#[test]
fn a_fragment_leaves_the_types() {
    let release = applied(Action::Fragment { name: "Base" });
    assert!(release.types.iter().all(|candidate| candidate.name != "Base"));
    assert_eq!(release.fragments.len(), 1);
}

#[test]
fn a_retired_type_takes_the_present_fields_of_its_fragment() {
    let old = "const BaseSchema = z.object({ kind: z.string(), at: z.number().optional(), raw: z.any() }).passthrough();
        const GoneSchema = BaseSchema.extend({ kind: z.literal(\"gone\"), own: z.number() });";
    let new = "const BaseSchema = z.looseObject({
          kind: z.string(), at: z.int().optional(),
          raw: z.any().refine((v) => v !== null).optional(), later: z.string(),
        });";
    let mut releases =
        vec![release("1.0.0", zod(old).unwrap()), release("2.0.0", zod(new).unwrap())];
    let repairs = [
        Repair { of: Releases::All, action: Action::Fragment { name: "Base" } },
        Repair {
            of: Releases::Only("1.0.0"),
            action: Action::Compose { retired: "Gone", fragment: "Base" },
        },
    ];
    assert_eq!(apply(&repairs, &mut releases), []);
    let types = merge(&releases, &repairs).unwrap();
    let gone = types.iter().find(|definition| definition.name == "Gone").unwrap();
    let TypeShape::Object(object) = &gone.shape else { panic!() };
    assert_eq!((object.unknown, object.earlier.len()), (Unknown::Strip, 1));
    let field = |name| object.fields.iter().find(|field| field.name == name).unwrap();
    assert!(matches!(field("at").shape, Shape::Integer(_)));
    assert_eq!(field("at").earlier.first().unwrap().shape, Shape::Number);
    assert_eq!(field("raw").null, Null::Absent);
    assert_eq!(field("kind").shape, Shape::Literal("gone".into()));
    assert_eq!(field("own").shape, Shape::Number);
    let names: Vec<&str> = object.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["kind", "at", "raw", "own"]);
    assert!(object.fields.iter().all(|field| field.until.is_none()));
}

#[test]
fn a_repair_that_changes_nothing_is_reported_by_name() {
    let all = Releases::All;
    let cases = [
        (
            all,
            Action::Rename { from: "Gone", to: "New" },
            "rename Gone to New",
            "pkg 1.0.0: there is no `Gone`",
        ),
        (
            all,
            Action::Rename { from: "User", to: "Old" },
            "rename User to Old",
            "say different things",
        ),
        (
            all,
            Action::SecondName { name: "Gone", of: "Old" },
            "fold Gone into Old",
            "there is no `Gone`",
        ),
        (
            all,
            Action::SecondName { name: "User", of: "Old" },
            "fold User into Old",
            "`User` and `Old` say different things",
        ),
        (all, Action::NameStrings { path: "A.b", name: "C" }, "name A.b C", "there is no `A.b`"),
        (all, Action::Fragment { name: "Gone" }, "set fragment Gone apart", "there is no `Gone`"),
        (all, Action::Fragment { name: "Old" }, "set fragment Old apart", "mentions `Old`"),
        (
            Releases::Only("3.0.0"),
            Action::Fragment { name: "Base" },
            "set fragment Base apart",
            "no source has a version",
        ),
        (
            Releases::From("1.0.1"),
            Action::Fragment { name: "Base" },
            "set fragment Base apart",
            "no source has a version",
        ),
    ];
    for (of, action, name, reason) in cases {
        let stale = stale(of, action);
        assert_eq!(stale.repair, name);
        assert!(stale.reason.contains(reason), "{stale:?}");
    }
}

#[test]
fn a_composition_of_a_type_that_is_not_retired_is_reported() {
    let text = "const BaseSchema = z.object({});\nconst XSchema = z.object({});";
    let mut releases = ["1.0.0", "2.0.0"].map(|version| release(version, zod(text).unwrap()));
    let action = Action::Compose { retired: "X", fragment: "Base" };
    let stale = apply(&[Repair { of: Releases::Only("1.0.0"), action }], &mut releases);
    let reasons: Vec<&str> = stale.iter().map(|stale| stale.reason.as_str()).collect();
    assert_eq!(reasons, ["`X` is not retired in 2.0.0", "there is no fragment `Base` in 2.0.0"]);
}

#[test]
fn later_releases_include_the_first() {
    let mut releases = releases();
    let repair = Repair { of: Releases::From("1.0.0"), action: Action::Fragment { name: "Base" } };
    assert_eq!(apply(&[repair], &mut releases), []);
}
