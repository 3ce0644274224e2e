//! What a validator checks.

use crate::constants::{MAX_DEPTH, MAX_FUNCTION_CALL_DEPTH, ROOT_ID};

/// What a validator checks.
///
/// ```
/// use ag_ui_a2ui::validate::ValidateOptions;
///
/// let mut options = ValidateOptions::default();
/// options.max_depth = 10;
/// assert!(options.require_root);
/// assert!(!ValidateOptions::incremental_update().require_root);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidateOptions {
    /// The id of the root. By default [`ROOT_ID`].
    pub root_id: String,
    /// Whether a component has to have that id. By default it has to.
    pub require_root: bool,
    /// Whether links may name components that are not in the payload. By default they may not.
    pub allow_dangling_children: bool,
    /// Whether types have to be in the catalog; never with a catalog that defines nothing. By
    /// default they have to.
    pub check_component_types: bool,
    /// Whether required properties have to be there. By default they have to.
    pub check_required_props: bool,
    /// Whether values have to be of the JSON types that the catalog pins. By default they have to.
    pub check_prop_types: bool,
    /// Whether raw messages have to keep the contract of the wire. By default they have to.
    pub check_envelope: bool,
    /// Whether bindings have to lead somewhere, where data are known. By default they have to.
    pub check_bindings: bool,
    /// Whether absolute bindings have to be pointers. By default they have to.
    pub check_binding_syntax: bool,
    /// Levels that components, and the JSON of raw messages, may be nested. By default
    /// [`MAX_DEPTH`].
    pub max_depth: usize,
    /// Calls that may stand in each other's arguments. By default [`MAX_FUNCTION_CALL_DEPTH`].
    pub max_function_call_depth: usize,
}

impl Default for ValidateOptions {
    fn default() -> Self {
        Self {
            root_id: ROOT_ID.to_owned(),
            require_root: true,
            allow_dangling_children: false,
            check_component_types: true,
            check_required_props: true,
            check_prop_types: true,
            check_envelope: true,
            check_bindings: true,
            check_binding_syntax: true,
            max_depth: MAX_DEPTH,
            max_function_call_depth: MAX_FUNCTION_CALL_DEPTH,
        }
    }
}

impl ValidateOptions {
    /// For an update of a surface that the renderer holds: no root is needed, and links may name
    /// what the renderer has. Everything else is as it is.
    #[must_use]
    pub fn incremental_update() -> Self {
        Self { require_root: false, allow_dangling_children: true, ..Self::default() }
    }
}
