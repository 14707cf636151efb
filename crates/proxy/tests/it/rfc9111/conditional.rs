//! Conditions of clients, which the cache answers (RFC 9111, 4.3.2; RFC 9110, 13).

use super::{ago, case, fetch, hit, ok, run};

#[test]
fn conditional_requests() {
    let (before, middle, later) = (ago(9000), ago(5000), ago(1000));
    let tagged = || ok("max-age=60").header("etag", "\"a\"").header("last-modified", &middle);
    let not_modified = || hit().status(304);
    run(&[
        case(
            "13.1.2 of 9110",
            "If-None-Match fits",
            [
                fetch(tagged()),
                not_modified().with("if-none-match", "\"a\"").has("etag", "\"a\"").has("cache-control", "max-age=60"),
            ],
        ),
        case("13.1.2 of 9110", "If-None-Match does not", [fetch(tagged()), hit().with("if-none-match", "\"b\"")]),
        case(
            "13.1.2 of 9110",
            "one of a list fits",
            [fetch(tagged()), not_modified().with("if-none-match", "\"x\", \"a\"")],
        ),
        case(
            "13.1.2 of 9110",
            "a list in several lines",
            [fetch(tagged()), not_modified().with("if-none-match", "\"x\"").with("if-none-match", "\"a\"")],
        ),
        case("13.1.2 of 9110", "* fits all", [fetch(tagged()), not_modified().with("if-none-match", "*")]),
        case(
            "8.8.3.2 of 9110",
            "weak in the request",
            [fetch(tagged()), not_modified().with("if-none-match", "W/\"a\"")],
        ),
        case(
            "8.8.3.2 of 9110",
            "weak in the answer",
            [fetch(ok("max-age=60").header("etag", "W/\"a\"")), not_modified().with("if-none-match", "\"a\"")],
        ),
        case(
            "13.1.3 of 9110",
            "not modified since",
            [fetch(tagged()), not_modified().with("if-modified-since", later.as_str())],
        ),
        case(
            "13.1.3 of 9110",
            "not modified since just then",
            [fetch(tagged()), not_modified().with("if-modified-since", middle.as_str())],
        ),
        case("13.1.3 of 9110", "modified since", [fetch(tagged()), hit().with("if-modified-since", before.as_str())]),
        case("13.1.3 of 9110", "a date that is none", [fetch(tagged()), hit().with("if-modified-since", "yesterday")]),
        case(
            "13.2.2 of 9110",
            "If-None-Match goes before If-Modified-Since",
            [fetch(tagged()), hit().with("if-none-match", "\"b\"").with("if-modified-since", later.as_str())],
        ),
        case(
            "4.3.2",
            "a miss fetches the whole, and answers with 304",
            [fetch(tagged()).with("if-none-match", "\"a\"").status(304).not_sent("if-none-match"), hit()],
        ),
        case(
            "4.3.2",
            "a miss fetches the whole, and answers with it",
            [fetch(tagged()).with("if-none-match", "\"b\"").not_sent("if-none-match"), hit()],
        ),
        case(
            "15.4.5 of 9110",
            "HEAD with a condition",
            [fetch(tagged()), not_modified().method("HEAD").with("if-none-match", "\"a\"")],
        ),
        case(
            "4.3.2",
            "a method that is no cache's keeps its condition",
            [fetch(tagged()).method("PUT").with("if-match", "\"a\"").sent("if-match", "\"a\"")],
        ),
        case(
            "13.2.1 of 9110",
            "a condition is for answers that succeed",
            [
                fetch(crate::origin::Answer { status: 404, ..tagged() }),
                hit().status(404).with("if-none-match", "\"a\""),
            ],
        ),
        case(
            "4",
            "Age is sent with 304",
            [fetch(tagged().header("age", "30")), not_modified().with("if-none-match", "\"a\"").age(30)],
        ),
    ]);
}
