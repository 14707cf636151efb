//! What clients send, and to which port.

/// Of the port, where it is the bottleneck: so slow that the processor, which takes 2 ns for an instruction, never is.
pub(super) const MEGABITS: u32 = 4;
/// Between datagrams of a client where the port is the bottleneck, on average: two clients fill it.
const GAP_US: u32 = 6_056;
/// Of the usual Ethernet.
const MTU: u32 = 1_500;
/// Bytes of a datagram with its header.
const DATAGRAM: u32 = 1_480;
/// Bytes of the header of IPv4.
const HEADER: u32 = 20;

/// Clients that send at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) clients: u32,
    /// Of each client.
    pub(super) datagrams: u32,
    /// Microseconds between those of a client, on average.
    pub(super) gap_us: u32,
    /// The usual MTU is divided by it.
    divisor: u32,
    /// Whether the port has a rate; otherwise the processor is the bottleneck.
    pub(super) is_paced: bool,
}

/// The most clients. They send so much that the kernel's own queue is about as long as the published one: of what was sent nothing
/// is published.
const MOST: Setting = Setting { clients: 16, datagrams: 80, gap_us: GAP_US, divisor: 1, is_paced: true };

/// Of the left half of the figure: more and more clients.
pub(super) fn by_clients() -> Vec<Setting> {
    [1, 2, 4, 8, 16].map(|clients| Setting { clients, ..MOST }).to_vec()
}

/// Of the right half: larger and larger packets. The queue of the smallest is about as long as the published one.
pub(super) fn by_mtu() -> Vec<Setting> {
    [16, 8, 4, 2, 1].map(|divisor| Setting { clients: 4, datagrams: 21, divisor, ..MOST }).to_vec()
}

/// All is sent at once to the port with a rate: the time until all is sent is that of arrivals in a queue that grows.
pub(super) const GROWING: Setting = Setting { gap_us: 0, ..MOST };

/// All is sent at once to a port without a rate: the time until all has come is that of all that is done with a packet.
pub(super) const THROUGH: Setting = Setting { gap_us: 0, is_paced: false, ..MOST };

/// All of them.
pub(super) fn all() -> Vec<Setting> {
    [by_clients(), by_mtu(), vec![GROWING, THROUGH]].concat()
}

impl Setting {
    pub(super) fn mtu(self) -> u32 {
        MTU / self.divisor
    }

    /// As values call its MTU.
    pub(super) fn mtu_label(self) -> String {
        if self.divisor == 1 { format!("MTU {MTU}") } else { format!("MTU {MTU}/{}", self.divisor) }
    }

    /// The packets of all clients together.
    pub(super) fn packets(self) -> u64 {
        u64::from(self.clients) * u64::from(self.datagrams) * u64::from(self.packets_of_a_datagram())
    }

    /// How many packets a datagram is cut into; their data are multiples of eight bytes.
    fn packets_of_a_datagram(self) -> u32 {
        let room = self.mtu() - HEADER;
        if DATAGRAM <= room { 1 } else { DATAGRAM.div_ceil(room / 8 * 8) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_are_cut_as_the_kernel_cuts_them() {
        let packets: Vec<u32> = by_mtu().into_iter().map(Setting::packets_of_a_datagram).collect();
        assert_eq!(packets, [21, 10, 5, 3, 1]);
        assert_eq!(by_mtu()[0].packets(), 4 * 21 * 21);
    }
}
