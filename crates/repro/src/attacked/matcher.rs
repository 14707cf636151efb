//! A two-stage matcher with made-up rules.

use super::contender::SJF;
use super::{Contender, FCFS, Others, SAMPLE, Simulated, WSJF, served};
use forebay::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::applications::matcher::{
    AttackPayloads, Candidate, Grades, InnocentPayloads, Matching, PayloadClass, Rules,
};
use forebay_sim::attack::traffic::Gaps;
use forebay_sim::attack::trial::Span;
use forebay_sim::attack::{Innocent, Job, Jobs};
use std::sync::Arc;

/// 40 rules over two decades of cost, such that the capacity is 1 Gb/s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matcher;

/// 158 times the mean cost per byte, on the least packet: fitted to the displacement of 82 that was published for FCFS.
const MAX_WORK: Duration = Duration::from_us(81);
/// Innocent payloads of which the dearest is taken.
const SEARCHED: usize = 300_000;

/// Innocents whose work has a Pareto distribution, in full packets. Shape and capacity are fitted.
struct Pareto;

impl Pareto {
    const SHAPE: f64 = 1.3;
    const CAPACITY_BPS: f64 = 2.2e9;
    const BYTES: u32 = 1_514;
    /// The largest job, an innocent one, too; fitted to 82, as [`MAX_WORK`].
    const MAX_WORK: Duration = Duration::from_us(149);

    /// Jobs that stand for equal shares of all.
    fn jobs() -> Vec<Job> {
        let mean = f64::from(Self::BYTES) * 8.0 / Self::CAPACITY_BPS;
        let most = Self::MAX_WORK.as_secs_f64();
        // The least job that makes this mean, by bisection: the mean grows with it.
        let (mut low, mut high) = (0.0, mean);
        for _ in 0..60 {
            let least = f64::midpoint(low, high);
            if Self::mean(least, most) < mean { low = least } else { high = least }
        }
        let more = 1.0 - (low / most).powf(Self::SHAPE);
        let work = |number: usize| {
            let below = (number as f64 + 0.5) / SAMPLE as f64;
            low * (1.0 - below * more).powf(-1.0 / Self::SHAPE)
        };
        (0..SAMPLE).map(|number| Job::known(Self::BYTES, Duration::from_secs_f64(work(number)))).collect()
    }

    /// Mean of a Pareto distribution that ends at `most`.
    fn mean(least: f64, most: f64) -> f64 {
        let (shape, ratio) = (Self::SHAPE, least / most);
        shape / (shape - 1.0) * least * (1.0 - ratio.powf(shape - 1.0)) / (1.0 - ratio.powf(shape))
    }
}

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
    const SPAN: Span = Span::ms(100, 800);
}

/// The matcher of figure 3.15 with its innocents and its attack.
#[derive(Debug, Clone)]
pub(crate) struct Attacked {
    /// How values are called; empty for the usual one.
    pub(crate) name: &'static str,
    matching: Matching,
    /// In Gb/s; the source does not print its own.
    innocent_gbps: f64,
    span: Span,
}

impl Attacked {
    /// The usual one, before the dearest of many innocent payloads, again and again: the attack of section 3.6.1.
    pub(crate) fn by_dearest(seed: Seed) -> Self {
        let matching = Matching::default();
        let attack = Self::dearest(&matching, seed);
        Self { name: "", matching: Matching { attack, ..matching }, innocent_gbps: 0.9, span: Matcher::SPAN }
    }

    /// A matcher that is as many times faster as it has more innocents, and an attack payload that is as dear as the
    /// dearest, but by a rule that is often a candidate. Rate and rule are fitted.
    pub(crate) fn by_frequent_rule(seed: Seed) -> Self {
        const GBPS: f64 = 6.7;
        /// A candidate of 6 % of the innocents.
        const RULE: usize = 6;
        let usual = Matching::default();
        let times = GBPS / 0.9;
        let rules = Rules::graded(Grades { ns_per_byte: Grades::default().ns_per_byte / times, ..Grades::default() });
        let matching = Matching {
            filter: Duration::from_secs_f64(usual.filter.as_secs_f64() / times),
            innocent: InnocentPayloads { rules, ..usual.innocent },
            attack: usual.attack,
        };
        let slow = |class: PayloadClass| {
            let ps = class.candidates.iter().map(|candidate| candidate.work.as_ps()).sum();
            PayloadClass {
                candidates: vec![Candidate { rule: RULE, work: Duration::from_ps(ps), matches: false }],
                ..class
            }
        };
        let AttackPayloads(dearest) = Self::dearest(&matching, seed);
        let attack = AttackPayloads(dearest.into_iter().map(slow).collect());
        // As many packets as the usual one has.
        let span = Span::ms(14, 108);
        Self { name: "frequent rule", matching: Matching { attack, ..matching }, innocent_gbps: GBPS, span }
    }

    fn dearest(matching: &Matching, seed: Seed) -> AttackPayloads {
        matching.dearest(SEARCHED, seed.part("attacked/dearest"))
    }

    /// The name of a policy before it.
    pub(crate) fn called(&self, contender: Contender) -> String {
        contender.before(self.name)
    }

    /// Goodput in Gb/s beside an attack at a rate in Gb/s, where estimates are learnt from what a policy really serves.
    pub(crate) fn goodput(&self, contender: Contender, seed: Seed, attack_gbps: Option<f64>) -> Result<f64> {
        served(&self.matching, contender, (self.innocent_gbps, attack_gbps), self.span, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_sim::attack::applications::Told;

    #[test]
    fn pareto_jobs_make_the_capacity_and_end_at_the_largest() {
        let jobs = Pareto::jobs();
        let innocent = Innocent::new(Jobs::Measured(jobs.clone()), Gaps::Constant, 1);
        let capacity = innocent.means().capacity_bps(1);
        assert!((capacity / Pareto::CAPACITY_BPS - 1.0).abs() < 0.001, "{capacity}");
        let most = jobs.iter().map(|job| job.work).max().unwrap();
        assert!(most <= Pareto::MAX_WORK && most.as_secs_f64() > 0.99 * Pareto::MAX_WORK.as_secs_f64(), "{most:?}");
    }

    #[test]
    fn the_faster_matcher_has_the_usual_load_and_the_attack_one_frequent_rule() {
        let seed = Seed(1);
        let [usual, faster] = [Attacked::by_dearest(seed), Attacked::by_frequent_rule(seed)];
        let load = |attacked: &Attacked| {
            let innocent = Innocent::made_by(Arc::new(attacked.matching.clone()), Told::Truth);
            attacked.innocent_gbps * 1e9 / innocent.means().capacity_bps(1)
        };
        assert!((load(&faster) / load(&usual) - 1.0).abs() < 0.01);
        let [AttackPayloads(usual), AttackPayloads(faster)] = [usual.matching.attack, faster.matching.attack];
        assert_eq!(faster.len(), 1);
        assert_eq!(faster[0].candidates.len(), 1);
        assert_eq!(faster[0].size_bytes, usual[0].size_bytes, "the same payload is the dearest");
    }
}
