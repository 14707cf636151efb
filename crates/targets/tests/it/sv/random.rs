//! Random policies: hardware rejects them, or does what the reference engine does. Hours for many: `make rtl-nightly`
//! plays some.

use super::tools::verilator;
use crate::build::{arith, fifo, first_argument, lowest, order, reverse_fifo, second_argument, this_queue};
use crate::live_policy::live;
use crate::program::made;
use crate::random_policy::random_policy;
use crate::traffic::{self, Kind};
use forebay_conform::{Answer, Marked, Operation, compare, expected};
use forebay_core::registry::find;
use forebay_core::{Rng, Seed};
use forebay_engine::Reference;
use forebay_lang::Policy;
use forebay_lang::ir::{
    Action, Arith, Comparator, Cond, Condition, Key, PacketRef, QueueField, Read, Relation, State, exact_products,
};
use forebay_targets::sv::as_run;
use forebay_targets::{TARGETS, TargetOptions};
use rand::RngExt;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Which policies are played: their seeds, as in `100..140`.
const SEEDS: &str = "FOREBAY_SV_SEEDS";
const ARRIVALS: usize = 400;

/// A policy of which most is what hardware can do.
fn random(seed: u64) -> Policy {
    let rng = &mut Seed(seed).stream("hardware");
    let mut policy = random_policy(rng);
    for queue in &mut policy.queues {
        if queue.processing.keys.is_none() {
            queue.processing = fifo();
        }
        let keys = queue.processing.keys.as_deref().unwrap_or_default();
        queue.admission = if rng.random_bool(0.5) { reversed(keys) } else { reverse_fifo() };
        without_heads(&mut queue.congestion);
    }
    policy.buffers.iter_mut().for_each(|buffer| without_heads(&mut buffer.congestion));
    for port in &mut policy.ports {
        port.after.cases.iter_mut().for_each(|case| case.actions.retain(|action| !is_of_value(action)));
        port.after.cases.retain(|case| !case.actions.is_empty());
        port.scheduling = of_queues(rng);
    }
    for buffer in &mut policy.buffers {
        buffer.admission = buffer.admission.is_some().then(|| of_queues(rng));
    }
    if rng.random_bool(0.3) { live(policy, rng) } else { policy }
}

fn reversed(keys: &[Key]) -> Comparator {
    let turned: Vec<Key> = keys.iter().map(|key| Key { descending: !key.descending, ..key.clone() }).collect();
    order("reversed", &turned)
}

/// Without what is about packets that wait.
fn without_heads(condition: &mut Condition) {
    for case in &mut condition.cases {
        case.actions.retain(|action| !is_of_value(action));
    }
    condition.cases.retain(|case| {
        let one = crate::build::condition(&[(*case).clone()]);
        let mut heads = false;
        one.reads(&mut |read| heads |= matches!(read, Read::Packet(PacketRef::Head(_), _)));
        !heads && !case.actions.is_empty()
    });
}

fn is_of_value(action: &Action) -> bool {
    matches!(action, Action::Modify(State::HeadValue(_), _))
}

fn of_queues(rng: &mut Rng) -> Comparator {
    if rng.random_bool(0.2) {
        return ratio(rng.random_bool(0.5));
    }
    let keys: Vec<Key> = (0..rng.random_range(0..=2))
        .map(|_| Key {
            descending: rng.random_bool(0.5),
            ..lowest(this_queue(QueueField::ALL[rng.random_range(0..QueueField::ALL.len())]))
        })
        .collect();
    order("queues", &keys)
}

/// Least work per byte or packet first, or most.
fn ratio(least: bool) -> Comparator {
    let (work, size) = (this_queue(QueueField::CurrProcessing), this_queue(QueueField::CurrSize));
    let left = arith(Arith::Mul, first_argument(&work), second_argument(&size));
    let right = arith(Arith::Mul, second_argument(&work), first_argument(&size));
    let relation = if least { Relation::Less } else { Relation::Greater };
    Comparator { name: "ratio".to_owned(), before: exact_products(Cond::Compare(relation, left, right)), keys: None }
}

/// Operations that hardware has, with packets that fit.
fn operations(policy: &Policy, seed: u64, options: &TargetOptions) -> Vec<Operation> {
    let all = traffic::operations(policy, Seed(seed).stream("traffic"), Kind::Extreme, ARRIVALS);
    let played = all.into_iter().filter_map(|operation| match operation {
        traffic::Operation::Enqueue(now, packet) => Some(Operation::Enqueue(now, options.hardware.bits.cut(&packet))),
        traffic::Operation::Dequeue(now, port) => Some(Operation::Dequeue(now, port)),
        traffic::Operation::Set(now, id, value) => Some(Operation::Set(now, id, value)),
        traffic::Operation::Cycle(..) | traffic::Operation::State => None,
    });
    played.collect()
}

/// What the engine answers, as far as hardware tells it: the marks of who is pushed out are not.
fn right(policy: &Policy, options: &TargetOptions, operations: &[Operation]) -> Vec<Answer> {
    let run = as_run(policy, options).unwrap();
    let seed = Seed(options.hardware.seed);
    let engine = &mut Reference::new(&run, forebay_engine::EngineOptions { policy_id: options.policy_id, seed });
    let mut answers = expected(engine, operations);
    for answer in &mut answers {
        answer.pushed.iter_mut().flatten().for_each(|pushed| *pushed = Marked { marks: 0, ..*pushed });
    }
    answers
}

/// What hardware answers, or why it does not.
fn found(
    policy: &Policy,
    options: &TargetOptions,
    operations: &[Operation],
    root: &Path,
) -> Result<Vec<Answer>, String> {
    let folder = made("sv", policy, options);
    let make = Command::new("make")
        .args(["--silent", "play"])
        .current_dir(folder.path())
        .env("VERILATOR_ROOT", root.canonicalize().unwrap())
        .output()
        .unwrap();
    if !make.status.success() {
        return Err(String::from_utf8_lossy(&make.stderr).into_owned());
    }
    let mut play = Command::new(folder.path().join("play"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = operations.iter().map(|operation| format!("{operation}\n")).collect();
    let mut pipe = play.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    let output = play.wait_with_output().unwrap();
    let _ = writer.join();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect())
}

#[test]
#[ignore = "half a minute for each policy"]
fn random_policies_are_refused_or_do_the_same() {
    let Some(root) = verilator() else { return };
    let target = find("target", TARGETS, "sv").unwrap();
    let options = TargetOptions { smallest_packet: 50, ..TargetOptions::default() };
    let chosen = std::env::var(SEEDS).unwrap_or_else(|_| "0..20".to_owned());
    let (first, end) = chosen.split_once("..").expect("seeds are written as 0..20");
    let (mut same, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for seed in first.parse::<u64>().unwrap()..end.parse().unwrap() {
        let policy = random(seed);
        if !target.check(&policy, &options).is_empty() {
            refused += 1;
            continue;
        }
        let stream = operations(&policy, seed, &options);
        let difference = match found(&policy, &options, &stream, &root) {
            Err(why) => Some(why),
            Ok(answers) => compare(&stream, &right(&policy, &options, &stream), &answers).difference.map(|first| {
                format!(
                    "operation {} (`{}`): {} is right, {} came",
                    first.operation, first.what, first.expected, first.found
                )
            }),
        };
        match difference {
            None => same += 1,
            Some(why) => wrong.push(format!("seed {seed}: {why}")),
        }
    }
    println!("{same} policies do the same, {refused} are refused");
    assert!(wrong.is_empty() && same > 0, "{}", wrong.join("\n"));
}
