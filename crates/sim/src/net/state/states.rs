//! All nodes of a network that have states.

use super::counts::{StateNodeCounts, ToldCounts};
use super::fetches::Fetches;
use super::node::{Application, StatefulNode};
use super::notification_links::{Listener, Wiring};
use super::outcome::{StateOutcome, ToldOutcome};
use super::state_node::Site;
use crate::net::event::to_u32;
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::{Counted, Hooks};
use forebay_core::{Seed, Time};

/// All nodes that have states.
#[derive(Default)]
pub struct States {
    /// The applications, in the order of the specification.
    pub(super) applications: Vec<Application>,
    pub(super) sites: Vec<Site>,
    /// For each node its place in `sites`; empty if no node has any.
    site_of_node: Vec<Option<u32>>,
    /// The ports that notify them.
    pub(super) wiring: Wiring,
    pub(super) fetches: Fetches,
}

impl States {
    /// Creates the states of a network; `seed` is the seed of the run.
    ///
    /// # Panics
    /// If the states of a node do not agree on how packets wait.
    pub(crate) fn new(specs: Vec<StatefulNode>, graph: &Graph, seed: Seed) -> Self {
        if specs.is_empty() {
            return Self::default();
        }
        let mut states =
            Self { site_of_node: vec![None; graph.nodes().len()], fetches: Fetches::new(graph), ..Self::default() };
        let mut listeners = Vec::new();
        for (place, mut spec) in specs.into_iter().enumerate() {
            states.fetches.add(spec.node, spec.remote.take());
            let sites = &mut states.sites;
            let site = *states.site_of_node[spec.node.index()].get_or_insert_with(|| {
                sites.push(Site::new(&spec, graph));
                to_u32(sites.len() - 1)
            });
            let site = site as usize;
            states.sites[site].add(&spec, place);
            let (application, tellers) = Application::new(spec, site);
            let asked = application.asked;
            listeners.extend(tellers.map(|tellers| Listener { place, site, asked, tellers }));
            states.applications.push(application);
        }
        states.wiring = Wiring::new(graph.links().len(), states.applications.len(), listeners, seed);
        states
    }

    #[inline]
    pub(super) fn site_of(&self, node: NodeId) -> Option<usize> {
        self.site_of_node.get(node.index()).copied().flatten().map(|site| site as usize)
    }

    /// Packets that wait.
    pub(super) fn packets_waiting(&self) -> u64 {
        self.sites.iter().map(|site| u64::from(site.waiting)).sum()
    }

    /// Managers have had all iterations before `now`.
    fn iterate_before(&mut self, now: Time) {
        self.applications.iter_mut().filter_map(Application::told).for_each(|cache| cache.iterate_before(now));
    }

    /// Something has happened at the applications of a node: the fetches that have begun are asked for.
    #[inline]
    pub(super) fn follow_up_at(&mut self, now: Time, site: usize) {
        for number in 0..self.sites[site].places.len() {
            self.follow_up(now, self.sites[site].places[number]);
        }
    }

    /// Something has happened at an application: the fetches that have begun are asked for, if they travel.
    #[inline]
    pub(super) fn follow_up(&mut self, now: Time, place: usize) {
        if self.fetches.are_of(place) {
            self.ask_for_all(now, place);
        }
    }

    #[inline(never)]
    fn ask_for_all(&mut self, now: Time, place: usize) {
        let application = &mut self.applications[place];
        for key in application.store.requested() {
            self.fetches.begin(now, place, key);
        }
        // What others make up for has to happen in time here: a request leaves.
        if let Some(due) = application.told().and_then(|cache| cache.next_iteration()) {
            self.fetches.call_after(place, due);
        }
    }

    /// The manager of a cache whose fetches travel has had all iterations before `now`.
    pub(super) fn call_manager(&mut self, now: Time, place: usize) {
        self.fetches.is_called(now, place);
        if let Some(cache) = self.applications[place].told() {
            cache.iterate_before(now);
        }
        self.follow_up(now, place);
    }

    /// A fetch that has travelled has ended: the packets that have waited for it may go on.
    pub(super) fn answered(&mut self, now: Time, place: usize, key: u64) {
        let application = &mut self.applications[place];
        let site = &mut self.sites[application.site];
        for packet in application.answered(now, key) {
            if let Some(until) = site.answered(now, packet) {
                self.fetches.release(until, packet);
            }
        }
        self.follow_up(now, place);
    }
}

impl Hooks for States {
    type Counts = Vec<StateNodeCounts>;
    type Outcome = Vec<StateOutcome>;

    fn counts(&mut self, now: Time) -> Self::Counts {
        self.iterate_before(now);
        let counts = |(place, states): (usize, &Application)| {
            let told = states.told_counts().map(|cache| ToldCounts::of(&cache, place, self.wiring.telling(place), now));
            let most_waiting = self.sites[states.site].most_waiting();
            StateNodeCounts { told: told.unwrap_or_default(), most_waiting, ..states.counts() }
        };
        self.applications.iter().enumerate().map(counts).collect()
    }

    fn ends(&mut self, end: Time) {
        self.iterate_before(end);
        for place in 0..self.applications.len() {
            self.follow_up(end, place);
        }
    }

    /// Checks that no notification and no fetch was lost, and, if links are steady, that packets arrived when they were expected.
    fn into_outcome(self, counted: Counted<Self::Counts>, steady: bool) -> Self::Outcome {
        let Self { applications, sites, wiring, fetches, .. } = self;
        let outcome = |(place, (states, (counts, uncounted))): (usize, (Application, _))| {
            let told = states.told_counts().map(|cache| ToldOutcome::new(cache, place, wiring.telling(place)));
            if let Some(told) = &told {
                assert!(told.is_conserved(), "every notification is accounted for: {told:?}");
                let is_exact = !steady || !told.is_complete() || told.cache.fpms.mistimed == 0;
                assert!(is_exact, "packets arrive when they are expected: {told:?}");
            }
            let fetches = fetches.counts(place);
            assert!(fetches.is_none_or(|fetches| fetches.is_conserved()), "every fetch is accounted for: {fetches:?}");
            let node = sites[states.site].node;
            StateOutcome { node, counts, accesses: states.into_accesses(), uncounted, told, fetches }
        };
        applications.into_iter().zip(with_accesses_before(counted)).enumerate().map(outcome).collect()
    }
}

/// What each node counted, and its accesses before.
fn with_accesses_before(counted: Counted<Vec<StateNodeCounts>>) -> Vec<(StateNodeCounts, u64)> {
    match counted {
        Counted::All(last) => last.into_iter().map(|last| (last, 0)).collect(),
        Counted::Nothing(last) => last.iter().map(|last| (StateNodeCounts::default(), last.cache.accesses())).collect(),
        Counted::Between(from, last) => {
            let both = last.iter().zip(&from);
            both.map(|(last, from)| (last.since(from), from.cache.accesses())).collect()
        }
    }
}
