//! Notifications of packets that have not arrived here yet: a node relays the notifications that it received to the next
//! one.
//!
//! They wait behind all others, in the order in which they were made. They use what the others leave of gaps and control
//! packets. Over an idle link they leave at once.
//!
//! Many packets share an id, and they arrive in the order in which they were forecast. So a packet that arrives is one
//! whose forecast has been sent, if there is any. Otherwise it is the first of those whose forecasts wait.

use super::{Announcer, AnnouncerCounts};
use crate::seer::Fpm;
use forebay_core::{Duration, Time};
use std::collections::hash_map::Entry;

/// One that waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forecast {
    id: u64,
    size_bytes: u32,
    /// When its packet will arrive at the port, as far as is known…
    comes: Time,
    /// …and will have left it.
    leaves: Time,
}

/// The carrier of a forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// The gap between two packets.
    Gap,
    /// A control packet.
    Control,
    /// The idle link.
    Idle,
}

impl Announcer {
    /// A packet will arrive at the port at `comes` and wait in `class`; the link will have sent the current packet at
    /// `free`.
    ///
    /// The packet is expected to leave behind the backlog of its class and of higher ones. Later arrivals are not known.
    pub fn forecast(&mut self, class: usize, id: u64, size_bytes: u32, comes: Time, free: Time) {
        self.counts.made += 1;
        self.counts.forecasts += 1;
        if !self.has_room() {
            self.counts.dropped_full += 1;
            return;
        }
        let ahead = self.classes[..=class].iter().fold(Duration::ZERO, |sum, class| sum + class.backlog());
        let leaves = comes.max(free + ahead) + self.spec.rate.transmission_time(size_bytes);
        self.forecasts.push_back(Forecast { id, size_bytes, comes, leaves });
        self.counts.max_waiting = self.counts.max_waiting.max(self.waiting());
    }

    /// A packet has arrived: removes its forecast, if it still waits. That takes a step for each forecast that waits.
    pub fn withdraw(&mut self, id: u64) {
        if self.was_sent(id) {
            return;
        }
        if let Some(at) = self.forecasts.iter().position(|forecast| forecast.id == id) {
            self.forecasts.remove(at);
            self.counts.stale += 1;
        }
    }

    /// Whether the forecast of a packet that has arrived was sent.
    fn was_sent(&mut self, id: u64) -> bool {
        let Entry::Occupied(mut sent) = self.sent_ahead.entry(id) else { return false };
        *sent.get_mut() -= 1;
        if *sent.get() == 0 {
            sent.remove();
        }
        true
    }

    /// Removes all forecasts that wait.
    pub fn withdraw_all(&mut self) {
        self.counts.stale += self.forecasts.len() as u64;
        self.forecasts.clear();
        self.counts.stale += self.sorted.as_mut().map_or(0, |sorted| sorted.withdraw());
        self.sent_ahead.clear();
    }

    /// Adds to `out` what there is room for beside `others`, if all together will have been sent at `sent`.
    pub fn forecasts(&mut self, carrier: Carrier, sent: Time, others: usize, out: &mut impl Extend<Fpm>) {
        let room = match carrier {
            Carrier::Gap => self.spec.per_gap.saturating_sub(others),
            Carrier::Control => self.spec.per_control.saturating_sub(others),
            Carrier::Idle => usize::MAX,
        };
        let count = self.forecasts.len().min(room);
        let (rate, sent_ahead) = (self.spec.rate, &mut self.sent_ahead);
        out.extend(self.forecasts.drain(..count).map(|Forecast { id, size_bytes, comes, leaves }| {
            // Otherwise it has arrived by now, or never will, and is not taken for a future one.
            if comes > sent {
                *sent_ahead.entry(id).or_insert(0) += 1;
            }
            Fpm::of(id, size_bytes, leaves.since(sent).max(rate.transmission_time(size_bytes)))
        }));
        let AnnouncerCounts { sent_in_gaps, sent_idle, sent_in_control, .. } = &mut self.counts;
        let sum = match carrier {
            Carrier::Gap => sent_in_gaps,
            Carrier::Control => sent_in_control,
            Carrier::Idle => sent_idle,
        };
        *sum += count as u64;
    }

