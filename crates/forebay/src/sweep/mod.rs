//! Sweeps: in every kind of scenario a list of values is an axis, and every combination of values is a point.
//!
//! ```text
//! load = [0.4, 0.8], leaves = [2, 4]   ->   load = 0.4, leaves = 2;  load = 0.4, leaves = 4;  load = 0.8, leaves = 2; …
//! ```
//!
//! A list may be written as a range: `{ from = 0.4, to = 0.8, steps = 5 }`.
//!
//! Axes are in alphabetical order of their places, and the axes of policies are last. A value of an axis may contain lists, which then are
//! axes of its points alone. If the field tables say that a field accepts a list, a list of lists is an axis. Axes that `zip` names go
//! together.
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Answer, Changes, Question, Session};
//!
//! let scenario = r#"
//!     repetitions = 2
//!     network = { topology = { name = "star", hosts = 4 }, duration = "1 ms" }
//!     workload = [{ sizes = "web-search", load = [0.2, 0.4] }]
//!     policy = [{ transport = { name = "newreno", initial_window = [4, 10] }, port = { rank = "arrival", queue = "fifo", buffer = "100 KB" } }]
//! "#;
//! let question = Question::parse("sweep", scenario, &Embedded, &Changes::default())?;
//! let Answer::Network(report) = question.run(&Session::default())? else { unreachable!("it has a network") };
//! let axes: Vec<String> = report.results[1].axes.iter().map(|(name, value)| format!("{name} {}", value.text)).collect();
//! assert_eq!((report.results.len(), axes.join(", ")), (4, "load 0.2, initial_window 10".to_owned()));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod axis;
mod count;
mod points;
mod range;
mod shape;
#[cfg(test)]
mod tests;
mod zip;

use crate::document::{Node, Value};
use crate::error::Result;
use crate::fields::Table;
use axis::AxisNames;
pub use axis::AxisValue;
pub(crate) use axis::{as_list, names, title, value};
use count::{Count, Counter};
use forebay_core::convert::index;
pub(crate) use points::Point;
use points::points;
pub(crate) use range::{MAX_STEPS, SPACINGS};
use shape::Shape;
use zip::Zip;

/// The maximum number of runs of a scenario.
pub(crate) const MAX_RUNS: u64 = 100_000;

/// The fields that are not part of a point.
const OF_ALL: [&str; 6] = ["name", "seed", "repetitions", "zip", "baseline", "policy"];

/// The points of a scenario, and the policies with the values of their own axes.
pub(crate) struct Sweep {
    /// The parts that all policies share, in the order of the scenario.
    pub(crate) points: Vec<Point>,
    /// The policies in the order of the scenario.
    pub(crate) policies: Vec<Point>,
    names: AxisNames,
}

impl Sweep {
    /// Returns the sweep of a document of the kind that has this top level. `example` shows a policy.
    ///
    /// # Errors If there are no policies, an axis has no value or has one twice, or there are too many runs.
    pub(crate) fn of(document: &Node, top: &'static Table, repetitions: u64, example: &str) -> Result<Self> {
        // The order of axes does not depend on how the fields are written, which TOML does not keep.
        let mut document = document.sorted();
        let shape = Shape::of(top);
        range::expand(&shape, &mut document)?;
        let table = document.table("the scenario")?;
        let zip = Zip::read(table.get("zip"))?;
        let list = table.require("policy", &format!("[[policy]] with {example}"))?;
        let policies = policies(list, example)?;
        let mut shared = document.clone();
        OF_ALL.iter().for_each(|field| shared.remove(&[field]));
        let of_policy = shape.field("policy").item();
        let counter = Counter { zip: &zip };
        let of_policies = policies.iter().map(|policy| counter.of(&of_policy, policy, &mut vec!["policy"]));
        let of_policies = of_policies.fold(Count::none(), |all, own| all.plus(&own));
        let count = counter.of(&shape, &shared, &mut Vec::new()).times(&of_policies);
        check_count(&count, repetitions, table.get("repetitions").unwrap_or(list))?;

        let shared = points(&shape, &shared, &zip)?;
        let of_each = policies.iter().map(|policy| points(&of_policy, policy, &zip));
        let policies = of_each.collect::<Result<Vec<_>>>()?.concat();
        let mut names = AxisNames::default();
        shared.iter().chain(&policies).for_each(|point| names.add(&point.choices));
        zip.check(&shared.iter().chain(&policies).flat_map(|point| &point.choices), &names.all())?;
        let sweep = Self { points: shared, policies, names };
        sweep.check_zipped(list)?;
        Ok(sweep)
    }

    /// Returns the policies that a point is combined with.
    pub(crate) fn policies_of<'a>(&'a self, point: &'a Point) -> impl Iterator<Item = &'a Point> {
        let goes =
            |policy: &&Point| policy.choices.iter().all(|own| point.choices.iter().all(|choice| own.goes_with(choice)));
        self.policies.iter().filter(goes)
    }

    /// Returns names and values of the axes of a point with a policy.
    pub(crate) fn axes(&self, point: &Point, policy: &Point) -> Vec<(String, AxisValue)> {
        self.names.named(&[point.choices.as_slice(), &policy.choices].concat())
    }

    /// Returns names and values of the axes of a point, without the axes of policies.
    pub(crate) fn axes_of_point(&self, point: &Point) -> Vec<(String, AxisValue)> {
        self.names.named(&point.choices)
    }

    /// Rejects lists that go together and are not equally long, one of a policy and one of all.
    fn check_zipped(&self, list: &Node) -> Result<()> {
        for own in self.policies.iter().flat_map(|policy| &policy.choices) {
            for choice in self.points.iter().flat_map(|point| &point.choices) {
                if !own.goes_with(choice) && !own.has_as_many(choice) {
                    return Err(list.error(choice.differ(own)));
                }
            }
        }
        Ok(())
    }
}

/// Rejects lists without values and more runs than anyone could wait for, before any is made.
fn check_count(count: &Count<'_>, repetitions: u64, place: &Node) -> Result<()> {
    if let Some((name, list)) = count.empty {
        let text = format!("`{name}` is an empty list; give a value, or several to compare");
        return Err(list.error(text).in_field(name));
    }
    let repetitions = index(repetitions);
    let runs = count.points.saturating_mul(repetitions);
    if runs <= index(MAX_RUNS) {
        return Ok(());
    }
    let sweep = format!("this sweep has {runs} runs, but at most {MAX_RUNS} are possible");
    Err(match count.longest.filter(|(.., values)| *values >= repetitions) {
        Some((name, list, values)) => list.error(format!("{sweep}; `{name}` has {values} values: give fewer")),
        None => place.error(format!("{sweep}; give fewer than {repetitions} `repetitions`")),
    })
}

/// All policies.
fn policies<'a>(list: &'a Node, example: &str) -> Result<&'a [Node]> {
    let Value::Array(items) = &list.value else {
        return Err(list.error("policies are a list: write [[policy]] with two brackets"));
    };
    if items.is_empty() {
        return Err(list.error(format!("there are no policies; add [[policy]] with {example}")));
    }
    Ok(items)
}
