//! What a newer text of the protocol has and no published release carries yet.

use ag_ui_codegen_emit::model::{self, Field, Null, Object, Shape, TypeDef, TypeShape};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The additions, as written in `schema/ag-ui.overlay.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Overlay {
    /// The protocol version that has them.
    pub protocol_version: ProtocolVersion,
    /// New fields of existing objects.
    pub fields: Vec<Addition>,
}

/// A protocol version that no release states yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProtocolVersion {
    /// `MAJOR.MINOR`.
    pub value: String,
    /// The text that says so.
    pub source: String,
}

/// A field to add to an object.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Addition {
    /// The object type.
    #[serde(rename = "type")]
    pub owner: String,
    /// Name of the field on the wire.
    pub name: String,
    /// The field it follows.
    pub after: String,
    /// Whether it may be absent.
    pub optional: bool,
    /// What it holds.
    #[serde(deserialize_with = "shape")]
    pub shape: Shape,
    /// The text that introduces it.
    pub source: String,
    /// The protocol version that introduces it.
    pub version: String,
}

fn shape<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Shape, D::Error> {
    model::read_shape(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// An entry that does not apply, or no longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// `Type.field`, or `protocolVersion`.
    pub entry: String,
    /// Why.
    pub reason: String,
}

impl Overlay {
    /// Adds the fields to `types` and returns the protocol version of the result, with the
    /// entries that do not apply.
    pub fn apply(&self, types: &mut [TypeDef], upstream: Option<&str>) -> (String, Vec<Stale>) {
        let mut stale: Vec<Stale> = self
            .fields
            .iter()
            .filter_map(|addition| {
                let entry = format!("{}.{}", addition.owner, addition.name);
                addition.apply(types).err().map(|reason| Stale { entry, reason })
            })
            .collect();
        let own = &self.protocol_version.value;
        let newer = upstream.is_none_or(|upstream| number(own) > number(upstream));
        if !newer {
            let reason = format!("upstream states {} itself", upstream.unwrap_or_default());
            stale.push(Stale { entry: "protocolVersion".into(), reason });
        }
        (own.clone(), stale)
    }
}

impl Addition {
    fn apply(&self, types: &mut [TypeDef]) -> Result<(), String> {
        let owner = types.iter_mut().find(|candidate| candidate.name == self.owner);
        let owner = owner.ok_or_else(|| format!("there is no type {}", self.owner))?;
        let TypeShape::Object(Object { fields, .. }) = &mut owner.shape else {
            return Err(format!("{} is not an object", self.owner));
        };
        if fields.iter().any(|field| field.name == self.name) {
            return Err("upstream has it now".into());
        }
        let position = fields.iter().position(|field| field.name == self.after);
        let position = position.ok_or_else(|| format!("there is no field {}", self.after))?;
        fields.insert(position + 1, self.field());
        Ok(())
    }

    fn field(&self) -> Field {
        Field {
            name: self.name.clone(),
            docs: String::new(),
            since: self.version.clone(),
            until: None,
            optional: self.optional,
            null: Null::Reject,
            default: None,
            shape: self.shape.clone(),
            earlier: Vec::new(),
        }
    }
}

/// `MAJOR.MINOR` as numbers; `None`, which is the smallest, for anything else.
fn number(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
