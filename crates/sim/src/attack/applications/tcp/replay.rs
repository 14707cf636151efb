//! A recording of TCP segments as innocent traffic.

use crate::attack::traffic::{Inputs, replay as replay_any};
use forebay_traces::TcpSegment;
use std::sync::Arc;

/// Returns the segments of a recording from index `first` on, at the mean rate `rate_bps` in bits per second. The recording is repeated
/// without end, with new numbers for its flows. There are no segments at a rate of zero.
///
/// The gaps of the recording are scaled to the rate; the gap between two repetitions is the mean gap.
#[must_use]
pub fn replay(segments: Arc<[TcpSegment]>, first: usize, rate_bps: f64) -> Inputs<TcpSegment> {
    replay_any(segments, first, rate_bps, |segment, arrival| TcpSegment { arrival, ..segment })
}