    /// Whether some wait.
    #[must_use]
    pub fn has_forecasts(&self) -> bool {
        !self.forecasts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seer::AnnouncerSpec;
    use forebay_core::Rate;

    /// A byte takes a nanosecond.
    fn announcer(spec: AnnouncerSpec) -> Announcer {
        Announcer::new(AnnouncerSpec { rate: Rate::parse("8 Gbps").unwrap(), ..spec }).unwrap()
    }

    #[test]
    fn a_packet_is_forecast_to_leave_behind_what_waits_for_it() {
        let mut announcer = announcer(AnnouncerSpec { classes: 3, threshold: None, ..AnnouncerSpec::default() });
        for (class, id) in [(0, 1), (1, 2), (2, 3)] {
            announcer.queued(class, Some(id), 100);
        }
        let (now, free) = (Time::from_ns(1_000), Time::from_ns(1_050));
        announcer.forecast(1, 4, 50, Time::from_ns(1_100), free);
        announcer.forecast(1, 5, 50, Time::from_ns(2_000), free);
        let mut out = Vec::new();
        announcer.gap(&mut out);
        announcer.forecasts(Carrier::Gap, now, out.len(), &mut out);
        assert_eq!(out.iter().map(|fpm| fpm.id).collect::<Vec<_>>(), [1, 2], "the gap is full");
        out.clear();
        announcer.idle(&mut out);
        announcer.forecasts(Carrier::Idle, now, out.len(), &mut out);
        let told: Vec<_> = out.iter().map(|fpm| (fpm.id, fpm.delay.as_ns())).collect();
        assert_eq!(told, [(3, 300), (4, 300), (5, 1_050)]);
        assert!(announcer.is_conserved() && !announcer.has_forecasts());
    }

    #[test]
    fn what_waits_is_bounded_whatever_it_is_and_all_is_accounted_for() {
        let spec = AnnouncerSpec { queue_capacity: 4, threshold: Some(3), per_control: 2, ..AnnouncerSpec::default() };
        let mut announcer = announcer(spec);
        let soon = Time::from_ns(5_100);
        for id in 0..3 {
            announcer.forecast(0, id, 100, soon, Time::ZERO);
        }
        announcer.queued(0, Some(9), 100);
        announcer.queued(0, Some(10), 100);
        announcer.forecast(0, 3, 100, soon, Time::ZERO);
        assert_eq!((announcer.waiting(), announcer.counts().dropped_full), (4, 2));
        let mut out = Vec::new();
        let now = Time::from_ns(5_000);
        assert!(announcer.control(now, &mut out), "forecasts count as well");
        announcer.forecasts(Carrier::Control, now, out.len(), &mut out);
        let told: Vec<_> = out.iter().map(|fpm| (fpm.id, fpm.delay.as_ns())).collect();
        assert_eq!(told, [(9, 100), (0, 200)]);
        announcer.withdraw_all();
        let counts = announcer.counts();
        assert!(announcer.is_conserved() && announcer.waiting() == 0);
        assert_eq!((counts.made, counts.forecasts, counts.dropped_full, counts.stale), (6, 4, 2, 2));
    }

    /// Of one flow, whose notifications have one id.
    #[test]
    fn who_comes_leaves_alone_what_was_forecast_of_the_next() {
        let mut announcer = announcer(AnnouncerSpec::default());
        let at = Time::from_ns;
        let mut out = Vec::new();
        let forecast = |announcer: &mut Announcer, comes| announcer.forecast(0, 7, 100, comes, Time::ZERO);
        forecast(&mut announcer, at(1_000));
        announcer.forecasts(Carrier::Idle, at(500), 0, &mut out);
        forecast(&mut announcer, at(2_000));
        forecast(&mut announcer, at(3_000));
        // The first arrives, whose forecast was sent, and then the second.
        announcer.withdraw(7);
        assert_eq!((announcer.waiting(), announcer.counts().stale), (2, 0));
        announcer.withdraw(7);
        assert_eq!((announcer.waiting(), announcer.counts().stale), (1, 1));
        // The third is dropped on its way. Another is taken for it, and is forecast when it has arrived.
        announcer.forecasts(Carrier::Idle, at(2_500), 0, &mut out);
        forecast(&mut announcer, at(4_000));
        announcer.withdraw(7);
        announcer.forecasts(Carrier::Idle, at(4_000), 0, &mut out);
        // That does not happen to the next as well.
        forecast(&mut announcer, at(5_000));
        announcer.withdraw(7);
        let told: Vec<_> = out.iter().map(|fpm| fpm.delay.as_ns()).collect();
        assert_eq!((told, announcer.counts().stale), (vec![600, 600, 100], 2));
        assert!(announcer.is_conserved() && !announcer.has_forecasts());
    }
}
