//! Retired forms read as what replaced them.
//!
//! One removable module: when the protocol ends its tolerance for these forms, it goes.

use crate::error::AdjustmentKind;
use crate::protocol::{
    AudioPart, BinaryInputContent, ContentPart, DataSource, DocumentPart, ImagePart, PartSource,
    UrlSource, VideoPart,
};
use crate::wire::Reading;
use crate::wire::read::Known;

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
            reading.set_unrecognised(|| "binary".to_owned());
            return Known::No;
        }
    };
    reading.note(None, || AdjustmentKind::Upgraded { from: "binary" });
    let metadata = filename.map(|filename| serde_json::json!({ "filename": filename }));
    *value = match mime_type.split('/').next() {
        Some("image") => ImagePart { metadata, ..ImagePart::new(source) }.into(),
        Some("audio") => AudioPart { metadata, ..AudioPart::new(source) }.into(),
        Some("video") => VideoPart { metadata, ..VideoPart::new(source) }.into(),
        _ => DocumentPart { metadata, ..DocumentPart::new(source) }.into(),
    };
    Known::Yes
}
