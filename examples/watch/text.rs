//! Text of an agent, made fit for a terminal.

/// Characters of a value that are shown on a line.
const SHOWN: usize = 200;

/// A text that may have several lines. Nothing in it can move the cursor, change colours, or turn
/// the direction of what follows.
pub(crate) fn lines(text: &str) -> String {
    escaped(text, |character| matches!(character, '\n' | '\t'))
}

/// A text on one line, cut where it is long.
pub(crate) fn line(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", escaped(&text[..end], |_| false)),
        None => escaped(text, |_| false),
    }
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if is_kept(character) || !is_dangerous(character) {
            escaped.push(character);
        } else {
            escaped.extend(character.escape_unicode());
        }
    }
    escaped
}

fn is_dangerous(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
