//! A cache with notifications and the latency of each of its steps: equal to `rtl/seer_nodes` in every cycle.
//!
//! A [`SeerCache`](crate::seer::SeerCache) decides at one instant, on all that is known by then. In hardware, an iteration
//! takes 2k + 1 cycles for k ways and looks at one thing after the other. Meanwhile, notifications enter and packets
//! arrive, which take their cycles, too. A decision may rest on a state that is older by as much. [`Latency`] says whether
//! steps take their cycles. Without, this is a `SeerCache` with the options of hardware
//! ([`AfterFailure::Stop`](crate::seer::AfterFailure), [`ToX::NextIteration`](crate::seer::ToX)), event by event. So
//! latency is the only cause of any difference.
//!
//! | step | cycles |
//! | --- | --- |
//! | a packet that arrives waits while a notification enters or a decision takes effect, or a fetch ends; it is in the list for | 2 |
//! | notifications are handed on one by one, the first after | 2 |
//! | a notification enters the list in, and pushes back in | 2, 3 |
//! | the head of the list, k lookups of it, k lookups of its set | 2k + 1 |
//! | a state that a packet had fetched waits for an iteration to end; then it is looked up, and so is its set | k + 2 |
//!
//! One port. A step of a cycle costs O(ways); all cycles are played, also those in which nothing happens.

mod event;
mod instant_steps;
mod list;
mod manager;
mod scan;
mod tags;

pub use event::{Event, What};

use crate::Whereabouts;
use crate::seer::Fpm;
use crate::seer::prototype::{PrototypeSpec, Target, TargetCounts};
use forebay_core::{Duration, ParamError, Time, convert};
use list::{List, Told};
use manager::{Manager, Phase};
use std::collections::VecDeque;
use tags::Tags;

/// Whether the steps of a cache take cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Latency {
    /// As in hardware.
    Stated,
    /// All is known at once, and decided at the end of an iteration.
    None,
}

/// The number of states that packets can have fetched at once; later packets wait.
const DEMANDS: usize = 8;
/// From the cycle in which a carrier has arrived until the first notification may enter.
const HANDED_ON: u64 = 2;

/// The cache, its list, and the store behind it.
#[derive(Debug, Clone)]
pub struct ClockedCache {
    latency: Latency,
    clock: Duration,
    ways: usize,
    /// Cycles.
    fetch: u64,
    /// The next cycle.
    cycle: u64,
    list: List,
    tags: Tags,
    manager: Manager,
    /// Packets and notifications that wait to be taken, with the cycle from which they may be.
    comes: VecDeque<(u64, u64)>,
    told: VecDeque<(u64, Told)>,
    /// Fetched states, ahead and for packets, and when they arrive.
    fills: VecDeque<(u64, u64)>,
    places: VecDeque<(u64, u64)>,
    /// States that packets are having fetched.
    asked: Vec<u64>,
    events: Vec<Event>,
    counts: TargetCounts,
}

impl ClockedCache {
    /// The target of a prototype; cycles are those of its clock. The lowest bits of an id say which set it is in.
    ///
    /// # Errors
    /// If the prototype has no clock, or its cache is none that hardware has.
    pub fn new(spec: &PrototypeSpec, latency: Latency) -> Result<Self, ParamError> {
        let wrong = |name: &str, message: &str| Err(ParamError::of(name, message));
        if spec.clock == Duration::ZERO {
            return wrong("clock", "hardware has one; give its cycle");
        }
        let Some(ways) = spec.ways.and_then(|ways| usize::try_from(ways).ok()).filter(|ways| *ways > 0) else {
            return wrong("ways", "a cache in hardware has sets of 1 way or more");
        };
        let sets = convert::index(spec.entries) / ways;
        if !sets.is_power_of_two() {
            return wrong("entries", "the sets of a cache in hardware are a power of two");
        }
        let fetch = spec.fetch.as_ps() / spec.clock.as_ps();
        if fetch < 2 {
            return wrong("fetch", "a fetch takes two cycles or more");
        }
        Ok(Self {
            latency,
            clock: spec.clock,
            ways,
            fetch,
            cycle: 0,
            list: List::new(spec.announcer.rate, spec.list_capacity),
            tags: Tags::new(sets, ways),
            manager: Manager::new(),
            comes: VecDeque::new(),
            told: VecDeque::new(),
            fills: VecDeque::new(),
            places: VecDeque::new(),
            asked: Vec::new(),
            events: Vec::new(),
            counts: TargetCounts::default(),
        })
    }

    /// Takes the events since the last call.
    pub fn events(&mut self) -> impl Iterator<Item = Event> {
        self.events.drain(..)
    }

    /// Plays the cycles before that in which `now` lies; returns which this is.
    fn play_until(&mut self, now: Time) -> u64 {
        let until = now.as_ps() / self.clock.as_ps();
        while self.cycle < until {
            match self.latency {
                Latency::Stated => self.step(),
                Latency::None => self.step_at_once(),
            }
            self.cycle += 1;
        }
        until
    }

    fn say(&mut self, what: What) {
        self.events.push(Event { cycle: self.cycle, what });
    }

