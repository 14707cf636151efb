//! Packets that an older version treats, since the newest one chooses it (`docs/openqueue-semantics.md`, 8.5; sections III-A and III-G of
//! the paper).

use super::{Live, add};
use crate::fields::field;
use crate::traits::{Engine, Occupancy};
use forebay_core::{Packet, QueueId, Time, Verdict};
use forebay_lang::ir::Read;
use forebay_lang::{Fixed, Ratio};

impl<E: Engine> Live<E> {
    /// Returns the version that the newest one's `policyId` chooses, as an index among the draining ones; `None`: the newest.
    pub(super) fn chosen(&self, now: Time, packet: &Packet) -> Option<usize> {
        if self.draining.is_empty() {
            return None;
        }
        let number = self.current.policy.policy_id.as_ref()?;
        let wanted = number.value(&mut |read| match read {
            Read::Packet(_, what) => field(packet, self.current.number, what),
            Read::Now => Fixed::nanoseconds_of_ps(now.as_ps()),
            Read::Parameter(id) => self.current.engine.parameter(id).unwrap_or_default(),
            // The check lets it read nothing else.
            _ => Fixed::default(),
        });
        let is_it = |version: u32| Ratio::from_integer(version.into()) == wanted.floor();
        let at = self.draining.iter().position(|version| is_it(version.number))?;
        // What it directs to a port that the newest version does not have would never leave.
        self.draining[at].has_no_other_port().then_some(at)
    }

    /// Enqueues as [`Engine::enqueue`], under a version that drains.
    pub(super) fn enqueue_under(&mut self, at: usize, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let first = evicted.len();
        let version = &mut self.draining[at];
        let before: Vec<Occupancy> = version.occupancies().map(|(_, occupancy)| occupancy).collect();
        let verdict = version.engine.enqueue(now, packet, evicted);
        let after: Vec<(QueueId, Occupancy)> = version.occupancies().collect();
        version.retire();
        if matches!(verdict, Verdict::Queued { .. }) {
            self.packets += 1;
            self.bytes += u64::from(packet.size_bytes);
            let number = self.draining[at].number;
            if let Some(count) = self.inside.get_mut((number - self.oldest) as usize) {
                *count += 1;
            }
        }
        // Newer versions count the packets that wait here.
        for ((queue, after), before) in after.into_iter().zip(before).filter(|((_, after), before)| after != before) {
            let name = self.draining[at].queue_name(queue).to_owned();
            for newer in self.draining[at + 1..].iter_mut().chain([&mut self.current]) {
                newer.hold_other(&name, before, after);
            }
        }
        for victim in &evicted[first..] {
            let policy_id = self.draining[at].arrived_under(victim);
            self.left(now, policy_id, victim);
        }
        if self.draining[at].is_empty() {
            let version = self.draining.remove(at);
            add(&mut self.gone, version.engine.counters());
        }
        verdict
    }
}
