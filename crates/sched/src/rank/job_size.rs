//! Job size: shortest job first (SJF) for elements whose work per packet varies.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`JobSize`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "job-size",
        title: "Shortest job first (SJF): rank = processing time in picoseconds",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet",
        cost: "O(1), no state",
        source: "SurgeProtector (thesis), section 3.4",
        params: &[],
    },
    also_known_as: &["sjf"],
    needs: Some(Field::Processing),
    serves: Serves::ShortestJobs,
    range: RankRange::Any,
    build: |_, _| Ok(Box::new(JobSize)),
};

/// A rank function that ranks packets by their work in picoseconds.
#[derive(Debug, Clone, Copy)]
pub struct JobSize;

impl RankFn for JobSize {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        packet.processing.as_ps()
    }
}
