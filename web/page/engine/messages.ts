/** What the page and its worker send each other. */

export type ToWorker =
  | { kind: "module"; module: WebAssembly.Module }
  | { kind: "put"; name: string; content: Uint8Array }
  | { kind: "ask"; id: number; question: string };

export type FromWorker =
  | { kind: "answer"; id: number; answer: string }
  | { kind: "failed"; id: number; message: string }
  | { kind: "progress"; done: number; total: number };
