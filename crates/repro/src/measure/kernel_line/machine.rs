//! The virtual machine: a sender, a switch and a receiver in a line.

use super::run::Run;
use super::setting::{MEGABITS, Setting};
use super::{DISCIPLINES, ROOM};
use crate::Experiment;
use crate::policy::policy;
use forebay::error::{Result, UserError};
use forebay_core::registry::find;
use forebay_linux::machine::{Machine, Parts};
use forebay_targets::{TARGETS, TargetOptions};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

const NO_COMPILER: &str = "there is no C compiler; install gcc";
/// The machine is emulated: it is slow, and slower beside other work.
const TIMEOUT: Duration = Duration::from_secs(1_200);

/// Two pairs of devices, s0 in the namespace `sender` with m0, and m1 with r0 in the namespace `receiver`. Packets for 10.0.1.9
/// are forwarded to a link address that the receiver does not have, so that it does nothing with them but count.
const PRELUDE: &str = r#"
say() { echo "$@" >/dev/ttyS1; }
wrong() { say wrong: "$@"; exit 1; }
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6 2>/dev/null
mkdir -p /run/netns
ip netns add sender && ip netns add receiver || wrong network namespaces
ip link add m0 type veth peer name s0 netns sender || wrong a pair of devices
ip link add m1 type veth peer name r0 netns receiver || wrong a pair of devices
ip -n sender addr add 10.0.0.1/24 dev s0
ip addr add 10.0.0.2/24 dev m0
ip addr add 10.0.1.2/24 dev m1
ip -n sender link set s0 up
ip -n receiver link set r0 up
ip link set m0 up
ip link set m1 up
echo 1 >/proc/sys/net/ipv4/ip_forward
ip neigh add 10.0.1.9 lladdr 02:00:00:00:00:09 dev m1 nud permanent
ip -n sender neigh add 10.0.0.2 lladdr $(cat /sys/class/net/m0/address) dev s0 nud permanent
ip -n sender route add default via 10.0.0.2 || wrong a route
mtu() {
	ip -n sender link set s0 mtu $1
	ip link set m0 mtu $1
	ip link set m1 mtu $1
	ip -n receiver link set r0 mtu $1
}
run() {
	mtu $3
	said=$(clients sender 10.0.1.9 receiver r0 $4 $5 $6 $7 2>&1) || wrong the clients: $said
	say run $1 $2 $said
}
"#;

/// The machine with the programs.
pub(super) struct Line {
    machine: Machine,
    _folder: TempDir,
}

impl Line {
    /// With the policies of an experiment; why there can be none.
    pub(super) fn new(experiment: &Experiment) -> Result<Self> {
        let text = |error: forebay_linux::machine::Error| UserError::new(error.to_string());
        let mut machine = Machine::new(Parts::find().map_err(text)?).map_err(text)?;
        let itself = std::env::current_exe().map_err(|error| UserError::at("this program", error.to_string()))?;
        machine.program("forebay", &itself).map_err(text)?;
        let folder = tempfile::tempdir().map_err(|error| UserError::at("a temporary folder", error.to_string()))?;
        let clients = folder.path().join("clients");
        build_clients(folder.path(), &clients)?;
        machine.program("clients", &clients).map_err(text)?;
        for name in &DISCIPLINES[1..] {
            let built = folder.path().join(name);
            build_policy(experiment, name, &built)?;
            for object in ["qdisc.bpf.o", "policy.bpf.o"] {
                machine.file(&format!("p/{name}/{object}"), &built.join(object)).map_err(text)?;
            }
            machine.text(&format!("p/{name}/{name}.oq"), experiment.file(&format!("{name}.oq"))?);
        }
        Ok(Self { machine, _folder: folder })
    }

