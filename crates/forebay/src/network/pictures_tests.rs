//! Tests of the pictures of a network scenario and their content.

use super::*;
use crate::network::run_result::RunResult;
use crate::network::sample;
use crate::sweep::AxisValue;

fn pictures_of(report: &NetworkReport) -> Vec<Picture> {
    pictures(report, &Frame::from(report)).unwrap()
}

fn names(pictures: &[Picture]) -> Vec<&str> {
    pictures.iter().map(|picture| &picture.name[..]).collect()
}

fn find<'a>(pictures: &'a [Picture], name: &str) -> &'a Figure {
    let found = pictures.iter().find(|picture| picture.name == name);
    &found.unwrap_or_else(|| panic!("{name} of {:?}", names(pictures))).figure
}

fn series(figure: &Figure) -> Vec<&str> {
    figure.panels[0].series.iter().map(|series| &series.name[..]).collect()
}

#[test]
fn there_is_a_picture_of_everything_that_was_measured() {
    let pictures = pictures_of(&sample::sweep());
    assert_eq!(
        names(&pictures),
        ["fct-of-sizes-by-load", "fct-by-load", "slowdown", "fct", "queues", "windows", "rates"]
    );
    let by_load = find(&pictures, "fct-of-sizes-by-load");
    assert_eq!(by_load.title, "web search: completion times by load");
    let panels: Vec<_> = by_load.panels.iter().map(|panel| (&panel.title[..], &panel.y.title[..])).collect();
    assert!(panels.contains(&("< 100 KB", "mean flow completion time")), "{panels:?}");
    assert!(panels.contains(&(">= 100 KB", "flow completion time, p99")), "{panels:?}");
    assert!(series(by_load).contains(&"DCTCP"));
    let slowdown = find(&pictures, "slowdown");
    assert!(slowdown.panels.iter().any(|panel| panel.title == "all flows, load 0.8"));
    for (name, bytes) in pictures.iter().flat_map(|picture| picture.files().unwrap()) {
        assert!(bytes.starts_with(b"<svg") || bytes.starts_with(b"panel,"), "{name}");
    }
}

#[test]
fn inversions_are_shown_by_axis_and_by_rank_where_they_were_counted() {
    let cells = [("FIFO", "0.5", 3), ("SP-PIFO", "0.5", 1), ("FIFO", "0.8", 9), ("SP-PIFO", "0.8", 4)];
    let cell = |(policy, load, times)| {
        sample::cell(policy, load, 0, RunResult { inversions: vec![sample::inversions(times)], ..sample::run(10.0, 0) })
    };
    let pictures = pictures_of(&sample::report(1, 4, cells.map(cell).into()));
    let by_load = find(&pictures, "inversions-by-load");
    assert_eq!((by_load.title.as_str(), by_load.panels.len()), ("web search: inversions by load", 1));
    let by_rank = find(&pictures, "inversions");
    assert_eq!(by_rank.title, "web search: inversions by rank, mean of a run");
    assert!(by_rank.panels.iter().any(|panel| panel.title.ends_with(", load 0.5")));
    for figure in [by_load, by_rank] {
        assert_eq!(series(figure), ["FIFO", "SP-PIFO"]);
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
    let pictures = pictures_of(&sample::report(1, 4, cells.map(cell).into()));
    let states = find(&pictures, "states-by-load");
    let titles: Vec<_> = states.panels.iter().map(|panel| (&panel.title[..], &panel.y.title[..])).collect();
    assert_eq!(titles, [("flows", "miss share"), ("flows", "mean wait")]);
    assert_eq!(series(states), ["lru", "lru-seer"]);
}

#[test]
fn one_value_is_no_axis() {
    let cells: Vec<_> = ["TCP", "DCTCP"].map(|policy| sample::cell(policy, "0.5", 0, sample::run(10.0, 0))).into();
    assert_eq!(names(&pictures_of(&sample::report(1, 2, cells))), ["slowdown", "fct"]);
}

#[test]
fn an_axis_of_one_scheme_belongs_to_its_name() {
    let mut own = sample::cell("DCTCP", "0.5", 0, sample::run(10.0, 0));
    own.axes.push(("gain".to_owned(), AxisValue { text: "0.1".to_owned(), number: Some(0.1) }));
    let report = sample::report(1, 2, vec![sample::cell("TCP", "0.5", 0, sample::run(10.0, 0)), own]);
    let common = common_axes(&report);
    assert_eq!(common, ["load"]);
    assert_eq!(label(&report.results[1], &common), "DCTCP, gain 0.1");
    assert_eq!(series(find(&pictures_of(&report), "slowdown")), ["TCP", "DCTCP, gain 0.1"]);
}

#[test]
fn nothing_measured_is_no_picture() {
    assert!(pictures_of(&sample::report(1, 2, Vec::new())).is_empty());
    let mut unfinished = sample::run(10.0, 5);
    unfinished.groups.iter_mut().for_each(|group| group.fct_ns.curve.clear());
    unfinished.groups.iter_mut().for_each(|group| group.slowdown.curve.clear());
    let report = sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, unfinished)]);
    assert!(pictures_of(&report).is_empty());
}

#[test]
fn flows_that_never_end_have_no_completion_times_by_anything() {
    let endless = |load: &str| {
        let mut run = sample::run(10.0, 0);
        run.groups.iter_mut().for_each(|group| (group.fct_ns, group.slowdown) = Default::default());
        sample::cell("TCP", load, 0, run)
    };
    let report = sample::report(1, 2, vec![endless("0.2"), endless("0.5")]);
    assert!(pictures_of(&report).is_empty());
}
