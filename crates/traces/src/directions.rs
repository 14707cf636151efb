//! Recordings that hold both directions of a link, of which a port sends one.

use crate::flow_table::FlowTable;
use crate::frame::FlowKey;
use forebay_core::FlowId;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// From this share of packets that go the other way on, both directions are there. Receivers acknowledge every packet or every second one,
/// so of both directions a third of the packets or more go back; of one direction none do.
const LEAST_SHARE: f64 = 0.1;

/// A warning if many packets go against the others between the same addresses; `packets` has the flow of each.
pub(crate) fn warning(flows: &FlowTable<FlowKey>, packets: &[FlowId]) -> Option<String> {
    let mut of_flows: Vec<u64> = Vec::new();
    for flow in packets {
        let place = flow.index();
        of_flows.resize(of_flows.len().max(place + 1), 0);
        of_flows[place] += 1;
    }
    let mut of_pairs: BTreeMap<(IpAddr, IpAddr), u64> = BTreeMap::new();
    for (key, flow) in flows.iter() {
        if let FlowKey::Ip { source, destination, .. } = key {
            *of_pairs.entry((*source, *destination)).or_default() += of_flows.get(flow.index()).copied().unwrap_or(0);
        }
    }
    let back = |(from, to): (IpAddr, IpAddr)| of_pairs.get(&(to, from)).copied().unwrap_or(0);
    let forward = of_pairs.iter().filter(|((from, to), _)| from < to);
    let other_way: u64 = forward.map(|(pair, count)| back(*pair).min(*count)).sum();
    let all = packets.len();
    (other_way as f64 >= LEAST_SHARE * all as f64 && other_way > 0).then(|| {
        format!(
            "{other_way} of {all} packets go against the others between the same addresses: this holds both directions of a link, and a \
             port sends one of them; keep one, as `tcpdump -r IN -w OUT src net NET` does"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flows between hosts 1 to 9, with their packets.
    fn said(flows: &[(u8, u8, usize)]) -> Option<String> {
        let mut table = FlowTable::default();
        let mut packets = Vec::new();
        for (port, (from, to, count)) in (0..).zip(flows) {
            let [source, destination] = [from, to].map(|host| IpAddr::from([10, 0, 0, *host]));
            let flow = table.id_of(FlowKey::Ip { source, destination, protocol: 6, ports: (port, 80) });
            packets.extend(std::iter::repeat_n(flow, *count));
        }
        warning(&table, &packets)
    }

    #[test]
    fn data_and_its_acknowledgements_are_both_directions() {
        let line = said(&[(1, 2, 60), (2, 1, 30), (3, 2, 10)]).unwrap();
        assert!(line.starts_with("30 of 100 packets go against the others"), "{line}");
        assert!(
            said(&[(2, 1, 30), (1, 2, 60), (2, 1, 10)]).unwrap().starts_with("40 of 100 "),
            "flows of a pair add up"
        );
    }

    #[test]
    fn one_direction_and_few_strays_are_not() {
        assert_eq!(said(&[(1, 2, 60), (3, 2, 40)]), None);
        assert_eq!(said(&[(1, 2, 60), (2, 3, 40)]), None, "through a host, and not back");
        assert_eq!(said(&[(1, 2, 95), (2, 1, 5)]), None);
        assert_eq!(said(&[(1, 1, 100)]), None, "to itself");
        assert_eq!(said(&[]), None);
    }
}
