//! `[cache]`, `[curve]` and `[bound]` as scenarios: what the commands write shorter, swept, repeated, kept and made in parts.

use crate::support::Folder;
use serde_json::Value;

const RECIPE: &str = "zipf:objects=300,requests=4_000,occupancy=0.8";

/// A recipe in a file, as a table and as a word.
const SHOP: &str = "mixture = [\n  { name = \"zipf\", objects = 300, requests = 3e3 },\n  { name = \"loop\", objects = 40, requests = 1e3 },\n]\n";
const SHOP_WORD: &str = "zipf:objects=300,requests=3000 + loop:objects=40,requests=1000";

const SCENARIO: &str = r#"
repetitions = 3
baseline = "lru"
zip = ["capacity", "latency"]
[cache]
trace = ["zipf:objects=300,requests=4_000", "loop:objects=40,requests=2_000"]
capacity = [16, 32]
latency = [10, 100]
[[policy]]
name = "lru"
[[policy]]
name = "lru-mad(sample=16)"
[[policy]]
name = "belady"
"#;

#[test]
fn a_command_is_the_scenario_that_it_prints() {
    let folder = Folder::new();
    folder.write("slow.csv", "1,7\n*,3\n");
    folder.write("shop.toml", SHOP);
    for arguments in [
        &["cache", RECIPE, "--policy", "lru,lru-k(k=3)", "--capacity", "8,5%", "--latency", "1_0,origins(5:9,50:1)"][..],
        &[
            "cache",
            RECIPE,
            "loop:requests=500",
            "--latency",
            "objects(slow.csv)",
            "--attribute",
            "lru,arc",
            "--ways",
            "2",
        ],
        &["cache", RECIPE, "--policy", "lru", "--latency", "9", "--bound", "--bound-seconds", "0", "--repeat", "2"],
        &[
            "cache",
            "shop.toml",
            "--policy",
            "lru",
            "--latency",
            "9",
            "--requests",
            "700",
            "--bound",
            "--attribute",
            "lru,(best schedule found)",
        ],
        &["curve", RECIPE, "--latency", "10,20", "--points", "3", "--sample", "50%", "--model", "delayed"],
        &["curve", RECIPE, "--latency", "10", "--capacity", "8", "--warmup", "100", "--seed", "7"],
        &["bound", RECIPE, "--capacity", "8", "--latency", "10", "--gap", "5", "--seconds", "1"],
    ] {
        folder.write("s.toml", folder.run(&[arguments, &["--print-scenario"]].concat()).ok());
        for format in ["table", "json", "csv"] {
            let own = folder.run(&[arguments, &["--format", format]].concat()).ok();
            assert_eq!(folder.run(&["run", "s.toml", "--format", format]).ok(), own, "{arguments:?}");
        }
    }
}

#[test]
fn repetitions_draw_other_traces_and_give_intervals() {
    let folder = Folder::new();
    folder.write("s.toml", SCENARIO);
    let report: Value = serde_json::from_str(&folder.run(&["run", "s.toml", "--format", "json"]).ok()).unwrap();
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 2 * 3);
    for row in rows {
        let latency = &row["quantities"]["mean_latency"];
        let values: Vec<f64> =
            latency["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert_eq!(values.len(), 3);
        assert!((row["mean_latency"].as_f64().unwrap() - values.iter().sum::<f64>() / 3.0).abs() < 1e-9);
        let is_drawn = row["trace"].as_str().unwrap().starts_with("zipf");
        assert!(values[0] != values[1] || !is_drawn, "{row}");
    }
    let table = folder.run(&["run", "s.toml"]).ok();
    assert!(table.contains(" +- ") && table.contains("means over 3 repetitions"), "{table}");
    folder.write("a.txt", "a\nb\na\n");
    let arguments = ["cache", "a.txt", "--latency", "10", "--policy", "lru", "--capacity", "1", "--repeat", "2"];
    assert!(folder.run(&arguments).ok().contains("nothing here is random, so one is enough"));
}

