//! The virtual clock of generalised processor sharing (GPS), the fluid model that fair queueing approximates.
//!
//! GPS serves all backlogged flows at the same time, each with its weight's share of the link. Virtual time is the service that a flow of
//! weight 1 has received while it was backlogged. It advances at the rate of the link over the sum of the weights of the backlogged flows.
//! So the pace of virtual time changes whenever a flow runs empty in the fluid. The clock steps from one such moment to the next (Parekh
//! and Gallager, ToN 1993, section III).
//!
//! A tree's node below the root has a share of the link that changes all the time. A link's fluid receives service as time passes; the
//! fluid of such a node receives as much service as the node sends, packet by packet ([`GpsClock::serve`]). This is the reference time of
//! Bennett and Zhang, SIGCOMM'96, section 4.
//!
//! The unit of virtual time is 10^-12 bits, which a link of 1 bit/s sends in a picosecond. Rates times picoseconds are then whole numbers.
//! The only rounding is in one division per event, and its error is less than one unit. 128 bits hold more than any run can send.

use crate::flow_state::FlowState;
use forebay_core::{FlowId, Rate, Time};
use std::collections::BTreeSet;

/// The virtual time that a byte takes at weight 1.
pub(crate) const UNITS_PER_BYTE: u128 = 8_000_000_000_000;

/// The state of the fluid: the present virtual time, and the time at which each flow would run empty.
#[derive(Debug, Clone)]
pub(crate) struct GpsClock {
    /// The rate at which the fluid is sent; without it, the fluid follows packets.
    rate: Option<Rate>,
    now: Time,
    virtual_time: u128,
    flows: FlowState<Flow>,
    /// The backlogged flows of the fluid, by the virtual time at which they run empty.
    waiting: BTreeSet<(u128, FlowId)>,
    /// The sum of the weights of the backlogged flows.
    weight: u64,
    /// The part of the packets' service that is not yet a unit of virtual time.
    rest: u128,
}

#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    /// The virtual time at which the flow's last packet finishes.
    finish: u128,
    /// The flow's weight since its backlog began: the fluid's shares change only then.
    weight: u32,
}

impl GpsClock {
    /// Creates an idle fluid on a link.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate: Some(rate), ..Self::by_service() }
    }

    /// Creates an idle fluid that sends as much as packets [send](Self::serve).
    pub(crate) fn by_service() -> Self {
        let (rate, flows) = (None, FlowState::default());
        Self { rate, now: Time::ZERO, virtual_time: 0, flows, waiting: BTreeSet::new(), weight: 0, rest: 0 }
    }

    /// Advances the fluid to `now`.
    pub(crate) fn advance(&mut self, now: Time) {
        let elapsed = now.since(self.now);
        self.now += elapsed;
        if let Some(rate) = self.rate {
            self.flow(u128::from(elapsed.as_ps()) * u128::from(rate.bits_per_second()));
        }
    }

    /// Advances the fluid by `size_bytes`, the length of a chosen packet, if the fluid follows packets. There is no rounding.
    pub(crate) fn serve(&mut self, size_bytes: u32) {
        if self.rate.is_some() {
            return;
        }
        let sent = u128::from(size_bytes) * UNITS_PER_BYTE + self.rest;
        self.rest = self.flow(sent);
    }

    /// Sends the amount `sent` of the fluid. Returns the rest, which is less than a unit of virtual time.
    fn flow(&mut self, mut sent: u128) -> u128 {
        while let Some(&(finish, flow)) = self.waiting.first() {
            let until_empty = (finish - self.virtual_time).saturating_mul(self.weight.into());
            if sent < until_empty {
                let weight = u128::from(self.weight);
                self.virtual_time += sent / weight;
                return sent % weight;
            }
            sent -= until_empty;
            self.virtual_time = finish;
            self.stop_waiting(flow);
        }
        0
    }

    /// The present virtual time.
    pub(crate) fn virtual_time(&self) -> u128 {
        self.virtual_time
    }

    /// The virtual time at which a packet that arrives now would start.
    pub(crate) fn start(&self, flow: FlowId) -> u128 {
        if self.is_waiting(flow) { self.flows.get(flow).finish } else { self.virtual_time }
    }

    /// The virtual time at which a packet that arrives now would finish.
    pub(crate) fn finish(&self, flow: FlowId, size_bytes: u32, weight: u32) -> u128 {
        let weight = if self.is_waiting(flow) { self.flows.get(flow).weight } else { weight };
        self.start(flow) + service(size_bytes, weight)
    }

    /// Moves the virtual time forward to at least `time`, as if the fluid had been faster. Flows that would run empty before `time` run
    /// empty.
    pub(crate) fn skip_to(&mut self, time: u128) {
        while let Some(&(_, flow)) = self.waiting.first().filter(|(finish, _)| *finish <= time) {
            self.stop_waiting(flow);
        }
        self.virtual_time = self.virtual_time.max(time);
    }

    /// Adds a packet that arrives now. `weight` applies to its flow if the flow's backlog begins with this packet.
    pub(crate) fn arrive(&mut self, flow: FlowId, size_bytes: u32, weight: u32) {
        let finish = self.finish(flow, size_bytes, weight);
        if self.is_waiting(flow) {
            self.waiting.remove(&(self.flows.get(flow).finish, flow));
        } else {
            self.weight += u64::from(weight);
            // What ran empty before now begins anew.
            let now = self.virtual_time;
            self.flows.get_mut_forgetting(flow, |state| state.finish < now).weight = weight;
        }
        self.flows.get_mut(flow).finish = finish;
        self.waiting.insert((finish, flow));
    }

    /// Removes the last packet of a flow, except for the part that the fluid has already sent.
    pub(crate) fn take_back(&mut self, flow: FlowId, size_bytes: u32) {
        if !self.is_waiting(flow) {
            return;
        }
        let Flow { finish, weight } = self.flows.get(flow);
        let start = finish.saturating_sub(service(size_bytes, weight));
        if start <= self.virtual_time {
            self.stop_waiting(flow);
        } else {
            self.waiting.remove(&(finish, flow));
            self.waiting.insert((start, flow));
            self.flows.get_mut(flow).finish = start;
        }
    }

    fn is_waiting(&self, flow: FlowId) -> bool {
        self.waiting.contains(&(self.flows.get(flow).finish, flow))
    }

    fn stop_waiting(&mut self, flow: FlowId) {
        let Flow { finish, weight } = self.flows.get(flow);
        self.waiting.remove(&(finish, flow));
        self.weight -= u64::from(weight);
    }
}

