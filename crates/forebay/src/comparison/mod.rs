//! Differences of policies from a baseline in the most important metrics, and the number of repetitions that would show them.
//!
//! Policies see the same random numbers in each repetition, so their numbers are compared repetition by repetition. Chance that affects
//! both policies alike cancels out.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::{Changes, Question, Session};
//!
//! let changes = Changes { baseline: Some("FIFO".to_owned()), ..Changes::default() };
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &changes)?;
//! let comparison = demo.run(&Session::default())?.comparison();
//! let strict = comparison.differences.iter().find(|own| own.policy == "strict" && own.metric == "drop_share").unwrap();
//! assert_eq!((strict.to.as_str(), strict.pairs, strict.difference_ci95), ("FIFO", 1, None)); // one repetition has no interval
//! # Ok::<(), forebay::UserError>(())
//! ```

mod best_pairs;
mod notes;
mod table;

use crate::frame::{Difference, Frame, SummaryRow};
use crate::headline::{Headline, Kind, first_subject, is_headline};
use crate::statistics::repetitions_needed;
use serde::Serialize;

/// The differences of policies.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comparison {
    /// The policy that the others are compared with, if there is one.
    pub baseline: Option<String>,
    /// The differences of every other policy, at each place of the sweep, in the order of the result. Without a baseline and with several
    /// repetitions: the difference of the second best policy from the best at each place, in the most important metric.
    pub differences: Vec<Compared>,
    /// Notes about the intervals.
    pub notes: Vec<String>,
    /// The metrics that matter, the most telling first.
    #[serde(skip)]
    headlines: &'static [Headline],
}

/// The difference between a number of one policy and the same number of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The policy.
    pub policy: String,
    /// The policy that it is compared with.
    pub to: String,
    /// The values of the swept fields as the scenario writes them.
    pub axes: Vec<Place>,
    /// The kind of subject of the number: `all`, or a kind like `capacity`.
    pub subject: &'static str,
    /// The subject of this kind.
    pub item: String,
    /// The name of the number, as in the long table.
    pub metric: String,
    /// The unit of the number.
    pub unit: &'static str,
    /// The number of repetitions that both policies have.
    pub pairs: usize,
    /// The policy's number minus the other policy's, mean over the repetitions.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval of the difference; [`None`] with one repetition.
    pub difference_ci95: Option<f64>,
    /// The policy's mean over the other policy's mean; [`None`] if that is zero.
    pub ratio: Option<f64>,
    /// The number of repetitions that would likely exclude zero, if the interval includes it; 1,001 for more than 1,000.
    pub repetitions_needed: Option<usize>,
}

/// The value of a swept field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The field.
    pub name: String,
    /// The field's value as the scenario writes it.
    pub text: String,
}

/// The settings of a comparison.
pub(crate) struct How<'a> {
    pub(crate) kind: Kind,
    pub(crate) baseline: Option<&'a str>,
    /// The policies that can be used in practice.
    pub(crate) choices: Vec<&'a str>,
    /// Whether the scenario is random and everything is run once.
    pub(crate) is_once: bool,
}

impl Comparison {
    /// Compares the policies of a result.
    pub(crate) fn new(frame: &Frame, how: &How<'_>) -> Self {
        let headlines = how.kind.headlines();
        // Intervals of all other metrics would be computed for nothing.
        let summary = frame.summary_of(how.baseline, |metric| is_headline(metric, headlines));
        let subject = first_subject(&summary, headlines);
        let rows = summary.rows().iter().filter(|row| row.subject.kind == subject);
        let rows: Vec<&SummaryRow<'_>> = rows.collect();
        let differences = match how.baseline {
            Some(baseline) => {
                let of = |row: &&SummaryRow<'_>| Some(Compared::new(frame, row, baseline, row.difference?));
                rows.iter().filter_map(of).collect()
            }
            None => best_pairs::pairs(frame, &rows, how, headlines),
        };
        let baseline = how.baseline.map(str::to_owned);
        let mut comparison = Self { baseline, differences, notes: Vec::new(), headlines };
        comparison.notes = notes::notes(&comparison, how.kind, how.is_once && !rows.is_empty());
        comparison
    }

    /// The differences in the metric that matters most.
    fn main(&self) -> impl Iterator<Item = &Compared> {
        let is_there = |headline: &&Headline| self.differences.iter().any(|own| own.metric == headline.0);
        let main = self.headlines.iter().find(is_there);
        self.differences.iter().filter(move |own| main.is_some_and(|main| own.metric == main.0))
    }
}

impl Compared {
    fn new(frame: &Frame, row: &SummaryRow<'_>, to: &str, difference: Difference) -> Self {
        let axes = frame.axes().iter().zip(row.axes);
        let place = |(name, text): (&String, &Option<String>)| Some(Place { name: name.clone(), text: text.clone()? });
        let Difference { pairs, mean, ci95, ratio } = difference;
        Self {
            policy: row.policy.to_owned(),
            to: to.to_owned(),
            axes: axes.filter_map(place).collect(),
            subject: row.subject.kind,
            item: row.subject.item.clone(),
            metric: row.metric.to_owned(),
            unit: row.unit,
            pairs,
            difference: mean,
            difference_ci95: ci95,
            ratio,
            repetitions_needed: ci95.and_then(|ci95| repetitions_needed(mean, ci95, pairs)),
        }
    }
}
