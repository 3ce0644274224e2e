//! Choices between JSON kinds: a string or a list.

use proc_macro2::TokenStream;
use quote::quote;

use crate::error::Error;
use crate::model::{Array, Model, Shape, TypeShape};
use crate::schema;
use crate::types::{self, ident};

/// The one such choice of the protocol: message content.
const CONTENT: &str = "MessageContent";

/// The name of the Rust type for a choice.
pub(crate) fn name(owner: &str, wire: Option<&str>, shape: &Shape) -> Result<&'static str, Error> {
    if parts_of(shape).is_some() {
        return Ok(CONTENT);
    }
    Err(Error::unsupported(
        &types::item(owner, wire),
        "only a choice between a string and a list is known; extend `one_of.rs`",
    ))
}

fn parts_of(shape: &Shape) -> Option<&Shape> {
    match shape {
        Shape::OneOf(shapes) => match shapes.as_slice() {
            [Shape::String, Shape::Array(Array { items, min_items: 0 })] => Some(items),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn emit(model: &Model) -> Result<Vec<TokenStream>, Error> {
    let mut part = None;
    for definition in &model.types {
        let TypeShape::Object(object) = &definition.shape else { continue };
        for items in object.fields.iter().filter_map(|field| parts_of(&field.shape)) {
            if part.is_some_and(|known| known != items) {
                let why = "a second kind of content list; give each a name in `one_of.rs`";
                return Err(Error::unsupported(&definition.name, why));
            }
            part = Some(items);
        }
    }
    let Some(part) = part else { return Ok(Vec::new()) };
    let part = types::of_shape(model, CONTENT, None, part)?.tokens;
    let name = ident(CONTENT);
    Ok(vec![
        quote! {
            /// What a message holds: plain text, or parts in order.
            #[derive(Debug, Clone, PartialEq, Eq)]
            #[non_exhaustive]
            pub enum #name {
                /// Plain text; a JSON string on the wire.
                Text(String),
                /// Parts in order; a JSON list on the wire, possibly empty.
                Parts(Vec<#part>),
            }
        },
        quote! { content::impl_content!(#name, #part); },
        schema::content(&name, &part),
    ])
}
