/** What is wrong with one of the two policies, in the words of the page: without the line of code, which the editor marks. */

import { FILES } from "./question";

export interface PolicyError {
  place: number;
  text: string;
}

/** Nothing for errors of the scenario or of its packets. */
export function policyError(error: string | undefined): PolicyError | undefined {
  const place = FILES.findIndex((file) => new RegExp(`^scenario:\\d+: ${file} cannot be used:`).test(error ?? ""));
  if (error === undefined || place < 0) {
    return undefined;
  }
  const lines = error.split("\n").slice(1).filter((line) => !/^ *\d* *\|/.test(line));
  const text = lines
    .join("\n")
    .replace(/^error\[.*?\]: /gm, "")
    .replace(new RegExp(`\\n *--> ${FILES[place]}:(\\d+):\\d+`, "g"), " (line $1)")
    .replace(/^ *= (help|note): /gm, "");
  return { place, text: text.trim() };
}
