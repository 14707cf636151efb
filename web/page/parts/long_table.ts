/** The long table of a result: a row for each number. */

import { records } from "../engine/csv";

export interface LongRow {
  policy: string;
  subject: string;
  item: string;
  metric: string;
  unit: string;
  value: number;
  /** Values of swept fields, by their names. */
  axes: Record<string, string>;
}

const OWN = new Set(["policy", "subject", "item", "metric", "unit", "repetition", "value"]);

export function longTable(csv: string): LongRow[] {
  return records(csv).map((record) => ({
    policy: record.policy ?? "",
    subject: record.subject ?? "",
    item: record.item ?? "",
    metric: record.metric ?? "",
    unit: record.unit ?? "",
    value: Number(record.value),
    axes: Object.fromEntries(Object.entries(record).filter(([name]) => !OWN.has(name))),
  }));
}

/** The policies, in the order of the scenario. */
export const policies = (table: LongRow[]): string[] => [...new Set(table.map((row) => row.policy))];

/** The mean over repetitions; undefined if there is no such number. */
export function mean(table: LongRow[], at: Partial<Omit<LongRow, "value" | "axes">>): number | undefined {
  const wanted = Object.entries(at) as [keyof LongRow, string][];
  const values = table.filter((row) => wanted.every(([name, value]) => row[name] === value)).map((row) => row.value);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
