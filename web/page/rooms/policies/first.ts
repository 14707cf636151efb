/** The first question of the page. The build answers it once, so that the first table needs no module. */

import type { RunQuestion } from "../../engine/answers";
import { FILES, FIRST, questionOf } from "./question";
import { DEMO } from "./traffic";

export const question: RunQuestion = questionOf(FIRST, DEMO);
export const files: Record<string, string> = {
  [FILES[0]]: FIRST.policies[0].text,
  [FILES[1]]: FIRST.policies[1].text,
};
