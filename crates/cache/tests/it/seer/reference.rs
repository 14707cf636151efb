//! Algorithms 1 and 2 as they are printed: lists, and every tick of the clock.
//!
//! The default heuristic is LRU. A packet's place in `F` is that of its first bit.

use forebay_cache::seer::{Admit, AfterEviction, AfterFailure, Enters, ToX, Unannounced};
use forebay_cache::{Lookup, Whereabouts};
use std::cmp::Reverse;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Message {
    pub(crate) id: u64,
    pub(crate) start: u64,
    pub(crate) arrival: u64,
    /// Told of where the packet waits, and not before.
    pub(crate) firm: bool,
    /// In which order they came.
    pub(crate) number: u64,
}

impl Message {
    /// Its place in a list: what begins at the same time is in front of what was known before.
    pub(crate) fn place(&self) -> (u64, Reverse<u64>) {
        (self.start, Reverse(self.number))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flight {
    key: u64,
    end: u64,
    /// Whether it began before anybody asked.
    prefetched: bool,
    /// Whether its place in the set is kept.
    placed: bool,
}

pub(crate) struct Reference {
    pub(crate) after_failure: AfterFailure,
    pub(crate) to_x: ToX,
    pub(crate) unannounced: Unannounced,
    pub(crate) admit: Admit,
    pub(crate) enters: Enters,
    pub(crate) after_eviction: AfterEviction,
    pub(crate) ways: usize,
    pub(crate) latency: u64,
    /// How long before its packet a fetch may begin.
    pub(crate) horizon: u64,
    /// How late a packet may be.
    pub(crate) patience: Option<u64>,
    pub(crate) list_capacity: usize,
    /// How long an iteration takes.
    pub(crate) iteration: u64,
    pub(crate) set_of: Box<dyn Fn(u64) -> usize>,
    /// When each channel of the store is free.
    pub(crate) channels: Vec<u64>,
    /// F and X, per port, and then of packets that have come through each port and are held up.
    pub(crate) f: Vec<Vec<Message>>,
    pub(crate) x: Vec<Vec<Message>>,
    /// The least recently used entry first.
    pub(crate) sets: Vec<Vec<u64>>,
    pub(crate) flights: Vec<Flight>,
    pub(crate) told: u64,
    pub(crate) given_up: u64,
    /// When keys were asked for last, and have been in the cache or on their way since.
    pub(crate) asked: HashMap<u64, u64>,
}

impl Reference {
    pub(crate) fn new(ports: usize, sets: usize, set_of: Box<dyn Fn(u64) -> usize>) -> Self {
        Self {
            after_failure: AfterFailure::Stop,
            to_x: ToX::NextIteration,
            unannounced: Unannounced::Last,
            admit: Admit::Belady,
            enters: Enters::WhenBegun,
            after_eviction: AfterEviction::Keep,
            ways: 1,
            latency: 1,
            horizon: u64::MAX,
            patience: None,
            list_capacity: 1024,
            iteration: 0,
            set_of,
            channels: vec![0],
            f: vec![Vec::new(); 2 * ports],
            x: vec![Vec::new(); 2 * ports],
            sets: vec![Vec::new(); sets],
            flights: Vec::new(),
            told: 0,
            given_up: 0,
            asked: HashMap::new(),
        }
    }

    /// Of each link, the first packet is given up as long as it is overdue.
    pub(crate) fn give_up(&mut self, now: u64) {
        let Some(patience) = self.patience else { return };
        for port in 0..self.ports() {
            while let Some(first) = self.lists(port).min_by_key(|message| message.place())
                && first.arrival + patience < now
            {
                let first = *first;
                self.destroy(port, first.id, |message| *message == first);
                self.given_up += 1;
            }
        }
    }

    /// Packets are given up, and fetches end.
    pub(crate) fn tick(&mut self, now: u64) {
        self.give_up(now);
        while let Some(at) = self.flights.iter().position(|flight| flight.end <= now) {
            let flight = self.flights.remove(at);
            let set = (self.set_of)(flight.key);
            let demanded = !flight.prefetched;
            if flight.placed || self.occupied(set) < self.ways || self.evict(now, set, self.next(flight.key), demanded)
            {
                self.sets[set].push(flight.key);
            } else {
                self.is_away_again(flight.key);
            }
        }
    }

    pub(crate) fn find(&self, key: u64) -> Whereabouts {
        if self.sets[(self.set_of)(key)].contains(&key) {
            Whereabouts::Here
        } else if self.flights.iter().any(|flight| flight.key == key) {
            Whereabouts::OnItsWay
        } else {
            Whereabouts::Away
        }
    }

    fn occupied(&self, set: usize) -> usize {
        let on_their_way = self.flights.iter().filter(|flight| flight.placed && (self.set_of)(flight.key) == set);
        self.sets[set].len() + on_their_way.count()
    }

    /// All messages of a port.
    fn lists(&mut self, port: usize) -> impl Iterator<Item = &mut Message> {
        self.f[port].iter_mut().chain(&mut self.x[port])
    }

    /// The least arrival among the first messages of all ports, in F and X.
    pub(crate) fn next(&self, key: u64) -> Option<u64> {
        let of_port = |(f, x): (&Vec<Message>, &Vec<Message>)| {
            let all = f.iter().chain(x).copied().filter(|message| message.id == key);
            all.min_by_key(Message::place).map(|message| message.arrival)
        };
        self.f.iter().zip(&self.x).filter_map(of_port).min()
    }

    pub(crate) fn tell(&mut self, port: usize, id: u64, arrival: u64, own: u64) -> bool {
        self.destroy(port, id, |message| !message.firm);
        let start = arrival - own;
        for other in self.lists(port).filter(|other| other.start >= start) {
            other.start += own;
            other.arrival += own;
        }
        self.enter(port, id, [start, arrival], true)
    }

    pub(crate) fn forecast(&mut self, port: usize, id: u64, arrival: u64, own: u64) {
        self.enter(port, id, [arrival - own, arrival], false);
    }

    /// Returns whether it had room.
    fn enter(&mut self, port: usize, id: u64, [start, arrival]: [u64; 2], firm: bool) -> bool {
        self.told += 1;
        let has_room = self.f[port].len() + self.x[port].len() < self.list_capacity;
        if has_room {
            self.f[port].push(Message { id, start, arrival, firm, number: self.told });
        }
        has_room
    }

    pub(crate) fn control(&mut self, port: usize, by: u64) {
        for message in self.lists(port) {
            message.start += by;
            message.arrival += by;
        }
    }

    /// The first of those that are meant is expected no longer; returns whether there was one.
    pub(crate) fn destroy(&mut self, port: usize, key: u64, is_meant: impl Fn(&Message) -> bool) -> bool {
        let (f, x) = (&mut self.f[port], &mut self.x[port]);
        let all = f.iter().chain(x.iter()).copied();
        let first = all.filter(|message| message.id == key && is_meant(message)).min_by_key(Message::place);
        f.retain(|message| Some(*message) != first);
        x.retain(|message| Some(*message) != first);
        first.is_some()
    }

    /// A packet is no longer expected: the first with a notification from where it waited, or else the first that was
    /// forecast.
    pub(crate) fn forget(&mut self, port: usize, key: u64) -> bool {
        self.destroy(port, key, |message| message.firm) || self.destroy(port, key, |_| true)
    }

    pub(crate) fn access(&mut self, now: u64, port: Option<usize>, key: u64) -> Lookup {
        if let Some(port) = port {
            self.forget(port, key);
        }
        self.asked.insert(key, now);
        let set = &mut self.sets[(self.set_of)(key)];
        if let Some(at) = set.iter().position(|&other| other == key) {
            set.remove(at);
            set.push(key);
            Lookup::Hit
        } else if let Some(flight) = self.flights.iter().find(|flight| flight.key == key) {
            Lookup::DelayedHit(flight.end)
        } else {
            Lookup::Miss(self.fetch(now, key, false))
        }
    }

    /// Returns whether it is expected from now on.
    pub(crate) fn hold(&mut self, now: u64, port: usize, key: u64, lookahead: bool) -> bool {
        let was_announced = self.forget(port, key);
        (was_announced || lookahead) && self.tell(self.ports() + port, key, now, 0)
    }

    pub(crate) fn access_held(&mut self, now: u64, port: usize, key: u64, is_expected: bool) -> Lookup {
        let port = is_expected.then(|| self.ports() + port);
        self.access(now, port, key)
    }

    pub(crate) fn ports(&self) -> usize {
        self.f.len() / 2
    }

    fn fetch(&mut self, now: u64, key: u64, prefetched: bool) -> u64 {
        let channel = self.channels.iter_mut().min().unwrap();
        *channel = now.max(*channel) + self.latency;
        let end = *channel;
        let placed = prefetched && self.enters == Enters::WhenBegun;
        self.flights.push(Flight { key, end, prefetched, placed });
        end
    }

    /// For an entry that is wanted at a time, if that is known.
    fn evict(&mut self, now: u64, set: usize, wanted: Option<u64>, demanded: bool) -> bool {
        let victim = self.leaver(now, set, wanted, demanded);
        if let Some(victim) = victim {
            self.sets[set].retain(|&key| key != victim);
            self.is_away_again(victim);
        }
        victim.is_some()
    }

    fn leaver(&self, now: u64, set: usize, wanted: Option<u64>, demanded: bool) -> Option<u64> {
        match self.unannounced {
            Unannounced::Last => self.victim(set, wanted, demanded),
            Unannounced::ByRecency => self.victim_by_recency(now, set, wanted.unwrap_or(now), demanded),
        }
    }

    /// Whether a prefetch that enters when it ends would find a place now, beside the others for its set.
    fn will_fit(&self, now: u64, set: usize, wanted: u64) -> bool {
        let flights = self.flights.iter();
        let others = flights.filter(|flight| flight.prefetched && (self.set_of)(flight.key) == set).count();
        let room = self.ways - self.sets[set].len();
        let is_later = |key: &&u64| self.next(**key).is_none_or(|next| wanted < next);
        let leavers = self.sets[set].iter().filter(is_later).count();
        others < room || (others < room + leavers && self.leaver(now, set, Some(wanted), false).is_some())
    }

    /// Who of a set is announced, and who is not.
    fn a_and_b(&self, set: usize) -> (Vec<u64>, Vec<u64>) {
        self.sets[set].iter().partition(|&&key| self.next(key).is_some())
    }

    /// An entry is wanted when its packet arrives, or after as long a time as has passed since its last request.
    fn victim_by_recency(&self, now: u64, set: usize, wanted: u64, demanded: bool) -> Option<u64> {
        let (a, b) = self.a_and_b(set);
        let guess = |key| now + (now - self.asked.get(&key).copied().unwrap_or(0));
        let known = a.iter().map(|&key| (self.next(key).unwrap(), key)).max();
        let guessed = b.iter().map(|&key| guess(key)).max();
        let always = demanded && self.admit == Admit::Always;
        let is_urgent = wanted <= now + self.latency + self.iteration;
        match (known, guessed) {
            (known, Some(guess)) if known.is_none_or(|(next, _)| guess >= next) => {
                (always || wanted < guess || is_urgent).then(|| b[0])
            }
            (known, _) => known.filter(|&(next, _)| always || wanted < next).map(|(_, key)| key),
        }
    }

    /// Algorithm 2.
    fn victim(&self, set: usize, wanted: Option<u64>, demanded: bool) -> Option<u64> {
        let (a, b) = self.a_and_b(set);
        if b.is_empty() {
            let &last = a.iter().max_by_key(|&&key| (self.next(key), key))?;
            let always = demanded && self.admit == Admit::Always;
            (always || wanted.is_some_and(|wanted| Some(wanted) < self.next(last))).then_some(last)
        } else {
            Some(b[0])
        }
    }

    fn is_away_again(&mut self, key: u64) {
        self.asked.remove(&key);
        if self.after_eviction == AfterEviction::Refetch {
            for (f, x) in self.f.iter_mut().zip(&mut self.x) {
                f.extend(x.extract_if(.., |message| message.id == key));
            }
        }
    }

    /// Lines 8 to 27 of Algorithm 1; returns whether anything changed.
    pub(crate) fn iterate(&mut self, now: u64) -> (bool, Option<u64>) {
        let mut changed = false;
        let mut y: Vec<Option<Message>> = Vec::new();
        for port in 0..self.f.len() {
            let first = self.f[port].iter().copied().min_by_key(Message::place);
            let cached = first.filter(|message| self.find(message.id) != Whereabouts::Away);
            if let Some(message) = cached {
                self.join_x(port, message);
                changed = true;
            }
            y.push(first.filter(|_| cached.is_none()));
        }
        let horizon = now.saturating_add(self.horizon);
        y.iter_mut().for_each(|offer| *offer = offer.filter(|message| message.arrival <= horizon));
        if self.channels.iter().all(|&free| free > now) {
            return (changed, None);
        }
        loop {
            let offered = (0..y.len()).filter_map(|port| y[port].map(|message| (message.arrival, port, message)));
            let Some((_, port, e)) = offered.min_by_key(|&(arrival, port, _)| (arrival, port)) else {
                return (changed, None);
            };
            let set = (self.set_of)(e.id);
            let late = self.enters == Enters::WhenEnded;
            let leaves = !late && self.occupied(set) == self.ways;
            let fits = match leaves {
                true => self.evict(now, set, Some(e.arrival), false),
                false => !late || self.will_fit(now, set, e.arrival),
            };
            if fits {
                if leaves || self.to_x == ToX::AtOnce {
                    self.join_x(port, e);
                }
                self.fetch(now, e.id, true);
                return (true, Some(e.id));
            }
            y[port] = match self.after_failure {
                AfterFailure::Stop => return (changed, None),
                AfterFailure::Block => None,
                AfterFailure::Next => {
                    let mut behind = self.f[port].clone();
                    behind.retain(|other| other.place() > e.place() && self.find(other.id) == Whereabouts::Away);
                    let next = behind.into_iter().min_by_key(Message::place);
                    next.filter(|message| message.arrival <= horizon)
                }
            };
        }
    }

    fn join_x(&mut self, port: usize, message: Message) {
        self.f[port].retain(|other| *other != message);
        self.x[port].push(message);
    }
}
