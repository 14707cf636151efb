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
  /** Times at which something happens, in order. */
  readonly moments: Float64Array;
  private readonly longest: number;

  constructor(packets: PacketRow[]) {
    this.packets = packets.sort((a, b) => a.arrival - b.arrival || a.id - b.id);
    this.queues = [...new Set(packets.map((packet) => packet.queue))].filter((name) => name !== "").sort(byName);
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
    // Whoever is pushed out later has no place in the order of service.
    waiting.sort((a, b) => a.start - b.start || a.arrival - b.arrival || a.id - b.id);
    return { waiting, sending };
  }

  /** The last packets that were dropped until then, the latest first. */
  dropsBy(time: number, most: number): PacketRow[] {
    const place = upperBound(this.dropTimes, time);
    return this.drops.slice(Math.max(0, place - most), place).reverse();
  }

  /** How many packets arrived, left and were dropped until then. */
  countsBy(time: number): { arrived: number; sent: number; dropped: number } {
    return { arrived: this.arrivedBy(time), sent: upperBound(this.sentTimes, time), dropped: upperBound(this.dropTimes, time) };
  }

  /** How many packets waited at each of these times. */
  lengths(times: number[]): number[] {
    return times.map((time) => this.at(time).waiting.length);
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

/** The packets of each policy, from the table `packets.csv`. */
export function replays(csv: string): Map<string, Replay> {
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
  return new Map([...packets].map(([name, list]) => [name, new Replay(list)]));
}

/** The first time at which two policies treat a packet differently: who is sent, who is dropped. */
export function firstDifference(a: Replay, b: Replay): number | undefined {
  const events = (replay: Replay): string[] =>
    replay.packets
      .flatMap((packet): [number, string][] => [
        ...(Number.isFinite(packet.start) ? [[packet.start, `s${packet.id}`] as [number, string]] : []),
        ...(packet.fate === "dropped" || packet.fate === "pushed-out" ? [[packet.end, `d${packet.id}`] as [number, string]] : []),
      ])
      .sort(([a], [b]) => a - b)
      .map(([time, what]) => `${time} ${what}`);
  const [first, second] = [events(a), events(b)];
  const place = first.findIndex((event, at) => event !== second[at]);
  if (place < 0) {
    return undefined;
  }
  return Number((first[place] as string).split(" ")[0]);
}
