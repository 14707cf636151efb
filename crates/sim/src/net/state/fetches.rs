//! Fetches that travel over the network: a request to the host of the store, and its answer.
//!
//! The node sends a request as a fetch begins. Packets of fetches wait in the queues of the ports on their way like all other packets, and
//! may be lost. A request without an answer in time is sent again, and the timeout doubles each time. The store's host serves requests as a
//! local store serves fetches, and the answer goes back to the node. Packets of fetches need no states, on their way or at its ends.

use super::timers::{Timer, Timers};
use crate::net::flow::HostId;
use crate::net::graph::{Graph, NodeId};
use crate::net::hook::Deed;
use crate::net::packets::{Carries, HookPacket};
use forebay_cache::BackingStore;
use forebay_core::{ClassId, Duration, Time};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The most doublings of the timeout of a request; after that, the timeout stays the same.
const MOST_DOUBLINGS: u32 = 6;

/// A store that a node reaches over the network.
#[derive(Debug, Clone)]
pub struct RemoteStore {
    /// The host of the store, which differs from the node that sends requests.
    pub host: HostId,
    /// The number of the store; caches with the same number share one store.
    pub number: usize,
    /// The store's service: the time for a request, and the number of requests at a time. If several caches share a store, the setting of
    /// the first one applies.
    pub service: BackingStore,
    /// The length of a request on the wire.
    pub request_bytes: u32,
    /// The length of an answer on the wire.
    pub answer_bytes: u32,
    /// The traffic class of requests and answers.
    pub class: ClassId,
    /// The time after which an unanswered request is sent again.
    pub retry: Duration,
}

/// The counts of a cache's fetches over the network, in a whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FetchCounts {
    /// The number of fetches that began.
    pub begun: u64,
    /// The number of fetches that ended.
    pub answered: u64,
    /// The number of fetches that had not ended at the end of the run.
    pub outstanding: u64,
    /// The sum of the times from the first request to the answer, over the ended fetches, in picoseconds.
    pub latency_ps: u128,
    /// The number of requests that were sent, or found no path.
    pub requests: u64,
    /// The number of these that were sent again.
    pub repeated: u64,
    /// The number of requests that arrived at the store.
    pub served: u64,
    /// The number of answers that the store sent, or for which there was no path.
    pub answers: u64,
    /// The number of answers that arrived.
    pub received: u64,
    /// The number of these whose request had already been answered.
    pub duplicates: u64,
}

impl FetchCounts {
    /// Whether each fetch that began has ended by an answer or is outstanding, and no answer arrived that was not sent.
    pub(super) fn is_conserved(&self) -> bool {
        self.begun == self.answered + self.outstanding
            && self.requests == self.begun + self.repeated
            && self.received == self.answered + self.duplicates
            && self.requests >= self.served
            && self.served >= self.answers
            && self.answers >= self.received
    }
}

/// A cache whose fetches travel.
struct Client {
    spec: RemoteStore,
    node: NodeId,
    /// To whom answers go.
    address: HostId,
    outstanding: FxHashMap<u64, Outstanding>,
    counts: FetchCounts,
    /// The time at which the manager of the cache is to be called, if the cache is notified.
    calls_at: Time,
}

/// A fetch that has not ended.
#[derive(Debug, Clone, Copy)]
struct Outstanding {
    request: u64,
    since: Time,
    sent: u32,
}

/// All fetches over the network.
#[derive(Default)]
pub(super) struct Fetches {
    /// The clients, by application.
    clients: Vec<Option<Client>>,
    /// The services, by the numbers of stores.
    services: FxHashMap<usize, BackingStore>,
    /// The nodes, by the numbers of hosts.
    hosts: Vec<NodeId>,
    addresses: Vec<NodeId>,
    timers: Timers,
    deeds: VecDeque<Deed>,
}

impl Fetches {
    pub(super) fn new(graph: &Graph) -> Self {
        Self { hosts: graph.hosts().to_vec(), ..Self::default() }
    }

    /// The next application, at `node`, has this store, if it has a remote one.
    ///
    /// # Panics
    /// If a node is to ask itself.
    pub(super) fn add(&mut self, node: NodeId, remote: Option<RemoteStore>) {
        let client = remote.map(|spec| {
            assert_ne!(
                self.hosts[spec.host.index()],
                node,
                "a store that is reached over the network is in another node"
            );
            let host = self.hosts.iter().position(|host| *host == node);
            let place = host.unwrap_or_else(|| {
                let known = self.addresses.iter().position(|address| *address == node);
                self.hosts.len()
                    + known.unwrap_or_else(|| {
                        self.addresses.push(node);
                        self.addresses.len() - 1
                    })
            });
            let address = HostId(u32::try_from(place).expect("fewer than 2^32 nodes"));
            self.services.entry(spec.number).or_insert_with(|| spec.service.clone());
            let (outstanding, counts) = (FxHashMap::default(), FetchCounts::default());
            Client { spec, node, address, outstanding, counts, calls_at: Time::MAX }
        });
        self.clients.push(client);
    }

