//! How every run begins, whoever drives it.

use ag_ui::RunOutcome;
use ag_ui::server::{Result, RunContext};

use super::approval::Asking;
use super::board::Board;
use super::voice::Voice;

const WELCOME: &str =
    "This is your board. Tell me what to add, move, rename, assign, plan or clear.";

/// Shows the board and deals with what is open. Returns the outcome if that is all there is to do.
pub(crate) async fn open(
    context: &mut RunContext<Board>,
    voice: Voice,
    asking: Asking,
) -> Result<Option<RunOutcome>> {
    context.publish_state()?;
    if let Some(outcome) = asking.settle(context, voice).await? {
        return Ok(Some(outcome));
    }
    // A page that was just opened has nothing to say.
    if context.messages().is_empty() {
        voice.say(context, WELCOME).await?;
        return Ok(Some(RunOutcome::success()));
    }
    Ok(None)
}
