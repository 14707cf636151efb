//! Which cases need more instructions than at the commit that was kept last.

use super::history::{Case, last};
use super::{KEPT, MEASURED};
use crate::files::ChoreResult;
use forebay_bench::{Line, Unit};
use std::collections::BTreeMap;

/// The growth that is accepted, in percent. Counts vary by less from one build to the next.
pub(crate) const ACCEPTED_PERCENT: f64 = 3.0;

/// By how many percent a count differs from an earlier one.
pub(crate) fn percent(earlier: f64, now: f64) -> f64 {
    if now == earlier { 0.0 } else { (now - earlier) * 100.0 / earlier }
}

/// Compares instruction counts. Ratios of times depend on the machine, so they are kept but not compared.
pub(crate) fn compare(kept: &[Line], measured: &[Line]) -> ChoreResult<String> {
    let (kept, measured) = (counts(kept), counts(measured));
    if measured.is_empty() {
        return Err(vec![format!(
            "{MEASURED}: there are no instruction counts; install valgrind, and run `make bench`"
        )]);
    }
    let (mut grown, mut similar, mut shrunk, mut unknown) = (Vec::new(), 0, 0, 0);
    for (case, now) in &measured {
        let Some(earlier) = kept.get(case) else {
            unknown += 1;
            continue;
        };
        let change = percent(earlier.value, now.value);
        if change > ACCEPTED_PERCENT {
            grown.push(format!(
                "{} {}: {}: {} instructions at {}, {} now (+{change:.1} %)",
                now.package, now.bench, now.case, earlier.value, earlier.commit, now.value
            ));
        } else if change < -ACCEPTED_PERCENT {
            shrunk += 1;
        } else {
            similar += 1;
        }
    }
    if grown.is_empty() {
        let missing = kept.keys().filter(|case| !measured.contains_key(*case)).count();
        Ok(format!(
            "no count grew by more than {ACCEPTED_PERCENT} %: {similar} are similar, {shrunk} shrank by more, \
             {unknown} are not in {KEPT}, and {missing} of that file were not measured"
        ))
    } else {
        Err(grown)
    }
}

/// The last instruction count of each case.
fn counts(lines: &[Line]) -> BTreeMap<Case<'_>, &Line> {
    let mut counts = last(lines);
    counts.retain(|_, line| line.unit == Unit::Instructions);
    counts
}

#[cfg(test)]
mod tests {
    use super::super::history::tests::line;
    use super::*;

    fn count(case: &str, value: f64, commit: &str) -> Line {
        line(case, Unit::Instructions, value, commit)
    }

    #[test]
    fn growth_of_more_than_three_percent_is_named_with_both_numbers() {
        let kept = [count("fifo", 50.0, "1"), count("fifo", 100.0, "2"), count("hffs", 100.0, "2")];
        let problems = compare(&kept, &[count("fifo", 104.0, "3"), count("hffs", 103.0, "3")]);
        assert_eq!(
            problems,
            Err(vec!["forebay-sched rank_queues: fifo: 100 instructions at 2, 104 now (+4.0 %)".to_owned()])
        );
    }

    #[test]
    fn cases_that_did_not_grow_are_counted() {
        let kept = [count("fifo", 100.0, "1"), count("hffs", 100.0, "1"), count("pifo", 100.0, "1")];
        let measured = [count("fifo", 90.0, "2"), count("hffs", 100.0, "2"), count("aifo", 10.0, "2")];
        let said = compare(&kept, &measured).expect("nothing grew");
        assert!(said.contains("1 are similar, 1 shrank by more, 1 are not in"), "{said}");
        assert!(said.ends_with("and 1 of that file were not measured"), "{said}");
    }

    #[test]
    fn ratios_are_not_compared() {
        let ratio = |value| line("fifo", Unit::Ratio, value, "1");
        assert!(compare(&[ratio(1.0)], &[ratio(2.0), count("fifo", 1.0, "2")]).is_ok());
        let problems = compare(&[], &[ratio(2.0)]).expect_err("there are no counts");
        assert!(problems[0].contains("install valgrind"), "{problems:?}");
    }

    #[test]
    fn any_count_is_growth_from_nothing() {
        assert!(compare(&[count("fifo", 0.0, "1")], &[count("fifo", 1.0, "2")]).is_err());
        assert!(compare(&[count("fifo", 0.0, "1")], &[count("fifo", 0.0, "2")]).is_ok());
    }
}
