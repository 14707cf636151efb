//! Every registered queue replays every op stream of `testdata/ops`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

use forebay_core::ops::{Answer, OpStream, Replay};
use forebay_core::params::ParamValue;
use forebay_core::{Exactness, Params};
use forebay_sched::queues::replay::Replayed;
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueEntry, QueueSize, Reference};
use std::collections::BTreeSet;
use std::path::Path;

fn streams() -> Vec<(String, OpStream)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ops");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("testdata/ops exists") {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "ops") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let stream = OpStream::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push((name, stream));
        }
    }
    assert!(found.len() >= 8, "op streams are missing in {}", folder.display());
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Builds a queue for a stream; parameters about the range of ranks are set where
/// the queue has them.
fn build(entry: &QueueEntry, stream: &OpStream) -> BuiltQueue {
    let ranks = i64::try_from(stream.ranks).unwrap();
    let given = [("ranks", ranks), ("max_rank", ranks - 1)]
        .into_iter()
        .filter(|(name, _)| entry.about.params.iter().any(|spec| spec.name == *name))
        .map(|(name, value)| (name.to_owned(), ParamValue::Integer(value)))
        .collect();
    let params = Params::check(entry.about.params, given).unwrap();
    (entry.build)(QueueSize { packets: stream.capacity }, &params).unwrap()
}

#[test]
fn the_reference_gives_the_answers_of_every_stream() {
    for (name, stream) in streams() {
        let mut reference = Reference::new(stream.capacity, stream.ranks);
        let replay = stream.check_exact(&mut reference).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replay, Replay::Done { inversions: 0 }, "{name}");
    }
}

#[test]
fn every_queue_passes_every_stream() {
    let mut never_completed: BTreeSet<String> = streams().into_iter().map(|(name, _)| name).collect();
    for entry in QUEUES {
        let mut completed = 0;
        for (name, mut stream) in streams() {
            if entry.about.exactness == Exactness::IgnoresRanks {
                (stream.inversions, stream.inversions_of) = (None, [].into());
            }
            let mut queue = Replayed::new(build(entry, &stream));
            let refuses = stream.steps.iter().any(|step| step.answer == Answer::OutOfRange);
            if refuses && queue.queue().max_rank() == u64::MAX {
                println!("{}: {name} is for queues with bounded ranks", entry.about.name);
                continue;
            }
            let replay = match entry.about.exactness {
                Exactness::Exact => stream.check_exact(&mut queue),
                _ => stream.check_approximate(entry.about.name, &mut queue),
            };
            match replay.unwrap_or_else(|error| panic!("{}: {name}: {error}", entry.about.name)) {
                Replay::Done { inversions } => {
                    completed += 1;
                    never_completed.remove(&name);
                    println!("{}: {name}: {inversions} inversions", entry.about.name);
                }
                Replay::Unsupported { line } => {
                    println!("{}: {name}: stops at line {line}, which it cannot do", entry.about.name);
                }
            }
        }
        assert!(completed >= 2, "{} completed {completed} streams only", entry.about.name);
    }
    assert!(never_completed.is_empty(), "no queue has all operations of {never_completed:?}");
}
