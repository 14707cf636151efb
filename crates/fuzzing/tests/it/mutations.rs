//! Seeded mutations of the kept files of each target. An input that breaks a target is written to `target/fuzz-findings`.
//!
//! `make test` tries a ninth of what `make fuzz-quick` does, which sets `FUZZ_TIMES=9`. `FUZZ_TIMES=100` tries 100 times as many,
//! `FUZZ_SECONDS=120` as many as fit into 120 s of CPU time for each target, and `FUZZ_FROM=5000` begins with another seed.

#![allow(clippy::print_stdout, reason = "what each target took is shown with --nocapture")]

use forebay_clock::{Clock as _, MonotonicClock, thread_cpu};
use forebay_fuzzing::{FuzzTarget, TARGETS, mutated};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

/// CPU time of the thread. An input that takes longer hangs, as far as a user can tell.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Bytes in use at one time by the thread that a target runs in: inputs have some kilobytes, so more would not be bounded by them.
const MOST_BYTES: u64 = 512 << 20;

thread_local! {
    /// The most bytes that an input of this target took.
    static MOST_USED: Cell<u64> = const { Cell::new(0) };
}

fn number(name: &str, default: u64) -> u64 {
    env::var(name).ok().map_or(default, |text| text.parse().expect("a whole number"))
}

/// Gives an input to a target, and keeps it if it breaks the target; what is wrong then.
fn check(target: &FuzzTarget, data: &[u8], what: &str) -> Option<String> {
    let start = thread_cpu();
    let mut outcome = Ok(());
    let used = allocation_counter::measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| forebay_fuzzing::run(target.name, data)));
    });
    let trouble = if thread_cpu().saturating_sub(start) > MOST_TIME {
        "takes too long"
    } else if used.bytes_max > MOST_BYTES {
        "takes too much memory"
    } else if outcome.is_err() {
        "breaks a promise"
    } else {
        MOST_USED.set(MOST_USED.get().max(used.bytes_max));
        return None;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz-findings").join(target.name);
    fs::create_dir_all(&folder).expect("a folder for findings");
    let file = folder.join(what.replace(' ', "-"));
    fs::write(&file, data).expect("a file for a finding");
    Some(format!("{}: {what} {trouble}; it is in {}", target.name, file.display()))
}

/// More findings of one target are hardly of another kind.
const MOST_FINDINGS: usize = 5;

/// Whether so many mutations of a target are enough.
fn how_long(target: &FuzzTarget) -> Box<dyn Fn(u64) -> bool> {
    let (start, seconds) = (thread_cpu(), number("FUZZ_SECONDS", 0));
    let count = target.quick * number("FUZZ_TIMES", 1) / 9;
    if seconds > 0 {
        // Asking for the time takes longer than a mutation of some targets.
        Box::new(move |made| made % 16 == 0 && thread_cpu().saturating_sub(start).as_secs() >= seconds)
    } else {
        Box::new(move |made| made == count)
    }
}

/// The targets are shared out, so that two cores are used.
fn check_share(share: usize) {
    let mut findings = Vec::new();
    for target in TARGETS.iter().skip(share).step_by(2) {
        let clock = MonotonicClock::start();
        MOST_USED.set(0);
        let seeds = target.seeds();
        for (place, seed) in seeds.iter().enumerate() {
            findings.extend(check(target, seed, &format!("seed {place}")));
        }
        let from = number("FUZZ_FROM", 0);
        let over = how_long(target);
        let (mut count, most) = (0, findings.len() + MOST_FINDINGS);
        while !over(count) && findings.len() < most {
            let number = from + count;
            findings.extend(check(target, &mutated(target, &seeds, number), &format!("mutation {number}")));
            count += 1;
        }
        let (seeds, seconds) = (seeds.len(), clock.now().as_secs_f64());
        let megabytes = MOST_USED.get() as f64 / 1e6;
        println!("{}: {seeds} seeds and {count} mutations in {seconds:.1} s, at most {megabytes:.1} MB", target.name);
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}

#[test]
fn mutations_of_the_first_half_keep_every_promise() {
    check_share(0);
}

#[test]
fn mutations_of_the_second_half_keep_every_promise() {
    check_share(1);
}

/// A target that breaks on the word that a mutation brings in.
#[test]
fn mutations_find_what_is_broken() {
    let target = forebay_fuzzing::target("flow_sizes");
    let seeds = target.seeds();
    let found = (0..2_000).any(|number| {
        let text = mutated(target, &seeds, number);
        String::from_utf8_lossy(&text).contains("18446744073709551616")
    });
    assert!(found, "no mutation has a number beyond 64 bits");
    assert_eq!(mutated(target, &seeds, 7), mutated(target, &seeds, 7));
    let changed = (0..500).filter(|number| !seeds.contains(&mutated(target, &seeds, *number))).count();
    assert!(changed > 450, "{changed}");
}
