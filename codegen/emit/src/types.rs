//! From the shapes of the model to Rust types.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::error::Error;
use crate::model::{Array, Field, Integer, Model, Object, Shape, TypeDef, TypeShape};
use crate::{names, one_of};

/// An optional field that holds an object of more fields than this is boxed, so that one rare
/// field does not make every event large.
const BOXED_ABOVE: usize = 8;

/// A Rust type and how values of it are taken and read.
pub(crate) struct RustType {
    /// The type itself.
    pub(crate) tokens: TokenStream,
    /// What decoding fills, where the type itself would forget the bounds.
    pub(crate) bounded: Option<TokenStream>,
    /// Whether arguments are taken as `impl Into`.
    pub(crate) converts: bool,
}

impl RustType {
    fn plain(tokens: TokenStream) -> Self {
        Self { tokens, bounded: None, converts: false }
    }

    fn converting(tokens: TokenStream) -> Self {
        Self { tokens, bounded: None, converts: true }
    }

    /// The type of a function argument.
    pub(crate) fn argument(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.converts {
            quote! { impl Into<#tokens> }
        } else {
            tokens.clone()
        }
    }

    /// An expression that turns such an argument into the type.
    pub(crate) fn convert(&self, argument: &Ident) -> TokenStream {
        if self.converts {
            quote! { #argument.into() }
        } else {
            quote! { #argument }
        }
    }

    /// The field of that name set from such an argument, as a struct expression has it.
    pub(crate) fn initialize(&self, field: &Ident) -> TokenStream {
        if self.converts {
            quote! { #field: #field.into() }
        } else {
            quote! { #field }
        }
    }
}

pub(crate) fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// The type of a field, without `Option`.
pub(crate) fn of_field(model: &Model, owner: &TypeDef, field: &Field) -> Result<RustType, Error> {
    if let (Shape::Literal(_), Some(name)) =
        (&field.shape, names::literal_enum(&owner.name, &field.name))
    {
        let name = ident(name);
        return Ok(RustType::plain(quote! { #name }));
    }
    let plain = of_shape(model, &owner.name, Some(&field.name), &field.shape)?;
    if field.optional && is_large(model, &field.shape) {
        let tokens = plain.tokens;
        return Ok(RustType::converting(quote! { Box<#tokens> }));
    }
    Ok(plain)
}

fn is_large(model: &Model, shape: &Shape) -> bool {
    let Shape::Ref(name) = shape else { return false };
    match model.find(name).map(|definition| &definition.shape) {
        Some(TypeShape::Object(Object { fields, .. })) => fields.len() > BOXED_ABOVE,
        _ => false,
    }
}

/// Whether a shape is arbitrary JSON, directly or by another name.
pub(crate) fn is_any(model: &Model, shape: &Shape) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Ref(name) => match model.find(name).map(|definition| &definition.shape) {
            Some(TypeShape::Alias(aliased)) => is_any(model, aliased),
            _ => false,
        },
        _ => false,
    }
}

pub(crate) fn of_shape(
    model: &Model,
    owner: &str,
    wire: Option<&str>,
    shape: &Shape,
) -> Result<RustType, Error> {
    Ok(match shape {
        Shape::String => of_string(owner, wire),
        Shape::Boolean => RustType::plain(quote! { bool }),
        Shape::Integer(bounds) => of_integer(*bounds),
        Shape::Number => {
            let item = item(owner, wire);
            return Err(Error::unsupported(&item, "an unbounded number has no form yet"));
        }
        Shape::Any => RustType::converting(quote! { Value }),
        Shape::Map => RustType::plain(quote! { Map<String, Value> }),
        Shape::Array(Array { items, .. }) => {
            let items = of_shape(model, owner, wire, items)?;
            let tokens = items.tokens;
            RustType::plain(quote! { Vec<#tokens> })
        }
        Shape::Ref(name) => of_name(model, owner, wire, name)?,
        Shape::OneOf(_) => {
            let name = ident(one_of::name(owner, wire, shape)?);
            RustType::converting(quote! { #name })
        }
        Shape::Pattern(_) | Shape::Literal(_) => {
            let item = item(owner, wire);
            return Err(Error::unsupported(
                &item,
                "this shape has no Rust type here; give it a name in `names.rs`",
            ));
        }
    })
}

fn of_string(owner: &str, wire: Option<&str>) -> RustType {
    match wire.and_then(|wire| names::id_of(owner, wire)) {
        Some(id) => {
            let id = ident(id);
            RustType::converting(quote! { crate::ids::#id })
        }
        None => RustType::converting(quote! { String }),
    }
}

fn of_integer(Integer { min, max }: Integer) -> RustType {
    let max = max.unwrap_or(i64::MAX);
    let (tokens, min) = match min {
        Some(min) if min >= 0 => (quote! { u64 }, min),
        _ => (quote! { i64 }, min.unwrap_or(i64::MIN)),
    };
    let bounded = Some(quote! { scalar::Bounded::<#tokens, #min, #max> });
    RustType { tokens, bounded, converts: false }
}

fn of_name(model: &Model, owner: &str, wire: Option<&str>, name: &str) -> Result<RustType, Error> {
    let Some(definition) = model.find(name) else {
        return Err(Error::UnknownName { item: item(owner, wire), name: name.to_owned() });
    };
    let rust = ident(&names::of_type(name));
    Ok(match &definition.shape {
        TypeShape::Strings(_) => RustType::plain(quote! { #rust }),
        TypeShape::Alias(Shape::String) => RustType::converting(quote! { crate::ids::#rust }),
        TypeShape::Alias(Shape::Pattern(_)) => RustType::converting(quote! { crate::patch::#rust }),
        TypeShape::Alias(Shape::Map | Shape::Array(_)) => RustType::plain(quote! { #rust }),
        TypeShape::Alias(_) | TypeShape::Object(_) | TypeShape::Union(_) => {
            RustType::converting(quote! { #rust })
        }
    })
}

/// The arms of a lookup by name, by length first: one comparison then decides most of them.
pub(crate) fn lookup(subject: &Ident, arms: &[(&str, TokenStream)]) -> TokenStream {
    let lengths: BTreeSet<usize> = arms.iter().map(|(name, _)| name.len()).collect();
    let branches = lengths.into_iter().map(|length| {
        let of_length = arms.iter().filter(|(name, _)| name.len() == length);
        let of_length = of_length.map(|(name, result)| quote! { #name => #result, });
        let length = proc_macro2::Literal::usize_unsuffixed(length);
        quote! { #length => match #subject { #(#of_length)* _ => return None }, }
    });
    quote! { Some(match #subject.len() { #(#branches)* _ => return None }) }
}

pub(crate) fn item(owner: &str, wire: Option<&str>) -> String {
    wire.map_or_else(|| owner.to_owned(), |wire| format!("{owner}.{wire}"))
}
