//! Preemption: a job that exceeds its turn goes back to the queue (SurgeProtector, thesis, section 3.7).
//!
//! A job that has begun without preemption holds its server to the end, however wrong its estimate was. With turns, a job holds the server
//! for the length of a turn. Then the job waits again, ranked by the greater of its estimate and twice its work so far. So a job that was
//! underestimated loses its rank: with turns as long as estimates, the number of its interruptions is the logarithm of its size. Each
//! interruption costs a server a fixed time.

use crate::Service;
use forebay_core::{Duration, Packet, Time};
use rustc_hash::FxHashMap;

/// The length of a turn, and the cost of its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turns {
    /// The length of a turn.
    pub turn: Turn,
    /// The time that a server needs to put a job back and start another one.
    pub cost: Duration,
}

/// The length of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A fixed length for all jobs; above zero.
    Fixed(Duration),
    /// The estimate of the job when it was queued, at least a nanosecond.
    Estimate,
}

/// The least length of a turn.
const LEAST: Duration = Duration::from_ns(1);

/// A service that works in turns.
pub struct InTurns<S> {
    service: S,
    turns: Turns,
    /// Jobs that have begun and are not done, by the id of their packets.
    begun: FxHashMap<u64, Begun>,
}

#[derive(Debug, Clone, Copy)]
struct Begun {
    /// The whole work.
    work: Duration,
    left: Duration,
    /// The scheduler's first estimate.
    told: Duration,
    /// Turns that ended too early.
    interrupted: u64,
}

impl<S> InTurns<S> {
    /// Wraps `service` so that it works in turns.
    pub fn new(service: S, turns: Turns) -> Self {
        Self { service, turns, begun: FxHashMap::default() }
    }
}

impl<S: Service> Service for InTurns<S> {
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        self.service.arrived(now, packet);
    }

    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration {
        let told = packet.processing;
        let Self { service, turns, begun } = self;
        let job = begun.entry(packet.id).or_insert_with(|| {
            let work = service.started(now, packet);
            Begun { work, left: work, told, interrupted: 0 }
        });
        let turn = match turns.turn {
            Turn::Fixed(turn) => turn,
            Turn::Estimate => told,
        }
        .max(LEAST);
        if job.left <= turn {
            // What was spent on interruptions is work that the packet made, for probes.
            let spent = job.interrupted.saturating_mul(turns.cost.as_ps());
            packet.processing = job.work + Duration::from_ps(spent);
            let lasts = job.left;
            job.left = Duration::ZERO;
            return lasts;
        }
        packet.processing = told;
        job.left = Duration::from_ps(job.left.as_ps() - turn.as_ps());
        job.interrupted += 1;
        turn + turns.cost
    }

    fn unfinished(&mut self, _: Time, packet: &Packet) -> Option<Packet> {
        let job = self.begun.get(&packet.id).filter(|job| job.left > Duration::ZERO)?;
        let cost_so_far = job.work.as_ps() - job.left.as_ps();
        let processing = job.told.max(Duration::from_ps(cost_so_far.saturating_mul(2)));
        Some(Packet { processing, ..*packet })
    }

    fn dropped(&mut self, now: Time, packet: &mut Packet) {
        self.begun.remove(&packet.id);
        self.service.dropped(now, packet);
    }

    fn completed(&mut self, now: Time, packet: &Packet) {
        self.begun.remove(&packet.id);
        self.service.completed(now, packet);
    }
}
