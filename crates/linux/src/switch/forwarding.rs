//! Chooses the ports of a frame: learnt, as a bridge does, or by a table.
//!
//! A learning switch maps an address to the port at which its last frame arrived, until the address has been silent for
//! some time. It ignores VLANs: an address has one port in all of them.

use forebay_core::{Duration, Time};
use rustc_hash::FxHashMap;

/// An Ethernet address.
type Address = [u8; 6];

/// The most addresses that are learnt. Frames to further addresses are flooded.
const MOST_ADDRESSES: usize = 1 << 16;
/// The time between two searches of a full table for silent addresses. Between searches, new addresses are rejected at once, so a flood of
/// them is cheap.
const SWEEP_EVERY: Duration = Duration::from_ms(1_000);

/// How the ports of frames are chosen.
#[derive(Debug, Clone)]
pub enum Forwarding {
    /// Each frame goes to the port where its destination was seen, or to all other ports if it was not seen.
    Learning(Table),
    /// The ports for all frames of each ingress port.
    Static(Vec<Vec<usize>>),
}

/// The addresses that were learnt.
#[derive(Debug, Clone)]
pub struct Table {
    ports: usize,
    ageing: Duration,
    seen: FxHashMap<Address, (usize, Time)>,
    next_sweep: Time,
}

impl Table {
    /// Creates an empty table. An address that is silent for longer than `ageing` is forgotten.
    #[must_use]
    pub fn new(ports: usize, ageing: Duration) -> Self {
        Self { ports, ageing, seen: FxHashMap::default(), next_sweep: Time::ZERO }
    }

    /// Adds a port.
    pub(crate) fn add_port(&mut self) {
        self.ports += 1;
    }

    /// Removes a port, with the addresses that were learnt there. The numbers of later ports decrease by one.
    pub(crate) fn remove_port(&mut self, gone: usize) {
        self.ports -= 1;
        self.seen.retain(|_, (port, _)| {
            let stays = *port != gone;
            *port -= usize::from(*port > gone);
            stays
        });
    }

    fn learn(&mut self, now: Time, from: Address, port: usize) {
        if is_group(from) {
            return;
        }
        if self.seen.len() >= MOST_ADDRESSES && !self.seen.contains_key(&from) {
            if now < self.next_sweep {
                return;
            }
            self.next_sweep = now + SWEEP_EVERY;
            let ageing = self.ageing;
            self.seen.retain(|_, (_, at)| now.since(*at) <= ageing);
            if self.seen.len() >= MOST_ADDRESSES {
                return;
            }
        }
        self.seen.insert(from, (port, now));
    }

    fn port_of(&self, now: Time, to: Address) -> Option<usize> {
        self.seen.get(&to).filter(|(_, at)| !is_group(to) && now.since(*at) <= self.ageing).map(|(port, _)| *port)
    }
}

/// Whether an address is broadcast or multicast.
fn is_group(address: Address) -> bool {
    address[0] & 1 == 1
}

/// Whether an address is one that a bridge does not forward.
fn is_link_local(address: Address) -> bool {
    address[..5] == [0x01, 0x80, 0xc2, 0, 0] && address[5] & 0xf0 == 0
}

/// The result of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// The ports were found; there may be none.
    Ports,
    /// The address is one that a bridge does not forward.
    LinkLocal,
}

impl Forwarding {
    /// Looks up the ports for a frame that arrived at `ingress`. The frame never goes back to `ingress`.
    pub(crate) fn route(&mut self, now: Time, ingress: usize, frame: &[u8], to: &mut Vec<usize>) -> Route {
        to.clear();
        match self {
            Self::Static(table) => to.extend(table[ingress].iter().filter(|port| **port != ingress)),
            Self::Learning(table) => {
                let address = |at: usize| Address::try_from(&frame[at..at + 6]).unwrap_or_default();
                let (destination, source) = (address(0), address(6));
                table.learn(now, source, ingress);
                if is_link_local(destination) {
                    return Route::LinkLocal;
                }
                match table.port_of(now, destination) {
                    Some(port) => to.extend(Some(port).filter(|port| *port != ingress)),
                    None => to.extend((0..table.ports).filter(|port| *port != ingress)),
                }
            }
        }
        Route::Ports
    }

    /// Whether a frame stays on its link, as at a bridge; a table passes all frames on.
    pub(crate) fn keeps(&self, frame: &[u8]) -> bool {
        let destination = Address::try_from(&frame[..6]).unwrap_or_default();
        matches!(self, Self::Learning(_)) && is_link_local(destination)
    }

