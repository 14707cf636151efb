//! Request traces in columns and JSON lines as their publishers write them: `testdata/requests`.

use crate::support::Folder;
use serde_json::Value;

fn path(file: &str) -> String {
    format!("{}/../../testdata/requests/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn info(file: &str, more: &[&str]) -> (Value, String) {
    let path = path(file);
    let (text, warnings) =
        Folder::new().run(&[&["trace", "info", &path, "--format", "json"], more].concat()).ok_with_warnings();
    (serde_json::from_str(&text).unwrap(), warnings)
}

/// The format, the requests, the objects, and the nanoseconds or slots from the first request to the last.
fn facts(found: &Value) -> (&str, u64, u64, u64) {
    let number = |field: &str| found[field].as_u64().unwrap();
    (found["format"].as_str().unwrap(), number("requests"), number("objects"), number("span_ticks"))
}

#[test]
fn blocks_of_a_prompt_are_requests() {
    let (found, warnings) = info("conversation.jsonl", &[]);
    assert_eq!(facts(&found), ("mooncake", 14, 7, 6_000_000_000));
    assert_eq!(warnings, "");
}

#[test]
fn objects_of_ibm_are_read() {
    let (found, warnings) = info("cos.txt", &[]);
    assert_eq!(facts(&found), ("ibm-object-store", 3, 2, 24_003_000_000));
    assert!(warnings.contains("such as `REST.PUT.OBJECT`, were left out: 5"), "{warnings}");
}

#[test]
fn ranges_of_a_disk_are_read_whole_or_in_blocks() {
    let (found, _) = info("msr.csv", &[]);
    assert_eq!(facts(&found), ("msr", 4, 3, 2_332_061_600));
    // Blocks 2, 3 and 4, 2, 2 and 3.
    let (found, _) = info("msr.csv", &["--format-in", "msr:blocks=4KiB"]);
    assert_eq!(facts(&found), ("msr", 6, 3, 2_332_061_600));
    let (found, _) = info("msr.csv", &["--format-in", "msr:operations=writes"]);
    assert_eq!(facts(&found), ("msr", 1, 1, 0));
    let (found, _) = info("p.lis", &[]);
    assert_eq!(facts(&found), ("arc", 20, 12, 19));
}

#[test]
fn binary_traces_of_libcachesim_are_known_by_their_content() {
    let (found, warnings) = info("example.vscsi", &[]);
    assert_eq!(facts(&found), ("vscsi", 5, 3, 3_000_000));
    assert!(warnings.contains("records with other SCSI commands, such as 0x35, were left out: 1"), "{warnings}");
    let (found, _) = info("example.vscsi", &["--format-in", "vscsi:blocks=4KiB,operations=reads"]);
    assert_eq!(facts(&found), ("vscsi", 20, 19, 3_000_000));
    let (found, warnings) = info("example.lcs", &[]);
    assert_eq!((facts(&found), &warnings[..]), (("lcs", 5, 3, 10_000_000), ""));
    let (found, _) = info("example.lcs", &["--format-in", "lcs:operations=reads"]);
    assert_eq!(facts(&found), ("lcs", 4, 2, 10_000_000));
}

#[test]
fn the_log_of_photos_is_read() {
    let (found, warnings) = info("photos.txt", &[]);
    assert_eq!(facts(&found), ("tencent-photo", 4, 3, 3_000_000_000));
    assert!(warnings.contains("25.0 % hits (1 of 4 requests with a cache status)"), "{warnings}");
}

#[test]
fn requests_are_repeated_as_cachelib_counts_them() {
    let (found, _) = info("kv.csv", &[]);
    assert_eq!(facts(&found), ("cachelib", 6, 2, 5));
    assert_eq!((&found["size_bytes"]["min"], &found["size_bytes"]["max"]), (&20.into(), &130.into()));
}

#[test]
fn columns_are_named() {
    let (found, warnings) =
        info("named.csv", &["--format-in", "columns:key=host+url,size=sent,op=method,operations=GET+HEAD"]);
    assert_eq!(facts(&found), ("libcachesim-csv", 3, 2, 4_000_000_000));
    assert!(warnings.contains("such as `POST`, were left out: 1"), "{warnings}");
    assert!(warnings.contains("lines that lack a value were left out: 1; the first is line 5"), "{warnings}");
    let refused =
        Folder::new().run(&["trace", "info", &path("named.csv"), "--format-in", "columns:key=urls"]).refused();
    assert!(refused.contains("named.csv:1: the first line has no column `urls`; did you mean `url`?"), "{refused}");
}
