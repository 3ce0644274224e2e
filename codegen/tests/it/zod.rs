//! Each zod form gives the reading that zod gives it.

use ag_ui_codegen::extract::{Kind, Presence};
use ag_ui_codegen_emit::model::{Array, Integer, Null, Shape, Unknown};
use serde_json::json;

use crate::support::{field, find, object, read_zod, zod};

/// Reads `z.object({ f: <schema> })` and returns the field.
fn reading(schema: &str) -> (Shape, Presence) {
    let text =
        format!("const PartSchema = z.object({{}});\nconst XSchema = z.object({{ f: {schema} }});");
    let types = zod(&text).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let field = field(&types, "X", "f");
    (field.shape.clone(), field.presence.clone())
}

fn shape(schema: &str) -> Shape {
    let (shape, presence) = reading(schema);
    let required = Presence { optional: false, null: Null::Reject, default: None };
    assert_eq!(presence, required, "{schema}");
    shape
}

fn presence(schema: &str) -> (bool, Null, Option<serde_json::Value>) {
    let (_, Presence { optional, null, default }) = reading(schema);
    (optional, null, default)
}

fn integer(min: Option<i64>, max: Option<i64>) -> Shape {
    Shape::Integer(Integer { min, max })
}

fn list(items: Shape, min_items: u32) -> Shape {
    Shape::Array(Array { items: Box::new(items), min_items })
}

#[test]
fn scalars() {
    assert_eq!(shape("z.string()"), Shape::String);
    assert_eq!(shape("z.boolean()"), Shape::Boolean);
    assert_eq!(shape("z.number()"), Shape::Number);
    assert_eq!(shape("z.literal(\"tool\")"), Shape::Literal("tool".into()));
    assert_eq!(shape("(z.string())"), Shape::String);
}

#[test]
fn integers_and_their_bounds() {
    let safe = 9_007_199_254_740_991;
    assert_eq!(shape("z.number().int()"), integer(None, None));
    assert_eq!(shape("z.number().int().nonnegative()"), integer(Some(0), None));
    assert_eq!(shape("z.int()"), integer(Some(-safe), Some(safe)));
    assert_eq!(shape("z.int().min(-5).max(7)"), integer(Some(-5), Some(7)));
    assert_eq!(shape("z.int().gte(1).lte(2)"), integer(Some(1), Some(2)));
    // The narrower of two bounds holds, whatever the order.
    assert_eq!(shape("z.int().min(3).min(1).max(5).max(9)"), integer(Some(3), Some(5)));
    assert_eq!(shape("z.int().min(-9007199254740991)"), integer(Some(-safe), Some(safe)));
}

#[test]
fn strings_with_a_pattern() {
    assert_eq!(
        shape("z.string().regex(new RegExp(\"^(/a)*$\"))"),
        Shape::Pattern("^(/a)*$".into())
    );
}

#[test]
fn lists() {
    assert_eq!(shape("z.array(z.string())"), list(Shape::String, 0));
    assert_eq!(shape("z.array(PartSchema).min(1)"), list(Shape::Ref("Part".into()), 1));
    assert_eq!(shape("z.array(z.any())"), list(Shape::Any, 0));
}

#[test]
fn open_objects() {
    let test = "(value) => typeof value === \"object\" && value !== null && !Array.isArray(value)";
    assert_eq!(shape(&format!("z.custom<Record<string, any>>({test})")), Shape::Map);
    assert_eq!(shape("z.record(z.any())"), Shape::Map);
    assert_eq!(shape("z.record(z.unknown())"), Shape::Map);
    assert_eq!(shape("z.record(z.string(), z.any())"), Shape::Map);
}

#[test]
fn shapes_of_different_kinds() {
    let choices = vec![Shape::String, list(Shape::Ref("Part".into()), 0)];
    assert_eq!(shape("z.union([z.string(), z.array(PartSchema)])"), Shape::OneOf(choices));
}

#[test]
fn any_value_may_be_absent_until_something_forbids_it() {
    for any in ["z.any()", "z.unknown()", "z.any().optional()"] {
        assert_eq!(reading(any).0, Shape::Any);
        assert_eq!(presence(any), (true, Null::Value, None), "{any}");
    }
    let present = "z.any().refine((value) => value !== undefined)";
    assert_eq!(presence(present), (false, Null::Value, None));
    let not_null = "z.any().refine((value) => value !== null).optional()";
    assert_eq!(presence(not_null), (true, Null::Reject, None));
}

