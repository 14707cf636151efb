//! `forebay attack --search`.

use crate::support::{ATTACK, Folder};
use serde_json::Value;
use std::time::Duration;

/// Short trials of few attacks on two policies at one innocent rate.
const SHORT: [&str; 10] = [
    "--search",
    "--set",
    "innocent.rate=['9 Gbps']",
    "--set",
    "attack.rate=['500 Mbps', '2 Gbps']",
    "--set",
    "search.packets=500",
    "--set",
    "policy=[{name='FCFS', rank='arrival', queue='fifo'}, \
     {name='WSJF', rank='job-ratio', queue='pifo', drop='worst-first'}]",
    "--seed=3",
];

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

#[test]
fn what_is_found_is_reported_and_can_be_played_again() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    let search = |more: &[&str]| {
        let output = folder.run(&[&["attack", "s.toml", "--generations", "4"], &SHORT[..], more].concat());
        output.ok()
    };
    let text = search(&["--format", "json", "--threads", "2"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["seed"], &report["searched"]["kinds"]), (&Value::from(3), &Value::from(2)));
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(number(row, "tried") >= 4.0 * 16.0 && row["generations"] == 4 && row["complete"] == true);
        assert!((0.5..=2.0).contains(&number(row, "attack_gbps")), "{row}");
        assert_eq!(row["displacement_values"].as_array().unwrap().len(), 10);
        assert!(number(row, "displacement_ci95") >= 0.0);
        assert!(number(&row["closed_form"], "displacement") > 0.4, "{row}");
        assert_eq!(row["closed_form_at_rate"]["attack_gbps"], row["attack_gbps"]);
        let kind = &row["attack"]["strategy"][0];
        assert!((64.0..=9_000.0).contains(&number(kind, "size_bytes")) && number(kind, "job_ns") <= 10_000.0, "{row}");
        assert!(row["words"].as_str().unwrap().contains(" B of "), "{row}");
    }
    assert_eq!(
        (&rows[0]["policy"], &rows[0]["bound"], &rows[0]["holds"]),
        (&"FCFS".into(), &Value::Null, &Value::Null)
    );
    assert!(number(&rows[0], "displacement") > 3.0, "{}", rows[0]);
    assert!((number(&rows[1], "bound") / 0.9 - 1.0).abs() < 2e-3 && rows[1]["holds"] == true);

    assert_eq!(search(&["--format", "json", "--threads", "1"]), text, "threads change nothing");
    let table = search(&["--out", "out"]);
    assert!(table.contains("closed form") && table.contains("forebay run out/attack-FCFS-9.toml"), "{table}");
    assert_eq!(folder.read("out/result.json"), text);
    for (file, row) in [("out/attack-FCFS-9.toml", &rows[0]), ("out/attack-WSJF-9.toml", &rows[1])] {
        let again: Value = serde_json::from_str(&folder.run(&["run", file, "--format", "json"]).ok()).unwrap();
        assert_eq!(again["results"].as_array().unwrap().len(), 1);
        let (again, found) = (&again["results"][0], number(row, "displacement"));
        // The study divides by the budget, the search by the bits that were sent.
        let off = (number(again, "displacement") - found).abs();
        assert!(off <= number(row, "displacement_ci95") + 0.005 * found, "{again} {row}");
        assert!((number(again, "goodput_gbps") - number(row, "goodput_gbps")).abs() < 1e-9, "{again} {row}");
    }
    let csv = search(&["--format", "csv"]);
    assert!(csv.lines().count() == 3 && csv.starts_with("policy,innocent_gbps,"), "{csv}");
}

#[test]
fn a_beaten_bound_is_said_and_is_status_1() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    // A scheduler that takes all jobs for alike serves small packets last, but largest jobs of large packets first.
    let arguments = ["--generations", "6", "--set", "processor.estimate={ constant='1 us' }"];
    let output = folder.run(&[&["attack", "s.toml"], &SHORT[..], &arguments].concat());
    assert_eq!(output.status, 1, "{}{}", output.stdout, output.stderr);
    assert!(output.stdout.contains("the bound of WSJF at 9 Gbps innocent traffic is beaten"), "{}", output.stdout);
    assert!(output.stdout.contains("bounds are proved for schedulers that know the work"), "{}", output.stdout);
}

#[test]
fn an_interrupted_search_reports_what_it_has_found() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    let output = folder.interrupt(
        &[&["attack", "s.toml", "--cpu-time", "1h", "--format", "json"], &SHORT[..]].concat(),
        Duration::from_secs(3),
    );
    assert_eq!(output.status, 130, "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let rows = report["results"].as_array().unwrap();
    assert!(rows[0]["complete"] == false && number(&rows[0], "displacement") > 0.0, "{}", rows[0]);
    assert!(rows[1]["tried"] == 0 && rows[1]["attack"].is_null(), "{}", rows[1]);
}
