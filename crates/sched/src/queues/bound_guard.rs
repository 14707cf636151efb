//! A guard over moving bounds: it detects orders of ranks that defeat the bounds, and then fixes the bounds.
//!
//! SP-PIFO (NSDI'20, section 7 and appendix B.3) expects orders of ranks that raise all bounds before the bounds sink, and proposes to
//! monitor the network for such orders. The paper does not say how. This guard is forebay's own:
//!
//! - **Measure.** The paper's cost of a packet at enqueue (equation 8) is the distance from its rank to the highest rank in its queue. Here
//!   the distance is counted in packets: the share of the last window's ranks between the two ranks, without the higher one. So the cost
//!   has no unit, and a few very high ranks do not hide the others.
//! - **Alarm.** The guard raises an alarm after a window of packets if the mean cost is above a limit.
//! - **Answer.** For a number of packets, the bounds stay at quantiles of the window, so that each queue gets an equal part of the window's
//!   packets. Then the bounds move again from there.
//!
//! Push-downs are no sign of an attack. Of 20,000 packets in ramps of 50 ranks from 0 to 100, 2 % cause a push-down; of 20,000 packets with
//! uniform ranks in random order, 10 % do. Nor is the number of packets that enter behind a higher rank: ramps and random orders have about
//! as many.
//!
//! The limit of 1.75 % was chosen on ramps, with 8 queues, windows of 1,000 and a backlog of 40 (`tests/it/queues/sp_pifo.rs`). The limit
//! lies above the mean cost of every window of uniform ranks in random order (10 seeds of 40 windows). It lies below the mean cost of a
//! window of ramps of 20 to 200 ranks. With this limit, ramps of 50 have a fourth of the inversions and a tenth of the excess. One alarm is
//! enough there: from the quantiles the bounds follow ramps well.
//!
//! Limits: ramps of 15 ranks stay below 1.75 %. Inverse-exponential ranks are above the limit in random order, too; quantiles then sort
//! these ranks better. An attack that lasts less than a window is over before its alarm. An attacker can place quantiles with the packets
//! that it sends. No orders have been searched against the guard itself.

use crate::queues::highest_waiting::HighestWaiting;

/// The conditions for an alarm, and the duration of the answer to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GuardSetting {
    /// The mean cost of a packet at enqueue above which the guard raises an alarm, from 0 to 1.
    pub limit: f64,
    /// The number of packets in a window, above 0.
    pub window: usize,
    /// The number of packets for which the bounds stay fixed after an alarm.
    pub hold: u64,
}

/// The guard of some FIFO queues.
#[derive(Debug)]
pub(crate) struct BoundGuard {
    setting: GuardSetting,
    waiting: Box<[HighestWaiting]>,
    /// The ranks of the packets of this window.
    window: Vec<u64>,
    /// The ranks of the last window, rising; empty in the first window.
    last_window: Vec<u64>,
    /// The sum of the costs of this window's packets, in packets of the last window.
    cost: u64,
    /// The number of packets for which the bounds still stay fixed.
    left: u64,
    alarms: u64,
    packets_guarded: u64,
}

impl BoundGuard {
    /// Creates a guard over `queues` empty queues.
    pub(crate) fn new(queues: usize, setting: GuardSetting) -> Self {
        assert!(setting.window > 0, "a window holds at least one packet");
        Self {
            setting,
            waiting: (0..queues).map(|_| HighestWaiting::default()).collect(),
            window: Vec::with_capacity(setting.window),
            last_window: Vec::with_capacity(setting.window),
            cost: 0,
            left: 0,
            alarms: 0,
            packets_guarded: 0,
        }
    }

    /// Whether the bounds stay for the next packet.
    pub(crate) fn holds(&self) -> bool {
        self.left > 0
    }

    /// Records a packet that is mapped to `queue`. If the packet ends a window with an alarm, returns the lowest rank of each queue from
    /// then on.
    pub(crate) fn arrived(&mut self, queue: usize, rank: u64) -> Option<impl Iterator<Item = u64>> {
        if self.holds() {
            self.left -= 1;
            self.packets_guarded += 1;
            return None;
        }
        if let Some(highest) = self.waiting[queue].get().filter(|&highest| highest > rank) {
            self.cost += (self.place(highest) - self.place(rank)) as u64;
        }
        self.window.push(rank);
        if self.window.len() < self.setting.window {
            return None;
        }
        let packets = self.setting.window;
        let mean_cost = self.cost as f64 / (packets as f64 * packets as f64);
        self.window.sort_unstable();
        std::mem::swap(&mut self.window, &mut self.last_window);
        self.window.clear();
        self.cost = 0;
        if mean_cost <= self.setting.limit {
            return None;
        }
        self.alarms += 1;
        self.left = self.setting.hold;
        let queues = self.waiting.len();
        Some((0..queues).map(move |queue| self.last_window[queue * packets / queues]))
    }

    /// Returns the number of ranks of the last window below `rank`.
    fn place(&self, rank: u64) -> usize {
        self.last_window.partition_point(|&seen| seen < rank)
    }

    /// Records that a packet entered `queue`.
    pub(crate) fn entered(&mut self, queue: usize, rank: u64) {
        self.waiting[queue].push(rank);
    }

    /// Records that the first packet of `queue` left.
    pub(crate) fn left(&mut self, queue: usize, rank: u64) {
        self.waiting[queue].pop(rank);
    }

    /// The number of windows that ended with an alarm.
    pub(crate) fn alarms(&self) -> u64 {
        self.alarms
    }

    /// The number of packets for which the bounds stayed fixed.
    pub(crate) fn packets_guarded(&self) -> u64 {
        self.packets_guarded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two queues and windows of four: 9 waits in the second, before the others.
    #[test]
    fn costs_are_shares_of_the_last_window() {
        let mut guard = BoundGuard::new(2, GuardSetting { limit: 0.3, window: 4, hold: 2 });
        let arrive = |guard: &mut BoundGuard, rank| guard.arrived(1, rank).map(Iterator::collect::<Vec<_>>);
        guard.entered(1, 9);
        for rank in [2, 8, 4, 6] {
            assert_eq!(arrive(&mut guard, rank), None, "the first window only says which ranks there are");
        }
        // Below 9 are four of the last window; below 5 two, below 7 three, below 8 three.
        for rank in [5, 7, 8] {
            assert_eq!(arrive(&mut guard, rank), None);
        }
        assert_eq!(guard.cost, 2 + 1 + 1);
        assert_eq!(arrive(&mut guard, 1), Some(vec![1, 7]), "8 of 16 is more than 0.3");
        assert!(guard.holds());
        assert_eq!((arrive(&mut guard, 0), arrive(&mut guard, 0)), (None, None));
        assert!(!guard.holds());
        assert_eq!((guard.alarms(), guard.packets_guarded()), (1, 2));
    }
}
