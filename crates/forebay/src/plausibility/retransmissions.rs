//! Segments that are sent again although no packet was lost.

use super::others;

/// Needless segments are said from this share of all that are sent: they are load that was not asked for.
const LEAST_SHARE: f64 = 0.01;
/// Retransmissions over drops from which they are said: at twice, half of them were needless.
const LEAST_RATIO: f64 = 2.0;

/// The counts of a cell's senders, mean over repetitions.
pub(crate) struct Sent {
    pub(crate) title: String,
    /// The number of segments with data, including retransmissions.
    pub(crate) segments: f64,
    pub(crate) retransmissions: f64,
    /// The number of packets that did not arrive, over the whole run and all causes.
    pub(crate) drops: f64,
}

impl Sent {
    /// The share that was sent needlessly, at least: each drop asks for one retransmission.
    fn needless(&self) -> Option<f64> {
        let needless = (self.retransmissions - self.drops) / self.segments;
        (needless >= LEAST_SHARE && self.retransmissions >= LEAST_RATIO * self.drops).then_some(needless)
    }
}

/// Returns a line if senders retransmit many segments that were not lost, with the worst cell.
pub(crate) fn warning(cells: impl Iterator<Item = Sent>) -> Option<String> {
    let mut spurious: Vec<(Sent, f64)> = cells.filter_map(|cell| cell.needless().map(|share| (cell, share))).collect();
    spurious.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (Sent { title, retransmissions, drops, .. }, share) = spurious.first()?;
    Some(format!(
        "{title}{}: senders sent {retransmissions:.0} segments again, and {drops:.0} packets were lost; at least {:.0} % of all segments \
         sent were needless: timeouts may be too short, packets reordered, or everything after a loss sent again",
        others(spurious.len() - 1),
        share * 100.0
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(retransmissions: f64, drops: f64) -> Option<String> {
        warning(std::iter::once(Sent { title: "P".to_owned(), segments: 100_000.0, retransmissions, drops }))
    }

    #[test]
    fn needless_segments_are_said_where_they_are_many() {
        assert!(said(61_393.0, 2_740.0).unwrap().starts_with(
            "P: senders sent 61393 segments again, and 2740 packets were lost; at least 59 % of all segments sent were needless"
        ));
        assert_eq!(said(2_000.0, 1_990.0), None, "one for each drop");
        assert_eq!(said(3_000.0, 2_000.0), None, "a third of them");
        assert_eq!(said(900.0, 0.0), None, "less than a hundredth of all");
        assert!(said(1_000.0, 0.0).is_some());
    }
}