#[test]
fn absence_and_null() {
    assert_eq!(presence("z.string().optional()"), (true, Null::Reject, None));
    assert_eq!(presence("z.string().nullable()"), (false, Null::Value, None));
    assert_eq!(presence("z.string().nullish()"), (true, Null::Value, None));
    let coerced = "z.string().nullable().optional().transform((v) => v ?? undefined)";
    assert_eq!(presence(coerced), (true, Null::Absent, None));
    assert_eq!(presence("z.any().transform((v) => v ?? undefined)"), (true, Null::Absent, None));
    let refused_first =
        "z.any().refine((v) => v !== null).nullable().transform((v) => v ?? undefined).optional()";
    assert_eq!(presence(refused_first), (true, Null::Absent, None));
}

#[test]
fn defaults() {
    assert_eq!(presence("z.string().default(\"a\")"), (true, Null::Reject, Some(json!("a"))));
    let replaced = "z.boolean().optional().default(true)";
    assert_eq!(presence(replaced), (true, Null::Reject, Some(json!(true))));
    let list = "z.array(z.string()).default(() => [])";
    assert_eq!(presence(list), (true, Null::Reject, Some(json!([]))));
    assert_eq!(presence("z.number().default(-1.5)"), (true, Null::Reject, Some(json!(-1.5))));
    let object = "z.record(z.any()).default({ a: [1, null] })";
    assert_eq!(presence(object), (true, Null::Reject, Some(json!({ "a": [1, null] }))));
}

