//! A virtual machine with policies in it, and what its script says.

use forebay_linux::machine::{Machine, Output, Parts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A machine with `forebay`, `traffic`, `control`, and policies in `/p`, which are built.
pub(crate) struct Guest {
    machine: Machine,
}

/// The beginning of every script. `say LABEL ...` reports a line. `receive DEVICE` counts frames in the background. `received` ends
/// the counts of all devices and reports each as `received-DEVICE`. `control KIND PLACE VALUE` sets a number of a discipline's
/// `struct oq_control`.
const PRELUDE: &str = r#"
say() { echo "$@" >/dev/ttyS1; }
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6 2>/dev/null
echo 300000000 >/proc/sys/net/core/rmem_max
echo 100000 >/proc/sys/net/core/netdev_max_backlog
pair() {
	ip link add $1 type veth peer name $2
	ip link set $1 up
	ip link set $2 up
}
put() {
	device=$1 policy=$2
	shift 2
	forebay deploy /p/$policy/policy.oq --built /p/$policy --dev $device "$@" || say failed deploy $policy at $device
}
stats() { say "$1" "$(forebay stats --dev $2 --format json | tr '\n' ' ')"; }
shown() { say "$1" "$(tc -s -j qdisc show dev $2)"; }
pins() { ls /sys/fs/bpf/forebay 2>/dev/null | wc -l; }
receive() { rm -f /tmp/stop; traffic receive $1 /tmp/received-$1 /tmp/stop & receivers="$receivers $!"; sleep 1; }
received() { touch /tmp/stop; wait $receivers; for file in /tmp/received-*; do say ${file#/tmp/} $(cat $file); done; }
control() { kind=$1; shift; command control /sys/fs/bpf/forebay/$kind/control "$@" || say failed control $kind; }
drained() { for i in $(seq 100); do tc -s qdisc show dev $1 | grep backlog | grep -qv "backlog 0b 0p" || return; sleep 0.2; done; say failed drain $1; }
"#;

/// The end of every script.
const EPILOGUE: &str = r#"
say tainted $(cat /proc/sys/kernel/tainted)
say warnings $(dmesg | grep -c -E "WARNING|BUG|Oops|Call Trace")
"#;

/// Policies with which devices are tried, and where their fields come from. All have a port.
pub(crate) const POLICIES: [(&str, &[&str]); 6] = [
    ("fifo", &[]),
    ("srpt", &["--field", "processing=udp[8:1]"]),
    ("red", &[]),
    ("strict-priority", &["--field", "class=udp[9:1]&63"]),
    ("pifo", &["--field", "rank=udp[8:2]"]),
    ("lifo", &[]),
];

impl Guest {
    /// With policies, each with arguments of `forebay compile`; why there can be none.
    pub(crate) fn new(policies: &[(&str, &[&str])]) -> Result<Self, String> {
        let parts = Parts::find().map_err(|error| error.to_string())?;
        let mut machine = Machine::new(parts).map_err(|error| error.to_string())?;
        let folder = TempDir::new().unwrap();
        machine.program("forebay", Path::new(env!("CARGO_BIN_EXE_forebay"))).unwrap();
        for name in ["traffic", "control"] {
            machine.program(name, &program(name, folder.path())?).unwrap();
        }
        for (name, arguments) in policies {
            let built = folder.path().join(name);
            build(name, arguments, &built)?;
            for object in ["qdisc.bpf.o", "policy.bpf.o"] {
                machine.file(&format!("p/{name}/{object}"), &built.join(object)).unwrap();
            }
            machine.file(&format!("p/{name}/policy.oq"), &policy(name)).unwrap();
        }
        Ok(Self { machine })
    }

    /// The same, with a file.
    pub(crate) fn file(mut self, path: &str, content: &[u8]) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, content).unwrap();
        self.machine.file(path, &file).unwrap();
        self
    }

    /// The same, with a slower processor.
    pub(crate) fn slow(mut self) -> Self {
        self.machine.slow();
        self
    }

    /// Runs a script; what it has said, with the last lines: no warning of the kernel.
    #[track_caller]
    pub(crate) fn run(self, script: &str, seconds: u64) -> Said {
        let script = format!("{PRELUDE}{script}{EPILOGUE}");
        let output = self.machine.run(&script, Duration::from_secs(seconds)).unwrap();
        let said = Said::of(&output);
        assert!(!said.lines.contains_key("failed"), "{:?}\n{}", said.lines.get("failed"), output.console);
        assert_eq!((said.number("tainted"), said.number("warnings")), (0, 0), "{}", output.console);
        said
    }
}

/// The policy of this name: of these tests, or the repository's.
pub(crate) fn policy(name: &str) -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = crate_folder.join(format!("tests/kernel/{name}.oq"));
    if own.is_file() { own } else { crate_folder.join(format!("../../policies/{name}.oq")) }
}

