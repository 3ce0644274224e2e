//! Which media type answers an `Accept` header.

mod range;

use std::fmt;

use self::range::{MediaRange, ranges};
use crate::wire::excerpt::Excerpt;

/// A media type in which the protocol can travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MediaType {
    /// Server-sent events with one JSON event a frame.
    EventStream,
    /// Length-prefixed protobuf messages. This version knows the name but does not produce it.
    EventProtobuf,
}

impl MediaType {
    /// The media types that can be produced, best first.
    pub const PRODUCED: &[Self] = &[Self::EventStream];

    /// Its name, as it stands in `Content-Type` and `Accept`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EventStream => "text/event-stream",
            Self::EventProtobuf => "application/vnd.ag-ui.event+proto",
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// An `Accept` header that names nothing this side can produce; over HTTP, status 406.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no media type of the Accept header {} can be produced; ask for {}", Excerpt(.accept), produced())]
pub struct NotAcceptable {
    accept: String,
}

impl NotAcceptable {
    /// The value of the header.
    #[must_use]
    pub fn accept(&self) -> &str {
        &self.accept
    }
}

fn produced() -> String {
    let names: Vec<&str> =
        MediaType::PRODUCED.iter().map(|media_type| media_type.as_str()).collect();
    names.join(" or ")
}

/// Chooses the media type of a response by the `Accept` header of its request.
///
/// Several headers of that name count as one, joined by commas. No header, or one that lists
/// nothing, accepts anything. For each media type the most specific range that covers it decides;
/// a quality of 0 excludes, and so does one that cannot be read. The highest quality wins, and
/// among equals server-sent events, which also answer `*/*` and `text/*`.
///
/// ```
/// use ag_ui::encode::{MediaType, negotiate};
///
/// assert_eq!(negotiate(None)?, MediaType::EventStream);
/// assert_eq!(negotiate(Some("text/html, */*;q=0.1"))?, MediaType::EventStream);
/// assert!(negotiate(Some("application/json")).is_err());
/// # Ok::<(), ag_ui::encode::NotAcceptable>(())
/// ```
///
/// # Errors
/// The header accepts none of [`MediaType::PRODUCED`].
pub fn negotiate(accept: Option<&str>) -> Result<MediaType, NotAcceptable> {
    let accept = accept.unwrap_or_default();
    choose(accept, MediaType::PRODUCED).ok_or_else(|| NotAcceptable { accept: accept.to_owned() })
}

/// The most wanted of `offered`; of equals the first.
fn choose(accept: &str, offered: &[MediaType]) -> Option<MediaType> {
    let ranges: Option<Vec<MediaRange<'_>>> = ranges(accept);
    let Some(ranges) = ranges else { return offered.first().copied() };
    let mut best = None;
    let mut best_quality = 0.0;
    for media_type in offered {
        let quality = quality(*media_type, &ranges);
        if quality > best_quality {
            best = Some(*media_type);
            best_quality = quality;
        }
    }
    best
}

fn quality(media_type: MediaType, ranges: &[MediaRange<'_>]) -> f32 {
    ranges
        .iter()
        .filter_map(|range| Some((range.specificity(media_type)?, range.quality())))
        .max_by(|left, right| left.0.cmp(&right.0).then(left.1.total_cmp(&right.1)))
        .map_or(0.0, |(_, quality)| quality)
}

#[cfg(test)]
mod tests {
    use super::MediaType::{EventProtobuf, EventStream};
    use super::{MediaType, choose};

    #[test]
    fn both_media_types_are_ranked_by_quality_and_ties_go_to_server_sent_events() {
        const SSE: &str = "text/event-stream";
        const PROTOBUF: &str = "application/vnd.ag-ui.event+proto";
        let table: [(String, Option<MediaType>); 11] = [
            (String::new(), Some(EventStream)),
            ("*/*".into(), Some(EventStream)),
            ("application/*".into(), Some(EventProtobuf)),
            (PROTOBUF.into(), Some(EventProtobuf)),
            (format!("{PROTOBUF}, {SSE}"), Some(EventStream)),
            (format!("{PROTOBUF}, {SSE};q=0.9"), Some(EventProtobuf)),
            (format!("{PROTOBUF};q=0.8, {SSE};q=0.9"), Some(EventStream)),
            (format!("{PROTOBUF};q=0, */*;q=0.1"), Some(EventStream)),
            (format!("{SSE};q=0, */*"), Some(EventProtobuf)),
            (format!("{PROTOBUF};v=2"), None),
            (format!("{PROTOBUF};charset=utf-8"), None),
        ];
        for (accept, chosen) in table {
            assert_eq!(choose(&accept, &[EventStream, EventProtobuf]), chosen, "{accept}");
        }
    }
}
