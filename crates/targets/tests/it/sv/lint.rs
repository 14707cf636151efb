//! Verilator has no warning about what is made of the policies of the library; those that hardware cannot run are known.

use super::policy;
use super::tools::{run, verilator};
use crate::policies::policies;
use crate::program::made;
use forebay_core::registry::find;
use forebay_targets::sv::emit_pair;
use forebay_targets::{TARGETS, TargetOptions};
use std::process::Command;

/// The policies of the library that hardware does not run.
const REFUSED: [&str; 7] = [
    "discard-eligible",
    "drop-front",
    "fifo-push-out-cheapest",
    "fifo-push-out-longest",
    "highest-value-queue",
    "out-of-profile",
    "pfabric-fifo",
];

/// Two policies in one hardware: of different orders, units, queues and queue blocks; several ports; states that go on.
#[test]
fn pairs_are_made_and_linted() {
    let Some(root) = verilator() else { return };
    let all = policies();
    let named = |name: &str| &all.iter().find(|(other, _)| other == name).unwrap().1;
    for [first, second] in [
        ["fifo", "srpt"],
        ["wrr", "drr"],
        ["lqd", "dynamic-thresholds"],
        ["strict-priority", "tenant-isolation"],
        ["edf", "red-average"],
        ["wsjf-inorder", "sfq"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        for file in emit_pair([named(first), named(second)], &TargetOptions::default()).unwrap() {
            std::fs::write(folder.path().join(file.name), file.text).unwrap();
        }
        let arguments = ["--lint-only", "-Wall", "--top-module", "policy", "-f", "policy.f"];
        let (clean, said) = run(&root, folder.path(), &arguments);
        assert!(clean, "{first}, {second}: {said}");
    }
}

/// Sizes are read from the arriving packet, and are no part of the backlog.
#[test]
fn sizes_that_are_not_kept_are_linted() {
    let Some(root) = verilator() else { return };
    let text = "q = Queue(64 pkts); out = Port(100); \
                q.congestion(q) = (q.currSize > .5 * q.size && arriving.size > 1 KB, drop(1));";
    let folder = made("sv", &policy(text), &TargetOptions::default());
    let arguments = ["--lint-only", "-Wall", "--top-module", "policy", "-f", "policy.f"];
    let (clean, said) = run(&root, folder.path(), &arguments);
    assert!(clean, "{said}");
}

#[test]
fn make_without_a_target_plays_the_operations() {
    let folder = made("sv", &policy("q = Queue(9 pkts); out = Port(100);"), &TargetOptions::default());
    let output = Command::new("make").args(["--dry-run", "PYTHON=cocotb-python"]).current_dir(folder.path()).output();
    let Ok(output) = output else { return eprintln!("skipped: make is not there") };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("cocotb-python test_policy.py"), "{said}");
}

#[test]
fn policies_are_made_and_linted() {
    let root = verilator();
    let target = find("target", TARGETS, "sv").unwrap();
    for (name, policy) in policies() {
        let refusals = target.check(&policy, &TargetOptions::default());
        assert_eq!(!refusals.is_empty(), REFUSED.contains(&name.as_str()), "{name}: {refusals:?}");
        if !refusals.is_empty() {
            continue;
        }
        let folder = made("sv", &policy, &TargetOptions::default());
        let Some(root) = &root else { continue };
        let arguments = ["--lint-only", "-Wall", "--top-module", "policy", "-f", "policy.f"];
        let (clean, said) = run(root, folder.path(), &arguments);
        assert!(clean, "{name}: {said}");
    }
}
