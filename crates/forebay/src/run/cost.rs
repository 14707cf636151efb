//! The runs of a scenario, and an estimate of their work.

use super::Memory;
use crate::observer::Unit;
use forebay_core::Duration;

/// One policy with one value of each axis: how many runs it is, and about how much work each of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The policy.
    pub policy: String,
    /// The values of the swept fields, by name.
    pub axes: Vec<(String, String)>,
    /// How many runs there are: one for each repetition.
    pub runs: u64,
    /// How long a run is in simulated time, as far as that is known before.
    pub simulated: Duration,
    /// The unit of a run: packets, or requests.
    pub counted: Unit,
    /// About how many packets a run sends over links, or how many requests it plays.
    pub packets: f64,
    /// About how long a run takes on one core, in seconds: right within a factor of some three.
    pub cpu_seconds: f64,
    /// About how much memory a run holds.
    pub memory: Memory,
}
