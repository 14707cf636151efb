//! Two nodes back to back, for hardware to do the same: writes the packets that come to the neighbour, and what the target
//! does in each cycle. Prints what it counts, beside caches whose steps take no time, and one that is told nothing.
//!
//! two_nodes FOLDER [packets=1000000] [sets=16384] [flows=100000] [list=256] [gigabits=6] [threshold=8] [fetch=16]
//! [idle=before]

mod differences;
mod flows;
mod on_clock;
mod setup;

use differences::{Outcome, differing};
use flows::{Flows, OfFlows};
use forebay_cache::{Choice, StateCache};
use forebay_seer::SeerCache;
use forebay_seer::clocked::{ClockedCache, Event, Latency, What};
use forebay_seer::prototype::{Generator, Prototype, Target as _};
use on_clock::OnClock;
use setup::{SEED, Setup};
use std::error::Error;
use std::fs::{File, create_dir_all};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

/// Packets behind the last one that is compared: it may be told of them before.
const BEHIND: u64 = 64;

fn main() {
    if let Err(error) = run() {
        eprintln!("two_nodes: {error}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a FOLDER to write to")?);
    let setup = Setup::parse(arguments)?;
    let spec = setup.spec();
    let lru: Choice = "lru".parse()?;
    let flows = Flows::new(&setup, &StateCache::new(&spec.cache(SEED), &lru)?)?;

    let mut prototype = Prototype::new(&spec, SEED)?;
    let mut stated = OfFlows::new(&flows.ids, ClockedCache::new(&spec, Latency::Stated));
    let mut at_once = OfFlows::new(&flows.ids, ClockedCache::new(&spec, Latency::None));
    let mut seer = OfFlows::new(&flows.keys, OnClock::new(spec.clock, SeerCache::new(&setup.seer(), &lru)?));
    let mut unaware = OfFlows::new(&flows.keys, StateCache::new(&spec.cache(SEED), &lru)?);
    prototype.run(setup.packets, &mut [&mut stated, &mut at_once, &mut seer, &mut unaware]);
    let lru_counts = unaware.counts();
    prototype.run(BEHIND, &mut [&mut stated, &mut at_once, &mut seer]);

    create_dir_all(&folder)?;
    let mut packets = BufWriter::new(File::create(folder.join("packets.txt"))?);
    for packet in Generator::new(&spec, SEED).take(usize::try_from(prototype.report().generated)?) {
        let id = flows.ids[usize::try_from(packet.id)?];
        writeln!(packets, "{} {} {id}", packet.time.as_ps() / spec.clock.as_ps(), packet.class)?;
    }
    packets.flush()?;
    let stated = up_to(stated.inner.events(), setup.packets);
    let mut events = BufWriter::new(File::create(folder.join("events.txt"))?);
    stated.iter().try_for_each(|event| writeln!(events, "{event}"))?;
    events.flush()?;

    let ids = flows.ids_of_keys();
    let stated = Outcome::of(&stated, |id| id);
    let at_once = Outcome::of(&up_to(at_once.inner.events(), setup.packets), |id| id);
    let seer = Outcome::of(&up_to(seer.inner.events.into_iter(), setup.packets), |key| ids[&key]);
    println!("with the stated latency: {stated}");
    println!("the same cache without:  {at_once}");
    println!("SeerCache:               {seer}");
    if at_once != seer {
        return Err("without latency the cache is no SeerCache: a defect".into());
    }
    println!("differences that are the latency's: {}", differing(&stated, &seer));
    let (ours, theirs) = (stated.misses() as f64, lru_counts.misses as f64);
    println!(
        "LRU, told nothing: {} hits, {} delayed hits, {} misses; misses less by {:.1} %",
        lru_counts.hits,
        lru_counts.delayed_hits,
        lru_counts.misses,
        100.0 * (1.0 - ours / theirs)
    );
    Ok(())
}

/// What happens until the last of so many packets has come.
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
