//! Pointers into the data of a surface.

/// Whether a text can stand where a pointer is wanted: `~` is followed by 0 or 1.
///
/// Pointers begin with `/`, or are relative to the item that a list is at.
#[must_use]
pub fn is_valid(pointer: &str) -> bool {
    let bytes = pointer.as_bytes();
    let mut tildes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'~');
    tildes.all(|(at, _)| matches!(bytes.get(at + 1), Some(b'0' | b'1')))
}

/// Whether a pointer begins at the data as a whole.
#[must_use]
pub fn is_absolute(pointer: &str) -> bool {
    pointer.starts_with('/')
}

/// The tokens of a pointer without their escapes. Empty ones do not count: `/a//b` is `/a/b`, and
/// `/` is all of the data.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = std::borrow::Cow<'_, str>> + '_ {
    let tokens = pointer.split('/').filter(|token| !token.is_empty() && *token != ".");
    tokens.map(|token| {
        if token.contains('~') {
            token.replace("~1", "/").replace("~0", "~").into()
        } else {
            token.into()
        }
    })
}

/// An index of a list: digits without a leading zero.
pub(crate) fn index(token: &str) -> Option<usize> {
    let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_number && (token == "0" || !token.starts_with('0'));
    if is_plain { token.parse().ok() } else { None }
}
