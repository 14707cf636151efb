//! A two-stage matcher with made-up rules.

use super::attacked_policy::SJF;
use super::pareto::Pareto;
use super::{FCFS, Others, Simulated, WSJF};
use forebay::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::applications::matcher::{InnocentPayloads, Matching};
use forebay_sim::attack::traffic::Gaps;
use forebay_sim::attack::trial::Span;
use forebay_sim::attack::{Innocent, Jobs};
use std::sync::Arc;

/// 40 rules over two decades of cost, such that the capacity is 1 Gb/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matcher;

/// 158 times the mean cost per byte, on the least packet: fitted to the displacement of 82 that was published for FCFS.
const MAX_WORK: Duration = Duration::from_us(81);

impl Simulated for Matcher {
    fn name(&self) -> &'static str {
        "full matching"
    }

    fn workload(&self) -> Arc<dyn Workload> {
        Arc::new(Matching::default())
    }

    fn max_work(&self) -> Duration {
        MAX_WORK
    }

    fn others(&self, _: &Innocent, _: Seed) -> Result<Vec<Others>> {
        let innocent = Innocent::new(Jobs::Measured(Pareto::jobs()), Gaps::Constant, InnocentPayloads::default().flows);
        let contenders = &[FCFS, SJF, WSJF];
        Ok(vec![Others { name: "Pareto", innocent, max_work: Pareto::MAX_WORK, span: None, contenders }])
    }

    fn span(&self, _: f64) -> Span {
        Self::SPAN
    }
}

impl Matcher {
    pub(super) const SPAN: Span = Span::ms(100, 800);
}
