//! What is stored at all (RFC 9111, 3 and 5.2.2; the rules of the proxy for cookies).

use super::{Case, ago, case, fetch, hit, ok, plain, run};
use crate::origin::Answer;

fn of(status: u16, control: &str) -> Answer {
    Answer { status, ..ok(control) }
}

#[test]
fn directives_of_answers() {
    run(&[
        case("5.2.2.5", "no-store", [fetch(ok("no-store")), fetch(plain())]),
        case("5.2.2.5", "no-store wins over max-age", [fetch(ok("max-age=60, no-store")), fetch(plain())]),
        case(
            "5.2.2.5",
            "no-store in another line",
            [fetch(ok("max-age=60").also("cache-control", "no-store")), fetch(plain())],
        ),
        case("5.2.2.5", "No-Store has no case", [fetch(ok("No-Store, max-age=60")), fetch(plain())]),
        case("5.2.2.7", "private", [fetch(ok("private, max-age=60")), fetch(plain())]),
        case("5.2.2.7", "private wins over public", [fetch(ok("public, private, max-age=60")), fetch(plain())]),
        case(
            "5.2.2.7",
            "private with names stores the rest",
            [
                fetch(ok("private=\"x-mine\", max-age=60").header("x-mine", "1")).has("x-mine", "1"),
                hit().lacks("x-mine"),
            ],
        ),
        case(
            "5.2.2.4",
            "no-cache is validated each time",
            [
                fetch(ok("no-cache, max-age=60").header("etag", "\"a\"")),
                super::validated(ok("no-cache").header("etag", "\"a\"")),
                super::validated(ok("no-cache").header("etag", "\"a\"")),
            ],
        ),
        case("5.2.2.4", "no-cache without validator is fetched each time", [fetch(ok("no-cache")), fetch(plain())]),
        case("5.2.2.4", "no-cache wins over s-maxage", [fetch(ok("s-maxage=60, no-cache")), fetch(plain())]),
        case(
            "5.2.2.4",
            "no-cache with names removes these, or validates",
            [
                fetch(ok("no-cache=\"x-mine\", max-age=60").header("x-mine", "1")).has("x-mine", "1"),
                hit().lacks("x-mine"),
            ],
        ),
        case(
            "5.2.2.3",
            "must-understand with a status that is known",
            [fetch(ok("must-understand, max-age=60")), hit()],
        ),
        case(
            "5.2.2.3",
            "must-understand with a status that is not",
            [fetch(of(299, "must-understand, max-age=60")), fetch(of(299, ""))],
        ),
        case(
            "5.2.2.3",
            "must-understand with no-store and a status that is known",
            [fetch(ok("must-understand, no-store, max-age=60")), hit()],
        ),
        case(
            "5.2.2.3",
            "must-understand with no-store and a status that is not",
            [fetch(of(299, "must-understand, no-store, max-age=60")), fetch(of(299, ""))],
        ),
        case("5.2.2.9", "public alone has no lifetime", [fetch(ok("public")), fetch(plain())]),
        case("8.2.3 of 9110", "immutable changes nothing", [fetch(ok("max-age=60, immutable")), hit()]),
        case(
            "5.2.2.6",
            "no-transform is kept",
            [fetch(ok("max-age=60, no-transform")), hit().has("cache-control", "max-age=60, no-transform")],
        ),
        case("5.4", "Pragma of an answer means nothing", [fetch(ok("max-age=60").header("pragma", "no-cache")), hit()]),
    ]);
}

#[test]
fn statuses() {
    let stored =
        [200, 201, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 418, 451, 500, 501, 503];
    let mut cases: Vec<Case> = stored
        .iter()
        .map(|&status| {
            let steps = [fetch(of(status, "max-age=60")), hit().status(status)];
            case("3", "a final status with max-age is stored", steps)
        })
        .collect();
    cases.extend([
        case(
            "3.3",
            "a part that nobody asked for is not stored",
            [fetch(of(206, "max-age=60").header("content-range", "bytes 0-0/5")), fetch(plain())],
        ),
        case(
            "15.3.5 of 9110",
            "204 has no body",
            [fetch(of(204, "max-age=60")), hit().status(204).lacks("transfer-encoding")],
        ),
        case("3", "an error without statement is not stored", [fetch(Answer::of(500)), fetch(plain())]),
    ]);
    run(&cases);
}

