//! Runs the command in a folder of its own.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The output of a command and its exit status.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    fn of(output: std::process::Output) -> Self {
        Self {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Standard output, if the command worked.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.status, 0, "{}", self.stderr);
        self.stdout
    }

    /// The text on standard output, and the text on standard error.
    #[track_caller]
    pub(crate) fn ok_with_warnings(self) -> (String, String) {
        assert_eq!(self.status, 0, "{}", self.stderr);
        (self.stdout, self.stderr)
    }

    /// The single line on standard error of a command that failed.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!(self.status, 2, "{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "", "nothing is printed before an error");
        let lines: Vec<&str> = self.stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{}", self.stderr);
        lines[0].strip_prefix("error: ").unwrap_or_else(|| panic!("{}", lines[0])).to_owned()
    }
}

/// A folder with files, removed at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    /// Whether a file is there that was begun and never got its name.
    pub(crate) fn has_unfinished(&self) -> bool {
        let mut names = std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        names.any(|name| name.extension().is_some_and(|end| end == "unfinished"))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `forebay` in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_on(Stdio::null(), arguments)
    }

    /// Runs `forebay` in the folder, where there is no other program, and no kernel.
    pub(crate) fn run_without_programs(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        Output::of(command.env("PATH", self.0.path()).env("FOREBAY_KERNEL", self.0.path()).output().unwrap())
    }

    /// Runs `forebay` in the folder with this standard input.
    pub(crate) fn run_on(&self, input: impl Into<Stdio>, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        Output::of(command.args(arguments).current_dir(self.0.path()).stdin(input).output().unwrap())
    }

    /// Runs `forebay` in the folder and interrupts it (SIGINT) when it has worked for `cpu_time`, so that other work on this
    /// machine changes nothing. It has made the folder `out` by then, just before it starts to work.
    #[track_caller]
    pub(crate) fn interrupt(&self, arguments: &[&str], cpu_time: Duration) -> Output {
        let start = Instant::now();
        self.interrupt_when(arguments, |process| {
            self.path("out").exists() && used(process).unwrap_or(start.elapsed()) >= cpu_time
        })
    }

    /// Runs `forebay` in the folder and interrupts it when it has kept so many runs, however fast they are made.
    #[track_caller]
    pub(crate) fn interrupt_after(&self, runs: usize, arguments: &[&str]) -> Output {
        self.interrupt_when(arguments, |_| self.kept_runs() >= runs)
    }

    #[track_caller]
    fn interrupt_when(&self, arguments: &[&str], is_time: impl Fn(u32) -> bool) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        let command = command.args(arguments).args(["--out", "out"]).current_dir(self.0.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !is_time(child.id()) {
            assert_eq!(child.try_wait().unwrap(), None, "it runs");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        Output::of(child.wait_with_output().unwrap())
    }

    /// Number of runs in the folder `out`.
    pub(crate) fn kept_runs(&self) -> usize {
        let files = std::fs::read_dir(self.path("out/runs")).into_iter().flatten();
        files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|kind| kind == "json")).count()
    }

    /// Runs a scenario and returns its JSON.
    #[track_caller]
    /// The most memory that the command held, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn most_memory(&self, arguments: &[&str]) -> f64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        let command = command.args(arguments).current_dir(self.0.path()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut most = 0.0;
        while child.try_wait().unwrap().is_none() {
            let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            if let Some(kilobytes) = line.and_then(|line| line.split_whitespace().next()) {
                most = kilobytes.parse::<f64>().unwrap() * 1024.0;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(child.wait().unwrap().success());
        most
    }

    pub(crate) fn json(&self, scenario: &str, arguments: &[&str]) -> Value {
        self.write("s.toml", scenario);
        let all = [&["run", "s.toml", "--format", "json"], arguments].concat();
        serde_json::from_str(&self.run(&all).ok()).unwrap()
    }
}

/// CPU time of a process, where the system says it.
fn used(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which may have blanks, user and system time are the 12th and 13th field, in hundredths of a second.
    let fields = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let hundredths: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * hundredths))
}

/// Whether tests take their time: with `FOREBAY_LONG` set, as `make test-long` does.
pub(crate) fn long() -> bool {
    std::env::var_os("FOREBAY_LONG").is_some()
}

