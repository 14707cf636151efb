//! Which pictures there are, and what stands in them.

use super::*;
use crate::network::run_result::{CellResult, RunResult};
use crate::network::sample;
use crate::sweep::AxisValue;

#[test]
fn there_is_a_picture_of_everything_that_was_measured() {
    let report = sample::sweep();
    let files = files(&report).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names[..3], ["fct-by-load.svg", "slowdown-load-0.2.svg", "slowdown-load-0.5.svg"]);
    for what in ["slowdown", "fct", "queues", "windows", "rates"] {
        assert!(names.contains(&format!("{what}-load-0.8.svg").as_str()), "{names:?}");
    }
    assert_eq!(names.len(), 1 + 5 * 3);
    let by_load = &files[0].1;
    for text in ["web search: completion times by load", "&lt; 100 KB: mean", "&gt;= 100 KB: 99th percentile", "DCTCP"]
    {
        assert!(by_load.contains(text), "{text}");
    }
}

#[test]
fn inversions_are_shown_by_axis_and_by_rank_where_they_were_counted() {
    let cells = [("FIFO", "0.5", 3), ("SP-PIFO", "0.5", 1), ("FIFO", "0.8", 9), ("SP-PIFO", "0.8", 4)];
    let cell = |(scheme, load, times)| {
        sample::cell(scheme, load, 0, RunResult { inversions: vec![sample::inversions(times)], ..sample::run(10.0, 0) })
    };
    let files = files(&sample::report(1, 4, cells.map(cell).into())).unwrap();
    let find = |file: &str| &files.iter().find(|(name, _)| name == file).unwrap_or_else(|| panic!("{file}")).1;
    for (file, title) in [
        ("inversions-by-load.svg", "web search: inversions by load"),
        ("inversions-load-0.5.svg", "web search: inversions by rank, mean of a run, load 0.5"),
        ("inversions-load-0.8.svg", "web search: inversions by rank, mean of a run, load 0.8"),
    ] {
        for text in [title, "FIFO", "SP-PIFO"] {
            assert!(find(file).contains(text), "{file}: {text}");
        }
    }
}

#[test]
fn misses_are_shown_by_axis_and_policies_within_a_scheme_together() {
    let cell = |(policy, load, misses): (&str, &str, u64)| {
        let result = RunResult { states: vec![sample::states(policy, misses)], ..sample::run(10.0, 0) };
        let mut cell = sample::cell("DCTCP", load, 0, result);
        cell.axes.push(("state_policy".to_owned(), AxisValue { text: policy.to_owned(), number: None }));
        cell
    };
    let cells = [("lru", "0.5", 90), ("lru-seer", "0.5", 40), ("lru", "0.8", 95), ("lru-seer", "0.8", 50)];
    let files = files(&sample::report(1, 4, cells.map(cell).into())).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names[..2], ["fct-by-load.svg", "states-by-load.svg"]);
    assert!(names.contains(&"slowdown-load-0.8.svg"), "{names:?}");
    for text in ["states in switches by load", "misses", "mean wait of a packet", "state_policy lru-seer", "flows"] {
        assert!(files[1].1.contains(text), "{text}");
    }
}

#[test]
fn one_value_is_no_axis() {
    let cells: Vec<CellResult> =
        ["TCP", "DCTCP"].map(|scheme| sample::cell(scheme, "0.5", 0, sample::run(10.0, 0))).into();
    let names: Vec<String> = files(&sample::report(1, 2, cells)).unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["slowdown-load-0.5.svg", "fct-load-0.5.svg"]);
}

#[test]
fn an_axis_of_one_scheme_belongs_to_its_name() {
    let mut own = sample::cell("DCTCP", "0.5", 0, sample::run(10.0, 0));
    own.axes.push(("gain".to_owned(), AxisValue { text: "0.1".to_owned(), number: Some(0.1) }));
    let report = sample::report(1, 2, vec![sample::cell("TCP", "0.5", 0, sample::run(10.0, 0)), own]);
    let common = common_axes(&report);
    assert_eq!(common, ["load"]);
    assert_eq!(label(&report.results[1], &common), "DCTCP, gain 0.1");
    assert_eq!(points(&report, None).len(), 1);
}

#[test]
fn nothing_measured_is_no_picture() {
    assert!(files(&sample::report(1, 2, Vec::new())).unwrap().is_empty());
    let mut unfinished = sample::run(10.0, 5);
    unfinished.groups.iter_mut().for_each(|group| group.fct_ns.curve.clear());
    unfinished.groups.iter_mut().for_each(|group| group.slowdown.curve.clear());
    let report = sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, unfinished)]);
    assert!(files(&report).unwrap().is_empty());
}

#[test]
fn flows_that_never_end_have_no_completion_times_by_anything() {
    let endless = |load: &str| {
        let mut run = sample::run(10.0, 0);
        run.groups.iter_mut().for_each(|group| (group.fct_ns, group.slowdown) = Default::default());
        sample::cell("TCP", load, 0, run)
    };
    let report = sample::report(1, 2, vec![endless("0.2"), endless("0.5")]);
    assert!(files(&report).unwrap().is_empty());
}

#[test]
fn numbers_have_their_units() {
    let texts = [time(0.0), time(1.5e3), time(2e6), time(300.000_000_000_06), bytes(15_000.0), rate(1e9)];
    assert_eq!(texts, ["0", "1.5 us", "2 ms", "300 ns", "15 KB", "1 Gbps"]);
}
