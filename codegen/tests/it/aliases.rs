//! Each form of type alias gives its reading; other forms are refused.

use ag_ui_codegen::extract::Kind;
use ag_ui_codegen_emit::model::{Array, Null, Shape};
use serde_json::json;

use crate::support::{aliases, field, find};

fn shape(kind: &str) -> Shape {
    let text = format!(
        "export enum E {{ A = \"a-value\" }}\nexport type Other = {{}};\nexport type X = {{ f: {kind} }};"
    );
    let types = aliases(&text).unwrap_or_else(|error| panic!("{kind}: {error}"));
    field(&types, "X", "f").shape.clone()
}

fn list(items: Shape) -> Shape {
    Shape::Array(Array { items: Box::new(items), min_items: 0 })
}

#[test]
fn shapes_of_fields() {
    assert_eq!(shape("string"), Shape::String);
    assert_eq!(shape("number"), Shape::Number);
    assert_eq!(shape("boolean"), Shape::Boolean);
    assert_eq!(shape("any"), Shape::Any);
    assert_eq!(shape("unknown"), Shape::Any);
    assert_eq!(shape("Record<string, any>"), Shape::Map);
    assert_eq!(shape("\"text\""), Shape::Literal("text".into()));
    assert_eq!(shape("E.A"), Shape::Literal("a-value".into()));
    assert_eq!(shape("Other"), Shape::Ref("Other".into()));
    assert_eq!(shape("Other[]"), list(Shape::Ref("Other".into())));
    assert_eq!(shape("Array<string>"), list(Shape::String));
    assert_eq!(shape("(string)"), Shape::String);
    let choices = vec![Shape::String, list(Shape::Ref("Other".into()))];
    assert_eq!(shape("string | Other[]"), Shape::OneOf(choices));
}

#[test]
fn kinds_of_types() {
    let types = aliases(
        "export enum E { A = \"a\", B = \"b\" }
         export type S = \"x\" | \"y\";
         export type U = One | Two;
         export type One = { kind: \"one\"; same: \"s\" };
         export type Two = { kind: \"two\"; same: \"s\" };
         export type M = Record<string, any>;
         export type L = One[];",
    )
    .unwrap();
    assert_eq!(find(&types, "E").kind, Kind::Strings(vec!["a".into(), "b".into()]));
    assert_eq!(find(&types, "S").kind, Kind::Strings(vec!["x".into(), "y".into()]));
    assert_eq!(find(&types, "M").kind, Kind::Alias(Shape::Map));
    assert_eq!(find(&types, "L").kind, Kind::Alias(list(Shape::Ref("One".into()))));
    let Kind::Union(union) = &find(&types, "U").kind else { panic!("no union") };
    assert_eq!(union.tag, "kind");
    let names: Vec<&str> = types.iter().map(|candidate| candidate.name.as_str()).collect();
    assert_eq!(names, ["E", "S", "U", "One", "Two", "M", "L"]);
}

#[test]
fn presence_and_defaults() {
    let types = aliases(
        "export type X = {
           a: string;
           b?: string;
           c?: any;
           /**
            * Some words.
            * @default { \"k\": [true] }
            */
           d?: string;
           /** @default 5 */
           // A comment in between.
           e?: number;
           /** @contentEncoding base64 */
           f: string;
         };",
    )
    .unwrap();
    let presence = |name| {
        let presence = &field(&types, "X", name).presence;
        (presence.optional, presence.null, presence.default.clone())
    };
    assert_eq!(presence("a"), (false, Null::Reject, None));
    assert_eq!(presence("b"), (true, Null::Reject, None));
    assert_eq!(presence("c"), (true, Null::Value, None));
    assert_eq!(presence("d"), (true, Null::Reject, Some(json!({ "k": [true] }))));
    assert_eq!(presence("e"), (true, Null::Reject, Some(json!(5))));
    assert_eq!(presence("f"), (false, Null::Reject, None));
}

#[test]
fn a_set_of_strings_in_a_field_is_named_by_its_path() {
    let types = aliases("export type Entry = { status: \"on\" | \"off\" };").unwrap();
    assert_eq!(field(&types, "Entry", "status").shape, Shape::Ref("Entry.status".into()));
    assert_eq!(types.first().map(|first| first.name.as_str()), Some("Entry.status"));
}

#[test]
fn other_forms_are_refused_with_their_place() {
    let cases = [
        ("export interface X { a: string }", "2:8", "an interface"),
        ("export type X<T> = { a: T };", "2:14", "a type with parameters"),
        ("export type X = { [key: string]: any };", "2:19", "a member that is not a property"),
        ("export type X = { a(): void };", "2:19", "a member that is not a property"),
        ("export type X = { a };", "2:19", "a property without a type"),
        ("export type X = { a: 5 };", "2:22", "a literal that is not a string"),
        ("export type X = { a: null };", "2:22", "a type expression"),
        ("export type X = { a: string | null };", "2:31", "a type expression"),
        ("export type X = { a: Partial<Y> };", "2:22", "a type with arguments"),
        ("export type X = { a: Gone };", "2:22", "`Gone` is not declared"),
        ("export type X = { a: E.Gone };", "2:22", "`E` is not declared"),
        ("export type X = { a: { b: string } };", "2:22", "an object without a name"),
        ("export type A = { k: string };\nexport type X = A | A;", "3:13", "tells the members"),
        ("export type X = {};\nexport type X = string;", "3:13", "`X` is declared twice"),
        ("export type X = keyof Y;", "2:17", "a type expression"),
        (
            "/** x */\nexport type X = {\n /** @default dog */\n a?: string };",
            "5:2",
            "`@default dog` is not JSON",
        ),
    ];
    for (text, place, words) in cases {
        let message = aliases(&format!("// one line\n{text}")).unwrap_err().to_string();
        assert!(message.starts_with(&format!("src/types.ts:{place}: ")), "{text}: {message}");
        assert!(message.contains(words), "{text}: {message}");
    }
}
