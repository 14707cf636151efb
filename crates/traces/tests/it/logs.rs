//! Logs of servers, as the servers wrote them: `testdata/logs`. The expected numbers were counted by another program.

use crate::support::{read, reader, refused, requests};
use forebay_core::{Request, Seed};
use forebay_traces::TraceError;
use rand::RngExt as _;
use std::fs;

fn folder(name: &str) -> String {
    format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn log(name: &str) -> Vec<u8> {
    fs::read(format!("{}/{name}", folder("logs"))).unwrap()
}

/// The format in which each sample is recognised; without one, it must be named.
const FORMATS: &[(&str, &str)] = &[
    ("logs/apache-combined.log", "access-log"),
    ("logs/apache-timed.log", ""),
    ("logs/cloudfront.log", "cloudfront"),
    ("logs/envoy.log", "envoy"),
    ("logs/fastly.log", "fastly"),
    ("logs/haproxy-syslog.log", "haproxy"),
    ("logs/haproxy.log", "haproxy"),
    ("logs/iis.log", "cloudfront"),
    ("logs/istio.log", "envoy"),
    ("logs/nginx-cache.log", "access-log"),
    ("logs/nginx-combined.log", "access-log"),
    ("logs/nginx-json.log", ""),
    ("logs/s3.log", "s3"),
    ("logs/squid.log", "squid"),
    ("logs/varnish-hitmiss.log", ""),
    ("logs/varnish.log", "access-log"),
    ("requests/access.log", "access-log"),
    ("requests/k.keys", "keys"),
    ("requests/msepoch.csv", "libcachesim-csv"),
    ("requests/sizech.csv", "libcachesim-csv"),
    ("requests/star.trc", "lirs"),
];

/// The format of a sample, with the pattern that its server had.
fn spec(name: &str) -> String {
    match name {
        "apache-timed.log" => {
            r#"access-log:log-format=%{%Y-%m-%dT%H:%M:%S}t.%{usec_frac}t%{%z}t %V %a "%r" %>s %B %D "%{User-Agent}i""#.to_owned()
        }
        "varnish-hitmiss.log" => {
            r#"access-log:log-format=%{%Y-%m-%dT%H:%M:%S%z}t %{Host}i "%r" %s %b %D %{Varnish:hitmiss}x %{Varnish:time_firstbyte}x"#.to_owned()
        }
        "nginx-cache.log" => format!("access-log:log-format=@{}/nginx.conf#cache", folder("logs")),
        "nginx-json.log" => format!("access-log:log-format=@{}/nginx.conf#json", folder("logs")),
        other => {
            let known = FORMATS.iter().find(|(sample, _)| *sample == format!("logs/{other}"));
            known.unwrap().1.to_owned()
        }
    }
}

#[test]
fn every_sample_is_recognised_as_what_it_is_and_as_nothing_else() {
    for (sample, format) in FORMATS {
        let bytes = fs::read(folder(sample)).unwrap();
        match read(&bytes, "trace", None) {
            Ok((facts, _)) => assert_eq!(facts.format, *format, "{sample}"),
            Err(error) => assert!(
                format.is_empty() && error.to_string().starts_with("this is not a request trace"),
                "{sample}: {error}"
            ),
        }
    }
    let listed = |name: String| FORMATS.iter().any(|(sample, _)| *sample == name);
    for entry in fs::read_dir(folder("logs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".log") || listed(format!("logs/{name}")), "{name} is in no list");
    }
}

#[test]
fn what_servers_wrote_is_read() {
    // Requests, objects, bytes, and the time between the first and the last in microseconds.
    for (name, expected) in [
        ("apache-combined.log", (30, 15, 115_530, 5_000_000)),
        ("apache-timed.log", (30, 17, 115_530, 5_562_664)),
        ("nginx-combined.log", (27, 15, 106_474, 24_000_000)),
        ("nginx-cache.log", (27, 18, 106_474, 23_622_000)),
        ("nginx-json.log", (27, 18, 106_474, 23_622_000)),
        ("varnish.log", (26, 17, 105_462, 3_000_000)),
        ("varnish-hitmiss.log", (26, 17, 105_462, 3_000_000)),
        ("squid.log", (25, 15, 113_409, 5_444_000)),
        ("haproxy.log", (26, 15, 111_522, 1_340_000)),
        ("haproxy-syslog.log", (26, 15, 111_522, 1_340_000)),
        ("cloudfront.log", (34, 6, 98_321, 28_000_000)),
        ("iis.log", (17, 8, 67_629, 76_000_000)),
        ("fastly.log", (27, 6, 33_614, 29_000_000)),
        ("envoy.log", (25, 7, 14_215, 28_028_000)),
        ("istio.log", (11, 7, 6_522, 14_014_000)),
        ("s3.log", (14, 6, 62_518, 15_000_000)),
    ] {
        let requests = requests(&log(name), Some(&spec(name)));
        let objects: std::collections::BTreeSet<u64> = requests.iter().map(|(_, key, _)| *key).collect();
        let bytes: u64 = requests.iter().map(|(_, _, size)| size).sum();
        let last = requests.last().unwrap().0;
        assert_eq!((requests.len(), objects.len(), bytes, last / 1_000), expected, "{name}");
    }
}

/// Warnings after the whole log has been read.
fn warnings(bytes: &[u8], format: &str) -> String {
    let mut reader = reader(bytes, "trace", Some(format)).unwrap();
    while reader.fill(&mut Vec::new(), 100).unwrap() {}
    reader.warnings().join("\n")
}

#[test]
fn lines_that_are_left_out_are_counted() {
    let squid = warnings(&log("squid.log"), "squid");
    for says in [
        "lines without method and URL were left out: 3",
        "lines with another method (`methods=all` takes them) were left out: 4",
        "lines with status 304, whose answers have no body (`status=all` takes them, with the size that is logged) were left out: 1",
        "lines with a redirect, a status from 300 to 399 (`status=all` takes them) were left out: 2",
        "lines with an error, such as a status of 400 or more (`status=all` takes them) were left out: 5",
        "requests for a part of an object (status 206), which have the size of the part: 1",
        "the log says: 32.0 % hits (8 of 25 requests with a cache status)",
    ] {
        assert!(squid.contains(says), "{says}: {squid}");
    }
    let says = "the log says: 40.7 % hits (11 of 27 requests with a cache status); the others took 0.4 ms on average";
    assert!(warnings(&log("nginx-cache.log"), &spec("nginx-cache.log")).contains(says));
    let says = "the log says: 34.6 % hits (9 of 26 requests with a cache status); the others took 0.4 ms on average";
    assert!(warnings(&log("varnish-hitmiss.log"), &spec("varnish-hitmiss.log")).contains(says));
    assert!(warnings(&log("haproxy.log"), "haproxy").contains("the log says: 30.8 % hits (8 of 26"));
    let cloudfront = warnings(&log("cloudfront.log"), "cloudfront");
    for says in [
        "lines without an answer, since the client had closed the connection (`status=all` takes them) were left out: 1",
        "lines that were earlier than a line before them, and were sorted by time: 2",
        "the log says: 85.3 % hits (29 of 34",
    ] {
        assert!(cloudfront.contains(says), "{says}: {cloudfront}");
    }
}

#[test]
fn options_take_more_lines() {
    let squid = log("squid.log");
    // All but those without method and URL.
    assert_eq!(requests(&squid, Some("squid:methods=all,status=all")).len(), 37);
    assert_eq!(requests(&squid, Some("squid:methods=get-head")).len(), 27);
    assert_eq!(requests(&squid, Some("squid:status=all")).len(), 33);
    let dash = b"h - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 304 -\n";
    assert_eq!(requests(dash, Some("access-log:status=all"))[0].2, 1);
}

#[test]
fn times_are_those_of_the_start_if_asked_for() {
    let nginx = format!("{},time=start", spec("nginx-cache.log"));
    assert_eq!(requests(&log("nginx-cache.log"), Some(&nginx)).last().unwrap().0, 23_623_000_000);
    assert_eq!(requests(&log("cloudfront.log"), Some("cloudfront:time=start")).last().unwrap().0, 28_183_000_000);
    assert_eq!(requests(&log("iis.log"), Some("iis:time=start")).last().unwrap().0, 77_485_000_000);
    // The second answer began first, and took longer.
    let squid = b"10.000 1000 c A/200 7 GET http://a/ - - -\n11.000 3000 c A/200 8 GET http://b/ - - -\n";
    let sizes =
        |format: &str| requests(squid, Some(format)).iter().map(|(time, _, size)| (*time, *size)).collect::<Vec<_>>();
    assert_eq!(sizes("squid"), [(0, 7), (1_000_000_000, 8)]);
    assert_eq!(sizes("squid:time=start"), [(0, 8), (1_000_000_000, 7)]);
    // What the window does not reach is given the time of the request before it.
    assert_eq!(sizes("squid:time=start,window=1"), [(0, 7), (0, 8)]);
    assert!(
        warnings(squid, "squid:time=start,window=1")
            .contains("were given the time of that line: 1; `window=NUMBER` sorts more")
    );
    let (_, message) = refused(b"x\n", Some("access-log:time=start"));
    assert!(message.contains("give the format that has them with `log-format`"), "{message}");
}

#[test]
fn few_lines_of_another_kind_are_left_out_and_many_end_the_run() {
    let good = "1.5 3 c TCP_HIT/200 7 GET http://a/ - - -\n";
    let mixed = format!("{}logfile turned over\n\0\0\0\n{}", good.repeat(3), good.repeat(2));
    assert_eq!(requests(mixed.as_bytes(), Some("squid")).len(), 5);
    let said = warnings(mixed.as_bytes(), "squid");
    let says = "lines of another form were left out: 2; the first is line 4: a line must be like `1728568536.123 ";
    assert!(
        said.contains(says) && said.contains("not `logfile turned over` (the time, which needs a point, does not fit)"),
        "{said}"
    );
    let (line, message) = refused(format!("{good}{}", "x\n".repeat(2)).as_bytes(), Some("squid"));
    assert!(line == 2 && message.contains("2 of the first 3 lines are not in the format `squid`"), "{message}");
    // A long file is rejected before its end.
    let endless = format!("{}{}", "x\n".repeat(501), good.repeat(100_000));
    let (line, message) = refused(endless.as_bytes(), Some("squid"));
    assert!(line == 1 && message.contains("501 of the first 1000 lines"), "{message}");
    let (_, message) = refused(b"1.5 3 c TCP_HIT/200 7 POST http://a/ - - -\n", Some("squid"));
    assert!(message.starts_with("the trace has no requests: lines with another method"), "{message}");
}

#[test]
fn a_log_that_is_cut_off_loses_its_last_line() {
    let log = log("haproxy.log");
    let cut = &log[..log.len() - 20];
    let said = warnings(cut, "haproxy");
    assert!(
        said.contains("lines of another form were left out: 1") && said.contains("the last line has no end"),
        "{said}"
    );
}

#[test]
fn logs_of_an_unknown_format_are_told_how_to_say_it() {
    for (name, says) in [
        (
            "varnish-hitmiss.log",
            "it looks like the log of a server; say the server's log format, as in --format-in 'access-log:log-format=",
        ),
        ("nginx-json.log", "if it is the log of a server: --format-in fastly:time-field=FIELD"),
    ] {
        let (_, message) = refused(&log(name), None);
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn a_pattern_that_is_wrong_is_refused() {
    for (format, says) in [
        ("access-log:log-format=$msec $status", "`log-format`: it has no URL"),
        ("access-log:log-format=mine", "`log-format`: `mine` has no variable like $request"),
        ("access-log:log-format=@/nowhere", "`log-format`: /nowhere: "),
        ("access-log:log-format=%t %r,time=start", "`log-format`: `time=start` needs the duration"),
    ] {
        match reader(b"x\n", "trace", Some(format)).map(|_| ()) {
            // Times of Apache are those of starts.
            Ok(()) => assert!(format.contains("%t")),
            Err(error) => assert!(error.to_string().starts_with(says), "{error}"),
        }
    }
    let wrong = "access-log:log-format=$msec $request_uri $status,time=start";
    let error = reader(b"x\n", "trace", Some(wrong)).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "`log-format`: `time=start` needs the duration of a request, such as $request_time or %D");
}

#[test]
fn any_pattern_reads_a_log_or_is_refused() {
    const PARTS: &[&str] = &[
        "$msec",
        "$time_local",
        "$request",
        "$request_uri",
        "$host",
        "$status",
        "$bytes_sent",
        "$x",
        "${",
        "$",
        "%t",
        "%r",
        "%",
        "%{",
        "%{%T}t",
        "%{usec}t",
        "%U",
        "%q",
        "%>s",
        "%b",
        "%^ti",
        "%{X}^ti",
        "\"",
        " ",
        "[",
        "] ",
        "ü",
        "- - ",
        "\\",
        "$upstream_response_time",
        "%D",
        "%m",
    ];
    let mut rng = Seed(1).stream("patterns");
    let (nginx, apache) = (log("nginx-cache.log"), log("apache-combined.log"));
    for _ in 0..20_000 {
        let text: String = (0..rng.random_range(1..12)).map(|_| PARTS[rng.random_range(0..PARTS.len())]).collect();
        for bytes in [&nginx, &apache] {
            if let Err(error) = read(bytes, "trace", Some(&format!("access-log:log-format={text}"))) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn logs_survive_two_thousand_mutations() {
    let mut rng = Seed(1).stream("mutations");
    for (sample, _) in FORMATS.iter().filter(|(sample, _)| sample.starts_with("logs/")) {
        let name = sample.trim_start_matches("logs/");
        let (whole, format) = (log(name), spec(name));
        for _ in 0..2_000 {
            let mut bytes = whole.clone();
            for _ in 0..rng.random_range(1..6) {
                let from = rng.random_range(0..bytes.len());
                let to = (from + rng.random_range(1..200)).min(bytes.len());
                match rng.random_range(0..4) {
                    0 => bytes[from] ^= 1 << rng.random_range(0..8),
                    1 => drop(bytes.drain(from..to)),
                    2 => {
                        let twice = bytes[from..to].to_vec();
                        bytes.splice(from..from, twice);
                    }
                    _ => bytes.truncate(from.max(1)),
                }
                if bytes.is_empty() {
                    bytes.push(b'\n');
                }
            }
            for format in [None, Some(format.as_str())] {
                match read(&bytes, "trace", format) {
                    Ok((_, requests)) => assert!(requests.is_sorted_by_key(|request: &Request| request.time)),
                    Err(TraceError::Line { message, .. } | TraceError::File(message)) => {
                        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
                    }
                    Err(TraceError::Io(error)) => panic!("{error}"),
                }
            }
        }
    }
}
