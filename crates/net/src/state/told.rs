//! A node that is told what packets come, and the ports that tell it.

use super::counts::ToldCounts;
use super::node::{AtNode, StateStore};
use super::notifier::{Announcing, Before, Naming, Notifier, NotifierCounts};
use crate::forwarding::to_u32;
use crate::graph::{Graph, LinkSpec, NodeId};
use crate::network::{Event, Network};
use forebay_core::{Duration, Element, ParamError, Rate, Time};
use forebay_seer::{Fpm, SeerCache, SeerCounts};

/// States at a node that is told what comes.
pub struct Told {
    /// Where they are.
    pub cache: SeerCache,
    /// The links that lead to the node, in the order of the cache's ports, and what tells of the packets that wait for them;
    /// without that, a link's node does not take part.
    pub ingress: Vec<(usize, Option<Notifier>)>,
    /// If its neighbours pass on what they are told: the links that lead to them, and what tells of the packets that wait
    /// for these. Where such a neighbour has a cache that is told, what is here is left aside.
    pub relayed: Option<Vec<(usize, Notifier)>>,
}

impl Told {
    /// States at `node`, whose cache `cache` builds for ports of these rates; `notifier` says what tells of the packets that
    /// wait for a link to it.
    ///
    /// # Errors
    /// Those of `cache` and `notifier`.
    pub fn at(
        graph: &Graph,
        node: NodeId,
        cache: impl FnOnce(Vec<Rate>) -> Result<SeerCache, ParamError>,
        mut notifier: impl FnMut(usize, &LinkSpec) -> Result<Option<Notifier>, ParamError>,
    ) -> Result<Self, ParamError> {
        let links = || graph.links().iter().enumerate().filter(|(_, link)| link.to == node);
        let ingress = links().map(|(number, link)| Ok((number, notifier(number, link)?)));
        Ok(Self {
            cache: cache(links().map(|(_, link)| link.rate).collect())?,
            ingress: ingress.collect::<Result<_, ParamError>>()?,
            relayed: None,
        })
    }
}

/// What notifications did over a whole run, at one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldOutcome {
    /// What the cache counted.
    pub cache: SeerCounts,
    /// What the ports told that lead to the node, and to neighbours that are told for it alone.
    pub notifiers: Vec<NotifierCounts>,
}

impl AtNode {
    pub(super) fn told(&mut self) -> Option<&mut SeerCache> {
        match &mut self.spec.store {
            StateStore::Told(told) => Some(&mut told.cache),
            StateStore::OnDemand(_) | StateStore::Foreseen(..) => None,
        }
    }

    /// What was counted by `now`, here and at the ports that tell, each in the place of its link.
    pub(super) fn told_counts(&self, now: Time, announcing: &[Option<Announcing>]) -> ToldCounts {
        let StateStore::Told(told) = &self.spec.store else { return ToldCounts::default() };
        let cache = told.cache.counts();
        let counts = ToldCounts {
            prefetches_used: cache.prefetches_used,
            prefetches_late: cache.prefetches_late,
            prefetches_unused: cache.prefetches_evicted,
            dropped: cache.fpms.full,
            used: cache.fpms.used,
            mistimed: cache.fpms.mistimed,
            expired: cache.fpms.expired,
            replaced: cache.fpms.replaced,
            errors_ps: cache.fpms.errors_ps,
            greatest_error_ps: cache.fpms.greatest_error.as_ps(),
            forecast_errors_ps: cache.fpms.forecast_errors_ps,
            lead_ps: cache.visibility.lead_ps,
            known: cache.visibility.known,
            ..ToldCounts::default()
        };
        self.telling(told, announcing).fold(counts, |sum, (link, port)| {
            let counts = port.counts(link);
            ToldCounts {
                made: sum.made + counts.announcer.made,
                forecasts: sum.forecasts + counts.announcer.forecasts,
                ended: sum.ended + counts.ended,
                sent: sum.sent + counts.announcer.sent(),
                dropped: sum.dropped + counts.announcer.dropped_full,
                stale: sum.stale + counts.announcer.stale,
                lost: sum.lost + counts.lost,
                control_packets: sum.control_packets + counts.announcer.control_packets,
                control_ps: sum.control_ps + port.control_ps(now),
                ..sum
            }
        })
    }