/// The virtual time of a packet's service. The callers' weights are at least 1.
fn service(size_bytes: u32, weight: u32) -> u128 {
    u128::from(size_bytes) * UNITS_PER_BYTE / u128::from(weight.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte takes a nanosecond.
    fn clock() -> GpsClock {
        GpsClock::new(Rate::parse("8 Gbps").unwrap())
    }

    fn bytes(clock: &GpsClock) -> f64 {
        clock.virtual_time as f64 / UNITS_PER_BYTE as f64
    }

    #[test]
    fn the_pace_is_that_of_the_flows_that_wait() {
        let mut clock = clock();
        clock.arrive(FlowId(0), 100, 1);
        clock.arrive(FlowId(1), 600, 3);
        // A quarter of the link each unit of weight: flow 0 is empty after 400 ns.
        clock.advance(Time::from_ns(200));
        assert_eq!(bytes(&clock), 50.0);
        clock.advance(Time::from_ns(400));
        assert_eq!(bytes(&clock), 100.0);
        // Flow 1 has 300 bytes left, and the link to itself.
        clock.advance(Time::from_ns(550));
        assert_eq!(bytes(&clock), 150.0);
        clock.advance(Time::from_ns(10_000));
        assert_eq!((bytes(&clock), clock.weight), (200.0, 0), "the clock stands while nothing waits");
    }

    #[test]
    fn a_clock_that_goes_by_packets_loses_nothing() {
        let mut clock = GpsClock::by_service();
        for flow in 0..3 {
            clock.arrive(FlowId(flow), 100, 1);
        }
        clock.serve(100);
        clock.serve(100);
        assert_eq!((clock.virtual_time, clock.rest), (200 * UNITS_PER_BYTE / 3, 200 * UNITS_PER_BYTE % 3));
        // A third flow of 100 bytes would otherwise not quite be empty.
        clock.serve(100);
        assert_eq!((bytes(&clock), clock.weight, clock.rest), (100.0, 0, 0));
    }

    #[test]
    fn a_skip_lets_flows_run_empty_that_finish_until_then() {
        let mut clock = clock();
        clock.arrive(FlowId(0), 100, 1);
        clock.arrive(FlowId(1), 600, 3);
        assert_eq!((clock.start(FlowId(0)), clock.start(FlowId(2))), (100 * UNITS_PER_BYTE, 0));
        clock.skip_to(150 * UNITS_PER_BYTE);
        assert_eq!((bytes(&clock), clock.weight), (150.0, 3));
        clock.skip_to(120 * UNITS_PER_BYTE);
        assert_eq!(bytes(&clock), 150.0, "virtual time never goes back");
        // Flow 1 has the link to itself: 150 bytes are left of it.
        clock.advance(Time::from_ns(75));
        assert_eq!((bytes(&clock), clock.start(FlowId(0))), (175.0, 175 * UNITS_PER_BYTE));
    }

    #[test]
    fn a_packet_taken_back_costs_what_the_fluid_has_sent_of_it() {
        let mut clock = clock();
        clock.arrive(FlowId(0), 100, 1);
        clock.arrive(FlowId(0), 100, 1);
        clock.take_back(FlowId(0), 100);
        assert_eq!(clock.finish(FlowId(0), 50, 1), 150 * UNITS_PER_BYTE);
        clock.advance(Time::from_ns(30));
        clock.take_back(FlowId(0), 100);
        assert_eq!((clock.weight, clock.waiting.len()), (0, 0));
        assert_eq!(clock.finish(FlowId(0), 50, 1), 80 * UNITS_PER_BYTE);
    }
}
