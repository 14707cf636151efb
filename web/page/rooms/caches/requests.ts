/** The requests of a run, by policy. */

import { rows } from "../../engine/csv";

export interface RequestRow {
  time: number;
  object: string;
  outcome: "hit" | "delayed-hit" | "miss";
  latency: number;
}

/** The requests of each policy, from the table `requests.csv`. */
export function requestsByPolicy(csv: string): Map<string, RequestRow[]> {
  const [header = [], ...table] = rows(csv);
  const column = (name: string): number => header.indexOf(name);
  const [policy, repetition, time] = [column("policy"), column("repetition"), column("time")];
  const [object, outcome, latency] = [column("object"), column("outcome"), column("latency")];
  const all = new Map<string, RequestRow[]>();
  for (const row of table) {
    if (row[repetition] === "0") {
      const name = row[policy] as string;
      const list = all.get(name) ?? [];
      all.set(name, list);
      list.push({
        time: Number(row[time]),
        object: row[object] as string,
        outcome: (row[outcome] as string).startsWith("delayed") ? "delayed-hit" : (row[outcome] as "hit" | "miss"),
        latency: Number(row[latency]),
      });
    }
  }
  return all;
}
