//! Op streams of queues: steps, or a message with its line; what is read is played on the reference.

use super::FuzzTarget;
use crate::chunked_input::check_message;
use crate::seed_files::files;
use forebay_core::Params;
use forebay_core::ops::OpStream;
use forebay_core::registry::find;
use forebay_sched::queues::replay::Replayed;
use forebay_sched::queues::{QUEUES, QueueSize};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "op_streams",
    title: "Any text is a stream of operations that a queue can play, or has a message",
    seeds: || files("testdata/ops", &[".ops"]).into_iter().filter(|file| file.len() < 20_000).collect(),
    run,
    quick: 100_000,
};

fn run(data: &[u8]) {
    match OpStream::parse(&String::from_utf8_lossy(data)) {
        Ok(stream) => {
            let entry = find("queue", QUEUES, "pifo").expect("a queue");
            let queue =
                (entry.build)(QueueSize { packets: 100 }, &Params::defaults(entry.about.params)).expect("a queue");
            // Its answers are the stream's own or not; it only must not break.
            let _outcome = stream.check_exact(&mut Replayed::new(queue));
        }
        Err(error) => check_message(&error.to_string()),
    }
}
