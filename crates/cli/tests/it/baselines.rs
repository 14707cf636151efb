//! `--baseline`, in every kind of scenario.

use crate::support::Folder;
use serde_json::Value;

const PORT: &str = r#"
port = { rate = "10 Gbps", buffer = "40 packets" }
traffic = { arrivals = "poisson", load = 1.1, packets = 2000, rank = { distribution = "uniform", min = 0, max = 9 } }
policy = [{ name = "A", rank = "packet-rank", queue = "fifo" }, { name = "B", rank = "packet-rank", queue = "pifo" }]
"#;

const NETWORK: &str = r#"
network = { topology = { name = "star", hosts = 4 }, duration = "2 ms" }
workload = [{ sizes = "web-search", load = 0.6 }]

[[policy]]
name = "A"
transport = "dctcp"
port = { rank = "arrival", queue = "fifo", buffer = "100 KB", mark = { name = "threshold", packets = 20 } }

[[policy]]
name = "B"
transport = "newreno"
port = { rank = "arrival", queue = "fifo", buffer = "100 KB" }
"#;

const ATTACK: &str = r#"
processor = { buffer = "1000 packets" }
innocent = { rate = "8 Gbps", packets = 2000, gaps = "poisson", size_bytes = 1000, job_ns = { distribution = "normal", min = 1, max = 10_000, mean = 900, deviation = 400 } }
attack = { rate = "500 Mbps", max_job = "20 us" }
policy = [{ name = "A", rank = "arrival", queue = "fifo" }, { name = "B", rank = "job-ratio", queue = "pifo", drop = "worst-first" }]
"#;

const CACHE: &str = r#"
cache = { trace = "zipf:objects=1e3,requests=1e4,skew=0.9", capacity = 64, latency = 100 }
policy = [{ name = "lru" }, { name = "arc" }]
"#;

const CURVE: &str = r#"
curve = { trace = "zipf:objects=1e3,requests=1e4,skew=0.9", capacity = [16, 64], latency = 100 }
policy = [{ name = "lru" }, { name = "arc" }]
"#;

/// Of each kind: what it is called, the scenario, the baseline and the other policy, the metric, and how many places there are.
const KINDS: [(&str, &str, [&str; 2], &str, usize); 5] = [
    ("port", PORT, ["A", "B"], "delay:p99", 1),
    ("network", NETWORK, ["A", "B"], "fct:p99", 1),
    ("attack", ATTACK, ["A", "B"], "displacement", 1),
    ("cache", CACHE, ["lru", "arc"], "latency:mean", 1),
    ("curve", CURVE, ["lru", "arc"], "latency:mean", 2),
];

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The differences of a metric.
fn differences(result: &Value, metric: &str) -> Vec<Value> {
    let all = result["comparison"]["differences"].as_array().unwrap();
    all.iter().filter(|own| own["metric"] == metric).cloned().collect()
}

/// Rows of the long table: the repetition and the value.
fn values(csv: &str, policy: &str, metric: &str, item: &str) -> Vec<f64> {
    let rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let own = rows.filter(|row| {
        let [name, subject, of, number] = [row[0], row[1], row[2], row[3]];
        (name, of, number) == (policy, item, metric) && ["all", "capacity"].contains(&subject)
    });
    own.map(|row| row[6].parse().unwrap()).collect()
}

