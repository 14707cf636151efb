//! Computes how long a flow takes that is alone in the network.

use crate::net::graph::LinkSpec;
use forebay_core::{Duration, Time};

/// A way through the network: links in order.
pub(crate) type Path<'a> = &'a [&'a LinkSpec];

/// Returns the time that one packet takes to the end of `path`.
pub(crate) fn packet_time(path: Path<'_>, bytes: u32) -> Duration {
    path.iter().fold(Duration::ZERO, |sum, link| sum + link.rate.transmission_time(bytes) + link.propagation)
}

/// How long a flow of `bytes` takes to the end of `path` if it is sent without pause, in packets of `full` bytes of
/// which `header` are headers.
///
/// The slowest link up to a point of the path determines the gap between packets of one length. The last, shorter packet may catch up with
/// the packet before it, and then waits.
pub(crate) fn flow_time(path: Path<'_>, bytes: u64, full: u32, header: u32) -> Duration {
    let payload = u64::from(full - header);
    let before_last = (bytes - 1) / payload;
    let last = u32::try_from(bytes - before_last * payload).unwrap_or(full) + header;
    // When a link is done with the last full packet and with the last packet.
    let mut full_done = Time::ZERO;
    let mut last_done = Time::ZERO;
    // Sum of the transmission and propagation times of a full packet so far, and the largest transmission time.
    let mut first_through = Duration::ZERO;
    let mut slowest = Duration::ZERO;
    let mut propagated = Duration::ZERO;
    for link in path {
        let sends = link.rate.transmission_time(full);
        first_through = first_through + propagated + sends;
        slowest = slowest.max(sends);
        let reached = last_done + propagated;
        if before_last > 0 {
            let behind = Duration::from_ps(slowest.as_ps().saturating_mul(before_last - 1));
            full_done = Time::ZERO + first_through + behind;
        }
        last_done = reached.max(full_done) + link.rate.transmission_time(last);
        propagated = link.propagation;
    }
    (last_done + propagated).since(Time::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::graph::NodeId;
    use forebay_core::{Rate, Seed};
    use rand::RngExt;

    /// Packet by packet and link by link.
    fn naive(path: Path<'_>, mut bytes: u64, full: u32, header: u32) -> Duration {
        let mut free = vec![Time::ZERO; path.len()];
        let mut end = Time::ZERO;
        while bytes > 0 {
            let payload = bytes.min(u64::from(full - header));
            bytes -= payload;
            let mut at = Time::ZERO;
            for (link, free) in path.iter().zip(&mut free) {
                *free = at.max(*free) + link.rate.transmission_time(u32::try_from(payload).unwrap() + header);
                at = *free + link.propagation;
            }
            end = at;
        }
        end.since(Time::ZERO)
    }

    #[test]
    fn it_is_what_the_packets_take_one_by_one() {
        let mut rng = Seed(1).stream("alone");
        for _ in 0..2_000 {
            let links: Vec<LinkSpec> = (0..rng.random_range(1..6))
                .map(|_| LinkSpec {
                    from: NodeId(0),
                    to: NodeId(1),
                    rate: Rate::from_bits_per_second(rng.random_range(1..10) * 1_000_000_000).unwrap(),
                    propagation: Duration::from_ns(rng.random_range(0..5_000)),
                })
                .collect();
            let path: Vec<&LinkSpec> = links.iter().collect();
            let (header, bytes) = (rng.random_range(0..100), rng.random_range(1..50_000));
            let full = header + rng.random_range(1..1_500);
            assert_eq!(flow_time(&path, bytes, full, header), naive(&path, bytes, full, header));
        }
    }
}
