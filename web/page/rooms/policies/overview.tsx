/** How many packets wait at most under each policy, over the whole run. A click or the slider goes to a moment. */

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

const PARTS = 240;
const WIDTH = 1000;
const HEIGHT = 90;
const BOTTOM = 16;

export function Overview({ titles, replays, end, now, onSeek }: OverviewProps) {
  const lines = useMemo(() => replays.map((replay) => replay.longestQueues(end, PARTS)), [replays, end]);
  const most = Math.max(1, ...lines.flat());
  const x = (time: number): number => (time / end) * WIDTH;
  const y = (packets: number): number => 6 + (1 - packets / most) * (HEIGHT - BOTTOM - 6);
  return (
    <div class="overview">
      <div class="overview-keys">
        {titles.map((title, place) => (
          <span key={title}>
            <i class={`line-${place}`} /> {title}
          </span>
        ))}
        <span>
          packets that wait, {most} at most; the whole run, {timeText(end)}
        </span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onSeek(Math.min(Math.max(((event.clientX - box.left) / box.width) * end, 0), end));
        }}
      >
        <line class="axis" x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} />
        {lines.map((line, place) => (
          <polyline
            key={place}
            class={`line-${place}`}
            points={line.map((packets, part) => `${x((end * (part + 0.5)) / PARTS)},${y(packets)}`).join(" ")}
          />
        ))}
        <line class="now" x1={x(now)} x2={x(now)} y1="0" y2={HEIGHT - BOTTOM + 2} />
      </svg>
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
