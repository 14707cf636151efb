//! How policies differ from a baseline in the metrics that matter most.
//!
//! Policies see the same random numbers in each repetition, so their numbers are compared repetition by repetition: what chance does to
//! both alike is no part of a difference.
//!
//! ```
//! use forebay::demo::{Embedded, SCENARIO};
//! use forebay::{Changes, Question, Session};
//!
//! let changes = Changes { baseline: Some("FIFO".to_owned()), ..Changes::default() };
//! let demo = Question::parse("demo", SCENARIO, &Embedded, &changes)?;
//! let comparison = demo.run(&Session::default())?.comparison();
//! let strict = comparison.differences.iter().find(|own| own.policy == "strict" && own.metric == "drop_share").unwrap();
//! assert_eq!((strict.pairs, strict.difference_ci95), (1, None)); // one repetition has no interval
//! # Ok::<(), forebay::UserError>(())
//! ```

mod table;

use crate::frame::Frame;
use crate::headline::{Headline, Kind, first_subject, is_headline};
use serde::Serialize;

/// How policies differ.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comparison {
    /// The policy that the others are compared with, if there is one.
    pub baseline: Option<String>,
    /// Of every other policy, at each place of the sweep, in the order of the result.
    pub differences: Vec<Compared>,
    /// The metrics that matter, the most telling first.
    #[serde(skip)]
    headlines: &'static [Headline],
}

/// How a number of a policy differs from the baseline's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The policy.
    pub policy: String,
    /// The values of the swept fields as the scenario writes them.
    pub axes: Vec<Place>,
    /// What the number is of: `all`, or a kind like `capacity`.
    pub subject: &'static str,
    /// Which one of the kind.
    pub item: String,
    /// Which number, as the long table calls it.
    pub metric: String,
    /// In which unit.
    pub unit: &'static str,
    /// How many repetitions both policies have.
    pub pairs: usize,
    /// The policy's number minus the baseline's, mean over the repetitions.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval of the difference; [`None`] with one repetition.
    pub difference_ci95: Option<f64>,
    /// The policy's mean over the baseline's; [`None`] if that is zero.
    pub ratio: Option<f64>,
}

/// The value of a swept field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The field.
    pub name: String,
    /// Its value as the scenario writes it.
    pub text: String,
}

impl Comparison {
    /// Of a result of this kind.
    pub(crate) fn new(frame: &Frame, kind: Kind, baseline: Option<&str>) -> Self {
        let Some(baseline) = baseline else { return Self::default() };
        let summary = frame.summary_to(Some(baseline));
        let headlines = kind.headlines();
        let subject = first_subject(&summary, headlines);
        let rows = summary.rows().iter().filter(|row| row.subject.kind == subject && is_headline(row, headlines));
        let differences = rows.filter_map(|row| {
            let difference = row.difference?;
            let axes = frame.axes().iter().zip(row.axes);
            let place =
                |(name, text): (&String, &Option<String>)| Some(Place { name: name.clone(), text: text.clone()? });
            Some(Compared {
                policy: row.policy.to_owned(),
                axes: axes.filter_map(place).collect(),
                subject,
                item: row.subject.item.clone(),
                metric: row.metric.to_owned(),
                unit: row.unit,
                pairs: difference.pairs,
                difference: difference.mean,
                difference_ci95: difference.ci95,
                ratio: difference.ratio,
            })
        });
        Self { baseline: Some(baseline.to_owned()), differences: differences.collect(), headlines }
    }
}
