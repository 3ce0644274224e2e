"""An agent server on the package ag-ui-protocol: the last thing the user said names what it does.

    agent_server.py [PORT]    prints the port it listens on

GET /gone answers with how many clients went away before their run had ended.
"""

import asyncio
import json
import socket
import sys

import uvicorn
from ag_ui import core
from ag_ui.encoder import EventEncoder
from pydantic import ValidationError


class Scenarios:
    """Each method is a scenario: it yields events, or pauses."""

    def __init__(self, run: core.RunAgentInput):
        self.run = run

    async def text(self):
        yield core.TextMessageStartEvent(message_id="m-1", role="assistant")
        for delta in ["Grüß", "e aus ", "Python ", "\U0001f40d"]:
            yield core.TextMessageContentEvent(message_id="m-1", delta=delta)
        yield core.TextMessageEndEvent(message_id="m-1")

    async def tools(self):
        yield core.ToolCallStartEvent(tool_call_id="c-1", tool_call_name="search")
        for delta in ['{"query":', '"tea"}']:
            yield core.ToolCallArgsEvent(tool_call_id="c-1", delta=delta)
        yield core.ToolCallEndEvent(tool_call_id="c-1")
        yield core.ToolCallResultEvent(message_id="r-1", tool_call_id="c-1", content="3 found")

    async def frontend(self):
        answers = [message for message in self.run.messages if message.role == "tool"]
        if answers:
            async for event in say("m-2", f"It is {answers[-1].content}."):
                yield event
            return
        assert [tool.name for tool in self.run.tools] == ["clock"], self.run.tools
        yield core.ToolCallStartEvent(tool_call_id="c-1", tool_call_name="clock")
        yield core.ToolCallArgsEvent(tool_call_id="c-1", delta='{"zone":"UTC"}')
        yield core.ToolCallEndEvent(tool_call_id="c-1")

    async def state(self):
        yield core.StateSnapshotEvent(snapshot={"tasks": [], "seen": self.run.state})
        for title in ["tea", "milk"]:
            operation = {"op": "add", "path": "/tasks/-", "value": {"title": title, "due": None}}
            yield core.StateDeltaEvent(delta=[operation])
        yield core.StateDeltaEvent(delta=[{"op": "remove", "path": "/nowhere"}])

    async def messages(self):
        user = core.UserMessage(id="u-1", role="user", content="restated")
        call = core.ToolCall(id="c-1", type="function", function=core.FunctionCall(name="x", arguments="{}"))
        assistant = core.AssistantMessage(id="a-1", role="assistant", tool_calls=[call])
        yield core.MessagesSnapshotEvent(messages=[user, assistant])

    async def reasoning(self):
        yield core.ReasoningStartEvent(message_id="q-1")
        yield core.ReasoningMessageStartEvent(message_id="q-1", role="reasoning")
        yield core.ReasoningMessageContentEvent(message_id="q-1", delta="Hm.")
        yield core.ReasoningMessageEndEvent(message_id="q-1")
        yield core.ReasoningEndEvent(message_id="q-1")
        yield core.ReasoningEncryptedValueEvent(subtype="message", entity_id="q-1", encrypted_value="sealed")

    async def chunks(self):
        yield core.TextMessageChunkEvent(message_id="m-1", delta="one ")
        yield core.TextMessageChunkEvent(delta="two")
        yield core.ToolCallChunkEvent(tool_call_id="c-1", tool_call_name="search", delta="{")
        yield core.ToolCallChunkEvent(delta="}")
        yield core.ToolCallResultEvent(message_id="r-1", tool_call_id="c-1", content="done")

    async def others(self):
        yield core.StepStartedEvent(step_name="plan")
        yield core.CustomEvent(name="app.note", value={"a": None})
        yield core.RawEvent(event=[1, "two"], source="model")
        yield core.StepFinishedEvent(step_name="plan")
        yield core.ActivitySnapshotEvent(message_id="p-1", activity_type="progress", content={"done": 1})
        patch = [{"op": "replace", "path": "/done", "value": 2}]
        yield core.ActivityDeltaEvent(message_id="p-1", activity_type="progress", patch=patch)

    async def subagents(self):
        yield core.SubagentStartedEvent(subagent_run_id="s-1", name="helper")
        yield core.TextMessageStartEvent(message_id="m-1", role="assistant", subagent_run_id="s-1")
        yield core.TextMessageContentEvent(message_id="m-1", delta="Found.", subagent_run_id="s-1")
        yield core.TextMessageEndEvent(message_id="m-1", subagent_run_id="s-1")
        yield core.SubagentFinishedEvent(subagent_run_id="s-1", result={"n": 1})

    async def asks(self):
        if self.run.resume:
            entry = self.run.resume[0]
            async for event in say("m-1", f"{entry.interrupt_id} {entry.status} {json.dumps(entry.payload)}"):
                yield event
            return
        interrupt = core.Interrupt(id="i-1", reason="approval", message="Sure?")
        yield self.finished(outcome=core.RunFinishedInterruptOutcome(type="interrupt", interrupts=[interrupt]))

    async def fails(self):
        async for event in say("m-1", "before"):
            yield event
        usage = core.TokenUsage(model="m", input_tokens=7)
        yield core.RunErrorEvent(message="no more tea", code="NO_TEA", usage=[usage])

    async def breaks(self):
        yield core.TextMessageStartEvent(message_id="m-1", role="assistant")
        yield core.TextMessageContentEvent(message_id="m-1", delta="half")
        await asyncio.sleep(0.05)
        raise RuntimeError("broken on purpose")

    async def waits(self):
        yield core.TextMessageStartEvent(message_id="m-1", role="assistant")
        yield core.TextMessageContentEvent(message_id="m-1", delta="half")
        await asyncio.sleep(3600)

    def finished(self, **fields):
        return core.RunFinishedEvent(thread_id=self.run.thread_id, run_id=self.run.run_id, **fields)

    async def events(self, name):
        """All events of the run."""
        run = self.run
        yield core.RunStartedEvent(
            thread_id=run.thread_id, run_id=run.run_id, protocol_version=core.PROTOCOL_VERSION
        )
        async for event in getattr(self, name)():
            yield event
            if event.type in (core.EventType.RUN_ERROR, core.EventType.RUN_FINISHED):
                return
        yield self.finished()


