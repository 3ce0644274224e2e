//! Documentation of emitted items.

use proc_macro2::TokenStream;
use quote::quote;

use crate::error::Error;
use crate::model::{Field, Member, Null, TypeDef, Variant};

const WIDTH: usize = 92;

/// Attributes of a type: its text, and since when it exists where that is news.
pub(crate) fn of_type(definition: &TypeDef) -> Result<TokenStream, Error> {
    let text = required(&definition.docs, &definition.name)?;
    Ok(lines(&[text, &history(&definition.since, definition.until.as_deref())]))
}

/// Attributes of a field.
pub(crate) fn of_field(type_name: &str, field: &Field) -> Result<TokenStream, Error> {
    let item = format!("{type_name}.{}", field.name);
    let text = required(&field.docs, &item)?;
    let mut facts = vec![format!("Wire name: `{}`.", field.name)];
    if let Some(default) = &field.default {
        facts.push(format!("Absent means `{default}`."));
    }
    if field.null == Null::Absent {
        facts.push("A `null` is read as absent.".to_owned());
    }
    let history = history(&field.since, field.until.as_deref());
    if !history.is_empty() {
        facts.push(history);
    }
    Ok(lines(&[text, &facts.join(" ")]))
}

/// Attributes of a string member.
pub(crate) fn of_member(type_name: &str, member: &Member) -> Result<TokenStream, Error> {
    let text = required(&member.docs, &format!("{type_name}.{}", member.value))?;
    let wire = format!("Wire value: `{}`.", member.value);
    let deprecated = deprecation(member.until.as_deref());
    let docs = lines(&[text, &wire]);
    Ok(quote! { #docs #deprecated })
}

/// Attributes of a union variant: the text of the type it holds.
pub(crate) fn of_variant(variant: &Variant, target: &TypeDef) -> Result<TokenStream, Error> {
    let text = required(&target.docs, &target.name)?;
    let deprecated = deprecation(variant.until.as_deref());
    let docs = lines(&[text]);
    Ok(quote! { #docs #deprecated })
}

pub(crate) fn deprecation(until: Option<&str>) -> TokenStream {
    let Some(until) = until else { return TokenStream::new() };
    let note = format!("retired from the protocol after {until}; read for older peers only");
    quote! { #[deprecated(note = #note)] }
}

/// Our text of an item as one string.
pub(crate) fn required<'a>(text: &'a str, item: &str) -> Result<&'a str, Error> {
    let text = text.trim();
    if text.is_empty() { Err(Error::NoText { item: item.to_owned() }) } else { Ok(text) }
}

fn history(since: &str, until: Option<&str>) -> String {
    match until {
        Some(until) => format!("Retired after {until}."),
        None if since.starts_with("0.") => String::new(),
        None => format!("New in {since}."),
    }
}

/// Paragraphs as doc attributes, wrapped.
pub(crate) fn lines(paragraphs: &[&str]) -> TokenStream {
    let mut tokens = TokenStream::new();
    let texts = paragraphs.iter().filter(|paragraph| !paragraph.is_empty());
    for (position, paragraph) in texts.enumerate() {
        if position > 0 {
            tokens.extend(quote! { #[doc = ""] });
        }
        for line in wrap(paragraph) {
            let line = format!(" {line}");
            tokens.extend(quote! { #[doc = #line] });
        }
    }
    tokens
}

fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
