//! Runs an engine on an input.

use super::Input;
use crate::{Engine, Served};
use forebay_core::{Time, Verdict};
use forebay_lang::ir::PortId;

/// The service in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// This many cycles, of one packet after the other: 1 in Tables I and II, and more with a speedup.
    Cycles(u32),
    /// A whole packet, whatever it needs (weighted throughput, section II-C).
    Packet,
}

/// The result for an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SlottedOutcome {
    /// Packets that left after service.
    pub transmitted: u64,
    /// The sum of their values.
    pub value: u64,
    /// Packets that were dropped on arrival.
    pub refused: u64,
    /// Packets that were dropped later.
    pub pushed_out: u64,
    /// Slots until all packets had left.
    pub slots: u64,
}

/// Offers the input to an empty engine, and continues after the last arrival until `port` has nothing to serve.
pub fn run(engine: &mut dyn Engine, port: PortId, input: &Input, service: Service) -> SlottedOutcome {
    let mut outcome = SlottedOutcome::default();
    let mut evicted = Vec::new();
    let mut id = 0;
    loop {
        let now = Time::from_ns(outcome.slots);
        let arrivals = usize::try_from(outcome.slots).ok().and_then(|slot| input.slots.get(slot));
        for arrival in arrivals.into_iter().flatten() {
            if let Verdict::Refused { .. } = engine.enqueue(now, arrival.packet(id, now), &mut evicted) {
                outcome.refused += 1;
            }
            id += 1;
        }
        outcome.pushed_out += evicted.drain(..).count() as u64;
        let times = if let Service::Cycles(cycles) = service { cycles } else { 1 };
        let mut is_idle = true;
        for _ in 0..times {
            let served = match service {
                Service::Cycles(_) => engine.cycle(now, port),
                Service::Packet => engine.dequeue(now, port).map_or(Served::Nothing, Served::Packet),
            };
            match served {
                Served::Nothing => break,
                Served::Cycle => {}
                Served::Packet(packet) => {
                    outcome.transmitted += 1;
                    outcome.value += u64::from(packet.value);
                }
            }
            is_idle = false;
        }
        if is_idle && arrivals.is_none() {
            return outcome;
        }
        outcome.slots += 1;
    }
}
