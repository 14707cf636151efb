//! `forebay cache`: policies on request traces.

use crate::support::Folder;
use serde_json::Value;

const RECIPE: &str = "zipf:objects=300,requests=4_000,occupancy=0.8";

fn cache(folder: &Folder, arguments: &[&str]) -> Value {
    let all = [&["cache", "--format", "json"], arguments].concat();
    serde_json::from_str(&folder.run(&all).ok()).unwrap()
}

fn rows(report: &Value) -> &[Value] {
    report["results"].as_array().unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"))
}

#[test]
fn a_row_has_what_programs_look_for() {
    let folder = Folder::new();
    let report = cache(&folder, &[RECIPE, "--policy", "lru,belady", "--capacity", "8,32", "--latency", "1,50"]);
    assert_eq!(rows(&report).len(), 8);
    for row in rows(&report) {
        let count = |field: &str| row[field].as_u64().unwrap_or_else(|| panic!("{field}: {row}"));
        assert_eq!(count("requests"), 4_000);
        assert_eq!(count("hits") + count("delayed_hits") + count("misses"), 4_000);
        assert_eq!(number(row, "mean_latency"), count("total_latency") as f64 / 4_000.0);
        assert_eq!(row["offline"], row["policy"] == "belady");
        let classical = &row["classical"];
        assert_eq!(classical["total_latency"], classical["misses"].as_u64().unwrap() * count("latency"));
        if count("latency") == 1 {
            assert_eq!((&classical["misses"], &row["delayed_hits"]), (&row["misses"], &0.into()), "both models agree");
        }
    }
    assert_eq!(report["complete"], true);
    assert_eq!(report["traces"][0]["latency_unit"], "slots");
}

#[test]
fn threads_change_no_byte() {
    let folder = Folder::new();
    let recipe = "zipf:objects=3_000,requests=150_000,occupancy=0.8";
    let run = |threads: &str, out: &str| {
        let arguments = ["--policy", "lru-mad,random,belady-ad", "--capacity", "1%,64", "--latency", "100,1000"];
        let also = ["--bound", "--bound-seconds", "0.1", "--attribute", "lru,lru-mad"];
        let all = [&["cache", recipe, "--threads", threads, "--out", out], &arguments[..], &also].concat();
        folder.run(&all).ok()
    };
    assert_eq!(run("1", "one"), run("2", "two"));
    for file in ["result.json", "objects.csv", "latency-by-latency.svg"] {
        assert!(folder.read(&format!("one/{file}")) == folder.read(&format!("two/{file}")), "{file}");
    }
}

#[test]
fn sizes_count_if_they_are_asked_for() {
    let folder = Folder::new();
    let mut text = "time_ns,key,size_bytes\n".to_owned();
    for time in 0..60 {
        let (key, size) = (time % 3, 100 * (1 + time % 3));
        text += &format!("{},{key},{size}\n", time * 1_000);
    }
    folder.write("a.csv", text);
    let hits = |arguments: &[&str]| {
        let all = [&["a.csv", "--policy", "lru", "--latency", "1us"], arguments].concat();
        let report = cache(&folder, &all);
        (rows(&report)[0]["hits"].as_u64().unwrap(), rows(&report)[0]["bytes"].as_u64().unwrap())
    };
    assert_eq!(hits(&["--capacity", "3"]), (57, 60), "three entries, whatever their sizes");
    assert_eq!(hits(&["--capacity", "600", "--sizes", "bytes"]), (57, 12_000));
    assert_eq!(hits(&["--capacity", "0.6kB", "--sizes", "bytes"]), (57, 12_000));
    assert_eq!(hits(&["--capacity", "100%", "--sizes", "bytes"]), (57, 12_000));
    assert_eq!(hits(&["--capacity", "299", "--sizes", "bytes"]).0, 0, "one after the other pushes the last one out");
    assert_eq!(hits(&["--sizes", "bytes"]).0, 0, "a share of all bytes is the default");
    let active = ["cache", "a.csv", "--latency", "1us", "--sizes", "bytes", "--capacity", "5%active"];
    let error = folder.run(&active).refused();
    assert!(error.contains("a share of the active objects is a number of objects, not of bytes"), "{error}");
}

