//! All of a catalog as Rust text.

use quote::quote;

use super::model::Catalog;
use super::types::FieldOf;
use super::{components, functions};
use crate::docs;

/// Emits the Rust types of a catalog. The same catalog always gives the same text.
#[must_use]
pub fn emit(catalog: &Catalog) -> String {
    let id = &catalog.id;
    let types = catalog.components.iter().map(|component| components::emit(catalog, component));
    let any = components::emit_any(catalog);
    let functions = catalog.functions.iter().map(functions::emit);
    let theme = theme(catalog);
    let tokens = quote! {
        #[allow(unused_imports, reason = "not every catalog needs all of them")]
        use ::ag_ui_a2ui::typed::{
            Accessibility, Action, Branch, CheckRule, ChildList, Component, ComponentId, DataBinding,
            DynamicBoolean, DynamicNumber, DynamicString, DynamicStringList, DynamicValue, Map,
            MemberReader, MemberWriter, Node, Number, PropertyError, PropertyValue, TypedComponent, Value,
        };

        /// The id of the catalog, as its document states it.
        pub const CATALOG_ID: &str = #id;

        #(#types)*
        #any
        #theme

        /// The functions of the catalog. Each gives a call, which fits wherever what the function
        /// gives is wanted.
        pub mod functions {
            #[allow(unused_imports, reason = "not every catalog needs all of them")]
            use ::ag_ui_a2ui::typed::{
                AnyCall, ArrayCall, BooleanCall, CheckRule, DynamicBoolean, DynamicNumber,
                DynamicString, DynamicStringList, DynamicValue, FunctionCall, MemberReader,
                MemberWriter, Number, NumberCall, ObjectCall, PropertyError, PropertyValue, StringCall, Value,
                VoidCall,
            };
            #(#functions)*
        }
    };
    text(&tokens)
}

/// What a theme can set. It is open: what the catalog does not name is kept.
fn theme(catalog: &Catalog) -> proc_macro2::TokenStream {
    let mut items = Vec::new();
    let fields: Vec<FieldOf<'_>> =
        catalog.theme.iter().map(|property| FieldOf::new("Theme", property, &mut items)).collect();
    let setters = fields.iter().map(|field| {
        let (name, rust, wire) = (&field.name, &field.rust, &field.property.name);
        let (docs, parameter, converted) = (field.docs(), field.parameter(), field.converted());
        quote! {
            #docs
            #[must_use]
            pub fn #name(mut self, #parameter) -> Self {
                let value: #rust = #converted;
                self.0.insert(#wire.to_owned(), PropertyValue::write(&value));
                self
            }
        }
    });
    let docs = docs::lines(&["What a theme of the catalog sets."]);
    quote! {
        #(#items)*

        #docs
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct Theme(Map<String, Value>);

        impl Theme {
            /// A theme that sets nothing.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
            #(#setters)*
        }

        impl From<Theme> for Map<String, Value> {
            fn from(theme: Theme) -> Self {
                theme.0
            }
        }
    }
}

#[cfg(feature = "format")]
fn text(tokens: &proc_macro2::TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        // What is no Rust is better read as it is.
        Err(_) => tokens.to_string(),
    }
}

#[cfg(not(feature = "format"))]
fn text(tokens: &proc_macro2::TokenStream) -> String {
    tokens.to_string()
}
