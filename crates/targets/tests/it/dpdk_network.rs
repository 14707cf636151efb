//! The target `dpdk` between real interfaces: network namespaces with pairs of virtual Ethernet, and frames both ways.

use crate::dpdk::{EAL, can_compile, program};
use forebay_lang::{Overrides, analyse};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A policy that drops under overload: the longest of some queues loses.
const POLICY: &str = "\
longest(q1, q2) = (q1.currSize > q2.currSize);
q[1..4] = Queue(20 pkts);
b = Buffer(30 pkts);
q[1..4].admPrio = rfifo();
b.admPrio = longest();
out = Port(100);
classify(p) = (true, enter(q[mod(p.flow, 4) + 1]));
";

/// A policy with a port for each side, and a buffer for both.
const BOTH: &str = "\
longest(q1, q2) = (q1.currSize > q2.currSize);
q[1..2] = Queue(20 pkts);
b = Buffer(30 pkts);
b.admPrio = longest();
out[1] = Port(100, q[1]);
out[2] = Port(50, q[2]);
classify(p) = (p.queue == 2, enter(q[2])).(true, enter(q[1]));
";

/// Frames that each side sends.
const FRAMES: u64 = 4_000;

/// Network namespaces, which go away with it: two ends, and a middle with an interface to each.
struct Namespaces {
    names: [String; 3],
}

fn quiet(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

impl Namespaces {
    /// Makes them; `None` if that is not allowed here.
    fn new() -> Option<Self> {
        let names = ["left", "right", "middle"].map(|name| format!("fbd{}{name}", std::process::id()));
        let made = Self { names };
        let [left, right, middle] = &made.names;
        for name in &made.names {
            if !quiet("ip", &["netns", "add", name]) {
                return None;
            }
            let settings = ["all", "default"].map(|which| format!("net.ipv6.conf.{which}.disable_ipv6=1"));
            quiet("ip", &["netns", "exec", name, "sysctl", "-qw", &settings[0], &settings[1]]);
        }
        for (end, to, own, other) in [(left, "left", 1, 2), (right, "right", 2, 1)] {
            let [address, neighbour] = [own, other].map(|number| format!("10.77.0.{number}"));
            let [own, other] = [own, other].map(|number| format!("02:00:00:00:00:0{number}"));
            let done = quiet("ip", &["-n", middle, "link", "add", to, "type", "veth", "peer", "end", "netns", end])
                && quiet("ip", &["-n", middle, "link", "set", to, "up"])
                && quiet("ip", &["-n", end, "link", "set", "end", "up", "address", &own])
                && quiet("ip", &["-n", end, "addr", "add", &format!("{address}/24"), "dev", "end"])
                && quiet("ip", &["-n", end, "neigh", "add", &neighbour, "lladdr", &other, "dev", "end"]);
            if !done {
                return None;
            }
        }
        Some(made)
    }

    fn run(&self, namespace: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[namespace], program]);
        command
    }

    /// A counter of an interface.
    fn count(&self, namespace: usize, interface: &str, what: &str) -> u64 {
        let file = format!("/sys/class/net/{interface}/statistics/{what}");
        let output = self.run(namespace, "cat").arg(file).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        for name in &self.names {
            quiet("ip", &["netns", "delete", name]);
        }
    }
}

