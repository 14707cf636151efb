//! Lines of many cases and commits.

use crate::files::ChoreResult;
use forebay_bench::{Line, Measured, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What lines of different commits have in common: crate, benchmark, case and unit.
pub(crate) type Case<'a> = (&'a str, &'a str, &'a str, Unit);

pub(crate) fn case_of(line: &Line) -> Case<'_> {
    (&line.package, &line.bench, &line.case, line.unit)
}

/// The lines of a file. All wrong lines are named.
pub(crate) fn parse(file: &str, text: &str) -> ChoreResult<Vec<Line>> {
    let mut lines = Vec::new();
    let mut problems = Vec::new();
    for (number, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        match Line::parse(text) {
            Ok(line) => lines.push(line),
            Err(problem) => problems.push(format!("{file}:{number}: {problem}")),
        }
    }
    if problems.is_empty() { Ok(lines) } else { Err(problems) }
}

/// Only a committed state can be measured again.
pub(crate) fn check_commits(file: &str, lines: &[Line]) -> ChoreResult<()> {
    match lines.iter().position(|line| line.commit.ends_with(Measured::CHANGED)) {
        None => Ok(()),
        Some(at) => Err(vec![format!(
            "{file}:{}: measured with changes that are not committed; commit them, and run `make bench` again",
            at + 1
        )]),
    }
}

/// The kept lines and the measured ones. A measured line replaces that of the same case and commit.
pub(crate) fn merged(kept: Vec<Line>, measured: &[Line]) -> Vec<Line> {
    let last: BTreeMap<_, _> = measured.iter().map(|line| ((case_of(line), line.commit.as_str()), line)).collect();
    let mut all: Vec<Line> =
        kept.into_iter().filter(|line| !last.contains_key(&(case_of(line), line.commit.as_str()))).collect();
    let mut added = BTreeSet::new();
    for line in measured {
        let key = (case_of(line), line.commit.as_str());
        if added.insert(key) {
            all.push(last[&key].clone());
        }
    }
    all
}

/// The last line of each case.
pub(crate) fn last(lines: &[Line]) -> BTreeMap<Case<'_>, &Line> {
    lines.iter().map(|line| (case_of(line), line)).collect()
}

/// The first line of each case.
pub(crate) fn first(lines: &[Line]) -> BTreeMap<Case<'_>, &Line> {
    lines.iter().rev().map(|line| (case_of(line), line)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A line of a case of the crate `forebay-sched`, with the commit as its date.
    pub(crate) fn line(case: &str, unit: Unit, value: f64, commit: &str) -> Line {
        let [package, bench, case] = ["forebay-sched", "rank_queues", case].map(str::to_owned);
        Line { package, bench, case, unit, value, commit: commit.to_owned(), date: commit.to_owned() }
    }

    #[test]
    fn all_wrong_lines_are_named() {
        let good = line("fifo", Unit::Ratio, 1.0, "a").to_json();
        assert_eq!(parse("f", &format!("{good}\n\n{good}\n")).map(|lines| lines.len()), Ok(2));
        let problems = parse("f", &format!("x\n{good}\n{{}}\n")).expect_err("two lines are wrong");
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("f:1: ") && problems[1].starts_with("f:3: "), "{problems:?}");
    }

    #[test]
    fn a_case_has_one_line_for_each_commit() {
        let kept = vec![line("a", Unit::Ratio, 1.0, "1"), line("a", Unit::Ratio, 2.0, "2")];
        let measured =
            [line("a", Unit::Ratio, 3.0, "2"), line("b", Unit::Ratio, 4.0, "2"), line("a", Unit::Ratio, 5.0, "2")];
        let values: Vec<_> = merged(kept, &measured).iter().map(|line| line.value).collect();
        assert_eq!(values, [1.0, 5.0, 4.0]);
    }

    #[test]
    fn changes_that_are_not_committed_are_not_kept() {
        let lines = [line("a", Unit::Ratio, 1.0, "1"), line("b", Unit::Ratio, 1.0, "1-changed")];
        assert!(check_commits("f", &lines[..1]).is_ok());
        let problems = check_commits("f", &lines).expect_err("the second line has changes");
        assert!(problems[0].starts_with("f:2: "), "{problems:?}");
    }

    #[test]
    fn first_and_last_are_those_of_the_file() {
        let lines = [line("a", Unit::Ratio, 1.0, "2"), line("a", Unit::Ratio, 2.0, "1")];
        let value = |lines: BTreeMap<Case<'_>, &Line>| lines.into_values().map(|line| line.value).collect::<Vec<_>>();
        assert_eq!((value(first(&lines)), value(last(&lines))), (vec![1.0], vec![2.0]));
    }
}
