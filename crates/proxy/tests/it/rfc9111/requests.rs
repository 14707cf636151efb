//! `Cache-Control` and `Pragma` of requests (RFC 9111, 5.2.1 and 5.4).

use super::{Step, case, fetch, hit, ok, plain, replaced, run, run_with, validated};
use crate::origin::Answer;

fn says(step: Step, control: &str) -> Step {
    step.with("cache-control", control)
}

fn aged(age: u64) -> Answer {
    ok("max-age=60").header("age", &age.to_string())
}

#[test]
fn directives_of_requests() {
    let none = || hit().status(504).body("The object is not in the cache.\n");
    run(&[
        case("5.2.1.4", "no-cache fetches", [fetch(aged(0)), says(fetch(aged(0)), "no-cache"), hit()]),
        case(
            "5.2.1.4",
            "no-cache validates",
            [
                fetch(aged(0).header("etag", "\"a\"")),
                says(validated(aged(0)), "no-cache").sent("if-none-match", "\"a\""),
                hit(),
            ],
        ),
        case(
            "5.2.1.4",
            "no-cache replaces",
            [fetch(aged(0).header("etag", "\"a\"")), says(replaced(aged(0)), "no-cache"), hit().body("2")],
        ),
        case("5.2.1.5", "no-store does not store", [says(fetch(aged(0)), "no-store"), fetch(plain())]),
        case("5.2.1.1", "max-age: young enough", [fetch(aged(20)), says(hit(), "max-age=50")]),
        case("5.2.1.1", "max-age: too old", [fetch(aged(40)), says(fetch(aged(0)), "max-age=30")]),
        case("5.2.1.1", "max-age=0", [fetch(aged(1)), says(fetch(aged(0)), "max-age=0")]),
        case("5.2.1.3", "min-fresh: fresh enough", [fetch(aged(20)), says(hit(), "min-fresh=30")]),
        case("5.2.1.3", "min-fresh: not fresh enough", [fetch(aged(40)), says(fetch(aged(0)), "min-fresh=30")]),
        case("5.2.1.2", "max-stale: not too stale", [fetch(aged(80)), says(hit(), "max-stale=100").age(80)]),
        case("5.2.1.2", "max-stale: too stale", [fetch(aged(100)), says(fetch(aged(0)), "max-stale=20")]),
        case("5.2.1.2", "max-stale without number", [fetch(aged(5000)), says(hit(), "max-stale")]),
        case(
            "5.2.1.2",
            "max-stale is not for must-revalidate",
            [fetch(ok("max-age=60, must-revalidate").header("age", "80")), says(fetch(aged(0)), "max-stale=100")],
        ),
        case(
            "5.2.1.2",
            "max-stale is not for proxy-revalidate",
            [fetch(ok("max-age=60, proxy-revalidate").header("age", "80")), says(fetch(aged(0)), "max-stale=100")],
        ),
        case(
            "5.2.1.2",
            "max-stale is not for s-maxage",
            [fetch(ok("s-maxage=60").header("age", "80")), says(fetch(aged(0)), "max-stale=100")],
        ),
        case(
            "5.2.1.2",
            "max-stale is not for no-cache",
            [fetch(ok("no-cache, max-age=60")), says(fetch(aged(0)), "max-stale=100")],
        ),
        case("5.2.1.7", "only-if-cached: there", [fetch(aged(0)), says(hit(), "only-if-cached")]),
        case("5.2.1.7", "only-if-cached: not there", [says(none(), "only-if-cached"), fetch(aged(0))]),
        case("5.2.1.7", "only-if-cached: stale", [fetch(aged(80)), says(none(), "only-if-cached")]),
        case(
            "5.2.1.7",
            "only-if-cached: stale, but allowed",
            [fetch(aged(80)), says(hit(), "only-if-cached, max-stale=60")],
        ),
        case("5.2.1.7", "only-if-cached with no-store asks nobody", [says(none(), "only-if-cached, no-store")]),
        case(
            "5.2.1.6",
            "no-transform reaches the origin",
            [says(fetch(aged(0)), "no-transform").sent("cache-control", "no-transform")],
        ),
        case("5.2.1", "names have no case", [fetch(aged(0)), says(fetch(aged(0)), "No-Cache")]),
        case("5.2.1", "unknown directives mean nothing", [fetch(aged(0)), says(hit(), "foo=\"no-cache\"")]),
        case("5.2.1.1", "max-age that is no number means nothing", [fetch(aged(10)), says(hit(), "max-age=soon")]),
        case("5.4", "Pragma: no-cache", [fetch(aged(0)), fetch(aged(0)).with("pragma", "no-cache")]),
        case("5.4", "Pragma among others", [fetch(aged(0)), fetch(aged(0)).with("pragma", "x, No-Cache")]),
        case(
            "5.4",
            "Pragma is ignored beside Cache-Control",
            [fetch(aged(0)), says(hit(), "max-age=50").with("pragma", "no-cache")],
        ),
    ]);
}

#[test]
fn directives_of_requests_are_ignored_if_so_set() {
    run_with(
        "obey-clients = false",
        &[
            case("5.2.1.4", "no-cache", [fetch(aged(0)), says(hit(), "no-cache")]),
            case("5.2.1.1", "max-age", [fetch(aged(40)), says(hit(), "max-age=30")]),
            case("5.4", "Pragma", [fetch(aged(0)), hit().with("pragma", "no-cache")]),
        ],
    );
}
