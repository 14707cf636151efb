/** The mean latency of each policy as a bar, with the certified lower bound as a line. */

import { digits } from "../../parts/numbers";
import { mean, policies, type LongRow } from "../../parts/long_table";

const BOUND = "(lower bound)";
const WIDTH = 720;
const ROW = 30;
const LEFT = 170;
const RIGHT = 110;

export function Latencies({ table }: { table: LongRow[] }) {
  const of = (policy: string): number | undefined => mean(table, { policy, subject: "all", metric: "latency:mean" });
  const unit = table.find((row) => row.metric === "latency:mean")?.unit ?? "";
  const names = policies(table).filter((name) => name !== BOUND && of(name) !== undefined);
  const bound = of(BOUND);
  const most = Math.max(...names.map((name) => of(name) ?? 0), 1e-12);
  const x = (latency: number): number => LEFT + (latency / most) * (WIDTH - LEFT - RIGHT);
  const height = names.length * ROW + (bound === undefined ? 8 : 28);
  const text = names.map((name) => `${name} ${digits(of(name) ?? 0)}`).join(", ");
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Mean latencies">
      <svg class="latencies" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`Mean latency in ${unit}: ${text}`}>
        {names.map((name, place) => {
          const latency = of(name) ?? 0;
          return (
            <g key={name}>
              <text x={LEFT - 8} y={place * ROW + 20} text-anchor="end">
                {name.length > 22 ? `${name.slice(0, 21)}…` : name}
              </text>
              <rect class={name.startsWith("(") ? "bar best-found" : "bar"} x={LEFT} y={place * ROW + 5} width={Math.max(1, x(latency) - LEFT)} height={ROW - 10} rx="3" />
              <text x={x(latency) + 6} y={place * ROW + 20}>
                {digits(latency)} {unit}
              </text>
            </g>
          );
        })}
        {bound !== undefined && (
          <g>
            <line class="bound" x1={x(bound)} x2={x(bound)} y1="0" y2={names.length * ROW + 4} />
            <text class="bound-name" x={x(bound)} y={names.length * ROW + 20} text-anchor="middle">
              no cache can be below {digits(bound)} {unit}
            </text>
          </g>
        )}
      </svg>
    </div>
  );
}
