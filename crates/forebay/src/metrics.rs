//! What the numbers of results mean: names, units and meanings, as results, tables and CSV call them.
//!
//! `docs/result.md` and `docs/caches.md` describe the results as wholes.

/// A number of a result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Metric {
    /// In JSON and CSV.
    pub(crate) name: &'static str,
    /// Its unit.
    pub(crate) unit: &'static str,
    /// What it is.
    pub(crate) meaning: &'static str,
    /// Which results have it.
    pub(crate) of: &'static [Of],
}

/// A kind of result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// A policy, or a class of packets, at one port.
    Port,
    /// A bin of ranks at one port.
    Bin,
    /// A run of a network.
    Run,
    /// A group of flows in a network.
    Flows,
    /// States in switches.
    States,
    /// A policy under attack.
    Attack,
    /// A row of a comparison of caches.
    Cache,
}

impl Of {
    /// What has the number, and the command that prints it.
    #[must_use]
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Port => "a policy or class of `forebay run`",
            Self::Bin => "a bin of ranks at a port",
            Self::Run => "a run of a network",
            Self::Flows => "a group of flows in a network",
            Self::States => "states in switches",
            Self::Attack => "`forebay attack`",
            Self::Cache => "`forebay cache`",
        }
    }

    /// The page that documents the result.
    #[must_use]
    pub(crate) fn page(self) -> &'static str {
        match self {
            Self::Cache => "docs/caches.md",
            _ => "docs/result.md",
        }
    }
}

const fn metric(name: &'static str, unit: &'static str, of: &'static [Of], meaning: &'static str) -> Metric {
    Metric { name, unit, meaning, of }
}

use Of::{Attack, Bin, Cache, Flows, Port, Run, States};

