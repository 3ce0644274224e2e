//! The Rust types of properties.

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::model::{Property, Shape};
use super::schemas;
use crate::docs;
use crate::names::of_field;
use crate::types::ident;

/// The type that a property has, and the types that it needs.
pub(super) struct Emitted {
    pub(super) rust: TokenStream,
    pub(super) items: Vec<TokenStream>,
}

/// A property as a field of a struct.
pub(super) struct FieldOf<'p> {
    pub(super) property: &'p Property,
    pub(super) name: Ident,
    pub(super) rust: TokenStream,
    /// Whether values are collected into it.
    pub(super) is_list: bool,
}

impl<'p> FieldOf<'p> {
    /// Emits the types of a property of `owner` along with it.
    pub(super) fn new(owner: &str, property: &'p Property, items: &mut Vec<TokenStream>) -> Self {
        let emitted = of_shape(&property.shape, &named(owner, &property.name));
        items.extend(emitted.items);
        let name = ident(&of_field(&property.name));
        let is_list = matches!(property.shape, Shape::List { .. });
        Self { property, name, rust: emitted.rust, is_list }
    }

    pub(super) fn docs(&self) -> TokenStream {
        let mut facts = format!("Wire name: `{}`.", self.property.name);
        if let Some(default) = &self.property.default {
            let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            facts.push_str(&format!(" Absent means `{default}`."));
        }
        docs::lines(&[self.text(), &facts])
    }

    fn text(&self) -> &str {
        match self.property.docs.trim() {
            "" => "A property that its catalog does not describe.",
            text => text,
        }
    }

