/** Asks the library: in a worker of this page, or behind `forebay play`. */

import { LibraryError, type Question } from "./answers";

export type OnProgress = (share: number | undefined) => void;

export interface Engine {
  /** Adds a file that scenarios may name. */
  put(name: string, content: Uint8Array): void;
  /** The answer to a question. A question that `cancel` stops is rejected. */
  ask<T>(question: Question, onProgress?: OnProgress): Promise<T>;
  /** Stops what runs. */
  cancel(): void;
}

export class Cancelled extends Error {}

/** The answer in the text of the library, or its error. */
export function unpacked<T>(text: string): T {
  const parsed = JSON.parse(text) as { answer?: T; error?: string };
  if (parsed.error !== undefined) {
    throw new LibraryError(parsed.error);
  }
  return parsed.answer as T;
}