#[test]
fn authorization_and_cookies() {
    let me = |step: super::Step| step.with("authorization", "Basic eDp5");
    let cookie = |control: &str| ok(control).header("set-cookie", "a=b");
    let old = || plain().header("last-modified", &ago(86_400));
    run(&[
        case("3.5", "an answer to Authorization is not stored", [me(fetch(ok("max-age=60"))), fetch(plain())]),
        case("3.5", "unless it is public", [me(fetch(ok("max-age=60, public"))), hit()]),
        case("3.5", "or has s-maxage", [me(fetch(ok("s-maxage=60"))), hit()]),
        case("3.5", "or has must-revalidate", [me(fetch(ok("max-age=60, must-revalidate"))), hit()]),
        case(
            "3.5",
            "proxy-revalidate does not allow it",
            [me(fetch(ok("max-age=60, proxy-revalidate"))), fetch(plain())],
        ),
        case("3.5", "what was stored without Authorization serves with it", [fetch(ok("max-age=60")), me(hit())]),
        case("3.5", "private wins", [me(fetch(ok("public, private, max-age=60"))), fetch(plain())]),
        case(
            "3.5",
            "Authorization reaches the origin",
            [me(fetch(ok("max-age=60"))).sent("authorization", "Basic eDp5")],
        ),
        case(
            "docs/proxy.md",
            "Set-Cookie is not stored",
            [fetch(cookie("max-age=60")).has("set-cookie", "a=b"), fetch(plain())],
        ),
        case(
            "docs/proxy.md",
            "unless the answer is public",
            [fetch(cookie("max-age=60, public")), hit().has("set-cookie", "a=b")],
        ),
        case("docs/proxy.md", "or has s-maxage", [fetch(cookie("s-maxage=60")), hit().has("set-cookie", "a=b")]),
        case(
            "docs/proxy.md",
            "Set-Cookie without Cache-Control is not stored",
            [fetch(old().header("set-cookie", "a=b")), fetch(plain())],
        ),
        case(
            "docs/proxy.md",
            "a heuristic is not for requests with cookies",
            [fetch(old()).with("cookie", "a=b"), fetch(plain())],
        ),
        case("docs/proxy.md", "a stated lifetime is", [fetch(ok("max-age=60")).with("cookie", "a=b"), hit()]),
        case("docs/proxy.md", "cookies do not keep from hits", [fetch(old()), hit().with("cookie", "a=b")]),
    ]);
}

#[test]
fn keys() {
    let fresh = || ok("max-age=60");
    run(&[
        case("2", "the query is part of the key", [fetch(fresh()).at("?a"), fetch(fresh()).at("?b"), hit().at("?b")]),
        case("2", "an empty query is another address", [fetch(fresh()), fetch(fresh()).at("?")]),
        case("2", "the order of a query matters", [fetch(fresh()).at("?a&b"), fetch(fresh()).at("?b&a")]),
        case("2", "the path has case", [fetch(fresh()).at("/A"), fetch(fresh()).at("/a")]),
        case("2", "the path matters to its end", [fetch(fresh()).at("/a"), fetch(fresh()).at("/a/")]),
        case(
            "2",
            "the host is part of the key",
            [
                fetch(fresh()).with("host", "a.test"),
                fetch(fresh()).with("host", "b.test"),
                hit().with("host", "b.test"),
            ],
        ),
        case(
            "4.2.3 of 9110",
            "the host has no case",
            [fetch(fresh()).with("host", "a.test"), hit().with("host", "A.Test")],
        ),
        case(
            "4.2.3 of 9110",
            "the usual port is no other",
            [fetch(fresh()).with("host", "a.test"), hit().with("host", "a.test:80")],
        ),
        case(
            "4.2.3 of 9110",
            "another port is",
            [fetch(fresh()).with("host", "a.test"), fetch(fresh()).with("host", "a.test:81")],
        ),
        case("2", "a GET fills for HEAD", [fetch(fresh()), hit().method("HEAD").has("content-length", "1")]),
        case("4", "a HEAD fills for GET", [fetch(fresh()).method("HEAD").has("content-length", "1"), hit()]),
        case(
            "4",
            "OPTIONS is not answered from the cache",
            [fetch(fresh()), fetch(fresh()).method("OPTIONS"), hit().body("1")],
        ),
        case("3", "the answer to OPTIONS is not stored", [fetch(fresh()).method("OPTIONS"), fetch(fresh())]),
        case("3", "the answer to POST is not stored", [fetch(fresh()).method("POST"), fetch(fresh())]),
        case("3", "the answer to an unknown method is not stored", [fetch(fresh()).method("FROB"), fetch(fresh())]),
    ]);
}
