//! States of one kind at a node: the contents of an application's cache.

use super::counts::StateNodeCounts;
use super::fetches::RemoteStore;
use super::head_of_line::Waits;
use super::key::AskedOf;
use super::notified_node::Tellers;
use super::outcome::StateAccess;
use super::store::{StateStore, Store};
use crate::net::graph::NodeId;
use forebay_cache::seer::{Fpm, SeerCache, SeerCounts};
use forebay_cache::{BackingStore, Lookup};
use forebay_core::{Duration, Time};
use rustc_hash::FxHashMap;

/// States of one kind at a node. A node may have several: an application for each. An arriving packet looks up the states of all
/// applications, and is forwarded when it has all of them.
pub struct StatefulNode {
    /// The node: a switch, or a host whose network card or processor looks up the states of arriving packets.
    pub node: NodeId,
    /// The packets that need a state, and the key of the state.
    pub asked: AskedOf,
    /// The cache and the store of the states.
    pub store: StateStore,
    /// The store, if fetches travel over the network. The cache's own store must then be a [reporting](BackingStore::reporting) one.
    pub remote: Option<RemoteStore>,
    /// The packets that a waiting packet holds up; all states of a node must have the same value.
    pub waits: Waits,
    /// The most packets that may wait at the node; an arriving packet that would have to wait beyond this is dropped. [`None`]: any number.
    /// All states of a node must have the same value.
    pub waiting_packets: Option<u32>,
    /// Whether the state of a packet that is held up behind another one is fetched meanwhile. Not supported by policies that look into the
    /// future.
    pub lookahead: bool,
    /// Whether accesses are recorded, at 16 bytes for each.
    pub recorded: bool,
}

/// A [`StatefulNode`] in a run.
pub(super) struct Application {
    /// The index of the node among the nodes with states.
    pub(super) site: usize,
    pub(super) asked: AskedOf,
    pub(super) store: Store,
    lookahead: bool,
    recorded: bool,
    /// The counts of this application, without the counts of its node.
    pub(super) counts: StateNodeCounts,
    accesses: Vec<StateAccess>,
    /// For each state whose fetch reports its end: the packets that wait for it, and since when.
    waiting: FxHashMap<u64, Vec<(u32, Time)>>,
}

impl Application {
    /// The application, and the ports that notify it.
    pub(super) fn new(spec: StatefulNode, site: usize) -> (Self, Option<Tellers>) {
        let StatefulNode { asked, store, lookahead, recorded, .. } = spec;
        let (store, tellers) = Store::new(store);
        let (counts, accesses, waiting) = (StateNodeCounts::default(), Vec::new(), FxHashMap::default());
        (Self { site, asked, store, lookahead, recorded, counts, accesses, waiting }, tellers)
    }

    /// A packet has arrived through this port of a notified node, and needs the state of `key`.
    #[inline]
    pub(super) fn access(&mut self, now: Time, port: Option<usize>, key: u64) -> Lookup {
        self.record(now, key);
        self.store.access(now, port, key)
    }

    /// A packet that needs the state of `key` finds others before it that wait. Says whether a notified cache expects it.
    pub(super) fn hold(&mut self, now: Time, port: Option<usize>, key: u64) -> bool {
        match (&mut self.store, port) {
            (Store::Told(cache), Some(port)) => return cache.hold(now, port, key, self.lookahead),
            (Store::OnDemand(cache), _) if self.lookahead => {
                self.counts.prefetches += u64::from(cache.look_ahead(now.as_ps(), key));
            }
            _ => {}
        }
        false
    }

    /// A packet that needs the state of `key` finds others before it that wait, and no room.
    pub(super) fn dropped(&mut self, now: Time, port: Option<usize>, key: u64) {
        if let (Store::Told(cache), Some(port)) = (&mut self.store, port) {
            cache.expire(now, port, key);
        }
    }

    /// A packet that was held up asks for the state of `key`.
    pub(super) fn access_held(&mut self, now: Time, port: Option<usize>, key: u64, is_expected: bool) -> Lookup {
        self.record(now, key);
        self.store.access_held(now, port, key, is_expected)
    }

    /// A packet waits for the state of `key` until `end`, if that is known.
    pub(super) fn waits(&mut self, now: Time, packet: u32, key: u64, end: u64) {
        if end == BackingStore::UNKNOWN {
            self.waiting.entry(key).or_default().push((packet, now));
        } else {
            self.counts.waited_ps += u128::from(end - now.as_ps());
        }
    }

    /// A fetch that the store reports has ended. Returns the packets that have waited for it.
    pub(super) fn answered(&mut self, now: Time, key: u64) -> Vec<u32> {
        self.store.answered(now, key);
        let waited = self.waiting.remove(&key).unwrap_or_default();
        let waited_ps = |(_, since): &(u32, Time)| u128::from(now.since(*since).as_ps());
        self.counts.waited_ps += waited.iter().map(waited_ps).sum::<u128>();
        waited.into_iter().map(|(packet, _)| packet).collect()
    }

    #[inline]
    fn record(&mut self, now: Time, key: u64) {
        if self.recorded {
            self.accesses.push(StateAccess { time_ps: now.as_ps(), key });
        }
    }

    pub(super) fn counts(&self) -> StateNodeCounts {
        let prefetches = self.told_counts().map_or(self.counts.prefetches, |counts| counts.prefetches);
        StateNodeCounts { cache: self.store.counts(), prefetches, ..self.counts }
    }

    /// The counts of the cache, if it is notified.
    pub(super) fn told_counts(&self) -> Option<SeerCounts> {
        match &self.store {
            Store::Told(cache) => Some(cache.counts()),
            Store::OnDemand(_) | Store::Foreseen(..) => None,
        }
    }

    /// All accesses, if they were to be kept.
    pub(super) fn into_accesses(self) -> Vec<StateAccess> {
        self.accesses
    }

    /// The cache, if it is notified.
    pub(super) fn told(&mut self) -> Option<&mut SeerCache> {
        match &mut self.store {
            Store::Told(cache) => Some(cache),
            Store::OnDemand(_) | Store::Foreseen(..) => None,
        }
    }

    /// Notifications have arrived on a port; `control`: how long the packet that carried them took of the link.
    #[inline]
    pub(super) fn hear(
        &mut self,
        now: Time,
        port: usize,
        control: Option<Duration>,
        fpms: impl IntoIterator<Item = Fpm>,
    ) {
        let Some(cache) = self.told() else { return };
        if let Some(lasted) = control {
            cache.pushed_back(now, port, lasted);
        }
        cache.notify_all(now, port, fpms);
    }
}