/// Every number, by kind of result.
pub(crate) const METRICS: &[Metric] = &[
    metric("packets_in", "packets", &[Port, Bin], "Packets that arrived"),
    metric("packets_out", "packets", &[Port], "Packets that departed"),
    metric("packets_dropped", "packets", &[Port, Bin], "Packets that were dropped or pushed out"),
    metric("packets_queued", "packets", &[Port], "Packets that still wait at the end"),
    metric("packets_marked", "packets", &[Port], "Packets that were marked (ECN)"),
    metric("bytes_in", "bytes", &[Port], "Bytes that arrived"),
    metric("bytes_out", "bytes", &[Port], "Bytes that departed"),
    metric("bytes_dropped", "bytes", &[Port], "Bytes that were dropped or pushed out"),
    metric("throughput_bps", "bit/s", &[Port], "Bits that departed per second"),
    metric("delay_ns_mean", "ns", &[Port, Bin], "Mean delay from arrival to the last bit sent"),
    metric("delay_ns_p50", "ns", &[Port], "Median of the delay"),
    metric("delay_ns_p90", "ns", &[Port], "90th percentile of the delay"),
    metric("delay_ns_p99", "ns", &[Port, Bin], "99th percentile of the delay"),
    metric("delay_ns_p999", "ns", &[Port], "99.9th percentile of the delay"),
    metric("delay_ns_max", "ns", &[Port], "Greatest delay"),
    metric("inversions", "packets", &[Port, Bin, Run], "Packets that departed while one of lower rank waited"),
    metric("inversions_per_packet", "ratio", &[Port], "Inversions over packets that departed"),
    metric("inversions_vs_baseline", "ratio", &[Port], "Inversions over those of the baseline with the same packets"),
    metric("overtaken", "packets", &[Port, Bin], "Waiting packets of lower rank, summed over all departures"),
    metric("drop_share", "share", &[Port, Bin, Run], "Packets dropped over packets that arrived, or that hosts sent"),
    metric("drop_inversions", "packets", &[Port, Bin], "Packets that were dropped while one of higher rank waited"),
    metric("utilisation", "share", &[Port], "Bits sent over the bits that the link could have sent"),
    metric(
        "offered_load",
        "share",
        &[Port, Run],
        "Bits that arrived, or that flows need on the wire, over the bits that links could have sent",
    ),
    metric("end_ns", "ns", &[Port, Run], "Time at which the run ended"),
    metric("flows", "flows", &[Run, Flows], "Flows that count"),
    metric("completed", "flows", &[Run, Flows], "Flows that were completed"),
    metric("unfinished", "flows", &[Run, Flows], "Flows that were still going on when the run ended"),
    metric("endless", "flows", &[Run, Flows], "Flows that never end"),
    metric("goodput_bps", "bit/s", &[Run], "Bits of applications in completed flows per second"),
    metric("delivered_bps", "bit/s", &[Run], "Bits on the wire that arrived at hosts per second"),
    metric("drops", "packets", &[Run], "Packets that did not leave a port or did not arrive"),
    metric("switch_drops_discipline", "packets", &[Run], "Packets dropped in switches by the queue or the drop rule"),
    metric("switch_drops_shared_buffer", "packets", &[Run], "Packets dropped in switches for lack of shared memory"),
    metric("switch_drops_link", "packets", &[Run], "Packets of switches lost on links that had failed or lose packets"),
    metric("switch_drops_no_route", "packets", &[Run], "Packets dropped in switches without a route to the host"),
    metric("switch_drops_state", "packets", &[Run], "Packets dropped in switches without room to wait for a state"),
    metric("card_drops", "packets", &[Run], "Packets dropped at hosts"),
    metric("marks", "packets", &[Run], "Packets that got a congestion mark"),
    metric("data_segments", "segments", &[Run], "Segments with data that senders sent"),
    metric("retransmissions", "segments", &[Run], "Segments that senders sent again"),
    metric("timeouts", "timeouts", &[Run], "Retransmission timeouts of senders"),
    metric("fast_retransmits", "events", &[Run], "Fast retransmits of senders"),
    metric(
        "switch_utilisation",
        "share",
        &[Run],
        "Share of the time in which a link of a switch was sending, mean over links",
    ),
    metric(
        "card_utilisation",
        "share",
        &[Run],
        "Share of the time in which a link of a host was sending, mean over links",
    ),
    metric(
        "busiest_utilisation",
        "share",
        &[Run],
        "Share of the time in which the busiest link of a switch was sending",
    ),
    metric("mean_queue_bytes", "bytes", &[Run], "Mean backlog over time and ports of switches"),
    metric("max_queue_bytes", "bytes", &[Run], "Largest backlog at a port of a switch in the whole run"),
    metric("all_drops_discipline", "packets", &[Run], "Packets dropped by a queue or a drop rule in the whole run"),
    metric("all_drops_shared_buffer", "packets", &[Run], "Packets dropped for lack of shared memory in the whole run"),
    metric("all_drops_on_link", "packets", &[Run], "Packets lost on links in the whole run"),
    metric("all_drops_link_down", "packets", &[Run], "Packets lost as links were down in the whole run"),
    metric("all_drops_no_route", "packets", &[Run], "Packets without a route in the whole run"),
    metric("all_drops_state", "packets", &[Run], "Packets without room to wait for a state in the whole run"),
    metric("packets_injected", "packets", &[Run], "Packets that hosts made in the whole run"),
    metric("packets_delivered", "packets", &[Run], "Packets that arrived at a host in the whole run"),
    metric("packets_in_network", "packets", &[Run], "Packets that waited or were on a link at the end"),
    metric("packet_hops", "packets", &[Run], "Packets sent over a link, counted on each link, in the whole run"),
    metric("events", "events", &[Run], "Events of the whole run"),
    metric("bytes", "bytes", &[Flows, Cache], "Bytes of flows that end, or of requests"),
    metric("bytes_completed", "bytes", &[Flows], "Bytes of applications in flows that were completed"),
    metric("fct_ns_mean", "ns", &[Flows], "Mean completion time of completed flows"),
    metric("fct_ns_p50", "ns", &[Flows], "Median completion time (nearest rank)"),
    metric("fct_ns_p99", "ns", &[Flows], "99th percentile of completion times (nearest rank)"),
    metric("fct_ns_p999", "ns", &[Flows], "99.9th percentile of completion times (nearest rank)"),
    metric("fct_ns_max", "ns", &[Flows], "Longest completion time"),
    metric("fct_at_least_ns_mean", "ns", &[Flows], "Mean completion time if unfinished flows had ended with the run"),
    metric(
        "fct_at_least_ns_p99",
        "ns",
        &[Flows],
        "99th percentile of completion times if unfinished flows had ended with the run",
    ),
    metric(
        "slowdown_mean",
        "ratio",
        &[Flows],
        "Mean of completion times over those of the same flows alone in the network",
    ),
    metric("slowdown_p50", "ratio", &[Flows], "Median slowdown"),
    metric("slowdown_p99", "ratio", &[Flows], "99th percentile of the slowdown"),
    metric("slowdown_p999", "ratio", &[Flows], "99.9th percentile of the slowdown"),
    metric("slowdown_max", "ratio", &[Flows], "Largest slowdown"),
    metric("nodes", "switches", &[States], "Switches that have a cache of states"),
    metric("states", "states", &[States], "States of packets that pass the switches if nothing fails"),
    metric("entries", "entries", &[States], "Entries for which caches have room"),
    metric("accesses", "lookups", &[States], "Packets that needed a state: hits, delayed hits and misses"),
    metric("hits", "lookups", &[States, Cache], "Lookups that found the object or state in the cache"),
    metric("delayed_hits", "lookups", &[States, Cache], "Lookups during the fetch of the same object or state"),
    metric("misses", "lookups", &[States, Cache], "Lookups that began a fetch"),
    metric("delayed_hit_share", "share", &[States], "Delayed hits over lookups"),
    metric("miss_share", "share", &[States], "Misses over lookups"),
    metric("fetches", "fetches", &[States], "Reads of the store: misses and prefetches"),
    metric("mean_wait_ns", "ns", &[States], "Mean time that packets waited for states, over all lookups"),
    metric("max_waiting", "packets", &[States], "Largest number of packets that waited in a switch"),
    metric("evictions", "entries", &[States, Cache], "Entries that were evicted"),
    metric("refused", "entries", &[States, Cache], "Fetched entries that were not inserted"),
    metric("dropped", "packets", &[States], "Packets that found no room to wait"),
    metric("optimum_misses", "lookups", &[States], "Misses of Bélády's algorithm on the same lookups"),
    metric("optimum_miss_share", "share", &[States], "Misses of Bélády's algorithm over lookups"),
    metric("prefetches", "fetches", &[States], "Fetches that began before a packet asked"),
    metric("prefetches_late", "fetches", &[States], "Prefetches that had not ended when their first packet arrived"),
    metric("prefetches_unused", "fetches", &[States], "Prefetched entries that were evicted before a packet asked"),
    metric("fpms_made", "notifications", &[States], "Notifications made for packets at ports that notify"),
    metric("fpms_sent", "notifications", &[States], "Notifications that were sent"),
    metric(
        "fpms_dropped",
        "notifications",
        &[States],
        "Notifications without room at a port or in the list of a cache",
    ),
    metric("fpms_stale", "notifications", &[States], "Notifications of no use any more before they were sent"),
    metric("fpms_lost", "notifications", &[States], "Notifications lost by chance or as links failed"),
    metric("fpms_used", "notifications", &[States], "Notifications whose packets arrived"),
    metric("fpms_expired", "notifications", &[States], "Notifications that were given up"),
    metric("fpms_ended", "notifications", &[States], "Notifications that reached a switch only to be passed on"),
    metric("forecasts", "notifications", &[States], "Notifications of packets that had yet to reach the port"),
    metric("forecasts_replaced", "notifications", &[States], "Forecasts that the packet's own notification replaced"),
    metric(
        "mean_forecast_error_ns",
        "ns",
        &[States],
        "Mean difference between the times in a forecast and in the packet's own notification",
    ),
    metric("mistimed", "packets", &[States], "Packets that arrived at another time than expected"),
    metric("mean_error_ns", "ns", &[States], "Mean difference between expected and real arrival of mistimed packets"),
    metric("max_error_ns", "ns", &[States], "Largest difference between expected and real arrival"),
    metric("control_packets", "packets", &[States], "Packets that carried notifications"),
    metric("control_share", "share", &[States], "Share of the time of notifying links that control packets took"),
    metric("fpm_bps", "bit/s", &[States], "Bits of notifications per second of a notifying link"),
    metric("mean_lead_ns", "ns", &[States], "Mean time from a notification to its packet"),
    metric("mean_known", "packets", &[States], "Mean number of expected packets when one of them arrived"),
    metric("displacement", "ratio", &[Attack], "Innocent goodput lost to an attack over the rate of the attack"),
    metric(
        "goodput_gbps",
        "Gbit/s",
        &[Attack],
        "Innocent bits of packets whose work was done per second, under attack",
    ),
    metric("baseline_gbps", "Gbit/s", &[Attack], "The same goodput without an attack, with the same packets"),
    metric("bound", "ratio", &[Attack], "Largest displacement that is possible, where the source proves one"),
    metric("predicted", "ratio", &[Attack], "Displacement by the largest jobs, for policies without a bound"),
    metric("attack_served", "share", &[Attack], "Share of the attack's bits that were worked on"),
    metric("requests", "requests", &[Cache], "Requests that were counted"),
    metric("total_latency", "slots or ns", &[Cache], "Latency summed over all requests"),
    metric("mean_latency", "slots or ns", &[Cache], "Mean latency of a request"),
    metric("latency_p50", "slots or ns", &[Cache], "Median of the latency of requests (HDR histogram, three digits)"),
    metric("latency_p90", "slots or ns", &[Cache], "90th percentile of the latency of requests"),
    metric("latency_p99", "slots or ns", &[Cache], "99th percentile of the latency of requests"),
    metric("latency_p999", "slots or ns", &[Cache], "99.9th percentile of the latency of requests"),
    metric("latency_max", "slots or ns", &[Cache], "Greatest latency of a request"),
    metric("byte_hit_ratio", "share", &[Cache], "Bytes of hits over bytes of requests"),
    metric("byte_miss_ratio", "share", &[Cache], "Bytes that misses fetch over bytes of requests"),
    metric("origin_fetches_per_s", "1/s", &[Cache], "Fetches from the origin in a second of the trace"),
    metric("origin_bytes_per_s", "bytes/s", &[Cache], "Bytes fetched from the origin in a second of the trace"),
    metric("hit_ratio", "share", &[Cache], "Hits over requests"),
    metric("delayed_hit_ratio", "share", &[Cache], "Delayed hits over requests"),
    metric("miss_ratio", "share", &[Cache], "Misses over requests"),
    metric("miss_bytes", "bytes", &[Cache], "Bytes of requests that missed"),
    metric(
        "classical_hits",
        "requests",
        &[Cache],
        "Hits in the classical model, where a missed object is there at once",
    ),
    metric("classical_misses", "requests", &[Cache], "Misses in the classical model"),
    metric("classical_miss_ratio", "share", &[Cache], "Misses over requests in the classical model"),
    metric("classical_mean_latency", "slots or ns", &[Cache], "Mean latency in the classical model"),
    metric("classical_error", "share", &[Cache], "Error of the classical mean latency, as a share of the real one"),
    metric("above_lower_bound", "share", &[Cache], "Mean latency above the lower bound, as a share of the bound"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{attack, caching, network, port};

    #[test]
    fn every_number_of_every_kind_of_result_is_here() {
        let names = |wanted: Of| -> Vec<&str> {
            METRICS.iter().filter(|metric| metric.of.contains(&wanted)).map(|metric| metric.name).collect()
        };
        let [runs, flows, states] = network::quantities();
        let [packets, bins] = port::quantities();
        let results = [
            (Port, packets),
            (Bin, bins),
            (Run, runs),
            (Flows, flows),
            (States, states),
            (Cache, caching::quantities()),
            (Attack, attack::quantities()),
        ];
        for (of, mut reported) in results {
            let mut own = names(of);
            own.sort_unstable();
            reported.sort_unstable();
            assert_eq!(own, reported, "{}", of.words());
        }
    }

    #[test]
    fn pages_name_every_number_of_their_results() {
        let pages = [
            ("docs/result.md", include_str!("../../../docs/result.md")),
            ("docs/caches.md", include_str!("../../../docs/caches.md")),
        ];
        for metric in METRICS {
            // `fct_ns_mean`, `_p50`: the rest of a name stands for all of it. `classical` has the fields of a row.
            let rest = metric.name.rsplit_once('_').map_or("", |(_, rest)| rest);
            let within = metric.name.strip_prefix("classical_").unwrap_or(metric.name);
            let named = |page: &str| {
                [metric.name, within, &format!("_{rest}")].iter().any(|name| page.contains(&format!("`{name}`")))
            };
            assert!(pages.iter().any(|(_, page)| named(page)), "{} is on no page", metric.name);
        }
    }
}
