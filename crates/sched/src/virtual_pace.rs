//! Dequeues packets from a queue whose rank function holds them back in a virtual time.

use crate::queues::PopEligible;
use crate::traits::VirtualPace;
use forebay_core::{Packet, Time};

/// Removes the first packet that may leave in virtual time. If no packet may leave, the virtual time skips to the first time at which one
/// may.
pub(crate) fn pop_in_virtual_time(
    queue: &mut dyn PopEligible<Packet>,
    pace: &mut dyn VirtualPace,
    now: Time,
) -> Option<(u64, Packet)> {
    let virtual_time = Time::from_ps(pace.virtual_time(now));
    queue.pop_eligible(virtual_time).or_else(|| {
        let first = queue.next_eligible()?;
        pace.skip_to(first.as_ps());
        queue.pop_eligible(first)
    })
}