    pub(super) fn declaration(&self) -> TokenStream {
        let (docs, name, rust) = (self.docs(), &self.name, &self.rust);
        if self.property.is_required {
            quote! { #docs pub #name: #rust, }
        } else {
            quote! { #docs pub #name: Option<#rust>, }
        }
    }

    /// How a constructor or a setter takes it.
    pub(super) fn parameter(&self) -> TokenStream {
        let (name, rust) = (&self.name, &self.rust);
        if self.is_list {
            quote! { #name: impl IntoIterator<Item = impl Into<<#rust as IntoIterator>::Item>> }
        } else {
            quote! { #name: impl Into<#rust> }
        }
    }

    pub(super) fn converted(&self) -> TokenStream {
        let name = &self.name;
        if self.is_list {
            quote! { #name.into_iter().map(Into::into).collect() }
        } else {
            quote! { #name.into() }
        }
    }

    pub(super) fn setter(&self) -> TokenStream {
        let (name, parameter, converted) = (&self.name, self.parameter(), self.converted());
        let docs = docs::lines(&[self.text()]);
        quote! {
            #docs
            #[must_use]
            pub fn #name(mut self, #parameter) -> Self {
                self.#name = Some(#converted);
                self
            }
        }
    }

    pub(super) fn read(&self) -> TokenStream {
        let (name, wire) = (&self.name, &self.property.name);
        if self.property.is_required {
            quote! { #name: reader.required(#wire)?, }
        } else {
            quote! { #name: reader.optional(#wire)?, }
        }
    }

    pub(super) fn write(&self) -> TokenStream {
        let (name, wire) = (&self.name, &self.property.name);
        if self.property.is_required {
            quote! { writer.required(#wire, &self.#name); }
        } else {
            quote! { writer.optional(#wire, self.#name.as_ref()); }
        }
    }
}

fn named(owner: &str, property: &str) -> String {
    format!("{owner}{}", property.to_upper_camel_case())
}

/// The type of a shape; `name` is what a type of its own is called.
pub(super) fn of_shape(shape: &Shape, name: &str) -> Emitted {
    let plain = |rust: TokenStream| Emitted { rust, items: Vec::new() };
    match shape {
        Shape::ComponentId => plain(quote! { ComponentId }),
        Shape::ChildList => plain(quote! { ChildList }),
        Shape::DynamicString | Shape::DynamicDate => plain(quote! { DynamicString }),
        Shape::DynamicNumber => plain(quote! { DynamicNumber }),
        Shape::DynamicBoolean => plain(quote! { DynamicBoolean }),
        Shape::DynamicStringList => plain(quote! { DynamicStringList }),
        Shape::DynamicValue => plain(quote! { DynamicValue }),
        Shape::DataBinding => plain(quote! { DataBinding }),
        Shape::Action => plain(quote! { Action }),
        Shape::Text { .. } => plain(quote! { String }),
        Shape::Number => plain(quote! { Number }),
        Shape::Integer { .. } => plain(quote! { i64 }),
        Shape::Boolean => plain(quote! { bool }),
        Shape::Any => plain(quote! { Value }),
        Shape::OneOfTexts(texts) => {
            let rust = ident(name);
            Emitted { items: vec![of_texts(&rust, texts)], rust: quote! { #rust } }
        }
        Shape::List { item, .. } => {
            let singular = name.strip_suffix('s').unwrap_or(name);
            let singular =
                if singular == name { format!("{name}Item") } else { singular.to_owned() };
            let Emitted { rust, items } = of_shape(item, &singular);
            Emitted { rust: quote! { Vec<#rust> }, items }
        }
        Shape::Object(properties) => {
            let rust = ident(name);
            Emitted { items: of_object(&rust, properties), rust: quote! { #rust } }
        }
        Shape::OneOf(shapes) => of_union(name, shapes),
    }
}

fn of_texts(name: &Ident, texts: &[String]) -> TokenStream {
    let variants: Vec<Ident> =
        texts.iter().map(|text| ident(&text.to_upper_camel_case())).collect();
    let docs = texts.iter().map(|text| docs::lines(&[&format!("Wire value: `{text}`.")]));
    let expected = format!("one of {}", texts.join(", "));
    let schema = schemas::of_texts(name, texts);
    quote! {
        #schema

        /// What the property of that name can be.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name { #(#docs #variants,)* }

        impl #name {
            /// All of them.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The value on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { #(Self::#variants => #texts,)* }
            }
        }

        impl PropertyValue for #name {
            fn read(value: &Value) -> Result<Self, PropertyError> {
                match value.as_str() {
                    #(Some(#texts) => Ok(Self::#variants),)*
                    _ => Err(PropertyError::expected(#expected, value)),
                }
            }

            fn write(&self) -> Value {
                Value::from(self.as_str())
            }
        }
    }
}

fn of_object(name: &Ident, properties: &[Property]) -> Vec<TokenStream> {
    let mut items = Vec::new();
    let owner = name.to_string();
    let fields: Vec<FieldOf<'_>> =
        properties.iter().map(|property| FieldOf::new(&owner, property, &mut items)).collect();
    let declarations = fields.iter().map(FieldOf::declaration);
    let required: Vec<_> = fields.iter().filter(|field| field.property.is_required).collect();
    let optional: Vec<_> = fields.iter().filter(|field| !field.property.is_required).collect();
    let parameters = required.iter().map(|field| field.parameter());
    let set = required.iter().map(|field| {
        let (name, converted) = (&field.name, field.converted());
        quote! { #name: #converted, }
    });
    let unset = optional.iter().map(|field| {
        let name = &field.name;
        quote! { #name: None, }
    });
    let setters = optional.iter().map(|field| field.setter());
    let reads = fields.iter().map(FieldOf::read);
    let writes = fields.iter().map(FieldOf::write);
    let schema = schemas::of_object(name, &fields);
    items.push(quote! {
        #schema

        /// An object that the property of that name holds.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct #name { #(#declarations)* }

        impl #name {
            /// With what is required.
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#set)* #(#unset)* }
            }
            #(#setters)*
        }

        impl PropertyValue for #name {
            fn read(value: &Value) -> Result<Self, PropertyError> {
                let mut reader = MemberReader::of_value(value)?;
                let read = Self { #(#reads)* };
                reader.end()?;
                Ok(read)
            }

            fn write(&self) -> Value {
                let mut writer = MemberWriter::new();
                #(#writes)*
                Value::Object(writer.into_members())
            }
        }
    });
    items
}

/// One of several: names, objects, bindings. Names keep the short name, for they are what one
/// writes.
fn of_union(name: &str, shapes: &[Shape]) -> Emitted {
    let union = ident(&format!("{name}Property"));
    let mut items = Vec::new();
    let (mut variants, mut types) = (Vec::new(), Vec::new());
    for shape in shapes {
        let (variant, own) = match shape {
            Shape::OneOfTexts(_) => ("Named".to_owned(), name.to_owned()),
            Shape::Object(members) => {
                let first = members.first().map_or("Object", |member| &member.name);
                (first.to_upper_camel_case(), format!("{name}{}", first.to_upper_camel_case()))
            }
            other => {
                let rust = of_shape(other, name).rust.to_string();
                (rust.to_snake_case().to_upper_camel_case(), name.to_owned())
            }
        };
        let emitted = of_shape(shape, &own);
        items.extend(emitted.items);
        variants.push(ident(&variant));
        types.push(emitted.rust);
    }
    let schema = schemas::of_union(&union, &types);
    items.push(quote! {
        #schema

        /// What the property of that name holds.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #union {
            #(
                /// One of what it can hold.
                #variants(#types),
            )*
        }

        #(
            impl From<#types> for #union {
                fn from(value: #types) -> Self {
                    Self::#variants(value)
                }
            }
        )*

        impl PropertyValue for #union {
            fn read(value: &Value) -> Result<Self, PropertyError> {
                let mut first = None;
                #(
                    match <#types as PropertyValue>::read(value) {
                        Ok(read) => return Ok(Self::#variants(read)),
                        Err(error) => { first.get_or_insert(error); }
                    }
                )*
                Err(first.unwrap_or_else(|| PropertyError::expected("a value", value)))
            }

            fn write(&self) -> Value {
                match self { #(Self::#variants(value) => PropertyValue::write(value),)* }
            }
        }
    });
    Emitted { rust: quote! { #union }, items }
}
