//! Limits of scenarios that no machine could run, or that would have no result.

use super::policy::PolicyPlan;
use super::settings::Settings;
use super::states::StatePlan;
use super::workload::{Flows, WorkloadPlan};
use crate::document::Node;
use crate::error::Result;
use crate::scenario::Plan;
use forebay_core::{BufferSize, Duration, Time};
use forebay_sim::net::SharedBuffer;

/// Flows of a run: each keeps some 150 bytes until it ends.
const MOST_FLOWS: f64 = 5e7;
/// Numbers in the series of a run.
const MOST_SAMPLES: f64 = 2e7;

/// Rejects more flows than a run can remember, if the scenario determines their number.
pub(super) fn check_flows(place: &Node, workload: &WorkloadPlan, settings: &Settings) -> Result<()> {
    let Flows::Drawn(drawn) = &workload.flows else { return Ok(()) };
    let per_second = drawn.flows_per_second(&settings.topology.hosts)?;
    let length = drawn.duration.or_else(|| settings.length().map(|until| until.since(Time::ZERO)));
    let in_time = length.map_or(f64::INFINITY, |length| per_second * length.as_secs_f64());
    let flows = drawn.most_flows.map_or(in_time, |most| in_time.min(most as f64));
    // What never ends is rejected elsewhere.
    if flows <= MOST_FLOWS || flows.is_infinite() {
        return Ok(());
    }
    Err(place.error(format!(
        "workload `{}` would start some {flows:.0} flows; a run has room for {MOST_FLOWS:.0}: give it a shorter `duration`, or \
         `flows = 1_000_000`",
        workload.name
    )))
}

/// Rejects more samples over time than a person or a spreadsheet could use.
pub(super) fn check_series(place: &Node, every: Duration, series: usize, length: Option<Time>) -> Result<()> {
    let Some(length) = length else { return Ok(()) };
    let numbers = series as f64 * length.as_secs_f64() / every.as_secs_f64();
    if numbers <= MOST_SAMPLES {
        return Ok(());
    }
    Err(place.error(format!(
        "`series` would have some {numbers:.0} numbers; {MOST_SAMPLES:.0} are the most: look less often, for example `every = \
         \"100 us\"`"
    )))
}

/// The largest packet that ports must be able to hold.
#[derive(Debug, Clone)]
pub(super) struct Largest {
    bytes: u32,
    what: String,
}

impl Largest {
    /// Returns the size of the largest packet, over full packets of a transport and fetches of states that travel.
    pub(super) fn of(transport_bytes: u32, states: &[StatePlan]) -> Self {
        let transport = Self { bytes: transport_bytes, what: "a full packet of the transport".to_owned() };
        states.iter().fold(transport, |largest, state| match &state.store.remote {
            Some(remote) if remote.largest_packet() > largest.bytes => Self {
                bytes: remote.largest_packet(),
                what: format!("the largest packet of a fetch of `{}`", state.name),
            },
            _ => largest,
        })
    }
}

/// Rejects buffers that cannot hold the largest packet.
pub(super) fn check_buffer(place: &Node, plan: &Plan, largest: &Largest) -> Result<()> {
    let Largest { bytes: needed, what } = largest;
    match plan.buffer() {
        Some(BufferSize::Bytes(bytes)) if bytes < u64::from(*needed) => Err(place.error(format!(
            "{what} has {needed} B, and the buffer {bytes} B: it would never get through; give it more"
        ))),
        _ => Ok(()),
    }
}

/// Rejects memory of switches together with a policy that has the memory of its switch.
pub(super) fn check_one_memory(place: &Node, policy: &PolicyPlan) -> Result<()> {
    if !policy.shares_switches() {
        return Ok(());
    }
    Err(place.error(format!(
        "policy `{}` has a port for each link of a switch and shares memory among them itself; leave `shared_buffer` out, or take \
         a policy with one port",
        policy.name
    )))
}

/// Rejects memory of switches that is too small for the largest packet, even when it is empty.
pub(super) fn check_shared_buffer(place: &Node, buffer: SharedBuffer, largest: &Largest) -> Result<()> {
    let Largest { bytes, what } = largest;
    let room = (buffer.bytes as f64).min(buffer.alpha * buffer.bytes as f64);
    if room >= f64::from(*bytes) {
        return Ok(());
    }
    Err(place.error(format!(
        "{what} has {bytes} B, and a port may hold {room:.0} B of the empty `shared_buffer`: it would never get through; give it a \
         larger `size` or `alpha`"
    )))
}

#[cfg(test)]
mod tests {
    use crate::document::Node;
    use crate::network::NetworkScenario;
    use crate::scenario::Beside;
    use std::path::Path;

    #[test]
    fn a_load_that_lasts_for_too_long_is_refused() {
        let error = |duration: &str| {
            let text = format!(
                "[network]\ntopology = \"star\"\nduration = \"{duration}\"\n[[workload]]\nsizes = \"uniform\"\nload = 0.5\n\
                 [[policy]]\ntransport = \"dctcp\"\nport = {{ rank = \"arrival\", queue = \"fifo\", buffer = \"9 packets\" }}\n"
            );
            let document = Node::parse("s.toml", &text).unwrap();
            NetworkScenario::read(&document, "s", None, &Beside(Path::new("s.toml"))).map(|_| ()).err()
        };
        assert_eq!(error("100 s"), None);
        let error = error("9000000 s").unwrap().to_string();
        assert!(error.starts_with("s.toml:4: workload `uniform` would start some "), "{error}");
    }
}
