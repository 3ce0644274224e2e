//! Tags in the comment before a declaration.

use oxc_span::Span;
use serde_json::Value;

use crate::extract::error::Error;
use crate::extract::modules::Module;

/// The value of `@default` in the comment attached to what starts at `span`.
pub(super) fn default_before(module: &Module<'_>, span: Span) -> Result<Option<Value>, Error> {
    let comments = module.program.comments.iter();
    let mut attached = comments.filter(|comment| comment.attached_to == span.start);
    let Some(comment) = attached.rfind(|comment| comment.is_jsdoc()) else {
        return Ok(None);
    };
    let text = comment.content_span().source_text(module.text);
    let lines = text.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let mut defaults = lines.filter_map(|line| line.strip_prefix("@default"));
    let Some(text) = defaults.next().map(str::trim) else { return Ok(None) };
    match serde_json::from_str(text) {
        Ok(value) => Ok(Some(value)),
        Err(_) => Err(Error::Default { at: module.place_at(span), text: text.into() }),
    }
}
