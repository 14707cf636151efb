//! A figure for each crate, drawn by `forebay plot`: instructions over commits, relative to the first kept line of each case.

use super::history::{case_of, first};
use crate::files::{ChoreResult, root};
use forebay_bench::{Line, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// The program that draws.
const PROGRAM: &str = "target/debug/forebay";
const VALUE: &str = "instructions / first kept count";

/// Draws all figures and returns their number.
pub(crate) fn draw(kept: &[Line]) -> ChoreResult<usize> {
    if !root().join(PROGRAM).exists() {
        return Err(vec![format!("{PROGRAM}: is missing; run `cargo build --package forebay-cli`")]);
    }
    let packages: BTreeSet<_> = counts(kept).map(|line| line.package.as_str()).collect();
    for package in &packages {
        let table = format!("target/bench/{package}.csv");
        fs::create_dir_all(root().join("target/bench"))
            .and_then(|()| fs::write(root().join(&table), csv(kept, package)))
            .map_err(|error| vec![format!("{table}: {error}")])?;
        let figure = format!("docs/perf/{}", figure_of(package));
        let status = Command::new(root().join(PROGRAM))
            .args(["plot", &table, "--x", "commit", "--y", VALUE, "--by", "of all cases", "--panel-by", "benchmark"])
            .args(["--kind", "lines", "--alone", "--out", &figure])
            .current_dir(root())
            .status();
        let status = status.map_err(|error| vec![format!("{PROGRAM}: {error}")])?;
        if !status.success() {
            return Err(vec![format!("{figure}: `forebay plot` failed for the reason above")]);
        }
    }
    Ok(packages.len())
}

/// The file of a crate's figure, beside the page.
pub(crate) fn figure_of(package: &str) -> String {
    format!("history-{package}.svg")
}

fn counts(kept: &[Line]) -> impl Iterator<Item = &Line> {
    kept.iter().filter(|line| line.unit == Unit::Instructions)
}

/// The highest, the median and the lowest relative count of each benchmark at each commit, in the order of commits in the file.
fn csv(kept: &[Line], package: &str) -> String {
    let first = first(kept);
    let mut commits: Vec<&str> = Vec::new();
    let mut relative: BTreeMap<(&str, usize), Vec<f64>> = BTreeMap::new();
    for line in counts(kept).filter(|line| line.package == package) {
        let at = commits.iter().position(|commit| *commit == line.commit).unwrap_or_else(|| {
            commits.push(&line.commit);
            commits.len() - 1
        });
        let start = first[&case_of(line)].value;
        if start > 0.0 {
            relative.entry((&line.bench, at)).or_default().push(line.value / start);
        }
    }
    let mut csv = format!("commit,benchmark,of all cases,{VALUE}\n");
    for ((bench, at), mut values) in relative {
        values.sort_by(f64::total_cmp);
        // The sign makes a name of a commit whose digits are all decimal.
        let commit = format!("@{:.7}", commits[at]);
        let middle = (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0;
        for (name, value) in [("highest", values[values.len() - 1]), ("median", middle), ("lowest", values[0])] {
            csv.push_str(&format!("{commit},{bench},{name},{value}\n"));
        }
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::line;
    use super::*;

    #[test]
    fn counts_are_relative_to_the_first_of_their_case() {
        let count = |case, value, commit| line(case, Unit::Instructions, value, commit);
        let kept = [
            count("fifo", 100.0, "b"),
            count("hffs", 10.0, "b"),
            line("fifo", Unit::Ratio, 7.0, "a"),
            count("fifo", 150.0, "a"),
            count("hffs", 10.0, "a"),
        ];
        let rows = "@b,rank_queues,highest,1\n@b,rank_queues,median,1\n@b,rank_queues,lowest,1\n\
             @a,rank_queues,highest,1.5\n@a,rank_queues,median,1.25\n@a,rank_queues,lowest,1\n";
        assert_eq!(csv(&kept, "forebay-sched").split_once('\n').map(|(_, rows)| rows), Some(rows));
        assert_eq!(csv(&kept, "forebay-sim").lines().count(), 1);
    }
}