/// A recording with 14,400 TCP segments of 188 flows among its 20,500 packets.
pub(crate) const RECORDING: &[u8] = include_bytes!("../../../../testdata/recording/mixed.pcap");

/// A port at 90 % load with uniform ranks, without policies.
pub(crate) const UNIFORM: &str = r#"
[port]
rate = "10 Gbps"
buffer = "80 packets"

[traffic]
arrivals = "poisson"
load = 0.9
packets = 100_000
flows = 20
classes = { 46 = 0.3, 0 = 0.7 }
rank = { distribution = "uniform", min = 0, max = 100 }
"#;

/// A sweep of two axes, in repetitions, that is over soon.
pub(crate) const STUDY: &str = r#"
repetitions = 3
baseline = "FIFO"

[port]
rate = "10 Gbps"
buffer = "80 packets"

[traffic]
rank = [
    { distribution = "uniform", min = 0, max = 100 },
    { name = "wide", distribution = "uniform", min = 0, max = 999 },
]
load = [0.8, 1.1]
packets = 20_000
arrivals = "poisson"
flows = 1

[[policy]]
name = "SP-PIFO 8"
rank = "packet-rank"
queue = { name = "sp-pifo", queues = 8, queue_packets = 10 }

[[policy]]
name = "FIFO"
rank = "packet-rank"
queue = "fifo"

[[policy]]
name = "pifo"
rank = "packet-rank"
queue = "pifo"
drop = "worst-first"
"#;

/// Policies under attack, soon over.
pub(crate) const ATTACK: &str = r#"
repetitions = 3

[processor]
buffer = "1000 packets"

[innocent]
rate = ["5 Gbps", "10 Gbps"]
packets = 10_000
warmup = 2_000
gaps = "poisson"
flows = 10
size_bytes = { distribution = "normal", min = 64, max = 9000, mean = 1250, deviation = 100 }
job_ns = { distribution = "normal", min = 1, max = 10_000, mean = 1000, deviation = 100 }

[attack]
rate = { from = "100 Mbps", to = "1 Gbps", steps = 3, spacing = "log" }
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
queue = "pifo"
drop = "worst-first"

[[policy]]
name = "WSJF"
rank = "job-ratio"
queue = "pifo"
drop = "worst-first"
"#;

/// [`NETWORK`] as JSON, with its fields in another order.
pub(crate) const NETWORK_JSON: &str = r#"
// Comments are allowed.
{
  "policy": [
    { "port": { "queue": "fifo", "rank": "arrival", "buffer": "50 packets" }, "name": "NewReno", "transport": "newreno" },
    {
      "name": "pFabric",
      "transport": "pfabric",
      "port": { "rank": "srpt", "queue": "pifo", "drop": "worst-first", "buffer": "20 packets" }
    }
  ],
  "workload": [{ "name": "small", "sizes": "uniform", "load": [0.3, 0.6] }],
  "network": {
    "topology": { "name": "star", "hosts": 6, "rate": "1 Gbps" },
    "series": { "every": "1 ms", "links": ["switch>h1"], "flows": [0] },
    "duration": "20 ms",
    "warmup": "2 ms",
    "size_classes": ["10 KB", "100 KB"]
  },
  "repetitions": 2,
  "seed": 1
}
"#;

/// Two policies in a small network, over soon.
pub(crate) const NETWORK: &str = r#"
seed = 1
repetitions = 2
[network]
topology = { name = "star", hosts = 6, rate = "1 Gbps" }
duration = "20 ms"
warmup = "2 ms"

size_classes = ["10 KB", "100 KB"]
series = { every = "1 ms", links = ["switch>h1"], flows = [0] }

[[workload]]
name = "small"
sizes = "uniform"
load = [0.3, 0.6]

[[policy]]
name = "NewReno"
transport = "newreno"
port = { rank = "arrival", queue = "fifo", buffer = "50 packets" }

[[policy]]
name = "pFabric"
transport = "pfabric"
port = { rank = "srpt", queue = "pifo", drop = "worst-first", buffer = "20 packets" }
"#;