    /// Returns the number of learnt addresses, including silent ones.
    pub(crate) fn addresses(&self) -> usize {
        match self {
            Self::Learning(table) => table.seen.len(),
            Self::Static(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(to: u8, from: u8) -> Vec<u8> {
        let mut frame = vec![0; 60];
        frame[5] = to;
        frame[11] = from;
        frame
    }

    fn ports(forwarding: &mut Forwarding, seconds: u64, ingress: usize, frame: &[u8]) -> Vec<usize> {
        let mut to = vec![77];
        assert_eq!(forwarding.route(Time::from_ns(seconds * 1_000_000_000), ingress, frame, &mut to), Route::Ports);
        to
    }

    fn learning() -> Forwarding {
        Forwarding::Learning(Table::new(3, Duration::from_ms(10_000)))
    }

    #[test]
    fn addresses_are_learnt_move_and_are_forgotten() {
        let mut forwarding = learning();
        assert_eq!(ports(&mut forwarding, 0, 0, &frame(2, 1)), [1, 2], "not known yet");
        assert_eq!(ports(&mut forwarding, 1, 1, &frame(1, 2)), [0]);
        assert_eq!(ports(&mut forwarding, 2, 2, &frame(1, 1)), [] as [usize; 0], "back to where it came from");
        assert_eq!(ports(&mut forwarding, 3, 1, &frame(1, 2)), [2], "it has moved");
        assert_eq!(ports(&mut forwarding, 12, 1, &frame(1, 2)), [2]);
        assert_eq!(ports(&mut forwarding, 13, 1, &frame(1, 2)), [0, 2], "silent for too long");
        assert_eq!(forwarding.addresses(), 2);
    }

    #[test]
    fn what_was_learnt_at_a_port_goes_with_it() {
        let mut table = Table::new(3, Duration::from_ms(10_000));
        for (from, port) in [(1, 0), (2, 1), (3, 2), (4, 1)] {
            table.learn(Time::ZERO, [0, 0, 0, 0, 0, from], port);
        }
        table.remove_port(1);
        table.add_port();
        let mut forwarding = Forwarding::Learning(table);
        assert_eq!(forwarding.addresses(), 2);
        assert_eq!(ports(&mut forwarding, 1, 2, &frame(1, 9)), [0]);
        assert_eq!(ports(&mut forwarding, 1, 0, &frame(3, 8)), [1], "it has moved up");
        assert_eq!(ports(&mut forwarding, 1, 0, &frame(2, 8)), [1, 2], "it is forgotten");
    }

    #[test]
    fn groups_are_flooded_and_never_learnt() {
        let mut forwarding = learning();
        let broadcast = [[0xff; 6].to_vec(), [0xff; 6].to_vec(), vec![0; 48]].concat();
        assert_eq!(ports(&mut forwarding, 0, 1, &broadcast), [0, 2]);
        assert_eq!(ports(&mut forwarding, 0, 2, &broadcast), [0, 1]);
        assert_eq!(forwarding.addresses(), 0);
        let pause = [[0x01, 0x80, 0xc2, 0, 0, 1].to_vec(), vec![0; 54]].concat();
        assert_eq!(forwarding.route(Time::ZERO, 0, &pause, &mut Vec::new()), Route::LinkLocal);
    }

    #[test]
    fn a_full_table_floods_and_makes_room_for_those_that_speak() {
        let mut forwarding = learning();
        let from = |number: usize| {
            let mut frame = frame(0, 0);
            frame[8..12].copy_from_slice(&u32::try_from(number).unwrap().to_be_bytes());
            frame
        };
        for number in 1..=MOST_ADDRESSES + 5 {
            ports(&mut forwarding, 0, 0, &from(number));
        }
        assert_eq!(forwarding.addresses(), MOST_ADDRESSES);
        ports(&mut forwarding, 11, 0, &from(MOST_ADDRESSES + 6));
        assert_eq!(forwarding.addresses(), 1);
    }

    #[test]
    fn a_full_table_is_searched_once_a_second() {
        let mut forwarding = Forwarding::Learning(Table::new(3, Duration::from_ms(100)));
        let mut from = |number: usize, ms: u64| {
            let mut frame = frame(0, 0);
            frame[8..12].copy_from_slice(&u32::try_from(number).unwrap().to_be_bytes());
            forwarding.route(Time::from_ns(ms * 1_000_000), 0, &frame, &mut Vec::new());
            forwarding.addresses()
        };
        for number in 1..=MOST_ADDRESSES + 1 {
            from(number, 0);
        }
        assert_eq!(
            from(MOST_ADDRESSES + 2, 999),
            MOST_ADDRESSES,
            "all were silent for long, but it was searched already"
        );
        assert_eq!(from(MOST_ADDRESSES + 3, 1_000), 1);
    }

    #[test]
    fn a_table_says_where_frames_go() {
        let mut forwarding = Forwarding::Static(vec![vec![1, 2], vec![1, 0], vec![]]);
        assert_eq!(ports(&mut forwarding, 0, 0, &frame(1, 2)), [1, 2]);
        assert_eq!(ports(&mut forwarding, 0, 1, &frame(1, 2)), [0], "never back");
        assert_eq!(ports(&mut forwarding, 0, 2, &frame(1, 2)), [] as [usize; 0]);
    }
}
