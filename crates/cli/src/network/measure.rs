//! stub
use super::run_result::*;
use forebay_net::Outcome;
pub(super) fn measure<E>(outcome: &Outcome<E>, context: &MeasureContext) -> RunResult {
    let done = outcome.flows.iter().filter(|f| f.received.is_some()).count() as u64;
    RunResult {
        ended: Ended::Finished, end_ns: outcome.end.as_ps() as f64 / 1e3, counted_ns: 0.0, hosts: context.hosts,
        access_bps: context.access_bps, flows_started: outcome.flows.len() as u64, flows: outcome.flows.len() as u64,
        completed: done, unfinished: outcome.flows.len() as u64 - done, endless: 0, offered_load: None, goodput_bps: None,
        delivered_bps: None, senders: SenderCounts::default(), switches: PortSums::default(), cards: PortSums::default(),
        busiest: None, longest_queue: None,
        drops: DropCounts { discipline: outcome.drops.discipline, ..DropCounts::default() },
        packets_injected: outcome.packets_injected, packets_delivered: outcome.packets_delivered,
        packet_hops: outcome.packet_hops, events: outcome.events, counters: Default::default(), groups: vec![], series: None,
    }
}
