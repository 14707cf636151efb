/** The mean latency of each policy as a bar, with the certified lower bound as a line. */

import { Fragment } from "preact";
import { digits } from "../../parts/numbers";
import { mean, policies, type LongRow } from "../../parts/long_table";

/** The names of the long table for what is no policy. */
const BOUND = "(lower bound)";
const BEST_FOUND = "(best schedule found)";

export function Latencies({ table }: { table: LongRow[] }) {
  const of = (policy: string): number | undefined => mean(table, { policy, subject: "all", metric: "latency:mean" });
  const unit = table.find((row) => row.metric === "latency:mean")?.unit ?? "";
  const bars = policies(table)
    .filter((name) => name !== BOUND && of(name) !== undefined)
    .map((name) => ({ name: name === BEST_FOUND ? "best schedule found" : name, isPolicy: name !== BEST_FOUND, latency: of(name) ?? 0 }));
  const bound = of(BOUND);
  const most = Math.max(...bars.map(({ latency }) => latency), 1e-12);
  const text = bars.map(({ name, latency }) => `${name} ${digits(latency)}`).join(", ");
  const boundText = bound === undefined ? "" : `lower bound: no cache can be below ${digits(bound)} ${unit}`;
  return (
    <div>
      <h2>Mean latency in {unit}</h2>
      <div class="latencies" role="img" aria-label={`Mean latency in ${unit}: ${text}${bound === undefined ? "" : `; ${boundText}`}`}>
        {bars.map(({ name, isPolicy, latency }, place) => (
          <Fragment key={name}>
            <span class="bar-name" style={{ gridRow: place + 1 }} title={name}>
              {name}
            </span>
            <span class="bar-track" style={{ gridRow: place + 1 }}>
              <span class={isPolicy ? "bar" : "bar best-found"} style={{ "--share": latency / most }} />
              {digits(latency)}
            </span>
          </Fragment>
        ))}
        {bound !== undefined && <span class="bound" style={{ gridRow: `1 / ${bars.length + 1}`, "--share": bound / most }} />}
      </div>
      {bound !== undefined && (
        <p class="bound-name">
          <span class="bound-key" /> {boundText}
        </p>
      )}
    </div>
  );
}
