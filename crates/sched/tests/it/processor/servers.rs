//! Servers before FCFS, SJF and WSJF.

use crate::processor::naive::{self, Key};
use crate::processor::{Event, built, packets, serve, serve_element, spec};
use forebay_core::{Duration, Packet, Rate, Time};
use forebay_sched::FlowServers;
use forebay_sim::Processor;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn it_does_what_the_ticks_do() {
    let ranks: [(&str, Key); 3] = [
        ("arrival", |packet| packet.arrival.as_ps()),
        ("job-size", |packet| packet.processing.as_ps()),
        ("job-ratio", |packet| packet.processing.as_ps() * 1_000 / u64::from(packet.size_bytes)),
    ];
    for (rank, key) in ranks {
        for (drop, worst_first) in [("tail", false), ("worst-first", true)] {
            for servers in [1, 2, 3] {
                // Overload, and half of what the servers can do.
                for (mean_gap, buffer) in [(2, 5), (3, 40), (20, 5)] {
                    let case = format!("{rank} {drop} {servers} servers {mean_gap} {buffer}");
                    let packets = packets(3_000, mean_gap, &case);
                    let (outcome, watch) = serve(Processor, servers, built(rank, drop, buffer), &packets, Time::MAX);
                    let expected = naive::run(&packets, servers, buffer.try_into().unwrap(), worst_first, key);
                    assert_eq!(watch.log.len(), expected.len(), "{case}");
                    for (place, (seen, expected)) in watch.log.iter().zip(&expected).enumerate() {
                        assert_eq!(seen, expected, "{case}: event {place}");
                    }
                    assert_eq!(outcome.packets_queued, 0, "{case}");
                    let drops = watch.dropped.len();
                    assert!(mean_gap > 10 || servers > 1 || drops > 100, "{case}: {drops} drops");
                }
            }
        }
    }
}

#[test]
fn every_packet_is_worked_on_for_as_long_as_it_says_and_by_no_more_servers_than_there_are() {
    for rank in ["arrival", "job-ratio", "job-fair", "job-ratio-inorder", "job-size-inorder", "job-ratio-head"] {
        for servers in [1, 3] {
            let packets = packets(5_000, 3, rank);
            let until = packets[4_000].arrival;
            let (outcome, watch) = serve(Processor, servers, built(rank, "worst-first", 20), &packets, until);
            let offered = packets.iter().filter(|packet| packet.arrival <= until).count() as u64;
            let gone = (watch.dropped.len() + watch.completed.len()) as u64;
            assert_eq!(gone + outcome.packets_queued, offered, "{rank}: nothing is lost");
            let mut started = BTreeMap::new();
            for &(tick, event, id) in &watch.log {
                match event {
                    Event::Started => assert!(started.insert(id, tick).is_none(), "{rank}: {id} twice"),
                    Event::Completed => {
                        let work = packets[usize::try_from(id).unwrap()].processing.as_ns();
                        assert_eq!(tick - started.remove(&id).unwrap(), work, "{rank}: {id}");
                    }
                    Event::Dropped => assert!(!started.contains_key(&id), "{rank}: {id} is in service"),
                }
                assert!(started.len() <= servers, "{rank}");
            }
        }
    }
}

/// Whether packets of each flow follow each other as they arrived.
fn in_order(completed: &[Packet]) -> bool {
    let mut last = [None; 4];
    completed.iter().all(|packet| last[packet.flow.index()].replace(packet.id) < Some(packet.id))
}

/// One server completes the packets of a flow in order, if the discipline gives them so.
#[test]
fn flow_ranks_keep_flows_in_order_where_packet_ranks_do_not() {
    for (rank, keeps) in [("job-ratio", false), ("job-ratio-inorder", true), ("job-size-inorder", true)] {
        let packets = packets(5_000, 4, "order");
        let (_, watch) = serve(Processor, 1, built(rank, "worst-first", 30), &packets, Time::MAX);
        assert_eq!(in_order(&watch.completed), keeps, "{rank}");
    }
}

/// With several servers a flow's packets overtake each other in service, unless the flow is held back. Then a server is
/// idle only if all that waits is of flows in service.
#[test]
fn servers_that_hold_flows_back_finish_them_in_order() {
    let packets = packets(6_000, 3, "held");
    let flow = |id: u64| packets[usize::try_from(id).unwrap()].flow.index();
    for rank in ["job-ratio-inorder", "job-size-inorder", "job-ratio-head"] {
        for servers in [1, 2, 3] {
            let held = FlowServers::new(servers, &spec(rank, "worst-first", 30)).unwrap();
            let (outcome, watch) = serve_element(Processor, held, &packets, Time::MAX);
            assert_eq!((watch.log.len() - watch.completed.len(), outcome.packets_queued), (6_000, 0), "{rank}");
            assert!(watch.dropped.len() > 100, "{rank} {servers}");
            assert!(in_order(&watch.completed), "{rank} {servers}");
            // At every instant after which time goes on.
            let mut waiting: BTreeSet<u64> = BTreeSet::new();
            let mut in_service: BTreeSet<u64> = BTreeSet::new();
            let mut arrived = 0;
            for (place, &(tick, event, id)) in watch.log.iter().enumerate() {
                while packets.get(arrived).is_some_and(|packet| packet.arrival.as_ps() <= tick * 1_000) {
                    waiting.insert(arrived as u64);
                    arrived += 1;
                }
                match event {
                    Event::Dropped => assert!(waiting.remove(&id)),
                    Event::Started => assert!(waiting.remove(&id) && in_service.insert(id)),
                    Event::Completed => assert!(in_service.remove(&id)),
                }
                let busy: BTreeSet<usize> = in_service.iter().map(|&id| flow(id)).collect();
                assert_eq!(busy.len(), in_service.len(), "{rank} {servers}: two packets of a flow in service");
                if watch.log.get(place + 1).is_some_and(|&(next, ..)| next > tick) && in_service.len() < servers {
                    assert!(waiting.iter().all(|&id| busy.contains(&flow(id))), "{rank} {servers}: idle at {tick}");
                }
            }
        }
    }
    let (_, watch) = serve(Processor, 3, built("job-ratio-inorder", "worst-first", 30), &packets, Time::MAX);
    assert!(!in_order(&watch.completed));
}

/// At 512 Gb/s 64 bytes take a nanosecond.
#[test]
fn a_link_is_a_processor_whose_work_is_the_size() {
    let rate = Rate::parse("512 Gbps").unwrap();
    let mut packets = packets(3_000, 2, "link");
    for packet in &mut packets {
        packet.processing = Duration::from_ns(u64::from(packet.size_bytes / 64));
    }
    let (_, link) = serve(rate, 1, built("arrival", "tail", 5), &packets, Time::MAX);
    let (_, processor) = serve(Processor, 1, built("arrival", "tail", 5), &packets, Time::MAX);
    assert_eq!(link.log, processor.log);
    assert!(link.dropped.len() > 100);
}
