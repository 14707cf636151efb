//! Completion times of flows by size, under each discipline and against the baseline.

use super::discipline::{BASELINE, Discipline};
use crate::answer::Answer;
use crate::frame::{Difference, Summary, SummaryRow};
use crate::output::columns::{Column, tables};
use crate::output::digits::{alone, with_interval};
use crate::statistics::Estimate;

/// The metric by which disciplines are compared.
const TIME: &str = "fct:mean";
/// The columns of the table of flows: metric, head, and the factor of the numbers.
const SHOWN: [(&str, &str, f64); 6] = [
    ("flows", "flows", 1.0),
    (TIME, "mean time\nms", 1e3),
    ("fct:p50", "p50\nms", 1e3),
    ("fct:p99", "p99\nms", 1e3),
    ("slowdown:mean", "mean\nslowdown", 1.0),
    ("fairness", "Jain's\nfairness", 1.0),
];
const UNFINISHED: &str = "unfinished";

/// The property that groups flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// That they are of the recording.
    All,
    Size,
    /// The DSCP of their packets.
    Dscp,
}

/// The numbers of flows of one size, of one class, or of all.
struct Class<'a> {
    kind: Kind,
    /// `all`, limits like `< 100 KB`, or a class like `DSCP 46 (EF)`.
    name: &'a str,
    rows: Vec<&'a SummaryRow<'a>>,
}

impl<'a> Class<'a> {
    fn row(&self, policy: &str, metric: &str) -> Option<&'a SummaryRow<'a>> {
        self.rows.iter().copied().find(|row| row.policy == policy && row.metric == metric)
    }

    /// Describes the number of the group's flows.
    fn counted(&self, policy: &str) -> String {
        let flows = self.row(policy, "flows").map_or(0.0, |row| row.mean);
        let what = if flows == 1.0 { "flow" } else { "flows" };
        let with = if self.kind == Kind::Dscp { "with " } else { "" };
        format!("{} {what} {with}{}", alone(flows), self.name)
    }

    fn has_unfinished(&self) -> bool {
        self.rows.iter().any(|row| row.metric == UNFINISHED && row.mean > 0.0)
    }
}

/// The conclusion from the interval of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// Shorter times.
    Gain,
    /// Longer times.
    Loss,
    /// The interval includes zero.
    Nothing,
}

impl Finding {
    fn of(difference: &Difference) -> Self {
        match difference.ci95 {
            Some(ci95) if difference.mean < -ci95 => Self::Gain,
            Some(ci95) if difference.mean > ci95 => Self::Loss,
            _ => Self::Nothing,
        }
    }
}

/// Returns a table of flows by size, and a sentence for each discipline.
pub(super) fn text(disciplines: &[&Discipline], answer: &Answer) -> String {
    let frame = answer.frame();
    let is_wanted = |metric: &str| metric == UNFINISHED || SHOWN.iter().any(|(name, ..)| *name == metric);
    let summary = frame.summary_of(Some(BASELINE), is_wanted);
    let classes = classes(&summary);
    let policies: Vec<&str> = disciplines.iter().map(|own| own.name).collect();
    let table = table(&policies, &classes);
    let heading = "completion times of flows by size; the difference is between the mean and that of fifo, paired by repetition, with its \
                   95 % interval";
    let verdict =
        if answer.is_complete() { verdict(&policies, &classes) } else { "cut short: no verdict\n".to_owned() };
    format!("\n{heading}\n\n{table}\nwho gains and who pays\n\n{verdict}")
}

fn classes<'a>(summary: &'a Summary<'a>) -> Vec<Class<'a>> {
    let mut classes: Vec<Class<'_>> = Vec::new();
    for row in summary.rows() {
        let (kind, name) = match row.subject.kind {
            "all" => (Kind::All, "all"),
            "size_class" => (Kind::Size, row.subject.item.as_str()),
            "workload" => (Kind::Dscp, row.subject.item.as_str()),
            _ => continue,
        };
        match classes.iter_mut().find(|class| (class.kind, class.name) == (kind, name)) {
            Some(class) => class.rows.push(row),
            None => classes.push(Class { kind, name, rows: vec![row] }),
        }
    }
    // All flows may be of a single workload.
    if classes.iter().filter(|class| class.kind == Kind::Dscp).count() == 1 {
        classes.retain(|class| class.kind != Kind::Dscp);
    }
    classes.retain(|class| class.rows.iter().any(|row| row.metric == "flows" && row.mean > 0.0));
    // Of a single size, all flows are those.
    let is_single = classes.iter().filter(|class| class.kind == Kind::Size).count() == 1;
    classes.retain(|class| !is_single || class.kind != Kind::All);
    classes.sort_by_key(|class| class.kind == Kind::Dscp);
    classes
}

