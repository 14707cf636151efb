//! Parts of objects (RFC 9110, 14; RFC 9111, 3.3).

use super::{Step, ago, case, fetch, hit, ok, run};
use crate::origin::Answer;

fn digits() -> Answer {
    ok("max-age=60").header("accept-ranges", "bytes").header("etag", "\"a\"").body("0123456789")
}

fn part(step: Step, range: &str, body: &str, content_range: &str) -> Step {
    step.with("range", range)
        .status(206)
        .body(body)
        .has("content-range", content_range)
        .has("content-length", body.len().to_string())
}

fn whole(step: Step) -> Step {
    step.body("0123456789")
}

#[test]
fn ranges() {
    let all = || whole(fetch(digits()));
    let none = |range: &str| hit().with("range", range).status(416).has("content-range", "bytes */10");
    let (before, later) = (ago(5000), ago(100));
    let dated = || whole(fetch(digits().header("last-modified", &before).header("date", &ago(0))));
    run(&[
        case("14.1.2 of 9110", "the first bytes", [all(), part(hit(), "bytes=0-3", "0123", "bytes 0-3/10")]),
        case("14.1.2 of 9110", "one byte", [all(), part(hit(), "bytes=4-4", "4", "bytes 4-4/10")]),
        case("14.1.2 of 9110", "to the end", [all(), part(hit(), "bytes=7-", "789", "bytes 7-9/10")]),
        case("14.1.2 of 9110", "the last bytes", [all(), part(hit(), "bytes=-2", "89", "bytes 8-9/10")]),
        case("14.1.2 of 9110", "more than there are", [all(), part(hit(), "bytes=5-99", "56789", "bytes 5-9/10")]),
        case(
            "14.1.2 of 9110",
            "more last bytes than there are",
            [all(), part(hit(), "bytes=-99", "0123456789", "bytes 0-9/10")],
        ),
        case("15.5.17 of 9110", "beyond the end", [all(), none("bytes=10-")]),
        case("15.5.17 of 9110", "no last bytes", [all(), none("bytes=-0")]),
        case("14.2 of 9110", "an unknown unit means nothing", [all(), whole(hit().with("range", "lines=0-3"))]),
        case("14.2 of 9110", "a range that is none means nothing", [all(), whole(hit().with("range", "bytes=x"))]),
        case("14.1.1 of 9110", "an end before the start is rejected", [all(), none("bytes=5-2")]),
        case(
            "14.1.2 of 9110",
            "no last bytes among others",
            [all(), part(hit(), "bytes=0-1,-0", "01", "bytes 0-1/10")],
        ),
        case(
            "14.2 of 9110",
            "a range is for GET alone",
            [all(), hit().method("HEAD").with("range", "bytes=0-3").has("content-length", "10")],
        ),
        case(
            "13.1.5 of 9110",
            "If-Range fits",
            [all(), part(hit().with("if-range", "\"a\""), "bytes=0-3", "0123", "bytes 0-3/10")],
        ),
        case(
            "13.1.5 of 9110",
            "If-Range does not",
            [all(), whole(hit().with("if-range", "\"b\"").with("range", "bytes=0-3"))],
        ),
        case(
            "13.1.5 of 9110",
            "a weak If-Range never fits",
            [
                whole(fetch(digits().header("etag", "W/\"a\""))),
                whole(hit().with("if-range", "W/\"a\"").with("range", "bytes=0-3")),
            ],
        ),
        case(
            "13.1.5 of 9110",
            "If-Range with the date",
            [dated(), part(hit().with("if-range", before.as_str()), "bytes=0-3", "0123", "bytes 0-3/10")],
        ),
        case(
            "13.1.5 of 9110",
            "If-Range with another date",
            [dated(), whole(hit().with("if-range", later.as_str()).with("range", "bytes=0-3"))],
        ),
        case(
            "3.3",
            "a miss fetches the whole and serves the part",
            [part(fetch(digits()).not_sent("range"), "bytes=2-4", "234", "bytes 2-4/10"), whole(hit())],
        ),
        case(
            "3.3",
            "a miss serves the last bytes",
            [part(fetch(digits()).not_sent("range"), "bytes=-3", "789", "bytes 7-9/10"), whole(hit())],
        ),
        case(
            "3.3",
            "a miss beyond the end is stored whole",
            [fetch(digits()).with("range", "bytes=20-").status(416).has("content-range", "bytes */10"), whole(hit())],
        ),
        case(
            "13.1.5 of 9110",
            "a miss with If-Range that does not fit",
            [
                whole(fetch(digits()).with("range", "bytes=2-4").with("if-range", "\"b\"")).not_sent("if-range"),
                whole(hit()),
            ],
        ),
        case(
            "13.2.2 of 9110",
            "If-None-Match goes before Range",
            [all(), hit().with("if-none-match", "\"a\"").with("range", "bytes=0-3").status(304)],
        ),
        case(
            "3.3",
            "an answer that is not stored keeps the request's range",
            [fetch(digits()).method("PUT").with("range", "bytes=2-4").sent("range", "bytes=2-4").body("0123456789")],
        ),
    ]);
}

#[test]
fn several_parts_come_in_one_answer() {
    let origin = crate::origin::Origin::start(|_| digits());
    let proxy = crate::proxy::Proxy::start(&origin.url(), &[]);
    for cache in ["fwd=uri-miss; stored", "hit"] {
        let got = crate::client::ask(proxy.address, "GET", "/a", &[("range", "bytes=0-1, 4-5,-1")]).expect("an answer");
        assert_eq!((got.status, got.cache()), (206, cache));
        let kind = got.header("content-type").expect("a type");
        let boundary = kind.strip_prefix("multipart/byteranges; boundary=").expect("a boundary").trim_matches('"');
        let parts: Vec<_> = got.text().split(&format!("--{boundary}")).map(str::to_owned).collect();
        assert_eq!(parts.len(), 5, "{parts:?}");
        for (part, (range, body)) in parts[1..4].iter().zip([("0-1", "01"), ("4-5", "45"), ("9-9", "9")]) {
            let (head, rest) = part.split_once("\r\n\r\n").expect("a head");
            assert!(head.to_ascii_lowercase().contains(&format!("content-range: bytes {range}/10")), "{head}");
            assert_eq!(rest.trim_end(), body);
        }
        assert_eq!(parts[4].trim_end(), "--");
    }
}
