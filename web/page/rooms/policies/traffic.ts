/** The packets that the two policies get. */

export interface TrafficChoice {
  id: string;
  title: string;
  /** What the slider sets: the rate of the link, or the load. */
  slider: { key: string; label: string; unit: string; min: number; max: number; step: number; usual: number };
  /** The tables [port] and [traffic]; packets have ranks if a policy reads them. */
  toml(value: number, hasRanks: boolean): string;
}

/** Fields that policies may read and that no recording has are drawn. */
const DRAWN = `queue = { distribution = "uniform", min = 0, max = 3 }
value = { distribution = "uniform", min = 1, max = 10 }
processing_ns = { distribution = "uniform", min = 1, max = 1000 }
slack_ns = { distribution = "uniform", min = 0, max = 4000000 }`;

/** Results of packets with ranks have pictures by rank, which say nothing of policies that read none. */
const drawn = (hasRanks: boolean): string =>
  hasRanks ? `${DRAWN}\nrank = { distribution = "uniform", min = 0, max = 99 }` : DRAWN;

const CLASSES = `classes = { 46 = 0.1, 34 = 0.2, 18 = 0.2, 8 = 0.1, 0 = 0.4 }`;

const RATE = { key: "rate", label: "Link rate", unit: "Mbit/s", min: 5, max: 40, step: 0.5, usual: 19 };
const LOAD = { key: "load", label: "Load", unit: "× link rate", min: 0.5, max: 2, step: 0.05, usual: 1.1 };

export function recording(file: string, title: string, usual: number): TrafficChoice {
  const max = Math.max(40, Math.ceil((usual * 2) / 10) * 10);
  return {
    id: `file:${file}`,
    title,
    slider: { ...RATE, max, usual, step: max > 100 ? 5 : 0.5 },
    toml: (value, hasRanks) => `[port]
rate = "${value} Mbps"

[traffic]
trace = "${file}"
${drawn(hasRanks)}
`,
  };
}

function recipe(id: string, title: string, arrivals: string): TrafficChoice {
  return {
    id,
    title,
    slider: LOAD,
    toml: (value, hasRanks) => `[port]
rate = "10 Mbps"

[traffic]
${arrivals}
load = ${value}
packets = 5000
flows = 20
size_bytes = { distribution = "uniform", min = 64, max = 1500 }
flow_bytes = { distribution = "exponential", min = 1000, max = 1000000 }
${CLASSES}
${drawn(hasRanks)}
`,
  };
}

export const DEMO = recording("mixed.pcap", "Recording of real traffic (20,500 packets)", 19);

export const TRAFFIC: TrafficChoice[] = [
  DEMO,
  recipe("poisson", "Random arrivals (Poisson)", `arrivals = "poisson"`),
  recipe("bursts", "Bursts (flows that pause)", `arrivals = "on-off"\non = "20 ms"\noff = "80 ms"`),
  recipe("even", "Even arrivals", `arrivals = "constant"`),
];
