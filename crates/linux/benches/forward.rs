//! What a frame costs in the switch, between interfaces in memory, beside one that only copies it through a FIFO.
//!
//! `cargo bench -p forebay-linux`. Instructions are the difference between N and 2N frames under callgrind. Frames of 1,000
//! bytes come in bursts of 64, while those of the burst before wait; then 64 may leave.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use forebay_bench::Bench;
use forebay_core::{Seed, Time};
use forebay_linux::switch::backend::memory::{MemoryInterface, OtherEnd, pair};
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Forwarding, Interface, PortSetup, Setting, Setup, Switch};
use forebay_targets::headers::Mapping;
use std::collections::VecDeque;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "forward" };
const FRAMES: u64 = 64 * 1_000;
const BURST: u64 = 64;
const BACKLOG: u64 = 64;
const ROUNDS: usize = 7;
const POLICIES: [(&str, &str); 6] = [
    ("fifo", include_str!("../../../policies/fifo.oq")),
    ("srpt", include_str!("../../../policies/srpt.oq")),
    ("dctcp", include_str!("../../../policies/dctcp.oq")),
    ("red", include_str!("../../../policies/red.oq")),
    ("strict-priority", include_str!("../../../policies/strict-priority.oq")),
    ("drr", include_str!("../../../policies/drr.oq")),
];

/// A UDP datagram from one of some senders, of one of eight classes.
fn frame(number: u64) -> Vec<u8> {
    let mut bytes = vec![0; 1_000];
    let low = number.to_le_bytes();
    bytes[5] = 2;
    bytes[11] = 1;
    bytes[12..14].copy_from_slice(&[8, 0]);
    bytes[14] = 0x45;
    bytes[15] = low[0] % 8 * 32;
    bytes[16..18].copy_from_slice(&986_u16.to_be_bytes());
    bytes[23] = 17;
    bytes[29] = low[0] % 16;
    bytes[43] = low[0].wrapping_mul(37);
    bytes
}

/// Puts frames in and takes them out; what both kinds have in common.
fn burst(number: u64, come: &OtherEnd, left: &OtherEnd) {
    for number in number..number + BURST {
        come.put(frame(number), Offload::default());
        while left.take().is_some_and(|frame| black_box(frame).is_empty()) {}
    }
}

/// A frame is copied into a FIFO, and from there.
#[inline(never)]
fn bench_plain(frames: u64) {
    let ((mut ingress, come), (mut egress, left)) = (pair(), pair());
    let mut waiting: VecDeque<Vec<u8>> = VecDeque::new();
    let mut spare: Vec<Vec<u8>> = Vec::new();
    for number in (0..frames).step_by(64) {
        burst(number, &come, &left);
        let mut take = |bytes: &[u8], _: Offload| {
            let mut copy = spare.pop().unwrap_or_default();
            copy.clear();
            copy.extend_from_slice(bytes);
            waiting.push_back(copy);
            true
        };
        let _ = black_box(MemoryInterface::receive(&mut ingress, 64, &mut take));
        while waiting.len() as u64 > BACKLOG
            && let Some(frame) = waiting.pop_front()
        {
            let _ = black_box(egress.send(&frame));
            spare.push(frame);
        }
    }
}

#[inline(never)]
fn bench_switch(text: &str, frames: u64) {
    let policy = forebay_lang::analyse(text, &Vec::new()).policy.expect("a policy of the library");
    let mut mapping = Mapping::default();
    for text in ["processing=udp[8:1]", "queue=dscp>>3"] {
        let (field, source) = Mapping::read_setting(text).expect("a source");
        mapping.set(field, source);
    }
    let mut ends = Vec::new();
    let ports = (0..2).map(|port| {
        let (interface, end) = pair();
        ends.push(end);
        PortSetup { name: port.to_string(), interface: Box::new(interface), rate: None }
    });
    let ports = ports.collect();
    let setting = Setting { name: "policy".to_owned(), policy: policy.into() };
    let forwarding = Forwarding::Static(vec![vec![1], vec![]]);
    let mut switch =
        Switch::new(ports, Setup { setting, mapping, forwarding, tap: None, seed: Seed(1), records: Vec::new() });
    for number in (0..frames).step_by(64) {
        burst(number, &ends[0], &ends[1]);
        let now = Time::from_ns(number * 1_000);
        switch.receive(now);
        ends[1].set_room(usize::try_from(BURST).unwrap_or(0));
        if number > 0 {
            switch.send_at_most(now, 1, 64);
        }
    }
    black_box(switch.stats());
}

fn run(case: usize, frames: u64) {
    match case.checked_sub(1) {
        None => bench_plain(frames),
        Some(policy) => bench_switch(POLICIES[policy].1, frames),
    }
}

fn instructions_per_frame(case: usize) -> Option<f64> {
    let count = |frames: u64| -> Option<u64> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*::bench_*"])
            .arg(std::env::current_exe().ok()?)
            .args(["--count", &case.to_string(), &frames.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()
    };
    Some((count(2 * FRAMES)? - count(FRAMES)?) as f64 / FRAMES as f64)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--count") {
        let number = |offset: usize| arguments[at + offset].parse::<u64>().expect("a number");
        return run(usize::try_from(number(1)).expect("a small number"), number(2));
    }
    println!("{:24}{:>14}{:>10}{:>10}", "between two interfaces", "instructions", "ns", "ratio");
    let names = std::iter::once("plain FIFO").chain(POLICIES.iter().map(|(name, _)| *name));
    let mut plain = None;
    for (case, name) in names.enumerate() {
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            run(case, FRAMES);
            least = least.min(start.elapsed().as_nanos() as f64 / FRAMES as f64);
        }
        let ratio = BENCH.ratio(name, least / *plain.get_or_insert(least));
        let counted = BENCH.instructions(name, instructions_per_frame(case));
        println!("{name:24}{counted:>14}{least:>10.1}{ratio:>10}");
    }
}