#[test]
fn latencies_have_percentiles_and_the_origin_a_load() {
    let folder = Folder::new();
    // A miss of 2 us, a delayed hit of 1 us, then hits; 10 bytes each, in 100 us.
    let mut text = "time_ns,key,size_bytes\n0,1,10\n1000,1,10\n".to_owned();
    (1..=98).for_each(|time| text += &format!("{},1,10\n", 2_000 + time * 1_000));
    folder.write("a.csv", text);
    let arguments = ["a.csv", "--policy", "lru", "--capacity", "64", "--latency", "2us", "--sizes", "bytes"];
    let report = cache(&folder, &arguments);
    let row = &rows(&report)[0];
    for (field, value) in [
        ("latency_p50", 0.0_f64),
        ("latency_p90", 0.0),
        ("latency_p99", 1_000.0),
        ("latency_p999", 2_000.0),
        ("latency_max", 2_000.0),
        ("byte_hit_ratio", 0.98),
        ("byte_miss_ratio", 0.01),
        ("origin_fetches_per_s", 1e4),
        ("origin_bytes_per_s", 1e5),
    ] {
        assert!((number(row, field) - value).abs() <= value * 1e-3, "{field}: {row}");
    }
    let table = folder.run(&[&["cache"], &arguments[..]].concat()).ok();
    assert!(table.contains("byte misses") && table.contains("p99.9"), "{table}");
    let csv = folder.run(&[&["cache", "--format", "csv"], &arguments[..]].concat()).ok();
    assert!(csv.contains("lru,all,,latency:p99,s,0,0.000001\n"), "{csv}");
}

#[test]
fn a_verdict_has_an_interval() {
    let folder = Folder::new();
    let verdict = |policies: &str, more: &[&str]| {
        let all = [&[RECIPE, "--policy", policies, "--capacity", "16", "--latency", "200"][..], more].concat();
        let table = folder.run(&[&["cache"], &all[..]].concat()).ok();
        (cache(&folder, &all)["verdicts"][0].clone(), table)
    };
    let (clear, table) = verdict("fifo,lru-mad", &[]);
    assert_eq!((&clear["next"]["paired_over"], clear["level"].as_array().unwrap().len()), (&"blocks".into(), 0));
    assert!(number(&clear["next"], "difference") > number(&clear["next"], "difference_ci95"), "{clear}");
    assert!(table.contains("The next, fifo, has ") && table.contains(" blocks of the trace)"), "{table}");
    let (level, table) = verdict("random,random()", &["--repeat", "3"]);
    assert_eq!((&level["next"]["paired_over"], &level["next"]["pairs"]), (&"repetitions".into(), &3.into()));
    assert_eq!(level["level"].as_array().unwrap().len(), 1);
    assert!(table.contains("but not clearly: random"), "{table}");
}

#[test]
fn capacities_are_shares_of_what_the_trace_has() {
    let folder = Folder::new();
    // Four objects, of which two are active at one time.
    folder.write("a.txt", "a\nb\na\nb\nc\nd\nc\nd\n");
    let report =
        cache(&folder, &["a.txt", "--policy", "lru", "--capacity", "25%,100%,50%active,100%active", "--latency", "1"]);
    let capacities: Vec<_> = rows(&report).iter().map(|row| row["capacity"].as_u64().unwrap()).collect();
    assert_eq!(capacities, [1, 4, 1, 2]);
}

#[test]
fn ways_and_warm_up() {
    let folder = Folder::new();
    let arguments = [RECIPE, "--policy", "lru", "--capacity", "64", "--latency", "10"];
    let whole = cache(&folder, &arguments);
    let sets = cache(&folder, &[&arguments[..], &["--ways", "4"]].concat());
    assert!(number(&rows(&sets)[0], "mean_latency") > number(&rows(&whole)[0], "mean_latency"));
    assert_eq!(cache(&folder, &[&arguments[..], &["--ways", "64"]].concat())["results"], whole["results"], "one set");
    let warm = cache(&folder, &[&arguments[..], &["--warmup", "1_000"]].concat());
    assert_eq!(rows(&warm)[0]["requests"], 3_000);
    assert!(number(&rows(&warm)[0], "hit_ratio") > number(&rows(&whole)[0], "hit_ratio"));
}

