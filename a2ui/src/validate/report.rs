//! What a validation found.

use std::fmt;

use crate::error::Error;

/// What is wrong. The set is closed: callers act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new code must not go unnoticed")]
pub enum ErrorCode {
    /// A payload declares a surface, or an update, without components.
    EmptyComponents,
    /// A component has no usable id.
    MissingId,
    /// A component has no usable type.
    MissingComponentType,
    /// Two components share an id.
    DuplicateId,
    /// No component has the root's id.
    NoRoot,
    /// A type is not in the catalog.
    UnknownComponent,
    /// A property that the catalog requires is missing.
    MissingRequiredProp,
    /// A member that the protocol requires of a message is missing.
    MissingField,
    /// A value has the right form, but is not allowed.
    InvalidValue,
    /// A value is of the wrong JSON type.
    TypeMismatch,
    /// A link names a component that is not there.
    UnresolvedChild,
    /// Links lead back to where they began.
    ChildCycle,
    /// A binding leads nowhere in the data of its surface.
    UnresolvedBinding,
    /// Something is nested deeper than allowed.
    MaxDepthExceeded,
}

impl ErrorCode {
    /// All codes.
    pub const ALL: [Self; 14] = [
        Self::EmptyComponents,
        Self::MissingId,
        Self::MissingComponentType,
        Self::DuplicateId,
        Self::NoRoot,
        Self::UnknownComponent,
        Self::MissingRequiredProp,
        Self::MissingField,
        Self::InvalidValue,
        Self::TypeMismatch,
        Self::UnresolvedChild,
        Self::ChildCycle,
        Self::UnresolvedBinding,
        Self::MaxDepthExceeded,
    ];

    /// The code as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EmptyComponents => "empty_components",
            Self::MissingId => "missing_id",
            Self::MissingComponentType => "missing_component_type",
            Self::DuplicateId => "duplicate_id",
            Self::NoRoot => "no_root",
            Self::UnknownComponent => "unknown_component",
            Self::MissingRequiredProp => "missing_required_prop",
            Self::MissingField => "missing_field",
            Self::InvalidValue => "invalid_value",
            Self::TypeMismatch => "type_mismatch",
            Self::UnresolvedChild => "unresolved_child",
            Self::ChildCycle => "child_cycle",
            Self::UnresolvedBinding => "unresolved_binding",
            Self::MaxDepthExceeded => "max_depth_exceeded",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// One thing that is wrong: what, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationError {
    /// What.
    pub code: ErrorCode,
    /// Where, from the list that was given: `components[0].child`, `messages[1].version`.
    pub path: String,
    /// What to do, as a sentence for a model.
    pub message: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}] {}: {}", self.code, self.path, self.message)
    }
}

impl std::error::Error for ValidationError {}

/// All that is wrong, a line each: the form that a model is asked to put right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationErrors(Vec<ValidationError>);

impl ValidationErrors {
    /// The errors.
    #[must_use]
    pub fn as_slice(&self) -> &[ValidationError] {
        &self.0
    }
}

impl fmt::Display for ValidationErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ValidationErrors {}

/// What a validation found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationReport {
    /// What is wrong.
    pub errors: Vec<ValidationError>,
    /// Components that no link leads to. Mostly they belong to a tree that is not all there yet;
    /// no error, but worth telling the model.
    pub unreachable: Vec<String>,
}

impl ValidationReport {
    /// Whether nothing is wrong. Components that cannot be reached are not wrong.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The report as a result.
    ///
    /// # Errors
    /// [`Error::Validation`] when something is wrong.
    pub fn into_result(self) -> Result<(), Error> {
        if self.is_valid() {
            return Ok(());
        }
        Err(Error::Validation { errors: ValidationErrors(self.errors) })
    }

    pub(super) fn error(&mut self, code: ErrorCode, path: String, message: impl Into<String>) {
        self.errors.push(ValidationError { code, path, message: message.into() });
    }
}
