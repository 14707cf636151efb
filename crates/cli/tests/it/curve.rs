//! `forebay curve`: latency and miss ratio over the capacity.

use crate::support::Folder;
use serde_json::Value;

const RECIPE: &str = "zipf:objects=2_000,requests=40_000,occupancy=0.8";

fn curve(folder: &Folder, arguments: &[&str]) -> Value {
    let all = [&["curve", "--format", "json"], arguments].concat();
    serde_json::from_str(&folder.run(&all).ok()).unwrap()
}

fn points(report: &Value, curve: usize) -> &[Value] {
    report["curves"][curve]["points"].as_array().unwrap()
}

#[test]
fn a_curve_is_what_single_runs_say() {
    let folder = Folder::new();
    let arguments = [RECIPE, "--policy", "lru,belady", "--capacity", "16,64,256", "--latency", "1,100"];
    let report = curve(&folder, &arguments);
    let json = folder.run(&[&["cache", "--format", "json"], &arguments[..]].concat()).ok();
    let single: Value = serde_json::from_str(&json).unwrap();
    let curves = report["curves"].as_array().unwrap();
    assert_eq!(curves.len(), 4);
    for curve in curves {
        for point in curve["points"].as_array().unwrap() {
            let own = |row: &&Value| {
                row["policy"] == curve["policy"]
                    && row["latency"] == curve["latency"]
                    && row["capacity"] == point["capacity"]
            };
            let row = single["results"].as_array().unwrap().iter().find(own).unwrap();
            assert_eq!(point["mean_latency"], row["mean_latency"]);
            assert_eq!(point["classical_mean_latency"], row["classical"]["mean_latency"]);
        }
    }
    // Stack distances give LRU's miss ratio at every capacity at once, exactly.
    for (exact, played) in report["traces"][0]["lru_miss_ratio"].as_array().unwrap().iter().zip(points(&report, 0)) {
        let off = exact["miss_ratio"].as_f64().unwrap() - played["classical_miss_ratio"].as_f64().unwrap();
        assert!(off.abs() < 1e-12, "{exact} {played}");
    }
}

#[test]
fn capacities_are_spread_where_none_are_given() {
    let folder = Folder::new();
    let report = curve(&folder, &[RECIPE, "--policy", "lru", "--latency", "10", "--points", "5"]);
    let capacities: Vec<_> = points(&report, 0).iter().map(|point| point["capacity"].as_u64().unwrap()).collect();
    assert_eq!((capacities.len(), capacities[0]), (5, 2));
    assert_eq!(report["traces"][0]["objects"], *capacities.last().unwrap());
    assert!(capacities.windows(2).all(|pair| pair[0] < pair[1]));
    let csv = folder.run(&["curve", RECIPE, "--policy", "lru", "--latency", "10", "--points", "5", "--format", "csv"]);
    let csv = csv.ok();
    let rows = csv.lines().filter(|line| line.contains(",latency:mean,slots,0,"));
    assert_eq!(rows.count(), 5, "one for each capacity: {csv}");
}

#[test]
fn a_sample_is_near() {
    let folder = Folder::new();
    let recipe = "zipf:objects=20_000,requests=200_000,skew=0.6,occupancy=0.8";
    let arguments = [recipe, "--policy", "lru,s3-fifo", "--capacity", "5%,25%", "--latency", "1000"];
    let whole = curve(&folder, &arguments);
    let part = curve(&folder, &[&arguments[..], &["--sample", "10%"]].concat());
    assert_eq!(part["traces"][0]["sample"], 0.1);
    for index in 0..2 {
        for (whole, part) in points(&whole, index).iter().zip(points(&part, index)) {
            let of = |point: &Value| point["mean_latency"].as_f64().unwrap();
            assert!((of(part) / of(whole) - 1.0).abs() < 0.1, "{whole} {part}");
        }
    }
}

#[test]
fn threads_change_no_byte_and_pictures_are_drawn() {
    let folder = Folder::new();
    let run = |threads: &str, out: &str| {
        let arguments = ["curve", RECIPE, "--latency", "10,100", "--points", "6", "--threads", threads, "--out", out];
        folder.run(&arguments).ok()
    };
    assert_eq!(run("1", "one"), run("2", "two"));
    for file in ["result.json", "latency.svg", "miss-ratio.svg"] {
        assert!(folder.read(&format!("one/{file}")) == folder.read(&format!("two/{file}")), "{file}");
    }
    let latency = folder.read("one/latency.svg");
    for text in ["mean latency (slots)", "capacity (entries)", "latency 100 slots", "w-tinylfu"] {
        assert!(latency.contains(text), "{text}");
    }
    assert!(folder.read("one/miss-ratio.svg").contains("lru, classical (exact)"));
}

#[test]
fn wrong_curves_are_refused_in_one_line() {
    let folder = Folder::new();
    for (argument, value, message) in [
        ("--sample", "0%", "--sample: `0%` is not a share"),
        ("--sample", "50", "--sample: `50` is not a share; write a percentage"),
        ("--points", "1", "--points: `1` is not a whole number from 2 to 1000"),
        (
            "--warmup",
            "40000",
            "--warmup: zipf:objects=2_000,requests=40_000,occupancy=0.8: the trace has no more than 40000 requests",
        ),
    ] {
        let error = folder.run(&["curve", RECIPE, "--latency", "10", argument, value]).refused();
        assert!(error.starts_with(message), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_curve_gives_what_it_has() {
    let folder = Folder::new();
    let arguments = ["curve", "zipf:requests=1e10", "--policy", "lru", "--latency", "100", "--format", "json"];
    let output = folder.interrupt(&arguments, std::time::Duration::from_millis(300));
    assert_eq!(output.status, 130, "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["complete"], false);
}
