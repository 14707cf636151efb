//! Rules as innocent traffic meets them.

use crate::quantity::Quantity;

/// A rule of the full matcher.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Share of innocent packets for which the filter names it.
    pub candidate: f64,
    /// Share of those that it matches.
    pub matches: f64,
    /// What its evaluation costs on innocent payloads, in nanoseconds per byte.
    pub ns_per_byte: Quantity,
}

/// The rules of a matcher, in the order in which candidates are evaluated.
#[derive(Debug, Clone)]
pub struct Rules(pub Vec<Rule>);

impl Rules {
    /// Made-up rules that stand for those of an intrusion detection system: each of `count` rules is more rarely a
    /// candidate and more expensive than the one before, over two decades, and none varies much for a payload (section
    /// 3.5.2: most rules do not have large variance).
    ///
    /// A packet has about one candidate on average.
    #[must_use]
    pub fn graded(count: usize) -> Self {
        let last = count.saturating_sub(1).max(1) as f64;
        let rule = |number: usize| {
            let place = number as f64 / last;
            let ns_per_byte = 1.5 * 100_f64.powf(place);
            Rule {
                candidate: (5.15 / count as f64 * 100_f64.powf(-place)).min(1.0),
                matches: 0.02,
                ns_per_byte: Quantity::Normal {
                    mean: ns_per_byte,
                    deviation: ns_per_byte * 0.15,
                    min: ns_per_byte * 0.5,
                    max: ns_per_byte * 1.5,
                },
            }
        };
        Self((0..count).map(rule).collect())
    }
}
