//! A single queue, weighted throughput: the greatest value that any policy could transmit, one packet in each slot.

use super::Input;

/// Returns the greatest total value that can be transmitted with a buffer of `buffer` packets if any order of service is allowed.
///
/// Packets are taken in order of their values, each if it can still be transmitted together with those before it. That is
/// optimal. Such sets of packets can be routed to slots in a network of unit packets. The buffer is an edge of capacity
/// `buffer` from each slot to the next. So the sets are a matroid (a gammoid), and the greedy algorithm finds the heaviest
/// set of a matroid.
#[must_use]
pub fn optimum(input: &Input, buffer: u32) -> u64 {
    let slots = input.slots.iter().zip(0..);
    let mut packets: Vec<(u32, usize)> =
        slots.flat_map(|(arrivals, slot)| arrivals.iter().map(move |arrival| (arrival.value, slot))).collect();
    packets.sort_unstable_by_key(|&(value, slot)| (std::cmp::Reverse(value), slot));
    let mut taken = vec![0; input.slots.len()];
    let mut total = 0;
    for (value, slot) in packets {
        taken[slot] += 1;
        if fits(&taken, buffer) {
            total += u64::from(value);
        } else {
            taken[slot] -= 1;
        }
    }
    total
}

/// Whether all of these packets can be transmitted; `taken` has the number of arrivals of each slot. Since all have the same worth here, a
/// packet is sent whenever there is one.
fn fits(taken: &[u32], buffer: u32) -> bool {
    let mut waiting = 0_u32;
    taken.iter().all(|&arrivals| {
        let present = waiting + arrivals;
        waiting = present.saturating_sub(1);
        present <= buffer
    })
}
