/** Both policies on one clock: play, pause, step, speed, and a line of their queues over the whole run. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { className, colours as coloursOf, shortName } from "./classes";
import { clock } from "./clock";
import { firstDifference, upperBound, type Decision, type Replay } from "./packets";
import { LETTERS } from "./question";
import { QueueView } from "./queue_view";
import { Overview } from "./overview";

interface PlayerProps {
  titles: string[];
  replays: Replay[];
}

/** Simulated seconds for a second of the viewer. */
const SPEEDS: [number, string][] = [
  [0.001, "1 ms per second"],
  [0.01, "10 ms per second"],
  [0.1, "100 ms per second"],
  [1, "as recorded"],
];

/** Drops of the first policy before the moment that is shown at first: queues of many classes are full then. */
const DROPS_BEFORE = 30;

/** The moment that is shown at first. */
function firstView(replays: Replay[], end: number): number {
  const drops = replays[0]?.dropsBy(end, Infinity) ?? [];
  return drops.at(-DROPS_BEFORE)?.end ?? drops[0]?.end ?? end / 2;
}

/** What policy A or B decides, in words. */
function decision(place: 0 | 1, made: Decision | undefined): string {
  const policy = LETTERS[place];
  if (made === undefined) {
    return `${policy} has no packets left`;
  }
  const { time, packet, isDrop } = made;
  return `${policy} ${isDrop ? "drops" : "sends"} packet ${packet.id} (${shortName(packet.traffic)}) at ${clock(time)}`;
}

export function Player({ titles, replays }: PlayerProps) {
  const end = Math.max(...replays.map((replay) => replay.end));
  const [isExplained, setExplained] = useState(false);
  const difference = useMemo(() => {
    const [first, second] = replays;
    return first !== undefined && second !== undefined ? firstDifference(first, second) : undefined;
  }, [replays]);
  const [now, setNow] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(0.01);
  const last = useRef<number>(undefined);

  useEffect(() => {
    setNow(firstView(replays, end));
    setExplained(false);
  }, [replays]);

  useEffect(() => {
    if (!isPlaying) {
      return;
    }
    let frame = 0;
    last.current = undefined;
    const tick = (at: number): void => {
      const passed = last.current === undefined ? 0 : (at - last.current) / 1000;
      last.current = at;
      setNow((now) => {
        const next = now + passed * speed;
        if (next >= end) {
          setPlaying(false);
        }
        return Math.min(next, end);
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, end]);

  const nextDrop = Math.min(...replays.map((replay) => replay.dropAfter(now) ?? Infinity));
  const seek = (time: number): void => {
    setPlaying(false);
    setNow(time);
  };
  const step = (way: 1 | -1): void => {
    setPlaying(false);
    const candidates = replays.map((replay) => {
      const place = upperBound(replay.moments, now);
      const at = replay.moments[place - 1] === now ? place - 2 : place - 1;
      return way > 0 ? replay.moments[place] ?? Infinity : replay.moments[at] ?? -Infinity;
    });
    const next = way > 0 ? Math.min(...candidates) : Math.max(...candidates);
    if (Number.isFinite(next)) {
      setNow(next);
    }
  };

  const classes = useMemo(
    () => [...new Set(replays.flatMap((replay) => replay.packets.map((packet) => packet.traffic)))].sort((a, b) => b - a),
    [replays],
  );
  const colours = useMemo(() => coloursOf(classes), [classes]);

  return (
    <section class="player" aria-label="Packets in the queues">
      <div class="controls">
        <button type="button" class="primary play" onClick={() => setPlaying(!isPlaying)}>
          <span aria-hidden="true">{isPlaying ? "❚❚" : "▶"}</span> {isPlaying ? "Pause" : "Play"}
        </button>
        <button type="button" onClick={() => step(-1)}>
          <span aria-hidden="true">◂</span> Back
        </button>
        <button type="button" onClick={() => step(1)}>
          Step <span aria-hidden="true">▸</span>
        </button>
        <label>
          Speed{" "}
          <select value={String(speed)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map(([value, title]) => (
              <option key={value} value={String(value)}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={!Number.isFinite(nextDrop)} onClick={() => seek(nextDrop)}>
          Next drop
        </button>
        <button
          type="button"
          disabled={difference === undefined}
          onClick={() => {
            seek(Math.min(...(difference ?? []).map((made) => made?.time ?? Infinity)));
            setExplained(true);
          }}
        >
          First difference
        </button>
        <output class="clock" aria-label="Moment">
          {clock(now)}
        </output>
      </div>
      <p class="difference" role="status" hidden={!isExplained}>
        {isExplained && difference !== undefined && `The first difference: ${[decision(0, difference[0]), decision(1, difference[1])].join("; ")}.`}
      </p>
      <Overview titles={titles} replays={replays} end={end} now={now} onSeek={setNow} />
      <div class="side-by-side">
        {replays.map((replay, place) => (
          <QueueView key={titles[place]} title={titles[place] ?? ""} replay={replay} time={now} colours={colours} />
        ))}
      </div>
      <ul class="legend" aria-label="Colours of packets">
        {classes.map((dscp) => (
          <li key={dscp}>
            <span class="dot" style={{ background: colours.get(dscp) }} /> {className(dscp)}
          </li>
        ))}
      </ul>
    </section>
  );
}
