//! How the script speaks.

use std::time::Duration;

use ag_ui::TokenUsage;
use ag_ui::server::{Result, RunContext, ToolCallHandle};
use serde::Serialize;

use super::board::Board;

/// Speaks word by word. The pauses let a person read along; a run that is cancelled ends in one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Voice {
    /// None by default.
    pub(crate) pause: Duration,
}

impl Voice {
    pub(crate) async fn say(self, context: &mut RunContext<Board>, text: &str) -> Result<()> {
        let mut message = context.assistant_message()?;
        for word in text.split_inclusive(' ') {
            message.delta(word)?;
            self.pause().await;
        }
        message.end()?;
        context.add_usage(words(text));
        Ok(())
    }

    pub(crate) async fn think(self, context: &mut RunContext<Board>, text: &str) -> Result<()> {
        let mut reasoning = context.reasoning()?;
        for word in text.split_inclusive(' ') {
            reasoning.delta(word)?;
            self.pause().await;
        }
        reasoning.end()?;
        context.add_usage(words(text));
        Ok(())
    }

    /// Writes the arguments of a call in pieces, as a model does.
    pub(crate) async fn type_arguments(
        self,
        call: &mut ToolCallHandle<'_, Board>,
        arguments: &impl Serialize,
    ) -> Result<()> {
        let json = serde_json::to_string(arguments)?;
        for piece in json.split_inclusive([':', ',', ' ']) {
            call.args(piece)?;
            self.pause().await;
        }
        Ok(())
    }

    async fn pause(self) {
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
    }
}

/// The tokens of a script are its words.
fn words(text: &str) -> TokenUsage {
    let count = text.split_whitespace().count() as u64;
    TokenUsage::new().with_model("script").with_output_tokens(count)
}
