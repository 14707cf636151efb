/** Fetches and the requests that wait for them: a bar is a fetch, a mark in it is a delayed hit. */

import { useMemo, useRef, useState } from "preact/hooks";
import { Slider } from "../../parts/slider";
import { useWidth } from "../../parts/width";
import type { RequestRow } from "./requests";

interface TimelineProps {
  requests: Map<string, RequestRow[]>;
  /** Of a fetch. */
  latency: number;
}

const OBJECTS = 8;
const ROW = 26;
const LEFT = 84;
/** A drawing that is less wide shows less of the trace, so that its marks stay apart. */
const WIDE = 600;

export function Timeline({ requests, latency }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 720);
  const names = [...requests.keys()];
  const [chosen, setChosen] = useState<string>();
  const policy = chosen !== undefined && requests.has(chosen) ? chosen : names[0] ?? "";
  const rows = requests.get(policy) ?? [];
  const end = rows.at(-1)?.time ?? 0;
  const span = Math.max(1, Math.min(end, latency * (width < WIDE ? 2 : 4)));
  const [share, setShare] = useState(50);
  const from = ((end - span) * share) / 100;
  const to = from + span;

  // The objects stay the same from policy to policy: those that are requested most in this part.
  const objects = useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of requests.values().next().value ?? []) {
      if (row.time >= from && row.time < to) {
        counts.set(row.object, (counts.get(row.object) ?? 0) + 1);
      }
    }
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, OBJECTS).map(([object]) => object);
  }, [requests, from, to]);

  const x = (time: number): number => LEFT + ((Math.min(Math.max(time, from), to) - from) / span) * (width - LEFT - 8);
  const shown = rows.filter((row) => row.time + row.latency >= from && row.time < to && objects.includes(row.object));
  const height = objects.length * ROW + 30;
  const count = (outcome: RequestRow["outcome"]): number => shown.filter((row) => row.outcome === outcome && row.time >= from).length;
  const summary = `${policy}: ${count("hit")} hits, ${count("delayed-hit")} delayed hits and ${count("miss")} misses of these objects`;

  return (
    <section class="timeline" aria-label="Delayed hits on a time line">
      <h2>Delayed hits on a time line</h2>
      <p>Each row is one of the objects that are requested most. A bar is a fetch; requests that arrive during it wait for its end.</p>
      <div class="controls">
        <label>
          Policy{" "}
          <select value={policy} onChange={(event) => setChosen(event.currentTarget.value)}>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Slider label="Part of the trace" unit="%" value={share} min={0} max={100} step={1} onChange={setShare} />
      </div>
      <div ref={box}>
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
          {objects.map((object, place) => (
            <g key={object}>
              <text x={LEFT - 8} y={place * ROW + 20} text-anchor="end">
                {object.length > 10 ? `${object.slice(0, 9)}…` : object}
              </text>
              <line class="axis" x1={LEFT} x2={width - 8} y1={place * ROW + 16} y2={place * ROW + 16} />
            </g>
          ))}
          {shown
            .filter((row) => row.outcome === "miss")
            .map((row) => (
              <rect
                key={`${row.object} ${row.time}`}
                class="fetch"
                x={x(row.time)}
                width={Math.max(1, x(row.time + row.latency) - x(row.time))}
                y={objects.indexOf(row.object) * ROW + 8}
                height="16"
                rx="3"
              >
                <title>{`miss at ${row.time}, fetched until ${row.time + row.latency}`}</title>
              </rect>
            ))}
          {shown
            .filter((row) => row.time >= from)
            .map((row, place) => (
              <line
                key={`${row.object} ${row.time} ${place}`}
                class={row.outcome}
                x1={x(row.time)}
                x2={x(row.time)}
                y1={objects.indexOf(row.object) * ROW + (row.outcome === "hit" ? 11 : 8)}
                y2={objects.indexOf(row.object) * ROW + (row.outcome === "hit" ? 21 : 24)}
              >
                <title>{`${row.outcome} at ${row.time}, latency ${row.latency}`}</title>
              </line>
            ))}
          <text class="lane-name" x={LEFT} y={height - 6}>
            slot {Math.round(from).toLocaleString("en")}
          </text>
          <text class="lane-name" x={width - 8} y={height - 6} text-anchor="end">
            slot {Math.round(to).toLocaleString("en")}
          </text>
        </svg>
      </div>
      <ul class="legend" aria-label="Marks">
        <li>
          <span class="dot fetch-dot" /> miss and its fetch
        </li>
        <li>
          <span class="dot delayed-dot" /> delayed hit
        </li>
        <li>
          <span class="dot hit-dot" /> hit
        </li>
      </ul>
      <p class="muted">{summary}.</p>
    </section>
  );
}
