//! The test bench that is made with the hardware of a policy finds that it does what the reference engine does.

use super::tools::verilator;
use crate::policies::policies;
use crate::program::made;
use forebay_conform::{Numbers, Operation, Recipe, expected, operations};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_lang::{Overrides, Policy, analyse};
use forebay_targets::TargetOptions;
use forebay_targets::sv::{Hardware, QueueBlock, as_run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a test bench says; `None`: it ended well.
///
/// # Panics
/// If the test bench cannot be started.
fn played(name: &str, policy: &Policy, options: &TargetOptions, root: &Path, packets: usize) -> Option<String> {
    let folder = made("sv", policy, options);
    let recipe = Recipe { packets, cycles: false, numbers: Numbers::Mixed };
    let mut stream = operations(policy, Seed(1).stream(name), recipe);
    for operation in &mut stream {
        if let Operation::Enqueue(_, packet) = operation {
            *packet = options.hardware.bits.cut(packet);
        }
    }
    let run = as_run(policy, options).unwrap();
    let seed = Seed(options.hardware.seed);
    let mut engine = Reference::new(&run, forebay_engine::EngineOptions { policy_id: options.policy_id, seed });
    let answers = expected(&mut engine, &stream);
    let lines = |all: Vec<String>| all.iter().map(|line| format!("{line}\n")).collect::<String>();
    fs::write(folder.path().join("operations.ops"), lines(stream.iter().map(ToString::to_string).collect())).unwrap();
    fs::write(folder.path().join("answers.txt"), lines(answers.iter().map(ToString::to_string).collect())).unwrap();
    let venv = root.ancestors().nth(4).unwrap().canonicalize().unwrap();
    let output = Command::new("make")
        .current_dir(folder.path())
        .env("VERILATOR_ROOT", root.canonicalize().unwrap())
        .arg(format!("PYTHON={}", venv.join("bin/python").display()))
        .output()
        .unwrap();
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    Some(lines[lines.len().saturating_sub(60)..].join("\n"))
}

/// Others, and with more packets: `forebay conform --target sv`.
#[test]
fn the_bench_that_is_made_finds_hardware_to_do_what_the_engine_does() {
    let Some(root) = verilator() else { return };
    let (_, policy) = policies().into_iter().find(|(name, _)| name == "srpt").unwrap();
    let said = played("srpt", &policy, &TargetOptions::default(), &root, 500);
    assert!(said.is_none(), "{}", said.unwrap_or_default());
    let short = super::policy("q = Queue(20000); out = Port(100); q.procPrio(a, b) = (a.class < b.class);");
    let hardware = Hardware { queue: QueueBlock::BbqFront, ..Hardware::default() };
    let said = played("front", &short, &TargetOptions { hardware, ..TargetOptions::default() }, &root, 500);
    assert!(said.is_none(), "{}", said.unwrap_or_default());
}

/// Sums of work over sums of bytes, multiplied crosswise, choose who is served and who loses.
#[test]
fn queues_are_ordered_by_ratios_as_by_the_engine() {
    let Some(root) = verilator() else { return };
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../policies/wsjf-inorder.oq")).unwrap();
    let few: Overrides =
        [("k", "4"), ("B", "24 pkts")].map(|(name, value)| (name.to_owned(), value.parse().unwrap())).to_vec();
    let policy = analyse(&text, &few).policy.unwrap();
    let said = played("wsjf-inorder", &policy, &TargetOptions::default(), &root, 1_000);
    assert!(said.is_none(), "{}", said.unwrap_or_default());
}
