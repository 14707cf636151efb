//! Recordings that hold both directions of a link, although a port sends only one.

use crate::filter::is_within;
use crate::flow_table::FlowTable;
use crate::frame::{Direction, FlowKey, Link};
use crate::recording::Captured;
use forebay_core::FlowId;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::IpAddr;

/// The least share of packets in the opposite direction that shows that both directions are recorded. Receivers acknowledge at least every
/// second packet. So a recording of both directions has at least a third of its packets in the opposite one; a recording of one direction
/// has none.
const LEAST_SHARE: f64 = 0.1;
/// A network is at one end of a link if this share of its packets has one end in it.
const ONE_END: f64 = 0.99;
/// Lengths of networks that are tried.
const LENGTHS: [[u32; 5]; 2] = [[32, 24, 16, 12, 8], [128, 64, 56, 48, 32]];
/// The number of addresses, those with most packets, around which networks are tried.
const MOST_TRIED: usize = 4;

/// The facts about a packet from which its direction is derived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    direction: Option<Direction>,
    /// The sender of Ethernet, as a number.
    station: Option<u64>,
}

impl Way {
    #[inline]
    pub(crate) fn of(packet: &Captured<'_>) -> Self {
        let station = match (packet.link, packet.frame) {
            (Link::Ethernet, &[_, _, _, _, _, _, a, b, c, d, e, f, ..]) => {
                Some(u64::from_be_bytes([0, 0, a, b, c, d, e, f]))
            }
            _ => None,
        };
        Self { direction: packet.direction, station }
    }
}

/// The means to tell the directions of a recording apart.
#[derive(Debug, Default)]
pub(crate) struct Directions {
    packets: u64,
    /// Packets that arrived, and that were sent.
    said: [u64; 2],
    /// Senders of Ethernet with their packets: the first two.
    stations: [(u64, u64); 2],
    /// Packets with another sender, or with none.
    others: u64,
}

impl Directions {
    #[inline]
    pub(crate) fn note(&mut self, way: Way) {
        self.packets += 1;
        match way.direction {
            Some(Direction::In) => self.said[0] += 1,
            Some(Direction::Out) => self.said[1] += 1,
            None => {}
        }
        let Some(station) = way.station else {
            self.others += 1;
            return;
        };
        for (known, count) in &mut self.stations {
            if *count == 0 || *known == station {
                (*known, *count) = (station, *count + 1);
                return;
            }
        }
        self.others += 1;
    }

    /// Returns a warning if many packets go in the opposite direction between the same addresses; `packets` has the flow of each.
    pub(crate) fn warning(&self, flows: &FlowTable<FlowKey>, packets: &[FlowId]) -> Option<String> {
        let of_pairs = of_pairs(flows, packets);
        let back = |(from, to): (IpAddr, IpAddr)| of_pairs.get(&(to, from)).copied().unwrap_or(0);
        let forward = of_pairs.iter().filter(|((from, to), _)| from < to);
        let other_way: u64 = forward.map(|(pair, count)| back(*pair).min(*count)).sum();
        let all = packets.len();
        if other_way == 0 || (other_way as f64) < LEAST_SHARE * all as f64 {
            return None;
        }
        let choice = match self.filters(flows, packets) {
            Some([first, second]) => {
                format!("choose one with --filter \"{first}\" or --filter \"{second}\" (in a scenario: `filter`)")
            }
            None => {
                "choose one, as with --filter \"src net NET\" or --filter \"dst net NET\" (in a scenario: `filter`)"
                    .to_owned()
            }
        };
        Some(format!(
            "{other_way} of {all} packets travel in the opposite direction between the same addresses: the recording holds both directions \
             of a link, and a port sends only one; {choice}"
        ))
    }

    /// Returns a filter for each direction, first the one with more packets.
    pub(crate) fn filters(&self, flows: &FlowTable<FlowKey>, packets: &[FlowId]) -> Option<[String; 2]> {
        self.sides(&of_pairs(flows, packets)).map(|sides| sides.filters())
    }

    /// Returns the sides of the link, first the direction with more packets. They are told apart by the directions in the recording, by the
    /// senders of Ethernet if there are two, or by a network that is at one end. `of_pairs` has the number of packets from one address to
    /// another.
    pub(crate) fn sides(&self, of_pairs: &BTreeMap<(IpAddr, IpAddr), u64>) -> Option<Sides> {
        let [came, went] = self.said;
        if came > 0 && went > 0 && came + went == self.packets {
            let in_order = [Direction::In, Direction::Out];
            return Some(Sides::Said(if came < went { in_order.map(Direction::other) } else { in_order }));
        }
        if self.others == 0 && self.stations.iter().all(|(_, count)| *count > 0) {
            let [(first, a), (second, b)] = self.stations;
            return Some(Sides::Stations(if a < b { [second, first] } else { [first, second] }));
        }
        let all: u64 = of_pairs.values().sum();
        let mut of_addresses: BTreeMap<IpAddr, u64> = BTreeMap::new();
        for ((from, to), count) in of_pairs {
            *of_addresses.entry(*from).or_default() += count;
            *of_addresses.entry(*to).or_default() += count;
        }
        let mut busiest: Vec<(IpAddr, u64)> = of_addresses.into_iter().collect();
        busiest.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        busiest.iter().take(MOST_TRIED).find_map(|(address, _)| {
            let lengths = LENGTHS[usize::from(address.is_ipv6())];
            lengths.into_iter().find_map(|length| {
                let (mut sent, mut received) = (0, 0);
                for ((from, to), count) in of_pairs {
                    match [from, to].map(|end| is_within(*end, *address, length)) {
                        [true, false] => sent += count,
                        [false, true] => received += count,
                        _ => {}
                    }
                }
                let is_one_end = (sent + received) as f64 >= ONE_END * all as f64 && sent > 0 && received > 0;
                is_one_end.then_some(Sides::Network { address: *address, length, sends_first: sent >= received })
            })
        })
    }
}

