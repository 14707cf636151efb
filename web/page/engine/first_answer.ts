/** The answer to the page's first question, made when the page was built, and the moment when a first answer is shown. */

import type { RunAnswer, RunQuestion } from "./answers";
import { isServed } from "./engines";

export interface FirstAnswer {
  question: RunQuestion;
  files: Record<string, string>;
  answer: RunAnswer;
}

let show: () => void = () => {};

/** The module is large: editors load it when the reader sees a table. */
export const shown = new Promise<void>((resolve) => {
  show = resolve;
});

export const markShown = (): void => show();

/** What belongs to one question, in a form that can be compared. */
export const keyOf = (question: RunQuestion, files: Record<string, string>): string => JSON.stringify([question, files]);

/** The answer that the build has made, if this is its question. */
export async function firstAnswer(question: RunQuestion, files: Record<string, string>): Promise<RunAnswer | undefined> {
  if (isServed) {
    return undefined;
  }
  const response = await fetch(new URL("first.json", document.baseURI)).catch(() => undefined);
  if (response?.ok !== true) {
    return undefined;
  }
  const first = (await response.json()) as FirstAnswer;
  return keyOf(first.question, first.files) === keyOf(question, files) ? first.answer : undefined;
}