    /// All disciplines in all settings with all seeds.
    pub(super) fn run(self, settings: &[Setting], seeds: &[u64]) -> Result<Vec<Run>> {
        let output =
            self.machine.run(&script(settings, seeds), TIMEOUT).map_err(|error| UserError::new(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.written);
        if let Some(wrong) = said.lines().find(|line| line.starts_with("wrong")) {
            let error = output.console.lines().find(|line| line.contains("rror")).unwrap_or_default();
            return Err(UserError::new(format!("in the virtual machine, {wrong}: {error}")));
        }
        if let Some(warning) = output.console.lines().find(|line| line.contains("WARNING:")) {
            return Err(UserError::new(format!("the kernel of the virtual machine warns: {warning}")));
        }
        said.lines().filter_map(|line| line.strip_prefix("run ")).map(|line| Run::read(line, settings)).collect()
    }
}

fn script(settings: &[Setting], seeds: &[u64]) -> String {
    // What goes wrong ends the parenthesis, and not the machine.
    let mut script = format!("({PRELUDE}");
    for discipline in DISCIPLINES {
        for is_paced in [true, false] {
            script.push_str(&put(discipline, is_paced));
            for (place, setting) in (0..).zip(settings).filter(|(_, setting)| setting.is_paced == is_paced) {
                let Setting { clients, datagrams, gap_us, .. } = setting;
                for seed in seeds {
                    let mtu = setting.mtu();
                    script.push_str(&format!("run {discipline} {place} {mtu} {clients} {datagrams} {gap_us} {seed}\n"));
                }
            }
            script.push_str(match discipline {
                "pfifo" => "tc qdisc del dev m1 root\n",
                _ => "forebay undeploy --dev m1 || wrong forebay undeploy\n",
            });
        }
    }
    script + ")\n"
}

/// Puts a discipline at the port.
fn put(discipline: &str, is_paced: bool) -> String {
    match (discipline, is_paced) {
        ("pfifo", true) => format!(
            "tc qdisc add dev m1 root handle 1: tbf rate {MEGABITS}mbit burst 1600 limit 100000000 || \
             wrong no tbf, fetch the module sch_tbf with cargo xtask fetch-kernel\n\
             tc qdisc add dev m1 parent 1:1 pfifo limit {ROOM} || wrong tc pfifo\n"
        ),
        ("pfifo", false) => format!("tc qdisc add dev m1 root pfifo limit {ROOM} || wrong tc pfifo\n"),
        (name, _) => {
            let rate = if is_paced { format!(" --rate {MEGABITS}Mbps") } else { String::new() };
            format!("forebay deploy /p/{name}/{name}.oq --built /p/{name} --dev m1{rate} || wrong forebay deploy\n")
        }
    }
}

/// Compiles a policy for the kernel, and builds it.
fn build_policy(experiment: &Experiment, name: &str, folder: &Path) -> Result<()> {
    let policy = policy(experiment, name, &Vec::new())?;
    let target = find("target", TARGETS, "bpf").map_err(|error| UserError::new(error.to_string()))?;
    let files = target.emit(&policy, &TargetOptions::default()).map_err(|refusals| {
        let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        UserError::at(format!("{name}.oq"), reasons.join("; "))
    })?;
    let io = |error: std::io::Error| UserError::io(folder, "written", &error);
    std::fs::create_dir(folder).map_err(io)?;
    for file in files {
        std::fs::write(folder.join(file.name), file.text).map_err(io)?;
    }
    forebay_linux::kernel::build(folder).map(drop).map_err(|error| UserError::new(error.to_string()))
}

/// Why it cannot be measured here.
pub(super) fn missing() -> Option<String> {
    let programs = forebay_linux::kernel::can_load().and_then(|()| forebay_linux::kernel::compiler().map(drop));
    let machine = || Parts::find().and_then(Machine::new);
    let lacks = programs.err().map(|error| error.to_string());
    lacks.or_else(|| machine().err().map(|error| error.to_string())).or_else(no_compiler)
}

/// That there is no compiler for the program that makes traffic, if so.
fn no_compiler() -> Option<String> {
    let is_there = Command::new("cc").arg("--version").output().is_ok();
    (!is_there).then(|| NO_COMPILER.to_owned())
}

/// Builds the program that makes traffic.
fn build_clients(folder: &Path, program: &Path) -> Result<()> {
    let source = folder.join("clients.c");
    std::fs::write(&source, include_str!("clients.c")).map_err(|error| UserError::io(&source, "written", &error))?;
    let output = Command::new("cc").args(["-O1", "-static", "-o"]).arg(program).arg(&source).arg("-lm").output();
    let output = output.map_err(|_| UserError::new(NO_COMPILER))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| line.contains("error")).or(said.lines().next());
    if output.status.success() {
        Ok(())
    } else {
        Err(UserError::at("the clients' program cannot be built", first.unwrap_or("cc does not say why")))
    }
}
