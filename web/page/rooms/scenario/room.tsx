/** A scenario as text, with sliders for the values that matter most. Rooms for networks and attacks are of this kind. */

import { useMemo } from "preact/hooks";
import { Editor } from "../../editor/editor";
import type { RunQuestion } from "../../engine/answers";
import { CommandTable } from "../../parts/command_table";
import { longTable, type LongRow } from "../../parts/long_table";
import { Pictures } from "../../parts/pictures";
import { useRun } from "../../parts/run";
import { Slider } from "../../parts/slider";
import { Status } from "../../parts/status";
import { Summary, type SummaryRow } from "../../parts/summary";
import { TakeAway } from "../../parts/take_away";
import { Warnings } from "../../parts/warnings";
import { harmOf } from "./harm";
import { ATTACKS, NETWORKS, type Knob, type Preset } from "./presets";

export interface ScenarioState {
  room: "networks" | "attacks" | "scenario";
  /** The preset that the sliders belong to; none for a scenario of one's own. */
  preset: string | undefined;
  text: string;
  values: Record<string, number>;
}

const PRESETS: Record<ScenarioState["room"], Preset[]> = { networks: NETWORKS, attacks: ATTACKS, scenario: [] };

const FLOWS: SummaryRow[] = [
  {
    title: "Mean completion time of flows",
    metric: "fct:mean",
    isLowerBetter: true,
    help: "From the start of a flow until the receiver has all of its bytes, as the mean over all flows.",
  },
  { title: "99 % of completion times are below", metric: "fct:p99", isLowerBetter: true, help: "Only one flow in a hundred takes longer." },
  {
    title: "Mean slowdown",
    metric: "slowdown:mean",
    isLowerBetter: true,
    help: "The completion time of a flow over the time that it would take alone in the network; 1 is best.",
  },
  { title: "99 % of slowdowns are below", metric: "slowdown:p99", isLowerBetter: true, help: "Only one flow in a hundred is slowed down by more." },
  { title: "Flows completed", metric: "completed", help: "Flows that end within a run, as the mean over repetitions." },
  { title: "Packets dropped", metric: "drop_share", isLowerBetter: true, isShare: true, help: "The share of packets that a full queue dropped, at switches and hosts." },
  {
    title: "Offered load, as drawn",
    metric: "offered_load",
    isShare: true,
    help: "Bits of the flows that were drawn, as a share of the links. It differs from the load that you set by chance, and by less in a longer run.",
  },
];

interface Results {
  caption: string;
  table: LongRow[];
  rows: SummaryRow[];
}

/** The summary of a run; none for a scenario of another kind, or if it sweeps more than the summary can show. */
function resultsOf(room: ScenarioState["room"], table: LongRow[]): Results | undefined {
  const axes = Object.keys(table[0]?.axes ?? {});
  if (room === "networks" && axes.length === 0) {
    return { caption: "All flows", table, rows: FLOWS };
  }
  if (room === "attacks" && axes.every((axis) => axis === "rate")) {
    return { caption: "Innocent traffic under attack", ...harmOf(table) };
  }
  return undefined;
}

const first = (room: ScenarioState["room"], preset: Preset | undefined): ScenarioState => ({
  room,
  preset: preset?.id,
  text: preset?.text ?? "",
  values: Object.fromEntries((preset?.knobs ?? []).map(({ key, usual }) => [key, usual])),
});

export function readScenario(room: ScenarioState["room"], linked: Partial<ScenarioState> & { scenario?: string }): ScenarioState {
  if (linked.scenario !== undefined) {
    return { room, preset: undefined, text: linked.scenario, values: {} };
  }
  const preset = PRESETS[room].find(({ id }) => id === linked.preset) ?? PRESETS[room][0];
  const state = first(room, preset);
  return { ...state, text: linked.text ?? state.text, values: { ...state.values, ...linked.values } };
}

/** A number as the scenario has it. */
const setting = (knob: Knob, value: number): string =>
  knob.suffix === undefined ? `${knob.key}=${value}` : `${knob.key}="${value}${knob.suffix}"`;

export function ScenarioRoom({ state, onChange }: { state: ScenarioState; onChange(state: ScenarioState): void }) {
  const presets = PRESETS[state.room];
  const knobs = presets.find(({ id }) => id === state.preset)?.knobs ?? [];
  const set = knobs.map((knob) => setting(knob, state.values[knob.key] ?? knob.usual));
  const command = `forebay run scenario.toml${set.map((value) => ` --set '${value}'`).join("")} --out results`;
  const question: RunQuestion = { ask: "run", scenario: state.text, set, pictures: true, report: command };
  const run = useRun(question, {});
  const table = useMemo(() => (run.answer === undefined ? [] : longTable(run.answer.csv)), [run.answer]);
  const results = useMemo(() => (table.length === 0 ? undefined : resultsOf(state.room, table)), [state.room, table]);

  return (
    <>
      <div class="controls setting">
        {presets.length > 1 && (
          <label>
            Scenario{" "}
            <select
              value={state.preset ?? ""}
              onChange={(event) => onChange(first(state.room, presets.find(({ id }) => id === event.currentTarget.value)))}
            >
              {state.preset === undefined && <option value="">yours</option>}
              {presets.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {knobs.map(({ key, suffix: _, ...knob }) => (
          <Slider
            key={key}
            {...knob}
            value={state.values[key] ?? knob.usual}
            onChange={(value) => onChange({ ...state, values: { ...state.values, [key]: value } })}
          />
        ))}
      </div>
      <Status run={run} />
      {run.answer !== undefined && (
        <section aria-label="Results" class="results one-column">
          {results !== undefined && <Summary {...results} />}
          <Warnings warnings={run.answer.warnings} />
          <CommandTable answer={run.answer} isOpen={results === undefined} />
        </section>
      )}
      {run.answer?.pictures !== undefined && <Pictures pictures={run.answer.pictures} />}
      <details class="scenario-text" open={state.preset === undefined}>
        <summary>Change the scenario</summary>
        <Editor label="Scenario in TOML" language="toml" text={state.text} onChange={(text) => onChange({ ...state, text })} />
      </details>
      <TakeAway answer={run.answer} scenario={state.text} command={command} hasOwnTable />
    </>
  );
}
