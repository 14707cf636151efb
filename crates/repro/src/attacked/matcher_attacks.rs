//! The matcher of figure 3.15 under two attacks.

use super::{Contender, Matcher, served};
use forebay::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::matcher::{
    AttackPayloads, Candidate, Grades, InnocentPayloads, Matching, PayloadClass, Rules,
};
use forebay_sim::attack::trial::Span;

/// Number of innocent payloads among which the most expensive one is chosen.
const SEARCHED: usize = 300_000;

/// The matcher with its innocents and its attack.
#[derive(Debug, Clone)]
pub(crate) struct Attacked {
    /// The name in values; empty for the usual one.
    pub(crate) name: &'static str,
    matching: Matching,
    /// The innocent rate in Gb/s, which the source does not print.
    innocent_gbps: f64,
    span: Span,
}

impl Attacked {
    /// Returns the usual matcher under the attack of section 3.6.1, which repeats the most expensive of many innocent payloads.
    pub(crate) fn by_dearest(seed: Seed) -> Self {
        let matching = Matching::default();
        let attack = Self::dearest(&matching, seed);
        Self { name: "", matching: Matching { attack, ..matching }, innocent_gbps: 0.9, span: Matcher::SPAN }
    }

    /// A matcher whose speed grows with the innocent traffic. The attack payload is as expensive as the most expensive one, but by a rule
    /// that is often a candidate. Rate and rule are fitted.
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

    /// Returns the name of a policy for this matcher.
    pub(crate) fn called(&self, contender: Contender) -> String {
        contender.before(self.name)
    }

    /// Returns the goodput in Gb/s under an attack at a rate in Gb/s. Estimates are learnt from the packets that a policy really serves.
    pub(crate) fn goodput(&self, contender: Contender, seed: Seed, attack_gbps: Option<f64>) -> Result<f64> {
        served(&self.matching, contender, (self.innocent_gbps, attack_gbps), self.span, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_sim::attack::Innocent;
    use forebay_sim::attack::applications::Told;
    use std::sync::Arc;

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
