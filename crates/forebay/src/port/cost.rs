//! Estimates the work of the runs of a cell, before any run is made.

use super::{Cell, PortScenario};
use crate::error::Result;
use crate::observer::Unit;
use crate::run::{Cost, Memory, Part};
use crate::scenario::TrafficKind;
use forebay_core::{Duration, Time};

/// Packets that a core of a server takes through a port in a second of its time: 1 to 6 million in crates/sim/benches/port.rs.
const PACKETS_PER_CPU_SECOND: f64 = 2e6;
/// Bytes of a packet, where only a rate says how many there are.
const FULL_PACKET: f64 = 1_500.0;

/// Returns the cost of each cell of a scenario, in the order of the report, over the runs that `part` selects.
pub(crate) fn costs(scenario: &PortScenario, part: &Part) -> Result<Vec<Cost>> {
    let runs = scenario.plan(None)?.runs_in(part);
    let cost = |(cell, runs): (&Cell, u64)| {
        let (packets, simulated) = size(cell);
        Cost {
            policy: cell.policy.name.clone(),
            axes: cell.axes.iter().map(|(name, value)| (name.clone(), value.text.clone())).collect(),
            runs,
            simulated,
            counted: Unit::Packets,
            packets,
            cpu_seconds: packets / PACKETS_PER_CPU_SECOND,
            memory: Memory::with_waiting(0.0, packets, [cell.policy.discipline.buffer()]),
        }
    };
    Ok(scenario.cells.iter().zip(runs).map(cost).collect())
}

/// Packets of a source that does not say how many it has.
const GUESSED_PACKETS: u64 = 1_000_000;

/// Packets that arrive, and how long that takes.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate of some picoseconds")]
fn size(cell: &Cell) -> (f64, Duration) {
    let most = cell.setting.traffic.max_packets() as f64;
    match &cell.setting.traffic.kind {
        TrafficKind::Trace { trace, speed, .. } => {
            let last = trace.packets.last().map_or(Time::ZERO, |packet| packet.arrival);
            let ps = last.as_ps() as f64 / speed;
            (most, Duration::from_ps(ps.min(cell.setting.until.as_ps() as f64) as u64))
        }
        TrafficKind::Generated(spec) => {
            let per_second = spec.mean_rate_bps / 8.0 / FULL_PACKET;
            let of_time = if spec.until == Time::MAX { f64::INFINITY } else { spec.until.as_secs_f64() * per_second };
            let packets = most.min(of_time);
            (packets, Duration::from_ps((packets / per_second * 1e12) as u64))
        }
        TrafficKind::Own(source) => (source.packets.unwrap_or(GUESSED_PACKETS) as f64, Duration::ZERO),
    }
}
