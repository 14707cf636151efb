/** What the room for queues asks: its state, and the scenario that this state stands for. */

import type { RunQuestion } from "../../engine/answers";
import { named } from "./library";
import { DEMO, type TrafficChoice } from "./traffic";

export interface PolicyText {
  name: string;
  text: string;
}

export interface PoliciesState {
  room: "policies";
  policies: [PolicyText, PolicyText];
  traffic: string;
  value: number;
}

/** The letter by which the page calls each of the two policies. */
export const LETTERS = ["A", "B"] as const;

/** What the two policies are called in the scenario. */
export const FILES = ["a.oq", "b.oq"] as const;

const policy = (name: string): PolicyText => ({ name, text: named(name)?.text ?? "" });

export const FIRST: PoliciesState = {
  room: "policies",
  policies: [policy("fifo"), policy("strict-priority")],
  traffic: DEMO.id,
  value: DEMO.slider.usual,
};

/** The state that a link asks for; what it leaves out is as at first. */
export function readPolicies(linked: { policies?: Partial<PolicyText>[]; traffic?: string; value?: number }): PoliciesState {
  const texts = (linked.policies ?? []).map(({ name, text }) => ({ name: name ?? "yours", text: text ?? "" }));
  const [second, first] = [texts[1] ?? texts[0], texts[1] === undefined ? undefined : texts[0]];
  return {
    ...FIRST,
    policies: [first ?? FIRST.policies[0], second ?? FIRST.policies[1]],
    ...(linked.traffic === undefined ? {} : { traffic: linked.traffic }),
    ...(linked.value === undefined ? {} : { value: linked.value }),
  };
}

/** The names of the two in results; a changed policy of the library is called so. */
export function titles(policies: [PolicyText, PolicyText]): [string, string] {
  const title = ({ name, text }: PolicyText): string =>
    named(name) !== undefined && named(name)?.text !== text ? `${name}, changed` : name;
  return [`${LETTERS[0]}: ${title(policies[0])}`, `${LETTERS[1]}: ${title(policies[1])}`];
}

/** The queues of a policy in the order in which it declares them. */
export const declaredQueues = (text: string): string[] => [...text.matchAll(/^\s*(\w+)\s*=\s*Queue\b/gm)].map(([, name]) => name as string);

/** A policy that reads the ranks of packets, outside of comments. */
const READS_RANK = /^(?!\s*\/\/).*\.rank\b/m;

export function scenarioOf(state: PoliciesState, choice: TrafficChoice): string {
  const [a, b] = titles(state.policies);
  return `record = ["packets"]

${choice.toml(state.value, state.policies.some(({ text }) => READS_RANK.test(text)))}
[[policy]]
name = ${JSON.stringify(a)}
policy = "${FILES[0]}"

[[policy]]
name = ${JSON.stringify(b)}
policy = "${FILES[1]}"
`;
}

export const questionOf = (state: PoliciesState, choice: TrafficChoice): RunQuestion => ({
  ask: "run",
  scenario: scenarioOf(state, choice),
  pictures: true,
  report: "forebay run scenario.toml",
});