/// A program that is stopped when it goes out of scope.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Waits until the program runs.
    pub(crate) fn begin(&mut self) {
        let mut errors = BufReader::new(self.0.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("running on 2 ports") {
            said.clear();
            assert_ne!(errors.read_line(&mut said).unwrap(), 0, "the program ended");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn signal(child: &Child, name: &str) {
    assert!(quiet("kill", &["-s", name, &child.id().to_string()]));
}

pub(crate) fn next_line(reader: &mut BufReader<ChildStdout>) -> Value {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The sum of the numbers of an object, or of one number of each element of a list.
pub(crate) fn sum(value: &Value, of: &str) -> u64 {
    match value {
        Value::Object(all) => all.values().filter_map(Value::as_u64).sum(),
        Value::Array(all) => all.iter().filter_map(|each| each[of].as_u64()).sum(),
        _ => panic!("{value}"),
    }
}

/// Each frame that was received was sent, was dropped by a rule, or is still there.
pub(crate) fn all_accounted_for(report: &Value) {
    for lane in report["lanes"].as_array().unwrap() {
        let [received, waiting] = ["received", "waiting"].map(|name| lane[name].as_u64().unwrap());
        let gone = sum(&lane["dropped"], "") + sum(&lane["ports"], "sent");
        assert_eq!(received, gone + sum(&lane["ports"], "kept") + waiting, "{lane}");
        let queues = &lane["queues"];
        let [entered, left] = ["entered", "left"].map(|name| sum(queues, name));
        assert_eq!(entered, left + sum(queues, "pushed_out") + waiting, "{lane}");
        assert_eq!(left, sum(&lane["ports"], "sent") + sum(&lane["ports"], "kept"), "{lane}");
    }
}

/// Sends from several ports, as fast as a shell does.
fn sender(namespaces: &Namespaces, from: usize, to: &str) -> Child {
    let script = format!(
        "printf -v text '%0300d' 0; for port in 5001 5002 5003 5004; do exec 3>/dev/udp/{to}/$port; \
         for ((i = 0; i != {}; i++)); do printf %s $text >&3; done 2>/dev/null; done",
        FRAMES / 4
    );
    namespaces.run(from, "bash").args(["-c", &script]).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn frames_between_interfaces_are_all_accounted_for() {
    if !can_compile() {
        return;
    }
    let Some(namespaces) = Namespaces::new() else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: network namespaces cannot be made; run as root, with iproute2 and veth"
        );
        return;
    };
    let made = |text: &str, settings: &[&str]| {
        let analysis = analyse(text, &Overrides::new());
        program(&analysis.policy.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics)), settings)
    };
    // One core for all, and one for each way; then a policy with two ports, which find each other by the receiver's address.
    let (_folder, program) = made(POLICY, &[]);
    between(&namespaces, &program, "0", 2);
    between(&namespaces, &program, "(0,1)@0", 2);
    let (_folder, program) = made(BOTH, &["queue=ip[19:1]"]);
    between(&namespaces, &program, "0", 1);
}

fn between(namespaces: &Namespaces, program: &Path, cores: &str, lanes: usize) {
    const MIDDLE: usize = 2;
    let before = |name| namespaces.count(MIDDLE, name, "rx_packets");
    let before = before("left") + before("right");
    let sent_before = namespaces.count(0, "end", "rx_packets") + namespaces.count(1, "end", "rx_packets");
    let mut eal = EAL.to_vec();
    eal.pop();
    // Rings in which all frames have room: those that the kernel drops before DPDK sees them DPDK does not count.
    let devices = [(0, "left"), (1, "right")]
        .map(|(number, name)| format!("--vdev=net_af_packet{number},iface={name},framecnt=8192"));
    let mut running = Running(
        namespaces
            .run(MIDDLE, program.to_str().unwrap())
            .args(eal)
            .args(["--lcores", cores, &devices[0], &devices[1]])
            .args(["--", "--json", "--rate", "40M"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut lines = BufReader::new(running.0.stdout.take().unwrap());
    running.begin();
    let mut senders = [sender(namespaces, 0, "10.77.0.2"), sender(namespaces, 1, "10.77.0.1")];
    // In the midst of it, with packets that wait.
    std::thread::sleep(Duration::from_millis(100));
    signal(&running.0, "USR1");
    let midst = next_line(&mut lines);
    if cores == "0" {
        all_accounted_for(&midst);
    }
    senders.iter_mut().for_each(|sender| assert!(sender.wait().unwrap().success()));
    std::thread::sleep(Duration::from_millis(200));
    signal(&running.0, "TERM");
    let report = next_line(&mut lines);
    let end = next_line(&mut lines);
    assert!(running.0.wait().unwrap().success());
    all_accounted_for(&report);
    assert_eq!(end["not_given_back"], 0, "{end}");
    assert_eq!(report["lanes"].as_array().unwrap().len(), lanes);
    let lanes = report["lanes"].as_array().unwrap();
    let received = sum(&report["lanes"], "received");
    let seen =
        namespaces.count(MIDDLE, "left", "rx_packets") + namespaces.count(MIDDLE, "right", "rx_packets") - before;
    assert_eq!(received + sum(&report["missed"], "packets"), seen, "{report}");
    let sent: u64 = lanes.iter().map(|lane| sum(&lane["ports"], "sent")).sum();
    let came = namespaces.count(0, "end", "rx_packets") + namespaces.count(1, "end", "rx_packets") - sent_before;
    assert_eq!(sent, came, "{report}");
    let seconds = report["ns"].as_f64().unwrap() / 1e9;
    for lane in lanes {
        assert!(sum(&lane["dropped"], "") > 100, "too little traffic: {lane}");
        for (place, port) in lane["ports"].as_array().unwrap().iter().enumerate() {
            // The second port of `BOTH` has half of its link.
            let rate = if place == 1 { 2e7 } else { 4e7 };
            let bits = 8 * port["sent_bytes"].as_u64().unwrap();
            assert!(port["sent"].as_u64().unwrap() > 40, "too little traffic: {lane}");
            assert!(bits as f64 <= rate * seconds * 1.01 + 2e4, "faster than the link: {bits} bits in {seconds} s");
        }
    }
}
