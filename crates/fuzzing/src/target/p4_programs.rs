//! Programs in P4 of the policies of the library, run on any frames: the interpreter finds nothing that a compiler would reject, and queues
//! stay in their range.

use super::FuzzTarget;
use crate::bytes::Bytes;
use crate::seed_files::files;
use forebay_conform::p4model::{FrameOutcome, Switch};
use forebay_core::registry::find;
use forebay_targets::{TARGETS, TargetOptions};
use std::sync::LazyLock;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "p4_programs",
    title: "A program in P4 of any policy takes any frame",
    seeds: || {
        let known = forebay_conform::encapsulated(forebay_core::Seed(1).stream("encapsulations"));
        let frames = known.iter().step_by(499).filter(|frame| frame.bytes.len() >= 14);
        (0_u8..)
            .zip(frames)
            .map(|(policy, frame)| [&[policy, 60], &frame.bytes[..], &[60], &frame.bytes[..]].concat())
            .collect()
    },
    run,
    quick: 10_000,
};

/// The programs that the target writes.
static PROGRAMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let target = find("target", TARGETS, "p4").expect("a target");
    let program = |text: Vec<u8>| {
        let policy = forebay_lang::analyse(&String::from_utf8_lossy(&text), &Vec::new()).policy?;
        let written = target.emit(&policy, &TargetOptions::default()).ok()?;
        written.into_iter().find(|file| file.name == "policy.p4").map(|file| file.text)
    };
    files("policies", &[".oq"]).into_iter().filter_map(program).collect()
});

fn run(data: &[u8]) {
    assert!(PROGRAMS.len() > 1, "the target p4 takes {} policies of the library", PROGRAMS.len());
    let mut bytes = Bytes::new(data);
    let program = &PROGRAMS[bytes.below(PROGRAMS.len())];
    let mut switch = Switch::new(program);
    let port = bytes.byte();
    switch.forward.insert(0x0200_0000_0002, (port > 9).then_some(1));
    for time in 0..16 {
        if bytes.is_empty() {
            return;
        }
        // A frame without an Ethernet header does not come to a switch.
        let length = usize::from(bytes.byte()).max(14);
        let frame: Vec<u8> = (0..length).map(|_| bytes.byte()).collect();
        if let FrameOutcome::Resubmitted(kept) = switch.pass(&frame, time, None) {
            let second = switch.pass(&frame, time, Some(kept));
            assert!(!matches!(second, FrameOutcome::Resubmitted(_)), "a third pass");
        }
    }
}
