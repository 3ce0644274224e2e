//! Uses of the emitters that must not compile. Each is beside the nearest use that does.

/// Two messages.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut first = context.assistant_message()?;
///     let mut second = context.assistant_message()?;
///     first.delta("a")?;
///     second.delta("b")
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut first = context.assistant_message()?;
///     first.delta("a")?;
///     drop(first);
///     let mut second = context.assistant_message()?;
///     second.delta("b")
/// }
/// ```
struct TwoMessages;

/// A tool call inside a message.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut message = context.assistant_message()?;
///     let call = context.tool_call("search")?;
///     message.delta("a")?;
///     call.result("b")?;
///     Ok(())
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut message = context.assistant_message()?;
///     message.delta("a")?;
///     message.end()?;
///     let call = context.tool_call("search")?;
///     call.result("b")?;
///     Ok(())
/// }
/// ```
struct CallInMessage;

/// Two tool calls, which take the keyed interface.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let first = context.tool_call("a")?;
///     let second = context.tool_call("b")?;
///     first.end()?;
///     second.end()?;
///     Ok(())
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut calls = context.tool_calls();
///     calls.start(1, "a")?;
///     calls.start(2, "b")?;
///     calls.end()?;
///     Ok(())
/// }
/// ```
struct TwoCalls;

/// The context inside a step, whose guard stands for it.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let step = context.step("plan")?;
///     context.say("a")?;
///     step.finish();
///     Ok(())
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut step = context.step("plan")?;
///     step.say("a")?;
///     step.finish();
///     Ok(())
/// }
/// ```
struct ContextInStep;

/// The agent's own voice while a subagent has the word.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let subagent = context.subagent("planner")?;
///     context.say("a")?;
///     subagent.finish()
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut subagent = context.subagent("planner")?;
///     subagent.say("a")?;
///     subagent.finish()
/// }
/// ```
struct AgentInSubagent;

/// An outer subagent while an inner one has the word.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut outer = context.subagent("outer")?;
///     let inner = outer.subagent("inner")?;
///     outer.say("a")?;
///     inner.finish()
/// }
/// ```
///
/// An outer subagent that ends before the inner one.
///
/// ```compile_fail,E0505
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut outer = context.subagent("outer")?;
///     let inner = outer.subagent("inner")?;
///     outer.finish()?;
///     inner.finish()
/// }
/// ```
///
/// ```
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut outer = context.subagent("outer")?;
///     let inner = outer.subagent("inner")?;
///     inner.finish()?;
///     outer.finish()
/// }
/// ```
struct OuterInInner;

/// Text after the end of its message.
///
/// ```compile_fail,E0382
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut message = context.assistant_message()?;
///     message.end()?;
///     message.delta("a")
/// }
/// ```
struct TextAfterEnd;

/// A second answer to a tool call.
///
/// ```compile_fail,E0382
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let call = context.tool_call("search")?;
///     call.result("a")?;
///     call.result("b")?;
///     Ok(())
/// }
/// ```
struct TwoAnswers;

/// Subagents at the same time, and the agent in between.
///
/// ```compile_fail,E0499
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let subagents = context.subagents();
///     context.say("a")?;
///     subagents.start("b")?.finish()
/// }
/// ```
///
/// One that outlives what it was started by.
///
/// ```compile_fail,E0505
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let subagents = context.subagents();
///     let one = subagents.start("a")?;
///     drop(subagents);
///     one.finish()
/// }
/// ```
struct AgentAmongSubagents;

/// A handle that leaves the run.
///
/// ```compile_fail,E0521
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let mut message = context.assistant_message()?;
///     std::thread::spawn(move || message.delta("a"));
///     Ok(())
/// }
/// ```
struct HandleOfItsOwn;

/// Ids of another kind.
///
/// ```compile_fail,E0277
/// # use ag_ui::server::{Result, RunContext};
/// fn emit(context: &mut RunContext<()>) -> Result<()> {
///     let id = context.run_id().clone();
///     context.tool_result(id, "a")?;
///     Ok(())
/// }
/// ```
struct OtherId;