#[test]
fn treatment_of_other_properties() {
    let types = zod("const ASchema = z.object({});
         const BSchema = z.object({}).strict();
         const CSchema = z.object({}).passthrough();
         const DSchema = z.looseObject({});
         const ESchema = z.looseObject({}).meta({ specOpen: true });
         const FSchema = z.strictObject({}).strip();
         const GSchema = CSchema.extend({ a: z.string() });
         const HSchema = ASchema.merge(BSchema);")
    .unwrap();
    let expected = [
        ("A", Unknown::Strip),
        ("B", Unknown::Reject),
        ("C", Unknown::Keep),
        ("D", Unknown::Strip),
        ("E", Unknown::Keep),
        ("F", Unknown::Strip),
        ("G", Unknown::Keep),
        ("H", Unknown::Reject),
    ];
    for (name, unknown) in expected {
        assert_eq!(object(&types, name).unknown, unknown, "{name}");
    }
}

#[test]
fn objects_are_derived_from_objects() {
    let types =
        zod("const BaseSchema = z.object({ id: z.string(), kind: z.string(), note: z.string() });
         const MoreSchema = BaseSchema.extend({ kind: z.literal(\"more\"), extra: z.boolean() });
         const LessSchema = MoreSchema.omit({ id: true, note: true });
         const SomeSchema = MoreSchema.pick({ extra: true, id: true });
         const SumSchema = LessSchema.merge(z.object({ extra: z.string(), last: z.any() }));")
        .unwrap();
    let names = |name| -> Vec<&str> {
        object(&types, name).fields.iter().map(|field| field.name.as_str()).collect()
    };
    assert_eq!(names("More"), ["id", "kind", "note", "extra"]);
    assert_eq!(field(&types, "More", "kind").shape, Shape::Literal("more".into()));
    assert_eq!(names("Less"), ["kind", "extra"]);
    assert_eq!(names("Some"), ["id", "extra"]);
    assert_eq!(names("Sum"), ["kind", "extra", "last"]);
    assert_eq!(field(&types, "Sum", "extra").shape, Shape::String);
}

#[test]
fn sets_of_strings() {
    let types = zod("enum Kind { A = \"a-value\", B = \"b-value\" }
         const OneSchema = z.enum([\"x\", \"y\"]);
         const TwoSchema = z.union([z.literal(\"x\"), z.literal(\"y\")]);
         const KindSchema = z.nativeEnum(Kind);
         const UserSchema = z.object({ kind: KindSchema, a: z.literal(Kind.A), one: OneSchema });")
    .unwrap();
    let xy = Kind::Strings(vec!["x".into(), "y".into()]);
    assert_eq!(find(&types, "One").kind, xy);
    assert_eq!(find(&types, "Two").kind, xy);
    assert_eq!(find(&types, "Kind").kind, Kind::Strings(vec!["a-value".into(), "b-value".into()]));
    assert_eq!(types.iter().filter(|candidate| candidate.name == "Kind").count(), 1);
    assert_eq!(field(&types, "User", "kind").shape, Shape::Ref("Kind".into()));
    assert_eq!(field(&types, "User", "a").shape, Shape::Literal("a-value".into()));
    assert_eq!(field(&types, "User", "one").shape, Shape::Ref("One".into()));
}

#[test]
fn a_set_of_strings_in_a_field_is_named_by_its_path() {
    let types =
        zod("const EntrySchema = z.object({ status: z.enum([\"on\", \"off\"]) });").unwrap();
    assert_eq!(field(&types, "Entry", "status").shape, Shape::Ref("Entry.status".into()));
    let names: Vec<&str> = types.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["Entry.status", "Entry"]);
}

#[test]
fn unions_of_objects() {
    let types = zod("const CatSchema = z.object({ kind: z.literal(\"cat\") });
         const DogSchema = z.object({ kind: z.literal(\"dog\") });
         const PetSchema = z.discriminatedUnion(\"kind\", [CatSchema, DogSchema]);")
    .unwrap();
    let Kind::Union(union) = &find(&types, "Pet").kind else { panic!("no union") };
    let variants: Vec<(&str, &str)> =
        union.variants.iter().map(|variant| (&*variant.value, &*variant.name)).collect();
    assert_eq!((union.tag.as_str(), variants), ("kind", vec![("cat", "Cat"), ("dog", "Dog")]));
}

#[test]
fn constants_that_only_say_how_to_mention_a_type_are_no_types() {
    let types = zod("const MetadataSchema = z.record(z.any());
         const OptionalMetadataSchema = MetadataSchema.optional();
         const SecondNameSchema = MetadataSchema;
         const XSchema = z.object({ a: OptionalMetadataSchema, b: SecondNameSchema });")
    .unwrap();
    let names: Vec<&str> = types.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["Metadata", "SecondName", "X"]);
    assert_eq!(field(&types, "X", "a").shape, Shape::Ref("Metadata".into()));
    assert!(field(&types, "X", "a").presence.optional);
    assert_eq!(find(&types, "SecondName").kind, Kind::Alias(Shape::Ref("Metadata".into())));
}

#[test]
fn an_alias_of_any_value_stays_absent_or_null_where_it_is_mentioned() {
    let types = zod("const StateSchema = z.any();
         const XSchema = z.object({
           free: StateSchema,
           present: StateSchema.refine((value) => value !== undefined),
         });")
    .unwrap();
    let free = &field(&types, "X", "free").presence;
    assert_eq!((free.optional, free.null), (true, Null::Value));
    let present = &field(&types, "X", "present").presence;
    assert_eq!((present.optional, present.null), (false, Null::Value));
    assert_eq!(field(&types, "X", "present").shape, Shape::Ref("State".into()));
}

#[test]
fn rules_in_code_become_notes() {
    let types = zod("const check = (value: any, ctx: any) => {};
         const ASchema = z.object({ kind: z.literal(\"a\") });
         const BareSchema = z.object({ kind: z.literal(\"b\") });
         const NamedSchema = ASchema.superRefine(check);
         const CalledSchema = ASchema.superRefine((value, ctx) => { check(value, ctx); });
         const InlineSchema = ASchema.superRefine((value, ctx) => {
           if (!value.kind) ctx.addIssue({});
           if (value.kind) ctx.addIssue({});
         });
         const PlainSchema = z.discriminatedUnion(\"kind\", [ASchema, BareSchema]);
         const RuledSchema = PlainSchema.superRefine((value, ctx) => {
           if (value.kind === \"b\") {
             check(value, ctx);
           }
         });")
    .unwrap();
    assert_eq!(object(&types, "Named").notes, ["check"]);
    assert_eq!(object(&types, "Called").notes, ["check"]);
    assert_eq!(object(&types, "Inline").notes, ["Inline"]);
    assert_eq!(object(&types, "Bare").notes, ["check"]);
    assert_eq!(object(&types, "A").notes, [""; 0]);
    assert_eq!(find(&types, "Ruled").kind, find(&types, "Plain").kind);
}

#[test]
fn references_cross_files_by_import_and_by_export() {
    let types = read_zod(&[
        (
            "src/a.ts",
            "import * as zod from \"zod/v4\";
             import { Renamed as BSchema } from \"./deep/index.js\";
             import { CSchema } from \"./deep/index\";
             export const ASchema = zod.object({ b: BSchema, c: CSchema });",
        ),
        (
            "src/deep/index.ts",
            "export { BSchema as Renamed } from \"./b\";\nexport * from \"../c\";",
        ),
        (
            "src/deep/b.ts",
            "import { z } from \"zod\";\nconst BSchema = z.string();\nexport { BSchema };",
        ),
        ("src/c.ts", "import { z as y } from \"zod\";\nexport const CSchema = y.object({});"),
    ])
    .unwrap();
    assert_eq!(field(&types, "A", "b").shape, Shape::Ref("B".into()));
    assert_eq!(field(&types, "A", "c").shape, Shape::Ref("C".into()));
}

#[test]
fn whatever_is_no_schema_is_skipped() {
    let types = zod("export const KEY = \"ag-ui\";
         export const num = (v: unknown) => v;
         export function merge(a: object) { return a; }
         export class Failure extends Error {}
         export type X = z.infer<typeof XSchema>;
         export interface Y { a: string }
         export const XSchema = z.object({});")
    .unwrap();
    let names: Vec<&str> = types.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["X"]);
}
