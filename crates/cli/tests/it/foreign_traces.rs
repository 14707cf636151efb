//! Request traces, logs and distributions of sizes as other people's programs write them: `testdata/requests` and `testdata/sizes`.

use crate::support::Folder;
use serde_json::Value;

fn path(file: &str) -> String {
    format!("{}/../../testdata/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn info(file: &str, more: &[&str]) -> (Value, String) {
    let path = path(&format!("requests/{file}"));
    let (text, warnings) =
        Folder::new().run(&[&["trace", "info", &path, "--format", "json"], more].concat()).ok_with_warnings();
    (serde_json::from_str(&text).unwrap(), warnings)
}

#[test]
fn keys_of_64_bits_are_not_twice_as_many_of_32() {
    let refused = Folder::new().run(&["trace", "info", &path("requests/k.trace")]).refused();
    assert!(refused.contains("say --format-in u32be or --format-in u64be"), "{refused}");
    let (long, _) = info("k.trace", &["--format-in", "u64be"]);
    let (text, _) = info("k.keys", &[]);
    for field in ["requests", "objects", "share_of_top_1_percent"] {
        assert_eq!(long[field], text[field], "{field}");
    }
    assert_eq!(long["requests"], 4000);
    assert_eq!(info("k.trace", &["--format-in", "u32be"]).0["requests"], 8000);
}

#[test]
fn an_asterisk_of_a_lirs_trace_is_no_object() {
    let (found, warnings) = info("star.trc", &[]);
    assert_eq!((&found["format"], &found["requests"], &found["objects"]), (&"lirs".into(), &4.into(), &2.into()));
    assert!(warnings.contains("lines `*` separate parts of the trace"), "{warnings}");
}

#[test]
fn dates_in_milliseconds_count_from_the_first() {
    let (found, warnings) = info("msepoch.csv", &[]);
    assert_eq!((&found["requests"], &found["span_ticks"]), (&3.into(), &1_000_000_000.into()));
    assert!(warnings.contains("to say it: `unit=ms`, or `unit=s`"), "{warnings}");
    let named = info("msepoch.csv", &["--format-in", "libcachesim-csv:unit=ms"]);
    assert_eq!((&named.0["span_ticks"], named.1.as_str()), (&1_000_000_000.into(), ""));
}

#[test]
fn an_access_log_is_read_as_it_is() {
    let (found, warnings) = info("access.log", &[]);
    assert_eq!(found["format"], "access-log");
    assert_eq!(
        (&found["requests"], &found["objects"], &found["span_ticks"]),
        (&3.into(), &2.into(), &4_000_000_000_u64.into())
    );
    assert_eq!((&found["size_bytes"]["min"], &found["size_bytes"]["max"]), (&999.into(), &2326.into()));
    assert!(warnings.contains("lines with status 304, whose answers have no body"), "{warnings}");
    assert!(warnings.contains("lines without method and URL were left out: 1"), "{warnings}");
}

#[test]
fn a_request_for_another_size_is_what_one_chooses() {
    let trace = path("requests/sizech.csv");
    for (choice, hits, changes) in [(None, 2, 2), (Some("hit"), 2, 2), (Some("miss"), 0, 1), (Some("update"), 1, 1)] {
        let mut arguments = vec!["cache", &trace, "--policy", "lru", "--capacity", "12", "--sizes", "bytes"];
        arguments.extend(["--latency", "1ns", "--format", "json"]);
        arguments.extend(choice.iter().flat_map(|choice| ["--size-change", choice]));
        let (text, warnings) = Folder::new().run(&arguments).ok_with_warnings();
        let row = &serde_json::from_str::<Value>(&text).unwrap()["results"][0];
        assert_eq!((&row["hits"], &row["size_changes"]), (&hits.into(), &changes.into()), "{choice:?}");
        assert_eq!(warnings.contains("up to 50.0 % of the requests find"), choice.is_none(), "{warnings}");
    }
    let refused = Folder::new().run(&["cache", &trace, "--latency", "1ns", "--size-change", "miss"]).refused();
    assert!(refused.contains("add `sizes = \"bytes\"`"), "{refused}");
}

#[test]
fn requests_that_change_a_size_are_counted() {
    let (found, _) = info("sizech.csv", &[]);
    assert!(found["size_bytes"]["changes"].as_u64().unwrap() >= 2, "{found}");
}

#[test]
fn sizes_of_ns2_need_their_unit() {
    let folder = Folder::new();
    let distribution = std::fs::read_to_string(path("sizes/ns2.cdf")).unwrap();
    let scenario = "[network]\ntopology = { name = \"star\", hosts = 8, rate = \"10 Gbps\" }\nduration = \"1 ms\"\n[[workload]]\n\
                    sizes = { name = \"cdf\", file = \"ns2.cdf\" }\nload = 0.3\n[[policy]]\ntransport = \"dctcp\"\n\
                    port = { rank = \"arrival\", queue = \"fifo\", buffer = \"200 packets\" }\n";
    folder.write("n.toml", scenario);
    folder.write("ns2.cdf", &distribution);
    let refused = folder.run(&["run", "n.toml"]).refused();
    assert!(refused.starts_with("ns2.cdf:1: ") && refused.contains("write `packets of 1460 bytes`"), "{refused}");
    folder.write("ns2.cdf", format!("packets of 1460 bytes\n{distribution}"));
    folder.run(&["run", "n.toml"]).ok();
}