    /// Plays a cycle. Its changes are seen in the next one.
    fn step(&mut self) {
        let cycle = self.cycle;
        self.list.settle(cycle);
        let commits = self.manager.phase == Phase::Ask && self.manager.ran;
        let list_free = self.list.is_free(cycle);
        let fill_due = is_due(&self.fills, cycle);
        let come = list_free && !commits && !fill_due && self.asked.len() < DEMANDS && is_due(&self.comes, cycle);
        if list_free && !come {
            self.take_told();
        }
        if commits {
            self.commit();
        }
        self.look();
        if fill_due && !commits {
            self.fill();
        }
        if come && let Some((_, id)) = self.comes.pop_front() {
            self.list.come(cycle, id);
            self.packet_came(id);
        }
        self.manager.step(self.ways);
    }

    /// The list takes the next notification.
    fn take_told(&mut self) {
        if is_due(&self.told, self.cycle)
            && let Some((_, told)) = self.told.pop_front()
        {
            self.say(What::of(&told));
            self.list.told(self.cycle, told);
        }
    }

    /// The manager's work in this cycle besides deciding.
    fn look(&mut self) {
        let Self { manager, list, tags, asked, places, .. } = self;
        match manager.phase {
            Phase::Ask => {
                manager.placing = places.pop_front_if(|(due, _)| *due <= self.cycle).map(|(_, id)| id);
                manager.head = list.ask();
                manager.cached = false;
                manager.scan = scan::Scan::default();
            }
            Phase::Look(way) => {
                if let Some(head) = manager.head {
                    let here = tags.line(head.key, way).is_some_and(|line| line.id == head.key);
                    manager.cached |= here || asked.contains(&head.key);
                }
            }
            Phase::Wanted => manager.wanted = manager.placing.and_then(|id| list.wanted(id)),
            Phase::Scan(way) => {
                if let Some((id, _)) = manager.entrant() {
                    manager.scan.look(tags.line(id, way), |id| list.wanted(id));
                }
            }
        }
    }

    /// What an iteration has found takes effect.
    fn commit(&mut self) {
        let Self { manager, tags, asked, .. } = self;
        let entrant = manager.entrant().map(|(id, _)| id);
        let room = entrant.and_then(|id| manager.room(|ways| tags.least_recent(id, ways.iter().copied())));
        if let Some(id) = manager.placing {
            asked.retain(|other| *other != id);
            self.place(id, room);
            return;
        }
        let fetched = entrant.zip(room).filter(|(id, _)| !asked.contains(id));
        if manager.cached || fetched.is_some_and(|(_, room)| room.evicted.is_some()) {
            self.list.mark();
        }
        if let Some((id, room)) = fetched {
            self.fetch(id, room);
        }
    }

    /// A state that a packet had fetched enters, or is not admitted.
    fn place(&mut self, id: u64, room: Option<scan::Room>) {
        if let Some(room) = room {
            self.tags.enter(id, room.way);
        }
        self.say(What::Placed { id, entered: room.is_some(), evicted: room.and_then(|room| room.evicted) });
    }

    /// A fetch ahead begins.
    fn fetch(&mut self, id: u64, room: scan::Room) {
        self.tags.begin(id, room.way);
        self.fills.push_back((self.cycle + self.fetch, id));
        self.counts.prefetches += 1;
        self.say(What::Fetched { id, evicted: room.evicted });
    }

    /// A prefetched state has arrived.
    fn fill(&mut self) {
        let Some((_, id)) = self.fills.pop_front() else { return };
        if let Some(way) = self.tags.find(id) {
            self.tags.enter(id, way);
        }
        self.say(What::Filled { id });
    }

    /// A packet looks up its state.
    fn packet_came(&mut self, id: u64) {
        let way = self.tags.find(id);
        let here = way.filter(|&way| self.tags.line(id, way).is_some_and(|line| line.here));
        let found = if let Some(way) = here {
            self.tags.touch(id, way);
            self.counts.hits += 1;
            Whereabouts::Here
        } else if way.is_some() || self.asked.contains(&id) {
            self.counts.delayed_hits += 1;
            Whereabouts::OnItsWay
        } else {
            self.asked.push(id);
            self.places.push_back((self.cycle + self.fetch, id));
            self.counts.misses += 1;
            Whereabouts::Away
        };
        self.say(What::Came { id, found });
    }

    /// Takes a notification or control packet in the cycle that is played next.
    fn hand_on(&mut self, told: Told) {
        let first = self.cycle + if self.latency == Latency::Stated { HANDED_ON } else { 0 };
        let next = self.told.back().map_or(0, |(at, _)| at + u64::from(self.latency == Latency::Stated));
        self.told.push_back((first.max(next), told));
    }
}

fn is_due<T>(waiting: &VecDeque<(u64, T)>, cycle: u64) -> bool {
    waiting.front().is_some_and(|(due, _)| *due <= cycle)
}

/// The prototype's port is its port; how long packets wait is not counted.
impl Target for ClockedCache {
    fn control(&mut self, now: Time, length: Duration) {
        self.play_until(now);
        self.hand_on(Told::Control(length));
    }

    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        self.play_until(now);
        for fpm in fpms {
            self.hand_on(Told::Fpm(now, *fpm));
        }
    }

    fn packet(&mut self, now: Time, id: u64) {
        let cycle = self.play_until(now);
        self.comes.push_back((cycle, id));
    }

    fn counts(&self) -> TargetCounts {
        self.counts
    }
}
