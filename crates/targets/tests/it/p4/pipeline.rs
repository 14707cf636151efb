//! The specification for DPDK's pipeline, run there: each frame goes where the program in P4 sends it.

use super::choices::{Arrival, arrivals, packet, port, switch};
use super::classes::POLICIES;
use super::frames::{SPREADS, Spread};
use super::{ORDERS, made, mapping, policy};
use crate::encapsulations;
use forebay_conform::p4model::{FrameOutcome, Queues};
use forebay_core::{Rng, Seed};
use forebay_lang::Policy;
use forebay_targets::TargetOptions;
use forebay_targets::headers::Metadata;
use rand::RngExt;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Packets that a queue holds.
const CAPACITY: usize = 8;

/// Says why something is left out; the test harness shows it with --nocapture.
fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

fn make(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("make")
        .args(["-s", "CFLAGS=-O1 -Wall -Wextra -Werror"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The program that runs specifications, if DPDK is there.
fn host(policy: &Policy, options: &TargetOptions) -> Option<TempDir> {
    let found = Command::new("pkg-config").args(["--atleast-version=22.11", "libdpdk"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        skipped("there is no DPDK; install libdpdk-dev, pkg-config and make");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["main.c", "Makefile", "policy.spec"] {
        fs::write(folder.path().join(name), made(policy, options, name)).unwrap();
    }
    let output = make(folder.path(), &["policy"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(folder)
}

/// The folder of DPDK's source, if somebody says it, or what `cargo xtask fetch-dpdk` has fetched of it.
fn source() -> Option<PathBuf> {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dpdk");
    let source = std::env::var_os("DPDK_SOURCE").map_or(fetched, PathBuf::from);
    let found = source.join("lib/pipeline/rte_swx_pipeline_internal.h").exists();
    if !found {
        skipped("what DPDK compiles of a specification is not run; run `cargo xtask fetch-dpdk`, or set DPDK_SOURCE");
    }
    found.then_some(source)
}

/// The answers to operations.
fn answers(folder: &Path, program: &str, operations: &str) -> Vec<String> {
    let mut child = Command::new(folder.join("policy"))
        .args(["run", program, &CAPACITY.to_string()])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let operations = operations.to_owned();
    let writer = std::thread::spawn(move || input.write_all(operations.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Operations, and what their answers should be: those of the program in P4.
fn expected(
    policy: &Policy,
    options: &TargetOptions,
    queues: usize,
    stream: &[Arrival],
    rng: &mut Rng,
) -> (String, Vec<String>) {
    let mut switch = switch(&made(policy, options, "policy.p4"));
    let mut waiting = Queues::new(vec![CAPACITY; queues]);
    let (mut operations, mut answers) = (String::new(), Vec::new());
    for (id, arrival) in stream.iter().enumerate() {
        let hex: String = arrival.bytes.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        });
        writeln!(operations, "frame {hex}").unwrap();
        answers.push(match switch.pass(&arrival.bytes, 0, None) {
            FrameOutcome::Dropped => "dropped".to_owned(),
            FrameOutcome::Queued(queue, _) => {
                let has_room = waiting.push(usize::try_from(queue).unwrap(), id);
                format!("{} {queue}", if has_room { "queue" } else { "full" })
            }
            FrameOutcome::Resubmitted(_) => panic!("a second pass"),
        });
        let bounds = switch.bounds(3);
        if !bounds.is_empty() {
            operations.push_str("bounds\n");
            answers.push(bounds.iter().fold("bounds".to_owned(), |text, bound| format!("{text} {bound}")));
        }
        while rng.random_bool(0.45) {
            operations.push_str("serve\n");
            answers.push(waiting.pop().map_or("nothing".to_owned(), |id| format!("sent {id}")));
        }
    }
    (operations, answers)
}

/// Frames for the first port, of which what is cut off would not be read as zeros.
fn stream(count: u64, spread: Spread, options: &TargetOptions, rng: &mut Rng) -> Vec<Arrival> {
    let mut all = arrivals(count, spread, true, rng);
    all.retain(|arrival| {
        let longer = Arrival { bytes: [&arrival.bytes[..], &[0; 128]].concat(), now: arrival.now };
        let seen = |arrival: &Arrival| {
            let packet = packet(&options.mapping, arrival);
            (packet.queue, packet.value, packet.slack, packet.remaining_bytes, packet.class, packet.rank)
        };
        port(arrival) == Some(0) && seen(arrival) == seen(&longer)
    });
    all
}

#[test]
fn frames_go_where_the_program_in_p4_sends_them() {
    let mut cases: Vec<(Policy, TargetOptions, usize)> = Vec::new();
    for (number, order) in ORDERS.iter().enumerate().filter(|(_, order)| !order.text.contains("arrival")) {
        let queues = [2, 4, 8, 16, 32][number % 5];
        cases.push((order.policy(), order.options(queues, false), queues.into()));
    }
    for (text, fields, order) in POLICIES.into_iter().filter(|(text, ..)| !text.contains("p.size")) {
        let options = TargetOptions { mapping: mapping(fields), ..TargetOptions::default() };
        let queues = if order.len() == 1 { 8 } else { order.len() };
        cases.push((policy(text), options, queues));
    }
    let Some(folder) = host(&cases[0].0, &cases[0].1) else { return };
    let source = source();
    let (mut frames, mut rng) = (0, Seed(3).stream("pipeline"));
    for (number, (policy, options, queues)) in cases.iter().enumerate() {
        let stream: Vec<Arrival> =
            SPREADS.into_iter().flat_map(|spread| stream(1_200, spread, options, &mut rng)).collect();
        frames += stream.len();
        let (operations, expected) = expected(policy, options, *queues, &stream, &mut rng);
        fs::write(folder.path().join("policy.spec"), made(policy, options, "policy.spec")).unwrap();
        let mut programs = vec!["policy.spec"];
        if let Some(source) = source.as_ref().filter(|_| number % 5 == 2) {
            let output = make(folder.path(), &["policy.so", &format!("DPDK_SOURCE={}", source.display())]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            programs.push("policy.so");
        }
        for program in programs {
            let found = answers(folder.path(), program, &operations);
            for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let operation = operations.lines().nth(line).unwrap();
                assert_eq!(found, expected, "{program} of case {number}, operation {}: {operation}", line + 1);
            }
            assert_eq!(found.len(), expected.len());
        }
    }
    assert!(frames >= 20_000, "only {frames} frames");
}

#[test]
fn frames_with_encapsulations_go_where_the_program_in_p4_sends_them() {
    let policy = policy(encapsulations::DIRECTED);
    let options = |setting| TargetOptions { mapping: mapping(&[setting]), ..TargetOptions::default() };
    let Some(folder) = host(&policy, &options(encapsulations::QUEUES[0])) else { return };
    let source = source();
    let mut rng = Seed(4).stream("pipeline");
    for (number, setting) in encapsulations::QUEUES.into_iter().enumerate() {
        let options = options(setting);
        let seen = |bytes: &[u8]| options.mapping.packet(bytes, Metadata::default()).queue;
        // The pipeline reads zeros behind the end.
        let whole = |bytes: &Vec<u8>| bytes.len() >= 14 && seen(bytes) == seen(&[&bytes[..], &[0; 128]].concat());
        let frames = encapsulations::frames().into_iter().map(|frame| frame.bytes);
        let stream: Vec<Arrival> = frames.filter(whole).map(|bytes| Arrival { bytes, now: 0 }).collect();
        assert!(stream.len() > 4_000, "{setting}: {}", stream.len());
        let (operations, expected) = expected(&policy, &options, 32, &stream, &mut rng);
        fs::write(folder.path().join("policy.spec"), made(&policy, &options, "policy.spec")).unwrap();
        let mut programs = vec!["policy.spec"];
        if let Some(source) = source.as_ref().filter(|_| number == 0) {
            let output = make(folder.path(), &["policy.so", &format!("DPDK_SOURCE={}", source.display())]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            programs.push("policy.so");
        }
        for program in programs {
            let found = answers(folder.path(), program, &operations);
            assert_eq!(found.len(), expected.len());
            for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let operation = operations.lines().nth(line).unwrap();
                assert_eq!(found, expected, "{program} with {setting}, operation {}: {operation}", line + 1);
            }
        }
    }
}

#[test]
fn what_is_no_operation_is_refused_in_one_line() {
    let order = &ORDERS[0];
    let Some(folder) = host(&order.policy(), &order.options(4, false)) else { return };
    let long = "0".repeat(70_000);
    for (arguments, input, expected) in [
        (vec!["run", "policy.spec", "8"], "frome 00\n", "error: frome 00: should be frame HEX, serve or bounds\n"),
        (vec!["run", "policy.spec", "8"], "frame\n", "error: frame: should be frame HEX, serve or bounds\n"),
        (vec!["run", "policy.spec", "8"], "frame x\n", "error: frame x: is no frame of 1 to 1600 bytes\n"),
        (vec!["run", "policy.spec", "8"], &format!("frame {long}\n"), "is no frame of 1 to 1600 bytes\n"),
        (vec!["run", "policy.spec", "257"], "", "error: 257: a queue holds 1 to 256 packets\n"),
        (vec!["run", "none.spec", "8"], "", "error: none.spec: No such file or directory\n"),
        (vec!["run", "none.so", "8"], "", "error: none.so: No such file or directory\n"),
        (vec!["codegen", "Makefile", "out.c"], "", "error: Makefile:"),
        (vec!["walk"], "", "error: policy: use codegen"),
    ] {
        let mut child = Command::new("./policy")
            .args(&arguments)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may end before it has read all.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected) && said.lines().count() == 1, "{arguments:?}: {said}");
    }
}
