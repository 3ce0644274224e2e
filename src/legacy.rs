//! Retired forms read as what replaced them.
//!
//! One removable module: when the protocol ends its tolerance for these forms, it goes.

use std::collections::BTreeSet;

use crate::error::AdjustmentKind;
use crate::protocol::{
    AudioPart, BinaryInputContent, ContentPart, DataSource, DocumentPart, ImagePart, PartSource,
    UrlSource, VideoPart,
};
use crate::wire::content::Item;
use crate::wire::read::Known;
use crate::wire::{Reading, Unrecognised};

/// The media kind comes from the MIME type, the source from `data` before `url`.
///
/// A part that has only an id names bytes that nobody else can find: it is left out like an
/// unrecognised part.
pub(crate) fn binary_part(
    part: BinaryInputContent,
    reading: &mut Reading,
    value: &mut ContentPart,
) -> Known {
    let BinaryInputContent { mime_type, data, url, filename, .. } = part;
    let source: PartSource = match (data, url) {
        (Some(data), _) if !data.is_empty() => DataSource::new(data, mime_type.clone()).into(),
        (_, Some(url)) if !url.is_empty() => {
            UrlSource::new(url).with_mime_type(mime_type.clone()).into()
        }
        _ => {
            let (tag, known) = ("binary".to_owned(), vec!["data", "url"]);
            reading.set_unrecognised(Unrecognised { tag, field: "type", known });
            return Known::No;
        }
    };
    reading.note(None, || AdjustmentKind::Upgraded { from: "binary" });
    let metadata = filename.map(|filename| serde_json::json!({ "filename": filename }));
    reading.set_upgraded();
    *value = match mime_type.split_once('/') {
        Some(("image", _)) => ImagePart { metadata, ..ImagePart::new(source) }.into(),
        Some(("audio", _)) => AudioPart { metadata, ..AudioPart::new(source) }.into(),
        Some(("video", _)) => VideoPart { metadata, ..VideoPart::new(source) }.into(),
        _ => DocumentPart { metadata, ..DocumentPart::new(source) }.into(),
    };
    Known::Yes
}

/// The parts of one content. Producers that serve old and new peers send a part in both forms; of
/// such a pair the retired form goes.
pub(crate) fn without_repeats(items: Vec<Item<ContentPart>>) -> Vec<ContentPart> {
    if !items.iter().any(|item| item.is_upgraded) {
        return items.into_iter().map(|item| item.value).collect();
    }
    let current = items.iter().filter(|item| !item.is_upgraded);
    let named: BTreeSet<_> = current.filter_map(|item| Media::of(&item.value)).collect();
    let unnamed: BTreeSet<_> = named.iter().map(|media| media.unnamed()).collect();
    let is_current = |media: Media<'_>| match media.filename {
        Some(_) => named.contains(&media),
        None => unnamed.contains(&media),
    };
    let is_kept =
        |item: &Item<_>| !item.is_upgraded || !Media::of(&item.value).is_some_and(is_current);
    let kept: Vec<bool> = items.iter().map(is_kept).collect();
    let parts = items.into_iter().zip(kept).filter(|(_, kept)| *kept);
    parts.map(|(item, _)| item.value).collect()
}

/// What two parts must share to be the same media.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Media<'a> {
    kind: &'static str,
    source: (&'static str, &'a str, Option<&'a str>),
    filename: Option<&'a str>,
}

impl<'a> Media<'a> {
    fn of(part: &'a ContentPart) -> Option<Self> {
        let (kind, source, metadata) = match part {
            ContentPart::Text(_) => return None,
            ContentPart::Image(part) => ("image", &part.source, &part.metadata),
            ContentPart::Audio(part) => ("audio", &part.source, &part.metadata),
            ContentPart::Video(part) => ("video", &part.source, &part.metadata),
            ContentPart::Document(part) => ("document", &part.source, &part.metadata),
        };
        let source = match source {
            PartSource::Data(data) => ("data", data.value.as_str(), Some(data.mime_type.as_str())),
            PartSource::Url(url) => ("url", url.value.as_str(), url.mime_type.as_deref()),
            PartSource::File(file) => ("file", file.value.as_str(), file.mime_type.as_deref()),
        };
        let filename = metadata.as_ref().and_then(|metadata| metadata["filename"].as_str());
        Some(Self { kind, source, filename })
    }

    fn unnamed(self) -> Self {
        Self { filename: None, ..self }
    }
}
