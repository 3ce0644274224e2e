//! The order of things that several releases list.

/// `newer` in its order, with what only `older` has behind the item it follows there.
pub(super) fn interleave<'n>(newer: Vec<&'n str>, older: &[&'n str]) -> Vec<&'n str> {
    let mut order = newer;
    let mut position = 0;
    for item in older {
        match order.iter().position(|known| known == item) {
            Some(found) => position = found + 1,
            None => {
                order.insert(position, item);
                position += 1;
            }
        }
    }
    order
}

/// `newer` in its order, followed by what only `older` has.
pub(super) fn append<'n>(newer: Vec<&'n str>, older: &[&'n str]) -> Vec<&'n str> {
    let mut order = newer;
    for item in older {
        if !order.contains(item) {
            order.push(item);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{append, interleave};

    #[test]
    fn retired_items_stand_where_their_source_had_them() {
        assert_eq!(
            interleave(vec!["b", "new", "a"], &["x", "a", "y", "z", "b"]),
            ["x", "b", "new", "a", "y", "z"]
        );
    }

    #[test]
    fn appended_items_keep_their_order() {
        assert_eq!(append(vec!["b", "a"], &["x", "a", "y"]), ["b", "a", "x", "y"]);
    }
}
