// An agent server on @ag-ui/encoder: the last thing the user said names what it does.
//
//   node agent_server.mjs [PORT]    prints the port it listens on
//
// GET /gone answers with how many clients went away before their run had ended.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import { EventEncoder } from "@ag-ui/encoder";

const say = (messageId, text) => [
  { type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" },
  { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: text },
  { type: EventType.TEXT_MESSAGE_END, messageId },
];

const finished = ({ threadId, runId }, fields = {}) => ({ type: EventType.RUN_FINISHED, threadId, runId, ...fields });

// Each scenario yields events, or pauses.
const scenarios = {
  *text() {
    yield { type: EventType.TEXT_MESSAGE_START, messageId: "m-1", role: "assistant" };
    for (const delta of ["Grüß", "e aus ", "Node ", "\u{1f422}"])
      yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m-1", delta };
    yield { type: EventType.TEXT_MESSAGE_END, messageId: "m-1" };
  },
  *tools() {
    yield { type: EventType.TOOL_CALL_START, toolCallId: "c-1", toolCallName: "search" };
    for (const delta of ['{"query":', '"tea"}']) yield { type: EventType.TOOL_CALL_ARGS, toolCallId: "c-1", delta };
    yield { type: EventType.TOOL_CALL_END, toolCallId: "c-1" };
    yield { type: EventType.TOOL_CALL_RESULT, messageId: "r-1", toolCallId: "c-1", content: "3 found" };
  },
  *frontend(run) {
    const answer = run.messages.findLast((message) => message.role === "tool");
    if (answer) return yield* say("m-2", `It is ${answer.content}.`);
    if (run.tools.map((tool) => tool.name).join() !== "clock") throw new Error("no clock is offered");
    yield { type: EventType.TOOL_CALL_START, toolCallId: "c-1", toolCallName: "clock" };
    yield { type: EventType.TOOL_CALL_ARGS, toolCallId: "c-1", delta: '{"zone":"UTC"}' };
    yield { type: EventType.TOOL_CALL_END, toolCallId: "c-1" };
  },
  *state(run) {
    yield { type: EventType.STATE_SNAPSHOT, snapshot: { tasks: [], seen: run.state } };
    for (const title of ["tea", "milk"])
      yield { type: EventType.STATE_DELTA, delta: [{ op: "add", path: "/tasks/-", value: { title, due: null } }] };
    yield { type: EventType.STATE_DELTA, delta: [{ op: "remove", path: "/nowhere" }] };
  },
  *messages() {
    const toolCalls = [{ id: "c-1", type: "function", function: { name: "x", arguments: "{}" } }];
    const messages = [
      { id: "u-1", role: "user", content: "restated" },
      { id: "a-1", role: "assistant", toolCalls },
    ];
    yield { type: EventType.MESSAGES_SNAPSHOT, messages };
  },
  *reasoning() {
    yield { type: EventType.REASONING_START, messageId: "q-1" };
    yield { type: EventType.REASONING_MESSAGE_START, messageId: "q-1", role: "reasoning" };
    yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId: "q-1", delta: "Hm." };
    yield { type: EventType.REASONING_MESSAGE_END, messageId: "q-1" };
    yield { type: EventType.REASONING_END, messageId: "q-1" };
    const sealed = { subtype: "message", entityId: "q-1", encryptedValue: "sealed" };
    yield { type: EventType.REASONING_ENCRYPTED_VALUE, ...sealed };
  },
  *chunks() {
    yield { type: EventType.TEXT_MESSAGE_CHUNK, messageId: "m-1", delta: "one " };
    yield { type: EventType.TEXT_MESSAGE_CHUNK, delta: "two" };
    yield { type: EventType.TOOL_CALL_CHUNK, toolCallId: "c-1", toolCallName: "search", delta: "{" };
    yield { type: EventType.TOOL_CALL_CHUNK, delta: "}" };
    yield { type: EventType.TOOL_CALL_RESULT, messageId: "r-1", toolCallId: "c-1", content: "done" };
  },
  *others() {
    yield { type: EventType.STEP_STARTED, stepName: "plan" };
    yield { type: EventType.CUSTOM, name: "app.note", value: { a: null } };
    yield { type: EventType.RAW, event: [1, "two"], source: "model" };
    yield { type: EventType.STEP_FINISHED, stepName: "plan" };
    const activity = { messageId: "p-1", activityType: "progress" };
    yield { type: EventType.ACTIVITY_SNAPSHOT, ...activity, content: { done: 1 } };
    yield { type: EventType.ACTIVITY_DELTA, ...activity, patch: [{ op: "replace", path: "/done", value: 2 }] };
  },
  *subagents() {
    const subagentRunId = "s-1";
    yield { type: EventType.SUBAGENT_STARTED, subagentRunId, name: "helper" };
    for (const event of say("m-1", "Found.")) yield { ...event, subagentRunId };
    yield { type: EventType.SUBAGENT_FINISHED, subagentRunId, result: { n: 1 } };
  },
  *asks(run) {
    if (run.resume) {
      const { interruptId, status, payload } = run.resume[0];
      return yield* say("m-1", `${interruptId} ${status} ${JSON.stringify(payload)}`);
    }
    const interrupts = [{ id: "i-1", reason: "approval", message: "Sure?" }];
    yield finished(run, { outcome: { type: "interrupt", interrupts } });
  },
  *fails() {
    yield* say("m-1", "before");
    const usage = [{ model: "m", inputTokens: 7 }];
    yield { type: EventType.RUN_ERROR, message: "no more tea", code: "NO_TEA", usage };
  },
  async *breaks() {
    yield { type: EventType.TEXT_MESSAGE_START, messageId: "m-1", role: "assistant" };
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m-1", delta: "half" };
    await sleep(50);
    throw new Error("broken on purpose");
  },
  async *waits() {
    yield { type: EventType.TEXT_MESSAGE_START, messageId: "m-1", role: "assistant" };
    yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m-1", delta: "half" };
    await sleep(3_600_000);
  },
};

async function* eventsOf(run) {
  const { threadId, runId } = run;
  yield { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION };
  const said = run.messages.findLast((message) => message.role === "user").content;
  for await (const event of scenarios[said](run)) {
    yield event;
    if (event.type === EventType.RUN_ERROR || event.type === EventType.RUN_FINISHED) return;
  }
  yield finished(run);
}

let gone = 0;

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ gone }));
    return;
  }
  let body = "";
  for await (const chunk of request) body += chunk;
  const run = JSON.parse(body);
  if (typeof run.threadId !== "string" || !Array.isArray(run.messages)) {
    response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify({ error: "no run" }));
    return;
  }
  const encoder = new EventEncoder({ accept: request.headers.accept });
  response.writeHead(200, { "content-type": encoder.getContentType() });
  response.on("close", () => {
    if (!response.writableFinished && !response.broken) gone += 1;
  });
  try {
    for await (const event of eventsOf(run)) response.write(encoder.encodeBinary(event));
    response.end();
  } catch {
    response.broken = true;
    response.destroy();
  }
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(server.address().port));
