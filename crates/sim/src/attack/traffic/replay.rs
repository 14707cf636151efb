//! A recording as innocent traffic.

use super::{Input, Inputs, to_time};
use forebay_core::Time;
use std::sync::Arc;

/// Returns the packets of a recording from index `first` on, at another mean rate in bits per second. The recording is repeated without
/// end, with new numbers for its flows. There are none at a rate of zero. `moved` returns a packet with another time of arrival.
///
/// The gaps of the recording are scaled to the rate; the gap between two repetitions is the mean gap.
pub(crate) fn replay<T: Input + Copy + Send + Sync + 'static>(
    recording: Arc<[T]>,
    first: usize,
    rate_bps: f64,
    moved: fn(T, Time) -> T,
) -> Inputs<T> {
    let bits: f64 = recording.iter().map(|input| f64::from(input.size_bytes()) * 8.0).sum();
    let start = recording.first().map_or(Time::ZERO, Input::arrival);
    let recorded = recording.last().map_or(Time::ZERO, Input::arrival).since(start);
    let flows = recording.iter().map(Input::flow).max().map_or(0, |last| last.wrapping_add(1));
    let round_ps = bits / rate_bps * 1e12;
    if recording.is_empty() || !round_ps.is_finite() {
        return Box::new(std::iter::empty());
    }
    // n packets have n - 1 gaps, and a round has one more.
    let spread_ps = round_ps * (recording.len() - 1) as f64 / recording.len() as f64;
    let stretch = if recorded.as_ps() == 0 { 0.0 } else { spread_ps / recorded.as_ps() as f64 };
    let within_round = move |input: &T| input.arrival().since(start).as_ps() as f64 * stretch;
    let first = first % recording.len();
    let skipped_ps = within_round(&recording[first]);
    Box::new((0_u32..).flat_map(move |round| {
        let from = if round == 0 { first } else { 0 };
        let round_start = round_ps * f64::from(round) - skipped_ps;
        let recording = Arc::clone(&recording);
        (from..recording.len()).map(move |place| {
            let input = recording[place];
            let mut input = moved(input, to_time(round_start + within_round(&input)));
            input.set_flow(input.flow().wrapping_add(flows.wrapping_mul(round)));
            input
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::jobs::Job;
    use crate::attack::traffic::Arrival;
    use forebay_core::Duration;

    fn packets(ns: &[u64]) -> Arc<[Arrival]> {
        let job = Job::known(125, Duration::from_ns(1));
        ns.iter().zip(0..).map(|(&ns, flow)| Arrival { at: Time::from_ns(ns), flow, job }).collect()
    }

    fn moved(arrival: Arrival, at: Time) -> Arrival {
        Arrival { at, ..arrival }
    }

    /// Nanosecond and flow.
    fn played(packets: Arc<[Arrival]>, first: usize, count: usize) -> Vec<(u64, u32)> {
        replay(packets, first, 1e9, moved).take(count).map(|one| (one.at.as_ps() / 1_000, one.flow)).collect()
    }

    #[test]
    fn a_recording_is_stretched_and_repeated() {
        // 1,000 bits each: 1 us at 1 Gb/s.
        let recording = packets(&[50, 60, 90]);
        assert_eq!(
            played(Arc::clone(&recording), 0, 7),
            [(0, 0), (500, 1), (2_000, 2), (3_000, 3), (3_500, 4), (5_000, 5), (6_000, 6)]
        );
        assert_eq!(played(Arc::clone(&recording), 1, 4), [(0, 1), (1_500, 2), (2_500, 3), (3_000, 4)]);
        assert_eq!(played(recording, 5, 2), [(0, 2), (1_000, 3)]);
        assert_eq!(replay(packets(&[50]), 0, 0.0, moved).next(), None);
        assert_eq!(replay(packets(&[]), 0, 1e9, moved).next(), None);
        assert_eq!(played(packets(&[50]), 0, 2), [(0, 0), (1_000, 1)]);
    }
}
