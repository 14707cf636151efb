//! A JSON object per line.

use crate::support::{read, reader, refused, requests};
use forebay_core::Clock;

/// XXH64 with seed 0 of `/a`.
const A: u64 = 0x0bcf_a9bb_b5ba_7e84;
const MS: u64 = 1_000_000;

#[test]
fn a_list_of_keys_is_a_request_for_each() {
    let file = br#"{"timestamp": 27, "input_length": 1536, "output_length": 10, "hash_ids": [1, 2, 3]}
{"timestamp": 527, "input_length": 1024, "output_length": 5, "hash_ids": [1, 9]}

{"timestamp": 500, "input_length": 1024, "output_length": 5, "hash_ids": ["7", "/a"]}
{"timestamp": 600, "input_length": 1024, "output_length": 5, "hash_ids": []}
"#;
    let expected =
        [(0, 1, 1), (0, 2, 1), (0, 3, 1), (473 * MS, 7, 1), (473 * MS, A, 1), (500 * MS, 1, 1), (500 * MS, 9, 1)];
    assert_eq!(read(file, "trace", None).unwrap().0.format, "mooncake");
    assert_eq!(requests(file, None), expected);
    let mut reader = reader(file, "trace", None).unwrap();
    reader.fill(&mut Vec::new(), 100).unwrap();
    let said =
        ["2 requests were earlier than a request before them; sorted by time", "lines with an empty list of keys: 1"];
    assert_eq!(reader.warnings(), said);
    assert_eq!(requests(file, Some("json-lines:unit=ms")), expected);
}

#[test]
fn fields_are_found_or_named() {
    let file = br#"{"ts": "2024-05-01T00:00:00Z", "url": "\/a", "bytes": 10, "request": {"host": "b", "method": "GET"}}
{"ts": "2024-05-01T00:00:00.5Z", "url": "/a", "bytes": "20", "request": {"method": "PUT", "host": "b"}}
"#;
    assert_eq!(requests(file, None), [(0, A, 10), (500 * MS, A, 20)]);
    assert_eq!(requests(file, Some("jsonl:op=request.method,operations=get")), [(0, A, 10)]);
    assert_eq!(requests(file, Some("jsonl:key=request.host,size=0"))[0].2, 1);
    // XXH64 of `a`, a line end and `b`.
    let joined = requests(br#"{"ts": 1.5, "x": "a", "y": {"z": "b"}}"#, Some("json-lines:key=x+y.z"));
    assert_eq!(joined, [(0, 0xa592_bad2_776c_4e8e, 1)]);
    let (facts, slots) = read(b"{\"key\": 5}\n{\"key\": 6}\n", "trace", Some("json-lines:time=0")).unwrap();
    assert!(facts.clock == Clock::Slots && !facts.sizes && slots.len() == 2);
    let times = requests(b"{\"time\": 1700000000.123456789, \"id\": 1}\n{\"time\": 1700000000.2, \"id\": 1}\n", None);
    assert_eq!(times[1].0, 76_543_211, "times are exact");
}

#[test]
fn lines_that_are_no_objects_or_lack_a_field_are_said() {
    let good = "{\"time\": 1, \"key\": 5}\n";
    for (second, line, message) in [
        ("{\"time\": 2, \"key\"\n", 2, "a line must be a JSON object, not `{\\\"time\\\": 2"),
        ("7\n", 2, "a line must be a JSON object, not `7`"),
        ("{\"time\": 2}\n", 2, "the field of the key is missing here"),
        ("{\"time\": \"-\", \"key\": 5}\n", 2, "the field of the time is missing here"),
        ("{\"time\": null, \"key\": 5}\n", 2, "the field of the time is missing here"),
        ("{\"time\": 2, \"key\": [5, {}]}\n", 2, "a line must have texts or numbers in its list of keys, not `{}`"),
        (
            "{\"time\": 1e3, \"key\": 5}\n",
            2,
            "the time must be a number, zero or above, without an exponent, not `1e3`",
        ),
    ] {
        let refused = refused(format!("{good}{second}").as_bytes(), None);
        assert!(refused.0 == line && refused.1.starts_with(message), "{second}: {refused:?}");
    }
    let long = format!("{{\"time\": 1, \"keys\": [{}1]}}\n", "1234567, ".repeat(60_000));
    for file in ["{\"when\": 1, \"what\": 5}\n", long.as_str()] {
        let (_, message) = refused(file.as_bytes(), None);
        assert!(message.contains("--format-in json-lines:time=FIELD,key=FIELD"), "{message}");
        assert!(!message.contains("libcachesim-csv:"), "{message}");
    }
    let file = format!("{}{{\"time\": 2}}\n", good.repeat(3));
    assert_eq!(requests(file.as_bytes(), None).len(), 3);
    let (line, message) = refused(b"{\"when\": 1, \"key\": 5}\n", Some("json-lines"));
    assert!(line == 1 && message.contains("say time=FIELD, or time=0 if there is none"), "{message}");
    let long = format!("{{\"time\": 1, \"keys\": [{}1]}}\n", "1234567, ".repeat(100_000));
    assert_eq!(requests(long.as_bytes(), Some("json-lines")).len(), 100_001);
}
