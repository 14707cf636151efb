//! The quality of the estimates that MAD forms make of future aggregate delays (thesis 2.5.2).

use super::future::Known;
use super::pass::Pass;
use super::scenario::Setting;
use crate::document::Node;
use crate::error::{Result, UserError};
use forebay_cache::{Choice, Correlation, Future};
use forebay_core::Request;
use serde::{Deserialize, Serialize};

/// The correlation of the estimates with the truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    /// The number of requests with a later request for the same object.
    pub pairs: u64,
    /// Pearson's coefficient; [`None`] if the estimates or the true values are all equal.
    pub pearson: Option<f64>,
    /// Spearman's coefficient, which compares ranks.
    pub rank: Option<f64>,
}

impl From<Correlation> for Estimates {
    fn from(Correlation { pairs, pearson, rank }: Correlation) -> Self {
        Self { pairs, pearson, rank }
    }
}

/// Compares a policy's estimate after each counted request with the true delay of the next one; returns [`None`] if it is no MAD form.
pub(super) fn estimates(
    pass: &Pass<'_>,
    policy: &Choice,
    setting: &Setting,
    whole: &[Request],
    known: &Known,
) -> Result<Option<Estimates>> {
    let estimates = policy.delay_estimates(whole, |request| known.latency(request));
    let estimates = estimates.map_err(|error| UserError::at(policy, error.message))?;
    let warmup = setting.warmup_of_sample(pass.seed);
    let pairs = estimates.map(|estimates| {
        let counted = estimates.into_iter().zip(&known.futures).skip(usize::try_from(warmup).unwrap_or(usize::MAX));
        let followed = counted.filter(|(_, future)| future.next != Future::NEVER);
        followed.map(|(estimate, future)| (estimate, future.delay as f64)).collect::<Vec<_>>()
    });
    Ok(pairs.map(|pairs| Correlation::of(&pairs).into()))
}

/// Reads whether to compare estimates, which only MAD forms have.
pub(super) fn asked(node: &Node, choices: &[Choice]) -> Result<bool> {
    let is_asked = node.boolean("estimates")?;
    let mut forms = choices.iter().filter(|choice| choice.is_mad()).peekable();
    if is_asked && forms.peek().is_none() {
        return Err(node.error("`estimates` needs a MAD form, and no policy here is one; add one like lru-mad"));
    }
    for form in forms.filter(|_| is_asked) {
        let checked = form.delay_estimates(&[], |_| 1);
        checked.map_err(|error| node.error(format!("`{form}`: {}", error.message)))?;
    }
    Ok(is_asked)
}
