//! Stale answers that the origin says are still right (RFC 9111, 4.3).

use super::{Case, ago, case, fetch, hit, ok, plain, replaced, run, run_on_disk, validated};
use crate::origin::Answer;

fn stale() -> Answer {
    ok("max-age=60").header("age", "100")
}

#[test]
fn validation() {
    run(&cases());
    run_on_disk(&cases());
}

fn cases() -> Vec<Case> {
    let before = ago(5000);
    let tagged = || stale().header("etag", "\"a\"");
    let again = || ok("max-age=60").header("etag", "\"a\"");
    vec![
        case("4.3.1", "by ETag", [fetch(tagged()), validated(again()).sent("if-none-match", "\"a\""), hit()]),
        case(
            "4.3.1",
            "by a weak ETag",
            [
                fetch(stale().header("etag", "W/\"a\"")),
                validated(ok("max-age=60").header("etag", "W/\"a\"")).sent("if-none-match", "W/\"a\""),
                hit(),
            ],
        ),
        case(
            "4.3.1",
            "by Last-Modified",
            [
                fetch(stale().header("last-modified", &before)),
                validated(ok("max-age=60")).sent("if-modified-since", before.as_str()).not_sent("if-none-match"),
                hit(),
            ],
        ),
        case(
            "4.3.1",
            "by both",
            [
                fetch(tagged().header("last-modified", &before)),
                validated(again()).sent("if-none-match", "\"a\"").sent("if-modified-since", before.as_str()),
                hit(),
            ],
        ),
        case("4.3.1", "not without either", [fetch(stale()), fetch(plain()).not_sent("if-none-match")]),
        case(
            "4.3.3",
            "a new answer replaces the stored one",
            [fetch(tagged()), replaced(ok("max-age=60")), hit().body("2")],
        ),
        case(
            "4.3.3",
            "a new answer with a new ETag",
            [
                fetch(tagged()),
                replaced(stale().header("etag", "\"b\"")),
                validated(ok("max-age=60")).sent("if-none-match", "\"b\""),
            ],
        ),
        case(
            "4.3.4",
            "a 304 brings new headers",
            [
                fetch(tagged().header("x-number", "1")),
                validated(again().header("x-number", "2")).has("x-number", "2"),
                hit().has("x-number", "2"),
            ],
        ),
        case(
            "4.3.4",
            "headers that a 304 lacks stay",
            [
                fetch(tagged().header("x-number", "1")),
                validated(again()).has("x-number", "1"),
                hit().has("x-number", "1"),
            ],
        ),
        case(
            "4.3.4",
            "a 304 brings a new lifetime",
            [
                fetch(tagged()),
                validated(ok("max-age=1000").header("etag", "\"a\"").header("age", "500")),
                hit().age(500),
            ],
        ),
        case(
            "4.3.4",
            "a 304 brings a new Date",
            [
                fetch(ok("max-age=60").header("etag", "\"a\"").header("date", &ago(100))),
                validated(again().header("date", &ago(20))).age(20),
                hit().age(20),
            ],
        ),
        case(
            "4.3.4",
            "a 304 without Date is of now",
            [
                fetch(ok("max-age=60").header("etag", "\"a\"").header("date", &ago(100))),
                validated(again()).age(0),
                hit().age(0),
            ],
        ),
        case(
            "3.2",
            "the type of a 304 does not count",
            [
                fetch(tagged().header("content-type", "text/css")),
                validated(again().header("content-type", "text/html")).has("content-type", "text/css"),
                hit().has("content-type", "text/css"),
            ],
        ),
        case(
            "docs/proxy.md",
            "Set-Cookie of a 304 is not stored",
            [
                fetch(tagged()),
                validated(again().header("set-cookie", "a=b")).lacks("set-cookie"),
                hit().lacks("set-cookie"),
            ],
        ),
        case(
            "7.6.1 of 9110",
            "what a 304 says about its connection is not stored",
            [
                fetch(tagged()),
                validated(again().header("connection", "x-hop").header("x-hop", "1")).lacks("x-hop"),
                hit().lacks("x-hop"),
            ],
        ),
        case(
            "3.2",
            "a header of several lines is renewed as a whole",
            [
                fetch(tagged().header("x-list", "1").also("x-list", "2").also("x-list", "3")),
                validated(again().header("x-list", "4").also("x-list", "5")).has("x-list", "4, 5"),
                hit().has("x-list", "4, 5"),
            ],
        ),
        case(
            "5.2.2.2",
            "must-revalidate that a 304 renews is fresh",
            [
                fetch(ok("max-age=60, must-revalidate").header("age", "90").header("etag", "\"a\"")),
                validated(ok("max-age=60, must-revalidate").header("etag", "\"a\"")),
                hit(),
            ],
        ),
        case(
            "4.2.3",
            "Age of before does not count after a 304 without Age",
            [fetch(tagged()), validated(again()), hit().age(0)],
        ),
        case(
            "3.2",
            "the length of a 304 does not count",
            [
                fetch(tagged().body("four")),
                validated(again().header("content-length", "0")).body("four"),
                hit().body("four").has("content-length", "4"),
            ],
        ),
        case(
            "4.3.4",
            "a 304 that forbids to store",
            [fetch(tagged()), validated(ok("no-store").header("etag", "\"a\"")), fetch(plain()).body("3")],
        ),
        case("4.3.3", "an error of the origin is passed on", [fetch(tagged()), replaced(Answer::of(500)).status(500)]),
        case(
            "4.3.3",
            "404 replaces",
            [fetch(tagged()), replaced(Answer { status: 404, ..ok("max-age=60") }), hit().status(404).body("2")],
        ),
        case(
            "4.3.2",
            "the client's condition is not that of the proxy",
            [fetch(tagged()), validated(again()).with("if-none-match", "\"b\"").sent("if-none-match", "\"a\"")],
        ),
        case(
            "4.3.2",
            "a client that has it gets 304 after validation",
            [fetch(tagged()), validated(again()).with("if-none-match", "\"a\"").status(304), hit()],
        ),
        case(
            "4.3.5",
            "HEAD that is stale is validated",
            [fetch(tagged()), validated(again()).method("HEAD").sent("if-none-match", "\"a\""), hit()],
        ),
        case(
            "2 of 9211",
            "Cache-Status of each",
            [
                fetch(tagged()).has("cache-status", "forebay-proxy; fwd=uri-miss; stored"),
                replaced(tagged()).has("cache-status", "forebay-proxy; fwd=stale; stored"),
                validated(again()).has("cache-status", "forebay-proxy; hit; fwd=stale; fwd-status=304"),
                hit().has("cache-status", "forebay-proxy; hit").body("2"),
                fetch(plain()).method("POST").has("cache-status", "forebay-proxy; fwd=bypass"),
            ],
        ),
    ]
}
