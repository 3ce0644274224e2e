//! The functions of a catalog, as Rust functions that give calls of them.

use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::model::{Function, Property, Shape};
use super::types::FieldOf;
use crate::docs;
use crate::names::of_field;
use crate::types::ident;

/// A function, and the type of its call where it has arguments that may be left out.
pub(super) fn emit(function: &Function) -> TokenStream {
    let mut items = Vec::new();
    let camel = function.name.to_upper_camel_case();
    let arguments: Vec<Property> = function.arguments.iter().map(worked_out).collect();
    let fields: Vec<FieldOf<'_>> = arguments
        .iter()
        .map(|property| FieldOf::new(&format!("{camel}Arg"), property, &mut items))
        .collect();
    let call = gives(&function.returns);
    let has_options = fields.iter().any(|field| !field.property.is_required);
    let functions = if has_options {
        with_options(function, &fields, &call, &camel)
    } else {
        plain(function, &fields, &call)
    };
    quote! { #(#items)* #functions }
}

/// What takes anything takes what a renderer works out.
fn worked_out(argument: &Property) -> Property {
    let mut argument = argument.clone();
    if argument.shape == Shape::Any {
        argument.shape = Shape::DynamicValue;
    }
    argument
}

fn gives(returns: &str) -> Ident {
    let name = match returns {
        "string" => "StringCall",
        "number" => "NumberCall",
        "boolean" => "BooleanCall",
        "array" => "ArrayCall",
        "object" => "ObjectCall",
        "void" => "VoidCall",
        _ => "AnyCall",
    };
    Ident::new(name, Span::call_site())
}

fn docs_of(function: &Function) -> TokenStream {
    let text = match function.docs.trim() {
        "" => "A function that its catalog does not describe.",
        text => text,
    };
    docs::lines(&[text, &format!("Wire name: `{}`.", function.name)])
}

/// Sets the arguments that are there. An argument may have any name, so what is made here has names
/// that no argument has.
fn set(fields: &[&FieldOf<'_>]) -> TokenStream {
    let sets = fields.iter().map(|field| {
        let (wire, rust, converted) = (&field.property.name, &field.rust, field.converted());
        quote! {
            let __call = __call.arg(#wire, &{
                let __value: #rust = #converted;
                __value
            });
        }
    });
    quote! { #(#sets)* }
}

fn plain(function: &Function, fields: &[FieldOf<'_>], call: &Ident) -> TokenStream {
    let (docs, wire, returns) = (docs_of(function), &function.name, &function.returns);
    let name = ident(&of_field(&function.name));
    let parameters = fields.iter().map(FieldOf::parameter);
    let sets = set(&fields.iter().collect::<Vec<_>>());
    quote! {
        #docs
        #[must_use]
        pub fn #name(#(#parameters),*) -> #call {
            let __call = FunctionCall::new(#wire);
            #sets
            #call::trusted(__call.returning(#returns))
        }
    }
}

/// A function with arguments that may be left out has a type for its call, with a setter for each.
/// Where at least one of several has to be there, there is a function for each of them.
fn with_options(
    function: &Function,
    fields: &[FieldOf<'_>],
    call: &Ident,
    camel: &str,
) -> TokenStream {
    let (docs, wire, returns) = (docs_of(function), &function.name, &function.returns);
    let type_name = format_ident!("{camel}Call");
    let required: Vec<&FieldOf<'_>> =
        fields.iter().filter(|field| field.property.is_required).collect();
    let optional = fields.iter().filter(|field| !field.property.is_required);
    let setters = optional.map(|field| {
        let (name, rust, wire) = (&field.name, &field.rust, &field.property.name);
        let (docs, parameter, converted) = (field.docs(), field.parameter(), field.converted());
        quote! {
            #docs
            pub fn #name(self, #parameter) -> Self {
                let value: #rust = #converted;
                Self(self.0.arg(#wire, &value))
            }
        }
    });
    let starts: Vec<(Ident, Vec<&FieldOf<'_>>)> = if function.any_of.is_empty() {
        vec![(ident(&of_field(&function.name)), required)]
    } else {
        let of_one = |one: &String| {
            let field = fields.iter().find(|field| field.property.name == *one);
            let name = format_ident!("{}_{}", function.name.to_snake_case(), one.to_snake_case());
            (name, required.iter().copied().chain(field).collect())
        };
        function.any_of.iter().map(of_one).collect()
    };
    let functions = starts.iter().map(|(name, fields)| {
        let parameters = fields.iter().map(|field| field.parameter());
        let sets = set(fields);
        quote! {
            #docs
            pub fn #name(#(#parameters),*) -> #type_name {
                let __call = FunctionCall::new(#wire);
                #sets
                #type_name(__call.returning(#returns))
            }
        }
    });
    let dynamic = match function.returns.as_str() {
        "string" => Some("DynamicString"),
        "number" => Some("DynamicNumber"),
        "boolean" => Some("DynamicBoolean"),
        "array" => Some("DynamicStringList"),
        _ => None,
    };
    let dynamic = dynamic.map(ident).map(|dynamic| {
        quote! {
            impl From<#type_name> for #dynamic {
                fn from(call: #type_name) -> Self {
                    #call::from(call).into()
                }
            }
        }
    });
    let message = (function.returns == "boolean").then(|| {
        quote! {
            /// A check that this is true, and what is said when it is not.
            #[must_use]
            pub fn message(self, message: impl Into<String>) -> CheckRule {
                #call::from(self).message(message)
            }
        }
    });
    let type_docs = docs::lines(&[&format!("A call of `{wire}`.")]);
    quote! {
        #type_docs
        #[derive(Debug, Clone, PartialEq)]
        #[must_use]
        pub struct #type_name(FunctionCall);

        impl #type_name {
            #(#setters)*
            #message
        }

        impl From<#type_name> for #call {
            fn from(call: #type_name) -> Self {
                Self::trusted(call.0)
            }
        }

        impl From<#type_name> for DynamicValue {
            fn from(call: #type_name) -> Self {
                Self::Call(call.0)
            }
        }

        #dynamic
        #(#functions)*
    }
}
