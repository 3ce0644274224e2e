//! Unions told apart by a tag field.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::error::Error;
use crate::model::{Model, TypeDef, TypeShape, Union, Variant};
use crate::types::{self, ident};
use crate::{docs, names, schema};

struct Described<'a> {
    variant: &'a Variant,
    name: Ident,
    target: Ident,
    docs: TokenStream,
    /// The function that turns a retired form into its successor.
    upgrade: Option<Ident>,
}

pub(crate) fn emit(
    model: &Model,
    definition: &TypeDef,
    union: &Union,
) -> Result<Vec<TokenStream>, Error> {
    if union.variants.is_empty() {
        return Err(Error::unsupported(&definition.name, "a union needs a variant"));
    }
    let variants = describe(model, definition, union)?;
    let mut items = vec![
        emit_enum(definition, &variants)?,
        emit_read(definition, union, &variants),
        emit_write(definition, &variants),
    ];
    let name = ident(&names::of_type(&definition.name));
    items.push(quote! { object::impl_union!(#name); });
    if definition.name != names::EVENT_UNION {
        items.push(quote! { impl crate::decode::Wire for #name {} });
    }
    items.push(emit_conversions(definition, &variants));
    items.push(schema::union(definition, union));
    Ok(items)
}

/// The field by which a union tells an object type from its siblings.
pub(crate) fn tag_of<'a>(model: &'a Model, name: &str) -> Option<&'a str> {
    model.types.iter().find_map(|definition| match &definition.shape {
        TypeShape::Union(union) if union.variants.iter().any(|variant| variant.name == name) => {
            Some(union.tag.as_str())
        }
        _ => None,
    })
}

fn describe<'a>(
    model: &Model,
    definition: &TypeDef,
    union: &'a Union,
) -> Result<Vec<Described<'a>>, Error> {
    let describe = |variant: &'a Variant| {
        let target = model.find(&variant.name).ok_or_else(|| Error::UnknownName {
            item: definition.name.clone(),
            name: variant.name.clone(),
        })?;
        Ok(Described {
            variant,
            name: ident(&names::of_variant(&variant.value)),
            target: ident(&names::of_type(&variant.name)),
            docs: docs::of_variant(variant, target)?,
            upgrade: names::upgrade(&definition.name, &variant.name).map(ident),
        })
    };
    union.variants.iter().map(describe).collect()
}

fn emit_enum(definition: &TypeDef, variants: &[Described<'_>]) -> Result<TokenStream, Error> {
    let docs = docs::of_type(definition)?;
    let name = ident(&names::of_type(&definition.name));
    let openness = if definition.name == names::EVENT_UNION {
        quote! { #[expect(clippy::exhaustive_enums, reason = "a new event must not compile unnoticed")] }
    } else {
        quote! { #[non_exhaustive] }
    };
    let members = variants.iter().filter(|variant| variant.upgrade.is_none()).map(|variant| {
        let Described { name, target, docs, .. } = variant;
        quote! { #docs #name(#target), }
    });
    Ok(quote! {
        #docs
        #openness
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum #name { #(#members)* }
    })
}

fn emit_read(definition: &TypeDef, union: &Union, variants: &[Described<'_>]) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let expecting = format!("an object of type {}", names::of_type(&definition.name));
    let tag = &union.tag;
    let tags: Vec<_> = variants.iter().map(|variant| variant.variant.value.as_str()).collect();
    let indices: Vec<_> = (0..variants.len())
        .map(|index| proc_macro2::Literal::u8_suffixed(u8::try_from(index).unwrap_or(u8::MAX)))
        .collect();
    let lookup: Vec<_> =
        tags.iter().copied().zip(indices.iter().map(|index| quote! { #index })).collect();
    let lookup = types::lookup(&ident("tag"), &lookup);
    let retired: Vec<_> = variants
        .iter()
        .zip(&indices)
        .filter(|(variant, _)| variant.variant.until.is_some())
        .map(|(_, index)| index)
        .collect();
    let is_retired = if retired.is_empty() {
        quote! { fn is_retired(_index: u8) -> bool { false } }
    } else {
        quote! { fn is_retired(index: u8) -> bool { matches!(index, #(#retired)|*) } }
    };
    let is_event =
        (definition.name == names::EVENT_UNION).then(|| quote! { const IS_EVENT: bool = true; });
    let first = names::blank_variant(&definition.name).unwrap_or(&union.variants[0].value);
    let arms = variants
        .iter()
        .zip(&indices)
        .map(|(variant, index)| emit_arm(variant, index, variant.variant.value == *first));
    let blank = variants.iter().find(|variant| variant.variant.value == *first).map(|variant| {
        let Described { name: variant, target, .. } = variant;
        quote! { Self::#variant(#target::blank()) }
    });
    quote! {
        impl<'de> read::Union<'de> for #name {
            const EXPECTING: &'static str = #expecting;
            const TAG: &'static str = #tag;
            const VARIANTS: &'static [&'static str] = &[#(#tags),*];
            #is_event
            #[inline]
            fn index(tag: &str) -> Option<u8> {
                #lookup
            }
            #is_retired
            fn read<A: MapAccess<'de>>(
                index: u8,
                map: A,
                reading: &mut Reading,
                value: &mut Self,
            ) -> Result<Known, A::Error> {
                match index {
                    #(#arms)*
                    _ => Ok(Known::No),
                }
            }
        }
        impl Blank for #name {
            #[inline]
            fn blank() -> Self {
                #blank
            }
        }
    }
}

/// `blank` says that a blank value is of this variant already.
fn emit_arm(variant: &Described<'_>, index: &proc_macro2::Literal, blank: bool) -> TokenStream {
    let Described { name, target, .. } = variant;
    match &variant.upgrade {
        Some(upgrade) => quote! {
            #index => {
                let mut retired = #target::blank();
                match <#target as read::Object>::read(map, true, reading, &mut retired)? {
                    Known::Yes => Ok(crate::legacy::#upgrade(retired, reading, value)),
                    Known::No => Ok(Known::No),
                }
            }
        },
        None => {
            let set = (!blank).then(|| quote! { *value = Self::#name(#target::blank()); });
            quote! {
            #index => {
                #set
                let Self::#name(value) = value else { return Ok(Known::No) };
                <#target as read::Object>::read(map, true, reading, value)
            }
            }
        }
    }
}

fn emit_write(definition: &TypeDef, variants: &[Described<'_>]) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let kept: Vec<_> = variants
        .iter()
        .filter(|variant| variant.upgrade.is_none())
        .map(|variant| &variant.name)
        .collect();
    quote! {
        impl write::WriteJson for #name {
            #[inline]
            fn write_json(&self, out: &mut Vec<u8>) {
                match self { #(Self::#kept(value) => write::object(value, out),)* }
            }
        }
        impl Serialize for #name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { #(Self::#kept(value) => value.serialize(serializer),)* }
            }
        }
    }
}

fn emit_conversions(definition: &TypeDef, variants: &[Described<'_>]) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let kept = variants.iter().filter(|variant| variant.upgrade.is_none());
    let conversions = kept.map(|variant| {
        let Described { name: variant, target, .. } = variant;
        quote! {
            impl From<#target> for #name {
                fn from(value: #target) -> Self { Self::#variant(value) }
            }
        }
    });
    quote! { #(#conversions)* }
}
