//! The prototype with its targets side by side: all receive the same packets and the same notifications.

mod flows;
mod on_clock;
mod outcome;
mod setup;

pub(crate) use outcome::{PlayOutcome, differing};
pub(crate) use setup::Setup;

use flows::{Flows, OfFlows};
use forebay_cache::seer::SeerCache;
use forebay_cache::seer::clocked::{ClockedCache, Event, Latency, What};
use forebay_cache::seer::prototype::{Generator, Prototype, Target as _, TargetCounts};
use forebay_cache::{Choice, StateCache};
use on_clock::OnClock;
use setup::SEED;
use std::error::Error;
use std::fmt;

/// Packets behind the last one that is compared: notifications of them may arrive before it.
const BEHIND: u64 = 64;

/// A packet that arrives at the neighbour: its cycle, its class and the state that it looks up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comes {
    pub(crate) cycle: u64,
    class: usize,
    id: u64,
}

impl fmt::Display for Comes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.cycle, self.class, self.id)
    }
}

/// The outcome.
pub(crate) struct Played {
    pub(crate) packets: Vec<Comes>,
    /// The actions of the target with the latency of hardware.
    pub(crate) events: Vec<Event>,
    pub(crate) stated: PlayOutcome,
    /// The same target without latency.
    pub(crate) at_once: PlayOutcome,
    pub(crate) seer: PlayOutcome,
    /// A cache that receives no notifications.
    pub(crate) unaware: TargetCounts,
}

pub(crate) fn play(setup: &Setup) -> Result<Played, Box<dyn Error>> {
    let spec = setup.spec();
    let lru: Choice = "lru".parse()?;
    let flows = Flows::new(setup, &StateCache::new(&spec.cache(SEED), &lru)?)?;
    let mut prototype = Prototype::new(&spec, SEED)?;
    let mut stated = OfFlows::new(&flows.ids, ClockedCache::new(&spec, Latency::Stated)?);
    let mut at_once = OfFlows::new(&flows.ids, ClockedCache::new(&spec, Latency::None)?);
    let mut seer = OfFlows::new(&flows.keys, OnClock::new(spec.clock, SeerCache::new(&setup.seer(), &lru)?));
    let mut unaware = OfFlows::new(&flows.keys, StateCache::new(&spec.cache(SEED), &lru)?);
    prototype.run(setup.packets, &mut [&mut stated, &mut at_once, &mut seer, &mut unaware]);
    let unaware = unaware.counts();
    prototype.run(BEHIND, &mut [&mut stated, &mut at_once, &mut seer]);

    let packets = Generator::new(&spec, SEED).take(usize::try_from(prototype.report().generated)?).map(|packet| {
        let id = flows.ids[usize::try_from(packet.id)?];
        Ok(Comes { cycle: packet.time.as_ps() / spec.clock.as_ps(), class: packet.class, id })
    });
    let packets = packets.collect::<Result<_, Box<dyn Error>>>()?;
    let events = up_to(stated.inner.events(), setup.packets);
    let ids = flows.ids_of_keys();
    Ok(Played {
        packets,
        stated: PlayOutcome::of(&events, |id| id),
        events,
        at_once: PlayOutcome::of(&up_to(at_once.inner.events(), setup.packets), |id| id),
        seer: PlayOutcome::of(&up_to(seer.inner.events.into_iter(), setup.packets), |key| ids[&key]),
        unaware,
    })
}

/// The events until the last of so many packets has arrived.
fn up_to(events: impl Iterator<Item = Event>, packets: u64) -> Vec<Event> {
    let mut came = 0;
    events
        .take_while(|event| {
            let more = came < packets;
            came += u64::from(matches!(event.what, What::Came { .. }));
            more
        })
        .collect()
}