#[test]
fn every_form_of_latency() {
    let folder = Folder::new();
    for latency in ["10", "1_000", "origins(5,50)", "origins(5:9,50:1)", "exponential(20)", "lognormal(20,0.5)"] {
        let report = cache(&folder, &[RECIPE, "--policy", "lru", "--capacity", "16", "--latency", latency]);
        let shown = &rows(&report)[0]["latency"];
        let plain = latency.replace('_', "").parse::<u64>();
        assert_eq!(*shown, plain.map_or_else(|_| latency.into(), Value::from));
        assert!(number(&rows(&report)[0], "mean_latency") > 1.0);
    }
    let uniform = cache(&folder, &[RECIPE, "--policy", "lru", "--capacity", "16", "--latency", "uniform(10,10)"]);
    let constant = cache(&folder, &[RECIPE, "--policy", "lru", "--capacity", "16", "--latency", "10"]);
    assert_eq!(rows(&uniform)[0]["total_latency"], rows(&constant)[0]["total_latency"]);
    folder.write("a.csv", "time_ns,key\n0,1\n1000,1\n3000,1\n");
    let times = cache(&folder, &["a.csv", "--policy", "lru", "--capacity", "1", "--latency", "2us"]);
    assert_eq!(rows(&times)[0]["total_latency"], 3_000, "a miss, a delayed hit of 1 us, a hit");
    assert_eq!(times["traces"][0]["latency_unit"], "ns");
}

#[test]
fn the_bound_says_how_far_each_policy_is_from_the_optimum() {
    let folder = Folder::new();
    let arguments = [RECIPE, "--policy", "lru,lru-mad,belady-ad", "--capacity", "16", "--latency", "1,100", "--bound"];
    let report = cache(&folder, &arguments);
    let bounds = report["bounds"].as_array().unwrap();
    assert_eq!(bounds.len(), 2);
    for bound in bounds {
        assert!(number(bound, "lower") <= number(bound, "upper") && number(bound, "gap") < 0.02, "{bound}");
        let own = rows(&report).iter().filter(|row| row["latency"] == bound["latency"]);
        for row in own {
            let above = number(row, "total_latency") / number(bound, "lower") - 1.0;
            assert!(above >= 0.0 && (above - number(row, "above_lower_bound")).abs() < 1e-9, "{row}");
        }
    }
    let belady_ad = rows(&report).iter().find(|row| row["policy"] == "belady-ad" && row["latency"] == 1).unwrap();
    assert_eq!(bounds[0]["lower"], belady_ad["misses"], "without delayed hits, Belady's misses");

    let table = folder.run(&[&["cache"], &arguments[..]].concat()).ok();
    assert!(table.contains("\n(lower bound) ") && table.contains("\n(best schedule found) "), "{table}");
    assert!(table.contains("above bound") && table.contains(" above the optimum.\n"), "{table}");
    let csv = folder.run(&[&["cache", "--format", "csv"], &arguments[..]].concat()).ok();
    let rows = |of: &str| csv.lines().filter(|line| line.contains(of)).count();
    assert!(csv.starts_with("latency,policy,subject,item,metric,unit,repetition,value\n"), "{csv}");
    assert_eq!((rows(",latency:mean,slots,0,"), rows(",above_lower_bound,1,0,")), (2 * 5, 2 * 3), "{csv}");
    assert!(
        cache(&folder, &[RECIPE, "--policy", "lru", "--latency", "9"])["results"][0]["above_lower_bound"].is_null()
    );
}

