//! Adding up token usage.

use crate::TokenUsage;

/// The largest count that every peer can read: JavaScript numbers are exact up to here.
const MAX_COUNT: u64 = (1 << 53) - 1;

/// Adds a report to the entry of its provider and model.
pub(crate) fn add(entries: &mut Vec<TokenUsage>, usage: TokenUsage) {
    let same = |entry: &&mut TokenUsage| labels(entry) == labels(&usage);
    let Some(entry) = entries.iter_mut().find(same) else { return entries.push(usage) };
    for (count, more) in [
        (&mut entry.input_tokens, usage.input_tokens),
        (&mut entry.output_tokens, usage.output_tokens),
        (&mut entry.total_tokens, usage.total_tokens),
        (&mut entry.reasoning_tokens, usage.reasoning_tokens),
        (&mut entry.cached_input_tokens, usage.cached_input_tokens),
        (&mut entry.cache_write_input_tokens, usage.cache_write_input_tokens),
    ] {
        // A count that nobody reported stays absent: zero would be a report.
        if let Some(more) = more {
            *count = Some(count.unwrap_or(0).saturating_add(more).min(MAX_COUNT));
        }
    }
}

/// Whose tokens they are; an absent label is an empty one.
fn labels(usage: &TokenUsage) -> (&str, &str) {
    (usage.provider.as_deref().unwrap_or_default(), usage.model.as_deref().unwrap_or_default())
}
