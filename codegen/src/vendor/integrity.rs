//! Digests in the form that registries and lock files use: algorithm, dash, base64.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha512};

/// Expected and actual digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    expected: String,
    actual: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "expected {}, got {}", self.expected, self.actual)
    }
}

/// Compares the digest of `bytes` with an expected one, `sha512-…` or `sha256-…`.
///
/// # Errors
///
/// Another digest, or an algorithm that is neither of the two; then the actual digest is given as
/// SHA-512.
pub fn verify(expected: &str, bytes: &[u8]) -> Result<(), Mismatch> {
    let actual = match expected.split_once('-') {
        Some(("sha256", _)) => format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes))),
        _ => sha512(bytes),
    };
    if actual == expected { Ok(()) } else { Err(Mismatch { expected: expected.into(), actual }) }
}

/// The SHA-512 digest of `bytes`.
pub(super) fn sha512(bytes: &[u8]) -> String {
    format!("sha512-{}", STANDARD.encode(Sha512::digest(bytes)))
}
