//! Paths inside packages, and patterns over them.

use super::{Error, File};
use crate::upstream::Pin;

/// `path`, seen from the directory `base`, without `.` and `..`.
///
/// # Errors
///
/// A path that leaves the root, is absolute, or is not written with `/`.
pub(super) fn clean(base: &str, path: &str) -> Result<String, Error> {
    let refused = || Error::Traversal { path: path.into() };
    if path.starts_with('/') || path.contains(['\\', '\0', ':']) {
        return Err(refused());
    }
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or_else(refused)?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// The files that the pin lists, in path order; every entry must find at least one.
pub(super) fn select(pin: &Pin, mut files: Vec<File>) -> Result<Vec<File>, Error> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for pattern in &pin.files {
        if !files.iter().any(|file| matches(pattern, &file.path)) {
            let some: Vec<&str> = files.iter().take(20).map(|file| file.path.as_str()).collect();
            return Err(Error::Missing {
                what: format!("{} {}", pin.name, pin.version),
                pattern: pattern.clone(),
                present: some.join(", "),
            });
        }
    }
    files.retain(|file| pin.files.iter().any(|pattern| matches(pattern, &file.path)));
    Ok(files)
}

/// Whether a path fits a pattern, in which `*` stands for any part of a name and a last `**` for
/// everything below.
fn matches(pattern: &str, path: &str) -> bool {
    match (pattern.split_once('/'), path.split_once('/')) {
        _ if pattern == "**" => true,
        (Some((pattern, patterns)), Some((name, names))) => {
            name_matches(pattern, name) && matches(patterns, names)
        }
        (None, None) => name_matches(pattern, path),
        _ => false,
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len())
                .filter_map(|index| name.get(index..))
                .any(|tail| name_matches(rest, tail))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, matches};

    #[test]
    fn a_path_inside_is_made_plain() {
        assert_eq!(clean("dist", "../src/./types.ts").ok().as_deref(), Some("src/types.ts"));
    }

    #[test]
    fn a_path_that_leaves_the_root_is_refused() {
        for path in ["../../etc/passwd", "/etc/passwd", "a\\..\\b", "C:/windows", "a/../../../b"] {
            assert!(clean("dist", path).is_err(), "{path}");
        }
    }

    #[test]
    fn stars_stand_for_parts_of_names_and_for_everything_below() {
        assert!(matches("streams/*.json", "streams/a.json"));
        assert!(!matches("streams/*.json", "streams/deep/a.json"));
        assert!(!matches("*.json", "a.yaml"));
        assert!(matches("agent/**", "agent/deep/a.yaml"));
        assert!(matches("**", "agent/deep/a.yaml"));
        assert!(!matches("src/types.ts", "src/types.ts/x"));
    }
}
