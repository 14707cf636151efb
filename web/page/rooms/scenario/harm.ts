/** An attack's result for people: for each policy, the attack that does the greatest harm, and what is left under each attack. */

import { mean, policies, type LongRow } from "../../parts/long_table";
import { withUnit } from "../../parts/numbers";
import type { SummaryRow } from "../../parts/summary";

/** Numbers of the cell with the greatest displacement, under these names of metrics. */
const AT_WORST = "worst:";
const RATE = "attack_rate";

const HARM: SummaryRow[] = [
  {
    title: "Largest displacement",
    metric: `${AT_WORST}displacement`,
    isLowerBetter: true,
    help: "Bits of innocent traffic that are lost for each bit of the attacker, at the attack rate at which this is most. Below 1, flooding the link would take less traffic.",
  },
  { title: "… at an attack rate of", metric: RATE, help: "The attack rate at which the largest displacement occurs." },
  {
    title: "Proven bound on displacement",
    metric: `${AT_WORST}bound`,
    help: "No attack displaces more under this scheduler, by a theorem of SurgeProtector. A dash: no such theorem exists.",
  },
  {
    title: "Displacement by the model",
    metric: `${AT_WORST}predicted`,
    help: "What a formula says where no bound exists: FCFS shares the processor by arrivals, and FQ gives new flows all the work that they ask for.",
  },
  {
    title: "Goodput without an attack",
    metric: `${AT_WORST}baseline`,
    isLowerBetter: false,
    help: "Innocent traffic that the processor completes if nobody attacks.",
  },
];

const GOODPUT_HELP = "Innocent traffic that the processor still completes under this attack.";

interface Harm {
  table: LongRow[];
  rows: SummaryRow[];
}

/** One row for each policy and number, from a long table with the axis `rate`. */
export function harmOf(table: LongRow[]): Harm {
  const rates = [...new Set(table.map(({ axes }) => axes.rate ?? ""))];
  const harm = policies(table).flatMap((policy) => {
    const own = table.filter((row) => row.policy === policy);
    const at = (rate: string): LongRow[] => own.filter(({ axes }) => (axes.rate ?? "") === rate);
    const worst = rates.reduce((worst, rate) => (displaced(at(rate)) > displaced(at(worst)) ? rate : worst), rates[0] ?? "");
    const made: LongRow[] = at(worst).map((row) => ({ ...row, metric: `${AT_WORST}${row.metric}` }));
    made.push({ policy, subject: "all", item: "", metric: RATE, unit: "bit/s", value: Number(worst), axes: {} });
    const goodput = own.filter(({ metric }) => metric === "goodput").map((row) => ({ ...row, item: row.axes.rate ?? "" }));
    return [...made, ...goodput];
  });
  const goodputs = rates.map(
    (rate): SummaryRow => ({ title: `Goodput, attack of ${inShort(rate)}`, metric: "goodput", item: rate, isLowerBetter: false }),
  );
  const [first, ...others] = goodputs;
  return { table: harm, rows: [...HARM, ...(first === undefined ? [] : [{ ...first, help: GOODPUT_HELP }]), ...others] };
}

/** A rate of the scenario: whole numbers without places after the point. */
const inShort = (rate: string): string => withUnit(Number(rate), "bit/s").replace(/\.0+ /, " ");

const displaced = (cell: LongRow[]): number => mean(cell, { metric: "displacement" }) ?? 0;
