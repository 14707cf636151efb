//! A cache whose steps take cycles: without its latency it is a `SeerCache`, and with it that shows where it can.

#[path = "../../../examples/two_nodes/play/mod.rs"]
mod play;

use forebay_cache::seer::clocked::{ClockedCache, Latency};
use forebay_cache::seer::prototype::PrototypeSpec;
use forebay_core::Duration;
use play::{Played, Setup, differing, play};

fn played(words: &str) -> Played {
    play(&Setup::parse(words.split_whitespace().map(str::to_owned)).unwrap()).unwrap()
}

#[test]
fn without_latency_it_is_a_seer_cache() {
    for words in [
        "packets=20000 sets=64 flows=400 list=64 idle=after",
        "packets=20000 sets=64 flows=400 list=16 gigabits=9 threshold=2 fetch=160",
        "packets=20000 sets=16 flows=100 list=4 gigabits=9 threshold=0 fetch=160 idle=after",
        "packets=20000 sets=1 flows=6 list=32 gigabits=8 threshold=2 fetch=40",
    ] {
        let Played { stated, at_once, seer, unaware, .. } = played(words);
        assert!(at_once == seer, "{words}: {at_once}; {seer}");
        let misses = stated.misses() as u64;
        assert!(misses > 0 && misses < unaware.misses, "{words}: {stated}; LRU: {} misses", unaware.misses);
    }
}

/// With a fetch of 1 us, more packets arrive before it has ended than without latency; with one of 100 ns it has ended
/// long before the packet arrives.
#[test]
fn latency_shows_where_fetches_end_about_when_packets_come() {
    let Played { stated, seer, .. } = played("packets=20000 sets=64 flows=400 list=64 gigabits=8 fetch=160");
    assert_ne!(stated, seer, "{}", differing(&stated, &seer));
    let Played { stated, seer, .. } = played("packets=20000 sets=64 flows=400 list=64 gigabits=6 idle=after");
    assert_eq!(stated, seer);
}

#[test]
fn all_that_can_happen_happens() {
    let Played { events, .. } =
        played("packets=20000 sets=16 flows=100 list=16 gigabits=9 threshold=2 fetch=160 idle=after");
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    for word in [" fpm ", " push", " fetch ", " fill ", " enters ", " refused ", " here", " coming", " away"] {
        let count = lines.iter().filter(|line| line.contains(word)).count();
        assert!(count > 5, "{count} lines with{word}");
    }
}

#[test]
fn packets_come_on_the_clock_one_in_a_cycle() {
    let Played { packets, .. } = played("packets=5000 sets=16 flows=100 gigabits=9");
    assert!(packets.windows(2).all(|two| two[0].cycle < two[1].cycle));
    let next = packets.windows(2).filter(|two| two[0].cycle + 1 == two[1].cycle).count();
    assert!(next > 50, "{next} right behind another");
}

#[test]
fn what_hardware_cannot_be_is_refused() {
    let clock = Duration::from_ps(6_400);
    let whole = PrototypeSpec { clock, entries: 64, ..PrototypeSpec::default() };
    let wrong = |spec: PrototypeSpec| ClockedCache::new(&spec, Latency::Stated).unwrap_err().to_string();
    assert!(ClockedCache::new(&whole, Latency::Stated).is_ok());
    assert!(wrong(PrototypeSpec { clock: Duration::ZERO, ..whole }).contains("give its cycle"));
    assert!(wrong(PrototypeSpec { ways: None, ..whole }).contains("1 way or more"));
    assert!(wrong(PrototypeSpec { entries: 60, ..whole }).contains("power of two"));
    assert!(wrong(PrototypeSpec { fetch: clock, ..whole }).contains("two cycles"));
}
