/** The language server of OpenQueue, for CodeMirror. */

import { LSPClient, languageServerExtensions, type Transport } from "@codemirror/lsp-client";
import { language } from "../engine/engines";
import { shown } from "../engine/first_answer";

/** Carries messages to the library and back, in order. */
class LibraryTransport implements Transport {
  private readonly handlers = new Set<(message: string) => void>();
  private last: Promise<void> = Promise.resolve();

  send(message: string): void {
    this.last = this.last.then(() => this.exchange(message)).catch((error: unknown) => console.error(error));
  }

  subscribe(handler: (message: string) => void): void {
    this.handlers.add(handler);
  }

  unsubscribe(handler: (message: string) => void): void {
    this.handlers.delete(handler);
  }

  private async exchange(message: string): Promise<void> {
    await shown;
    const answers = await language().ask<unknown[]>({ ask: "language", message: JSON.parse(message) as unknown });
    for (const answer of answers) {
      const text = JSON.stringify(answer);
      this.handlers.forEach((handler) => handler(text));
    }
  }
}

/** The first answer waits for the library to be loaded. */
const TIMEOUT_MS = 60_000;

let shared: LSPClient | undefined;

/** One client for all editors of the page, so that a policy may include another. */
export function client(): LSPClient {
  shared ??= new LSPClient({ extensions: languageServerExtensions(), timeout: TIMEOUT_MS }).connect(new LibraryTransport());
  return shared;
}
