//! The traces in ../shared/data, where they are there.

use forebay_core::Clock;
use forebay_traces::Content;
use forebay_traces::requests::{Collector, Facts, OpenOptions, Statistics, open};
use std::fs::File;

fn statistics(name: &str) -> Option<(Facts, Statistics)> {
    let path = format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let Ok(file) = File::open(path) else {
        println!("skipped: ../shared/data is not here");
        return None;
    };
    let mut reader = open(Content::unpack(file).unwrap(), name, &OpenOptions::default()).unwrap();
    let mut collector = Collector::default();
    let mut chunk = Vec::new();
    loop {
        chunk.clear();
        let more = reader.fill(&mut chunk, 10_000).unwrap();
        collector.add(&chunk);
        if !more {
            return Some((reader.facts(), collector.finish(reader.facts())));
        }
    }
}

#[test]
fn the_calibration_trace_is_what_its_description_says() {
    let Some((facts, statistics)) = statistics("delayed_hits/zipf.csv.xz") else { return };
    assert_eq!(facts, Facts { format: "slot-csv", clock: Clock::Slots, sizes: false });
    assert_eq!((statistics.requests, statistics.objects), (300_000, 19_455));
    // 374,989 lines, of which the first has a request and the last may have none.
    assert!((374_900..=374_988).contains(&statistics.span_ticks), "{}", statistics.span_ticks);
}

#[test]
fn the_keys_of_a_web_server_are_read() {
    let Some((facts, statistics)) = statistics("traces/web12.trace.xz") else { return };
    assert_eq!(facts, Facts { format: "u32be", clock: Clock::Slots, sizes: false });
    assert_eq!((statistics.requests, statistics.objects), (95_607, 13_756));
}
