//! A link that changes its rate.

use super::Announcer;
use forebay_core::{Rate, TransmissionTimes};

impl Announcer {
    /// The link sends at this rate from now on, so the backlog takes another time. FPMs that were sent are not corrected.
    pub fn set_rate(&mut self, rate: Rate) {
        self.spec.rate = rate;
        self.transmission = TransmissionTimes::new(rate);
        for class in &mut self.classes {
            class.came = class.left;
            for packet in &mut class.packets {
                class.came = class.came + self.transmission.of(packet.size_bytes);
                packet.tail = class.came;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::seer::{Announcer, AnnouncerSpec};
    use forebay_core::Rate;

    #[test]
    fn what_waits_is_told_as_the_new_rate_has_it() {
        let rate = |gbps: u64| Rate::from_bits_per_second(gbps * 1_000_000_000).unwrap();
        // A byte takes a nanosecond.
        let mut announcer =
            Announcer::new(AnnouncerSpec { rate: rate(8), classes: 2, ..AnnouncerSpec::default() }).unwrap();
        for (class, id) in [(0, 1), (0, 2), (1, 3), (0, 4)] {
            announcer.queued(class, Some(id), 100);
        }
        announcer.left(0);
        announcer.set_rate(rate(4));
        announcer.queued(1, Some(5), 50);
        let mut out = Vec::new();
        announcer.idle(&mut out);
        let told: Vec<_> = out.iter().map(|fpm| (fpm.id, fpm.delay.as_ns())).collect();
        assert_eq!(told, [(2, 200), (4, 400), (3, 600), (5, 700)]);
    }
}
