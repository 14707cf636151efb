//! Against numbers of an independent simulator: ../shared/data/README.md has its rules.

use crate::support::Folder;
use serde_json::Value;
use std::path::PathBuf;

/// A folder beside the repository, or where FOREBAY_SHARED says.
fn folder(name: &str) -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into();
    PathBuf::from(std::env::var_os("FOREBAY_SHARED").unwrap_or_else(beside)).join("data").join(name)
}

/// Tolerance of the total latency, as a share of the reference.
fn tolerance(policy: &str, latency: u64) -> f64 {
    match policy {
        "lru" | "belady" => 0.0,
        "lru-mad" | "belady-ad" if latency == 1 => 0.0,
        "lru-mad" | "belady-ad" => 0.0001,
        "arc" => 0.01,
        _ => 0.02,
    }
}

#[test]
fn agrees_with_the_independent_simulator() {
    let Ok(reference) = std::fs::read_to_string(folder("delayed_hits").join("zipf_reference.csv")) else {
        return println!("skipped: ../shared/data/delayed_hits/zipf_reference.csv is not there");
    };
    let policies = "lru,lru-mad,arc,arc-mad,belady,belady-ad";
    let trace = folder("delayed_hits").join("zipf.csv.xz");
    let arguments = ["--policy", policies, "--capacity", "64,512", "--latency", "1,100,10000,100000"];
    let all = [&["cache", trace.to_str().unwrap(), "--format", "json"], &arguments[..]].concat();
    let report: Value = serde_json::from_str(&Folder::new().run(&all).ok()).unwrap();
    let mut compared = 0;
    for line in reference.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        let number = |cell: usize| cells[cell].parse::<u64>().unwrap();
        let (capacity, latency, policy) = (number(1), number(2), cells[3].to_lowercase());
        let own = |row: &&Value| row["policy"] == policy && row["capacity"] == capacity && row["latency"] == latency;
        let Some(row) = report["results"].as_array().unwrap().iter().find(own) else { continue };
        assert_eq!(row["requests"], number(4));
        let off = row["total_latency"].as_u64().unwrap().abs_diff(number(8)) as f64 / number(8) as f64;
        let within = tolerance(&policy, latency);
        assert!(off <= within, "{row} is off by {off} of {line}");
        if within == 0.0 {
            let counts = ["hits", "delayed_hits", "misses"].map(|field| row[field].as_u64().unwrap());
            assert_eq!(counts, [number(5), number(6), number(7)], "{line}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared} rows compared");
}

/// Hits as other programs count them: the authors' own where there are any.
#[test]
fn policies_hit_what_their_authors_programs_hit() {
    let Ok(rows) = std::fs::read_to_string(folder("cache_reference").join("rows.csv")) else {
        return println!("skipped: ../shared/data/cache_reference/rows.csv is not there");
    };
    let mut rows = csv::Reader::from_reader(rows.as_bytes());
    let columns = rows.headers().unwrap().clone();
    let mut wrong = Vec::new();
    for row in rows.records() {
        let row = row.unwrap();
        let cell = |name: &str| row[columns.iter().position(|column| column == name).unwrap()].to_owned();
        let number = |name: &str| cell(name).parse::<f64>().unwrap();
        let trace = folder("cache_reference").join(cell("trace_file"));
        let capacity = if cell("sizes") == "unit" { cell("capacity") } else { format!("{}B", cell("capacity")) };
        let arguments = ["cache", trace.to_str().unwrap(), "--policy", &cell("policy"), "--capacity", &capacity];
        // In the classical model the latency changes no hit; its unit is that of the trace's clock.
        let latency = if cell("trace_file").ends_with(".csv.xz") { "1" } else { "1s" };
        let model = ["--model", "classical", "--latency", latency, "--sizes", &cell("sizes"), "--format", "json"];
        let all = [&arguments[..], &model[..]].concat();
        let report: Value = serde_json::from_str(&Folder::new().run(&all).ok()).unwrap();
        let hits = report["results"][0]["hits"].as_f64().unwrap();
        let allowed = number("tolerance_share_of_requests") * number("requests");
        if (hits - number("right_hits")).abs() > allowed {
            wrong.push(format!("{all:?}: {hits} hits, right are {} +- {allowed}", number("right_hits")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
