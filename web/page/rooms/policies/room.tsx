/** Two policies on the same packets. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { Editor } from "../../editor/editor";
import type { RunQuestion } from "../../engine/answers";
import { servedFiles } from "../../engine/engines";
import { Drop } from "../../parts/drop";
import { longTable } from "../../parts/long_table";
import { Pictures } from "../../parts/pictures";
import { useRun } from "../../parts/run";
import { Slider } from "../../parts/slider";
import { Status } from "../../parts/status";
import { Summary, type SummaryRow } from "../../parts/summary";
import { TakeAway } from "../../parts/take_away";
import { className } from "./classes";
import { LIBRARY, named } from "./library";
import { replays } from "./packets";
import { Player } from "./player";
import { Programs } from "./programs";
import { DEMO, recording, TRAFFIC, type TrafficChoice } from "./traffic";

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

const FILES = ["a.oq", "b.oq"] as const;

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
function titles(policies: [PolicyText, PolicyText]): [string, string] {
  const title = ({ name, text }: PolicyText): string =>
    named(name) !== undefined && named(name)?.text !== text ? `${name}, changed` : name;
  return [`A: ${title(policies[0])}`, `B: ${title(policies[1])}`];
}

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

const METRICS: SummaryRow[] = [
  { title: "Packets dropped", metric: "drop_share", isLowerBetter: true, isShare: true },
  { title: "Mean delay", metric: "delay:mean", isLowerBetter: true },
  { title: "99 % of delays are below", metric: "delay:p99", isLowerBetter: true },
  { title: "Throughput", metric: "throughput", isLowerBetter: false },
  { title: "Fairness of classes", metric: "fairness", isLowerBetter: false },
  { title: "Packets overtaken by a worse one", metric: "inversions", isLowerBetter: true },
];

interface RoomProps {
  state: PoliciesState;
  onChange(state: PoliciesState): void;
}

export function PoliciesRoom({ state, onChange }: RoomProps) {
  const [dropped, setDropped] = useState<string[]>(servedFiles);
  const choices = useMemo(() => [...TRAFFIC, ...dropped.map((name) => recording(name, name, 100))], [dropped]);
  const choice = choices.find(({ id }) => id === state.traffic) ?? DEMO;
  const scenario = scenarioOf(state, choice);
  const files = { [FILES[0]]: state.policies[0].text, [FILES[1]]: state.policies[1].text };
  const question: RunQuestion = { ask: "run", scenario, pictures: true, report: "forebay run scenario.toml" };
  const run = useRun(question, files);

  const names = titles(state.policies);
  const packets = run.answer?.details["packets.csv"];
  const shown = useMemo(() => (packets === undefined ? undefined : replays(packets)), [packets]);
  const table = useMemo(() => (run.answer === undefined ? [] : longTable(run.answer.csv)), [run.answer]);
  const classes = [...new Set(table.filter(({ subject }) => subject === "class").map(({ item }) => item))];
  const perClass = classes
    .sort((a, b) => Number(b) - Number(a))
    .flatMap((item): SummaryRow[] => [
      { title: `${className(Number(item))}: dropped`, metric: "drop_share", subject: "class", item, isLowerBetter: true, isShare: true },
      { title: `${className(Number(item))}: 99 % below`, metric: "delay:p99", subject: "class", item, isLowerBetter: true },
    ]);
  const replayed = useMemo(() => [...(shown?.values() ?? [])], [shown]);

  const setPolicy = (place: 0 | 1, policy: PolicyText): void => {
    const policies: [PolicyText, PolicyText] = [...state.policies];
    policies[place] = policy;
    onChange({ ...state, policies });
  };
  const setTraffic = (id: string): void => {
    const next = choices.find((choice) => choice.id === id) ?? DEMO;
    onChange({ ...state, traffic: id, value: next.slider.key === choice.slider.key ? state.value : next.slider.usual });
  };
  // A dropped recording is played at once.
  useEffect(() => {
    const last = dropped.at(-1);
    if (last !== undefined) {
      onChange({ ...state, traffic: `file:${last}`, value: 100 });
    }
  }, [dropped]);

  return (
    <>
      <div class="side-by-side editors">
        {([0, 1] as const).map((place) => (
          <PolicyPane key={place} place={place} policy={state.policies[place]} onChange={(policy) => setPolicy(place, policy)} />
        ))}
      </div>
      <div class="controls setting">
        <label>
          Packets{" "}
          <select value={choice.id} onChange={(event) => setTraffic(event.currentTarget.value)}>
            {choices.map((choice) => (
              <option key={choice.id} value={choice.id}>
                {choice.title}
              </option>
            ))}
          </select>
        </label>
        <Slider {...choice.slider} value={state.value} onChange={(value) => onChange({ ...state, value })} />
        <Drop
          label="Open a pcap …"
          accept=".pcap,.pcapng,.cap,.csv,.gz"
          onFile={(name) => setDropped([...dropped.filter((other) => other !== name), name])}
        />
      </div>
      <Status run={run} />
      {replayed.length > 0 && <Player titles={[...(shown?.keys() ?? [])]} replays={replayed} />}
      {table.length > 0 && (
        <section aria-label="Results" class="results">
          <Summary table={table} rows={METRICS} caption="Both policies on all packets" />
          {classes.length > 1 && <Summary table={table} rows={perClass} caption="By class of packets" />}
        </section>
      )}
      {run.answer?.pictures !== undefined && <Pictures pictures={run.answer.pictures} />}
      <Programs policies={([0, 1] as const).map((place) => ({ name: names[place], file: FILES[place], text: state.policies[place].text }))} />
      <TakeAway answer={run.answer} scenario={scenario} command="forebay run scenario.toml --out results" files={files} />
    </>
  );
}

function PolicyPane({ place, policy, onChange }: { place: 0 | 1; policy: PolicyText; onChange(policy: PolicyText): void }) {
  const letter = place === 0 ? "A" : "B";
  const known = named(policy.name);
  const isChanged = known !== undefined && known.text !== policy.text;
  return (
    <section class={`pane pane-${place}`} aria-label={`Policy ${letter}`}>
      <div class="pane-head">
        <span class={`letter letter-${place}`}>{letter}</span>
        <select
          aria-label={`Policy ${letter}`}
          value={known === undefined ? "" : policy.name}
          onChange={(event) => onChange({ name: event.currentTarget.value, text: named(event.currentTarget.value)?.text ?? "" })}
        >
          {known === undefined && <option value="">{policy.name}</option>}
          {LIBRARY.map(({ name, title }) => (
            <option key={name} value={name} title={title}>
              {name}
            </option>
          ))}
        </select>
        {isChanged && (
          <button type="button" onClick={() => onChange({ name: policy.name, text: known.text })}>
            Undo changes
          </button>
        )}
      </div>
      <p class="pane-title">{known?.title ?? "A policy of your own in OpenQueue"}</p>
      <Editor
        label={`Policy ${letter} in OpenQueue`}
        language="openqueue"
        file={FILES[place]}
        text={policy.text}
        onChange={(text) => onChange({ ...policy, text })}
      />
    </section>
  );
}
