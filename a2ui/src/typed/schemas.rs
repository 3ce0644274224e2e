//! JSON Schemas of generated types and of the values they hold, for `schemars`.

use std::borrow::Cow;

pub use schemars;
pub use serde_json;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::value::{
    Accessibility, Action, CheckRule, ChildList, ComponentId, DataBinding, DynamicBoolean,
    DynamicNumber, DynamicString, DynamicStringList, DynamicValue, FunctionCall, Number,
};

/// A member of an object.
#[derive(Debug)]
pub struct Member {
    name: &'static str,
    is_required: bool,
    schema: Schema,
}

/// A member; `bounds` are what its schema says beside that of its type.
#[must_use]
pub fn member(
    presence: &str,
    name: &'static str,
    mut schema: Schema,
    docs: &str,
    bounds: Value,
) -> Member {
    let mut facts = match bounds {
        Value::Object(facts) => facts,
        _ => Map::new(),
    };
    if !docs.is_empty() {
        facts.insert("description".to_owned(), docs.into());
    }
    for (fact, value) in facts {
        schema.insert(fact, value);
    }
    Member { name, is_required: presence == "required", schema }
}

/// A component, which says of what type it is.
#[must_use]
pub fn component(name: &'static str, docs: &str, members: Vec<Member>) -> Schema {
    let kind = schemars::json_schema!({"const": name});
    let kind = Member { name: "component", is_required: true, schema: kind };
    let mut schema = object(members.into_iter().chain([kind]).collect());
    schema.insert("description".to_owned(), docs.into());
    schema
}

/// A closed object.
#[must_use]
pub fn object(members: Vec<Member>) -> Schema {
    let required: Vec<&str> =
        members.iter().filter(|member| member.is_required).map(|member| member.name).collect();
    let required = json!(required);
    let properties: Map<String, Value> =
        members.into_iter().map(|member| (member.name.to_owned(), member.schema.into())).collect();
    schemars::json_schema!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// One of several.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "written into the schema")]
pub fn any_of(schemas: Vec<Schema>) -> Schema {
    schemars::json_schema!({"anyOf": schemas})
}

/// The JSON Schema of a generated type.
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    (component $type:ident $name:literal $docs:literal {
        $($presence:ident $wire:literal: $member:ty, $about:literal, {$($bounds:tt)*};)*
    }) => {
        $crate::__json_schema!(impl $type, generator => {
            $crate::typed::schemas::component($name, $docs, vec![
                $($crate::__json_schema!(
                    member generator $presence $wire: $member, $about, {$($bounds)*}
                )),*
            ])
        });
    };
    (object $type:ident {
        $($presence:ident $wire:literal: $member:ty, $about:literal, {$($bounds:tt)*};)*
    }) => {
        $crate::__json_schema!(impl $type, generator => {
            $crate::typed::schemas::object(vec![
                $($crate::__json_schema!(
                    member generator $presence $wire: $member, $about, {$($bounds)*}
                )),*
            ])
        });
    };
    (texts $type:ident { $($text:literal)* }) => {
        $crate::__json_schema!(impl $type, _generator => {
            $crate::typed::schemas::schemars::json_schema!({"type": "string", "enum": [$($text),*]})
        });
    };
    (union $type:ident { $($member:ty;)* }) => {
        $crate::__json_schema!(impl $type, generator => {
            $crate::typed::schemas::any_of(vec![$(generator.subschema_for::<$member>()),*])
        });
    };
    (member $generator:ident $presence:ident $wire:literal: $member:ty, $about:literal,
        {$($bounds:tt)*}) => {
        $crate::typed::schemas::member(
            stringify!($presence),
            $wire,
            $generator.subschema_for::<$member>(),
            $about,
            $crate::typed::schemas::serde_json::json!({$($bounds)*}),
        )
    };
    (impl $type:ident, $generator:ident => $schema:block) => {
        impl $crate::typed::schemas::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($type)).into()
            }

            fn json_schema(
                $generator: &mut $crate::typed::schemas::schemars::SchemaGenerator,
            ) -> $crate::typed::schemas::schemars::Schema $schema
        }
    };
}

