/** Small scenarios with sliders. A slider sets a value of the scenario, as `--set` does. */

export interface Knob {
  /** The value that it sets, as in `workload.0.load`. */
  key: string;
  label: string;
  unit: string;
  /** What stands behind the number in the scenario. */
  suffix?: string;
  min: number;
  max: number;
  step: number;
  usual: number;
}

export interface Preset {
  id: string;
  title: string;
  text: string;
  knobs: Knob[];
}

export const NETWORKS: Preset[] = [
  {
    id: "transports",
    title: "Three transports in one rack",
    text: `name = "Three transports in one rack"
repetitions = 5

[network]
topology = { name = "star", hosts = 8, rate = "10 Gbps", propagation = "2 us" }
duration = "5 ms"
size_classes = ["20 KB", "200 KB"]

# Few flows carry most bytes.
[[workload]]
sizes = { name = "pareto", shape = 1.1, mean_bytes = 50_000, max_bytes = 1_000_000 }
load = 0.6

[[policy]]
name = "NewReno on FIFO"
transport = { name = "newreno", initial_rto = "1 ms" }
port = { rank = "arrival", queue = "fifo", buffer = "100 packets" }
nic = { rank = "arrival", queue = "fifo", buffer = "1000 packets" }

[[policy]]
name = "DCTCP"
transport = { name = "dctcp", initial_rto = "1 ms" }
port = { rank = "arrival", queue = "fifo", buffer = "100 packets", mark = { name = "threshold", packets = 20 } }
nic = { rank = "arrival", queue = "fifo", buffer = "1000 packets" }

[[policy]]
name = "pFabric"
transport = { name = "pfabric", rto = "200 us" }
port = { rank = "remaining-bytes", queue = "pifo", buffer = "24 packets", drop = "worst-first" }
`,
    knobs: [
      { key: "workload.0.load", label: "Offered load", unit: "of each link", min: 0.1, max: 0.9, step: 0.05, usual: 0.6 },
      { key: "network.topology.hosts", label: "Hosts", unit: "hosts", min: 2, max: 16, step: 1, usual: 8 },
    ],
  },
  {
    id: "incast",
    title: "Many answers at once (incast)",
    text: `name = "Incast"
repetitions = 5

[network]
topology = { name = "star", hosts = 16, rate = "10 Gbps", propagation = "2 us" }
duration = "4 ms"

# At each arrival, some hosts send to one host at the same time.
[[workload]]
sizes = { name = "fixed", bytes = 20_000 }
pattern = { name = "incast", senders = 8 }
load = 0.2

[[policy]]
name = "small buffers"
transport = { name = "dctcp", initial_rto = "1 ms" }
port = { rank = "arrival", queue = "fifo", buffer = "20 packets", mark = { name = "threshold", packets = 10 } }
nic = { rank = "arrival", queue = "fifo", buffer = "1000 packets" }

[[policy]]
name = "large buffers"
transport = { name = "dctcp", initial_rto = "1 ms" }
port = { rank = "arrival", queue = "fifo", buffer = "200 packets", mark = { name = "threshold", packets = 20 } }
nic = { rank = "arrival", queue = "fifo", buffer = "1000 packets" }
`,
    knobs: [
      { key: "workload.0.load", label: "Offered load", unit: "of each link", min: 0.05, max: 0.6, step: 0.05, usual: 0.2 },
      { key: "workload.0.pattern.senders", label: "Senders at once", unit: "hosts", min: 1, max: 15, step: 1, usual: 8 },
    ],
  },
];

export const ATTACKS: Preset[] = [
  {
    id: "schedulers",
    title: "One attacker, four schedulers",
    text: `name = "One attacker, four schedulers"

[processor]
buffer = "1000 packets"

[innocent]
rate = "5 Gbps"
packets = 10_000
gaps = "poisson"
size_bytes = 1250
job_ns = 1000

[attack]
rate = ["10 Mbps", "100 Mbps", "1 Gbps", "10 Gbps"]
min_packet = 64
max_job = "10 us"

[[policy]]
name = "FCFS"
rank = "arrival"
queue = "fifo"

[[policy]]
name = "FQ"
rank = "job-fair"
queue = "pifo"
drop = "worst-first"

[[policy]]
name = "SJF"
rank = "job-size"
queue = { name = "hffs", ranks = 16_384 }
rank_unit = 1000
drop = "worst-first"

[[policy]]
name = "WSJF"
rank = "job-ratio"
queue = "pifo"
drop = "worst-first"
`,
    knobs: [
      { key: "innocent.rate", label: "Innocent traffic", unit: "Gbit/s", suffix: " Gbps", min: 1, max: 10, step: 0.5, usual: 5 },
      { key: "attack.max_job", label: "Largest job of an attacker", unit: "µs", suffix: " us", min: 2, max: 50, step: 1, usual: 10 },
    ],
  },
];
