//! Types and validators of one release are held against each other.

use ag_ui_codegen::extract::Kind;
use ag_ui_codegen_emit::model::{Array, Integer, Null, Shape, Unknown};
use serde_json::json;

use crate::support::{both, field, find, object};

fn error(types: &str, validators: &str) -> String {
    let validators = format!("import {{ z }} from \"zod\";\n{validators}");
    both(types, &validators).unwrap_err().to_string()
}

#[test]
fn validators_refine_types() {
    let types = "export type Pointer = string;
        export type List = Item[];
        export type Item = {
          /** @default 1 */
          count?: number;
          any?: any;
          value: any;
          many: string[];
          items: string | Pointer[];
        };";
    let validators = "import { z } from \"zod\";
        const PointerSchema = z.string().regex(new RegExp(\"^/\"));
        const ItemSchema = z.looseObject({
          items: z.union([z.string(), z.array(PointerSchema)]),
          count: z.int().min(0).max(9).optional(),
          any: z.any().refine((v) => v !== null).optional(),
          value: z.any().refine((v) => v !== undefined),
          many: z.array(z.string()).min(2).default(() => []),
        }).meta({ specOpen: true });
        const ListSchema = z.array(ItemSchema);";
    let types = both(types, validators).unwrap().types;
    assert_eq!(find(&types, "Pointer").kind, Kind::Alias(Shape::Pattern("^/".into())));
    assert_eq!(object(&types, "Item").unknown, Unknown::Keep);
    let count = field(&types, "Item", "count");
    assert_eq!(count.shape, Shape::Integer(Integer { min: Some(0), max: Some(9) }));
    assert_eq!(count.presence.default, Some(json!(1)));
    assert_eq!(field(&types, "Item", "any").presence.null, Null::Reject);
    assert_eq!(field(&types, "Item", "value").presence.null, Null::Value);
    let many = field(&types, "Item", "many");
    assert_eq!(many.shape, Shape::Array(Array { items: Box::new(Shape::String), min_items: 2 }));
    assert!(many.presence.optional);
    assert_eq!(many.presence.default, Some(json!([])));
    let names: Vec<&str> =
        object(&types, "Item").fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["count", "any", "value", "many", "items"]);
}

#[test]
fn disagreements_name_the_place_in_both_files() {
    let cases = [
        (
            "type X = { a: string };",
            "",
            "X: types and validators disagree: there is a type and no validator",
        ),
        (
            "",
            "const XSchema = z.string();",
            "X: types and validators disagree: there is a validator and no type",
        ),
        (
            "type X = { a: string };",
            "const XSchema = z.object({});",
            "X.a: types and validators disagree: only the type has",
        ),
        (
            "type X = {};",
            "const XSchema = z.object({ a: z.string() });",
            "X.a: types and validators disagree: only the validator has",
        ),
        (
            "type X = { a?: string };",
            "const XSchema = z.object({ a: z.string() });",
            "X.a: types and validators disagree: optional in one",
        ),
        (
            "type X = { a: string };",
            "const XSchema = z.object({ a: z.string().default(\"b\") });",
            "X.a: types and validators disagree: optional in one",
        ),
        (
            "type X = { a: string };",
            "const XSchema = z.object({ a: z.number() });",
            "X.a: types and validators disagree: another shape",
        ),
        (
            "type X = { /** @default 1 */ a?: number };",
            "const XSchema = z.object({ a: z.number().default(2) });",
            "X.a: types and validators disagree: another default",
        ),
        (
            "type X = string;",
            "const XSchema = z.object({});",
            "X: types and validators disagree: another kind",
        ),
        (
            "type X = string;",
            "const XSchema = z.number();",
            "X: types and validators disagree: another shape",
        ),
        (
            "type X = \"a\" | \"b\";",
            "const XSchema = z.enum([\"a\"]);",
            "X: types and validators disagree: other strings",
        ),
    ];
    for (types, validators, words) in cases {
        let message = error(types, validators);
        assert!(message.starts_with(words), "{types} {validators}: {message}");
        assert!(message.contains("\n  types: types.ts"), "{message}");
        assert!(message.contains("\n  validators: schemas.ts"), "{message}");
    }
}

#[test]
fn variants_are_compared() {
    let types = "type A = { k: \"a\" };\ntype B = { k: \"b\" };\ntype U = A | B;";
    let validators = "const ASchema = z.object({ k: z.literal(\"a\") });
        const BSchema = z.object({ k: z.literal(\"b\") });
        const USchema = z.discriminatedUnion(\"k\", [ASchema]);";
    let message = error(types, validators);
    assert!(message.starts_with("U: types and validators disagree: other variants"), "{message}");
}
