//! What the reader of zod schemas does not know, it refuses with file, line and a hint.

use crate::support::{read_zod, zod};

/// The message for a file whose second line is `line`.
fn error(line: &str) -> String {
    match zod(line) {
        Ok(types) => panic!("{line} was read as {types:#?}"),
        Err(error) => error.to_string(),
    }
}

/// Expects a place, words of the message, and the source line in it.
fn refused(line: &str, place: &str, words: &str) {
    let message = error(line);
    assert!(message.starts_with(&format!("src/a.ts:{place}: ")), "{message}");
    assert!(message.contains(words), "{message}");
    let excerpt = line.lines().last().unwrap().trim();
    assert!(message.contains(&format!("\n    | {excerpt}")), "{message}");
    assert!(message.contains("\n  help: "), "{message}");
}

#[test]
fn unknown_constructors() {
    refused("const XSchema = z.date();", "2:17", "unknown zod constructor `z.date`");
    refused("const XSchema = z.lazy(() => XSchema);", "2:17", "unknown zod constructor `z.lazy`");
    refused("const XSchema = z.object({ a: z.bigint() });", "2:31", "`z.bigint`");
}

#[test]
fn unknown_calls_on_a_schema() {
    refused("const XSchema = z.string().brand();", "2:28", "`.brand()` on a string");
    refused("const XSchema = z.number().min(1);", "2:28", "`.min()` on a number");
    refused("const XSchema = z.string().min(1);", "2:28", "`.min()` on a string");
    refused("const XSchema = z.boolean().int();", "2:29", "`.int()` on a boolean");
    refused("const XSchema = z.object({}).partial();", "2:30", "`.partial()` on an object");
    refused("const XSchema = z.array(z.any()).nonempty();", "2:34", "`.nonempty()` on an array");
    refused("const XSchema = z.enum([\"a\"]).exclude([\"a\"]);", "2:31", "on a set of strings");
}

#[test]
fn functions_without_a_known_meaning() {
    refused(
        "const XSchema = z.string().refine((v) => v.length > 1);",
        "2:35",
        "function given to `.refine`",
    );
    refused("const XSchema = z.any().refine((v) => v != null);", "2:32", "`.refine`");
    refused("const XSchema = z.any().refine((v) => w !== null);", "2:32", "`.refine`");
    refused("const XSchema = z.string().transform((v) => v.trim());", "2:38", "`.transform`");
    refused("const XSchema = z.string().transform((v) => v ?? null);", "2:38", "`.transform`");
    let more = "typeof v === \"object\" && v !== null && !Array.isArray(v) && v.a";
    refused(
        &format!("const XSchema = z.custom<Record<string, any>>((v) => {more});"),
        "2:47",
        "`z.custom`",
    );
    refused(
        "const XSchema = z.custom<Record<string, any>>((v) => typeof v === \"object\");",
        "2:47",
        "`z.custom`",
    );
}

#[test]
fn arguments_of_another_form() {
    refused("const XSchema = z.literal(5);", "2:27", "a string or a member of a declared enum");
    refused("const XSchema = z.literal(Missing.A);", "2:27", "a member of a declared enum");
    refused("const XSchema = z.enum(MEMBERS);", "2:24", "a list of strings or an enum");
    refused("const XSchema = z.object({ ...other });", "2:28", "an object literal with plain keys");
    refused("const XSchema = z.object({ [key]: z.any() });", "2:28", "plain keys");
    refused("const XSchema = z.object(fields);", "2:26", "an object literal");
    refused("const XSchema = z.record(z.string());", "2:26", "values of any kind");
    refused(
        "const XSchema = z.custom<Record<string, string>>((v) => v);",
        "2:50",
        "Record<string, any>",
    );
    refused("const XSchema = z.object({}).meta({ id: \"X\" });", "2:35", "`{ specOpen: true }`");
    refused("const XSchema = z.object({}).omit({ gone: true });", "2:35", "fields of the object");
    refused("const XSchema = z.string().regex(/a/);", "2:34", "without flags");
    refused("const XSchema = z.string().regex(new RegExp(\"a\", \"i\"));", "2:34", "without flags");
    refused("const XSchema = z.string().default(value);", "2:36", "a JSON value");
    refused("const XSchema = z.int().min(1.5);", "2:29", "an integer literal");
    refused("const XSchema = z.string({ message: \"no\" });", "2:26", "no argument");
    refused("const XSchema = z.array();", "2:17", "the schema of an element");
}