    /// The switches to which answers go.
    pub(super) fn addresses(&self) -> &[NodeId] {
        &self.addresses
    }

    /// Whether the fetches of an application travel.
    #[inline]
    pub(super) fn are_of(&self, place: usize) -> bool {
        self.clients.get(place).is_some_and(Option::is_some)
    }

    fn client(&mut self, place: usize) -> Option<&mut Client> {
        self.clients.get_mut(place)?.as_mut()
    }

    /// The manager of an application's cache is to be called right after everything that happens at `due`.
    pub(super) fn call_after(&mut self, place: usize, due: Time) {
        let at = due + Duration::from_ps(1);
        let Some(client) = self.client(place).filter(|client| at < client.calls_at) else { return };
        client.calls_at = at;
        self.start(at, Timer::Manager { place });
    }

    /// The manager is called.
    pub(super) fn is_called(&mut self, now: Time, place: usize) {
        if let Some(client) = self.client(place).filter(|client| client.calls_at <= now) {
            client.calls_at = Time::MAX;
        }
    }

    fn start(&mut self, at: Time, timer: Timer) {
        let number = self.timers.start(timer);
        self.deeds.push_back(Deed::Call(at, number));
    }

    /// Returns the purpose of the timer with this number, if it is one of these timers.
    pub(super) fn timer(&mut self, number: u32) -> Option<Timer> {
        self.timers.take(number)
    }

    /// A fetch begins.
    pub(super) fn begin(&mut self, now: Time, place: usize, key: u64) {
        let Some(client) = self.client(place) else { return };
        let request = client.counts.begun;
        client.counts.begun += 1;
        client.outstanding.insert(key, Outstanding { request, since: now, sent: 0 });
        self.send(now, place, key, request);
    }

    /// A request is sent, again if it was before; not if it has been answered.
    pub(super) fn send(&mut self, now: Time, place: usize, key: u64, request: u64) {
        let Some(client) = self.client(place) else { return };
        let Some(fetch) = client.outstanding.get_mut(&key).filter(|fetch| fetch.request == request) else { return };
        client.counts.requests += 1;
        client.counts.repeated += u64::from(fetch.sent > 0);
        let wait = client.spec.retry.as_ps().saturating_mul(1 << fetch.sent.min(MOST_DOUBLINGS));
        fetch.sent += 1;
        let RemoteStore { host, request_bytes, .. } = client.spec;
        let deed = Deed::Send(client.node, client.packet(place, Carries::Request, host, key, request, request_bytes));
        self.deeds.push_back(deed);
        self.start(now + Duration::from_ps(wait), Timer::Retry { place, key, request });
    }

    /// A packet of a fetch has arrived: a request at the store's host, or an answer at its node. Says which fetch has ended.
    pub(super) fn received(&mut self, now: Time, packet: &HookPacket) -> Option<(usize, u64)> {
        let &HookPacket { carries, number, key, request, .. } = packet;
        let place = number as usize;
        let client = self.clients.get_mut(place)?.as_mut()?;
        if carries == Carries::Request {
            client.counts.served += 1;
            let service = self.services.get_mut(&client.spec.number).expect("each client has added its own");
            let end = service.fetch(now.as_ps(), key);
            self.start(Time::from_ps(end), Timer::Served { place, key, request });
            return None;
        }
        client.counts.received += 1;
        if client.outstanding.get(&key).is_none_or(|fetch| fetch.request != request) {
            client.counts.duplicates += 1;
            return None;
        }
        let fetch = client.outstanding.remove(&key)?;
        client.counts.answered += 1;
        client.counts.latency_ps += u128::from(now.since(fetch.since).as_ps());
        Some((place, key))
    }

    /// The store has served a request: the answer leaves.
    pub(super) fn answer(&mut self, place: usize, key: u64, request: u64) {
        let Some(client) = self.clients.get_mut(place).and_then(Option::as_mut) else { return };
        client.counts.answers += 1;
        let host = self.hosts[client.spec.host.index()];
        let (to, bytes) = (client.address, client.spec.answer_bytes);
        self.deeds.push_back(Deed::Send(host, client.packet(place, Carries::Answer, to, key, request, bytes)));
    }

    /// A packet that has waited goes on then.
    pub(super) fn release(&mut self, at: Time, packet: u32) {
        self.deeds.push_back(Deed::Release(at, packet));
    }

    #[inline]
    pub(super) fn deed(&mut self) -> Option<Deed> {
        self.deeds.pop_front()
    }

    /// The counts of the fetches of an application, if they travel.
    pub(super) fn counts(&self, place: usize) -> Option<FetchCounts> {
        let client = self.clients.get(place)?.as_ref()?;
        Some(FetchCounts { outstanding: client.outstanding.len() as u64, ..client.counts })
    }
}

impl Client {
    fn packet(&self, place: usize, carries: Carries, to: HostId, key: u64, request: u64, bytes: u32) -> HookPacket {
        let number = u32::try_from(place).expect("fewer than 2^32 kinds of states");
        HookPacket { carries, to, number, key, request, bytes, class: self.spec.class }
    }
}
