//! A recording of TCP segments as innocent traffic.

use crate::attack::traffic::{Inputs, replay as replay_any};
use forebay_traces::TcpSegment;
use std::sync::Arc;

/// The segments of a recording at another mean rate in bits per second, from the `first` on (counted from 0), again and
/// again: its flows come back with other numbers. None at a rate of zero.
///
/// Gaps are those of the recording, stretched; between two rounds lies the mean gap.
#[must_use]
pub fn replay(segments: Arc<[TcpSegment]>, first: usize, rate_bps: f64) -> Inputs<TcpSegment> {
    replay_any(segments, first, rate_bps, |segment, arrival| TcpSegment { arrival, ..segment })
}
