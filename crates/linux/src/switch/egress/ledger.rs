//! The counters of the queues of an egress, at each of its ports.

use crate::switch::rule::Rule;
use crate::switch::stats::QueueStats;
use forebay_core::QueueId;
use forebay_lang::Policy;
use rustc_hash::FxHashMap;

/// A queue of some version of the policy, at the port that it has in this version.
struct Account {
    port: usize,
    /// Packets inside the policy: all that are queued, except for one that the interface holds.
    inside: usize,
    stats: QueueStats,
}

/// The accounts of all queues that any version had. If a version moves a queue to another port, the queue gets another account.
pub(super) struct Ledger {
    accounts: Vec<Account>,
    /// The indices of the accounts of a name: one for each port that has had a queue of this name.
    by_name: FxHashMap<String, Vec<usize>>,
    /// The accounts of the newest version's queues.
    places: Vec<usize>,
    /// Packets inside the policy, by port.
    inside: Vec<usize>,
}

impl Ledger {
    pub(super) fn new(ports: usize) -> Self {
        Self { accounts: Vec::new(), by_name: FxHashMap::default(), places: Vec::new(), inside: vec![0; ports] }
    }

    /// Switches to the queues of this policy.
    pub(super) fn follow(&mut self, policy: &Policy) {
        self.places.clear();
        for queue in &policy.queues {
            let port = usize::from(queue.port.0);
            let known = self.by_name.get(&queue.name);
            let known =
                known.and_then(|places| places.iter().find(|place| self.accounts[**place].port == port).copied());
            let place = known.unwrap_or_else(|| {
                let stats = QueueStats { name: queue.name.clone(), ..QueueStats::default() };
                self.accounts.push(Account { port, inside: 0, stats });
                let place = self.accounts.len() - 1;
                self.by_name.entry(queue.name.clone()).or_default().push(place);
                place
            });
            self.places.push(place);
        }
    }

    /// Returns the account of a queue of the newest version.
    pub(super) fn place(&self, queue: QueueId) -> usize {
        self.places[usize::from(queue.0)]
    }

    /// Returns the port of an account.
    pub(super) fn port(&self, place: usize) -> usize {
        self.accounts[place].port
    }

    /// Counts a packet that arrived and was dropped.
    pub(super) fn refused(&mut self, place: usize, rule: Rule) {
        let stats = &mut self.accounts[place].stats;
        stats.offered += 1;
        stats.dropped.add(rule, 1);
    }

    /// Counts a packet that arrived and was enqueued.
    pub(super) fn enters(&mut self, place: usize, bytes: usize) {
        let Account { port, inside, stats } = &mut self.accounts[place];
        *inside += 1;
        self.inside[*port] += 1;
        stats.offered += 1;
        stats.waiting += 1;
        stats.waiting_bytes += bytes as u64;
    }

    /// Counts a packet that was dequeued from the policy. It counts as waiting until it is sent or dropped.
    pub(super) fn comes_out(&mut self, place: usize) {
        let account = &mut self.accounts[place];
        account.inside -= 1;
        self.inside[account.port] -= 1;
    }

    /// Counts the policy's marks of a packet that was dequeued.
    pub(super) fn marks(&mut self, place: usize, is_marked: bool, is_notified: bool) {
        let stats = &mut self.accounts[place].stats;
        stats.marked += u64::from(is_marked);
        stats.notified += u64::from(is_notified);
    }

    /// Counts a dequeued packet that was sent.
    pub(super) fn sent(&mut self, place: usize, bytes: usize) {
        let stats = self.left(place, bytes);
        stats.sent += 1;
        stats.sent_bytes += bytes as u64;
    }

    /// Counts a dequeued packet that was dropped.
    pub(super) fn dropped(&mut self, place: usize, bytes: usize, rule: Rule) {
        self.left(place, bytes).dropped.add(rule, 1);
    }

    fn left(&mut self, place: usize, bytes: usize) -> &mut QueueStats {
        let stats = &mut self.accounts[place].stats;
        stats.waiting -= 1;
        stats.waiting_bytes -= bytes as u64;
        stats
    }

    /// Returns the number of packets inside the policy that leave by this port.
    pub(super) fn inside(&self, port: usize) -> usize {
        self.inside[port]
    }

    /// Returns the queues with packets inside the policy: name, port and packet count.
    pub(super) fn occupied(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        let occupied = self.accounts.iter().filter(|account| account.inside > 0);
        occupied.map(|account| (account.stats.name.as_str(), account.port, account.inside))
    }

    /// Returns the queues that any version had at a port.
    pub(super) fn at_port(&self, port: usize) -> impl Iterator<Item = &QueueStats> {
        self.accounts.iter().filter(move |account| account.port == port).map(|account| &account.stats)
    }
}
