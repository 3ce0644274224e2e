//! JSON Schemas of generated types, for crates that ask for them.
//!
//! The macro that is called here is empty unless `ag-ui-a2ui` has its feature `schemars`: whether
//! there are schemas is for that crate to say, not for the crate that includes the emitted text.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::model::Shape;
use super::types::FieldOf;

/// Of a component, whose type has a name on the wire.
pub(super) fn of_component(
    rust: &Ident,
    name: &str,
    docs: &str,
    fields: &[&FieldOf<'_>],
    is_checkable: bool,
) -> TokenStream {
    let members = fields.iter().map(|field| member(field));
    let checks = is_checkable.then(|| {
        quote! { optional "checks": Vec<CheckRule>, "What has to be true of the input.", {}; }
    });
    quote! {
        ::ag_ui_a2ui::__json_schema! {
            component #rust #name #docs {
                required "id": ComponentId, "The id, unique within the surface.", {};
                #(#members)*
                #checks
                optional "accessibility": Accessibility,
                    "What it is called for people who do not see it.", {};
            }
        }
    }
}

/// Of an object.
pub(super) fn of_object(rust: &Ident, fields: &[FieldOf<'_>]) -> TokenStream {
    let members = fields.iter().map(member);
    quote! { ::ag_ui_a2ui::__json_schema! { object #rust { #(#members)* } } }
}

/// Of a set of texts.
pub(super) fn of_texts(rust: &Ident, texts: &[String]) -> TokenStream {
    quote! { ::ag_ui_a2ui::__json_schema! { texts #rust { #(#texts)* } } }
}

/// Of what is one of several types.
pub(super) fn of_union(rust: &Ident, types: &[TokenStream]) -> TokenStream {
    quote! { ::ag_ui_a2ui::__json_schema! { union #rust { #(#types;)* } } }
}

fn member(field: &FieldOf<'_>) -> TokenStream {
    let (wire, rust, docs) = (&field.property.name, &field.rust, field.property.docs.trim());
    let presence = if field.property.is_required {
        quote! { required }
    } else {
        quote! { optional }
    };
    let bounds = bounds(&field.property.shape);
    quote! { #presence #wire: #rust, #docs, { #bounds }; }
}

/// What a schema of a shape says beside that of its type.
fn bounds(shape: &Shape) -> TokenStream {
    match shape {
        Shape::List { minimum, .. } if *minimum > 0 => quote! { "minItems": #minimum },
        Shape::Integer { minimum: Some(minimum) } => quote! { "minimum": #minimum },
        Shape::Text { format, pattern } => {
            let format = format.iter().map(|format| quote! { "format": #format, });
            let pattern = pattern.iter().map(|pattern| quote! { "pattern": #pattern, });
            quote! { #(#format)* #(#pattern)* }
        }
        _ => TokenStream::new(),
    }
}
