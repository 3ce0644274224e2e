//! A reply of the model, piece by piece.

use std::collections::VecDeque;

use ag_ui::TokenUsage;
use ag_ui::encode::{SseEnd, SseReader};
use reqwest::Response;
use serde::Deserialize;

use super::chat::ChatError;

const FRAME_LIMIT: usize = 1024 * 1024;

pub(crate) enum Piece {
    Text(String),
    Thought(String),
    Call(CallPiece),
}

/// A piece of a tool call. Calls may be streamed side by side, each under its index; the first
/// piece has the name.
#[derive(Default, Deserialize)]
pub(crate) struct CallPiece {
    #[serde(default)]
    pub(crate) index: u32,
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(crate) function: FunctionPiece,
}

#[derive(Default, Deserialize)]
pub(crate) struct FunctionPiece {
    pub(crate) name: Option<String>,
    pub(crate) arguments: Option<String>,
}

/// What one frame of the endpoint's stream says.
#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<Reported>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    /// Not part of the original interface; servers of open models have it under either name.
    #[serde(alias = "reasoning")]
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct Reported {
    message: String,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    total_tokens: Option<u64>,
}

/// A reply that arrives. Dropping it closes the connection.
pub(crate) struct Reply {
    response: Response,
    reader: SseReader,
    ready: VecDeque<Piece>,
    finished: bool,
    usage: Option<Usage>,
}

impl Reply {
    pub(crate) fn new(response: Response) -> Self {
        let reader = SseReader::with_frame_limit(FRAME_LIMIT);
        Self { response, reader, ready: VecDeque::new(), finished: false, usage: None }
    }

    /// The next piece; `None` when the reply is complete.
    pub(crate) async fn next(&mut self) -> Result<Option<Piece>, ChatError> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Some(piece));
            }
            let Some(bytes) = self.response.chunk().await? else { return self.end() };
            let mut bytes = &*bytes;
            while let Some(frame) = self.reader.next_frame(&mut bytes)? {
                if frame.data() == "[DONE]" {
                    self.finished = true;
                } else {
                    let chunk = serde_json::from_str(frame.data())?;
                    self.take(chunk)?;
                }
            }
        }
    }

    /// The tokens that the endpoint counted, if it said so.
    pub(crate) fn usage(&self, model: &str) -> Option<TokenUsage> {
        let usage = self.usage.as_ref()?;
        let mut counted = TokenUsage::new().with_model(model);
        counted.input_tokens = usage.prompt_tokens;
        counted.output_tokens = usage.completion_tokens;
        counted.total_tokens = usage.total_tokens;
        Some(counted)
    }

    fn take(&mut self, chunk: Chunk) -> Result<(), ChatError> {
        if let Some(error) = chunk.error {
            return Err(ChatError::Reported(error.message));
        }
        self.usage = chunk.usage.or(self.usage.take());
        for Choice { delta, finish_reason } in chunk.choices {
            self.ready.extend(delta.reasoning_content.map(Piece::Thought));
            self.ready.extend(delta.content.map(Piece::Text));
            self.ready.extend(delta.tool_calls.into_iter().flatten().map(Piece::Call));
            self.finished |= finish_reason.is_some();
        }
        Ok(())
    }

    fn end(&mut self) -> Result<Option<Piece>, ChatError> {
        let whole = !matches!(self.reader.finish()?, SseEnd::InsideLine(_));
        if whole && self.finished { Ok(None) } else { Err(ChatError::Cut) }
    }
}
