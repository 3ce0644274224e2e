//! What the script understands.

/// A wish of the user.
#[derive(Debug, PartialEq)]
pub(crate) enum Command<'a> {
    Add { title: &'a str },
    Move { id: u32, column: &'a str },
    Rename { id: u32, title: &'a str },
    Assign { id: u32, assignee: &'a str },
    Plan { goal: &'a str },
    Clear,
    Unknown,
}

impl<'a> Command<'a> {
    /// Reads a line such as `move 2 to done`.
    pub(crate) fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let (verb, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (verb.to_lowercase().as_str(), task_and_more(rest)) {
            ("add", _) if !rest.is_empty() => Self::Add { title: rest },
            ("plan", _) if !rest.is_empty() => Self::Plan { goal: rest },
            ("clear", _) => Self::Clear,
            ("move", Some((id, column))) => Self::Move { id, column },
            ("rename", Some((id, title))) => Self::Rename { id, title },
            ("assign", Some((id, assignee))) => Self::Assign { id, assignee },
            _ => Self::Unknown,
        }
    }
}

/// Reads `2 to done`; a `#` before the number is fine.
fn task_and_more(text: &str) -> Option<(u32, &str)> {
    let (id, rest) = text.split_once(" to ")?;
    let id = id.trim().trim_start_matches('#').parse().ok()?;
    let rest = rest.trim();
    (!rest.is_empty()).then_some((id, rest))
}
