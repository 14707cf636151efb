//! `forebay bound`: bounds of the lowest latency.

use crate::support::Folder;
use serde_json::Value;

fn bound(folder: &Folder, arguments: &[&str]) -> Value {
    let all = [&["bound", "--format", "json"], arguments].concat();
    let report: Value = serde_json::from_str(&folder.run(&all).ok()).unwrap();
    assert_eq!(report["complete"], report["results"][0]["complete"]);
    report["results"][0].clone()
}

fn limits(bound: &Value) -> (u64, u64) {
    (bound["lower"].as_u64().unwrap(), bound["upper"].as_u64().unwrap())
}

#[test]
fn a_bound_has_what_programs_look_for() {
    let folder = Folder::new();
    let recipe = "zipf:objects=300,requests=4_000,occupancy=0.8";
    let found = bound(&folder, &[recipe, "--capacity", "16", "--latency", "100"]);
    let (lower, upper) = limits(&found);
    assert!(0 < lower && lower <= upper);
    let gap = found["gap"].as_f64().unwrap();
    assert!((gap - (upper - lower) as f64 / upper as f64).abs() < 1e-9 && gap < 0.02);
    assert_eq!((&found["requests"], &found["latency"], &found["complete"]), (&4_000.into(), &100.into(), &true.into()));
    let fields = ["hits", "delayed_hits", "misses"].map(|field| found[field].as_u64().unwrap());
    assert_eq!(fields.iter().sum::<u64>(), 4_000);
    let table = folder.run(&["bound", recipe, "--capacity", "16", "--latency", "100"]).ok();
    assert!(table.contains("16 entries, latency 100 slots, 4000 requests\n"), "{table}");
    let csv = folder.run(&["bound", recipe, "--capacity", "16", "--latency", "100", "--format", "csv"]).ok();
    assert!(
        csv.contains("\n(lower bound),all,,latency:mean,slots,0,")
            && csv.contains("\n(best schedule found),all,,gap,1,0,"),
        "{csv}"
    );
}

#[test]
fn small_traces_are_solved() {
    let folder = Folder::new();
    folder.write("one.txt", "a\n");
    assert_eq!(limits(&bound(&folder, &["one.txt", "--capacity", "1", "--latency", "7"])), (7, 7));
    folder.write("same.txt", "a\na\na\na\n");
    let same = bound(&folder, &["same.txt", "--capacity", "1", "--latency", "3"]);
    assert_eq!(limits(&same), (6, 6), "a miss, two delayed hits, a hit");
    let everything = bound(&folder, &["same.txt", "--capacity", "18446744073709551615", "--latency", "1"]);
    assert_eq!(limits(&everything), (1, 1));
    // Two requests in one nanosecond: the second waits with the first.
    folder.write("times.csv", "time_ns,key\n0,1\n0,1\n0,2\n5000,1\n5000,2\n");
    let times = bound(&folder, &["times.csv", "--capacity", "2", "--latency", "1us"]);
    assert_eq!((limits(&times), &times["latency_unit"]), ((3_000, 3_000), &"ns".into()));
    let tight = bound(&folder, &["times.csv", "--capacity", "1", "--latency", "1us"]);
    assert_eq!(limits(&tight), (4_000, 4_000), "one of them can stay");
}

#[test]
fn little_work_gives_bounds_that_hold() {
    let folder = Folder::new();
    let arguments = ["zipf:objects=300,requests=4_000,occupancy=0.8", "--capacity", "16", "--latency", "100"];
    let proven = bound(&folder, &[&arguments[..], &["--gap", "0"]].concat());
    for little in [&["--seconds", "0"][..], &["--iterations", "1"], &["--gap", "100"]] {
        let found = bound(&folder, &[&arguments[..], little].concat());
        assert!(limits(&found).0 <= limits(&proven).1 && limits(&proven).0 <= limits(&found).1, "{little:?}");
        assert!(found["iterations"].as_u64().unwrap() <= 40, "{found}");
        assert_eq!(found["complete"], true);
    }
    assert!(proven["gap"].as_f64().unwrap() < 0.01);
}

#[test]
fn shares_sizes_and_origins() {
    let folder = Folder::new();
    folder.write("a.csv", "time_ns,key,size_bytes\n0,1,10\n9000,2,20\n18000,1,10\n27000,2,20\n");
    let entries = bound(&folder, &["a.csv", "--capacity", "50%", "--latency", "1us"]);
    assert_eq!((&entries["capacity"], limits(&entries).1), (&1.into(), 3_000));
    assert!((2_997..=3_000).contains(&limits(&entries).0), "within the gap asked for: {entries}");
    let bytes = bound(&folder, &["a.csv", "--capacity", "100%", "--latency", "1us", "--sizes", "bytes"]);
    assert_eq!((&bytes["capacity"], limits(&bytes)), (&30.into(), (2_000, 2_000)));
    let origins = bound(&folder, &["a.csv", "--capacity", "2", "--latency", "origins(1us,2us)"]);
    assert_eq!(origins["latency"], "origins(1us,2us)");
    assert!((2_000..=4_000).contains(&limits(&origins).0));
}

#[test]
fn wrong_efforts_are_refused() {
    let folder = Folder::new();
    for (argument, value, message) in [
        ("--gap", "-1", "--gap: `-1` must be a percentage from 0 to 100"),
        ("--seconds", "nan", "--seconds: `nan` must be a number of seconds, 0 or more"),
        ("--seconds", "-1", "--seconds: `-1` must be a number of seconds, 0 or more"),
        ("--iterations", "0", "--iterations: `0` is not a whole number from 1 to "),
    ] {
        let error = folder.run(&["bound", "zipf", "--capacity", "1", "--latency", "1", argument, value]).refused();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_certificate_is_checked_apart_from_the_search() {
    let folder = Folder::new();
    let recipe = "zipf:objects=300,requests=4_000,occupancy=0.8";
    let options = ["--capacity", "16", "--latency", "100", "--certificate", "bound.cert"];
    let (lower, _) = limits(&bound(&folder, &[&[recipe], options.as_slice()].concat()));
    let said = folder.run(&["verify", "bound.cert", recipe]).ok();
    assert!(said.starts_with("proven: no cache of 16 entries"), "{said}");
    assert!(said.contains(&format!("below {lower} ticks on the 4000 requests")), "{said}");
    let other_error =
        folder.run(&["verify", "bound.cert", "zipf:objects=300,requests=4_000,occupancy=0.8,seed=9"]).refused();
    assert!(other_error.contains("another trace"), "{}", other_error);
    let text = folder.read("bound.cert");
    folder.write("changed.cert", text.replacen("capacity 16", "capacity 15", 1));
    let changed_error = folder.run(&["verify", "changed.cert", recipe]).refused();
    assert!(changed_error.contains("was changed"), "{}", changed_error);
}
