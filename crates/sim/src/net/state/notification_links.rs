//! The pairs of notifying ports and notified nodes.

use super::key::AskedOf;
use super::notified_node::Tellers;
use super::notifier::Notifier;
use super::notifying_port::{Announcing, Audience, Naming};
use crate::net::event::to_u32;
use forebay_core::Seed;
use rustc_hash::FxHashMap;

/// The sources of notifications, for each directed link; all is empty if no node is notified.
#[derive(Default)]
pub(crate) struct Wiring {
    /// The notifying port at its tail.
    announcing: Vec<Option<Announcing>>,
    /// The port, at the notified node to which it leads.
    ports: Vec<Option<u32>>,
    /// For each application the links whose ports notify it, and then those whose ports notify its neighbours for it alone.
    to: Vec<Vec<usize>>,
}

/// An application that is to be notified.
pub(super) struct Listener {
    pub(super) place: usize,
    /// The place of its node.
    pub(super) site: usize,
    pub(super) asked: AskedOf,
    pub(super) tellers: Tellers,
}

impl Wiring {
    /// Creates the pairs for a network of `links` links and `applications` applications; `seed` is the seed of the run. A port that
    /// notifies the first application of a node notifies the others, too.
    pub(super) fn new(links: usize, applications: usize, listeners: Vec<Listener>, seed: Seed) -> Self {
        let mut wiring = Self::default();
        if listeners.is_empty() {
            return wiring;
        }
        wiring.announcing.resize_with(links, || None);
        wiring.ports.resize(links, None);
        wiring.to.resize_with(applications, Vec::new);
        let relayed = listeners.iter().filter_map(|listener| listener.tellers.relayed.as_ref()).flatten();
        let mut is_relayed = vec![false; links];
        relayed.for_each(|(link, _)| is_relayed[*link] = true);
        let mut to_neighbours = Vec::new();
        let mut at_site: FxHashMap<usize, u32> = FxHashMap::default();
        listeners.iter().for_each(|listener| *at_site.entry(listener.site).or_default() += 1);
        for Listener { place, site, asked, tellers: Tellers { ingress, relayed } } in listeners {
            let forecasts = relayed.is_some();
            let has_others = at_site[&site] > 1;
            for (port, (link, notifier)) in ingress.into_iter().enumerate() {
                wiring.ports[link] = Some(to_u32(port));
                let by_name = forecasts || is_relayed[link] || has_others;
                let naming = if by_name { Naming::Packets } else { Naming::States };
                let audience = Audience { place, port, asked, naming, forecasts };
                wiring.connect(link, notifier, audience, seed);
            }
            to_neighbours.extend(relayed.into_iter().flatten().map(|relayed| (place, asked, relayed)));
        }
        // Neighbours with a notified cache of their own get the notifications of that cache's ports, and no others.
        for (place, asked, (link, notifier)) in to_neighbours {
            if wiring.ports[link].is_none() && wiring.announcing[link].is_none() {
                let audience = Audience { place, port: 0, asked, naming: Naming::PacketsOnly, forecasts: false };
                wiring.connect(link, Some(notifier), audience, seed);
            }
        }
        wiring
    }

    fn connect(&mut self, link: usize, notifier: Option<Notifier>, audience: Audience, seed: Seed) {
        let Some(notifier) = notifier else { return };
        self.to[audience.place].push(link);
        match &mut self.announcing[link] {
            Some(announcing) => announcing.is_heard_by(audience.place, audience.asked),
            none => *none = Some(Announcing::new(notifier, link, audience, seed)),
        }
    }

    /// The port that notifies the node to which a link leads.
    pub(super) fn announcing(&mut self, link: usize) -> Option<&mut Announcing> {
        self.announcing.get_mut(link)?.as_mut()
    }

    /// Returns the state of a notifying port, without mutable access.
    pub(super) fn of(&self, link: usize) -> Option<&Announcing> {
        self.announcing.get(link)?.as_ref()
    }

    /// The ports that notify the application at this place, and neighbours for it, each with its link.
    pub(super) fn telling(&self, place: usize) -> impl Iterator<Item = (usize, &Announcing)> {
        let links = self.to.get(place).into_iter().flatten();
        links.filter_map(|&link| Some((link, self.of(link)?)))
    }

    /// The port at the end of a link, if the node there is notified.
    #[inline]
    pub(super) fn port_of(&self, link: u32) -> Option<usize> {
        self.ports.get(link as usize).copied().flatten().map(|port| port as usize)
    }
}
