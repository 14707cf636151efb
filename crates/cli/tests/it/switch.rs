//! `forebay switch` and `forebay ctl`: rejected input, and a switch of ports without wires that is queried, changed and stopped.

use crate::support::Folder;
use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const POLICY: &str = "param B = 8 pkts;\nq = Queue(B);\nout = Port(100);\n";
const VALUE: &str =
    "dear(p1, p2) = (p1.value > p2.value);\nq = Queue(8 pkts);\nq.procPrio = dear();\nout = Port(100);\n";
const BASE: [&str; 7] = ["switch", "--backend", "memory", "--port", "a", "--port", "b"];

/// A switch that runs in a folder; killed at the end.
struct Running<'a> {
    folder: &'a Folder,
    child: Child,
}

impl<'a> Running<'a> {
    fn start(folder: &'a Folder, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        command.args(BASE).args(["--control", "s", "--policy", "a.oq"]).args(arguments);
        command.current_dir(folder.path(".")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let begin = Instant::now();
        while folder.run(&["ctl", "--control", "s", "ports"]).status != 0 {
            assert!(begin.elapsed() < Duration::from_secs(20), "it answers");
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { folder, child }
    }

    fn ctl(&self, arguments: &[&str]) -> crate::support::Output {
        self.folder.run(&[&["ctl", "--control", "s"], arguments].concat())
    }

    /// Its status, standard output and standard error when it has ended.
    fn end(mut self) -> (i32, String, String) {
        let status = self.child.wait().unwrap().code().unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (status, out, err)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_switch_is_asked_changed_and_stopped() {
    let folder = Folder::new();
    folder.write("a.oq", POLICY).write("b.oq", POLICY).write("broken.oq", "q = Queue(8)\n");
    folder.write("ports.oq", "q[1..2] = Queue(8 pkts);\nfor i in 1..2 { out[i] = Port(100, q[i]); }\n");
    folder.write("value.oq", VALUE).write("long.oq", format!("{POLICY}{}", " ".repeat(1_100_000)));
    let switch =
        Running::start(&folder, &["--rate", "10Mbit", "--rate", "b=2 Gbps", "--record", "ops", "--tap", "t.pcap"]);
    let ports = switch.ctl(&["ports"]).ok();
    let lines: Vec<&str> = ports.lines().collect();
    assert!(lines.len() == 3 && lines[1].contains("10 Mbps") && lines[2].contains("2 Gbps"), "{ports}");
    let changed = switch.ctl(&["policy", "b.oq", "--param", "B=4", "--port", "b", "--transition", "rerank"]).ok();
    assert_eq!(changed, "port b: version 2; 0 packets carried over, 0 drain\n");
    assert_eq!(switch.ctl(&["policy", "b.oq"]).ok().lines().count(), 2);
    for (arguments, expected) in [
        (&["policy", "broken.oq"][..], "broken.oq:2:1"),
        (
            &["policy", "ports.oq"],
            "ports.oq: the policy has 2 ports, and the switch's ports run a policy with one port at each",
        ),
        (&["policy", "b.oq", "--port", "c"], "there is no port `c`; there are a, b"),
        (&["policy", "b.oq", "--param", "C=4"], "b.oq:"),
        (&["policy", "b.oq", "--param", "B"], "NAME=VALUE"),
        (&["policy", "value.oq"], "start the switch with --field value=udp[8:4]"),
        (&["policy", "long.oq"], "bytes, and a switch reads 1048576"),
        (&["policy", "none.oq"], "none.oq: cannot be read"),
    ] {
        let message = switch.ctl(arguments).refused();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let stats: Value = serde_json::from_str(&switch.ctl(&["stats", "--format", "json"]).ok()).unwrap();
    assert_eq!(
        (stats["ports"][0]["policy"]["version"].as_u64(), stats["ports"][1]["policy"]["version"].as_u64()),
        (Some(2), Some(3))
    );
    assert_eq!(stats["ports"][0]["queues"][0]["name"], "q");
    assert!(switch.ctl(&["stats"]).ok().contains("b: b.oq, version 3"));
    assert!(folder.run(&["ctl", "stats", "--control", "s"]).ok().contains("b: b.oq, version 3"), "in either place");
    assert_eq!(
        switch.ctl(&["rollback", "--transition", "rerank"]).ok(),
        "port a: version 3; 0 packets carried over, 0 drain\nport b: version 4; 0 packets carried over, 0 drain\n"
    );
    assert_eq!(switch.ctl(&["rollback"]).ok(), "port b: version 5; 0 packets carried over, 0 drain\n");
    assert!(switch.ctl(&["rollback"]).refused().contains("was not changed since the switch started"));
    assert!(switch.ctl(&["ports"]).ok().lines().skip(1).all(|line| line.contains("a.oq")));
    assert_eq!(switch.ctl(&["port", "add", "c"]).ok(), "port c: added; it runs a.oq\n");
    assert!(
        switch.ctl(&["port", "add", "c"]).refused().contains("`c` is a port of the switch already; there are a, b, c")
    );
    assert!(switch.ctl(&["ports"]).ok().lines().last().unwrap().contains("10 Mbps"), "the rate of all");
    assert_eq!(switch.ctl(&["port", "remove", "b"]).ok(), "port b: removed; 0 frames that waited were dropped\n");
    assert!(switch.ctl(&["port", "remove", "b"]).refused().contains("there is no port `b`; there are a, c"));
    assert!(switch.ctl(&["stats"]).ok().contains("1 ports were removed"));
    let arguments = [&BASE[..], &["--policy", "a.oq", "--control", "s"]].concat();
    assert!(folder.run(&arguments).refused().starts_with("s: another switch uses this control socket"));
    assert_eq!(switch.ctl(&["stop"]).ok(), "stopping; 0 frames wait\n");
    let (status, out, err) = switch.end();
    assert!(status == 0 && out.contains("received") && err.contains("stopping; 0 frames wait"), "{out}{err}");
    assert!(!folder.path("s").exists(), "nothing is left behind");
    assert!(folder.read("ops/b.ops").starts_with("change 2 rerank\nchange 3 drain\nchange 4 rerank\nchange 5 drain\n"));
    assert_eq!(std::fs::read(folder.path("t.pcap")).unwrap()[..4], 0xa1b2_3c4d_u32.to_le_bytes());
    let message = folder.run(&["ctl", "--control", "s", "stats"]).refused();
    assert!(message.starts_with("s: no switch is controlled here"), "{message}");
}

#[test]
fn a_switch_of_one_shared_memory_is_asked_changed_and_stopped() {
    let folder = Folder::new();
    let lqd = include_str!("../../../../policies/lqd.oq").replace("ports = 4", "ports = 2");
    folder.write("a.oq", &lqd).write("b.oq", lqd.replace("Port(100,", "Port(5 Mbps,")).write("one.oq", POLICY);
    let arguments = ["--rate", "b=10Mbit", "--field", "queue=egress", "--forward", "a=b", "--record", "ops"];
    let switch = Running::start(&folder, &arguments);
    let changed = switch.ctl(&["policy", "b.oq", "--param", "B=64 pkts", "--transition", "rerank"]).ok();
    assert_eq!(changed, "all ports: version 2; 0 packets carried over, 0 drain\n");
    for (arguments, expected) in [
        (
            &["policy", "a.oq", "--port", "b"][..],
            "a.oq: all 2 ports share one policy, and a change applies to all of them",
        ),
        (&["policy", "one.oq"], "one.oq: the policy has 1 port, and the switch's ports run one policy with several"),
        (&["policy", "a.oq", "--param", "ports=3"], "a.oq: the policy has 3 ports and the switch 2"),
    ] {
        let message = switch.ctl(arguments).refused();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let ports = switch.ctl(&["ports"]).ok();
    assert!(ports.lines().skip(1).all(|line| line.contains("b.oq") && line.contains(" 2 ")), "{ports}");
    let stats: Value = serde_json::from_str(&switch.ctl(&["stats", "--format", "json"]).ok()).unwrap();
    for (port, queue) in [(0, "q1"), (1, "q2")] {
        let queues = stats["ports"][port]["queues"].as_array().unwrap();
        assert!(queues.len() == 1 && queues[0]["name"] == queue, "{stats:#}");
    }
    switch.ctl(&["stop"]).ok();
    assert_eq!(switch.end().0, 0);
    assert_eq!(std::fs::read_dir(folder.path("ops")).unwrap().count(), 1);
    assert_eq!(folder.read("ops/switch.ops"), "change 2 rerank\n");
}

#[test]
fn signals_stop_it_and_one_that_was_killed_is_replaced() {
    let folder = Folder::new();
    folder.write("a.oq", POLICY);
    // `timeout` sends its signal twice, to the program and to its group.
    for (signal, times) in [("-INT", 1), ("-TERM", 1), ("-TERM", 2)] {
        let switch = Running::start(&folder, &["--format", "json"]);
        let kill = format!("kill {signal} {}\n", switch.child.id()).repeat(times);
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let (status, out, _) = switch.end();
        assert_eq!(status, 0);
        let stats: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(stats["ports"].as_array().unwrap().len(), 2);
        assert!(!folder.path("s").exists());
    }
    drop(Running::start(&folder, &[]));
    assert!(folder.path("s").exists(), "a switch that is killed leaves its socket");
    Running::start(&folder, &[]).ctl(&["stop"]).ok();
}

#[test]
fn what_cannot_be_is_refused_and_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("a.oq", POLICY).write("half.oq", "q = Queue(8 pkts);\nout = Port(50%);\n");
    folder.write("ports.oq", "q[1..2] = Queue(8 pkts);\nfor i in 1..2 { out[i] = Port(100, q[i]); }\n");
    folder.write("value.oq", VALUE);
    let two = ["--port", "a", "--port", "b"];
    for (arguments, expected) in [
        (&["--port", "a", "--policy", "a.oq"][..], "--port: a switch needs two interfaces"),
        (&["--port", "a", "--port", "a", "--policy", "a.oq"], "--port: `a` is given twice"),
        (&[&two[..], &["--policy", "none.oq"]].concat(), "none.oq: cannot be read"),
        (&[&two[..], &["--policy", "ports.oq"]].concat(), "ports.oq: the policy reads `queue` of packets"),
        (
            &[&two[..], &["--policy", "ports.oq", "--port", "c"]].concat(),
            "the policy has 2 ports and the switch 3; give",
        ),
        (
            &[&two[..], &["--policy", "ports.oq", "--field", "queue=dscp", "--forward", "a=b"]].concat(),
            "ports.oq: the policy has 2 ports and no field from `egress`",
        ),
        (
            &[&two[..], &["--policy", "half.oq"]].concat(),
            "half.oq: port `out` has 50% of its link; give the link's rate",
        ),
        (&[&two[..], &["--policy", "value.oq"]].concat(), "value.oq: the policy reads `value`"),
        (&[&two[..], &["--policy", "value.oq", "--field", "value=mark"]].concat(), "interfaces give no mark"),
        (&[&two[..], &["--policy", "a.oq", "--field", "worth=dscp"]].concat(), "--field: `worth` is not a field"),
        (&[&two[..], &["--policy", "a.oq", "--rate", "fast"]].concat(), "--rate: `fast` is not a rate"),
        (&[&two[..], &["--policy", "a.oq", "--rate", "c=1 Gbps"]].concat(), "--rate: `c` is not a port"),
        (
            &[&two[..], &["--policy", "a.oq", "--rate", "a=1Mbps", "--rate", "a=2Mbps"]].concat(),
            "--rate: `a=1Mbps` and `a=2Mbps` set the same value twice; give only one of them",
        ),
        (&[&two[..], &["--policy", "a.oq", "--rate", "1Mbps", "--rate", "2Mbps"]].concat(), "--rate: `1Mbps` and"),
        (
            &[&two[..], &["--policy", "a.oq", "--field", "queue=dscp", "--field", "queue=pcp"]].concat(),
            "--field: `queue=dscp` and `queue=pcp` set the same value twice",
        ),
        (&[&two[..], &["--policy", "a.oq", "--forward", "a"]].concat(), "--forward: `a` should be FROM=TO"),
        (&[&two[..], &["--policy", "a.oq", "--forward", "a=a"]].concat(), "never sent back"),
        (&[&two[..], &["--policy", "a.oq", "--backend", "dpkd"]].concat(), "--backend: unknown backend `dpkd`"),
        (&[&two[..], &["--policy", "a.oq", "--drain-for", "1"]].concat(), "--drain-for: `1` has no unit"),
        (&[&two[..], &["--policy", "a.oq", "--tap", "none/t.pcap"]].concat(), "none/t.pcap: cannot be written"),
        (
            &[&two[..], &["--policy", "a.oq", "--control", "none/s"]].concat(),
            "none/s: the control socket cannot be made: there is no such folder; make it, or name another path (--control)",
        ),
    ] {
        let message = folder.run(&[&["switch", "--backend", "memory", "--control", "s"], arguments].concat());
        // The last of two that are given counts.
        let message = if arguments.contains(&"--control") || arguments.contains(&"--backend") {
            folder.run(&[&["switch"], arguments].concat()).refused()
        } else {
            message.refused()
        };
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!folder.path("s").exists(), "{arguments:?}");
    }
    folder.write("broken.oq", "q = Queue(8)\n");
    let output = folder.run(&[&BASE[..], &["--policy", "broken.oq", "--control", "s"]].concat());
    assert_eq!(output.status, 2);
    assert!(output.stderr.ends_with("error: broken.oq: cannot be used; the errors are shown above\n"), "{output:?}");
}

#[test]
fn interfaces_that_cannot_be_opened_are_refused() {
    let folder = Folder::new();
    folder.write("a.oq", POLICY);
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    for backend in ["af-packet", "af-xdp"] {
        let open = |first: &str| {
            let ports = ["--port", first, "--port", "forebay-none"];
            let others = ["switch", "--backend", backend, "--policy", "a.oq", "--control", "s"];
            let message = folder.run(&[&others[..], &ports].concat()).refused();
            assert!(!folder.path("s").exists(), "nothing is left behind");
            message
        };
        if !is_root {
            assert!(open("lo").starts_with("--port lo: a packet socket: permission is denied; run as root, or give"));
            continue;
        }
        assert!(open("forebay-nil").starts_with("--port forebay-nil: there is no interface of this name"));
        assert!(open("lo").starts_with("--port lo: is not an Ethernet interface"));
        assert!(open("a-name-that-is-far-too-long").contains("there is no interface of this name"));
    }
}

#[test]
fn without_privileges_it_says_which_are_missing() {
    // As the user nobody, who may not look into the folder of this test: the policy comes on standard input.
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", env!("CARGO_BIN_EXE_forebay")]);
    let control = std::env::temp_dir().join(format!("forebay-switch-{}.sock", std::process::id()));
    command.args(["switch", "--port", "lo", "--port", "eth0", "--policy", "-", "--control"]).arg(&control);
    let folder = Folder::new();
    folder.write("a.oq", POLICY);
    let output = command.stdin(std::fs::File::open(folder.path("a.oq")).unwrap()).output();
    let Ok(output) = output else {
        println!("skipped: setpriv is missing; install util-linux");
        return;
    };
    let message = String::from_utf8(output.stderr).unwrap();
    if message.contains("setpriv:") {
        println!("skipped: only root can become another user who may run this program: {message}");
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{message}");
    let expected =
        "error: --port lo: a packet socket: permission is denied; run as root, or give the program CAP_NET_RAW\n";
    assert_eq!(message, expected);
    assert!(!control.exists());
}
