//! Several releases become one set of types.

use ag_ui_codegen::extract::Release;
use ag_ui_codegen::merge::{Error, merge};
use ag_ui_codegen_emit::model::{Field, Null, Object, Shape, TypeDef, TypeShape, Unknown};

use crate::support::{release, zod};

/// Releases 1.0.0, 2.0.0 … of these sources.
fn releases(sources: &[&str]) -> Vec<Release> {
    let numbered = sources.iter().enumerate();
    numbered
        .map(|(index, text)| release(&format!("{}.0.0", index + 1), zod(text).unwrap()))
        .collect()
}

fn merged(sources: &[&str]) -> Vec<TypeDef> {
    merge(&releases(sources), &[]).unwrap()
}

fn clash(sources: &[&str]) -> Error {
    merge(&releases(sources), &[]).unwrap_err()
}

fn find<'t>(types: &'t [TypeDef], name: &str) -> &'t TypeDef {
    types.iter().find(|definition| definition.name == name).unwrap()
}

fn object<'t>(types: &'t [TypeDef], name: &str) -> &'t Object {
    match &find(types, name).shape {
        TypeShape::Object(object) => object,
        other => panic!("{name} is {other:?}"),
    }
}

/// The field `f` of type `X` after merging `X` with each of these schemas for it, oldest first.
fn field(schemas: &[&str]) -> Field {
    let sources: Vec<String> = schemas
        .iter()
        .map(|schema| format!("const XSchema = z.object({{ f: {schema} }});"))
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    object(&merged(&sources), "X").fields.first().unwrap().clone()
}

#[test]
fn types_carry_the_versions_that_have_them() {
    let types = merged(&[
        "const ASchema = z.string();\nconst OldSchema = z.string();",
        "const NewSchema = z.string();\nconst ASchema = z.string();",
        "const ASchema = z.string();\nconst NewSchema = z.string();",
    ]);
    let lifetimes: Vec<(&str, &str, Option<&str>)> = types
        .iter()
        .map(|definition| (&*definition.name, &*definition.since, definition.until.as_deref()))
        .collect();
    assert_eq!(
        lifetimes,
        [("A", "1.0.0", None), ("New", "2.0.0", None), ("Old", "1.0.0", Some("1.0.0")),]
    );
}

