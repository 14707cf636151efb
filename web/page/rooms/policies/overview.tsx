/** How many packets wait under each policy over the whole run. A click or the slider goes to a moment. */

import { useMemo } from "preact/hooks";
import { time as timeText } from "../../parts/numbers";
import type { Replay } from "./packets";

interface OverviewProps {
  titles: string[];
  replays: Replay[];
  end: number;
  now: number;
  onSeek(time: number): void;
}

const POINTS = 240;
const WIDTH = 1000;
const HEIGHT = 90;
const LEFT = 34;
const BOTTOM = 16;

export function Overview({ titles, replays, end, now, onSeek }: OverviewProps) {
  const times = useMemo(() => Array.from({ length: POINTS + 1 }, (_, place) => (end * place) / POINTS), [end]);
  const lines = useMemo(() => replays.map((replay) => replay.lengths(times)), [replays, times]);
  const most = Math.max(1, ...lines.flat());
  const x = (time: number): number => LEFT + (time / end) * (WIDTH - LEFT - 4);
  const y = (packets: number): number => 6 + (1 - packets / most) * (HEIGHT - BOTTOM - 6);
  return (
    <div class="overview">
      <div class="overview-keys">
        {titles.map((title, place) => (
          <span key={title}>
            <i class={`line-${place}`} /> {title}
          </span>
        ))}
        <span>packets that wait, over the whole run</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = ((event.clientX - box.left) / box.width) * WIDTH;
          onSeek(Math.min(Math.max(((share - LEFT) / (WIDTH - LEFT - 4)) * end, 0), end));
        }}
      >
        <line class="axis" x1={LEFT} x2={WIDTH - 4} y1={y(0)} y2={y(0)} />
        {lines.map((line, place) => (
          <polyline
            key={place}
            class={`line-${place}`}
            points={line.map((packets, at) => `${x(times[at] as number)},${y(packets)}`).join(" ")}
          />
        ))}
        <line class="now" x1={x(now)} x2={x(now)} y1="0" y2={HEIGHT - BOTTOM + 2} />
      </svg>
      <span class="overview-most" aria-hidden="true">
        {most}
      </span>
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={timeText(now)}
        min="0"
        max={end}
        step={end / 2000}
        value={now}
        onInput={(event) => onSeek(Number(event.currentTarget.value))}
      />
    </div>
  );
}
