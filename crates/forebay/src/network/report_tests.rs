//! Tests of combining repetitions.

use crate::network::run_result::RunResult;
use crate::network::sample;

fn with_flows(flows: u64, load: Option<f64>) -> RunResult {
    RunResult { flows, offered_load: load, ..sample::run(10.0, 0) }
}

#[test]
fn numbers_are_means_over_repetitions_with_their_intervals() {
    let cells = [(3, Some(0.5)), (5, None), (10, Some(0.7))];
    let cells = (0..)
        .zip(cells)
        .map(|(repetition, (flows, load))| sample::cell("TCP", "0.5", repetition, with_flows(flows, load)));
    let report = sample::report(4, 4, cells.collect());
    let cell = &report.results[0];
    assert_eq!((report.results.len(), cell.complete, &cell.repetitions[..]), (1, false, &[0, 1, 2][..]));
    assert!(!report.is_complete());
    let flows = cell.quantities.get("flows").unwrap();
    assert_eq!((flows.mean, &flows.values[..]), (Some(6.0), &[Some(3.0), Some(5.0), Some(10.0)][..]));
    // Student's t for two degrees of freedom, times the deviation over the root of three.
    assert!((flows.ci95.unwrap() - 4.3027 * (13.0_f64 / 3.0).sqrt()).abs() < 1e-3);
    // A repetition without a value does not count.
    let load = cell.quantities.get("offered_load").unwrap();
    assert_eq!((load.mean, load.values.len()), (Some(0.6), 3));
    assert!((load.ci95.unwrap() - 12.706 * 0.1).abs() < 1e-3);
}

#[test]
fn cells_are_told_apart_by_policy_and_axes() {
    let cells = [("TCP", "0.5"), ("TCP", "0.8"), ("DCTCP", "0.8")];
    let cells = cells.iter().map(|(policy, load)| sample::cell(policy, load, 0, sample::run(10.0, 0)));
    let report = sample::report(1, 3, cells.collect());
    let titles: Vec<String> = report.results.iter().map(super::CellReport::title).collect();
    assert_eq!(titles, ["TCP, load 0.5", "TCP, load 0.8", "DCTCP, load 0.8"]);
    assert!(report.is_complete() && report.results.iter().all(|cell| cell.complete));
}

#[test]
fn inversions_are_there_in_all_and_by_rank() {
    let run = |times| RunResult { inversions: vec![sample::inversions(times)], ..sample::run(10.0, 0) };
    let cells = [0, 1].map(|repetition| sample::cell("FIFO", "0.5", repetition, run(1 + repetition)));
    let json = serde_json::to_value(sample::report(2, 2, cells.into())).unwrap();
    let cell = &json["results"][0];
    assert_eq!(cell["quantities"]["inversions"]["mean"], 22.5);
    let link = &cell["inversions_by_rank"][0];
    assert_eq!((&link["link"], &link["bin_width"]), (&"s>h3".into(), &2.into()));
    assert_eq!(link["lowest_rank"], serde_json::json!([0, 2]));
    assert_eq!(link["packets_out"]["mean"], serde_json::json!([50.0, 40.0]));
    assert_eq!(link["inversions"]["mean"], serde_json::json!([0.0, 22.5]));
    assert!(link["inversions"]["ci95"][1].is_number());
}

#[test]
fn curves_are_means_at_each_share() {
    let cells = [10.0, 30.0].map(|least_us| sample::run(least_us, 0));
    let cells = (0..).zip(cells).map(|(repetition, run)| sample::cell("TCP", "0.5", repetition, run)).collect();
    let report = sample::report(2, 2, cells);
    let curves = report.results[0].group(Some(0)).unwrap().curves.as_ref().unwrap();
    assert_eq!((curves.fct_ns.len(), report.curve_shares.len()), (119, 119));
    assert_eq!((curves.fct_ns[0], curves.slowdown[0]), (20_000.0, 1.0));
    assert!((curves.fct_ns[118] - 2e6).abs() < 1e-6);
}

#[test]
fn unfinished_flows_are_warned_of_where_they_are_many() {
    let warnings = |unfinished| {
        let cell = sample::cell("TCP", "0.5", 0, sample::run(10.0, unfinished));
        sample::report(1, 1, vec![cell]).warnings
    };
    // 1 of 120 is less than a hundredth, 2 of 121 is more.
    assert!(warnings(1).is_empty());
    assert_eq!(
        warnings(2),
        [
            "TCP, load 0.5: 1.7 % of flows are unfinished, so the numbers of the completed flows look better than they are"
        ]
    );
    // In a class there may be more than overall.
    let mut result = sample::run(10.0, 10);
    result.groups[0].completed = 9_990;
    let hidden = sample::report(1, 1, vec![sample::cell("TCP", "0.5", 0, result)]);
    assert_eq!(
        hidden.warnings,
        [
            "TCP, load 0.5: 0.1 % of flows are unfinished, 7.8 % of those of >= 100 KB, so the numbers of the completed flows look better \
             than they are"
        ]
    );
}

#[test]
fn the_json_has_names_for_everything() {
    let json = serde_json::to_value(sample::sweep()).unwrap();
    let cell = &json["results"][0];
    assert_eq!(cell["axes"][0]["name"], "load");
    assert_eq!(cell["axes"][0]["number"], 0.2);
    assert_eq!(cell["quantities"]["packet_hops"]["values"][1], 20_000.0);
    assert_eq!(cell["groups"][1]["sizes"]["name"], "< 100 KB");
    assert_eq!(cell["groups"][1]["sizes"]["below_bytes"], 100_000);
    assert!(cell["groups"][1]["quantities"]["fct_ns_p99"]["ci95"].is_number());
    assert_eq!(cell["ended"][0], "finished");
    assert_eq!(json["network"]["completion"], "received");
    assert!(cell.get("series").is_none() && cell.get("inversions_by_rank").is_none());
}