/// Compiles a policy and builds it.
pub(crate) fn build(name: &str, arguments: &[&str], folder: &Path) -> Result<(), String> {
    let mut forebay = Command::new(env!("CARGO_BIN_EXE_forebay"));
    forebay.arg("compile").arg(policy(name)).args(["--target", "bpf", "--output"]).arg(folder).args(arguments);
    let output = forebay.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // As people do: the Makefile takes warnings for errors.
    let compiler = forebay_linux::kernel::compiler().map_err(|error| error.to_string())?;
    let made = Command::new("make").arg("--silent").arg("-C").arg(folder).env("CLANG", compiler).output().unwrap();
    assert!(made.status.success(), "{name}: {}", String::from_utf8_lossy(&made.stderr));
    Ok(())
}

/// Builds a program of these tests.
fn program(name: &str, folder: &Path) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/kernel/{name}.c"));
    let program = folder.join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-static", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(source);
    let output = compiler.output().map_err(|_| "there is no C compiler; install gcc".to_owned())?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(program)
}

/// Lines by their first word.
pub(crate) struct Said {
    lines: BTreeMap<String, Vec<String>>,
}

impl Said {
    fn of(output: &Output) -> Self {
        let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.written).lines() {
            let (label, rest) = line.split_once(' ').unwrap_or((line, ""));
            lines.entry(label.to_owned()).or_default().push(rest.to_owned());
        }
        Self { lines }
    }

    /// All lines of a label.
    #[track_caller]
    pub(crate) fn all(&self, label: &str) -> &[String] {
        self.lines.get(label).unwrap_or_else(|| panic!("nothing was said of {label}: {:?}", self.lines))
    }

    /// The only line of a label.
    #[track_caller]
    pub(crate) fn text(&self, label: &str) -> &str {
        let all = self.all(label);
        assert_eq!(all.len(), 1, "{label}: {all:?}");
        &all[0]
    }

    /// The numbers of the only line of a label.
    #[track_caller]
    pub(crate) fn numbers(&self, label: &str) -> Vec<u64> {
        let text = self.text(label);
        let parse = |word: &str| word.parse().unwrap_or_else(|_| panic!("{label}: {text}"));
        text.split_whitespace().map(parse).collect()
    }

    /// The first number of the only line of a label.
    #[track_caller]
    pub(crate) fn number(&self, label: &str) -> u64 {
        self.numbers(label)[0]
    }

    /// The sum of the first numbers of all lines of a label.
    #[track_caller]
    pub(crate) fn sum(&self, label: &str) -> u64 {
        let first = |line: &String| line.split_whitespace().next().unwrap_or_default().parse::<u64>().unwrap();
        self.all(label).iter().map(first).sum()
    }

    /// What `forebay stats` said.
    #[track_caller]
    pub(crate) fn stats(&self, label: &str) -> Stats {
        Stats(serde_json::from_str(self.text(label)).unwrap_or_else(|_| panic!("{label}: {}", self.text(label))))
    }

    /// The outputs of `forebay stats`, one for each call.
    #[track_caller]
    pub(crate) fn all_stats(&self, label: &str) -> Vec<Stats> {
        let stats = |text: &String| Stats(serde_json::from_str(text).unwrap_or_else(|_| panic!("{label}: {text}")));
        self.all(label).iter().map(stats).collect()
    }

    /// The numbers of `tc -s` for a device's discipline: packets and bytes that wait, packets dropped.
    #[track_caller]
    pub(crate) fn shown(&self, label: &str) -> (u64, u64, u64) {
        let all = self.all_shown(label);
        assert_eq!(all.values().map(Vec::len).sum::<usize>(), 1, "{label}: {all:?}");
        all.into_values().flatten().next().unwrap()
    }

    /// The same of a device with several, by their kinds.
    #[track_caller]
    pub(crate) fn all_shown(&self, label: &str) -> BTreeMap<String, Vec<(u64, u64, u64)>> {
        let all: Value =
            serde_json::from_str(self.text(label)).unwrap_or_else(|_| panic!("{label}: {}", self.text(label)));
        let mut by_kind: BTreeMap<String, Vec<_>> = BTreeMap::new();
        // Beside them is the place of programs that see packets before they are queued.
        for one in all.as_array().unwrap().iter().filter(|one| one["kind"] != "clsact") {
            let number = |name: &str| one[name].as_u64().unwrap();
            let shown = (number("qlen"), number("backlog"), number("drops"));
            by_kind.entry(one["kind"].as_str().unwrap().to_owned()).or_default().push(shown);
        }
        by_kind
    }
}

