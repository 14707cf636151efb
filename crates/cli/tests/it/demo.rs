//! `forebay demo`, and the recording that it plays.

use crate::support::Folder;
use serde_json::Value;

#[test]
fn the_demo_prints_one_table_and_its_next_commands_work() {
    let folder = Folder::new();
    let text = folder.run(&["demo"]).ok();
    for policy in
        ["FIFO ", "strict ", "SRPT ", "STFQ ", "FIFO sp-pifo", "strict sp-pifo", "SRPT sp-pifo", "STFQ sp-pifo"]
    {
        assert!(text.lines().any(|line| line.starts_with(policy)), "{policy}: {text}");
    }
    assert!(folder.read("forebay-demo/delays.svg").contains("STFQ sp-pifo"));
    let next: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| *line != "Next:")
        .skip(1)
        .map(|line| line.split('#').next().unwrap().split_whitespace().skip(1).collect())
        .collect();
    assert_eq!(next.len(), 3, "{text}");
    for arguments in next {
        folder.run(&arguments).ok();
    }
}

#[test]
fn the_demo_is_what_its_files_give() {
    let folder = Folder::new();
    folder.run(&["demo", "--out", "d"]).ok();
    let printed = folder.run(&["run", "d/scenario.toml", "--format", "json"]).ok();
    assert_eq!(printed, folder.read("d/result.json"));
}

#[test]
fn the_demo_shows_what_policies_do() {
    let folder = Folder::new();
    folder.run(&["demo", "--out", "d"]).ok();
    let report: Value = serde_json::from_str(&folder.read("d/result.json")).unwrap();
    let find = |policy: &str| report["results"].as_array().unwrap().iter().find(|r| r["policy"] == policy).unwrap();
    let p99_of = |policy: &str, class: u64| {
        let classes = find(policy)["classes"].as_array().unwrap();
        classes.iter().find(|c| c["class"] == class).unwrap()["delay_ns"]["p99"].as_f64().unwrap()
    };
    assert!(10.0 * p99_of("strict", 46) < p99_of("FIFO", 46), "strict priority serves voice first");
    for policy in ["FIFO", "strict", "SRPT", "STFQ"] {
        assert_eq!(find(policy)["inversions"], 0, "{policy}");
        assert!(find(policy)["packets_dropped"].as_u64().unwrap() > 0, "{policy}: the port is too slow for all");
    }
    assert!(find("SRPT sp-pifo")["inversions"].as_u64().unwrap() > 0);
}

#[test]
fn the_recording_is_as_its_page_says() {
    let recording = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/recording/mixed.pcap");
    let bytes = std::fs::read(recording).unwrap();
    assert!(bytes.len() <= 2_000_000);
    assert_eq!(bytes[16..20], 96_u32.to_le_bytes(), "snap length");
    let summary: Value =
        serde_json::from_str(&Folder::new().run(&["trace", "info", recording, "--format", "json"]).ok()).unwrap();
    assert!(summary["packets"].as_u64().unwrap() >= 20_000);
    assert!(summary["classes"].as_array().unwrap().len() >= 5);
    assert!(summary["flows"].as_u64().unwrap() >= 100);
    assert!(summary["bytes_in_top_tenth_of_flows"].as_f64().unwrap() > 0.5, "elephants among mice");
    assert_eq!(summary["warnings"], serde_json::json!([]));
}
