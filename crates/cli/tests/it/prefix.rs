//! `forebay prefix`.

use crate::support::Folder;
use serde_json::Value;

const GUIDE: &str = include_str!("../../../../docs/prefix-caches.md");

#[test]
fn the_table_of_the_guide_is_printed() {
    let arguments = ["prefix", "conversations:prompts=2000", "--blocks", "500,2000"];
    assert!(GUIDE.contains(&format!("    forebay {}\n", arguments.join(" "))));
    let printed = Folder::new().run(&arguments).ok();
    assert!(printed.lines().count() > 20);
    for line in printed.lines().filter(|line| !line.is_empty()) {
        assert!(
            GUIDE.contains(&format!("    {line}\n")),
            "copy what the command prints to docs/prefix-caches.md: {line}"
        );
    }
}

#[test]
fn every_field_is_in_the_guide_and_files_have_the_printed_result() {
    let folder = Folder::new();
    let arguments = ["prefix", "conversations:prompts=100", "--iterations", "10", "--out", "out", "--format"];
    let json = folder.run(&[&arguments[..], &["json"]].concat()).ok();
    let names = json.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": ")).map(|(name, _)| name);
    for name in names {
        assert!(GUIDE.contains(&format!("`{name}`")), "{name}");
    }
    assert_eq!(folder.read("out/result.json"), json);
    assert_eq!(folder.run(&[&arguments[..], &["csv"]].concat()).ok(), folder.read("out/result.csv"));
}

#[test]
fn wrong_use_is_refused_with_the_fix() {
    let folder = Folder::new();
    let line =
        |time: u64, blocks: &str| format!("{{\"timestamp\":{time},\"input_length\":1024,\"hash_ids\":{blocks}}}\n");
    folder.write("parent.jsonl", line(0, "[1,2]") + "\n" + &line(1, "[3,2]"));
    folder.write("order.jsonl", line(5, "[1,2]") + &line(1, "[1,2]"));
    for (arguments, words) in [
        (&["parent.jsonl"][..], &["parent.jsonl:3: ", "block 2 ", "chained hashes"][..]),
        (&["order.jsonl"][..], &["order.jsonl:2: ", "sort the lines"][..]),
        (&["nowhere.jsonl"][..], &["nowhere.jsonl", "no such file"][..]),
        (&["conversations:prompt=5"][..], &["did you mean `prompts`"][..]),
        (&["conversations", "--policy", "lru-leave"][..], &["did you mean `lru-leaf`"][..]),
        (&["conversations", "--policy", "t-lru(threshold=-1)"][..], &["`threshold`"][..]),
        (&["conversations", "--blocks", "0"][..], &["`0` must be a number of blocks"][..]),
        (&["conversations", "--prefill-rate", "-5"][..], &["--prefill-rate", "must be a number from"][..]),
        (&["conversations", "--speed", "nan"][..], &["--speed", "must be a number from"][..]),
        (&["conversations", "--format-in", "mooncake"][..], &["a recipe has no format"][..]),
    ] {
        let error = folder.run(&[&["prefix"][..], arguments].concat()).refused();
        for word in words {
            assert!(error.contains(word), "{arguments:?}: {error}");
        }
    }
}

#[test]
fn bounds_of_the_conversation_trace_are_within_a_per_cent() {
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/prefix_cache/conversation_trace.jsonl.xz");
    if !std::path::Path::new(trace).exists() {
        return println!("skipped: ../shared/data/prefix_cache/conversation_trace.jsonl.xz is not there");
    }
    let arguments = ["prefix", trace, "--blocks", "500,2000,10000", "--policy", "lru-leaf,queue-informed,belady-leaf"];
    let json = Folder::new().run(&[&arguments[..], &["--workers", "10", "--format", "json"]].concat()).ok();
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["trace"]["blocks"], &report["trace"]["repeated_blocks"]), (&288_500.into(), &105_710.into()));
    let bounds = report["bounds"].as_array().unwrap();
    // Found by a greedy program of a few lines that is not forebay's.
    let hits: Vec<_> = bounds.iter().map(|bounds| bounds["hit_blocks_most"].as_u64().unwrap()).collect();
    assert_eq!(hits, [39_459, 73_563, 105_710]);
    for bounds in bounds {
        for cost in ["blocks", "tokens", "work"] {
            let gap = bounds[cost]["gap"].as_f64().unwrap();
            assert!(gap < 0.01, "{cost}: {gap}");
        }
        let rows = report["results"].as_array().unwrap();
        for row in rows.iter().filter(|row| row["capacity_blocks"] == bounds["capacity_blocks"]) {
            assert!(row["hit_blocks"].as_u64() <= bounds["hit_blocks_most"].as_u64(), "{row}");
            assert!(row["hit_tokens"].as_u64() <= bounds["hit_tokens_most"].as_u64(), "{row}");
            assert!(row["work_seconds"].as_f64() >= bounds["work_seconds_least"].as_f64(), "{row}");
        }
    }
}
