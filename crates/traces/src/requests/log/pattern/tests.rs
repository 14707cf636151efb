//! Tests of patterns on lines.

use super::super::{CacheStatus, Size, Status};
use super::*;

/// 10 October 2024, 13:55:36 UTC.
const NOON: u64 = 1_728_568_536_000_000_000;

#[track_caller]
fn entry<'a>(pattern: &Pattern, line: &'a str) -> Entry<'a> {
    pattern.match_line(line.as_bytes()).unwrap()
}

#[test]
fn variables_of_nginx() {
    let text = "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent $request_time \
                $upstream_response_time $upstream_cache_status $msec $time_iso8601 \"$http_user_agent\"";
    let pattern = Pattern::new(text).unwrap();
    assert!(pattern.has_sizes() && pattern.has_start());
    let line = "::1 - John Doe [10/Oct/2024:13:55:36 +0000] \"GET /a b HTTP/1.1\" 200 12 0.250 0.002, 0.010 : 0.004 MISS \
                1728568536.123 2024-10-10T13:55:36+00:00 \"x \\x22 y\"";
    let expected = Entry {
        time: NOON + 123_000_000,
        stamp: Stamp::End,
        elapsed: Some(250_000_000),
        upstream: Some(16_000_000),
        method: Some(b"GET"),
        url: Some(b"/a b"),
        status: Status::Code(200),
        size: Size::Bytes(12),
        cache: CacheStatus::NotHit,
        ..Entry::default()
    };
    assert_eq!(entry(&pattern, line), expected);
    let dashes = line.replace("0.002, 0.010 : 0.004 MISS", "- -").replace("GET /a b HTTP/1.1", "\\x16\\x03");
    let found = entry(&pattern, &dashes);
    assert_eq!((found.upstream, found.cache, found.url, found.method), (None, CacheStatus::NotLogged, None, None));
    for (from, to, part) in [
        (" 200 ", " 20 ", "the status"),
        ("[10/Oct", "[10/Okt", "the time of the server behind"),
        (" 12 ", " x ", "the size"),
        ("1728568536.123", "x", "the time"),
        ("\"GET /a b HTTP/1.1\"", "GET", "a field before the last one that is used"),
        ("HTTP/1.1\" 200", "HTTP/1.1 200", "the first line of the request"),
    ] {
        let wrong = line.replace(from, to);
        let found = pattern.match_line(wrong.as_bytes());
        // A date that is not used may be anything.
        let is_used = part != "the time of the server behind";
        assert_eq!(found.err(), is_used.then_some(Misfit(part)), "{wrong}");
    }
}

#[test]
fn hosts_and_urls_without_a_text_between_them() {
    let pattern = Pattern::new("$msec $request_method $scheme://$host$uri$is_args$args $bytes_sent").unwrap();
    let found = entry(&pattern, "1.5 GET https://a.example/x?y=1 70");
    assert_eq!(
        (found.url, found.size, found.status),
        (Some(&b"a.example/x?y=1"[..]), Size::Bytes(70), Status::NotLogged)
    );
    let braces = Pattern::new("${msec}s $request_uri").unwrap();
    assert_eq!(entry(&braces, "2.5s /a b").url, Some(&b"/a b"[..]));
    assert!(!braces.has_sizes() && !braces.has_start());
}

#[test]
fn lines_of_json() {
    let pattern = Pattern::new(
        "{\"t\":$msec,\"ua\":\"$http_user_agent\",\"r\":\"$request\",\"s\":\"$status\",\"b\":$bytes_sent}",
    )
    .unwrap();
    let found =
        entry(&pattern, "{\"t\":1.0,\"ua\":\"a \\\"b\\\", c\",\"r\":\"GET /\\\"q HTTP/1.1\",\"s\":\"200\",\"b\":7}");
    assert_eq!((found.url, found.status, found.size), (Some(&b"/\\\"q"[..]), Status::Code(200), Size::Bytes(7)));
}

#[test]
fn directives_of_apache() {
    let text = "%v:%p %h %l %u %t \"%r\" %>s %b %D %{X-Cache}o %!200,304{Referer}i %{Host}i";
    let pattern = Pattern::new(text).unwrap();
    let line = "a.example:80 ::1 - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 206 - 1500 HIT - b.example";
    let expected = Entry {
        time: NOON,
        stamp: Stamp::Start,
        elapsed: Some(1_500_000),
        method: Some(b"GET"),
        host: b"a.example",
        url: Some(b"/a"),
        status: Status::Code(206),
        size: Size::NoBody,
        cache: CacheStatus::Hit,
        ..Entry::default()
    };
    assert_eq!(entry(&pattern, line), expected);
}

#[test]
fn dates_of_apache() {
    for (format, text, ns, stamp) in [
        ("%{end:usec}t", "1728568536123456", 123_456_000, Stamp::End),
        ("%{msec}t", "1728568536123", 123_000_000, Stamp::Start),
        ("%{%Y-%m-%dT%H:%M:%S}t.%{usec_frac}t%{%z}t", "2024-10-10T15:55:36.123456+0200", 123_456_000, Stamp::Start),
        (
            "[%{end:%d/%b/%Y:%T}t.%{end:msec_frac}t %{end:%z}t]",
            "[10/Oct/2024:06:55:36.012 -0700]",
            12_000_000,
            Stamp::End,
        ),
        ("%{%s}t", "1728568536", 0, Stamp::Start),
        ("%{sec}t.%{msec_frac}t", "1728568536.012", 12_000_000, Stamp::Start),
        ("%{usec_frac}t %{sec}t", "000012 1728568536", 12_000, Stamp::Start),
        ("%{msec_frac}t/%{usec_frac}t %t", "012/012345 [10/Oct/2024:13:55:36 +0000]", 12_345_000, Stamp::Start),
        ("%{usec_frac}t %{msec}t", "123456 1728568536123", 123_456_000, Stamp::Start),
        ("%{%H}t %t", "07 [10/Oct/2024:13:55:36 +0000]", 0, Stamp::Start),
        ("%{%F %T %z}t", "2024-10-10 13:55:36 +0000", 0, Stamp::Start),
    ] {
        let pattern = Pattern::new(&format!("{format} %m %U%q %B")).unwrap();
        let line = format!("{text} GET /a?b=c 5");
        let found = entry(&pattern, &line);
        assert_eq!((found.time, found.stamp), (NOON + ns, stamp), "{format}");
        assert_eq!((found.url, found.method), (Some(&b"/a?b=c"[..]), Some(&b"GET"[..])));
    }
}

#[test]
fn what_a_pattern_lacks_is_said() {
    for (text, says) in [
        ("$request $status", "it has no time"),
        ("$msec $status", "it has no URL"),
        ("$msec$request", "the time and the first line of the request stand side by side"),
        ("%t %r %", "a letter must follow `%`"),
        ("%t %r %{a}", "a letter must follow `%{a}`"),
        ("%{%Q}t %r", "`%Q` in the date `%Q` is not known"),
        ("%{a}^", "a letter must follow `%"),
        ("", "it has no time"),
    ] {
        let error = Pattern::new(text).unwrap_err();
        assert!(error.starts_with(says), "{text}: {error}");
    }
}

#[test]
fn a_text_behind_the_last_field_is_free() {
    let pattern = Pattern::new("%t \"%r\" %>s %b \"%{User-Agent}i\" %I").unwrap();
    let line = "[10/Oct/2024:13:55:36 +0000] \"GET /a\" 200 5 \"and more";
    assert_eq!(entry(&pattern, line).url, Some(&b"/a"[..]));
}
