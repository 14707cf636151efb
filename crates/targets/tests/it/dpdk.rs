//! The target `dpdk`: every policy of `policies/` does the same as the reference engine, each packet a real one.

use crate::policies::policies;
use crate::program::{made, options, run};
use crate::same::{SEED, line, same_as};
use crate::traffic::{Kind, operations};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_lang::Policy;
use forebay_targets::headers::{Field, Mapping};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use tempfile::TempDir;

/// Arrivals for each policy; with departures and looks at states these are at least 20,000 operations.
const ARRIVALS: usize = 12_000;

/// Arguments for DPDK: memory and devices that need no permissions, and no files.
pub(crate) const EAL: [&str; 8] =
    ["--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "--log-level=error", "-m", "128", "-l"];

/// Whether DPDK is there; if not, says so.
pub(crate) fn can_compile() -> bool {
    let found = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    let can =
        found("cc", &["--version"]) && found("make", &["--version"]) && found("pkg-config", &["--exists", "libdpdk"]);
    if !can {
        // The test harness shows it with --nocapture.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: DPDK is not found by pkg-config, or there is no C compiler or make; \
             on Debian: apt-get install dpdk-dev pkg-config gcc make"
        );
    }
    can
}

/// The policy's program, in a folder that goes away with the first.
///
/// # Panics
/// If it cannot be made without warnings.
pub(crate) fn program(policy: &Policy, settings: &[&str]) -> (TempDir, PathBuf) {
    let mut options = options();
    for setting in settings {
        let (field, source) = Mapping::read_setting(setting).unwrap();
        options.mapping.set(field, source);
    }
    let folder = made("dpdk", policy, &options);
    let output = Command::new("make")
        .args(["--silent", "CFLAGS=-Og -Wall -Wextra -Werror"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let program = folder.path().join("policy");
    (folder, program)
}

/// A source for every field.
pub(crate) fn any_sources() -> Vec<String> {
    Field::ALL.map(|field| format!("{}=udp[8:4]", field.name())).to_vec()
}

#[test]
fn live_parameters_change_between_packets_of_dpdk() {
    if !can_compile() {
        return;
    }
    let text = "param K = 20 pkts; param P = 1/4; q = Queue(64 pkts); out = Port(100);\n\
                q.congestion(q) = (q.currSize > 2 * K, drop(1)).(q.currSize > K, drop(P), notify);\n";
    let live = ["K", "P"].map(str::to_owned);
    plays_the_same("live", &forebay_lang::analyse_live(text, &forebay_lang::Overrides::new(), &live).policy.unwrap());
}

/// Also where DPDK cannot start: there are no huge pages, most of the time.
#[test]
fn help_is_given_without_starting_anything() {
    if !can_compile() {
        return;
    }
    let text = "q = Queue(8 pkts); out = Port(100);\n";
    let analysis = forebay_lang::analyse(text, &forebay_lang::Overrides::new());
    let (_folder, program) = program(&analysis.policy.unwrap(), &[]);
    let output = Command::new(program).args(["--", "--rate", "1M", "--help"]).output().unwrap();
    let (said, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.starts_with("usage: ") && complaint.is_empty(), "{said}{complaint}");
}

#[test]
fn every_policy_does_the_same_with_packets_of_dpdk() {
    if !can_compile() {
        return;
    }
    let policies = policies();
    assert!(policies.len() >= 25, "only {} policies", policies.len());
    let rest = Mutex::new(policies.into_iter());
    // As many at once as there are cores: the compiler takes most of the time.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, Into::into) {
            scope.spawn(|| {
                loop {
                    let Some((name, policy)) = rest.lock().unwrap().next() else { return };
                    plays_the_same(&name, &policy);
                }
            });
        }
    });
}

fn plays_the_same(name: &str, policy: &Policy) {
    let sources = any_sources();
    let (_folder, program) = program(policy, &sources.iter().map(String::as_str).collect::<Vec<_>>());
    let traffic = operations(policy, Seed(3).stream(name), Kind::Plausible, ARRIVALS);
    let text: String = traffic.iter().map(line).collect();
    let seed = SEED.to_string();
    // That no packet of the pool is lost the program says by its status.
    let answers = run(&program, &[&EAL[..], &["0", "--", "--play", "--seed", &seed]].concat(), &text);
    let seen = same_as(&answers, Reference::new, policy, &traffic, name);
    assert!(traffic.len() >= 15_000, "{name}: only {} operations", traffic.len());
    assert!(seen.sent > 1_000 && seen.dropped > 0, "{name}: too little traffic to show anything: {seen:?}");
}
