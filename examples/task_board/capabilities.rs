//! What the agent says it can do, to whoever asks before the first run.

use ag_ui::{
    AgentCapabilities, HumanInTheLoopCapabilities, IdentityCapabilities, ReasoningCapabilities,
    StateCapabilities, ToolsCapabilities,
};

use super::tools;

pub(crate) fn capabilities() -> AgentCapabilities {
    let identity = IdentityCapabilities::new()
        .with_name("Task board")
        .with_description("Keeps a board of tasks.");
    let tools = ToolsCapabilities::new()
        .with_supported(true)
        .with_client_provided(false)
        .with_items(tools::all().into());
    let state = StateCapabilities::new().with_snapshots(true).with_deltas(true).with_memory(false);
    let reasoning = ReasoningCapabilities::new().with_supported(true).with_streaming(true);
    let humans = HumanInTheLoopCapabilities::new()
        .with_supported(true)
        .with_approvals(true)
        .with_interrupts(true);
    AgentCapabilities::new()
        .with_identity(identity)
        .with_tools(tools)
        .with_state(state)
        .with_reasoning(reasoning)
        .with_human_in_the_loop(humans)
}