#[test]
fn the_hit_rate_can_choose_the_wrong_policy() {
    let folder = Folder::new();
    let arguments = [RECIPE, "--policy", "fifo,lru-mad", "--capacity", "16", "--latency", "200"];
    let report = cache(&folder, &arguments);
    let verdict = &report["verdicts"][0];
    assert_eq!(verdict["best_by_latency"], "lru-mad");
    assert!(number(verdict, "regret") >= 0.0);
    let table = folder.run(&[&["cache"], &arguments[..]].concat()).ok();
    assert!(table.contains("Lowest latency without knowing the future: lru-mad"), "{table}");
}

#[test]
fn attribution_names_who_gains_and_who_loses() {
    let folder = Folder::new();
    let arguments = [RECIPE, "--policy", "lru", "--capacity", "16", "--latency", "100", "--attribute", "lru,lru-mad"];
    let report = cache(&folder, &[&arguments[..], &["--out", "o"]].concat());
    let attribution = &report["attributions"][0];
    let total = |policy: &str| {
        let row = rows(&report).iter().find(|row| row["policy"] == policy).unwrap();
        row["total_latency"].as_u64().unwrap()
    };
    assert_eq!(attribution["total_before"], total("lru"));
    assert_eq!(attribution["total_after"], total("lru-mad"), "added to the policies");
    let groups = attribution["by_burstiness"].as_array().unwrap();
    let sum = |field: &str| groups.iter().map(|group| group[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("requests"), sum("latency_after")), (4_000, total("lru-mad")));
    let objects = folder.read("o/objects.csv");
    assert_eq!(objects.lines().count() as u64, 1 + 2 * sum("objects"), "under both policies");
    assert!(objects.starts_with("policy,repetition,object,requests,burstiness,total_latency\n"));
}

