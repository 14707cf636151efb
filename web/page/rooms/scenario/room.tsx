/** A scenario as text, with sliders for the values that matter most. Rooms for networks and attacks are of this kind. */

import { useMemo } from "preact/hooks";
import { Editor } from "../../editor/editor";
import type { RunQuestion } from "../../engine/answers";
import { Pictures } from "../../parts/pictures";
import { longTable } from "../../parts/long_table";
import { useRun } from "../../parts/run";
import { Slider } from "../../parts/slider";
import { Status } from "../../parts/status";
import { Summary, type SummaryRow } from "../../parts/summary";
import { TakeAway } from "../../parts/take_away";
import { ATTACKS, NETWORKS, type Knob, type Preset } from "./presets";

export interface ScenarioState {
  room: "networks" | "attacks" | "scenario";
  /** The preset that the sliders belong to; none for a scenario of one's own. */
  preset: string | undefined;
  text: string;
  values: Record<string, number>;
}

const PRESETS: Record<ScenarioState["room"], Preset[]> = { networks: NETWORKS, attacks: ATTACKS, scenario: [] };

const METRICS: Record<ScenarioState["room"], SummaryRow[]> = {
  networks: [
    { title: "Mean completion time of flows", metric: "fct:mean", isLowerBetter: true },
    { title: "99 % of completion times are below", metric: "fct:p99", isLowerBetter: true },
    { title: "Mean slowdown", metric: "slowdown:mean", isLowerBetter: true },
    { title: "Flows completed", metric: "flows_completed" },
    { title: "Packets dropped", metric: "packets_dropped", isLowerBetter: true },
  ],
  attacks: [],
  scenario: [],
};

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
  const rows = METRICS[state.room];

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
      {table.length > 0 && rows.length > 0 && (
        <section aria-label="Results" class="results">
          <Summary table={table} rows={rows} caption="All flows" />
        </section>
      )}
      {run.answer !== undefined && (
        <pre class="scrolls command-table" tabIndex={0} aria-label="Table of the run">
          {run.answer.table}
        </pre>
      )}
      {run.answer?.pictures !== undefined && <Pictures pictures={run.answer.pictures} />}
      <details class="scenario-text" open={state.preset === undefined}>
        <summary>Change the scenario</summary>
        <Editor label="Scenario in TOML" language="toml" text={state.text} onChange={(text) => onChange({ ...state, text })} />
      </details>
      <TakeAway answer={run.answer} scenario={state.text} command={command} />
    </>
  );
}
