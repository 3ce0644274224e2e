//! Versions of the protocol on the wire.

/// A version of the protocol, as messages are written in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum WireVersion {
    /// v0.8: components nested under their type, four other messages.
    V0_8,
    /// v0.9.
    #[default]
    V0_9,
    /// v0.9.1: v0.9 under either name.
    V0_9_1,
}

impl WireVersion {
    /// How messages may state it, the usual way first; none for v0.8, which does not.
    #[must_use]
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::V0_8 => &[],
            Self::V0_9 => &["v0.9"],
            Self::V0_9_1 => &["v0.9", "v0.9.1"],
        }
    }
}
