//! The two stages: one automaton over all rules as the filter, and the rules themselves.

use crate::clock::WorkClock;
use crate::native::{Expression, Filter, Limits, Pcre2, Regex, Scratch, Search, Vectorscan};
use crate::rules::Rule;
use forebay_core::Duration;

/// Rules, each ready to be confirmed, and a filter that names those that may match.
///
/// The filter should have no false negatives. A rule that it takes as it is matches wherever PCRE2 does; a rule that it
/// takes as a prefilter matches there and elsewhere. A rule that it does not take is always a candidate. Vectorscan
/// 5.4.9 does miss some matches, above all those of single characters far into a payload; the verdict then says that no
/// candidate matches.
pub struct TwoStage {
    rules: Vec<Confirm>,
    filter: Filter,
    scratch: Scratch,
    unfiltered: Vec<u32>,
    /// What became of the rules.
    pub support: Support,
}

/// A rule with its compiled pattern.
struct Confirm {
    rule: Rule,
    regex: Regex,
}

/// How many rules each library takes, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Support {
    /// Patterns that the filter takes as they are.
    pub filtered: usize,
    /// Patterns that it takes as prefilters.
    pub prefiltered: usize,
    /// Patterns that it does not take: candidates always.
    pub unfiltered: usize,
    /// Patterns that PCRE2 does not compile, which are left out: the rule and the reason.
    pub refused: Vec<String>,
    /// Patterns that PCRE2 compiles to machine code.
    pub jit: usize,
}

/// Why the stages cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The filter.
    #[error("the filter does not compile: {0}")]
    Filter(String),
    /// Memory.
    #[error("there is no memory for the scratch space of PCRE2")]
    Memory,
}

impl TwoStage {
    /// Compiles rules for both stages. Each is tried alone first, to see how the filter takes it.
    ///
    /// # Errors
    /// If the filter takes the patterns one by one but not all together.
    pub fn compile(vectorscan: &Vectorscan, pcre2: &Pcre2, rules: &[Rule]) -> Result<Self, BuildError> {
        let mut support = Support::default();
        let (mut confirms, mut expressions, mut unfiltered) = (Vec::new(), Vec::new(), Vec::new());
        for rule in rules {
            let regex = match pcre2.compile(&rule.pattern) {
                Ok(regex) => regex,
                Err(error) => {
                    support.refused.push(format!("{}:{}: {error}", rule.file, rule.line));
                    continue;
                }
            };
            support.jit += usize::from(regex.is_jit());
            let id = number(confirms.len());
            let mut expression = Expression { id, pattern: rule.pattern.clone(), prefilter: false };
            if vectorscan.compile(std::slice::from_ref(&expression)).is_ok() {
                support.filtered += 1;
                expressions.push(expression);
            } else {
                expression.prefilter = true;
                if vectorscan.compile(std::slice::from_ref(&expression)).is_ok() {
                    support.prefiltered += 1;
                    expressions.push(expression);
                } else {
                    support.unfiltered += 1;
                    unfiltered.push(id);
                }
            }
            confirms.push(Confirm { rule: rule.clone(), regex });
        }
        let filter = vectorscan.compile(&expressions).map_err(|error| BuildError::Filter(error.to_string()))?;
        let scratch = pcre2.scratch().ok_or(BuildError::Memory)?;
        Ok(Self { rules: confirms, filter, scratch, unfiltered, support })
    }

    /// The rules that are confirmed, by their numbers.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(|confirm| &confirm.rule)
    }

    /// First stage: the numbers of the rules that may match, rising.
    #[must_use]
    pub fn candidates(&mut self, payload: &[u8]) -> Vec<u32> {
        let mut found = self.unfiltered.clone();
        if self.filter.scan(payload, &mut found) {
            found.sort_unstable();
            found.dedup();
            found
        } else {
            (0..number(self.rules.len())).collect()
        }
    }

    /// Second stage, one rule: looks for a match that begins within the limits. A rule that does
    /// not exist matches nothing.
    pub fn search(&mut self, rule: u32, payload: &[u8], limits: Limits) -> Search {
        match self.rules.get(rule as usize) {
            Some(confirm) => confirm.regex.search(&mut self.scratch, payload, limits),
            None => Search::NoMatch,
        }
    }

    /// All rules, one after the other, without the filter: the definition of the verdict.
    #[must_use]
    pub fn first_match(&mut self, payload: &[u8]) -> Option<u32> {
        (0..number(self.rules.len())).find(|rule| self.search(*rule, payload, crate::job::WHOLE) == Search::Match)
    }

    /// The cost of the first stage for a payload.
    pub fn filter_cost(&mut self, payload: &[u8], clock: &mut impl WorkClock) -> (Vec<u32>, Duration) {
        let before = clock.work();
        let candidates = self.candidates(payload);
        (candidates, clock.work() - before)
    }
}

/// The number of a rule, or how many there are.
fn number(rules: usize) -> u32 {
    u32::try_from(rules).expect("fewer than 2^32 rules")
}
