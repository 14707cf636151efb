//! Lets ports notify the nodes at the other end of their links of waiting packets, as a hook of the network.

use super::notifying_port::{Announcing, Naming};
use super::queue_choice::Refused;
use super::states::States;
use crate::net::event::to_u32;
use crate::net::flow_table::FlowTable;
use crate::net::hook::{Message, PortHook, Tells};
use crate::net::hook_context::Reach;
use crate::net::queued_packet::Queued;
use forebay_cache::seer::Fpm;
use forebay_core::{ClassId, Duration, Rate, Time};

/// Messages are notifications; messages that take time of a link are control packets.
impl PortHook for States {
    fn tells_at(&self, link: usize) -> Tells {
        match self.wiring.of(link) {
            None => Tells::Nothing,
            Some(announcing) if announcing.forecasts || announcing.corrects() => Tells::Ahead,
            Some(_) => Tells::Queued,
        }
    }

    #[inline]
    fn queued(&mut self, link: usize, queued: &Queued<'_>, flows: &FlowTable) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        if announcing.naming != Naming::States {
            return announcing.queued_by_name(queued);
        }
        let id = announcing.hearers[0].asked.state(queued.packet(), flows);
        announcing.queued(queued, id);
    }

    fn refused(&mut self, link: usize, packet: &Refused) {
        if let Some(announcing) = self.wiring.announcing(link) {
            announcing.refused(packet);
        }
    }

    fn pushed_out(&mut self, link: usize) {
        if let Some(announcing) = self.wiring.announcing(link) {
            assert!(announcing.corrects(), "announced packets are pushed out only where notifications are corrected");
            announcing.pushed_out();
        }
    }

    #[inline(never)]
    fn left(&mut self, link: usize, class: ClassId) {
        if let Some(announcing) = self.wiring.announcing(link) {
            announcing.left(class);
        }
    }

    #[inline]
    fn before(&mut self, now: Time, link: usize, waited: bool) -> Message {
        self.wiring.announcing(link).map_or(Message::Nothing, |announcing| announcing.before(now, waited))
    }

    fn lost(&mut self, link: usize) {
        if let Some(announcing) = self.wiring.announcing(link) {
            announcing.lose_last();
        }
    }

    fn idle(&mut self, now: Time, link: usize) -> bool {
        self.wiring.announcing(link).is_some_and(|announcing| announcing.ahead(now))
    }

    #[cold]
    fn has_more(&self, link: usize) -> bool {
        self.wiring.of(link).is_some_and(Announcing::has_more)
    }

    fn failed(&mut self, link: usize) {
        if let Some(announcing) = self.wiring.announcing(link) {
            announcing.fail();
        }
    }

    /// Notifications that were sent are not corrected.
    fn sends_at(&mut self, link: usize, rate: Rate) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        announcing.set_rate(rate);
        if announcing.naming == Naming::PacketsOnly {
            return;
        }
        for hearer in &announcing.hearers {
            if let Some(cache) = self.applications[hearer.place].told() {
                cache.set_rate(announcing.port, rate);
            }
        }
    }

    #[inline]
    fn heard(&mut self, link: usize, reach: &mut Reach<'_>) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        if !announcing.is_plain() {
            return self.notice_in_all_ways(link, reach);
        }
        let (port, place) = (announcing.port, announcing.hearers[0].place);
        let (control, fpms) = announcing.arrived();
        self.applications[place].hear(reach.now(), port, control, fpms);
        self.follow_up(reach.now(), place);
    }
}

impl States {
    /// Notifications have reached the end of their link, where they may be held up, or be for others.
    #[cold]
    fn notice_in_all_ways(&mut self, link: usize, reach: &mut Reach<'_>) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        let (control, fpms) = announcing.arrived();
        let mut fpms = fpms.collect();
        announcing.hold_up(reach.now(), &mut fpms, |late| reach.schedule(late, to_u32(link)));
        self.notified(link, &fpms, control, reach);
    }

    /// A notification arrives that was held up at the end of its link.
    #[cold]
    pub(super) fn late_notice(&mut self, link: usize, reach: &mut Reach<'_>) {
        let late = self.wiring.announcing(link).and_then(Announcing::comes_late);
        self.notified(link, late.as_slice(), None, reach);
    }

    /// Notifications have arrived; `control`: how long the packet that carried them took of the link.
    fn notified(&mut self, link: usize, fpms: &[Fpm], control: Option<Duration>, reach: &mut Reach<'_>) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        if announcing.naming != Naming::States {
            return self.notice_of_packets(link, fpms, control, reach);
        }
        let (port, place) = (announcing.port, announcing.hearers[0].place);
        self.applications[place].hear(reach.now(), port, control, fpms.iter().copied());
        self.follow_up(reach.now(), place);
    }
}
