//! The hosts and links between which the flows of a recording are sent again.

use forebay_core::{Duration, Rate};
use forebay_sim::net::{Graph, HostId, NodeId};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The source and destination of flows.
pub(super) type Pair = (IpAddr, IpAddr);

/// Senders at most, and receivers at most: tables of routes grow with the square of the hosts.
const MOST_HOSTS: usize = 1_000;
/// The delay that receivers add to the way of a packet.
const LAST_HOP: Duration = Duration::from_ns(1);

/// The senders, the bottleneck and the receivers.
#[derive(Debug)]
pub(super) struct Hosts {
    pub(super) graph: Graph,
    /// The sender and receiver of each pair.
    pub(super) of_pairs: BTreeMap<Pair, (HostId, HostId)>,
    /// A warning for readers of results.
    pub(super) warning: Option<String>,
}

/// Builds the graph for these pairs of addresses, each with its round-trip time.
pub(super) fn graph(pairs: &BTreeMap<Pair, Duration>, rate: Rate, access_rate: Rate) -> Hosts {
    let mut graph = Graph::default();
    let (left, right) = (graph.add_switch("left"), graph.add_switch("right"));
    graph.connect(left, right, rate, Duration::ZERO);
    let mut hosts = 0;
    let mut host = |name: String, switch: NodeId, propagation: Duration| {
        let node = graph.add_host(name, 0);
        graph.connect(node, switch, access_rate, propagation);
        hosts += 1;
        HostId(hosts - 1)
    };
    let mut receivers: BTreeMap<IpAddr, HostId> = BTreeMap::new();
    let mut shared: Vec<HostId> = Vec::new();
    for (_, to) in pairs.keys() {
        let number = receivers.len();
        receivers.entry(*to).or_insert_with(|| {
            if number < MOST_HOSTS {
                shared.push(host(to.to_string(), right, LAST_HOP));
            }
            shared[number % MOST_HOSTS]
        });
    }
    // Neighbours in this order have about the same round-trip time.
    let mut in_order: Vec<(Duration, Pair)> = pairs.iter().map(|(pair, round_trip)| (*round_trip, *pair)).collect();
    in_order.sort_unstable();
    let share = in_order.len().div_ceil(MOST_HOSTS).max(1);
    let mut of_pairs = BTreeMap::new();
    for group in in_order.chunks(share) {
        let (round_trip, (from, to)) = group[group.len() / 2];
        let one_way =
            Duration::from_ps((round_trip.as_ps() / 2).saturating_sub(LAST_HOP.as_ps()).max(LAST_HOP.as_ps()));
        let sender = host(format!("{from}~{to}"), left, one_way);
        of_pairs.extend(group.iter().map(|(_, pair)| (*pair, (sender, receivers[&pair.1]))));
    }
    let warning = (share > 1 || receivers.len() > MOST_HOSTS).then(|| {
        let (pairs, addresses) = (pairs.len(), receivers.len());
        format!(
            "there are {pairs} pairs of addresses with {addresses} receivers: those with about the same round-trip time share one of \
             at most {MOST_HOSTS} senders, and receivers share {MOST_HOSTS} links"
        )
    });
    Hosts { graph, of_pairs, warning }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph_of(pairs: u32) -> Hosts {
        let pair = |number: u32| ((IpAddr::from(number.to_be_bytes()), IpAddr::from((!number).to_be_bytes())), number);
        let pairs =
            (0..pairs).map(pair).map(|(pair, number)| (pair, Duration::from_us(u64::from(number) + 10))).collect();
        graph(&pairs, Rate::parse("20 Mbps").unwrap(), Rate::parse("1 Gbps").unwrap())
    }

    #[test]
    fn each_of_few_pairs_has_its_round_trip() {
        let hosts = graph_of(1_000);
        assert!(hosts.warning.is_none());
        let (sender, receiver) = hosts.of_pairs[&(IpAddr::from([0, 0, 0, 90]), IpAddr::from([255, 255, 255, 165]))];
        assert_ne!(sender, receiver);
        // 100 us: 50 us one way, of which the last link has 1 ns.
        let of_sender = |link: &&forebay_sim::net::LinkSpec| link.propagation == Duration::from_ns(49_999);
        assert!(hosts.graph.links().iter().any(|link| of_sender(&link)));
    }

    #[test]
    fn many_pairs_share_few_hosts_of_about_their_round_trip() {
        let hosts = graph_of(20_500);
        assert_eq!(hosts.of_pairs.len(), 20_500);
        // Two for the link between the switches, and two for each host.
        assert!(hosts.graph.links().len() <= 2 + 2 * 2 * MOST_HOSTS);
        assert!(hosts.warning.unwrap().contains("20500 pairs"));
        let sender_of = |number: u32| {
            hosts.of_pairs[&(IpAddr::from(number.to_be_bytes()), IpAddr::from((!number).to_be_bytes()))].0
        };
        assert_eq!(sender_of(0), sender_of(20));
        assert_ne!(sender_of(0), sender_of(21));
    }
}
