//! Closed sets of strings.

use proc_macro2::TokenStream;
use quote::quote;

use crate::error::Error;
use crate::model::{Member, Strings, TypeDef};
use crate::types::{self, ident};
use crate::{docs, names, schema};

pub(crate) fn emit(definition: &TypeDef, strings: &Strings) -> Result<Vec<TokenStream>, Error> {
    let name = names::of_type(&definition.name);
    let docs = docs::of_type(definition)?;
    let mut items = emit_members(&name, &docs, &definition.name, &strings.members)?;
    items.push(schema::strings(definition, strings));
    Ok(items)
}

/// The enum of a set, its names both ways, and its wire form.
pub(crate) fn emit_members(
    name: &str,
    docs: &TokenStream,
    wire_type: &str,
    members: &[Member],
) -> Result<Vec<TokenStream>, Error> {
    // Only the set of event types is closed for users: a new member is a new protocol.
    let exhaustive = wire_type == names::EVENT_TYPE;
    let openness = if exhaustive {
        quote! { #[expect(clippy::exhaustive_enums, reason = "a new event type must not compile unnoticed")] }
    } else {
        quote! { #[non_exhaustive] }
    };
    let name = ident(name);
    let mut variants = Vec::new();
    for member in members {
        let docs = docs::of_member(wire_type, member)?;
        let variant = ident(&names::of_variant(&member.value));
        variants.push(quote! { #docs #variant, });
    }
    let idents: Vec<_> =
        members.iter().map(|member| ident(&names::of_variant(&member.value))).collect();
    let values: Vec<_> = members.iter().map(|member| member.value.as_str()).collect();
    let lookup: Vec<_> =
        values.iter().copied().zip(idents.iter().map(|ident| quote! { Self::#ident })).collect();
    let lookup = types::lookup(&ident("name"), &lookup);
    let count = members.len();
    let all = format!(" All {count} of them, in upstream order.");
    Ok(vec![
        quote! {
            #docs
            #openness
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum #name { #(#variants)* }
        },
        quote! {
            impl #name {
                #[doc = #all]
                pub const ALL: &'static [Self; #count] = &[#(Self::#idents),*];
                const NAMES: &'static [&'static str] = &[#(#values),*];
                /// The name on the wire.
                #[must_use]
                pub const fn as_str(self) -> &'static str {
                    match self { #(Self::#idents => #values,)* }
                }
                fn find(name: &str) -> Option<Self> {
                    #lookup
                }
            }
        },
        quote! { names::impl_names!(#name, #wire_type); },
    ])
}
