//! Conveniences that only the union of events has.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::error::Error;
use crate::model::{Model, Object, Shape, TypeDef, TypeShape, Union, Variant};
use crate::objects::{self, Place};
use crate::types::ident;
use crate::{docs, names};

/// Fields that any event may carry, with the type to hand out.
const BASE: &[(&str, &str, bool)] = &[
    ("timestamp", "when it was created, in milliseconds since the Unix epoch by convention", true),
    ("rawEvent", "the provider's own event behind this one", false),
    ("metadata", "what was attached to the event", false),
    ("subagentRunId", "the subagent that produced it; absent means the agent itself", false),
];

pub(crate) fn emit(model: &Model, union: &Union) -> Result<Vec<TokenStream>, Error> {
    Ok(vec![
        emit_type_of(union),
        emit_constructors(model, union)?,
        emit_accessors(model, union)?,
        emit_compact(model, union)?,
    ])
}

fn emit_type_of(union: &Union) -> TokenStream {
    let variants: Vec<_> =
        union.variants.iter().map(|variant| ident(&names::of_variant(&variant.value))).collect();
    let retired: Vec<_> = union
        .variants
        .iter()
        .filter(|variant| variant.until.is_some())
        .map(|variant| ident(&names::of_variant(&variant.value)))
        .collect();
    quote! {
        impl Event {
            /// Which event it is.
            #[must_use]
            pub const fn event_type(&self) -> EventType {
                match self { #(Self::#variants(_) => EventType::#variants,)* }
            }
            /// Whether the current protocol no longer has the event; older peers still send it.
            #[must_use]
            pub const fn is_deprecated(&self) -> bool {
                self.event_type().is_deprecated()
            }
        }
        impl EventType {
            /// Whether the current protocol no longer has the event; older peers still send it.
            #[must_use]
            pub const fn is_deprecated(self) -> bool {
                matches!(self, #(Self::#retired)|*)
            }
        }
    }
}

fn emit_constructors(model: &Model, union: &Union) -> Result<TokenStream, Error> {
    let mut constructors = Vec::new();
    for variant in &union.variants {
        constructors.push(emit_constructor(model, variant)?);
    }
    Ok(quote! { impl Event { #(#constructors)* } })
}

fn emit_constructor(model: &Model, variant: &Variant) -> Result<TokenStream, Error> {
    let (definition, object) = target(model, variant)?;
    let fields = objects::describe(model, definition, object)?;
    let variant_name = ident(&names::of_variant(&variant.value));
    let function = ident(&names::of_function(&variant.value));
    let struct_name = ident(&names::of_type(&variant.name));
    let docs = docs::lines(&[docs::required(&definition.docs, &definition.name)?]);
    let deprecated = docs::deprecation(variant.until.as_deref());
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    let mut extras = Vec::new();
    for described in &fields {
        let name = &described.name;
        let argument = described.rust.argument();
        if matches!(described.place, Place::Required) {
            parameters.push(quote! { #name: #argument });
            arguments.push(quote! { #name });
        } else if names::is_event_argument(&definition.name, &described.field.name) {
            let setter = format_ident!("with_{}", names::of_field_suffix(&described.field.name));
            parameters.push(quote! { #name: #argument });
            extras.push(quote! { .#setter(#name) });
        }
    }
    Ok(quote! {
        #docs
        #deprecated
        #[must_use]
        pub fn #function(#(#parameters),*) -> Self {
            Self::#variant_name(#struct_name::new(#(#arguments),*) #(#extras)*)
        }
    })
}

fn emit_accessors(model: &Model, union: &Union) -> Result<TokenStream, Error> {
    let mut accessors = Vec::new();
    for (wire, meaning, copy) in BASE {
        accessors.push(emit_accessor(model, union, wire, meaning, *copy)?);
    }
    Ok(quote! { impl Event { #(#accessors)* } })
}

fn emit_accessor(
    model: &Model,
    union: &Union,
    wire: &str,
    meaning: &str,
    copy: bool,
) -> Result<TokenStream, Error> {
    let mut getters = Vec::new();
    let mut setters = Vec::new();
    let mut clearers = Vec::new();
    let mut stored = None;
    for variant in &union.variants {
        let (definition, object) = target(model, variant)?;
        let fields = objects::describe(model, definition, object)?;
        let variant_name = ident(&names::of_variant(&variant.value));
        let Some(described) = fields.iter().find(|described| described.field.name == wire) else {
            getters.push(quote! { Self::#variant_name(_) => None, });
            setters.push(quote! { Self::#variant_name(_) => return false, });
            clearers.push(quote! { Self::#variant_name(_) => return false, });
            continue;
        };
        let field = &described.name;
        if matches!(described.place, Place::Optional) {
            stored.get_or_insert_with(|| described.rust.tokens.clone());
            let get = if copy {
                quote! { event.#field }
            } else {
                quote! { event.#field.as_ref() }
            };
            getters.push(quote! { Self::#variant_name(event) => #get, });
            setters.push(quote! { Self::#variant_name(event) => event.#field = Some(value), });
            clearers.push(quote! { Self::#variant_name(event) => event.#field = None, });
        } else {
            getters.push(quote! { Self::#variant_name(event) => Some(&event.#field), });
            setters.push(quote! { Self::#variant_name(event) => event.#field = value, });
            clearers.push(quote! { Self::#variant_name(_) => return false, });
        }
    }
    let Some(stored) = stored else {
        return Err(Error::unsupported("Event", &format!("no event has the base field `{wire}`")));
    };
    let getter = ident(&names::of_field(wire));
    let setter = format_ident!("set_{}", names::of_field_suffix(wire));
    let clearer = format_ident!("clear_{}", names::of_field_suffix(wire));
    let clear_docs =
        format!(" Removes the base field `{wire}`; `false` when this event has none or needs it.");
    let get_docs = format!(" The base field `{wire}`: {meaning}.");
    let set_docs = format!(" Sets the base field `{wire}`; `false` when this event has none.");
    let output = if copy {
        quote! { #stored }
    } else {
        quote! { &#stored }
    };
    Ok(quote! {
        #[doc = #get_docs]
        #[must_use]
        pub fn #getter(&self) -> Option<#output> {
            match self { #(#getters)* }
        }
        #[doc = #set_docs]
        pub fn #setter(&mut self, value: #stored) -> bool {
            match self { #(#setters)* }
            true
        }
        #[doc = #clear_docs]
        pub fn #clearer(&mut self) -> bool {
            match self { #(#clearers)* }
            true
        }
    })
}

/// The shortcut for what most of a stream consists of: deltas, written without white space, with
/// their required fields in order and nothing else.
fn emit_compact(model: &Model, union: &Union) -> Result<TokenStream, Error> {
    let mut arms = Vec::new();
    for variant in union.variants.iter().filter(|variant| variant.until.is_none()) {
        let (definition, object) = target(model, variant)?;
        let fields = objects::describe(model, definition, object)?;
        let required: Vec<_> =
            fields.iter().filter(|described| matches!(described.place, Place::Required)).collect();
        let is_delta = required.iter().any(|described| described.field.name == "delta")
            && required.iter().all(|described| described.field.shape == Shape::String);
        if !is_delta {
            continue;
        }
        let tag = &variant.value;
        let (variant, target) =
            (ident(&names::of_variant(tag)), ident(&names::of_type(&variant.name)));
        let values = required.iter().map(|described| {
            let key = format!(",\"{}\":\"", described.field.name);
            quote! { rest.string(#key)? }
        });
        arms.push(quote! {
            #tag => Self::#variant(#target::new(#(#values),*)),
        });
    }
    Ok(quote! {
        impl crate::decode::Wire for Event {
            #[inline]
            fn decode_compact(json: &str) -> Option<Self> {
                let mut rest = compact::Compact::new(json);
                let event = match rest.string("{\"type\":\"")? {
                    #(#arms)*
                    _ => return None,
                };
                rest.end()?;
                Some(event)
            }
        }
    })
}

fn target<'a>(model: &'a Model, variant: &Variant) -> Result<(&'a TypeDef, &'a Object), Error> {
    let definition = model.find(&variant.name).ok_or_else(|| Error::UnknownName {
        item: names::EVENT_UNION.to_owned(),
        name: variant.name.clone(),
    })?;
    match &definition.shape {
        TypeShape::Object(object) => Ok((definition, object)),
        _ => Err(Error::unsupported(&variant.name, "an event must be an object")),
    }
}
