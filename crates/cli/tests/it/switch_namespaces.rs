//! Hosts around a switch: network namespaces that a test makes, joined by virtual Ethernet, and removed at the end.

use crate::namespaces::{Guard, clean_up, wait_for_switch};
use crate::support::Folder;
use serde_json::Value;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Two senders and a receiver, each behind a port of a switch in a namespace of its own.
pub(crate) struct Hosts {
    prefix: String,
    switch: Option<Child>,
    backend: &'static str,
    folder: Folder,
    _guard: Guard,
}

/// `pa` and `pb` lead to the senders, `pr` to the receiver.
const PORTS: [(&str, &str); 3] = [("a", "10.77.0.1"), ("b", "10.77.0.2"), ("r", RECEIVER)];
pub(crate) const RECEIVER: &str = "10.77.0.3";

/// Tests with hosts run one after the other, since all want the processors.
pub(crate) static ALONE: Mutex<()> = Mutex::new(());

/// Why there cannot be any, if there cannot.
pub(crate) fn missing(backend: &str) -> Option<&'static str> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if Command::new("id").arg("-u").output().ok()?.stdout != b"0\n" {
        return Some("only root can make network namespaces");
    }
    if Command::new("ip").arg("-V").output().is_err() {
        return Some("`ip` is missing; install iproute2");
    }
    if !there("iperf3") {
        return Some("`iperf3` is missing; install iperf3");
    }
    let name = format!("fb{}{backend}", std::process::id());
    let works = |words: &[&str]| Command::new("ip").args(words).output().is_ok_and(|output| output.status.success());
    let made = works(&["netns", "add", &name]);
    let joined = made && works(&["-n", &name, "link", "add", "v0", "type", "veth", "peer", "name", "v1"]);
    works(&["netns", "del", &name]);
    match (made, joined) {
        (true, true) => None,
        (false, _) => Some("network namespaces cannot be made here; the kernel or its container forbids it"),
        (true, false) => Some("virtual Ethernet (veth) cannot be made here; load the kernel's module veth"),
    }
}

#[track_caller]
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

impl Hosts {
    pub(crate) fn new(backend: &'static str) -> Self {
        let letter = if backend == "af-xdp" { 'x' } else { 'p' };
        clean_up();
        let prefix = format!("fb{}{letter}", std::process::id());
        let folder = Folder::new();
        let all: Vec<String> = ["s", "a", "b", "r"].map(|host| format!("{prefix}{host}")).into();
        let hosts = Self { _guard: Guard::new(&all, &folder.path("")), prefix, switch: None, backend, folder };
        let switch = hosts.namespace("s");
        run(Command::new("ip").args(["netns", "add", &switch]));
        for (host, address) in PORTS {
            let (name, port) = (hosts.namespace(host), format!("p{host}"));
            run(Command::new("ip").args(["netns", "add", &name]));
            let ip = |namespace: &str, words: &str| {
                run(Command::new("ip").args(["-n", namespace]).args(words.split(' ')));
            };
            ip(&switch, &format!("link add {port} type veth peer name e0 netns {name}"));
            for (namespace, link) in [(&switch, port.as_str()), (&name, "e0")] {
                let setting = format!("net.ipv6.conf.{link}.disable_ipv6=1");
                run(Command::new("ip").args(["netns", "exec", namespace, "sysctl", "-qw", &setting]));
                ip(namespace, &format!("link set {link} up"));
            }
            ip(&name, &format!("addr add {address}/24 dev e0"));
            let ecn = "net.ipv4.tcp_ecn=1";
            run(Command::new("ip").args(["netns", "exec", &name, "sysctl", "-qw", ecn]));
        }
        hosts
    }

    fn namespace(&self, host: &str) -> String {
        format!("{}{host}", self.prefix)
    }

