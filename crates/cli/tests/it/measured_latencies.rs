//! `--latency measured`: fetches take what the trace has measured.

use crate::support::Folder;
use serde_json::Value;

fn path(file: &str) -> String {
    format!("{}/../../testdata/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The fetched objects and the latencies of their requests, in the order of the trace, and the printed notes.
fn played(file: &str, format: &str) -> (Vec<(String, String)>, String) {
    let folder = Folder::new();
    let arguments =
        ["cache", file, "--format-in", format, "--policy", "lru", "--capacity", "1", "--latency", "measured"];
    let more = ["--model", "delayed", "--record", "requests", "--out", "out"];
    let (_, told) = folder.run(&[&arguments[..], &more].concat()).ok_with_warnings();
    let rows = folder.read("out/requests.csv");
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let header = fields(rows.lines().next().unwrap());
    let place = |name: &str| header.iter().position(|own| own == name).unwrap_or_else(|| panic!("{header:?}"));
    let (outcome, latency) = (place("outcome"), place("latency"));
    let rows = rows.lines().skip(1).map(fields).map(|row| (row[outcome].clone(), row[latency].clone()));
    (rows.collect(), told)
}

#[test]
fn a_column_says_what_each_object_takes() {
    // a: 4 and 6 ms; b: 20 ms; c says nothing and takes the mean of the three.
    let expected = ["0.005", "0.02", "0.005", "0.01", "0.005", "0.02"];
    let expected = expected.map(|seconds| ("miss".to_owned(), seconds.to_owned()));
    let (requests, told) = played(&path("requests/fetched.csv"), "libcachesim-csv:latency=ttfb,latency-unit=ms");
    assert_eq!(requests, expected);
    let said =
        "3 fetches of 2 objects; other objects take the mean of all, 10.000 ms; 3 requests have no measured fetch";
    assert!(told.contains(said), "{told}");
    // The same in JSON lines.
    let folder = Folder::new();
    let lines = [("a", "4"), ("b", "20"), ("a", "\"-\""), ("c", "null"), ("a", "6"), ("b", "0")];
    let lines =
        lines.iter().zip(0..).map(|((key, took), n)| format!("{{\"time\":0.{n},\"key\":\"{key}\",\"took\":{took}}}\n"));
    folder.write("fetched.jsonl", lines.collect::<String>());
    let (requests, _) = played(&folder.path("fetched.jsonl").display().to_string(), "json-lines:latency=took,unit=s");
    assert_eq!(requests, expected);
}

#[test]
fn logs_and_traces_of_disks_have_them() {
    let folder = Folder::new();
    let told = |file: &str, format: &[&str]| {
        let file = path(file);
        let arguments =
            ["cache", &file, "--policy", "lru", "--capacity", "2", "--latency", "measured", "--format", "json"];
        let (text, told) = folder.run(&[&arguments[..], format].concat()).ok_with_warnings();
        let _: Value = serde_json::from_str(&text).unwrap();
        told
    };
    for (file, format, said) in [
        ("requests/example.vscsi", &[][..], "5 fetches of 3 objects; other objects"),
        ("requests/msr.csv", &[], "4 fetches of 3 objects"),
        ("requests/photos.txt", &[], "3 fetches of 3 objects; other objects"),
        ("logs/squid.log", &[], "fetches of"),
    ] {
        let told = told(file, format);
        assert!(told.contains(said), "{file}: {told}");
    }
}

#[test]
fn a_trace_without_them_is_refused() {
    for (file, format, why) in [
        ("requests/fetched.csv", "libcachesim-csv", "needs a trace with the latencies of its fetches"),
        ("requests/fetched.csv", "libcachesim-csv:latency=2", "no line of this trace has one"),
        ("requests/fetched.csv", "libcachesim-csv:latency=tfb", "has no column `tfb`"),
        ("requests/k.keys", "keys", "needs a trace with times; this one has slots"),
    ] {
        let arguments = [
            "cache",
            &path(file),
            "--format-in",
            format,
            "--policy",
            "lru",
            "--capacity",
            "2",
            "--latency",
            "measured",
        ];
        let error = Folder::new().run(&arguments).refused();
        assert!(error.contains(why), "{format}: {error}");
    }
}
