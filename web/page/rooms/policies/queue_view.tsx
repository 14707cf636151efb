/** One policy at one moment: its queues, the packet on the link, and the last drops. */

import { time as timeText } from "../../parts/numbers";
import { clock } from "./clock";
import { className, shortName } from "./classes";
import type { PacketRow, Replay } from "./packets";

interface QueueViewProps {
  title: string;
  replay: Replay;
  time: number;
  colours: Map<number, string>;
}

/** Packets of a lane that are drawn; the rest is a number. */
const MOST_DRAWN = 160;
const WIDTH = 640;
const LANE = 34;
const LINK = 96;
const LEFT = 8;

/** The width of a packet, so that small ones can be seen. */
const widthOf = (packet: PacketRow): number => 3 + (packet.size / 1500) * 11;

function Lane({ packets, top, colours, label }: { packets: PacketRow[]; top: number; colours: Map<number, string>; label: string }) {
  const drawn = packets.slice(0, MOST_DRAWN);
  const total = drawn.reduce((sum, packet) => sum + widthOf(packet) + 1, 0);
  const room = WIDTH - LINK - LEFT - 8;
  const scale = Math.min(1, room / total);
  let right = WIDTH - LINK;
  return (
    <g>
      <rect class="lane" x={LEFT} y={top} width={room + 8} height={LANE - 8} rx="4" />
      {drawn.map((packet) => {
        const width = widthOf(packet) * scale;
        right -= width + scale;
        return (
          <rect
            key={packet.id}
            class="packet"
            style={{ transform: `translate(${right}px, ${top + 3}px)`, fill: colours.get(packet.traffic) }}
            width={Math.max(width, 0.8)}
            height={LANE - 14}
            rx={Math.min(2, width / 3)}
          >
            <title>{`packet ${packet.id}: ${className(packet.traffic)}, ${packet.size} bytes, rank ${packet.rank}`}</title>
          </rect>
        );
      })}
      {label !== "" && (
        <text class="lane-name" x={LEFT + 6} y={top + LANE - 16}>
          {label}
        </text>
      )}
    </g>
  );
}

function Link({ sending, time, top, colours }: { sending: PacketRow[]; time: number; top: number; colours: Map<number, string> }) {
  const packet = sending[0];
  const share = packet === undefined ? 0 : (time - packet.start) / (packet.end - packet.start);
  return (
    <g>
      <text class="lane-name" x={WIDTH - LINK + 16} y={top - 4}>
        link
      </text>
      <rect class="link" x={WIDTH - LINK + 14} y={top} width={LINK - 22} height={LANE - 8} rx="4" />
      {packet !== undefined && (
        <rect
          x={WIDTH - LINK + 14}
          y={top + 3}
          width={(LINK - 22) * Math.min(Math.max(share, 0.03), 1)}
          height={LANE - 14}
          rx="2"
          style={{ fill: colours.get(packet.traffic) }}
        >
          <title>{`packet ${packet.id} is being sent`}</title>
        </rect>
      )}
    </g>
  );
}

/** How many packets wait, in each queue that has any. */
function backlog(replay: Replay, time: number): string {
  const { waiting } = replay.at(time);
  if (replay.queues.length === 1) {
    return `${waiting.length} waited`;
  }
  const count = (queue: string): number => waiting.filter((packet) => packet.queue === queue).length;
  const parts = replay.queues.map((queue) => [queue, count(queue)] as const).filter(([, packets]) => packets > 0);
  return parts.length === 0 ? "all queues were empty" : parts.map(([queue, packets]) => `${packets} waited in ${queue}`).join(", ");
}

/** How a packet was dropped, as far as the run shows it. */
function how(packet: PacketRow, replay: Replay): string {
  if (packet.fate === "dropped") {
    return `dropped on arrival; ${backlog(replay, packet.end)}`;
  }
  const newcomer = replay.packets.find((other) => other.arrival === packet.end && other.id !== packet.id);
  return newcomer === undefined
    ? `pushed out after ${timeText(packet.end - packet.arrival)}`
    : `pushed out by ${shortName(newcomer.traffic)} packet ${newcomer.id} after ${timeText(packet.end - packet.arrival)}`;
}

export function QueueView({ title, replay, time, colours }: QueueViewProps) {
  const { waiting, sending } = replay.at(time);
  const counts = replay.countsBy(time);
  const lanes = replay.queues;
  const height = lanes.length * LANE + 18;
  const drops = replay.dropsBy(time, 3);
  return (
    <figure class="queue-view">
      <figcaption>
        <strong>{title}</strong>
        <span>
          {waiting.length} wait · {counts.sent.toLocaleString("en")} sent · <b class="dropped">{counts.dropped.toLocaleString("en")} dropped</b>
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`${title}: ${waiting.length} packets wait`}>
        {lanes.map((queue, place) => (
          <Lane
            key={queue}
            packets={lanes.length > 1 ? waiting.filter((packet) => packet.queue === queue) : waiting}
            top={14 + place * LANE}
            colours={colours}
            label={lanes.length > 1 ? queue : ""}
          />
        ))}
        <Link sending={sending} time={time} top={14 + ((lanes.length - 1) * LANE) / 2} colours={colours} />
      </svg>
      <ol class="drops" aria-label="Last drops">
        {drops.map((packet) => (
          <li key={packet.id}>
            <span class="dot" style={{ background: colours.get(packet.traffic) }} /> {clock(packet.end)}: {shortName(packet.traffic)}, {packet.size} B,{" "}
            {how(packet, replay)}
          </li>
        ))}
        {drops.length === 0 && <li>No packet dropped so far</li>}
      </ol>
    </figure>
  );
}