fn table(policies: &[&str], classes: &[Class<'_>]) -> String {
    let lines = || classes.iter().flat_map(|class| policies.iter().map(move |policy| (class, *policy)));
    let keys = [
        Column::new("flows of", lines().map(|(class, _)| class.name.to_owned())),
        Column::new("policy", lines().map(|(_, policy)| policy.to_owned())),
    ];
    let shown = |&(metric, head, times): &(&str, &str, f64)| {
        let cell = |(class, policy): (&Class<'_>, &str)| {
            class.row(policy, metric).map_or_else(|| "-".to_owned(), |row| alone(row.mean * times))
        };
        Column::new(head, lines().map(cell))
    };
    let mut columns: Vec<Column> = SHOWN.iter().map(shown).collect();
    let difference = |(class, policy): (&Class<'_>, &str)| {
        class.row(policy, TIME).and_then(|row| row.difference).map_or_else(|| "-".to_owned(), |own| in_ms(&own))
    };
    columns.push(Column::new("difference\nms", lines().map(difference)));
    let columns = columns.into_iter().filter(Column::says_something).collect();
    tables(&keys, &[columns])
}

fn in_ms(own: &Difference) -> String {
    with_interval(&Estimate { mean: Some(own.mean), ci95: own.ci95, values: Vec::new() }, 1e-3)
}

fn verdict(policies: &[&str], classes: &[Class<'_>]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut without_losers: Vec<&str> = Vec::new();
    for policy in policies.iter().filter(|policy| **policy != BASELINE) {
        let (line, is_free) = of_policy(policy, Kind::Size, classes);
        lines.push(format!("{policy}: {line}"));
        let mut are_free = is_free;
        if classes.iter().any(|class| class.kind == Kind::Dscp) {
            let (line, is_free) = of_policy(policy, Kind::Dscp, classes);
            lines.push(format!("{policy}, by class: {line}"));
            are_free &= is_free;
        }
        if are_free {
            without_losers.push(policy);
        }
    }
    for class in classes.iter().filter(|class| class.has_unfinished() && class.kind != Kind::All) {
        lines.push(format!("flows {}: some never finished, so their mean times are not compared", class.name));
    }
    lines.push(
        "an interval shows what other random start times would change; it says nothing about traffic other than the recorded"
            .to_owned(),
    );
    if !without_losers.is_empty() {
        lines.push(format!(
            "some flows gain, and no size and no class pays in mean time: {}",
            without_losers.join(", ")
        ));
    }
    lines.join("\n") + "\n"
}

/// Describes a policy by size or by class, and returns whether some flows gain and none lose.
fn of_policy(policy: &str, kind: Kind, classes: &[Class<'_>]) -> (String, bool) {
    let alike = || classes.iter().filter(|class| class.kind == kind && !class.has_unfinished());
    let of = |class: &Class<'_>| class.row(policy, TIME).and_then(|row| row.difference);
    let known: Vec<(String, Difference)> =
        alike().filter_map(|class| Some((class.counted(policy), of(class)?))).collect();
    let pairs = known.iter().map(|(_, own)| own.pairs).max().unwrap_or(0);
    if pairs == 0 {
        return ("no times that can be compared".to_owned(), false);
    }
    if pairs == 1 {
        return ("one repetition shows no difference that might not be chance; try --repetitions 5".to_owned(), false);
    }
    let said = |wanted: Finding, verb: &str, how: &str| {
        let found = known.iter().filter(move |(_, own)| Finding::of(own) == wanted);
        let all: Vec<String> = found
            .map(|(name, own)| {
                let share = own.ratio.map_or_else(String::new, |ratio| format!("{} % {how}, ", percent(ratio)));
                format!("{name} {verb} ({share}{} ms)", in_ms(own))
            })
            .collect();
        all
    };
    let (gains, losses) = (said(Finding::Gain, "gain", "less"), said(Finding::Loss, "pay", "more"));
    let is_free = !gains.is_empty() && losses.is_empty() && classes.iter().all(|class| !class.has_unfinished());
    let all = [gains, losses].concat();
    if all.is_empty() {
        return (format!("no difference that {pairs} repetitions can show"), false);
    }
    (all.join("; "), is_free)
}

/// Writes the difference between a ratio and one.
fn percent(ratio: f64) -> String {
    format!("{:.1}", (ratio - 1.0).abs() * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(mean: f64, ci95: Option<f64>) -> Difference {
        Difference { pairs: 5, mean, ci95, ratio: None }
    }

    #[test]
    fn only_an_interval_without_zero_is_a_finding() {
        for (mean, ci95, finding) in [
            (-2.0, Some(1.0), Finding::Gain),
            (2.0, Some(1.0), Finding::Loss),
            (-1.0, Some(1.0), Finding::Nothing),
            (0.0, Some(0.0), Finding::Nothing),
            (-2.0, None, Finding::Nothing),
        ] {
            assert_eq!(Finding::of(&difference(mean, ci95)), finding, "{mean} {ci95:?}");
        }
    }
}
