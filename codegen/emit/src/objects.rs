//! Objects: struct, constructor, setters, and both directions of the wire.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

use crate::error::Error;
use crate::model::{Array, Field, Model, Null, Object, Shape, TypeDef, TypeShape, Unknown};
use crate::types::{self, RustType, ident};
use crate::{docs, names, schema, strings, unions};

/// Bits that a reader has for the fields of one object.
const MAX_FIELDS: usize = 62;

/// How a field stands in the struct.
pub(crate) enum Place {
    /// Not at all: always the same string.
    Constant(String),
    /// As the type itself.
    Required,
    /// As `Option`.
    Optional,
    /// As a list that absence empties.
    List,
}

/// A field with everything the emitter needs to know about it.
pub(crate) struct Described<'a> {
    pub(crate) field: &'a Field,
    pub(crate) name: Ident,
    pub(crate) rust: RustType,
    pub(crate) place: Place,
    /// Whether it holds arbitrary JSON.
    pub(crate) is_any: bool,
}

impl Described<'_> {
    /// The type as it stands in the struct.
    pub(crate) fn stored(&self) -> TokenStream {
        let rust = &self.rust.tokens;
        if matches!(self.place, Place::Optional) {
            quote! { Option<#rust> }
        } else {
            rust.clone()
        }
    }

    fn is_constant(&self) -> bool {
        matches!(self.place, Place::Constant(_))
    }

    fn min_items(&self) -> u32 {
        match &self.field.shape {
            Shape::Array(Array { min_items, .. }) => *min_items,
            _ => 0,
        }
    }
}

/// The current fields of an object, in wire order.
pub(crate) fn describe<'a>(
    model: &Model,
    definition: &TypeDef,
    object: &'a Object,
) -> Result<Vec<Described<'a>>, Error> {
    if object.fields.len() > MAX_FIELDS {
        let why = format!("more than {MAX_FIELDS} fields; widen `Seen` in the reader");
        return Err(Error::unsupported(&definition.name, &why));
    }
    let mut taken = BTreeSet::new();
    let mut described = Vec::new();
    for field in &object.fields {
        if field.until.is_some() && definition.until.is_none() {
            continue;
        }
        if !taken.insert(names::of_field(&field.name)) {
            return Err(Error::Collision { item: format!("{}.{}", definition.name, field.name) });
        }
        described.push(describe_field(model, definition, field)?);
    }
    Ok(described)
}

fn describe_field<'a>(
    model: &Model,
    definition: &TypeDef,
    field: &'a Field,
) -> Result<Described<'a>, Error> {
    let name = ident(&names::of_field(&field.name));
    let item = format!("{}.{}", definition.name, field.name);
    if let (Shape::Literal(value), false) = (&field.shape, field.optional) {
        let rust = RustType { tokens: quote! { () }, bounded: None, converts: false };
        let place = Place::Constant(value.clone());
        return Ok(Described { field, name, rust, place, is_any: false });
    }
    let rust = types::of_field(model, definition, field)?;
    let is_list = matches!(field.shape, Shape::Array(_));
    let place = match (field.optional, &field.default) {
        (false, _) => Place::Required,
        (true, Some(default)) if is_list && *default == serde_json::json!([]) => Place::List,
        (true, _) => Place::Optional,
    };
    if field.optional && field.null == Null::Value {
        return Err(Error::unsupported(&item, "an optional field where null is data has no form"));
    }
    Ok(Described { field, name, rust, place, is_any: types::is_any(model, &field.shape) })
}

