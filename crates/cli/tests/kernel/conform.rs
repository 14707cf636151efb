//! Long streams of operations: the kernel answers as the reference engine does.

use crate::guest::policy;
use std::process::Command;

fn conforms(name: &str) {
    let mut forebay = Command::new(env!("CARGO_BIN_EXE_forebay"));
    let output = forebay.arg("conform").arg(policy(name)).args(["--target", "bpf-vm", "--packets", "20000"]).output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let row = text.lines().find(|line| line.starts_with("bpf-vm")).unwrap_or_else(|| panic!("{name}: {text}"));
    if let Some((_, reason)) = row.split_once("skipped") {
        println!("skipped: {name}{reason}");
        return;
    }
    assert!(output.status.success() && row.ends_with("equal"), "{name}: {text}");
}

/// Listing 3 of the paper, with push-out.
#[test]
fn srpt() {
    conforms("srpt");
}

/// Listing 7, with push-out.
#[test]
fn pfabric_by_arrival() {
    conforms("pfabric-fifo");
}

/// Listings 4 to 6.
#[test]
fn cyclic_round_robin() {
    conforms("crr");
}

#[test]
fn random_early_detection() {
    conforms("red");
}

/// Marks.
#[test]
fn data_center_tcp() {
    conforms("dctcp");
}

/// Sums of work over sums of bytes, of queues of hashed flows.
#[test]
fn weighted_shortest_job_first_in_order() {
    conforms("wsjf-inorder");
}

/// Several ports, and a shared buffer that pushes out.
#[test]
fn longest_queue_drop() {
    conforms("lqd");
}