#[test]
fn every_kind_prints_paired_differences() {
    let folder = Folder::new();
    for (kind, scenario, [baseline, other], metric, places) in KINDS {
        folder.write("s.toml", format!("repetitions = 3\n{scenario}"));
        let with = ["run", "s.toml", "--baseline", baseline];
        let table = folder.run(&with).ok();
        let heading = format!("difference to {baseline}, paired by repetition; +- is the 95 % confidence interval");
        let (_, behind) = table.split_once(&heading).unwrap_or_else(|| panic!("{kind}: {table}"));
        let row = behind.lines().find(|line| line.starts_with(other)).unwrap();
        assert!(row.contains(" +- "), "{kind}: {table}");
        let result = json(&folder.run(&[&with[..], &["--format", "json"]].concat()).ok());
        assert_eq!(result["comparison"]["baseline"], baseline);
        let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
        let own = differences(&result, metric);
        assert_eq!(own.len(), places, "{kind}: {own:?}");
        for difference in own {
            let item = difference["item"].as_str().unwrap();
            let [theirs, own] = [baseline, other].map(|policy| values(&csv, policy, metric, item));
            let pairs: Vec<f64> = own.iter().zip(&theirs).map(|(own, their)| own - their).collect();
            assert_eq!((difference["policy"].as_str(), pairs.len()), (Some(other), 3), "{kind}: {difference}");
            let mean = pairs.iter().sum::<f64>() / 3.0;
            let deviation = (pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
            // Student's t for two degrees of freedom, from a printed table.
            let half = 4.3027 * deviation / 3_f64.sqrt();
            let [found, interval] = ["difference", "difference_ci95"].map(|name| difference[name].as_f64().unwrap());
            assert!((found - mean).abs() <= mean.abs() * 1e-9, "{kind}: {difference} {mean}");
            assert!((interval - half).abs() <= half * 1e-3, "{kind}: {difference} {half}");
        }
    }
}

#[test]
fn one_repetition_has_a_difference_without_an_interval() {
    let folder = Folder::new();
    for (kind, scenario, [baseline, _], metric, _) in KINDS {
        folder.write("s.toml", format!("repetitions = 1\nbaseline = \"{baseline}\"\n{scenario}"));
        let table = folder.run(&["run", "s.toml"]).ok();
        let heading = format!("difference to {baseline}, one repetition, so there is no interval");
        let (_, behind) = table.split_once(&heading).unwrap_or_else(|| panic!("{kind}: {table}"));
        assert!(!behind.contains("+-"), "{kind}: {table}");
        let own = differences(&json(&folder.run(&["run", "s.toml", "--format", "json"]).ok()), metric);
        assert!(own.iter().all(|own| own["difference"].is_number() && own["difference_ci95"].is_null()), "{own:?}");
    }
}

#[test]
fn a_wrong_name_is_found_before_anything_is_run() {
    let folder = Folder::new();
    for (kind, scenario, [_, other], ..) in KINDS {
        folder.write("s.toml", scenario);
        let near = format!("{other}x");
        let refused = folder.run(&["run", "s.toml", "--baseline", &near, "--out", "out"]).refused();
        assert!(
            refused.contains("--baseline: ") && refused.contains(&format!("there is no policy `{near}`")),
            "{refused}"
        );
        assert!(refused.contains(&format!("`{other}`")) || refused.contains(other), "{kind}: {refused}");
        assert!(!folder.path("out").exists(), "{kind}");
        folder.write("s.toml", format!("baseline = \"{near}\"\n{scenario}"));
        let refused = folder.run(&["run", "s.toml"]).refused();
        assert!(refused.contains("s.toml:1: `baseline` must be the name of a policy"), "{refused}");
    }
    folder.write("t.txt", "a\nb\na\n");
    let bound = ["bound", "t.txt", "--capacity", "1", "--latency", "2", "--baseline", "lru"];
    assert!(folder.run(&bound).refused().contains("--baseline: bounds hold for all policies"));
}

#[test]
fn commands_that_are_scenarios_take_it_too() {
    let folder = Folder::new();
    folder.write("t.txt", "a\nb\nc\na\nd\nb\na\nc\n".repeat(40));
    let of_cache = ["t.txt", "--latency", "9", "--policy", "lru,fifo", "--baseline", "lru"];
    for command in ["cache", "curve"] {
        let capacity = if command == "cache" { ["--capacity", "2"] } else { ["--capacity", "1,2"] };
        let arguments = [&[command], &of_cache[..], &capacity].concat();
        let table = folder.run(&arguments).ok();
        assert!(table.contains("\ndifference to lru, "), "{command}: {table}");
        let scenario = folder.run(&[&arguments[..], &["--print-scenario"]].concat()).ok();
        assert!(scenario.contains("baseline = \"lru\""), "{command}: {scenario}");
    }
    folder.write("a.toml", ATTACK);
    let attack = ["attack", "a.toml", "--baseline", "A"];
    assert!(folder.run(&attack).ok().contains("\ndifference to A, "));
    assert!(folder.run(&[&attack[..], &["--print-scenario"]].concat()).ok().contains("baseline = \"A\""));
}

#[test]
fn merge_compares_with_any_policy() {
    let folder = Folder::new();
    folder.write("s.toml", format!("repetitions = 2\n{PORT}"));
    let whole = folder.run(&["run", "s.toml", "--baseline", "B"]).ok();
    folder.run(&["run", "s.toml", "--out", "out"]).ok();
    let merged = folder.run(&["merge", "out", "--baseline", "B"]).ok();
    assert!(merged.starts_with(&whole), "{merged}\n{whole}");
    let refused = folder.run(&["merge", "out", "--baseline", "C"]).refused();
    assert!(refused.contains("--baseline: there is no policy `C`; "), "{refused}");
}
