//! A notified cache behaves as its policy if no packet waits behind another and notifications arrive behind their packets.

use crate::net::caches::Caches;
use crate::net::support::{Port, flow, gbps, run, spec, transport};
use forebay_cache::StateCacheSpec;
use forebay_cache::seer::{AnnouncerSpec, Idle};
use forebay_core::{Duration, Seed};
use forebay_sim::net::{AskedOf, FlowSpec, Graph, NetworkOutcome, StateKey, ToldCounts};
use rand::RngExt as _;

/// A policy at the switch of a star of eight hosts.
fn at_the_switch(policy: &'static str, told: bool, idle: Idle, flows: &[FlowSpec]) -> NetworkOutcome<Port> {
    let mut graph = Graph::default();
    let hosts: Vec<_> = (0..8).map(|host| graph.add_host(format!("h{host}"), 0)).collect();
    let switch = graph.add_switch("s");
    hosts.iter().for_each(|host| graph.connect(*host, switch, gbps(1), Duration::from_ns(100)));
    let cache = StateCacheSpec { entries: 4, ways: Some(4), latency: 31_000_000, parallel: None, seed: Seed(3) };
    let asked = AskedOf { key: StateKey::Source, acknowledgements: true };
    let announcer = Some(AnnouncerSpec { idle, ..AnnouncerSpec::default() });
    let caches = Caches { cache, policy, asked, told, announcer, ..Caches::of(cache.latency) };
    let mut spec = spec(graph, "100 packets", transport("udp"));
    spec.states = caches.everywhere(&spec.graph);
    run(spec, flows)
}

/// Flows of one packet, which takes less than 1 us of a link. Each 20 us every other host or so sends one, 2 us after the one
/// before it, to another host than the last time. So no two leave the switch for one host at the same time, though those wait
/// there together for 31 us whose host has none of the four states.
fn paced() -> Vec<FlowSpec> {
    let mut rng = Seed(7).stream("flows");
    let mut flows = Vec::new();
    for slot in 0..2_000 {
        for host in 0..8 {
            // Some hosts send more often than others.
            if rng.random_range(0..8) >= host {
                let on = 1 + (slot + rng.random_range(0..2) * 2) % 4;
                flows.push(flow(slot * 20_000 + u64::from(host) * 2_000, host, (host + on as u32) % 8, 60));
            }
        }
    }
    flows
}

#[test]
fn where_nothing_waits_at_ports_all_is_as_with_the_policy() {
    let flows = paced();
    let mut misses = Vec::new();
    for policy in ["lru", "fifo", "sieve", "lru-k(k=3)", "arc", "lru-mad"] {
        let [plain, told] = [false, true].map(|told| at_the_switch(policy, told, Idle::After, &flows));
        assert!(told.ports.iter().all(|port| port.queue_byte_ps == 0), "no packet waits");
        let (one, other) = (&plain.states[0], &told.states[0]);
        // Each packet is one of which its port would have sent a notification.
        let ToldCounts { made, stale, .. } = other.counts.told;
        assert_eq!((made, stale), (flows.len() as u64, flows.len() as u64));
        assert_eq!((one.counts.cache, one.counts.waited_ps), (other.counts.cache, other.counts.waited_ps), "{policy}");
        assert_eq!((one.counts.most_waiting, 0), (other.counts.most_waiting, other.counts.prefetches));
        assert_eq!((&plain.flows, &plain.ports, &one.accesses), (&told.flows, &told.ports, &other.accesses));
        let counts = one.counts.cache;
        assert!(counts.hits > 500 && counts.delayed_hits > 500 && counts.misses > 500, "{counts:?}");
        misses.push(counts.misses);
        // A cache that is notified right before its packet prefetches, which is not the same.
        let before = at_the_switch(policy, true, Idle::Before, &flows);
        assert!(before.states[0].counts.prefetches > 500 && before.states[0].counts.cache != one.counts.cache);
    }
    misses.sort_unstable();
    misses.dedup();
    assert!(misses.len() > 3, "policies differ: {misses:?}");
}
