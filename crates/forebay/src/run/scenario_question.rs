//! A question about a scenario of any kind.

use crate::error::Result;
use crate::scenario::merged_baseline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The question.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked<S> {
    /// Further settings of the kind of scenario.
    #[serde(flatten)]
    pub settings: S,
    /// The number of repetitions that were asked for.
    pub repetitions: u64,
    /// Whether the scenario uses random numbers.
    pub random: bool,
    /// The policies in the order of the scenario.
    pub policies: Vec<String>,
    /// The policy that the others are compared with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub baseline: Option<String>,
    /// The number of runs, including repetitions.
    pub runs: u64,
}

/// The facts about a scenario that a folder has besides its runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Head<S> {
    pub(crate) asked: Asked<S>,
    /// The axes within policies; for attacks, the axis of their rates.
    pub(crate) own_axes: BTreeSet<String>,
    pub(crate) warnings: Vec<String>,
}

impl<S> Asked<S> {
    /// Creates the facts about cells with these policies, each of which is run `repetitions` times.
    pub(crate) fn new<'a>(
        settings: S,
        repetitions: u64,
        policies: impl IntoIterator<Item = &'a str>,
        baseline: Option<&String>,
        cells: usize,
    ) -> Self {
        let mut names: Vec<String> = Vec::new();
        for policy in policies {
            if !names.iter().any(|name| name == policy) {
                names.push(policy.to_owned());
            }
        }
        let runs = repetitions * cells as u64;
        Self { settings, repetitions, random: true, policies: names, baseline: baseline.cloned(), runs }
    }
}

impl<S> Head<S> {
    /// Replaces the policy that the others are compared with, if one is named.
    ///
    /// # Errors
    /// If there is no such policy.
    pub(crate) fn compare_with(&mut self, baseline: Option<&str>) -> Result<()> {
        let asked = &mut self.asked;
        asked.baseline = merged_baseline(baseline, asked.baseline.take(), &asked.policies)?;
        Ok(())
    }
}
