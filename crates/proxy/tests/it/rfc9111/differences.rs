//! Where the proxy differs from what RFC 9110 and 9111 say, and why. docs/proxy.md lists them under its limits.

use super::{ago, case, fetch, hit, ok, run, validated};
use crate::origin::Answer;
use std::time::{Duration, SystemTime};

#[test]
fn known_differences() {
    let stale = |step: Answer| step.header("age", "90").header("etag", "\"a\"");
    run(&[
        // Pingora keeps the variant of an answer that is validated.
        case(
            "4.3.4",
            "a 304 does not change Vary",
            [
                fetch(stale(ok("max-age=60"))),
                validated(ok("max-age=60").header("vary", "x-a")).with("x-a", "1").lacks("vary"),
                hit().with("x-a", "2"),
            ],
        ),
        // Pingora cuts ranges by `Content-Length`.
        case(
            "14.2 of 9110",
            "a range of an object without length is the whole",
            [fetch(Answer { chunked: true, ..ok("max-age=60").body("0123456789") }), hit().with("range", "bytes=0-3")],
        ),
        // Only the present request needs an answer; the next may find the object in the cache.
        case(
            "5.2.1.5",
            "no-store of a request does not remove what is stored",
            [fetch(ok("max-age=60")), fetch(ok("max-age=60")).with("cache-control", "no-store"), hit().body("1")],
        ),
    ]);
}

/// Pingora writes `Date` anew, so `Age` alone says how old an answer is (RFC 9110, 6.6.1).
#[test]
fn the_date_of_an_answer_is_that_of_its_sending() {
    let origin = crate::origin::Origin::start(|_| ok("max-age=6000").header("date", &ago(1000)));
    let proxy = crate::proxy::Proxy::start(&origin.url(), &[]);
    for cache in ["fwd=uri-miss; stored", "hit"] {
        let got = proxy.get("/a");
        assert_eq!(got.cache(), cache);
        let date = got.header("date").and_then(|date| httpdate::parse_http_date(date).ok()).expect("a date");
        let since = SystemTime::now().duration_since(date).unwrap_or_default();
        assert!(since < Duration::from_secs(10), "{since:?}");
        let age: u64 = got.header("age").and_then(|age| age.parse().ok()).expect("an age");
        assert!((1000..1010).contains(&age), "{age}");
    }
}
