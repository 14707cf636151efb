/** The playground gives the bytes of the command, for every policy of policies/ on the recording of the demo. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, program } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [pages, forebay, repository] = [process.env.FOREBAY_PAGES, process.env.FOREBAY, process.env.FOREBAY_REPOSITORY];
const options = { skip: program === undefined && "there is no Chromium; run: apt-get install chromium" };
const policies = readdirSync(join(repository, "policies")).filter((name) => name.endsWith(".oq")).sort();
const text = (name) => readFileSync(join(repository, "policies", name), "utf8");

let server, browser, page, folder;

before(async () => {
  if (options.skip) return;
  server = await serve(pages);
  browser = await launch();
  page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(server.address);
  await page.getByText("Both policies on all packets").waitFor();
  folder = mkdtempSync(join(tmpdir(), "forebay-equality-"));
  copyFileSync(join(repository, "testdata/recording/mixed.pcap"), join(folder, "mixed.pcap"));
});

after(async () => {
  await browser?.close();
  server?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** What the page says of a scenario: its result, or its error. */
const asked = (scenario, files) =>
  page.evaluate(
    async ([scenario, files]) => {
      Object.entries(files).forEach(([name, text]) => globalThis.forebay.put(name, new TextEncoder().encode(text)));
      try {
        return { json: (await globalThis.forebay.ask({ ask: "run", scenario, name: "s" })).json };
      } catch (error) {
        return { error: error.message };
      }
    },
    [scenario, files],
  );

/** What the command says of the same. */
function commanded(scenario) {
  writeFileSync(join(folder, "s.toml"), scenario);
  const { status, stdout, stderr } = spawnSync(forebay, ["run", "s.toml", "--format", "json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return status === 0 ? { json: stdout } : { error: stderr };
}

test("every policy gives the same bytes", options, async (context) => {
  assert.ok(policies.length >= 48, `${policies.length} policies`);
  // What the page itself makes of its first choice, with another policy.
  const of = await page.evaluate(() => globalThis.forebay.scenario());
  for (const name of policies) {
    await context.test(name, async () => {
      let scenario = of.replace('policy = "a.oq"', `policy = "${name}"`).replace(/\n\[\[policy\]\]\nname = "B[^]*$/, "");
      assert.ok(!scenario.includes("b.oq"));
      // The page draws ranks for policies that read them.
      if (/^[^/]*\.rank\b/m.test(text(name))) {
        scenario = scenario.replace("\nqueue =", '\nrank = { distribution = "uniform", min = 0, max = 99 }\nqueue =');
      }
      const includes = [...text(name).matchAll(/^include "(.*)";/gm)].map(([, file]) => file);
      assert.deepEqual(includes, [], "policies of this folder include nothing");
      writeFileSync(join(folder, name), text(name));
      const [ours, theirs] = [await asked(scenario, { [name]: text(name) }), commanded(scenario)];
      assert.equal(theirs.error, undefined);
      assert.equal(ours.error, undefined);
      assert.ok(ours.json.length > 10_000);
      assert.equal(ours.json, theirs.json);
    });
  }
});

test("the answer that the build has made is that of the module", options, async () => {
  const first = JSON.parse(readFileSync(join(pages, "first.json"), "utf8"));
  const { json } = await page.evaluate(async ({ question, files }) => {
    Object.entries(files).forEach(([name, text]) => globalThis.forebay.put(name, new TextEncoder().encode(text)));
    return globalThis.forebay.ask(question);
  }, first);
  assert.equal(first.answer.json, json);
});

test("the demonstration gives the same bytes", options, async () => {
  const scenario = readFileSync(join(repository, "crates/forebay/demo/scenario.toml"), "utf8");
  execFileSync(forebay, ["demo", "--out", join(folder, "demo")]);
  assert.equal((await asked(scenario, {})).json, readFileSync(join(folder, "demo", "result.json"), "utf8"));
});
