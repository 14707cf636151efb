//! The written part of docs/perf/history.md: a row for each benchmark, with the cases that changed most, and the figures.

use super::compare::percent;
use super::draw::figure_of;
use super::history::{Case, first, last};
use crate::files::{ChoreResult, read, root};
use forebay_bench::{Line, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub(crate) const PAGE: &str = "docs/perf/history.md";
/// The lines before and after the written part.
const BEGIN: &str = "<!-- written by `make bench-keep` -->\n";
const END: &str = "<!-- end of the written part -->\n";

/// Writes the table and the figures into the page.
pub(crate) fn write(kept: &[Line]) -> ChoreResult<()> {
    let page = with_part(&read(PAGE)?, &(table(kept) + &figures(kept)))?;
    fs::write(root().join(PAGE), page).map_err(|error| vec![format!("{PAGE}: {error}")])
}

fn with_part(page: &str, part: &str) -> ChoreResult<String> {
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| {
        vec![format!("{PAGE}: the table has no place; add the lines `{}` and `{}`", BEGIN.trim(), END.trim())]
    })?;
    Ok(format!("{before}{BEGIN}\n{part}\n{END}{after}"))
}

fn table(kept: &[Line]) -> String {
    let (first, last) = (first(kept), last(kept));
    let mut benches: BTreeMap<(&str, &str), Vec<(Case<'_>, f64)>> = BTreeMap::new();
    for (case, now) in last.iter().filter(|(_, line)| line.unit == Unit::Instructions) {
        let change = percent(first[case].value, now.value);
        benches.entry((case.0, case.1)).or_default().push((*case, change));
    }
    let mut table =
        String::from("| benchmark | cases | last kept | grew most | shrank most |\n| --- | --- | --- | --- | --- |\n");
    for ((package, bench), mut cases) in benches {
        cases.sort_by(|a, b| a.1.total_cmp(&b.1));
        let newest = kept.iter().rfind(|line| line.package == package && line.bench == bench);
        let newest = newest.map_or(String::new(), |line| format!("`{:.7}`, {}", line.commit, line.date));
        let shown = |case: Option<&(Case<'_>, f64)>| match case {
            Some(((_, _, case, _), change)) if change.abs() >= 0.05 => format!("{case}: {change:+.1} %"),
            _ => "none".to_owned(),
        };
        let grown = shown(cases.last().filter(|(_, change)| *change > 0.0));
        let shrunk = shown(cases.first().filter(|(_, change)| *change < 0.0));
        let package = package.trim_start_matches("forebay-");
        table.push_str(&format!("| {package}, `{bench}` | {} | {newest} | {grown} | {shrunk} |\n", cases.len()));
    }
    table
}

/// The figure of each crate with instruction counts.
fn figures(kept: &[Line]) -> String {
    let counts = kept.iter().filter(|line| line.unit == Unit::Instructions);
    let packages: BTreeSet<_> = counts.map(|line| line.package.as_str()).collect();
    let link = |package| format!("\n![Instructions of {package} over commits]({})\n", figure_of(package));
    packages.into_iter().map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::line;
    use super::*;

    #[test]
    fn a_row_names_the_cases_that_changed_most() {
        let count = |case, value, commit| line(case, Unit::Instructions, value, commit);
        let mut kept = vec![count("fifo", 100.0, "1"), count("hffs", 100.0, "1"), line("fifo", Unit::Ratio, 1.0, "1")];
        assert!(table(&kept).ends_with("| sched, `rank_queues` | 2 | `1`, 1 | none | none |\n"), "{}", table(&kept));
        kept.extend([count("fifo", 90.0, "2"), count("hffs", 110.0, "2")]);
        let row = "| sched, `rank_queues` | 2 | `2`, 2 | hffs: +10.0 % | fifo: -10.0 % |\n";
        assert!(table(&kept).ends_with(row), "{}", table(&kept));
    }

    #[test]
    fn each_crate_with_counts_has_a_figure() {
        let kept = [line("fifo", Unit::Instructions, 1.0, "1"), line("hffs", Unit::Instructions, 1.0, "1")];
        let link = "\n![Instructions of forebay-sched over commits](history-forebay-sched.svg)\n";
        assert_eq!(figures(&kept), link);
        assert_eq!(figures(&[line("fifo", Unit::Ratio, 1.0, "1")]), "");
    }

    #[test]
    fn the_table_replaces_the_one_before() {
        let page = format!("# Page\n\n{BEGIN}\nwas\n\n{END}\nText.\n");
        let written = with_part(&page, "is\n").expect("there is a place");
        assert_eq!(written, format!("# Page\n\n{BEGIN}\nis\n\n{END}\nText.\n"));
        assert_eq!(with_part(&written, "is\n"), Ok(written.clone()));
        assert!(with_part("# Page\n", "is\n").is_err());
    }
}
