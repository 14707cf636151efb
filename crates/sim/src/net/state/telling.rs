//! Ports that tell the nodes at the other end of their links what waits, and these hear it.

use super::announcing::{Announcing, Before, Naming};
use crate::net::forwarding::to_u32;
use crate::net::network::{Event, Network};
use forebay_cache::seer::Fpm;
use forebay_core::{Duration, Element, Time};

impl<E: Element> Network<E> {
    /// A packet waits in a port that tells.
    #[inline(never)]
    pub(crate) fn announce(&mut self, link: usize, index: u32) {
        let Some(announcing) = self.states.wiring.announcing(link) else { return };
        let way = self.packets.get_mut(index);
        if announcing.naming != Naming::States {
            return announcing.queued_by_name(way);
        }
        let id = announcing.asked.state(way, &mut self.flows);
        announcing.queued(way.class, id, way.wire_bytes());
    }

    /// The link of a port that tells is free, and a packet waits. Whether a control packet takes the link.
    #[inline(never)]
    pub(crate) fn tell_before(&mut self, now: Time, link: usize, waited: bool) -> bool {
        let Some(announcing) = self.states.wiring.announcing(link) else { return false };
        let port = &mut self.ports[link];
        let sent = match announcing.before(now, waited) {
            Before::Nothing => return false,
            Before::Gap => now,
            Before::Control(lasts) => {
                port.busy_until = now + lasts;
                port.counts.busy_ps += lasts.as_ps();
                port.free_scheduled = true;
                self.events.schedule(port.busy_until, Event::Free(to_u32(link)));
                if port.loses(&mut self.losses) {
                    announcing.lose_last();
                }
                port.busy_until
            }
        };
        self.events.schedule(sent + port.propagation, Event::Notice(to_u32(link)));
        sent > now
    }

    /// Notifications have reached the end of their link.
    #[inline(never)]
    pub(crate) fn notice(&mut self, now: Time, link: usize) {
        let Some((announcing, node)) = self.states.told_by(link) else { return };
        if !announcing.is_plain() {
            return self.notice_in_all_ways(now, link);
        }
        let port = announcing.port;
        let (control, fpms) = announcing.arrived();
        node.hear(now, port, control, fpms);
    }

    /// The same, where they may be held up, or be for others.
    #[cold]
    fn notice_in_all_ways(&mut self, now: Time, link: usize) {
        let Some(announcing) = self.states.wiring.announcing(link) else { return };
        let (control, fpms) = announcing.arrived();
        let mut fpms = fpms.collect();
        let events = &mut self.events;
        announcing.hold_up(now, &mut fpms, |late| events.schedule(late, Event::LateNotice(to_u32(link))));
        self.heard(now, link, &fpms, control);
    }

    /// A notification comes that was held up at the end of its link.
    #[cold]
    pub(crate) fn late_notice(&mut self, now: Time, link: usize) {
        let late = self.states.wiring.announcing(link).and_then(Announcing::comes_late);
        self.heard(now, link, late.as_slice(), None);
    }

    /// Notifications have come; `control`: how long the packet that carried them took of the link.
    fn heard(&mut self, now: Time, link: usize, fpms: &[Fpm], control: Option<Duration>) {
        let Some((announcing, node)) = self.states.told_by(link) else { return };
        if announcing.naming != Naming::States {
            return self.notice_of_packets(now, link, fpms, control);
        }
        node.hear(now, announcing.port, control, fpms.iter().copied());
    }
}
