/** Runs the library, compiled to WebAssembly, outside of the page's thread. */

import type { FromWorker, ToWorker } from "./messages";

interface Library {
  memory: WebAssembly.Memory;
  reserve(bytes: number): number;
  put(nameBytes: number): void;
  ask(): number;
  answer_address(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let library: Library | undefined;
const waiting: ToWorker[] = [];

function post(message: FromWorker): void {
  self.postMessage(message);
}

/** The least time between two messages about progress, in milliseconds. */
const PROGRESS_EVERY = 100;
let lastProgress = 0;

function progress(done: number, total: number): void {
  const now = performance.now();
  if (now - lastProgress >= PROGRESS_EVERY) {
    lastProgress = now;
    post({ kind: "progress", done, total });
  }
}

/** Writes bytes where the library reads them. */
function write(library: Library, parts: Uint8Array[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let address = library.reserve(length);
  for (const part of parts) {
    new Uint8Array(library.memory.buffer, address, part.length).set(part);
    address += part.length;
  }
}

function handle(library: Library, message: ToWorker): void {
  if (message.kind === "put") {
    const name = encoder.encode(message.name);
    write(library, [name, message.content]);
    library.put(name.length);
  } else if (message.kind === "ask") {
    try {
      write(library, [encoder.encode(message.question)]);
      const length = library.ask();
      const answer = decoder.decode(new Uint8Array(library.memory.buffer, library.answer_address(), length));
      post({ kind: "answer", id: message.id, answer });
    } catch (error) {
      post({ kind: "failed", id: message.id, message: String(error) });
    }
  }
}

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "module") {
    const instance = await WebAssembly.instantiate(message.module, { page: { progress } });
    library = instance.exports as unknown as Library;
    for (const earlier of waiting.splice(0)) {
      handle(library, earlier);
    }
  } else if (library === undefined) {
    waiting.push(message);
  } else {
    handle(library, message);
  }
};