macro_rules! of_values {
    ($($type:ident, $generator:ident => $schema:expr;)*) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn schema_id() -> Cow<'static, str> {
                concat!("ag_ui_a2ui::", stringify!($type)).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

of_values! {
    ComponentId, _generator => schemars::json_schema!({"type": "string"});
    Number, _generator => schemars::json_schema!({"type": "number"});
    ChildList, generator => {
        let ids = generator.subschema_for::<Vec<ComponentId>>();
        any_of(vec![ids, schemars::json_schema!({
            "type": "object",
            "description": "One component for each item of a list in the data.",
            "properties": {
                "componentId": {"type": "string"},
                "path": {"type": "string", "description": "Where the list is, as a JSON Pointer."},
            },
            "required": ["componentId", "path"],
            "additionalProperties": false,
        })])
    };
    DataBinding, _generator => schemars::json_schema!({
        "type": "object",
        "description": "A place in the data.",
        "properties": {"path": {"type": "string", "description": "A JSON Pointer."}},
        "required": ["path"],
        "additionalProperties": false,
    });
    FunctionCall, _generator => call(None);
    DynamicString, generator => dynamic(generator, &json!({"type": "string"}), "string");
    DynamicNumber, generator => dynamic(generator, &json!({"type": "number"}), "number");
    DynamicBoolean, generator => dynamic(generator, &json!({"type": "boolean"}), "boolean");
    DynamicStringList, generator =>
        dynamic(generator, &json!({"type": "array", "items": {"type": "string"}}), "array");
    DynamicValue, generator => any_of(vec![
        schemars::json_schema!({"type": ["string", "number", "boolean", "array"]}),
        generator.subschema_for::<DataBinding>(),
        generator.subschema_for::<FunctionCall>(),
    ]);
    Action, generator => action(generator);
    CheckRule, generator => {
        let condition = generator.subschema_for::<DynamicBoolean>();
        object(vec![
            member("required", "condition", condition, "What has to be true.", json!({})),
            member("required", "message", schemars::json_schema!({"type": "string"}),
                "What is said when it is not.", json!({})),
        ])
    };
    Accessibility, generator => {
        let text = generator.subschema_for::<DynamicString>();
        schemars::json_schema!({
            "type": "object",
            "properties": {"label": text, "description": text},
        })
    };
}

/// A call; one that says what it gives has to give this.
fn call(gives: Option<&str>) -> Schema {
    let all = json!(["string", "number", "boolean", "array", "object", "any", "void"]);
    let gives = gives.map_or(json!({"enum": all}), |gives| json!({"const": gives}));
    schemars::json_schema!({
        "type": "object",
        "description": "A call of a function of the catalog.",
        "properties": {
            "call": {"type": "string"},
            "args": {"type": "object"},
            "returnType": gives,
        },
        "required": ["call", "args"],
        "additionalProperties": false,
    })
}

fn dynamic(generator: &mut SchemaGenerator, literal: &Value, gives: &str) -> Schema {
    let binding = generator.subschema_for::<DataBinding>();
    schemars::json_schema!({"anyOf": [literal, binding, call(Some(gives))]})
}

fn action(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<DynamicValue>();
    let call = generator.subschema_for::<FunctionCall>();
    schemars::json_schema!({"anyOf": [
        {
            "type": "object",
            "properties": {"event": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "context": {"type": "object", "additionalProperties": value},
                },
                "required": ["name"],
                "additionalProperties": false,
            }},
            "required": ["event"],
            "additionalProperties": false,
        },
        {
            "type": "object",
            "properties": {"functionCall": call},
            "required": ["functionCall"],
            "additionalProperties": false,
        },
    ]})
}
