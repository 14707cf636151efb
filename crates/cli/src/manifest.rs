//! The content of manifest.json about this command: its arguments, its start and its duration.

use forebay::output::folder::Manifest;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// For a run of the scenario with this text that began at `start`.
pub(crate) fn manifest(scenario: &str, seed: u64, start: Instant) -> Manifest {
    let wall_time = start.elapsed();
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Manifest::new(scenario, seed, std::env::args().collect(), since_1970.saturating_sub(wall_time), wall_time)
}
