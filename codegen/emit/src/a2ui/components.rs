//! The Rust types of components.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{Catalog, Component};
use super::types::FieldOf;
use super::{schemas, trees};
use crate::docs;
use crate::types::ident;

/// The types of a component.
pub(super) fn emit(catalog: &Catalog, component: &Component) -> TokenStream {
    let mut items = Vec::new();
    let name = &component.name;
    let type_name = ident(name);
    let own: Vec<FieldOf<'_>> = component
        .properties
        .iter()
        .map(|property| FieldOf::new(name, property, &mut items))
        .collect();
    let common: Vec<FieldOf<'_>> =
        catalog.common.iter().map(|property| FieldOf::new(name, property, &mut items)).collect();
    let fields: Vec<&FieldOf<'_>> = own.iter().chain(&common).collect();
    let required: Vec<&FieldOf<'_>> =
        fields.iter().copied().filter(|field| field.property.is_required).collect();
    let optional: Vec<&FieldOf<'_>> =
        fields.iter().copied().filter(|field| !field.property.is_required).collect();

    let declarations = fields.iter().map(|field| field.declaration());
    let parameters: Vec<TokenStream> = required.iter().map(|field| field.parameter()).collect();
    let names: Vec<_> = required.iter().map(|field| &field.name).collect();
    let converted: Vec<_> = required.iter().map(|field| field.converted()).collect();
    let unset: Vec<_> = optional.iter().map(|field| &field.name).collect();
    let setters = optional.iter().map(|field| field.setter());
    let reads = fields.iter().map(|field| field.read());
    let writes = fields.iter().map(|field| field.write());
    let text = match component.docs.trim() {
        "" => "A component that its catalog does not describe.",
        text => text,
    };
    let docs = docs::lines(&[text, &format!("Wire name: `{name}`.")]);
    let in_trees = trees::emit(&required, &optional);
    let schema = schemas::of_component(&type_name, name, text, &fields, component.is_checkable);
    let (checks_field, checks_unset, checks_setter, checks_read, checks_write) =
        if component.is_checkable { checks() } else { Default::default() };
    quote! {
        #(#items)*

        #docs
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub struct #type_name {
            /// Its id; empty until a tree gives it one.
            pub id: ComponentId,
            #(#declarations)*
            #checks_field
            /// What it is called for people who do not see it.
            pub accessibility: Option<Accessibility>,
        }

        impl #type_name {
            /// With an id, and what is required.
            #[must_use]
            pub fn new(id: impl Into<ComponentId>, #(#parameters),*) -> Self {
                Self {
                    id: id.into(),
                    #(#names: #converted,)*
                    #(#unset: None,)*
                    #checks_unset
                    accessibility: None,
                }
            }

            #in_trees

            #(#setters)*
            #checks_setter

            /// Sets what it is called for people who do not see it.
            #[must_use]
            pub fn accessibility(mut self, accessibility: Accessibility) -> Self {
                self.accessibility = Some(accessibility);
                self
            }
        }

        impl TypedComponent for #type_name {
            const NAME: &'static str = #name;

            fn id(&self) -> &ComponentId {
                &self.id
            }

            fn to_component(&self) -> Component {
                let mut writer = MemberWriter::new();
                #(#writes)*
                #checks_write
                writer.optional("accessibility", self.accessibility.as_ref());
                Component::with_properties(self.id.as_str(), Self::NAME, writer.into_members())
            }

            fn from_component(component: &Component) -> Result<Self, PropertyError> {
                let mut reader = MemberReader::of_component(component, Self::NAME)?;
                let read = Self {
                    id: component.id().into(),
                    #(#reads)*
                    #checks_read
                    accessibility: reader.optional("accessibility")?,
                };
                reader.end()?;
                Ok(read)
            }
        }

        #schema

        impl From<#type_name> for Component {
            fn from(component: #type_name) -> Self {
                component.to_component()
            }
        }

        impl TryFrom<&Component> for #type_name {
            type Error = PropertyError;

            fn try_from(component: &Component) -> Result<Self, PropertyError> {
                Self::from_component(component)
            }
        }
    }
}

type Parts = (TokenStream, TokenStream, TokenStream, TokenStream, TokenStream);

/// What a component with checks has beside its properties.
fn checks() -> Parts {
    (
        quote! {
            /// What has to be true of the input.
            pub checks: Option<Vec<CheckRule>>,
        },
        quote! { checks: None, },
        quote! {
            /// Sets what has to be true of the input.
            #[must_use]
            pub fn checks(mut self, checks: impl IntoIterator<Item = CheckRule>) -> Self {
                self.checks = Some(checks.into_iter().collect());
                self
            }
        },
        quote! { checks: reader.optional("checks")?, },
        quote! { writer.optional("checks", self.checks.as_ref()); },
    )
}

/// The type that can be any component of the catalog.
pub(super) fn emit_any(catalog: &Catalog) -> TokenStream {
    let names: Vec<&String> = catalog.components.iter().map(|component| &component.name).collect();
    let types: Vec<_> = names.iter().map(|name| ident(name)).collect();
    let schema = schemas::of_union(
        &ident("AnyComponent"),
        &types.iter().map(|t| quote! { #t }).collect::<Vec<_>>(),
    );
    let variant_docs = names.iter().map(|name| docs::lines(&[&format!("A component `{name}`.")]));
    quote! {
        /// Any component of the catalog.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum AnyComponent { #(#variant_docs #types(#types),)* }

        impl AnyComponent {
            /// Its id.
            #[must_use]
            pub fn id(&self) -> &ComponentId {
                match self { #(Self::#types(component) => &component.id,)* }
            }

            /// The component without its types.
            #[must_use]
            pub fn to_component(&self) -> Component {
                match self { #(Self::#types(component) => component.to_component(),)* }
            }
        }

        #(
            impl From<#types> for AnyComponent {
                fn from(component: #types) -> Self {
                    Self::#types(component)
                }
            }
        )*

        impl From<AnyComponent> for Component {
            fn from(component: AnyComponent) -> Self {
                component.to_component()
            }
        }

        #schema

        impl TryFrom<&Component> for AnyComponent {
            type Error = PropertyError;

            fn try_from(component: &Component) -> Result<Self, PropertyError> {
                match component.component() {
                    #(#names => #types::from_component(component).map(Self::#types),)*
                    other => Err(PropertyError::new(format!("`{other}` is not in the catalog"))),
                }
            }
        }
    }
}
