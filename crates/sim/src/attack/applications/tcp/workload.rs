//! TCP reassembly with innocent and attack flows.

use super::{AttackFlows, InnocentFlows, Reassembler, replay};
use crate::attack::applications::{Application as _, Live, Told, Workload};
use crate::attack::jobs::Job;
use crate::attack::traffic::{Inputs, Stream};
use forebay_core::{Seed, Time};
use forebay_traces::TcpSegment;
use rand::RngExt as _;
use std::sync::Arc;

/// A reassembler and the segments that are sent to it.
#[derive(Debug, Clone)]
pub struct Reassembly {
    /// The reassembler, without flows.
    pub reassembler: Reassembler,
    /// Innocent flows.
    pub innocent: InnocentSegments,
    /// Attack flows.
    pub attack: AttackFlows,
}

/// The source of innocent segments.
#[derive(Debug, Clone)]
pub enum InnocentSegments {
    /// They are made up.
    Generated(InnocentFlows),
    /// A recording, in order of time, which is played again and again from a place that the seed chooses.
    Recorded(Arc<[TcpSegment]>),
}

impl Default for Reassembly {
    /// The reassembler of Pigasus, innocents that model a backbone, and the longest attack flows.
    fn default() -> Self {
        Self {
            reassembler: Reassembler::pigasus(),
            innocent: InnocentSegments::Generated(InnocentFlows::default()),
            attack: AttackFlows::longest(),
        }
    }
}

impl InnocentSegments {
    /// Returns segments without end at the mean rate `rate_bps` in bits per second. There are none at a rate of zero, or from an empty
    /// recording.
    #[must_use]
    pub fn segments(&self, rate_bps: f64, seed: Seed) -> Inputs<TcpSegment> {
        match self {
            Self::Generated(flows) => flows.segments(rate_bps, seed),
            Self::Recorded(segments) => {
                let first = seed.stream("innocent/recording").random_range(0..segments.len().max(1));
                replay(Arc::clone(segments), first, rate_bps)
            }
        }
    }
}

impl Workload for Reassembly {
    fn arrivals(&self, innocent_bps: f64, seed: Seed, told: Told) -> Stream {
        self.reassembler.clone().arrivals(self.innocent.segments(innocent_bps, seed), told)
    }

    fn live(&self, innocent_bps: f64, attack_bps: Option<f64>, seed: Seed, until: Time) -> Live {
        let inputs = || (self.innocent.segments(innocent_bps, seed), attack_bps.map(|bps| self.attack.segments(bps)));
        Live::new(self.reassembler.clone(), inputs, until)
    }

    fn attack_job(&self) -> Option<Job> {
        let work = self.attack.mean_work_in(self.reassembler.structure(), self.reassembler.costs());
        Some(Job::known(AttackFlows::PACKET_BYTES, work))
    }
}
