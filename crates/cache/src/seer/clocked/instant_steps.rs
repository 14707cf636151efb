//! The same cache as if its steps took no time: what `SeerCache` does, on the beat of its iterations.

use super::scan::Scan;
use super::{ClockedCache, What, is_due};

impl ClockedCache {
    /// Plays a cycle: fetched states enter, and notifications and packets that arrived are known. At the end of an
    /// iteration, the manager decides on all of it.
    pub(super) fn step_at_once(&mut self) {
        let cycle = self.cycle;
        self.land(cycle);
        // Of the inputs of one instant, packets arrived first.
        while let Some((_, id)) = self.comes.pop_front_if(|(at, _)| *at <= cycle) {
            self.list.remove(id);
            self.packet_came(id);
        }
        while let Some((_, told)) = self.told.pop_front_if(|(at, _)| *at <= cycle) {
            self.say(What::of(&told));
            self.list.take_in(told);
        }
        if cycle.is_multiple_of(2 * self.ways as u64 + 1) {
            self.iterate();
        }
    }

    /// Fetched states enter, in the order in which they were fetched.
    fn land(&mut self, cycle: u64) {
        loop {
            let place_first = match (self.fills.front(), self.places.front()) {
                // Packets arrive before an iteration ends.
                (Some((fill, _)), Some((place, _))) => place <= fill,
                (None, place) => place.is_some(),
                (Some(_), None) => false,
            };
            if place_first && is_due(&self.places, cycle) {
                let Some((_, id)) = self.places.pop_front() else { return };
                self.asked.retain(|other| *other != id);
                let wanted = self.list.wanted(id);
                let room = self.scan(id).room(wanted, |ways| self.tags.least_recent(id, ways.iter().copied()));
                self.place(id, room);
            } else if !place_first && is_due(&self.fills, cycle) {
                self.fill();
            } else {
                return;
            }
        }
    }

    fn iterate(&mut self) {
        let Some(head) = self.list.ask() else { return };
        if self.tags.find(head.key).is_some() || self.asked.contains(&head.key) {
            return self.list.mark();
        }
        let (id, wanted) = (head.key, Some(head.arrival));
        let room = self.scan(id).room(wanted, |ways| self.tags.least_recent(id, ways.iter().copied()));
        if let Some(room) = room {
            if room.evicted.is_some() {
                self.list.mark();
            }
            self.fetch(id, room);
        }
    }

    /// All ways of the set of an id.
    fn scan(&self, id: u64) -> Scan {
        let mut scan = Scan::default();
        for way in 0..self.ways {
            scan.look(self.tags.line(id, way), |other| self.list.wanted(other));
        }
        scan
    }
}