#[test]
fn unions_that_nothing_tells_apart() {
    refused(
        "const XSchema = z.union([z.string(), z.literal(\"a\")]);",
        "2:17",
        "tells the members",
    );
    refused("const XSchema = z.union([z.any(), z.string()]);", "2:17", "tells the members");
    let objects =
        "const ASchema = z.object({});\nconst XSchema = z.union([ASchema, z.record(z.any())]);";
    refused(objects, "3:17", "tells the members");
}

#[test]
fn a_variant_without_its_tag() {
    let line = "const ASchema = z.object({ kind: z.string() });\nconst XSchema = z.discriminatedUnion(\"kind\", [ASchema]);";
    refused(line, "3:47", "variant `A` has no string literal in its field `kind`");
    let string = "const XSchema = z.discriminatedUnion(\"kind\", [z.string()]);";
    refused(string, "2:47", "has no string literal");
}

#[test]
fn rules_that_no_note_can_carry() {
    let base = "const ASchema = z.object({ k: z.literal(\"a\") });\nconst USchema = z.discriminatedUnion(\"k\", [ASchema]);\n";
    let general = format!("{base}const XSchema = USchema.superRefine(check);");
    refused(&general, "4:37", "a helper called for one variant");
    let absent = format!(
        "{base}const XSchema = USchema.superRefine((v, c) => {{ if (v.k === \"z\") check(v, c); }});"
    );
    refused(&absent, "4:37", "a helper called for one variant");
}

#[test]
fn things_without_a_name() {
    refused("const XSchema = z.object({ a: z.object({}) });", "2:31", "an object without a name");
    refused("const XSchema = z.array(z.enum([\"a\"]));", "2:25", "a set of strings without a name");
}

#[test]
fn names_that_lead_nowhere() {
    refused("const XSchema = z.object({ a: GoneSchema });", "2:31", "`GoneSchema` is not declared");
    refused("const XSchema = z.object({ a: XSchema });", "2:17", "`XSchema` is made of itself");
    refused("const XSchema = helper(z.string());", "2:17", "not a schema expression");
    refused("const XSchema = 5;", "2:17", "not a schema expression");
    refused("const X = 5;\nconst YSchema = z.array(X);", "3:25", "not a schema expression");
    let message = read_zod(&[(
        "a.ts",
        "import { z } from \"zod\";\nimport { ASchema } from \"./b\";\nconst XSchema = ASchema;",
    )])
    .unwrap_err()
    .to_string();
    assert!(message.starts_with("a.ts:3:17: `ASchema` is not declared"), "{message}");
}

#[test]
fn imports_in_a_circle_end() {
    let error = read_zod(&[
        ("a.ts", "import { z } from \"zod\";\nimport { BSchema } from \"./b\";\nconst XSchema = BSchema;"),
        ("b.ts", "export { BSchema } from \"./c\";"),
        ("c.ts", "export { BSchema } from \"./b\";"),
    ])
    .unwrap_err();
    assert!(error.to_string().contains("`BSchema` is not declared"), "{error}");
}

#[test]
fn names_that_make_no_type() {
    refused("const shape = z.object({});", "2:7", "`shape` does not end in `Schema`");
    let twice = "const ASchema = z.string();\nconst ASchemas = z.boolean();";
    refused(twice, "3:18", "`A` is declared twice, first at src/a.ts:2:17");
    refused("enum E { A }", "2:10", "an enum member that is not a string");
}

#[test]
fn text_that_is_no_typescript() {
    let message = error("const XSchema = ;");
    assert!(message.starts_with("src/a.ts:2:17: syntax error: "), "{message}");
    assert!(message.contains("\n    | const XSchema = ;"), "{message}");
}

#[test]
fn columns_count_characters() {
    refused("/* ü */ const XSchema = z.date();", "2:25", "`z.date`");
}