#[test]
fn the_folder_has_the_result_and_a_picture() {
    let folder = Folder::new();
    let run = |latency: &str, out: &str| {
        let all = ["cache", RECIPE, "--policy", "lru,belady", "--capacity", "16", "--latency", latency, "--bound"];
        folder.run(&[&all[..], &["--format", "json", "--out", out]].concat()).ok()
    };
    assert_eq!(run("100", "one"), folder.read("one/result.json"));
    run("10,100,1000", "several");
    for (picture, text) in
        [("one/latency", "mean latency (slots)"), ("several/latency-by-latency", "latency of a fetch (slots)")]
    {
        let svg = folder.read(&format!("{picture}.svg"));
        for text in [text, "16 entries", "belady", "(lower bound)"] {
            assert!(svg.contains(text), "{picture}: {text}");
        }
    }
    assert!(folder.read("one/manifest.json").contains("\"wall_time_s\""));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_gives_what_it_has() {
    let folder = Folder::new();
    let long = "zipf:objects=1e6,requests=1e10";
    let arguments = ["cache", long, "--policy", "lru", "--capacity", "1000", "--latency", "100", "--format", "json"];
    let output = folder.interrupt(&arguments, std::time::Duration::from_millis(500));
    assert_eq!(output.status, 130, "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["complete"], false);
    assert!(rows(&report)[0]["requests"].as_u64().unwrap() < 10_000_000_000);
}

#[test]
fn objects_can_have_latencies_of_their_own() {
    let folder = Folder::new();
    folder.write("trace.csv", "slot,key\n0,1\n10,/a\n20,1\n30,/a\n");
    folder.write("slow.csv", "key,latency\n/a,7\n*,3\n");
    let arguments = ["trace.csv", "--policy", "lru", "--latency", "objects(slow.csv)", "--format", "json"];
    let out = folder.run(&[&["cache", "--capacity", "1"][..], &arguments].concat()).ok();
    assert!(out.contains("\"total_latency\": 20"), "{out}");
    assert!(out.contains("\"latency\": \"objects(slow.csv)\""), "{out}");
    let bound = ["bound", "trace.csv", "--capacity", "2", "--latency", "objects(slow.csv)"];
    assert!(folder.run(&bound).ok().contains("lower bound     10 slots"));
    for (text, message) in [
        ("1,7\n", "slow.csv: add a line `*,LATENCY` with the latency of all other objects"),
        ("1;7\n*,1\n", "slow.csv: line 1: `1;7` must be key,latency, like 17,5ms"),
        ("1,7\n*,x\n", "slow.csv: line 2: `x` is not a latency"),
    ] {
        folder.write("slow.csv", text);
        let error = folder.run(&bound).refused();
        assert!(error.starts_with(&format!("--latency: {message}")), "{error}");
    }
}

/// Every fast policy that makes sense is played, and a long trace is sampled.
#[test]
fn defaults_compare_all_that_make_sense() {
    let folder = Folder::new();
    let policies = |arguments: &[&str]| {
        let json = folder.run(&[&["cache", "--format", "json"], arguments].concat()).ok();
        let report: Value = serde_json::from_str(&json).unwrap();
        let name = |row: &Value| row["policy"].as_str().unwrap().to_owned();
        report["results"].as_array().unwrap().iter().map(name).collect::<Vec<_>>()
    };
    let recipe = "zipf:objects=100,requests=2000,occupancy=0.5,sizes=uniform";
    let unit = policies(&[recipe, "--latency", "10"]);
    let bytes = policies(&[recipe, "--latency", "10", "--sizes", "bytes"]);
    for name in ["gdsf", "w-tinylfu", "lhd", "lru-mad", "hyperbolic(sample=64)", "belady-ad"] {
        assert!(
            unit.iter().any(|own| own == name) && bytes.iter().any(|own| own == name),
            "{name}: {unit:?} {bytes:?}"
        );
    }
    assert!(unit.contains(&"belady".to_owned()) && bytes.contains(&"belady-size".to_owned()));
    assert!(!bytes.contains(&"belady".to_owned()), "it is no optimum where objects have sizes");

    let long = ["cache", "zipf:objects=1000,requests=6e6", "--latency", "10", "--print-scenario"];
    let (scenario, warning) = folder.run(&long).ok_with_warnings();
    assert!(scenario.contains("sample = \"30%\""), "{scenario}");
    let says =
        "warning: the trace has about 6 million requests, so a sample of 30% of its objects is played; --sample 100%";
    assert!(warning.starts_with(says), "{warning}");
    let all = folder.run(&[&long[..], &["--sample", "100%"]].concat()).ok();
    assert!(!all.contains("sample ="), "{all}");
}

#[test]
fn slow_policies_say_so_before_they_begin() {
    let folder = Folder::new();
    let recipe = "zipf:objects=20_000,requests=200_000,skew=1.5";
    let run = |policies: &str, capacity: &str| {
        let arguments = ["cache", recipe, "--latency", "10", "--policy", policies, "--capacity", capacity];
        folder.run(&arguments).ok_with_warnings().1
    };
    let warnings = run("lru,hyperbolic,s3-fifo-mad(sample=0),sieve-mad,2q-mad", "1000");
    assert_eq!(
        warnings,
        "warning: `hyperbolic` compares all entries at each eviction, which is slow; `hyperbolic(sample=64)` does not\n\
         warning: `s3-fifo-mad(sample=0)` compares all entries at each eviction, which is slow; without `sample=0`, it compares 64 that are drawn\n\
         warning: `sieve-mad` and `2q-mad` compare 64 entries drawn at each eviction, not all; `sample=0` compares all\n"
    );
    assert_eq!(run("lru-mad,s3-fifo-mad(first=64),s3-fifo-mad(sample=0)", "100"), "");
}

/// A latency is in slots or a time, as the scenario writes it.
#[test]
fn panels_have_the_unit_of_the_trace() {
    let folder = Folder::new();
    for (recipe, latencies, titles) in [
        ("zipf:objects=50,requests=2000", "10,100", [">latency 10<", ">latency 100<"]),
        ("zipf:objects=50,requests=2000,rate=1e6", "10us,100us", [">latency 10 µs<", ">latency 100 µs<"]),
    ] {
        let run =
            ["cache", recipe, "--policy", "lru,fifo", "--capacity", "5,20", "--latency", latencies, "--out", "out"];
        folder.run(&run).ok();
        let picture = folder.read("out/latency-by-capacity.svg");
        for title in titles {
            assert!(picture.contains(title), "{title}");
        }
    }
}
