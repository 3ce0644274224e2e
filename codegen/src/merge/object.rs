//! Objects and their fields.

use ag_ui_codegen_emit::model::{
    EarlierField, EarlierObject, Field as MergedField, Null, Object as MergedObject,
};

use super::{History, lifetime, order, united, version};
use crate::extract::{Field, Object, Presence, Release, resolve};

/// One release's reading of a field.
type Reading<'r> = (&'r Release, &'r Field);

impl<'r> History<'r> {
    pub(super) fn object(&self, readings: &[(&'r Release, &'r Object)]) -> MergedObject {
        let mut all = readings.to_vec();
        all.extend(self.fragment);
        let newest = all.last().map(|(_, object)| object.unknown);
        let unknown = newest.unwrap_or(ag_ui_codegen_emit::model::Unknown::Strip);
        let earlier = all
            .iter()
            .filter(|(_, object)| object.unknown != unknown)
            .map(|(release, object)| EarlierObject {
                version: release.version.clone(),
                unknown: object.unknown,
            })
            .collect();
        let notes = readings.last().map(|(_, object)| object.notes.clone()).unwrap_or_default();
        MergedObject { unknown, earlier, notes, fields: self.fields(readings) }
    }

    fn fields(&self, readings: &[(&'r Release, &'r Object)]) -> Vec<MergedField> {
        let lists: Vec<Vec<&str>> = readings
            .iter()
            .map(|(_, object)| object.fields.iter().map(|field| field.name.as_str()).collect())
            .collect();
        let (newest, _) = self.newest;
        let names = united(&lists, order::interleave).into_iter();
        let fields = names.filter_map(|name| {
            let having: Vec<Reading<'r>> = readings
                .iter()
                .filter_map(|(release, object)| Some((*release, object.find(name)?)))
                .collect();
            let versions: Vec<&str> = having.iter().map(|(release, _)| version(release)).collect();
            // A field lives and dies with its object; `until` is for one that goes before it.
            let (since, until) = lifetime(&versions, version(newest));
            let current = self.fragment_field(&having);
            let (presence, reading, earlier) = read(&having, current)?;
            Some(MergedField {
                name: name.into(),
                docs: String::new(),
                since,
                until,
                optional: presence.optional,
                null: presence.null,
                default: presence.default,
                shape: reading.shape.clone(),
                earlier,
            })
        });
        fields.collect()
    }

    /// The present reading of a field that a retired object took from a fragment.
    fn fragment_field(&self, having: &[Reading<'r>]) -> Option<Reading<'r>> {
        let (release, fragment) = self.fragment?;
        let (own, field) = having.last()?;
        let then =
            own.fragments.iter().find_map(|old| super::object_of(&old.kind)?.find(&field.name));
        // A field that the object overrode, such as the tag, is its own.
        then.filter(|then| then == field)?;
        Some((release, fragment.find(&field.name)?))
    }
}

/// The reading that counts, and the earlier ones that differ from it.
fn read<'r>(
    having: &[Reading<'r>],
    current: Option<Reading<'r>>,
) -> Option<(Presence, &'r Field, Vec<EarlierField>)> {
    let mut all = having.to_vec();
    all.extend(current);
    let (&(release, newest), older) = all.split_last()?;
    let mut presence = newest.presence.clone();
    let null_was_read = older.iter().any(|(_, field)| field.presence.null != Null::Reject);
    if presence.optional && presence.null == Null::Reject && null_was_read {
        presence.null = Null::Absent;
    }
    // An older release that already read it as the newest does is no earlier reading, even where
    // the tolerance for null makes the two look different.
    let known = [&presence, &newest.presence];
    let shape = resolve(&newest.shape, &release.types);
    let earlier = older
        .iter()
        .filter(|(release, field)| {
            !known.contains(&&field.presence) || resolve(&field.shape, &release.types) != shape
        })
        .map(|(release, field)| EarlierField {
            version: release.version.clone(),
            optional: field.presence.optional,
            null: field.presence.null,
            default: field.presence.default.clone(),
            shape: field.shape.clone(),
        })
        .collect();
    Some((presence, newest, earlier))
}
