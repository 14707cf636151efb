/** The library in a worker. A question that takes too long is stopped with its worker, and a fresh one takes its place. */

import { LibraryError, type Question } from "./answers";
import { Cancelled, unpacked, type Engine, type OnProgress } from "./engine";
import type { FromWorker, ToWorker } from "./messages";

let compiled: Promise<WebAssembly.Module> | undefined;

/** The module, which is loaded and compiled once for all workers. */
function module(): Promise<WebAssembly.Module> {
  compiled ??= fetch(new URL("forebay.wasm", document.baseURI)).then(async (response) => {
    if (!response.ok) {
      throw new LibraryError(`forebay.wasm cannot be loaded (${response.status})`);
    }
    return WebAssembly.compile(await response.arrayBuffer());
  });
  return compiled;
}

interface Pending {
  resolve(answer: string): void;
  reject(error: Error): void;
  onProgress: OnProgress | undefined;
}

export class WorkerEngine implements Engine {
  /** Starts with the first question. */
  private worker: Worker | undefined;
  private readonly files = new Map<string, Uint8Array>();
  private readonly pending = new Map<number, Pending>();
  private next = 0;

  put(name: string, content: Uint8Array): void {
    this.files.set(name, content);
    this.worker?.postMessage({ kind: "put", name, content } satisfies ToWorker);
  }

  async ask<T>(question: Question, onProgress?: OnProgress): Promise<T> {
    const id = this.next++;
    const answer = new Promise<string>((resolve, reject) => this.pending.set(id, { resolve, reject, onProgress }));
    this.worker ??= this.start();
    this.worker.postMessage({ kind: "ask", id, question: JSON.stringify(question) } satisfies ToWorker);
    return unpacked<T>(await answer);
  }

  cancel(): void {
    if (this.pending.size > 0) {
      this.restart(new Cancelled("stopped"));
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    module().then(
      (module) => worker.postMessage({ kind: "module", module } satisfies ToWorker),
      (error: Error) => this.rejectAll(error),
    );
    for (const [name, content] of this.files) {
      worker.postMessage({ kind: "put", name, content } satisfies ToWorker);
    }
    return worker;
  }

  /** After a stop or a trap, the memory of the module is in no known state. */
  private restart(why: Error): void {
    this.worker?.terminate();
    this.rejectAll(why);
    this.worker = undefined;
  }

  private rejectAll(why: Error): void {
    for (const pending of this.pending.values()) {
      pending.reject(why);
    }
    this.pending.clear();
  }

  private receive(message: FromWorker): void {
    if (message.kind === "progress") {
      const share = message.total > 0 ? Math.min(message.done / message.total, 1) : undefined;
      this.pending.values().next().value?.onProgress?.(share);
    } else if (message.kind === "answer") {
      this.pending.get(message.id)?.resolve(message.answer);
      this.pending.delete(message.id);
    } else {
      const why = `the library stopped: ${message.message}. A larger input may need \`forebay play\`, which has more memory.`;
      this.restart(new LibraryError(why));
    }
  }
}
