/** The page as a person uses it: rooms, links, keyboard, accessibility, size, and pictures to look at. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, program } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [pages, screenshots] = [process.env.FOREBAY_PAGES, process.env.FOREBAY_SCREENSHOTS];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const options = { skip: program === undefined && "there is no Chromium; run: apt-get install chromium" };
/** Bytes that may travel until the first table is there. */
const MOST_BYTES = 2_000_000;

let server, browser;

before(async () => {
  if (options.skip) return;
  mkdirSync(screenshots, { recursive: true });
  server = await serve(pages);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** A fresh page whose errors fail the test. */
async function opened(settings = {}, fragment = "", prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await prepare(page);
  await page.goto(server.address + fragment);
  return { page, context, problems };
}

const results = (page) => page.getByText("Both policies on all packets");

test("the first table comes with at most 2 MB", options, async (context) => {
  const before = server.sent.bytes;
  // The module comes when the table is there: the build has answered the first question.
  let release;
  const isThere = new Promise((resolve) => (release = resolve));
  const { page, problems } = await opened({}, "", (page) =>
    page.route("**/forebay.wasm", async (route) => {
      await isThere;
      await route.continue();
    }),
  );
  await results(page).waitFor();
  const bytes = server.sent.bytes - before;
  release();
  context.diagnostic(`${bytes} bytes, compressed`);
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
  const runs = await page.evaluate(async () => {
    const { question, files } = await (await fetch("first.json")).json();
    Object.entries(files).forEach(([name, text]) => globalThis.forebay.put(name, new TextEncoder().encode(text)));
    await globalThis.forebay.ask({ ask: "targets" });
    const begin = performance.now();
    await globalThis.forebay.ask(question);
    return performance.now() - begin;
  });
  context.diagnostic(`a run of two policies on the recording takes ${Math.round(runs)} ms`);
  assert.deepEqual(problems, []);
});

test("policies differ, one is changed, and the link keeps the change", options, async () => {
  const { page, problems } = await opened();
  await results(page).waitFor();
  const cell = (column) => page.locator(".summary").first().locator("tbody tr").first().locator("td").nth(column).innerText();
  assert.notEqual(await cell(0), await cell(1));
  // Another policy from the list.
  await page.getByRole("combobox", { name: "Policy B" }).selectOption("lifo");
  await page.getByRole("columnheader", { name: "B: lifo" }).first().waitFor();
  // A change of its text.
  const editor = page.getByRole("textbox", { name: "Policy A in OpenQueue" });
  await editor.click();
  const dropped = await cell(0);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(readText("fifo").replace("128 pkts", "12 pkts"));
  await page.getByRole("columnheader", { name: "A: fifo, changed" }).first().waitFor();
  assert.notEqual(await cell(0), dropped);
  await page.getByRole("button", { name: "Share link" }).click();
  const link = await page.evaluate(() => location.hash);
  const { page: other } = await opened({}, link);
  await other.getByRole("columnheader", { name: "A: fifo, changed" }).first().waitFor();
  await other.getByRole("columnheader", { name: "B: lifo" }).first().waitFor();
  assert.deepEqual(problems, []);
});

const readText = (name) => readFileSync(join(process.env.FOREBAY_REPOSITORY, "policies", `${name}.oq`), "utf8");

test("the editor shows mistakes, completes, formats and renames", options, async () => {
  const { page } = await opened();
  await results(page).waitFor();
  const editor = page.getByRole("textbox", { name: "Policy A in OpenQueue" });
  const put = async (text) => {
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };
  await put("q = Queue(8 pkts);\nout = Port(1);\nq.procPrio = fifoo();\n");
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.locator(".pane-0").getByRole("alert").filter({ hasText: "fifoo" }).waitFor();
  await put("q   =   Queue( 8 pkts );\nout = Port(1);\nq.procPrio = fifo();\n");
  await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  await page.keyboard.press("Shift+Alt+f");
  await page.waitForFunction(() => document.querySelector(".pane-0 .cm-content")?.textContent?.includes("q = Queue(8 pkts);"));
  await editor.locator("text=Queue").first().hover();
  await page.locator(".cm-tooltip").first().waitFor();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("q.");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete").getByText("admPrio").first().waitFor();
});

test("what is typed fast stays, and the page goes on", options, async () => {
  const { page } = await opened();
  await results(page).waitFor();
  for (const size of ["16", "100", "7"]) {
    await page.locator(".pane-0 .cm-line", { hasText: "param B" }).locator("text=/^\\d+$/").dblclick();
    await page.keyboard.type(size);
    await page.waitForFunction((size) => document.querySelector(".pane-0 .cm-content")?.textContent?.includes(`param B = ${size} pkts`), size);
    await page.waitForTimeout(1000);
    assert.match(await page.locator(".pane-0 .cm-content").innerText(), new RegExp(`param B = ${size} pkts`));
  }
});

test("the first difference is told in words", options, async () => {
  const { page } = await opened();
  await results(page).waitFor();
  await page.getByRole("button", { name: "First difference" }).click();
  await page.getByText(/^The first difference: A (sends|drops) packet \d+ .*; B (sends|drops) packet \d+/).waitFor();
});

test("packets move with the keyboard alone", options, async () => {
  const { page } = await opened();
  await results(page).waitFor();
  const clock = page.locator(".clock");
  const first = await clock.innerText();
  await page.getByRole("button", { name: "Step" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((first) => document.querySelector(".clock")?.textContent !== first, first);
  await page.getByRole("button", { name: "Play" }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  const playing = await clock.innerText();
  await page.waitForFunction((playing) => document.querySelector(".clock")?.textContent !== playing, playing);
});

test("a policy is shown as C, P4 and SystemVerilog", options, async () => {
  const { page } = await opened();
  await results(page).waitFor();
  await page.getByText("The policies as C, P4 and SystemVerilog").click();
  for (const [target, words] of [["c", "oq_"], ["p4", "control"], ["sv", "module"]]) {
    await page.getByRole("combobox", { name: "Target" }).selectOption(target);
    await page.waitForFunction((words) => document.querySelector(".program")?.textContent?.includes(words), words);
  }
});

const ROOMS = [
  ["Queues", "Both policies on all packets"],
  ["Caches", "Delayed hits on a time line"],
  ["Networks", "All flows"],
  ["Attacks", "displacement"],
];

for (const [colorScheme, width] of [["light", 1400], ["dark", 1400], ["light", 400], ["dark", 400]]) {
  test(`every room is accessible: ${colorScheme}, ${width} pixels`, options, async (context) => {
    const { page, problems } = await opened({ colorScheme, viewport: { width, height: 900 } });
    for (const [room, words] of ROOMS) {
      await context.test(room, async () => {
        await page.getByRole("navigation", { name: "Rooms" }).getByRole("button", { name: room }).click();
        await page.getByText(words).first().waitFor();
        await page.locator(".running progress").waitFor({ state: "detached" });
        await page.screenshot({ path: join(screenshots, `${room.toLowerCase()}-${colorScheme}-${width}.png`), fullPage: true });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the screen");
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join("; ")}`), []);
      });
    }
    assert.deepEqual(problems, []);
  });
}

test("a link with a scenario, and one that was cut", options, async () => {
  const scenario = '[port]\nrate = "10 Mbps"\nbuffer = "20 packets"\n[traffic]\narrivals = "poisson"\nload = 0.9\npackets = 500\n[[policy]]\nrank = "arrival"\nqueue = "fifo"\n';
  const { page } = await opened();
  const link = await page.evaluate(async (scenario) => {
    const packed = new Blob([JSON.stringify({ room: "policies", scenario })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    return `#s=${btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  }, scenario);
  const { page: second } = await opened({}, link);
  await second.getByText("mean delay").first().waitFor();
  const { page: third } = await opened({}, link.slice(0, 40));
  const alert = third.getByRole("alert").filter({ hasText: "cannot be read" });
  await alert.waitFor();
  await results(third).waitFor();
  assert.ok(await alert.isVisible(), "the message stays");
});