    /// A command in the namespace of a host.
    pub(crate) fn command(&self, host: &str, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespace(host), program]);
        command
    }

    /// Starts the switch; an error if the kernel has no such sockets.
    pub(crate) fn start_switch(&mut self, policy: &str, arguments: &[&str]) -> Result<(), &'static str> {
        self.folder.write("first.oq", policy);
        let mut command = self.command("s", env!("CARGO_BIN_EXE_forebay"));
        command.args(["switch", "--backend", self.backend, "--control", "s", "--policy", "first.oq"]);
        for (host, _) in PORTS {
            command.args(["--port", &format!("p{host}")]);
        }
        command.args(arguments).current_dir(self.folder.path("."));
        let log = std::fs::File::create(self.folder.path("log")).unwrap();
        command.stdout(Stdio::null()).stderr(log);
        self.switch = Some(command.spawn().unwrap());
        let pace = [Duration::from_millis(20), Duration::from_secs(10)];
        wait_for_switch(&self.folder, pace, || self.folder.run(&["ctl", "--control", "s", "ports"]).status == 0)
    }

    /// The messages of a second switch that is started on the interfaces of the first one.
    pub(crate) fn another_switch(&self) -> String {
        let mut command = self.command("s", env!("CARGO_BIN_EXE_forebay"));
        command.args([
            "switch",
            "--backend",
            self.backend,
            "--control",
            "other",
            "--policy",
            "first.oq",
            "--port",
            "pa",
            "--port",
            "pr",
        ]);
        let output = command.current_dir(self.folder.path(".")).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Puts another policy in the place of the one that runs.
    pub(crate) fn change(&self, policy: &str) {
        self.folder.write("next.oq", policy);
        self.folder.run(&["ctl", "--control", "s", "policy", "next.oq"]).ok();
    }

    /// The counters of the port to the receiver.
    pub(crate) fn stats(&self) -> Value {
        let text = self.folder.run(&["ctl", "--control", "s", "stats", "--format", "json"]).ok();
        let stats: forebay_linux::switch::Stats = serde_json::from_str(&text).unwrap();
        stats.check().unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    }

    /// Asks the switch to stop; what it wrote on standard error.
    pub(crate) fn stop_switch(&mut self) -> String {
        self.folder.run(&["ctl", "--control", "s", "stop"]).ok();
        let status = self.switch.take().unwrap().wait().unwrap();
        assert!(status.success(), "{status}: {}", self.folder.read("log"));
        self.folder.read("log")
    }

    /// Kills the switch, so that it can clean nothing up.
    pub(crate) fn kill_switch(&mut self) {
        let mut switch = self.switch.take().unwrap();
        switch.kill().unwrap();
        switch.wait().unwrap();
    }

    /// Whether the interfaces of the switch have a program.
    pub(crate) fn has_program(&self) -> bool {
        let output = run(Command::new("ip").args(["-n", &self.namespace("s"), "link"]));
        String::from_utf8_lossy(&output.stdout).contains("xdp")
    }

    /// Deletes the interface of the switch that leads to the receiver.
    pub(crate) fn delete_link(&self) {
        run(Command::new("ip").args(["-n", &self.namespace("s"), "link", "del", "pr"]));
    }

    /// Makes it again, with the receiver's address.
    pub(crate) fn make_link(&self) {
        let (switch, receiver) = (self.namespace("s"), self.namespace("r"));
        let ip = |words: String| run(Command::new("ip").args(words.split(' ')));
        ip(format!("-n {switch} link add pr type veth peer name e0 netns {receiver}"));
        for (namespace, link) in [(&switch, "pr"), (&receiver, "e0")] {
            let setting = format!("net.ipv6.conf.{link}.disable_ipv6=1");
            run(Command::new("ip").args(["netns", "exec", namespace, "sysctl", "-qw", &setting]));
            ip(format!("-n {namespace} link set {link} up"));
        }
        ip(format!("-n {receiver} addr add {RECEIVER}/24 dev e0"));
    }

    /// Waits until the switch says this of the interface to the receiver.
    #[track_caller]
    pub(crate) fn wait_until(&self, link: &str) {
        let begin = Instant::now();
        while self.stats()["ports"][2]["link"] != link {
            assert!(begin.elapsed() < Duration::from_secs(10), "{}", self.folder.read("log"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Joins `a` and the receiver by a tunnel; the receiver's address in it, if the kernel has such tunnels.
    pub(crate) fn tunnel(&self, number: u8, kind: &str) -> Option<String> {
        let ends = PORTS.map(|(_, address)| address);
        for (host, own, other, last) in [("a", ends[0], ends[2], 1), ("r", ends[2], ends[0], 3)] {
            let namespace = self.namespace(host);
            let ip = |words: &str| {
                let words = format!("-n {namespace} {words}");
                Command::new("ip").args(words.split(' ')).output().is_ok_and(|output| output.status.success())
            };
            let local = if kind.starts_with("geneve") { String::new() } else { format!(" local {own}") };
            if !ip(&format!("link add t{number} type {kind} remote {other}{local}")) {
                return None;
            }
            assert!(ip(&format!("addr add 10.78.{number}.{last}/24 dev t{number}")));
            assert!(ip(&format!("link set t{number} up")));
        }
        Some(format!("10.78.{number}.3"))
    }

    /// Lets senders send at the same time; what iperf3 says of each. Each is a host and options.
    pub(crate) fn iperf(&self, senders: &[(&str, &str)]) -> Vec<Value> {
        self.iperf_to(RECEIVER, senders)
    }

    /// The same to another address of the receiver.
    pub(crate) fn iperf_to(&self, address: &str, senders: &[(&str, &str)]) -> Vec<Value> {
        let servers: Vec<Child> = (0..senders.len())
            .map(|number| {
                let mut server = self.command("r", "iperf3");
                server.args(["-s", "-1", "-p", &(5_300 + number).to_string()]);
                server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let clients: Vec<Child> = senders
            .iter()
            .enumerate()
            .map(|(number, (host, options))| {
                let mut client = self.command(host, "timeout");
                client.args(["20", "iperf3", "-J", "-c", address, "-p", &(5_300 + number).to_string()]);
                client.args(options.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let outputs: Vec<Output> = clients.into_iter().map(|client| client.wait_with_output().unwrap()).collect();
        for mut server in servers {
            // Its only client is gone.
            let _ = server.kill();
            let _ = server.wait();
        }
        let read = |output: Output| {
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_str(&text).unwrap()
        };
        outputs.into_iter().map(read).collect()
    }

    /// Lets a sender send three frames with a VLAN tag to an address that nobody has.
    pub(crate) fn send_tagged(&self) -> Result<(), &'static str> {
        self.send(3)
    }

    /// The same, so many.
    pub(crate) fn send(&self, frames: u32) -> Result<(), &'static str> {
        const PROGRAM: &str = "import socket, sys\n\
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)\n\
            s.bind(('e0', 0))\n\
            head = bytes.fromhex('020000000099' '020000000098' '8100a007' '88b5')\n\
            [s.send(head + bytes(60) + b'tagged') for _ in range(int(sys.argv[1]))]";
        let mut command = self.command("a", "python3");
        let Ok(output) = command.args(["-c", PROGRAM, &frames.to_string()]).output() else {
            return Err("`ip` is missing");
        };
        std::thread::sleep(Duration::from_millis(100));
        if output.status.success() { Ok(()) } else { Err("`python3` is missing; install python3") }
    }

    /// Lets an interface of a host, or of the switch (`s`), be `up` or `down`, or `mtu 9000`.
    pub(crate) fn set_link(&self, host: &str, link: &str, to: &str) {
        run(Command::new("ip").args(["-n", &self.namespace(host), "link", "set", link]).args(to.split(' ')));
    }

    /// Frames that arrived at the receiver's interface.
    pub(crate) fn frames_received(&self) -> u64 {
        let output = run(self.command("r", "cat").arg("/proc/net/dev"));
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find_map(|line| line.trim().strip_prefix("e0:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// A file that the switch has written.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.path(name)).unwrap()
    }

    /// The answers of a policy's C program to operations.
    fn play(&self, policy: &str, operations: &str) -> Result<String, &'static str> {
        self.folder.run(&["compile", policy, "-o", "program"]).ok();
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-o", "play", "program/main.c"]).current_dir(self.folder.path("."));
        if compiler.output().is_err() {
            return Err("`cc` is missing; install gcc");
        }
        self.folder.write("operations", operations);
        let input = std::fs::File::open(self.folder.path("operations")).unwrap();
        let output = run(Command::new(self.folder.path("play")).arg("1").stdin(input));
        Ok(String::from_utf8(output.stdout).unwrap())
    }

    /// Holds the departures of a recording under the first policy equal to those of that policy's C program, which plays the
    /// operations. How many they are.
    pub(crate) fn check_recording(&self, operations: &str) -> usize {
        let recorded = operations.lines().filter_map(|line| line.split_once(" sent ").map(|(_, it)| it));
        let recorded: Vec<&str> = recorded.collect();
        match self.play("first.oq", operations) {
            Ok(answers) => {
                let sent = answers.lines().filter_map(|line| line.strip_prefix("sent ")?.split_once(" |"));
                assert_eq!(sent.map(|(packet, _)| packet).collect::<Vec<_>>(), recorded);
            }
            Err(why) => println!("skipped in part: {why}"),
        }
        recorded.len()
    }

    /// Packets that the receiver got with "congestion experienced".
    pub(crate) fn congestion_experienced(&self) -> u64 {
        self.counter("/proc/net/netstat", "IpExt:", "InCEPkts")
    }

    /// Datagrams that the receiver got and had no room for.
    pub(crate) fn udp_overruns(&self) -> u64 {
        self.counter("/proc/net/snmp", "Udp:", "RcvbufErrors")
    }

    /// A counter of the receiver's kernel: two lines of a file, names and numbers.
    fn counter(&self, file: &str, group: &str, name: &str) -> u64 {
        let output = run(self.command("r", "cat").arg(file));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines = text.lines().filter(|line| line.starts_with(group));
        let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
        let found = names.split(' ').zip(values.split(' ')).find(|(known, _)| *known == name);
        found.unwrap().1.parse().unwrap()
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        if let Some(mut switch) = self.switch.take() {
            let _ = switch.kill();
            let _ = switch.wait();
        }
        for host in ["s", "a", "b", "r"] {
            let _ = Command::new("ip").args(["netns", "del", &self.namespace(host)]).output();
        }
    }
}
