/** Two policies on the same packets. */

import { useMemo } from "preact/hooks";
import { Editor } from "../../editor/editor";
import { Drop } from "../../parts/drop";
import { longTable } from "../../parts/long_table";
import { useOpenedFiles } from "../../parts/opened_files";
import { Pictures } from "../../parts/pictures";
import { useRun } from "../../parts/run";
import { Slider } from "../../parts/slider";
import { Status } from "../../parts/status";
import { Summary, type SummaryRow } from "../../parts/summary";
import { TakeAway } from "../../parts/take_away";
import { className } from "./classes";
import { LIBRARY, named } from "./library";
import { replays } from "./packets";
import { policyError } from "./policy_error";
import { declaredQueues, FILES, LETTERS, questionOf, titles, type PoliciesState, type PolicyText } from "./question";
import { Player } from "./player";
import { Programs } from "./programs";
import { DEMO, recording, TRAFFIC } from "./traffic";

const METRICS: SummaryRow[] = [
  { title: "Packets dropped", metric: "drop_share", isLowerBetter: true, isShare: true },
  { title: "Mean delay", metric: "delay:mean", isLowerBetter: true },
  { title: "99 % of delays are below", metric: "delay:p99", isLowerBetter: true },
  { title: "Throughput", metric: "throughput", isLowerBetter: false },
  { title: "Fairness of classes", metric: "fairness", isLowerBetter: false, help: "Jain's index of the throughputs of the classes: 1 if all are equal" },
  {
    title: "Inversions",
    metric: "inversions",
    isLowerBetter: true,
    help: "Pairs of packets that wait, of which the one of worse rank is sent first; 0 if the packets have no ranks",
  },
];

interface RoomProps {
  state: PoliciesState;
  onChange(state: PoliciesState): void;
}

export function PoliciesRoom({ state, onChange }: RoomProps) {
  const [opened, open] = useOpenedFiles((name) => onChange({ ...state, traffic: `file:${name}`, value: 100 }));
  const choices = useMemo(() => [...TRAFFIC, ...opened.map((name) => recording(name, name, 100))], [opened]);
  const choice = choices.find(({ id }) => id === state.traffic) ?? DEMO;
  const question = questionOf(state, choice);
  const files = { [FILES[0]]: state.policies[0].text, [FILES[1]]: state.policies[1].text };
  const run = useRun(question, files);
  const wrong = policyError(run.error);

  const names = titles(state.policies);
  const packets = run.answer?.details["packets.csv"];
  const shown = useMemo(() => (packets === undefined ? undefined : replays(packets, state.policies.map(({ text }) => declaredQueues(text)))), [packets]);
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

  return (
    <>
      <div class="side-by-side editors">
        {([0, 1] as const).map((place) => (
          <PolicyPane
            key={place}
            place={place}
            policy={state.policies[place]}
            error={wrong?.place === place ? wrong.text : undefined}
            onChange={(policy) => setPolicy(place, policy)}
          />
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
          onFile={open}
        />
      </div>
      {wrong === undefined ? (
        <Status run={run} />
      ) : (
        <Status run={{ ...run, error: undefined }} note={`Policy ${LETTERS[wrong.place]} has a mistake. Below is the last run that worked.`} />
      )}
      {replayed.length > 0 && <Player titles={[...(shown?.keys() ?? [])]} replays={replayed} />}
      {table.length > 0 && (
        <section aria-label="Results" class="results">
          <Summary table={table} rows={METRICS} caption="Both policies on all packets" />
          {classes.length > 1 && <Summary table={table} rows={perClass} caption="By class of packets" />}
        </section>
      )}
      {run.answer?.pictures !== undefined && <Pictures pictures={run.answer.pictures} />}
      <Programs policies={([0, 1] as const).map((place) => ({ name: names[place], file: FILES[place], text: state.policies[place].text }))} />
      <TakeAway answer={run.answer} scenario={question.scenario} command="forebay run scenario.toml --out results" files={files} />
    </>
  );
}

interface PaneProps {
  place: 0 | 1;
  policy: PolicyText;
  /** What is wrong with its text. */
  error: string | undefined;
  onChange(policy: PolicyText): void;
}

function PolicyPane({ place, policy, error, onChange }: PaneProps) {
  const letter = LETTERS[place];
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
      <p class="pane-title" title={known?.title}>
        {known?.title ?? "A policy of your own in OpenQueue"}
      </p>
      <Editor
        label={`Policy ${letter} in OpenQueue`}
        language="openqueue"
        file={FILES[place]}
        text={policy.text}
        onChange={(text) => onChange({ ...policy, text })}
      />
      {error !== undefined && (
        <pre class="error pane-error" role="alert" tabIndex={0}>
          {error}
        </pre>
      )}
    </section>
  );
}
