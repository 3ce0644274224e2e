//! JSON Schema of the emitted types, behind the feature `schemars`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::model::{Array, Integer, Null, Shape, Strings, TypeDef, Union};
use crate::names;
use crate::objects::{Described, Place};
use crate::types::ident;

pub(crate) fn object(definition: &TypeDef, fields: &[Described<'_>], open: bool) -> TokenStream {
    let properties = fields.iter().map(|described| {
        let field = described.field;
        let (wire, text) = (&field.name, field.docs.trim());
        let presence = if field.optional {
            quote! { optional }
        } else {
            quote! { required }
        };
        let shape = match (&described.place, &field.shape) {
            (Place::Constant(value), _) => quote! { schema::constant(#value) },
            (_, Shape::Literal(value)) => quote! { schema::constant(#value) },
            _ if described.is_any && field.null == Null::Value => quote! { schema::any() },
            _ if described.is_any => quote! { schema::not_null() },
            _ => of_shape(&field.shape, &described.rust.tokens),
        };
        quote! { schema::#presence(#wire, #text, #shape) }
    });
    let body = {
        let text = definition.docs.trim();
        quote! { schema::object(#text, #open, vec![#(#properties),*]) }
    };
    implement(&names::of_type(&definition.name), &body)
}

/// `rust` is the type that stands for the whole shape; references reuse its schema.
fn of_shape(shape: &Shape, rust: &TokenStream) -> TokenStream {
    match shape {
        Shape::String => quote! { schema::string() },
        Shape::Pattern(pattern) => quote! { schema::pattern(#pattern) },
        Shape::Boolean => quote! { schema::boolean() },
        Shape::Number => quote! { schema::number() },
        Shape::Integer(Integer { min, max }) => {
            let (min, max) = (option(*min), option(*max));
            quote! { schema::integer(#min, #max) }
        }
        Shape::Any => quote! { schema::any() },
        Shape::Map => quote! { schema::map() },
        Shape::Literal(value) => quote! { schema::constant(#value) },
        Shape::Array(Array { items, min_items }) => {
            let items = of_shape(items, &quote! { <#rust as schema::Items>::Item });
            quote! { schema::array(#items, #min_items) }
        }
        Shape::Ref(_) | Shape::OneOf(_) => {
            quote! { generator.subschema_for::<#rust>() }
        }
    }
}

fn option(bound: Option<i64>) -> TokenStream {
    bound.map_or_else(|| quote! { None }, |bound| quote! { Some(#bound) })
}

pub(crate) fn union(definition: &TypeDef, union: &Union) -> TokenStream {
    let current: Vec<_> = union
        .variants
        .iter()
        .filter(|variant| variant.until.is_none())
        .map(|variant| ident(&names::of_type(&variant.name)))
        .collect();
    let text = definition.docs.trim();
    implement(
        &names::of_type(&definition.name),
        &quote! { schema::one_of(#text, vec![#(generator.subschema_for::<#current>()),*]) },
    )
}

pub(crate) fn strings(definition: &TypeDef, strings: &Strings) -> TokenStream {
    let current: Vec<_> = strings
        .members
        .iter()
        .filter(|member| member.until.is_none())
        .map(|member| member.value.as_str())
        .collect();
    named_strings(&names::of_type(&definition.name), definition.docs.trim(), &current)
}

pub(crate) fn named_strings(name: &str, text: &str, members: &[&str]) -> TokenStream {
    implement(name, &quote! { schema::members(#text, &[#(#members),*]) })
}

pub(crate) fn content(name: &Ident, part: &TokenStream) -> TokenStream {
    let text = "What a message holds: plain text, or parts in order.";
    implement(
        &name.to_string(),
        &quote! {
            schema::one_of(
                #text,
                vec![schema::string(), schema::array(generator.subschema_for::<#part>(), 0)],
            )
        },
    )
}

fn implement(name: &str, body: &TokenStream) -> TokenStream {
    let rust = ident(name);
    quote! {
        #[cfg(feature = "schemars")]
        impl schemars::JsonSchema for #rust {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                #name.into()
            }
            #[allow(unused_variables, reason = "only some types refer to others")]
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #body
            }
        }
    }
}