#[test]
fn retired_members_variants_and_fields_stand_where_they_were() {
    let part =
        |name: &str| format!("const {name}Schema = z.object({{ k: z.literal(\"{name}\") }});");
    let parts: String = ["A", "B", "C"].map(part).concat();
    let old = format!(
        "{parts}\nconst SSchema = z.enum([\"a\", \"gone\", \"b\"]);
         const USchema = z.discriminatedUnion(\"k\", [ASchema, BSchema, CSchema]);
         const OSchema = z.object({{ a: z.any(), gone: z.any(), b: z.any() }});"
    );
    let new = format!(
        "{parts}\nconst SSchema = z.enum([\"b\", \"new\", \"a\"]);
         const USchema = z.discriminatedUnion(\"k\", [ASchema, CSchema]);
         const OSchema = z.object({{ a: z.any(), new: z.any(), b: z.any() }});"
    );
    let types = merged(&[&old, &new]);
    let TypeShape::Strings(strings) = &find(&types, "S").shape else { panic!("no strings") };
    let members: Vec<(&str, &str, Option<&str>)> = strings
        .members
        .iter()
        .map(|member| (&*member.value, &*member.since, member.until.as_deref()))
        .collect();
    assert_eq!(
        members,
        [
            ("b", "1.0.0", None),
            ("new", "2.0.0", None),
            ("a", "1.0.0", None),
            ("gone", "1.0.0", Some("1.0.0")),
        ]
    );
    let TypeShape::Union(union) = &find(&types, "U").shape else { panic!("no union") };
    let variants: Vec<(&str, Option<&str>)> =
        union.variants.iter().map(|variant| (&*variant.value, variant.until.as_deref())).collect();
    assert_eq!(variants, [("A", None), ("B", Some("1.0.0")), ("C", None)]);
    let fields: Vec<(&str, &str, Option<&str>)> = object(&types, "O")
        .fields
        .iter()
        .map(|field| (&*field.name, &*field.since, field.until.as_deref()))
        .collect();
    assert_eq!(
        fields,
        [
            ("a", "1.0.0", None),
            ("gone", "1.0.0", Some("1.0.0")),
            ("new", "2.0.0", None),
            ("b", "1.0.0", None),
        ]
    );
}

#[test]
fn fields_of_a_retired_type_are_not_retired_again() {
    let types =
        merged(&["const XSchema = z.object({ f: z.string() });", "const YSchema = z.string();"]);
    assert_eq!(find(&types, "X").until.as_deref(), Some("1.0.0"));
    assert_eq!(object(&types, "X").fields.first().unwrap().until, None);
}

#[test]
fn the_newest_reading_counts_and_differing_older_ones_are_kept() {
    let field = field(&["z.number()", "z.number().optional()", "z.number().int().optional()"]);
    assert!(field.optional);
    assert!(matches!(field.shape, Shape::Integer(_)));
    let earlier: Vec<(&str, bool)> =
        field.earlier.iter().map(|reading| (&*reading.version, reading.optional)).collect();
    assert_eq!(earlier, [("1.0.0", false), ("2.0.0", true)]);
    assert!(field.earlier.iter().all(|reading| reading.shape == Shape::Number));
}

#[test]
fn a_change_of_default_is_kept() {
    let field = field(&["z.string().default(\"a\")", "z.string().optional()"]);
    assert_eq!(field.default, None);
    assert_eq!(field.earlier.first().unwrap().default, Some("a".into()));
}

#[test]
fn null_that_an_older_release_read_is_taken_for_absence() {
    let not_null = "z.any().refine((v) => v !== null).optional()";
    let value = field(&["z.any().optional()", not_null]);
    assert_eq!(value.null, Null::Absent);
    assert_eq!(value.earlier.first().unwrap().null, Null::Value);
    let coerced = "z.string().nullish().transform((v) => v ?? undefined)";
    let absent = field(&[coerced, "z.string().optional()"]);
    assert_eq!((absent.null, absent.earlier.len()), (Null::Absent, 0));
    let later = field(&["z.any().optional()", not_null, not_null]);
    assert_eq!((later.null, later.earlier.len()), (Null::Absent, 1));
}

#[test]
fn null_stays_what_the_newest_release_says_otherwise() {
    assert_eq!(field(&["z.string().optional()", "z.string().optional()"]).null, Null::Reject);
    // Absence is no way out for a field that must be there.
    assert_eq!(field(&["z.any()", "z.string()"]).null, Null::Reject);
    let present = "z.any().refine((v) => v !== undefined)";
    assert_eq!(field(&["z.any()", present]).null, Null::Value);
    assert_eq!(field(&["z.string().optional()", "z.string().nullish()"]).null, Null::Value);
}

#[test]
fn another_name_for_the_same_shape_is_no_difference() {
    let named = "const IdSchema = z.string();\nconst XSchema = z.object({ f: z.array(IdSchema) });";
    let types = merged(&["const XSchema = z.object({ f: z.array(z.string()) });", named]);
    assert_eq!(object(&types, "X").fields.first().unwrap().earlier, []);
}

#[test]
fn treatment_of_other_properties_is_kept() {
    let types = merged(&[
        "const XSchema = z.object({}).strict();",
        "const XSchema = z.object({}).passthrough();",
        "const XSchema = z.object({});",
    ]);
    let object = object(&types, "X");
    assert_eq!(object.unknown, Unknown::Strip);
    let earlier: Vec<(&str, Unknown)> =
        object.earlier.iter().map(|earlier| (&*earlier.version, earlier.unknown)).collect();
    assert_eq!(earlier, [("1.0.0", Unknown::Reject), ("2.0.0", Unknown::Keep)]);
}

#[test]
fn what_cannot_be_united_is_an_error() {
    let kinds = clash(&["const XSchema = z.string();", "const XSchema = z.object({});"]);
    assert!(kinds.to_string().starts_with("`X` is an object in 2.0.0 and not in 1.0.0"), "{kinds}");
    let alias = clash(&["const XSchema = z.string();", "const XSchema = z.number();"]);
    assert!(alias.to_string().contains("an alias of this shape"), "{alias}");
    let tag = |tag: &str| {
        format!(
            "const ASchema = z.object({{ {tag}: z.literal(\"a\") }});
             const XSchema = z.discriminatedUnion(\"{tag}\", [ASchema]);"
        )
    };
    let tags = clash(&[&tag("k"), &tag("l")]);
    assert!(tags.to_string().contains("a union by this tag"), "{tags}");
}
