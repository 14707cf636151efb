//! The rules, as innocent traffic matches them.

use crate::attack::quantity::Quantity;

/// A rule of the full matcher.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The share of innocent packets for which the filter names the rule.
    pub candidate: f64,
    /// The share of the rule's candidates that the rule matches.
    pub matches: f64,
    /// The cost of the rule's evaluation on innocent payloads, in nanoseconds per byte.
    pub ns_per_byte: Quantity,
}

/// The rules of a matcher, in the order in which candidates are evaluated.
#[derive(Debug, Clone)]
pub struct Rules(pub Vec<Rule>);

/// Synthetic rules that model the rules of an intrusion detection system. Each is more rarely a candidate and more expensive than the one
/// before, over some decades. None varies much with the payload (section 3.5.2: most rules do not have large variance).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grades {
    /// The number of rules.
    pub count: usize,
    /// The number of decades by which the last rule is more expensive, and more rarely a candidate, than the first.
    pub decades: f64,
    /// The mean number of candidates of an innocent packet. The real mean is lower if a rule would have to be named for more than all
    /// packets.
    pub candidates: f64,
    /// The share of its candidates that a rule matches.
    pub matches: f64,
    /// The cost of the first rule, in nanoseconds per byte.
    pub ns_per_byte: f64,
    /// The standard deviation of a rule's cost, as a share of the mean cost. No cost differs from the mean by more than a half of the mean.
    pub spread: f64,
}

impl Default for Grades {
    /// 40 rules over two decades, with which the capacity of a matcher is about 1 Gb/s.
    fn default() -> Self {
        Self { count: 40, decades: 2.0, candidates: 1.1457, matches: 0.02, ns_per_byte: 1.5, spread: 0.15 }
    }
}

impl Rules {
    /// Creates rules of the given grades.
    #[must_use]
    pub fn graded(grades: Grades) -> Self {
        let last = grades.count.saturating_sub(1).max(1) as f64;
        let steeper = |number: usize| 10_f64.powf(grades.decades * number as f64 / last);
        let weights: f64 = (0..grades.count).map(|number| 1.0 / steeper(number)).sum();
        let rule = |number: usize| {
            let mean = grades.ns_per_byte * steeper(number);
            Rule {
                candidate: (grades.candidates / weights / steeper(number)).min(1.0),
                matches: grades.matches,
                ns_per_byte: Quantity::Normal {
                    mean,
                    deviation: mean * grades.spread,
                    min: mean * 0.5,
                    max: mean * 1.5,
                },
            }
        };
        Self((0..grades.count).map(rule).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_span_the_decades_and_make_the_candidates() {
        let grades = Grades { count: 30, decades: 3.0, candidates: 2.0, ..Grades::default() };
        let Rules(rules) = Rules::graded(grades);
        let named: f64 = rules.iter().map(|rule| rule.candidate).sum();
        assert!((named - 2.0).abs() < 1e-9, "{named}");
        let cost = |rule: &Rule| match rule.ns_per_byte {
            Quantity::Normal { mean, .. } => mean,
            Quantity::Drawn(_) => f64::NAN,
        };
        assert!((cost(&rules[29]) / cost(&rules[0]) - 1_000.0).abs() < 1e-6);
        assert!((rules[0].candidate / rules[29].candidate - 1_000.0).abs() < 1e-6);
        let one = Rules::graded(Grades { count: 1, candidates: 9.0, ..grades });
        assert!((one.0[0].candidate - 1.0).abs() < 1e-12, "of all packets at most");
    }
}
