//! Operations on policies, as `conform` records them: read, and played by both engines with the same answers.

use super::FuzzTarget;
use crate::chunked_input::check_message;
use crate::seed_files::files;
use forebay_conform::{Played, read};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "operations",
    title: "Any text is operations in order of time, or has a message",
    seeds: || {
        let scripts = files("policies", &[".script"]);
        let sample =
            "0 enqueue size=100 class=1\n5 dequeue 0\n7 enqueue value=18446744073709551615 flow=3\n9 set 0 5\n";
        scripts.into_iter().chain([sample.as_bytes().to_vec()]).collect()
    },
    run,
    quick: 100_000,
};

fn run(data: &[u8]) {
    match read(&String::from_utf8_lossy(data), Played { ports: 2, parameters: 1, policies: 2 }) {
        Ok(operations) => assert!(operations.is_sorted_by_key(forebay_conform::Operation::time)),
        Err(error) => check_message(&error.to_string()),
    }
}