#[test]
fn parts_are_joined_to_what_one_process_makes() {
    let folder = Folder::new();
    folder.write("s.toml", SCENARIO);
    let whole = folder.run(&["run", "s.toml", "--format", "json", "--out", "whole"]).ok();
    for part in ["0/3", "1/3", "2/3"] {
        folder.run(&["run", "s.toml", "--shard", part, "--out", "parts"]).ok();
    }
    assert_eq!(folder.run(&["merge", "parts", "--baseline", "lru", "--format", "json"]).ok(), whole);
    for file in ["result.json", "result.csv", "latency-by-latency.svg"] {
        assert_eq!(folder.read(&format!("parts/{file}")), folder.read(&format!("whole/{file}")), "{file}");
    }
    assert!(folder.read("parts/summary.csv").lines().next().unwrap().ends_with(",difference,difference_ci95,ratio"));
    let again = folder.run(&["run", "s.toml", "--format", "json", "--out", "whole"]);
    assert!(again.stderr.contains("36 of 36 runs were already complete"), "{}", again.stderr);
    assert!(folder.run(&["run", "s.toml", "--dry-run"]).ok().contains("36 runs, about "));
}

/// A file that changed is another trace.
#[test]
fn kept_runs_are_of_what_a_file_holds() {
    let folder = Folder::new();
    let run = |text: &str| {
        folder.write("a.txt", text);
        let all = [
            "cache",
            "a.txt",
            "--policy",
            "lru",
            "--capacity",
            "1",
            "--latency",
            "1",
            "--out",
            "o",
            "--format",
            "json",
        ];
        let report: Value = serde_json::from_str(&folder.run(&all).ok()).unwrap();
        report["results"][0]["misses"].as_u64().unwrap()
    };
    assert_eq!((run("a\na\nb\n"), run("a\nb\na\n"), run("a\na\nb\n")), (2, 3, 2));
}

#[test]
fn mistakes_are_named_with_their_line() {
    let folder = Folder::new();
    let cases = [
        ("capacity = [16, 32]", "capacity = [16, \"many\"]", "s.toml:7: `many` is not a capacity"),
        (
            "latency = [10, 100]",
            "latency = [10, \"5ms\"]",
            "s.toml:8: zipf:objects=300,requests=4_000: this trace has slots",
        ),
        ("name = \"belady\"", "name = \"beladi\"", "s.toml:14: unknown cache policy `beladi`; did you mean `belady`?"),
        ("name = \"belady\"", "name = \"lru\"", "s.toml:13: the policy `lru` is listed twice"),
        ("[cache]", "[cache]\nmodl = \"both\"", "s.toml:6: unknown field `modl` in [cache]; did you mean `model`?"),
        ("[cache]", "[cache]\nmodel = \"bth\"", "s.toml:6: `model` must be one of both, delayed, classical"),
        ("[cache]", "[cache]\nways = 3", "s.toml:6: 16 is not a multiple of 3 ways; take 15"),
        ("[cache]", "[cache]\nsample = 5", "s.toml:6: `sample` must be a text"),
        ("[cache]", "[cache]\nattribute = [\"lru\", \"arc\"]", "s.toml:6: `attribute` must name policies"),
        ("baseline = \"lru\"", "baseline = \"arc\"", "s.toml:3: `baseline` must be the name of a policy"),
        (
            "zip = [\"capacity\", \"latency\"]",
            "zip = [\"capacity\", \"trase\"]",
            "s.toml:4: no field `trase` has a list of values",
        ),
        ("[cache]", "[cache]\nbound_seconds = -1", "s.toml:6: `bound_seconds` must be a number from 0"),
        (
            "[cache]",
            "[cache]\nattribute = [\"lru\", \"(best schedule found)\"]",
            "s.toml:6: `(best schedule found)` comes from a search for bounds; add for example `bound_seconds = 20`",
        ),
    ];
    for (right, wrong, message) in cases {
        folder.write("s.toml", SCENARIO.replace(right, wrong));
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.starts_with(message), "{wrong}: {error}");
    }
}