    /// What tells it, and neighbours for it, each with its link.
    pub(super) fn telling<'a>(
        &'a self,
        told: &'a Told,
        announcing: &'a [Option<Announcing>],
    ) -> impl Iterator<Item = (usize, &'a Announcing)> {
        let links = told.ingress.iter().map(|(link, _)| link).chain(&self.relayed);
        links.filter_map(|&link| Some((link, announcing[link].as_ref()?)))
    }
}

impl<E: Element> Network<E> {
    /// A packet waits in a port that tells.
    #[inline(never)]
    pub(crate) fn announce(&mut self, link: usize, index: u32) {
        let Some(announcing) = self.states.announcing(link) else { return };
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
        let Some(announcing) = self.states.announcing(link) else { return false };
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
        let Some(cache) = node.told() else { return };
        let port = announcing.port;
        let (control, fpms) = announcing.arrived();
        if let Some(lasted) = control {
            cache.pushed_back(now, port, lasted);
        }
        cache.notify_all(now, port, fpms);
    }

    /// The same, where they may be held up, or be for others.
    #[cold]
    fn notice_in_all_ways(&mut self, now: Time, link: usize) {
        let Some(announcing) = self.states.announcing(link) else { return };
        let (control, fpms) = announcing.arrived();
        let mut fpms = fpms.collect();
        let Self { events, .. } = self;
        announcing.hold_up(now, &mut fpms, |late| events.schedule(late, Event::LateNotice(to_u32(link))));
        self.heard(now, link, &fpms, control);
    }

    /// A notification comes that was held up at the end of its link.
    #[cold]
    pub(crate) fn late_notice(&mut self, now: Time, link: usize) {
        let late = self.states.announcing(link).and_then(Announcing::comes_late);
        self.heard(now, link, late.as_slice(), None);
    }

    /// Notifications have come; `control`: how long the packet that carried them took of the link.
    fn heard(&mut self, now: Time, link: usize, fpms: &[Fpm], control: Option<Duration>) {
        let Some((announcing, node)) = self.states.told_by(link) else { return };
        if announcing.naming != Naming::States {
            return self.notice_of_packets(now, link, fpms, control);
        }
        let Some(cache) = node.told() else { return };
        if let Some(lasted) = control {
            cache.pushed_back(now, announcing.port, lasted);
        }
        cache.notify(now, announcing.port, fpms);
    }
}

impl ToldOutcome {
    pub(super) fn new<'a>(cache: SeerCounts, notifiers: impl Iterator<Item = (usize, &'a Announcing)>) -> Self {
        Self { cache, notifiers: notifiers.map(|(link, announcing)| announcing.counts(link)).collect() }
    }

    /// Whether each notification that was made was dropped, sent too late to be of use, lost, used, given up, or is still on
    /// its way to something.
    pub(super) fn is_conserved(&self) -> bool {
        let ports = self.notifiers.iter();
        let is_conserved = |port: &NotifierCounts| {
            let announcer = &port.announcer;
            announcer.made == announcer.dropped_full + announcer.stale + announcer.sent() + port.waiting
        };
        let sent: u64 = ports.clone().map(|port| port.announcer.sent() - port.lost - port.on_link - port.ended).sum();
        let fpms = &self.cache.fpms;
        ports.clone().all(is_conserved)
            && sent == fpms.received
            && fpms.received == fpms.full + fpms.used + fpms.replaced + fpms.expired + fpms.expected
    }

    /// Whether the node was told of all that came between packets which it expected, and nothing wrong.
    pub(super) fn is_complete(&self) -> bool {
        let complete = |port: &NotifierCounts| {
            let all_named = port.unnamed == 0 && port.untold == 0;
            all_named && port.lost == 0 && port.announcer.dropped_full == 0 && !port.misleading
        };
        let fpms = &self.cache.fpms;
        let all_told = fpms.full == 0 && fpms.expired == 0 && fpms.forecasts_used == 0;
        all_told && self.notifiers.iter().all(complete)
    }
}
