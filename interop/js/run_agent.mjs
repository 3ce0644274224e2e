// Runs an AG-UI agent with the official client and prints one JSON document: what the client made of the run.
//
//   node run_agent.mjs URL TEXT                       one turn
//   node run_agent.mjs URL --turns TEXT [TEXT …]      several turns on one thread
//   node run_agent.mjs URL --steps JSON [JSON …]      the same, where a turn may also answer interrupts
//   options: --abort-after N   abort the first turn once N events have arrived
//            --timeout-ms N    give up on a turn after N milliseconds (default 30000)
//
// A step is {"say": TEXT}, {"answer": {"status": …, "payload": …}}, which answers every pending interrupt in that way,
// or {"resume": [ENTRY, …]}, which sends these entries whatever is pending.
//
// Exit status: 0 when the document was printed, whatever it says; 2 for a usage error.

import { parseArgs } from "node:util";
import { HttpAgent, buildResumeArray, randomUUID } from "@ag-ui/client";
import { tap } from "rxjs";

const USAGE =
  "usage: run_agent.mjs URL TEXT | URL --turns TEXT [TEXT ...] | URL --steps JSON [JSON ...]" +
  "  [--abort-after N] [--timeout-ms N]";

// Standard output carries the document alone, so everything the client logs goes elsewhere.
const warnings = [];
console.warn = (...parts) => warnings.push(parts.map(asText).join(" "));
for (const level of ["log", "info", "debug"]) console[level] = console.error;

await main();

async function main() {
  const options = readArguments();
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const agent = new HttpAgent({ url: options.url });
  const events = recordEvents(agent);

  const turns = [];
  for (const [index, step] of options.steps.entries()) {
    const abortAfter = index === 0 ? options.abortAfter : undefined;
    turns.push(await runTurn(agent, events, step, abortAfter, options.timeoutMs));
  }
  const document = options.severalTurns ? severalTurns(agent, turns) : oneTurn(agent, turns[0]);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function oneTurn(agent, turn) {
  const { ok, error, ...rest } = turn;
  return { ok, error, threadId: agent.threadId, messages: agent.messages, state: agent.state, ...rest, warnings };
}

function severalTurns(agent, turns) {
  const failed = turns.find((turn) => !turn.ok);
  return {
    ok: failed === undefined,
    error: failed?.error ?? null,
    threadId: agent.threadId,
    messages: agent.messages,
    state: agent.state,
    turns,
    warnings,
  };
}

async function runTurn(agent, events, step, abortAfter, timeoutMs) {
  let stopped = null;
  const stop = (kind, message) => {
    stopped ??= { kind, message, at: Date.now() };
    events.stop();
    agent.abortRun();
  };
  const abortIfDue = (count) => count === abortAfter && stop("aborted", `aborted after ${count} events`);
  const received = events.start(abortIfDue);
  const timer = setTimeout(() => stop("timeout", `no end of run within ${timeoutMs} ms`), timeoutMs);

  if (step.say !== undefined) agent.addMessage({ id: randomUUID(), role: "user", content: step.say });
  let settled = { newMessages: [] };
  let rejection = null;
  try {
    settled = await agent.runAgent(parametersOf(step, agent));
  } catch (error) {
    rejection = { kind: "client", message: asText(error), ...statusOf(error) };
  } finally {
    clearTimeout(timer);
  }

  const error = stopped ?? rejection ?? failureOf(received);
  return {
    text: step.say ?? null,
    ok: error === null,
    error,
    newMessages: settled.newMessages,
    result: settled.result ?? null,
    outcome: received.findLast((event) => event.type === "RUN_FINISHED")?.outcome ?? null,
    pendingInterrupts: structuredClone(agent.pendingInterrupts),
    state: structuredClone(agent.state),
    eventTypes: received.map((event) => event.type),
    eventCount: received.length,
  };
}

function parametersOf({ answer, resume }, agent) {
  if (answer === undefined) return resume === undefined ? {} : { resume };
  const responses = agent.pendingInterrupts.map(({ id }) => [id, answer]);
  return { resume: buildResumeArray(agent.pendingInterrupts, Object.fromEntries(responses)) };
}

// The client resolves a run that the agent reported as failed and one whose stream just stopped;
// neither is a success to a test.
function failureOf(received) {
  const last = received.at(-1);
  if (last?.type === "RUN_FINISHED") return null;
  if (last?.type === "RUN_ERROR") {
    return { kind: "run", message: last.message, ...(last.code !== undefined && { code: last.code }) };
  }
  return { kind: "truncated", message: `stream ended after ${last?.type ?? "no event at all"}` };
}

// A middleware sees each event as it came off the wire, before chunk expansion and before the checks.
// After an abort the client adds a RUN_ERROR of its own, which is why recording can be stopped.
function recordEvents(agent) {
  let received = [];
  let recording = false;
  let onCount = () => {};
  agent.use((input, next) =>
    next.run(input).pipe(
      tap((event) => {
        if (!recording) return;
        received.push(structuredClone(event));
        onCount(received.length);
      }),
    ),
  );
  return {
    start(callback) {
      received = [];
      recording = true;
      onCount = callback;
      return received;
    },
    stop() {
      recording = false;
    },
  };
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        turns: { type: "boolean", default: false },
        steps: { type: "boolean", default: false },
        "abort-after": { type: "string" },
        "timeout-ms": { type: "string", default: "30000" },
      },
    });
  } catch {
    return null;
  }
  const [url, ...given] = parsed.positionals;
  const severalTurns = parsed.values.turns || parsed.values.steps;
  const steps = given.map(parsed.values.steps ? asStep : (text) => ({ say: text }));
  const abortAfter = parsed.values["abort-after"] === undefined ? undefined : positive(parsed.values["abort-after"]);
  const timeoutMs = positive(parsed.values["timeout-ms"]);
  const countFits = severalTurns ? steps.length >= 1 : steps.length === 1;
  if (!url || !countFits || steps.includes(null) || abortAfter === null || timeoutMs === null) return null;
  return { url, steps, severalTurns, abortAfter, timeoutMs };
}

function asStep(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function positive(text) {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}

function statusOf(error) {
  return typeof error?.status === "number" ? { status: error.status } : {};
}

function asText(value) {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : JSON.stringify(value);
}
