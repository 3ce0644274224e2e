// Uses the page of the task board as a person would, in headless Chromium, and prints one JSON document: what there
// was to be seen.
//
//   node task_board_page.mjs URL DIRECTORY    screenshots go into the directory
//
// The variable CHROMIUM names the browser, /usr/bin/chromium unless it is set. Exit status: 0 when the document was
// printed, whatever it says; anything else when the page could not be used to the end.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const TIMEOUT = 20_000;
const [url, directory] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
// The sandbox needs what root in a container does not have.
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  process.stdout.write(`${JSON.stringify({ desktop: await desktop(), phone: await phone(), failure: await failure() }, null, 2)}\n`);
} finally {
  await browser.close();
}

async function desktop() {
  const { page, problems } = await open({ viewport: { width: 1280, height: 800 } });
  const seen = { welcome: await look(page) };

  const added = statusWhenShown(page, "buy milk");
  await page.getByLabel("Message to the agent").fill("add buy milk");
  await page.keyboard.press("Enter");
  seen.statusWhenAdded = await added;
  seen.added = await lookAtEnd(page);

  await page.getByRole("button", { name: "plan a picnic" }).click();
  seen.planned = await lookAtEnd(page);
  seen.plan = await page.locator(".plan li.added .title, .plan li.added > span").allInnerTexts();
  seen.by = await page.locator(".by").allInnerTexts();
  await page.screenshot({ path: join(directory, "task_board-desktop.png") });

  const question = page.getByRole("region", { name: "The agent asks" });
  const ask = async () => {
    await page.getByRole("button", { name: "clear the board" }).click();
    await question.waitFor();
    return question.locator("p").innerText();
  };
  seen.question = await ask();
  seen.asked = await look(page);
  seen.asked.violations = await accessibilityOf(page);
  await page.screenshot({ path: join(directory, "task_board-question.png") });
  await question.getByRole("button", { name: "Decline" }).click();
  seen.declined = await lookAtEnd(page);

  await ask();
  await question.getByRole("button", { name: "Approve" }).click();
  seen.approved = await lookAtEnd(page);
  seen.questionGone = await question.isHidden();
  await page.screenshot({ path: join(directory, "task_board-cleared.png") });

  // There is so much to say about it that nothing but the button ends the run.
  await page.getByLabel("Message to the agent").fill(`plan ${"a picnic and ".repeat(100)}`);
  await page.keyboard.press("Enter");
  await page.getByText("Running: understand").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Stopped").waitFor();
  seen.stopped = await look(page);
  await page.getByRole("button", { name: "add buy milk" }).click();
  seen.afterStop = await lookAtEnd(page);
  await page.getByRole("button", { name: "Start over" }).click();
  seen.startedOver = await lookAtEnd(page);
  return { ...seen, problems };
}

async function phone() {
  const { page, problems } = await open({ viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
  await page.getByRole("button", { name: "add buy milk" }).tap();
  const seen = await lookAtEnd(page);
  const violations = await accessibilityOf(page);
  await page.getByRole("button", { name: "clear the board" }).tap();
  await page.getByRole("region", { name: "The agent asks" }).waitFor();
  await page.screenshot({ path: join(directory, "task_board-phone.png") });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return { ...seen, violations, overflow, problems };
}

/** What the page shows when its server refuses, ends a stream early, or reports a failure in it. */
async function failure() {
  const { page } = await open({});
  const answer = { status: 413, contentType: "application/json", body: '{"code":"BODY_TOO_LARGE","message":"too much"}' };
  const answers = [
    answer,
    { contentType: "text/event-stream", body: 'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n' },
    { contentType: "text/event-stream", body: 'data: {"type":"RUN_ERROR","message":"no model today","code":"AGENT_ERROR"}\n\n' },
  ];
  await page.route("**/agent", (route) => route.fulfill(answers.shift()));
  const shown = [];
  while (answers.length > 0) {
    const count = shown.length;
    await page.getByRole("button", { name: "add buy milk" }).click();
    await page.getByRole("alert").nth(count).waitFor();
    await page.locator("#status[data-status=failed]").waitFor();
    shown.push(await page.getByRole("alert").nth(count).innerText());
  }
  return shown;
}

async function open(options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => request.url().startsWith(url) || problems.push(`requested ${request.url()}`));
  await page.goto(url);
  await page.locator("#status[data-status=finished]").waitFor();
  return { page, problems };
}

async function lookAtEnd(page) {
  await page.locator("#status[data-status=finished]").waitFor();
  return look(page);
}

/** What a person sees of board and conversation. */
async function look(page) {
  const columns = await page.locator(".column").all();
  const board = {};
  for (const column of columns) {
    board[await column.getAttribute("aria-label")] = await column.locator(".title").allInnerTexts();
  }
  return {
    board,
    status: await page.locator("#status").innerText(),
    said: await page.locator(".message .text").last().innerText(),
    openDetails: await page.locator("details[open]").count(),
    calls: await page.locator(".tool summary code").allInnerTexts(),
    problems: await page.getByRole("alert").allInnerTexts(),
  };
}

/** The status of the run at the moment when a task appears on the board. */
function statusWhenShown(page, title) {
  return page.evaluate(
    ([title, timeout]) =>
      new Promise((resolve) => {
        const board = document.getElementById("board");
        new MutationObserver(() => {
          if (board.textContent.includes(title)) resolve(document.getElementById("status").dataset.status);
        }).observe(board, { childList: true, subtree: true });
        setTimeout(resolve, timeout, "it never appeared");
      }),
    [title, TIMEOUT],
  );
}

async function accessibilityOf(page) {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.addScriptTag({ content: source });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