#[test]
fn a_recipe_in_a_file_is_the_recipe() {
    let folder = Folder::new();
    folder.write("shop.toml", SHOP);
    let play = |trace: &str, more: &[&str]| {
        let all =
            [&["cache", trace, "--policy", "lru,lru-mad", "--latency", "20", "--format", "csv"][..], more].concat();
        folder.run(&all).ok()
    };
    assert_eq!(play("shop.toml", &[]), play(SHOP_WORD, &[]));
    assert_ne!(play("shop.toml", &[]), play("shop.toml", &["--seed", "2"]), "another seed draws another trace");
    let own_seed = "zipf:objects=300,requests=3000,seed=5";
    let hits = |seed| {
        play(own_seed, &["--seed", seed])
            .lines()
            .filter(|line| line.starts_with("lru,all"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(hits("1"), hits("2"), "its own seed stays");

    for name in ["shop.toml", SHOP_WORD] {
        folder.run(&["trace", "gen", name, "gen.csv"]).ok();
        folder.write(&format!("{}.csv", name.len()), std::fs::read_to_string(folder.path("gen.csv")).unwrap());
    }
    let text = |name: &str| std::fs::read_to_string(folder.path(&format!("{}.csv", name.len()))).unwrap();
    assert_eq!(text("shop.toml"), text(SHOP_WORD));

    for (text, message) in [
        ("name = \"zip\"", "wrong.toml:1: unknown generator `zip`"),
        ("mixture = []", "wrong.toml:1: `mixture` is an empty list"),
        ("name = \"zipf\"\nobjekts = 3", "wrong.toml:2: "),
        ("name = ", "wrong.toml:1: "),
        (SCENARIO, "wrong.toml: this is a scenario, not a request trace"),
    ] {
        folder.write("wrong.toml", text);
        let refused = folder.run(&["cache", "wrong.toml", "--latency", "20"]).refused();
        assert!(refused.contains(message), "{refused}");
    }
    let refused = folder.run(&["cache", "none.toml", "--latency", "20"]).refused();
    assert!(refused.starts_with("none.toml"), "{refused}");
}

#[test]
fn the_first_requests_are_those_of_a_shorter_trace() {
    let folder = Folder::new();
    let path = folder.path("trace.csv");
    folder.run(&["trace", "gen", RECIPE, &path.to_string_lossy()]).ok();
    let text = std::fs::read_to_string(&path).unwrap();
    let shorter: Vec<&str> = text.lines().take(701).collect();
    folder.write("shorter.csv", format!("{}\n", shorter.join("\n")));
    let play = |trace: &str, more: &[&str]| {
        let all =
            ["cache", trace, "--policy", "lru,belady", "--latency", "20", "--capacity", "5%active", "--format", "csv"];
        folder.run(&[&all[..], more].concat()).ok()
    };
    assert_eq!(play("trace.csv", &["--requests", "700"]), play("shorter.csv", &[]));
    assert_eq!(play("trace.csv", &["--requests", "9000"]), play("trace.csv", &[]));

    // Two lengths of one trace are two traces.
    let scenario = "[cache]\ntrace = \"trace.csv\"\nrequests = [700, 2000]\nlatency = 20\n[[policy]]\nname = \"lru\"\n";
    folder.write("s.toml", scenario);
    let report: Value = serde_json::from_str(&folder.run(&["run", "s.toml", "--format", "json"]).ok()).unwrap();
    let requests: Vec<_> = report["results"].as_array().unwrap().iter().map(|row| row["requests"].as_u64()).collect();
    assert_eq!(requests, [Some(700), Some(2000)]);
}
