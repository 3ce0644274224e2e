//! The ranges of an `Accept` header.

use super::MediaType;

/// One element of an `Accept` header.
pub(super) struct MediaRange<'a> {
    main: &'a str,
    sub: &'a str,
    /// Names and values of the parameters before the quality, values as they stand.
    parameters: Vec<(&'a str, &'a str)>,
    quality: f32,
}

/// How closely a range names a media type, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Specificity {
    Any,
    MainType,
    Exact { parameters: usize },
}

/// The ranges of a header value, without those that have no slash; `None` if it lists nothing.
pub(super) fn ranges(accept: &str) -> Option<Vec<MediaRange<'_>>> {
    let mut elements =
        split_unquoted(accept, ',').map(trim).filter(|element| !element.is_empty()).peekable();
    elements.peek()?;
    Some(elements.filter_map(MediaRange::parse).collect())
}

impl<'a> MediaRange<'a> {
    fn parse(element: &'a str) -> Option<Self> {
        let mut parts = split_unquoted(element, ';').map(trim);
        let (main, sub) = parts.next()?.split_once('/')?;
        let mut range = Self { main, sub, parameters: Vec::new(), quality: 1.0 };
        for part in parts.filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (trim(name), trim(value));
            if name.eq_ignore_ascii_case("q") {
                range.quality = parse_quality(value).unwrap_or(0.0);
                break;
            }
            range.parameters.push((name, value));
        }
        Some(range)
    }

    pub(super) fn quality(&self) -> f32 {
        self.quality
    }

    /// How closely this range names `media_type`, or `None` if it does not cover it.
    pub(super) fn specificity(&self, media_type: MediaType) -> Option<Specificity> {
        let (main, sub) = media_type.as_str().split_once('/')?;
        if !self.parameters.iter().all(|(name, value)| has_parameter(media_type, name, value)) {
            return None;
        }
        if self.main == "*" && self.sub == "*" {
            Some(Specificity::Any)
        } else if !self.main.eq_ignore_ascii_case(main) {
            None
        } else if self.sub == "*" {
            Some(Specificity::MainType)
        } else if self.sub.eq_ignore_ascii_case(sub) {
            Some(Specificity::Exact { parameters: self.parameters.len() })
        } else {
            None
        }
    }
}

/// Whether a parameter asks for nothing that `media_type` is not.
fn has_parameter(media_type: MediaType, name: &str, value: &str) -> bool {
    // An event stream is UTF-8 by definition, so a client may well say so.
    let is_utf8 = media_type == MediaType::EventStream
        && name.eq_ignore_ascii_case("charset")
        && value.trim_matches('"').eq_ignore_ascii_case("utf-8");
    is_utf8 || value == "*"
}

/// A number from 0 to 1 in plain decimal notation.
fn parse_quality(text: &str) -> Option<f32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let quality: f32 = if is_plain { text.parse().ok()? } else { return None };
    (0.0..=1.0).contains(&quality).then_some(quality)
}

/// The parts of `text` between separators that stand outside quoted strings.
fn split_unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |character| {
        if escaped {
            escaped = false;
            return false;
        }
        match character {
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => return !quoted && character == separator,
        }
        false
    })
}

fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::{parse_quality, split_unquoted};

    #[test]
    fn separators_in_quoted_strings_do_not_split() {
        let table: [(&str, &[&str]); 6] = [
            ("a,b", &["a", "b"]),
            (r#"a;p="x,y",b"#, &[r#"a;p="x,y""#, "b"]),
            (r#"a;p="x\",y",b"#, &[r#"a;p="x\",y""#, "b"]),
            (r#"a;p="x\\",b"#, &[r#"a;p="x\\""#, "b"]),
            (r#"a\,b"#, &[r"a\", "b"]),
            (r#"a;p="x,b"#, &[r#"a;p="x,b"#]),
        ];
        for (text, parts) in table {
            assert_eq!(split_unquoted(text, ',').collect::<Vec<_>>(), parts, "{text}");
        }
    }

    #[test]
    fn a_quality_is_a_plain_number_from_0_to_1() {
        let readable =
            [("0", 0.0), ("1", 1.0), ("0.5", 0.5), ("1.000", 1.0), (".5", 0.5), ("0.0001", 0.0001)];
        for (text, quality) in readable {
            assert_eq!(parse_quality(text), Some(quality), "{text}");
        }
        for text in ["", ".", "1.1", "2", "-1", "+1", "1e0", "nan", "inf", "0,5", "\"1\"", "0.5x"] {
            assert_eq!(parse_quality(text), None, "{text}");
        }
    }
}
