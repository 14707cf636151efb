//! The runs of a scenario, and an estimate of their work.

use super::Memory;
use crate::observer::Unit;
use forebay_core::Duration;

/// The number of runs of one policy with one value of each axis, and the approximate work of each run.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The policy.
    pub policy: String,
    /// The values of the swept fields, by name.
    pub axes: Vec<(String, String)>,
    /// The number of runs: one for each repetition.
    pub runs: u64,
    /// The length of a run in simulated time, as far as it is known beforehand.
    pub simulated: Duration,
    /// The unit of a run: packets, or requests.
    pub counted: Unit,
    /// The approximate number of packets that a run sends over links, or of requests that it plays.
    pub packets: f64,
    /// The approximate time of a run on one core, in seconds: correct within a factor of about three.
    pub cpu_seconds: f64,
    /// The approximate memory of a run.
    pub memory: Memory,
}