pub(crate) fn emit(
    model: &Model,
    definition: &TypeDef,
    object: &Object,
) -> Result<Vec<TokenStream>, Error> {
    let fields = describe(model, definition, object)?;
    let open = object.unknown == Unknown::Keep;
    let mut items = vec![
        emit_struct(definition, &fields, open)?,
        emit_constructor(model, definition, &fields, open)?,
        emit_blank(definition, &fields, open),
        emit_read(definition, &fields, open),
        emit_entries(model, definition, &fields, open),
    ];
    let name = ident(&names::of_type(&definition.name));
    items.push(quote! { object::impl_object!(#name); });
    for described in &fields {
        items.extend(emit_literal_enum(definition, described)?);
    }
    items.push(schema::object(definition, &fields, open));
    Ok(items)
}

fn emit_struct(
    definition: &TypeDef,
    fields: &[Described<'_>],
    open: bool,
) -> Result<TokenStream, Error> {
    let docs = docs::of_type(definition)?;
    let deprecated = docs::deprecation(definition.until.as_deref());
    let name = ident(&names::of_type(&definition.name));
    let mut members = Vec::new();
    for described in fields.iter().filter(|described| !described.is_constant()) {
        let docs = docs::of_field(&definition.name, described.field)?;
        let field = &described.name;
        let stored = described.stored();
        members.push(quote! { #docs pub #field: #stored, });
    }
    if open {
        members.push(quote! {
            /// Properties that the protocol does not describe; they are kept as they came.
            pub additional: Map<String, Value>,
        });
    }
    let default = is_defaultable(fields).then(|| quote! { Default, });
    Ok(quote! {
        #docs
        #deprecated
        #[derive(Debug, Clone, #default PartialEq, Eq)]
        #[non_exhaustive]
        pub struct #name { #(#members)* }
    })
}

fn is_defaultable(fields: &[Described<'_>]) -> bool {
    !fields.iter().any(|described| matches!(described.place, Place::Required))
}

fn emit_constructor(
    model: &Model,
    definition: &TypeDef,
    fields: &[Described<'_>],
    open: bool,
) -> Result<TokenStream, Error> {
    let name = ident(&names::of_type(&definition.name));
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    let mut setters = Vec::new();
    for described in fields {
        let (field, rust) = (&described.name, &described.rust);
        match described.place {
            Place::Constant(_) => {}
            Place::Required => {
                let argument = rust.argument();
                parameters.push(quote! { #field: #argument });
                values.push(rust.initialize(field));
            }
            Place::Optional
                if names::is_struct_argument(&definition.name, &described.field.name) =>
            {
                let argument = rust.argument();
                let value = rust.convert(field);
                parameters.push(quote! { #field: #argument });
                values.push(quote! { #field: Some(#value) });
            }
            Place::Optional => {
                values.push(quote! { #field: None });
                setters.push(emit_setter(definition, described)?);
                setters.extend(emit_default(model, definition, described)?);
            }
            Place::List => {
                values.push(quote! { #field: Vec::new() });
                setters.push(emit_setter(definition, described)?);
            }
        }
    }
    if open {
        values.push(quote! { additional: Map::new() });
    }
    let summary = if parameters.is_empty() {
        " An empty value; set what it should say."
    } else {
        " A value with its required fields."
    };
    Ok(quote! {
        impl #name {
            #[doc = #summary]
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#values),* }
            }
            #(#setters)*
        }
    })
}

fn emit_setter(definition: &TypeDef, described: &Described<'_>) -> Result<TokenStream, Error> {
    let field = &described.name;
    let setter = format_ident!("with_{}", names::of_field_suffix(&described.field.name));
    let docs = docs::required(
        &described.field.docs,
        &format!("{}.{}", definition.name, described.field.name),
    )?;
    let sets = format!("Sets `{}`.", names::of_field_suffix(&described.field.name));
    let docs = docs::lines(&[&sets, docs]);
    let argument = described.rust.argument();
    let value = described.rust.convert(field);
    let value = match described.place {
        Place::Optional => quote! { Some(#value) },
        _ => value,
    };
    Ok(quote! {
        #docs
        #[must_use]
        pub fn #setter(mut self, #field: #argument) -> Self {
            self.#field = #value;
            self
        }
    })
}

/// An accessor that answers with the protocol's default where the field is absent.
fn emit_default(
    model: &Model,
    definition: &TypeDef,
    described: &Described<'_>,
) -> Result<Option<TokenStream>, Error> {
    let Some(default) = &described.field.default else { return Ok(None) };
    let stored = &described.rust.tokens;
    let value = match (default, &described.field.shape) {
        (Value::Bool(value), Shape::Boolean) => quote! { #value },
        (Value::String(value), Shape::Ref(name)) if is_strings(model, name) => {
            let member = ident(&names::of_variant(value));
            quote! { #stored::#member }
        }
        _ => {
            let item = format!("{}.{}", definition.name, described.field.name);
            return Err(Error::unsupported(&item, "this kind of default has no accessor"));
        }
    };
    let field = &described.name;
    let accessor = format_ident!("{}_or_default", names::of_field_suffix(&described.field.name));
    let text = format!(" `{}`, or `{default}` where it is absent.", described.field.name);
    Ok(Some(quote! {
        #[doc = #text]
        #[must_use]
        pub fn #accessor(&self) -> #stored {
            self.#field.unwrap_or(#value)
        }
    }))
}

fn is_strings(model: &Model, name: &str) -> bool {
    model.find(name).is_some_and(|found| matches!(found.shape, TypeShape::Strings(_)))
}

fn emit_read(definition: &TypeDef, fields: &[Described<'_>], open: bool) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let expecting = format!("an object of type {}", names::of_type(&definition.name));
    let wire: Vec<_> = fields.iter().map(|described| described.field.name.as_str()).collect();
    let indices: Vec<_> = (0..fields.len()).map(index_literal).collect();
    let lookup: Vec<_> =
        wire.iter().copied().zip(indices.iter().map(|index| quote! { #index })).collect();
    let lookup = types::lookup(&ident("name"), &lookup);
    let arms = fields.iter().zip(&indices).map(|(described, index)| {
        let call = emit_entry_call(described);
        if described.rust.bounded.is_some() {
            return quote! { #index => #call };
        }
        quote! { #index => entry.#call, }
    });
    let open_const = open.then(|| quote! { const OPEN: bool = true; });
    let unknown = if open {
        quote! { read::additional(&mut map, name, &mut value.additional)? }
    } else {
        quote! { read::unknown::<Self, A>(&mut map, name, reading)? }
    };
    let value = if open || fields.iter().any(|described| !described.is_constant()) {
        ident("value")
    } else {
        ident("_value")
    };
    let finish = emit_finish(fields);
    let tag = index_literal(fields.iter().position(Described::is_constant).unwrap_or(0));
    quote! {
        impl<'de> read::Object<'de> for #name {
            const EXPECTING: &'static str = #expecting;
            const FIELDS: &'static [&'static str] = &[#(#wire),*];
            #open_const
            #[inline]
            fn index(name: &str) -> Option<u8> {
                #lookup
            }
            fn read<A: MapAccess<'de>>(
                mut map: A,
                tagged: bool,
                reading: &mut Reading,
                #value: &mut Self,
            ) -> Result<Known, A::Error> {
                let mut seen = read::Seen::new(tagged, #tag);
                while let Some(key) = map.next_key_seed(read::KeySeed::<Self>::new(reading))? {
                    let index = match key {
                        read::Key::Known(index) => index,
                        read::Key::Unknown(name) => {
                            #unknown;
                            continue;
                        }
                    };
                    let entry = read::Entry::new::<Self>(&mut map, reading, &mut seen, index);
                    match index {
                        #(#arms)*
                        _ => {}
                    }
                }
                #finish
            }
        }
    }
}

fn index_literal(index: usize) -> proc_macro2::Literal {
    proc_macro2::Literal::u8_suffixed(u8::try_from(index).unwrap_or(u8::MAX))
}

fn emit_entry_call(described: &Described<'_>) -> TokenStream {
    let field = &described.name;
    let method = match (&described.place, described.field.null) {
        (Place::Constant(value), _) => return quote! { literal(#value)? },
        (Place::Required | Place::List, _) => quote! { required },
        (_, Null::Absent) => quote! { nullable },
        _ => quote! { optional },
    };
    match (&described.rust.bounded, &described.place) {
        (None, _) => quote! { #method(&mut value.#field)? },
        (Some(bounded), Place::Required) => quote! {
            {
                let mut bounded = #bounded::blank();
                entry.required(&mut bounded)?;
                value.#field = bounded.0;
            }
        },
        (Some(bounded), _) => quote! {
            {
                let mut bounded: Option<#bounded> = None;
                entry.#method(&mut bounded)?;
                value.#field = bounded.map(|bounded| bounded.0);
            }
        },
    }
}

/// What is checked once all entries were read: presence, and the length of lists.
fn emit_finish(fields: &[Described<'_>]) -> TokenStream {
    let checks = fields.iter().enumerate().filter_map(|(index, described)| {
        let index = index_literal(index);
        let wire = &described.field.name;
        match described.place {
            Place::Constant(_) | Place::Required => {
                Some(quote! { seen.require(#index, #wire, reading)?; })
            }
            Place::List => Some(quote! { seen.default_list(#index, #wire, reading); }),
            Place::Optional => None,
        }
    });
    let lengths = fields.iter().filter(|described| described.min_items() > 0).map(|described| {
        let (field, wire) = (&described.name, &described.field.name);
        let min = described.min_items() as usize;
        quote! { read::at_least(value.#field.len(), #min, #wire, reading)?; }
    });
    quote! {
        if seen.has_unrecognised() {
            return Ok(Known::No);
        }
        #(#checks)*
        #(#lengths)*
        Ok(Known::Yes)
    }
}

fn emit_blank(definition: &TypeDef, fields: &[Described<'_>], open: bool) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let values = fields.iter().filter(|described| !described.is_constant()).map(|described| {
        let field = &described.name;
        match described.place {
            Place::Optional => quote! { #field: None },
            _ => quote! { #field: Blank::blank() },
        }
    });
    let additional = open.then(|| quote! { additional: Map::new() });
    let values = values.chain(additional);
    quote! {
        impl Blank for #name {
            #[inline]
            fn blank() -> Self {
                Self { #(#values),* }
            }
        }
    }
}

fn emit_entries(
    model: &Model,
    definition: &TypeDef,
    fields: &[Described<'_>],
    open: bool,
) -> TokenStream {
    let name = ident(&names::of_type(&definition.name));
    let tag = unions::tag_of(model, &definition.name);
    let is_tag = |described: &&Described<'_>| Some(described.field.name.as_str()) == tag;
    // A reader that meets the tag first need not look ahead.
    let tag_first = fields.iter().filter(is_tag).chain(fields.iter().filter(|one| !is_tag(one)));
    let entries = tag_first.map(|described| {
        let (field, wire) = (&described.name, &described.field.name);
        let method = match &described.place {
            Place::Constant(value) => {
                return quote! { sink.constant(write::name!(#wire), write::literal!(#value))?; };
            }
            // Null can be set in such a field, though it must not be sent.
            Place::Optional if described.is_any => quote! { not_null },
            Place::Optional => quote! { optional },
            _ => quote! { entry },
        };
        quote! { sink.#method(write::name!(#wire), &self.#field)?; }
    });
    let additional = open.then(|| quote! { sink.additional(&self.additional)?; });
    quote! {
        impl write::Entries for #name {
            #[inline]
            fn entries<S: write::Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
                #(#entries)*
                #additional
                Ok(())
            }
        }
    }
}

fn emit_literal_enum(
    definition: &TypeDef,
    described: &Described<'_>,
) -> Result<Vec<TokenStream>, Error> {
    let (Shape::Literal(value), Some(name)) =
        (&described.field.shape, names::literal_enum(&definition.name, &described.field.name))
    else {
        return Ok(Vec::new());
    };
    let text = docs::required(&described.field.docs, &definition.name)?;
    let member = crate::model::Member {
        value: value.clone(),
        docs: text.to_owned(),
        since: described.field.since.clone(),
        until: None,
    };
    let mut items =
        strings::emit_members(name, &docs::lines(&[text]), name, std::slice::from_ref(&member))?;
    items.push(schema::named_strings(name, text, &[value.as_str()]));
    Ok(items)
}
