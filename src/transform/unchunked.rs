//! Chunks as the events they stand for.

use super::{BoxError, Output, Result, StreamTransformer};
use crate::Event;
use crate::chunks::ChunkExpander;

/// Turns chunks into the start, content and end events that they stand for, so that whatever comes
/// behind sees one form.
///
/// ```
/// use ag_ui::transform::{ExpandChunks, map_content};
/// use ag_ui::server::{BoxAgent, Runner};
/// # fn example(agent: BoxAgent<()>) {
/// let runner = Runner::new(agent)
///     .transformer(ExpandChunks::default())
///     .transformer(map_content(|content| content.delta.make_ascii_uppercase()));
/// # }
/// ```
#[derive(Debug, Default)]
pub struct ExpandChunks(Unchunked);

impl StreamTransformer for ExpandChunks {
    fn transform(&mut self, event: Event, output: &mut Output<'_>) -> Result {
        self.0.each(event, |event| output.push(event))
    }
}

/// The expansion as a part of other transformers.
#[derive(Debug, Default)]
pub(super) struct Unchunked(ChunkExpander);

impl Unchunked {
    pub(super) fn each(&mut self, event: Event, take: impl FnMut(Event)) -> Result {
        self.0.expand(event, take).map_err(BoxError::from)
    }
}
