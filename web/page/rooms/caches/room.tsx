/** Cache policies on the same requests, judged by latency. */

import { useMemo } from "preact/hooks";
import type { RunQuestion } from "../../engine/answers";
import { Drop } from "../../parts/drop";
import { CommandTable } from "../../parts/command_table";
import { longTable } from "../../parts/long_table";
import { useOpenedFiles } from "../../parts/opened_files";
import { Pictures } from "../../parts/pictures";
import { useRun } from "../../parts/run";
import { Slider } from "../../parts/slider";
import { Status } from "../../parts/status";
import { Summary, type SummaryRow } from "../../parts/summary";
import { TakeAway } from "../../parts/take_away";
import { Warnings } from "../../parts/warnings";
import { Latencies } from "./latencies";
import { requestsByPolicy } from "./requests";
import { Timeline } from "./timeline";

export interface CachesState {
  room: "caches";
  trace: string;
  policies: string[];
  capacity: number;
  latency: number;
  /** Whether to compute the certified lower bound on the latency of any cache, too. */
  bound: boolean;
}

const RECIPES: [string, string][] = [
  ["zipf:objects=1e3,requests=2e4,skew=0.9", "A few objects are popular (Zipf)"],
  ["drift:objects=1e3,requests=2e4", "Popularity that drifts"],
  ["scans:objects=1e3,requests=2e4", "Popular objects, and scans"],
  ["trains:objects=1e3,requests=2e4", "Bursts, as flows send packets"],
  ["loop:objects=200,requests=2e4", "All objects in turn"],
];

/** Those that a reader can switch on; the command has more. */
const CHOICES = ["lru", "lru-mad", "lfu", "arc", "sieve", "s3-fifo", "w-tinylfu", "lhd", "gdsf", "belady"];

export const FIRST: CachesState = {
  room: "caches",
  trace: RECIPES[0]?.[0] ?? "",
  policies: ["lru", "lru-mad", "sieve", "belady"],
  capacity: 64,
  latency: 1000,
  bound: true,
};

export function readCaches(linked: Partial<CachesState>): CachesState {
  return { ...FIRST, ...linked, room: "caches" };
}

export function scenarioOf(state: CachesState): string {
  const policies = state.policies.map((name) => `[[policy]]\nname = "${name}"\n`).join("\n");
  return `record = ["requests"]

[cache]
trace = ${JSON.stringify(state.trace)}
requests = 20000
capacity = ${state.capacity}
latency = ${state.latency}
${state.bound ? "bound_iterations = 40\n" : ""}
${policies}`;
}

const METRICS: SummaryRow[] = [
  {
    title: "Mean latency",
    metric: "latency:mean",
    isLowerBetter: true,
    help: "The time until a request has its object: 0 for a hit, the whole fetch for a miss, the rest of the fetch for a delayed hit.",
  },
  { title: "99 % are below", metric: "latency:p99", isLowerBetter: true, help: "Only one request in a hundred waits longer." },
  { title: "Hits", metric: "hit_ratio", isLowerBetter: false, isShare: true, help: "Requests whose object is in the cache." },
  { title: "Delayed hits", metric: "delayed_hit_ratio", isShare: true, help: "Requests whose object is being fetched already: they wait for the rest of the fetch." },
  { title: "Misses", metric: "miss_ratio", isLowerBetter: true, isShare: true, help: "Requests that begin a fetch." },
  {
    title: "Mean above the lower bound",
    metric: "above_lower_bound",
    isLowerBetter: true,
    isShare: true,
    help: "No cache of this capacity has a mean latency below the lower bound, even if it knows the future. This is what a policy could gain at most.",
  },
  {
    title: "Mean in the classical model",
    metric: "classical_latency:mean",
    isLowerBetter: true,
    help: "The mean latency that the classical model predicts: there, a missed object is in the cache at once, so there are no delayed hits.",
  },
];

export function CachesRoom({ state, onChange }: { state: CachesState; onChange(state: CachesState): void }) {
  const [opened, open] = useOpenedFiles((trace) => onChange({ ...state, trace }));
  const scenario = scenarioOf(state);
  const question: RunQuestion = { ask: "run", scenario, pictures: true, report: "forebay run scenario.toml" };
  const run = useRun(question, {});
  const table = useMemo(() => (run.answer === undefined ? [] : longTable(run.answer.csv)), [run.answer]);
  const requests = useMemo(() => requestsByPolicy(run.answer?.details["requests.csv"] ?? ""), [run.answer]);
  const toggle = (name: string, isOn: boolean): void => {
    const policies = CHOICES.filter((choice) => (choice === name ? isOn : state.policies.includes(choice)));
    if (policies.length > 0) {
      onChange({ ...state, policies });
    }
  };

  return (
    <>
      <fieldset class="choices">
        <legend>Policies</legend>
        {CHOICES.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={state.policies.includes(name)} onChange={(event) => toggle(name, event.currentTarget.checked)} />
            {name === "belady" ? "belady (knows the future)" : name}
          </label>
        ))}
        <label>
          <input type="checkbox" checked={state.bound} onChange={(event) => onChange({ ...state, bound: event.currentTarget.checked })} />
          lower bound (certified)
        </label>
      </fieldset>
      <div class="controls setting">
        <label>
          Requests{" "}
          <select value={state.trace} onChange={(event) => onChange({ ...state, trace: event.currentTarget.value })}>
            {RECIPES.map(([recipe, title]) => (
              <option key={recipe} value={recipe}>
                {title}
              </option>
            ))}
            {(RECIPES.some(([recipe]) => recipe === state.trace) ? opened : [...new Set([...opened, state.trace])]).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Slider label="Capacity" unit="objects" value={state.capacity} min={1} max={512} step={1} onChange={(capacity) => onChange({ ...state, capacity })} />
        <Slider label="Fetch latency" unit="slots" value={state.latency} min={10} max={5000} step={10} onChange={(latency) => onChange({ ...state, latency })} />
        <Drop
          label="Open a log …"
          accept=".csv,.json,.jsonl,.txt,.log,.bin,.oracleGeneral,.gz,.parquet,.pcap"
          onFile={open}
        />
      </div>
      <p class="muted">A slot is the unit of time: at most one request arrives in each slot.</p>
      <Status run={run} />
      {table.length > 0 && (
        <section aria-label="Results" class="results">
          <Latencies table={table} />
          <Summary table={table.filter(({ policy }) => !policy.startsWith("("))} rows={METRICS} caption="All requests" />
          <Warnings warnings={run.answer?.warnings ?? []} />
        </section>
      )}
      {requests.size > 0 && <Timeline requests={requests} latency={state.latency} />}
      {run.answer?.pictures !== undefined && (
        <details>
          <summary>The bars as a picture to save</summary>
          <Pictures pictures={run.answer.pictures} />
        </details>
      )}
      {run.answer !== undefined && <CommandTable answer={run.answer} />}
      <TakeAway answer={run.answer} scenario={scenario} command="forebay run scenario.toml --out results" hasOwnTable />
    </>
  );
}
