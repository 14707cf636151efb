//! Nodes that relay notifications to the next node on a packet's path, before the packet has arrived.
//!
//! When a notification reaches a node, the node knows the arrival time of the packet and its next link. If the port of this link notifies
//! the next node, it sends a forecast: the packet will depart after the present backlog. Forecasts are not relayed again, so a notified
//! node knows of packets that are two links away. When the packet arrives, its own notification replaces the forecast.

use super::notifying_port::Naming;
use super::packet_name::Name;
use super::states::States;
use crate::net::hook::PortHook;
use crate::net::hook_context::Reach;
use forebay_cache::seer::{Fpm, Says};
use forebay_core::Duration;

impl States {
    /// Notifications that name packets have reached the end of their link; `control`: how long they took of it.
    #[inline(never)]
    pub(super) fn notice_of_packets(
        &mut self,
        link: usize,
        fpms: &[Fpm],
        control: Option<Duration>,
        reach: &mut Reach<'_>,
    ) {
        for fpm in fpms.iter().filter(|fpm| fpm.says == Says::Comes) {
            let name = Name::from_id(fpm.id);
            if !name.is_forecast {
                self.pass_on(link, name, fpm, reach);
            }
        }
        let hearers = self.wiring.announcing(link).map_or(0, |announcing| announcing.hearers.len());
        for number in 0..hearers {
            self.hears_of_packets(link, number, fpms, control, reach);
        }
    }

    /// The application of this number among those that a port notifies gets the notifications that concern it.
    fn hears_of_packets(
        &mut self,
        link: usize,
        number: usize,
        fpms: &[Fpm],
        control: Option<Duration>,
        reach: &Reach<'_>,
    ) {
        let Some(announcing) = self.wiring.announcing(link) else { return };
        let (port, is_told, corrects) = (announcing.port, announcing.naming == Naming::Packets, announcing.corrects());
        let hearer = &mut announcing.hearers[number];
        let (mut firm, mut ahead) = (Vec::new(), Vec::new());
        for fpm in fpms {
            if matches!(fpm.says, Says::Overtakes | Says::Later) {
                firm.push(*fpm);
                continue;
            }
            let name = Name::from_id(fpm.id);
            match hearer.asked.of(name.flow, name.to_receiver, name.has_data, reach.flows()).filter(|_| is_told) {
                Some(id) if name.is_forecast => ahead.push(Fpm { id, ..*fpm }),
                Some(id) => firm.push(Fpm { id, ..*fpm }),
                // It asks this application for nothing, and goes before others.
                None if corrects && fpm.says == Says::Comes => firm.push(Fpm { says: Says::Overtakes, ..*fpm }),
                None => hearer.ended += 1,
            }
        }
        let (now, place) = (reach.now(), hearer.place);
        let application = &mut self.applications[place];
        if is_told && (control.is_some() || !firm.is_empty()) {
            application.hear(now, port, control, firm);
        }
        if let Some(cache) = application.told().filter(|_| !ahead.is_empty()) {
            cache.forecast(now, port, &ahead);
        }
        self.follow_up(now, place);
    }

    /// A packet will arrive at the node at the end of the link over which its notification has arrived.
    fn pass_on(&mut self, over: usize, name: Name, fpm: &Fpm, reach: &mut Reach<'_>) {
        let Some(link) = reach.next_link(reach.head(over), name.flow, name.to_receiver) else { return };
        let port = reach.port(link);
        let now = reach.now();
        let Some(announcing) = self.wiring.announcing(link).filter(|to| to.forecasts && port.up) else { return };
        announcing.forecast(name, fpm.size_bytes, now + fpm.delay, port.free);
        if !port.idle {
            reach.ask_when_free(link);
        } else if self.idle(now, link) {
            reach.send(link);
        }
    }
}
