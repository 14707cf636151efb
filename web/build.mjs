/**
 * Builds the page into a folder: bundles the scripts, collects the policies, and copies what is copied.
 *
 *     node build.mjs FOLDER WASM
 */

import { build } from "esbuild";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [folder, wasm] = process.argv.slice(2);
if (folder === undefined || wasm === undefined) {
  console.error("usage: node build.mjs FOLDER WASM");
  process.exit(2);
}

/** The first sentence of the comment at the head of a policy. */
function titleOf(text) {
  const lines = text.split("\n");
  const comment = lines.slice(0, lines.findIndex((line) => !line.startsWith("//"))).map((line) => line.slice(2).trim());
  const sentence = comment.join(" ").match(/^.*?[.:](?=\s|$)/)?.[0] ?? comment[0] ?? "";
  return sentence.replace(/:$/, ".");
}

/** A policy that includes others would need their files, too. */
function policies() {
  const from = join(here, "..", "policies");
  const names = readdirSync(from).filter((name) => name.endsWith(".oq")).sort();
  return names
    .map((name) => ({ name: basename(name, ".oq"), text: readFileSync(join(from, name), "utf8") }))
    .filter(({ text }) => !/^include /m.test(text))
    .map((policy) => ({ name: policy.name, title: titleOf(policy.text), text: policy.text }));
}

const collected = {
  name: "policies",
  setup(build) {
    build.onResolve({ filter: /^virtual:policies$/ }, () => ({ path: "policies", namespace: "virtual" }));
    build.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({ contents: JSON.stringify(policies()), loader: "json" }));
  },
};

/** The page's first question, with its answer. */
async function firstAnswer() {
  const entry = join(folder, "first.mjs");
  const bundled = { entryPoints: [join(here, "page/rooms/policies/first.ts")], outfile: entry, bundle: true, format: "esm" };
  await build({ ...bundled, plugins: [collected], logLevel: "warning" });
  const { question, files } = await import(pathToFileURL(entry).href);
  rmSync(entry);
  const module = await WebAssembly.instantiate(readFileSync(wasm), { page: { progress() {} } });
  const { memory, reserve, put, ask, answer_address } = module.instance.exports;
  const written = (...parts) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const address = reserve(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  };
  for (const [name, text] of Object.entries(files)) {
    written(name, text);
    put(Buffer.byteLength(name));
  }
  written(JSON.stringify(question));
  const length = ask();
  const { answer, error } = JSON.parse(Buffer.from(memory.buffer, answer_address(), length).toString());
  if (error !== undefined) {
    throw new Error(error);
  }
  return { question, files, answer };
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: { main: join(here, "page/main.tsx"), worker: join(here, "page/engine/worker.ts") },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  minify: true,
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  plugins: [collected],
  logLevel: "warning",
});
for (const name of ["index.html", "style.css", "icon.svg"]) {
  copyFileSync(join(here, "page", name), join(folder, name));
}
copyFileSync(wasm, join(folder, "forebay.wasm"));

writeFileSync(join(folder, "first.json"), JSON.stringify(await firstAnswer()));

// Servers that send packed files find them beside; `forebay play` does so as well.
for (const name of readdirSync(folder)) {
  const content = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }));
}
