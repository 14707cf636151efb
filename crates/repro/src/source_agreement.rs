//! The agreement of all experiments with their sources: the counts after `forebay repro --all`, and the page docs/limits.md.

use super::Experiment;
use super::published::{PublishedRow, Standing, with_test};
use super::report::{ExperimentOutcome, Row};
use forebay::output::table::plain_table;
use std::collections::BTreeMap;

/// The numbers of rows, by their relation to their source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    /// The number of experiments: figures, tables and claims.
    experiments: usize,
    /// The number of experiments with a row that is open.
    with_open: usize,
    holds: usize,
    tested: usize,
    open: usize,
    certain: usize,
    not_as_stated: usize,
    skipped: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.experiments += other.experiments;
        self.with_open += other.with_open;
        self.holds += other.holds;
        self.tested += other.tested;
        self.open += other.open;
        self.certain += other.certain;
        self.not_as_stated += other.not_as_stated;
        self.skipped += other.skipped;
    }

    fn stated(&mut self, standing: Standing) {
        *match standing {
            Standing::Holds => &mut self.holds,
            Standing::Tested => &mut self.tested,
            Standing::Open => &mut self.open,
            Standing::Certain => &mut self.certain,
        } += 1;
    }

    /// Counts the rows as `experiment.toml` states them.
    fn of_experiment(experiment: &Experiment) -> Self {
        let mut count = Self { experiments: 1, ..Self::default() };
        experiment.rows.iter().for_each(|row| count.stated(row.standing()));
        count.with_open = usize::from(count.open > 0);
        count
    }

    /// Counts the rows as they were measured.
    fn of_outcome(outcome: &ExperimentOutcome) -> Self {
        let mut count = Self { experiments: 1, ..Self::default() };
        for row in &outcome.rows {
            match row {
                Row { holds: None, .. } => count.skipped += 1,
                row if row.is_as_stated() => count.stated(row.standing),
                _ => count.not_as_stated += 1,
            }
        }
        count.with_open = usize::from(count.open > 0);
        count
    }

    fn cells(&self) -> [usize; 8] {
        let Self { experiments, with_open, holds, tested, open, certain, not_as_stated, skipped } = *self;
        [experiments, with_open, holds, tested, open, certain, not_as_stated, skipped]
    }
}

/// The header of the columns of [`Count::cells`].
const HEADER: [&str; 8] = [
    "figures",
    "with open rows",
    "rows hold",
    "differ, tested",
    "differ, open",
    "cannot fail",
    "not as stated",
    "skipped",
];

/// Returns the counts by source, and their sum.
fn by_source(counts: impl Iterator<Item = (String, Count)>) -> Vec<(String, Count)> {
    let mut sources = BTreeMap::<String, Count>::new();
    let mut all = Count::default();
    for (name, count) in counts {
        let source = name.split('/').next().unwrap_or_default().to_owned();
        sources.entry(source).or_default().add(count);
        all.add(count);
    }
    sources.into_iter().chain([("all".to_owned(), all)]).collect()
}

/// Returns the numbers of rows that hold, differ and cannot fail, for each source.
pub fn summary(outcomes: &[ExperimentOutcome]) -> String {
    let counts = by_source(outcomes.iter().map(|outcome| (outcome.name.clone(), Count::of_outcome(outcome))));
    let header = ["source"].into_iter().chain(HEADER).map(str::to_owned).collect();
    let row = |(source, count): (String, Count)| {
        [source].into_iter().chain(count.cells().map(|number| number.to_string())).collect()
    };
    let mut text = plain_table(header, counts.into_iter().map(row).collect());
    text.push_str(
        "differ, tested: with the named cause changed the row holds. differ, open: no such change is known. Rows that cannot fail are not counted as holding.\n",
    );
    for outcome in outcomes {
        for row in outcome.rows.iter().filter(|row| !row.is_as_stated()) {
            let why = match (row.holds, &row.tested) {
                (Some(true), _) => "holds, and is said to differ",
                (_, Some(_)) => "does not hold with its cause changed either",
                _ => "does not hold",
            };
            text.push_str(&format!("not as stated: {}: {}: {why}\n", outcome.name, row.quantity));
        }
    }
    text
}

/// Returns the generated part of docs/limits.md: the counts that the experiments state, and every row that differs.
pub fn limits(experiments: &[Experiment]) -> String {
    let counts = by_source(experiments.iter().map(|it| (it.name.clone(), Count::of_experiment(it))));
    let columns = &HEADER[..6];
    let mut text = format!("| source | {} |\n| --- |{}\n", columns.join(" | "), " ---: |".repeat(columns.len()));
    for (source, count) in counts {
        let cells = count.cells().map(|number| number.to_string());
        text.push_str(&format!("| {source} | {} |\n", cells[..columns.len()].join(" | ")));
    }
    for (title, standing) in [("Open", Standing::Open), ("Tested", Standing::Tested)] {
        text.push_str(&format!("\n## {title}\n"));
        for experiment in experiments {
            let rows: Vec<_> = experiment.rows.iter().filter(|row| row.standing() == standing).collect();
            if !rows.is_empty() {
                text.push_str(&format!("\n### {}\n\n{}\n\n{}", experiment.name, experiment.title, reasons(&rows)));
            }
        }
    }
    text + &of_seeds(experiments)
}

/// Returns a line for each name, within a list.
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("    - {name}\n")).collect()
}

