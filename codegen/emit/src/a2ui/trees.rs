//! Constructors that take components where `new` takes their ids.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Shape;
use super::types::FieldOf;

/// `of`, and `each` where the children can be a template. Nothing where links are inside of
/// objects, or where a property has one of these names.
pub(super) fn emit(required: &[&FieldOf<'_>], setters: &[&FieldOf<'_>]) -> TokenStream {
    let taken = |name: &str| setters.iter().any(|field| field.name == name);
    if required.iter().any(|field| has_inner_link(&field.property.shape)) {
        return TokenStream::new();
    }
    let of = (!taken("of")).then(|| of(required));
    let lists = required.iter().filter(|field| field.property.shape == Shape::ChildList);
    let each = (lists.count() == 1 && !taken("each")).then(|| each(required));
    quote! { #of #each }
}

fn has_inner_link(shape: &Shape) -> bool {
    match shape {
        Shape::List { item, .. } => is_link(item) || has_inner_link(item),
        Shape::Object(members) => {
            members.iter().any(|member| is_link(&member.shape) || has_inner_link(&member.shape))
        }
        Shape::OneOf(shapes) => shapes.iter().any(|shape| is_link(shape) || has_inner_link(shape)),
        _ => false,
    }
}

fn is_link(shape: &Shape) -> bool {
    matches!(shape, Shape::ComponentId | Shape::ChildList)
}

fn of(required: &[&FieldOf<'_>]) -> TokenStream {
    let parameters = required.iter().map(|field| {
        let name = &field.name;
        match field.property.shape {
            Shape::ComponentId => quote! { #name: impl Into<Node> },
            Shape::ChildList => quote! { #name: impl IntoIterator<Item = impl Into<Node>> },
            _ => field.parameter(),
        }
    });
    let created = created(required);
    if !required.iter().any(|field| is_link(&field.property.shape)) {
        return quote! {
            /// Without an id; a tree gives it one.
            #[must_use]
            pub fn of(#(#parameters),*) -> Self {
                #created
            }
        };
    }
    let links = required.iter().filter_map(|field| {
        let (name, wire) = (&field.name, &field.property.name);
        match field.property.shape {
            Shape::ComponentId => Some(quote! { .slot(#wire, #name) }),
            Shape::ChildList => Some(quote! { .slots(#wire, #name) }),
            _ => None,
        }
    });
    quote! {
        /// With what it holds, as part of a tree that gives ids.
        #[must_use]
        pub fn of(#(#parameters),*) -> Branch<Self> {
            Branch::new(#created) #(#links)*
        }
    }
}

fn each(required: &[&FieldOf<'_>]) -> TokenStream {
    let parameters = required.iter().map(|field| {
        let name = &field.name;
        match field.property.shape {
            Shape::ComponentId => quote! { #name: impl Into<Node> },
            Shape::ChildList => quote! { list: DataBinding, item: impl Into<Node> },
            _ => field.parameter(),
        }
    });
    let created = created(required);
    let links = required.iter().filter_map(|field| {
        let (name, wire) = (&field.name, &field.property.name);
        match field.property.shape {
            Shape::ComponentId => Some(quote! { .slot(#wire, #name) }),
            Shape::ChildList => Some(quote! { .template(#wire, list, item) }),
            _ => None,
        }
    });
    quote! {
        /// With a component for each item of a list in the data, as part of a tree that gives ids.
        #[must_use]
        pub fn each(#(#parameters),*) -> Branch<Self> {
            Branch::new(#created) #(#links)*
        }
    }
}

fn created(required: &[&FieldOf<'_>]) -> TokenStream {
    let arguments = required.iter().map(|field| {
        let name = &field.name;
        match field.property.shape {
            Shape::ComponentId => quote! { "" },
            Shape::ChildList => quote! { ChildList::default() },
            _ => quote! { #name },
        }
    });
    quote! { Self::new("", #(#arguments),*) }
}