async def say(message_id, text):
    yield core.TextMessageStartEvent(message_id=message_id, role="assistant")
    yield core.TextMessageContentEvent(message_id=message_id, delta=text)
    yield core.TextMessageEndEvent(message_id=message_id)


gone = 0


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    if scope["method"] == "GET":
        return await answer(send, 200, {"gone": gone})
    try:
        run = core.RunAgentInput.model_validate_json(await body_of(receive))
    except ValidationError as error:
        return await answer(send, 422, json.loads(error.json(include_url=False)))
    await stream(run, scope, receive, send)


async def stream(run, scope, receive, send):
    global gone
    accept = dict(scope["headers"]).get(b"accept", b"").decode()
    encoder = EventEncoder(accept=accept)
    headers = [(b"content-type", encoder.get_content_type().encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    said = [message.content for message in run.messages if message.role == "user"][-1]

    async def put_out():
        async for event in Scenarios(run).events(said):
            chunk = encoder.encode(event)
            chunk = chunk.encode() if isinstance(chunk, str) else chunk
            await send({"type": "http.response.body", "body": chunk, "more_body": True})

    work = asyncio.ensure_future(put_out())
    leaves = asyncio.ensure_future(disconnected(receive))
    await asyncio.wait([work, leaves], return_when=asyncio.FIRST_COMPLETED)
    if not work.done():
        gone += 1
        work.cancel()
        return
    leaves.cancel()
    work.result()
    await send({"type": "http.response.body", "body": b""})


async def disconnected(receive):
    while (await receive())["type"] != "http.disconnect":
        pass


async def body_of(receive):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body


async def answer(send, status, document):
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(document, default=str).encode()})


def main():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listener])


main()
