/** The packets of a run, by policy, and what waits at any moment. */

import { rows } from "../../engine/csv";

export type Fate = "sent" | "dropped" | "pushed-out" | "waiting";

export interface PacketRow {
  id: number;
  flow: number;
  /** Its DSCP. */
  traffic: number;
  rank: number;
  size: number;
  /** Seconds. */
  arrival: number;
  /** When its transmission began; infinite if it did not. */
  start: number;
  /** When its last bit left or it was dropped; infinite if it waits for ever. */
  end: number;
  fate: Fate;
  /** Where a policy has several queues, the one that it entered. */
  queue: string;
}

/** The packets of one policy, in order of arrival. */
export class Replay {
  readonly packets: PacketRow[];
  readonly queues: string[];
  readonly end: number;
  /** Times of arrivals, starts and ends, in order. */
  readonly moments: Float64Array;
  private readonly longest: number;
  private readonly inOrder: (a: string, b: string) => number;

  /** `declared` are the queues in the order in which the policy declares them. */
  constructor(packets: PacketRow[], declared: string[] = []) {
    const place = (name: string): number => declared.indexOf(name.replace(/\[.*/, "")) >>> 0;
    this.inOrder = (a, b) => place(a) - place(b) || byName(a, b);
    this.packets = packets.sort((a, b) => a.arrival - b.arrival || a.id - b.id);
    this.queues = [...new Set(packets.map((packet) => packet.queue))].filter((name) => name !== "").sort(this.inOrder);
    if (this.queues.length === 0) {
      this.queues = [""];
    }
    const ends = packets.map((packet) => packet.end).filter(Number.isFinite);
    this.end = ends.reduce((latest, end) => Math.max(latest, end), 0);
    this.longest = packets.reduce((longest, packet) => Math.max(longest, leaves(packet) - packet.arrival), 0);
    const times = packets.flatMap((packet) => [packet.arrival, packet.start, packet.end]).filter(Number.isFinite);
    this.moments = Float64Array.from(new Set(times)).sort();
  }

  /** The packets that wait, those first that leave first; and the one that is being sent. */
  at(time: number): { waiting: PacketRow[]; sending: PacketRow[] } {
    const waiting: PacketRow[] = [];
    const sending: PacketRow[] = [];
    for (let place = this.arrivedBy(time) - 1; place >= 0; place -= 1) {
      const packet = this.packets[place] as PacketRow;
      // No packet that arrived before is still there.
      if (packet.arrival < time - this.longest) {
        break;
      }
      if (packet.start <= time && time < packet.end && packet.fate !== "dropped") {
        sending.push(packet);
      } else if (packet.fate !== "dropped" && time < leaves(packet)) {
        waiting.push(packet);
      }
    }
    // A packet that is pushed out later has no place in the order of service.
    waiting.sort((a, b) => a.start - b.start || a.arrival - b.arrival || a.id - b.id);
    return { waiting, sending };
  }

  /** The last packets that were dropped until then, the latest first. */
  dropsBy(time: number, most: number): PacketRow[] {
    const place = upperBound(this.dropTimes, time);
    return this.drops.slice(Math.max(0, place - most), place).reverse();
  }

  /** When the next packet is dropped. */
  dropAfter(time: number): number | undefined {
    return this.dropTimes[upperBound(this.dropTimes, time)];
  }

  /** All decisions in order. */
  get decisions(): Decision[] {
    return this.cached("decisions", () => {
      const sent = this.packets.filter(({ start }) => Number.isFinite(start)).map((packet) => ({ time: packet.start, packet, isDrop: false }));
      const dropped = this.drops.map((packet) => ({ time: packet.end, packet, isDrop: true }));
      return [...sent, ...dropped].sort((a, b) => a.time - b.time || a.packet.id - b.packet.id);
    });
  }

  /** How many packets arrived, left and were dropped until then. */
  countsBy(time: number): { arrived: number; sent: number; dropped: number } {
    return { arrived: this.arrivedBy(time), sent: upperBound(this.sentTimes, time), dropped: upperBound(this.dropTimes, time) };
  }

  /** How many packets waited at most in each of so many equal parts of the time until `end`. */
  longestQueues(end: number, parts: number): number[] {
    const most = new Array<number>(parts).fill(0);
    let waiting = 0;
    let part = 0;
    for (const [time, change] of this.changes) {
      const next = Math.min(parts - 1, Math.floor((time / end) * parts));
      while (part < next) {
        part += 1;
        most[part] = waiting;
      }
      waiting += change;
      most[part] = Math.max(most[part] as number, waiting);
    }
    while (part + 1 < parts) {
      part += 1;
      most[part] = waiting;
    }
    return most;
  }

  /** When the number of waiting packets grows or shrinks, and by how much. At one time, it shrinks first. */
  private get changes(): [number, number][] {
    return this.cached("changes", () =>
      this.packets
        .filter((packet) => packet.fate !== "dropped" && packet.arrival < leaves(packet))
        .flatMap((packet): [number, number][] => [[packet.arrival, 1], [leaves(packet), -1]])
        .filter(([time]) => Number.isFinite(time))
        .sort(([a, first], [b, second]) => a - b || first - second),
    );
  }

  private arrivedBy(time: number): number {
    return upperBound(this.arrivals, time);
  }

  private get arrivals(): Float64Array {
    return this.cached("arrivals", () => Float64Array.from(this.packets, (packet) => packet.arrival));
  }

  private get drops(): PacketRow[] {
    return this.cached("drops", () =>
      this.packets.filter((packet) => packet.fate === "dropped" || packet.fate === "pushed-out").sort((a, b) => a.end - b.end),
    );
  }

  private get dropTimes(): Float64Array {
    return this.cached("dropTimes", () => Float64Array.from(this.drops, (packet) => packet.end));
  }

  private get sentTimes(): Float64Array {
    const sent = () => this.packets.filter((packet) => packet.fate === "sent").map((packet) => packet.end);
    return this.cached("sentTimes", () => Float64Array.from(sent()).sort());
  }

  private readonly cache = new Map<string, unknown>();

  private cached<T>(name: string, make: () => T): T {
    if (!this.cache.has(name)) {
      this.cache.set(name, make());
    }
    return this.cache.get(name) as T;
  }
}

/** Names with numbers in them, in the order of the numbers. */
const byName = new Intl.Collator("en", { numeric: true }).compare;

/** When a packet stops waiting. */
function leaves(packet: PacketRow): number {
  return packet.fate === "pushed-out" ? packet.end : packet.start;
}

/** How many of these sorted numbers are at most `value`. */
export function upperBound(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The packets of each policy, from the table `packets.csv`. `declared` are the queues of each policy in order. */
export function replays(csv: string, declared: string[][]): Map<string, Replay> {
  const [header = [], ...table] = rows(csv);
  const column = (name: string): number => header.indexOf(name);
  const [policy, repetition, id, flow] = [column("policy"), column("repetition"), column("packet"), column("flow")];
  const [traffic, rank, size, queue] = [column("class"), column("rank"), column("size"), column("queue")];
  const [arrival, start, end, fate] = [column("arrival"), column("start"), column("end"), column("fate")];
  const time = (text: string | undefined): number => (text === undefined || text === "" ? Infinity : Number(text));
  const packets = new Map<string, PacketRow[]>();
  for (const row of table) {
    if (row[repetition] !== "0") {
      continue;
    }
    const name = row[policy] as string;
    const list = packets.get(name) ?? [];
    packets.set(name, list);
    list.push({
      id: Number(row[id]),
      flow: Number(row[flow]),
      traffic: Number(row[traffic]),
      rank: Number(row[rank]),
      size: Number(row[size]),
      arrival: Number(row[arrival]),
      start: time(row[start]),
      end: time(row[end]),
      fate: row[fate] as Fate,
      queue: queue < 0 ? "" : (row[queue] as string),
    });
  }
  return new Map([...packets].map(([name, list], place) => [name, new Replay(list, declared[place])]));
}

/** What a policy does with a packet at a time: it begins to send it, or it drops it. */
export interface Decision {
  time: number;
  packet: PacketRow;
  isDrop: boolean;
}

/** The first decisions in which two policies differ; one of them may have decided on all packets before. */
export function firstDifference(a: Replay, b: Replay): [Decision | undefined, Decision | undefined] | undefined {
  const [first, second] = [a.decisions, b.decisions];
  const isSame = (one: Decision | undefined, other: Decision | undefined): boolean =>
    one?.time === other?.time && one?.packet.id === other?.packet.id && one?.isDrop === other?.isDrop;
  for (let place = 0; place < Math.max(first.length, second.length); place += 1) {
    if (!isSame(first[place], second[place])) {
      return [first[place], second[place]];
    }
  }
  return undefined;
}