/// Returns the part on seeds: the number of seeds of each experiment, and the rows that only hold with some.
fn of_seeds(experiments: &[Experiment]) -> String {
    let tried = |experiment: &Experiment| {
        experiment.rows.iter().filter_map(|row| row.seeds.as_ref()).map(|tried| tried.measured.len()).max().unwrap_or(0)
    };
    let mut by_number = BTreeMap::<usize, Vec<&str>>::new();
    for experiment in experiments {
        by_number.entry(tried(experiment)).or_default().push(&experiment.name);
    }
    let mut text = "\n## Seeds\n\n`make test-seeds` measures all with the seeds 1 to 5, and keeps each number in `seeds.csv` beside its experiment.\n\n".to_owned();
    for (number, names) in by_number.into_iter().rev() {
        let line = match number {
            0 => format!("- not yet measured with several seeds:\n{}", listed(&names)),
            1 => format!("- measured with the first seed:\n{}", listed(&names)),
            _ => format!(
                "- measured with {number} seeds: {} experiment{}\n",
                names.len(),
                if names.len() == 1 { "" } else { "s" }
            ),
        };
        text.push_str(&line);
    }
    let rows: Vec<_> =
        experiments.iter().flat_map(|experiment| experiment.rows.iter().map(move |row| (experiment, row))).collect();
    let split = rows
        .iter()
        .filter_map(|(experiment, row)| Some((experiment, row, row.seeds.as_ref().filter(|it| it.is_split())?)));
    let lines: Vec<String> = split
        .map(|(experiment, row, tried)| {
            let numbers: Vec<String> = tried.measured.iter().map(|number| significant(*number)).collect();
            let (tolerance, numbers) = (&row.tolerance, numbers.join(", "));
            format!(
                "- {}: {}: {tried}. Measured: {numbers}. Published: {}, {tolerance}.\n",
                experiment.name, row.quantity, row.published
            )
        })
        .collect();
    text.push_str("\nRows that are not as stated with each of these seeds, with the numbers measured:\n\n");
    text.push_str(if lines.is_empty() { "none\n" } else { "" });
    text + &lines.concat()
}

/// Rounds a number to four significant digits.
fn significant(number: f64) -> String {
    let rounded = format!("{number:.3e}");
    rounded.parse::<f64>().map_or(rounded, |number| number.to_string())
}

/// Groups rows by their reason.
fn reasons(rows: &[&PublishedRow]) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for row in rows {
        let tested = row.tested.as_ref().map(|tested| tested.what.as_str());
        let reason = with_test(row.differs.as_deref().unwrap_or_default(), tested);
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, quantities)) => quantities.push(&row.quantity),
            None => groups.push((reason, vec![&row.quantity])),
        }
    }
    let lines = groups.iter().map(|(reason, quantities)| format!("- {}\n  - {reason}\n", quantities.join("\n- ")));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measured, all};
    use forebay::document::Node;
    use std::path::Path;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md");
    /// The beginning of the generated part.
    const BEGINS: &str = "| source |";

    #[test]
    fn the_page_of_limits_is_what_the_experiments_state() {
        let generated = limits(&all().unwrap());
        let page = std::fs::read_to_string(PAGE).unwrap();
        let at = page.find(BEGINS).unwrap();
        if std::env::var_os("UPDATE_LIMITS").is_some() {
            std::fs::write(Path::new(PAGE), format!("{}{generated}", &page[..at])).unwrap();
            return;
        }
        assert!(
            page[at..] == generated,
            "docs/limits.md is not up to date: UPDATE_LIMITS=1 cargo test -p forebay-repro"
        );
    }

    #[test]
    fn rows_are_counted_by_how_they_stand() {
        let row = |more: &str, value: f64| {
            let text = format!(
                "quantity = \"q\"\npublished = 10\nbasis = \"printed\"\nprinted = \"10\"\nvalue = \"v\"\ntolerance = \"10 %\"\n{more}"
            );
            let row = PublishedRow::read(&Node::parse("experiment.toml", &text).unwrap()).unwrap();
            let mut measured = Measured::default();
            measured.value("v", value);
            measured.value("w", 10.5);
            Row::judge(&row, &measured, true).unwrap()
        };
        let differs = "differs = \"it waits\"\n";
        let tested = format!("{differs}tested = {{ value = \"w\", what = \"without waiting\" }}");
        let wrong = format!("{differs}tested = {{ value = \"v\", what = \"with nothing changed\" }}");
        let rows = vec![
            row("", 10.0),
            row("", 20.0),
            row(differs, 20.0),
            row(differs, 10.0),
            row(&tested, 20.0),
            row(&wrong, 20.0),
            row("certain = \"it is set\"", 10.0),
            row("certain = \"it is set\"", 20.0),
        ];
        let outcome = ExperimentOutcome { name: "paper/figure".to_owned(), seed: 1, rows, files: Vec::new() };
        let expected = Count {
            experiments: 1,
            with_open: 1,
            holds: 1,
            tested: 1,
            open: 1,
            certain: 1,
            not_as_stated: 4,
            skipped: 0,
        };
        assert_eq!(Count::of_outcome(&outcome), expected);
        assert!(!outcome.is_as_stated());
        let text = summary(&[outcome]);
        assert_eq!(text.matches("not as stated: paper/figure: q: does not hold\n").count(), 2, "{text}");
        assert!(text.contains("q: holds, and is said to differ\n"), "{text}");
        assert!(text.contains("q: does not hold with its cause changed either\n"), "{text}");
    }
}
