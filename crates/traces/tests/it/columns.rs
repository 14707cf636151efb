//! Texts in columns that options describe.

use crate::support::{reader, refused, requests};

/// XXH64 with seed 0 of `a`, a line end and `b`; of `a,b`.
const A_AND_B: u64 = 0xa592_bad2_776c_4e8e;
const A_COMMA_B: u64 = 0xf0e4_9786_78bb_cc60;

/// The warnings of a file, read in this format.
#[track_caller]
fn warnings(file: &str, format: &str) -> Vec<String> {
    let mut reader = reader(file.as_bytes(), "trace", Some(format)).unwrap();
    reader.fill(&mut Vec::new(), 100_000).unwrap();
    reader.warnings()
}

#[test]
fn columns_are_found_by_the_names_of_the_first_line() {
    let file = b"Date,URL,status,sent\n3,7,200,10\n4.5,9,304,20\n";
    let expected = [(0, 7, 10), (1_500_000_000, 9, 20)];
    assert_eq!(requests(file, Some("columns:key=url,size=sent")), expected);
    assert_eq!(requests(file, Some("csv:time=1,key=url,size=sent")), expected);
    assert_eq!(requests(file, Some("csv:time=date,key=2,size=4,header=yes")), expected);
    assert_eq!(requests(file, Some("csv:time=0,key=url")), [(0, 7, 1), (1, 9, 1)]);
    for (options, message) in [
        ("key=urk", "the first line has no column `urk`; did you mean `url`?"),
        ("key=url,header=no", "`url` is the name of a column, but the first line has no names"),
        ("key=0", "`key` must be a column from 1; a request needs an object"),
        ("time=1+2,key=url", "`time` must be one column, not `1+2`"),
    ] {
        let (_, found) = refused(file, Some(&format!("csv:{options}")));
        assert!(found.starts_with(message), "{options}: {found}");
    }
    let (line, message) = refused(b"when,url\n3,7\n", Some("csv:key=url"));
    assert!(line == 1 && message.contains("names no time; say time=COLUMN, or time=0"), "{message}");
}

#[test]
fn columns_that_tell_rows_apart_are_named_if_nothing_chooses() {
    let file = "time,key,size,Method,status\n1,7,10,GET,200\n2,8,10,PUT,201\n";
    let said = "all rows are taken as requests, whatever their `method` or `status` is; op=method,operations=GET+HEAD, for example, takes \
                only some";
    assert_eq!(warnings(file, "csv"), [said]);
    assert_eq!(warnings(file, "csv:op=method,operations=GET+PUT"), [""; 0]);
    let status = warnings("time,key,size,status\n1,7,10,200\n2,8,10,500\n", "csv");
    assert!(status[0].contains("op=status,operations=200+304"), "{status:?}");
    let json = "{\"time\": 1, \"key\": 7, \"op\": \"set\"}\n";
    assert!(warnings(json, "json-lines")[0].contains("`op`"));
    assert_eq!(
        warnings("time,key,size\n1,7,10\n2,8,10.0\n", "csv"),
        [""; 0],
        "a table has 10.0 where others have gaps"
    );
}

#[test]
fn several_columns_are_one_key() {
    let file = b"3,a,b,10\n4,ab,,10\n5,a,b,5\n";
    let read = requests(file, Some("csv:key=2+3,size=4"));
    assert_eq!(read, [(0, A_AND_B, 10), (1_000_000_000, 0x61aa_9cd0_7586_093a, 10), (2_000_000_000, A_AND_B, 5)]);
    assert_eq!(requests(b"3,a,2,10\n", Some("csv:size=3+4"))[0].2, 12);
}

#[test]
fn values_in_quotes_may_have_commas() {
    assert_eq!(
        requests(b"3,\"a,b\",10\n4,\"a,b\",\"11\"\n", None),
        [(0, A_COMMA_B, 10), (1_000_000_000, A_COMMA_B, 11)]
    );
    let (line, message) = refused(b"3,7,10\n4,\"a,b,10\n", None);
    assert!(line == 2 && message.starts_with("a line must end a quoted value within the line"), "{message}");
}

#[test]
fn operations_say_which_lines_are_requests() {
    let file = "1,GET,7,10\n2,PUT,8,10\n3,head,9,10\n4,DELETE\n";
    let format = "csv:op=2,operations=GET+HEAD,key=3,size=4";
    assert_eq!(requests(file.as_bytes(), Some(format)), [(0, 7, 10), (2_000_000_000, 9, 10)]);
    let said = "lines with other operations, such as `PUT`, were left out: 2 (leaving `op` away takes them)";
    assert_eq!(warnings(file, format), [said]);
    let (_, message) = refused(file.as_bytes(), Some("csv:op=2,operations=READ,key=3,size=4"));
    assert!(message.starts_with("no line has the operation READ; the first other one is `GET`"), "{message}");
    let (_, message) = refused(file.as_bytes(), Some("csv:op=2,key=3"));
    assert!(message.starts_with("`op` and `operations` need each other"), "{message}");
}

