//! The traffic of clients, and the port that they send to.

/// The port's rate where it is the bottleneck, so low that the processor, which needs 2 ns for an instruction, never is.
pub(super) const MEGABITS: u32 = 4;
/// The mean gap between a client's datagrams where the port is the bottleneck: two clients fill it.
const GAP_US: u32 = 6_056;
/// The MTU of usual Ethernet.
const MTU: u32 = 1_500;
/// Bytes of a datagram with its header.
const DATAGRAM: u32 = 1_480;
/// Bytes of the header of IPv4.
const HEADER: u32 = 20;

/// A number of clients that send at once, with their traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) clients: u32,
    /// The number of datagrams of each client.
    pub(super) datagrams: u32,
    /// The mean gap between the datagrams of a client, in microseconds.
    pub(super) gap_us: u32,
    /// The divisor of the usual MTU.
    divisor: u32,
    /// Whether the port has a rate; otherwise the processor is the bottleneck.
    pub(super) is_paced: bool,
}

/// The setting with the most clients. They send enough for the kernel's own queue to be about as long as the published one; the published
/// figure does not state how much was sent.
const MOST: Setting = Setting { clients: 16, datagrams: 80, gap_us: GAP_US, divisor: 1, is_paced: true };

/// Returns the settings of the left half of the figure: more and more clients.
pub(super) fn by_clients() -> Vec<Setting> {
    [1, 2, 4, 8, 16].map(|clients| Setting { clients, ..MOST }).to_vec()
}

/// Returns the settings of the right half: larger and larger packets. The queue of the smallest is about as long as the published one.
pub(super) fn by_mtu() -> Vec<Setting> {
    [16, 8, 4, 2, 1].map(|divisor| Setting { clients: 4, datagrams: 21, divisor, ..MOST }).to_vec()
}

/// All datagrams are sent at once to a port with a rate: the time until all are sent is that of arrivals at a growing queue.
pub(super) const GROWING: Setting = Setting { gap_us: 0, ..MOST };

/// All datagrams are sent at once to a port without a rate: the time until all have arrived is that of all work on a packet.
pub(super) const THROUGH: Setting = Setting { gap_us: 0, is_paced: false, ..MOST };

/// Returns all settings.
pub(super) fn all() -> Vec<Setting> {
    [by_clients(), by_mtu(), vec![GROWING, THROUGH]].concat()
}

impl Setting {
    pub(super) fn mtu(self) -> u32 {
        MTU / self.divisor
    }

    /// Returns the name of the MTU in values.
    pub(super) fn mtu_label(self) -> String {
        if self.divisor == 1 { format!("MTU {MTU}") } else { format!("MTU {MTU}/{}", self.divisor) }
    }

    /// Returns the number of packets of all clients together.
    pub(super) fn packets(self) -> u64 {
        u64::from(self.clients) * u64::from(self.datagrams) * u64::from(self.packets_of_a_datagram())
    }

    /// Returns the number of packets that a datagram is cut into; their data are multiples of eight bytes.
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