/// The criterion that separates the two directions of a link; the first direction has more packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    /// The recording says it of each packet.
    Said([Direction; 2]),
    /// The senders of Ethernet.
    Stations([u64; 2]),
    /// A network is at one end.
    Network { address: IpAddr, length: u32, sends_first: bool },
}

impl Sides {
    /// Returns a filter for each direction.
    pub(crate) fn filters(self) -> [String; 2] {
        match self {
            Self::Said(directions) => directions.map(|direction| {
                match direction {
                    Direction::In => "inbound",
                    Direction::Out => "outbound",
                }
                .to_owned()
            }),
            Self::Stations(stations) => stations.map(|station| format!("ether src {}", shown(station))),
            Self::Network { address, length, sends_first } => {
                let ends = if sends_first { ["src", "dst"] } else { ["dst", "src"] };
                ends.map(|end| format!("{end} {}", net(address, length)))
            }
        }
    }

    /// Returns whether a packet goes in the first direction; [`None`] if its direction is unknown.
    pub(crate) fn is_first(self, way: Way, source: IpAddr, destination: IpAddr) -> Option<bool> {
        match self {
            Self::Said(directions) => way.direction.map(|direction| direction == directions[0]),
            Self::Stations(stations) => way.station.map(|station| station == stations[0]),
            Self::Network { address, length, sends_first } => {
                match [source, destination].map(|end| is_within(end, address, length)) {
                    [true, false] => Some(sends_first),
                    [false, true] => Some(!sends_first),
                    _ => None,
                }
            }
        }
    }
}

/// Packets between addresses.
fn of_pairs(flows: &FlowTable<FlowKey>, packets: &[FlowId]) -> BTreeMap<(IpAddr, IpAddr), u64> {
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
    of_pairs
}

/// An address of Ethernet.
fn shown(station: u64) -> String {
    let mut text = String::new();
    for (place, byte) in station.to_be_bytes()[2..].iter().enumerate() {
        let colon = if place == 0 { "" } else { ":" };
        let _ = write!(text, "{colon}{byte:02x}");
    }
    text
}

/// The network of an address, as a filter writes it.
fn net(address: IpAddr, length: u32) -> String {
    match address {
        IpAddr::V4(own) if length < 32 => {
            format!("net {}/{length}", std::net::Ipv4Addr::from(own.to_bits() >> (32 - length) << (32 - length)))
        }
        IpAddr::V6(own) if length < 128 => {
            format!("net {}/{length}", std::net::Ipv6Addr::from(own.to_bits() >> (128 - length) << (128 - length)))
        }
        host => format!("host {host}"),
    }
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
        Directions::default().warning(&table, &packets)
    }

    #[test]
    fn data_and_its_acknowledgements_are_both_directions() {
        let line = said(&[(1, 2, 60), (2, 1, 30), (3, 2, 10)]).unwrap();
        assert!(line.starts_with("30 of 100 packets travel in the opposite direction"), "{line}");
        assert!(
            said(&[(2, 1, 30), (1, 2, 60), (2, 1, 10)]).unwrap().starts_with("40 of 100 "),
            "flows of a pair add up"
        );
    }

    #[test]
    fn the_two_filters_are_named() {
        // All packets have host 2 at one end.
        let line = said(&[(1, 2, 60), (2, 1, 30), (3, 2, 10)]).unwrap();
        assert!(line.contains("--filter \"dst host 10.0.0.2\" or --filter \"src host 10.0.0.2\""), "{line}");
        // No network up to /8 has one end of them.
        let line = said(&[(1, 2, 60), (2, 1, 30), (3, 4, 40), (4, 3, 20)]).unwrap();
        assert!(line.contains("--filter \"src net NET\""), "{line}");
        let mut directions = Directions::default();
        for (last, packets) in [(1, 3), (2, 5)] {
            (0..packets).for_each(|_| directions.note(Way { direction: None, station: Some(0x0200_0000_0000 + last) }));
        }
        let filters = directions.filters(&FlowTable::default(), &[]).unwrap();
        assert_eq!(filters, ["ether src 02:00:00:00:00:02", "ether src 02:00:00:00:00:01"]);
        directions.note(Way { direction: None, station: Some(0x0200_0000_0003) });
        assert_eq!(directions.filters(&FlowTable::default(), &[]), None, "three senders");
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