/// The output of `forebay stats --format json`.
pub(crate) struct Stats(Value);

impl Stats {
    /// A counter of the discipline.
    #[track_caller]
    pub(crate) fn packets(&self, name: &str) -> u64 {
        self.0["packets"][name].as_u64().unwrap_or_else(|| panic!("{}", self.0))
    }

    /// Packets that wait.
    pub(crate) fn waiting(&self) -> u64 {
        self.0["waiting"].as_u64().unwrap()
    }

    /// Bytes that wait in all queues of the policy.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.0["queues"].as_array().unwrap().iter().map(|queue| queue["bytes"].as_u64().unwrap()).sum()
    }

    /// Packets that wait under older versions.
    pub(crate) fn draining(&self) -> u64 {
        self.0["draining"].as_u64().unwrap()
    }

    /// Congestion notifications that the policies have decided on.
    pub(crate) fn notified(&self) -> u64 {
        self.0["counters"]["notified"].as_u64().unwrap()
    }

    fn queue(&self, name: &str) -> &Value {
        let queues = self.0["queues"].as_array().unwrap();
        queues.iter().find(|known| known["queue"] == name).unwrap_or_else(|| panic!("no {name}: {}", self.0))
    }

    /// Packets that were directed to a queue.
    pub(crate) fn arrived_at(&self, queue: &str) -> u64 {
        self.queue(queue)["arrived"].as_u64().unwrap()
    }

    /// Packets and bytes in the queues of this name, of all versions.
    pub(crate) fn inside(&self, queue: &str) -> (u64, u64) {
        let queue = self.queue(queue);
        (queue["packets"].as_u64().unwrap(), queue["bytes"].as_u64().unwrap())
    }

    /// Packets that the policies have dropped by a rule, by its number.
    pub(crate) fn dropped_by(&self, rule: usize) -> u64 {
        self.0["counters"]["dropped"][rule].as_u64().unwrap()
    }

    /// The version.
    pub(crate) fn version(&self) -> u64 {
        self.0["version"].as_u64().unwrap()
    }

    /// The value of a live parameter.
    pub(crate) fn parameter(&self, name: &str) -> f64 {
        let all = self.0["parameters"].as_array().unwrap();
        all.iter().find(|parameter| parameter["name"] == name).unwrap()["value"].as_f64().unwrap()
    }

    /// Packets that were dropped, by whatever name.
    pub(crate) fn dropped(&self) -> u64 {
        ["pushed_out", "refused", "no_place", "no_policy", "emptied"].iter().map(|name| self.packets(name)).sum()
    }

    /// Every packet that arrived was sent, dropped by a name, or waits.
    #[track_caller]
    pub(crate) fn check(&self) {
        assert_eq!(self.packets("arrived"), self.packets("sent") + self.dropped() + self.waiting(), "{}", self.0);
        // The counts of the policies' rules equal the count of the discipline.
        let rules = self.0["counters"]["dropped"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap());
        assert_eq!(rules.sum::<u64>(), self.packets("pushed_out") + self.packets("refused"), "{}", self.0);
    }
}
