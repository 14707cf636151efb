//! How much the kernel's verifier checks of policies, and what `check --target bpf` estimates of it.
//!
//! The verifier of the running kernel checks the programs of every policy. They have a type that needs no queueing discipline in
//! BPF, so any kernel from 6.4 on will do. Needs root, clang 19 and the feature `load`. The table is printed:
//!
//! ```text
//! cargo test -p forebay-linux --features load --test it -- verified --nocapture
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and prints the table, or why it skips"
)]

use forebay_targets::{TARGETS, TargetOptions, verified_instructions};
use libbpf_rs::ObjectBuilder;
use std::fs;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

/// Sources of the fields for which the policies need one.
const FIELDS: [&str; 6] =
    ["processing=udp[8:4]", "value=mark", "rank=mark", "slack=udp[12:4]", "remaining=udp[16:4]", "queue=dscp"];

/// No policy of the repository needs more. The kernel rejects a program at a million, 50 times as many, so kernels that examine
/// more states than this one accept it, too.
const MOST: u64 = 20_000;

/// Estimates are within this factor of what is measured.
const FACTOR: u64 = 3;

struct Measured {
    /// By the program that takes most.
    instructions: u64,
    estimated: u64,
    bytes: usize,
}

/// Builds the programs of a policy and loads them. `Err`: why that cannot be tried here.
fn measure(text: &str) -> Result<Measured, String> {
    let policy = forebay_lang::analyse(text, &Vec::new()).policy.expect("a policy");
    let mut options = TargetOptions::default();
    for (field, source) in FIELDS.map(|setting| forebay_targets::headers::Mapping::read_setting(setting).unwrap()) {
        options.mapping.set(field, source);
    }
    let target = TARGETS.iter().find(|target| target.about().name == "bpf").expect("the target");
    let files = target.emit(&policy, &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for file in &files {
        let text = ["arrive", "leave", "drained"]
            .iter()
            .fold(file.text.clone(), |text, name| text.replace(&format!("fentry/oq_{name}"), "syscall"));
        fs::write(folder.path().join(file.name), text).unwrap();
    }
    let built = forebay_linux::kernel::build(folder.path()).map_err(|error| error.to_string())?;
    let open = ObjectBuilder::default().open_file(&built.policy).map_err(|error| error.to_string())?;
    let loaded = match open.load() {
        Err(error) if error.kind() == libbpf_rs::ErrorKind::PermissionDenied => return Err(error.to_string()),
        loaded => loaded.unwrap(),
    };
    let instructions = loaded.progs().map(|program| verified(program.as_fd().as_raw_fd())).max().unwrap_or(0);
    let bytes = files.iter().map(|file| file.text.len()).sum();
    Ok(Measured { instructions, estimated: verified_instructions(&policy, &options), bytes })
}

/// How many instructions the verifier has checked of a program, as the kernel says.
fn verified(program: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{program}")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("verified_insns:")).expect("Linux 5.16 or later");
    line.trim().parse().unwrap()
}

/// Prints the row of a policy, and compares it with the estimate. Whether it could be tried.
fn row(name: &str, text: &str, most: u64) -> bool {
    match measure(text) {
        Ok(Measured { instructions, estimated, bytes }) => {
            println!("| {name} | {instructions} | {estimated} | {bytes} |");
            assert!(instructions <= most, "{name}: {instructions}");
            assert!(instructions <= estimated * FACTOR && estimated <= instructions * FACTOR, "{name}: {estimated}");
            true
        }
        Err(why) => {
            println!("skipped: what the kernel checks ({why})");
            false
        }
    }
}

#[test]
fn the_kernel_checks_every_policy_with_little_work() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies");
    let mut policies: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    policies.retain(|path| path.extension().is_some_and(|extension| extension == "oq"));
    policies.sort();
    println!("| policy | instructions checked | estimated | bytes of C |\n| --- | --- | --- | --- |");
    for path in policies {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        // Targets refuse several stages.
        if text.contains(".next(") {
            continue;
        }
        if !row(&name, &text, MOST) {
            return;
        }
    }
}

/// Queues of which each has as many cases of its own, all different.
fn different(queues: usize, cases: usize) -> String {
    let case = |queue: usize, case: usize| {
        let action = match case % 2 {
            0 => format!("modify(q{queue}.admState := min(q{queue}.admState + q{queue}.currSize, 90))"),
            _ => format!("drop(1/{})", case + 2),
        };
        format!("(q{queue}.currSize > {case} && q{queue}.admState < {}, {action})", 100 + case + queue)
    };
    let of_queue = |queue: usize| {
        let cases: Vec<String> = (0..cases).map(|number| case(queue, number)).collect();
        format!("q{queue}.congestion = {};\n", cases.join("."))
    };
    format!(
        "q[1..{queues}] = Queue(16 pkts);\nout = Port(100, q[1..{queues}]);\nclassify(p) = (true, enter(q[mod(p.flow, {queues}) + 1]));\n{}",
        (1..=queues).map(of_queue).collect::<String>()
    )
}

#[test]
fn what_the_kernel_checks_grows_with_the_cases() {
    for (queues, cases) in [(8, 1), (8, 16), (32, 7), (64, 7), (256, 4)] {
        if !row(&format!("{queues} queues of {cases} cases"), &different(queues, cases), 300_000) {
            return;
        }
    }
}