#[test]
fn a_range_is_a_request_for_each_of_its_blocks() {
    let file = b"1,7,4095,2\n2,7,8192,4096\n";
    let by_key = "csv:key=3,size=4,blocks=4KiB";
    let second = 1_000_000_000;
    assert_eq!(requests(file, Some(by_key)), [(0, 0, 4_096), (0, 1, 4_096), (second, 2, 4_096)]);
    let sectors = "csv:key=3,size=4,blocks=512,sector=512";
    assert!(refused(file, Some(sectors)).1.contains("`blocks`: "), "a size needs its unit");
    assert_eq!(requests(b"1,7,8,2\n", Some("csv:key=3,size=4,blocks=512B,sector=512")), [(0, 8, 512), (0, 9, 512)]);
    let with_volume = requests(b"1,a,8192,1\n", Some("csv:key=2,offset=3,size=4,blocks=4KiB"));
    // XXH64 of `a`, a line end and `2`, with the offset among the columns of the key or not.
    assert_eq!(with_volume, requests(b"1,a,8192,1\n", Some("csv:key=2+3,size=4,blocks=4KiB")));
    let (line, message) = refused(b"1,7,0,99999999999999\n", Some("csv:key=3,size=4,blocks=1B"));
    assert!(line == 1 && message.starts_with("this line stands for 99999999999999 requests"), "{message}");
    assert!(refused(file, Some("csv:blocks=0B")).1.contains("above zero"));
    assert!(refused(file, Some("csv:offset=3")).1.contains("say blocks=SIZE too"));
}

#[test]
fn a_line_may_stand_for_several_requests() {
    let file = b"1,7,10,2\n2,8,10,0\n3,9,10,1\n";
    assert_eq!(requests(file, Some("csv:count=4")), [(0, 7, 10), (0, 7, 10), (2_000_000_000, 9, 10)]);
    assert_eq!(requests(file, Some("csv:count=4,time=0")), [(0, 7, 10), (1, 7, 10), (2, 9, 10)]);
}

#[test]
fn times_have_many_units() {
    let second = 1_000_000_000;
    for (file, unit) in [
        ("2024-05-01T00:00:00Z,7,1\n2024-05-01 02:00:01+02:00,7,1\n", "auto"),
        ("2024-05-01T00:00:00.5,7,1\n2024-05-01T00:00:01.500Z,7,1\n", "iso8601"),
        ("128166372003061629,7,1\n128166372013061629,7,1\n", "filetime"),
        ("128166372003061629,7,1\n128166372013061629,7,1\n", "auto"),
    ] {
        assert_eq!(requests(file.as_bytes(), Some(&format!("csv:unit={unit}"))), [(0, 7, 1), (second, 7, 1)], "{unit}");
    }
    let (_, message) = refused(b"3,7,1\n", Some("csv:unit=iso8601"));
    assert_eq!(message, "the time must be like `2024-05-01T13:55:36.5Z` (ISO 8601), not `3`");
}

#[test]
fn a_few_lines_may_lack_a_column() {
    let file = "1,7,10\n2\n3,8,-\n4,9,\n5,7,10\n6,7,10\n7,7,10\n";
    assert_eq!(requests(file.as_bytes(), None).len(), 4);
    let said =
        "lines that lack a value were left out: 3; the first is line 2: the line has 1 columns, but 3 are needed";
    assert!(warnings(file, "csv")[0].starts_with(said), "{:?}", warnings(file, "csv"));
    let (line, message) = refused(&"1,7\n".repeat(1_000).into_bytes(), Some("csv"));
    let said =
        "16 of 16 lines or rows up to here lack a value; the first is 1: the line has 2 columns, but 3 are needed";
    assert!(line == 16 && message.starts_with(said), "{line} {message}");
}

#[test]
fn odd_readings_are_said() {
    let lines = |line: fn(u32) -> String| (0..100).map(line).collect::<String>();
    let codes = lines(|n| format!("{n},{},{}\n", n % 7, [200, 304, 404, 200][n as usize % 4]));
    let said = "all sizes are HTTP status codes (200, 304, 404); is the column of the size right?";
    assert_eq!(warnings(&codes, "csv"), [said]);
    let times = lines(|n| format!("5,{},{n}\n", n % 7));
    let said = "all 100 requests have the same time; is the column of the time right?";
    assert!(warnings(&times, "csv").iter().any(|warning| warning == said));
    let json = lines(|n| format!("{{\"key\": {n}, \"time\": 5}}\n"));
    let warned = warnings(&json, "csv:time=0,key=1,size=0");
    let kept = warnings(&json, "keys:separators=keep");
    assert!(kept[0].contains("100 keys look like pieces of JSON"), "{kept:?}");
    assert!(warned[0].contains("keys look like pieces of JSON") && warned[0].ends_with("--format-in json-lines"));
}
