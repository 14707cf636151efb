/** The native library, behind `forebay play` on this machine. */

import type { Question } from "./answers";
import { Cancelled, unpacked, type Engine, type OnProgress } from "./engine";

/** Between two looks at the progress of a run, in milliseconds. */
const LOOK_EVERY = 250;

export class ServerEngine implements Engine {
  private readonly puts: Promise<unknown>[] = [];
  private asked: AbortController | undefined;

  put(name: string, content: Uint8Array): void {
    const body = new Blob([content as Uint8Array<ArrayBuffer>]);
    this.puts.push(fetch(`api/files/${encodeURIComponent(name)}`, { method: "PUT", body }));
  }

  async ask<T>(question: Question, onProgress?: OnProgress): Promise<T> {
    await Promise.all(this.puts.splice(0));
    const controller = new AbortController();
    if (question.ask !== "language") {
      this.asked = controller;
    }
    const looks = onProgress && setInterval(() => void this.look(onProgress), LOOK_EVERY);
    try {
      const response = await fetch("api/ask", {
        method: "POST",
        body: JSON.stringify(question),
        signal: controller.signal,
      });
      return unpacked<T>(await response.text());
    } catch (error) {
      throw controller.signal.aborted ? new Cancelled("stopped") : error;
    } finally {
      clearInterval(looks);
    }
  }

  cancel(): void {
    if (this.asked !== undefined) {
      this.asked.abort();
      this.asked = undefined;
      void fetch("api/cancel", { method: "POST" });
    }
  }

  private async look(onProgress: OnProgress): Promise<void> {
    const response = await fetch("api/progress");
    const { done, total } = (await response.json()) as { done: number; total: number };
    onProgress(total > 0 ? Math.min(done / total, 1) : undefined);
  }
}
