//! Every registered queue replays every op stream of `testdata/ops`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

use forebay_core::ops::{Answer, OpStream, Replay};
use forebay_core::params::ParamValue;
use forebay_core::{Exactness, Params};
use forebay_queues::bitmap_tree::Levels3;
use forebay_queues::queue::hffs::Hffs;
use forebay_queues::replay::{DoubleEnded, Removable, SingleEnded};
use forebay_queues::{BuiltQueue, QUEUES, QueueEntry, QueueSize, Reference};
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
    for entry in QUEUES {
        let mut completed = 0;
        for (name, mut stream) in streams() {
            if entry.about.exactness == Exactness::IgnoresRanks {
                (stream.inversions, stream.inversions_of) = (None, [].into());
            }
            let mut queue = build(entry, &stream);
            let refuses = stream.steps.iter().any(|step| step.answer == Answer::OutOfRange);
            if refuses && queue.as_rank_queue().max_rank() == u64::MAX {
                println!("{}: {name} is for queues with bounded ranks", entry.about.name);
                continue;
            }
            let replay = match (entry.about.exactness, &mut queue) {
                (Exactness::Exact, BuiltQueue::DoubleEnded(queue)) => {
                    stream.check_exact(&mut DoubleEnded(queue.as_mut()))
                }
                (Exactness::Exact, BuiltQueue::SingleEnded(queue)) => {
                    stream.check_exact(&mut SingleEnded(queue.as_mut()))
                }
                (_, queue) => stream.check_approximate(entry.about.name, &mut SingleEnded(queue.as_rank_queue_mut())),
            };
            match replay.unwrap_or_else(|error| panic!("{}: {name}: {error}", entry.about.name)) {
                Replay::Done { inversions } => {
                    completed += 1;
                    println!("{}: {name}: {inversions} inversions", entry.about.name);
                }
                Replay::Unsupported { line } => {
                    println!("{}: {name}: stops at line {line}, which it cannot do", entry.about.name);
                }
            }
        }
        assert!(completed >= 2, "{} completed {completed} streams only", entry.about.name);
    }
}

#[test]
fn hffs_passes_every_stream_with_removal() {
    for (name, stream) in streams() {
        let ranks = usize::try_from(stream.ranks).unwrap();
        let mut queue = Removable::new(Hffs::<_, Levels3>::new(stream.capacity, ranks));
        let replay = stream.check_exact(&mut queue).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replay, Replay::Done { inversions: 0 }, "{name}");
    }
}
