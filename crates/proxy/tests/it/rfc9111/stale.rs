//! Stale answers that serve anyway (RFC 5861; RFC 9111, 4.2.4).

use super::{Asks, Step, case, fetch, hit, ok, plain, run, run_with};
use crate::origin::Answer;

fn aged(control: &str, age: u64) -> Answer {
    ok(control).header("age", &age.to_string())
}

fn fails() -> Step {
    fetch(Answer::of(503).body("broken"))
}

/// The origin fails, and the stored answer serves.
fn covered() -> Step {
    fails().status(200).body("1")
}

/// The stored answer serves, and the origin is asked in the background.
fn updating() -> Step {
    Step { asks: Asks::Perhaps, ..hit() }
}

#[test]
fn stale_answers() {
    run(&[
        case(
            "4 of 5861",
            "stale-if-error: the origin has 503",
            [
                fetch(aged("max-age=60, stale-if-error=600", 80)),
                covered().has("cache-status", "forebay-proxy; hit; detail=stale-if-error").age(80),
            ],
        ),
        case(
            "4 of 5861",
            "stale-if-error: too stale",
            [fetch(aged("max-age=60, stale-if-error=10", 80)), fails().body("broken")],
        ),
        case(
            "4 of 5861",
            "stale-if-error: 404 is no error of the origin",
            [fetch(aged("max-age=60, stale-if-error=600", 80)), fetch(Answer::of(404))],
        ),
        case(
            "4 of 5861",
            "stale-if-error: the connection breaks",
            [
                fetch(aged("max-age=60, stale-if-error=600", 80)),
                Step { asks: Asks::Perhaps, ..covered() }.answering(Answer { raw: true, ..Answer::of(200).body("?") }),
            ],
        ),
        case("4.2.4", "not without permission", [fetch(aged("max-age=60", 80)), fails().body("broken")]),
        case(
            "5.2.2.2",
            "not with must-revalidate",
            [fetch(aged("max-age=60, stale-if-error=600, must-revalidate", 80)), fails().body("broken")],
        ),
        case(
            "5.2.2.8",
            "not with proxy-revalidate",
            [fetch(aged("max-age=60, stale-if-error=600, proxy-revalidate", 80)), fails().body("broken")],
        ),
        case(
            "5.2.2.10",
            "not with s-maxage",
            [fetch(aged("s-maxage=60, stale-if-error=600", 80)), fails().body("broken")],
        ),
        case(
            "5.2.2.4",
            "not with no-cache",
            [fetch(aged("no-cache, max-age=60, stale-if-error=600", 80)), fails().body("broken")],
        ),
        case(
            "3 of 5861",
            "stale-while-revalidate",
            [
                fetch(aged("max-age=60, stale-while-revalidate=600", 80)),
                updating().has("cache-status", "forebay-proxy; hit; detail=stale-while-revalidate"),
            ],
        ),
        case(
            "3 of 5861",
            "stale-while-revalidate: too stale",
            [fetch(aged("max-age=60, stale-while-revalidate=10", 80)), fetch(plain())],
        ),
        case(
            "5.2.2.2",
            "stale-while-revalidate: not with must-revalidate",
            [fetch(aged("max-age=60, stale-while-revalidate=600, must-revalidate", 80)), fetch(plain())],
        ),
        case(
            "5.2.2.10",
            "stale-while-revalidate: not with s-maxage",
            [fetch(aged("s-maxage=60, stale-while-revalidate=600", 80)), fetch(plain())],
        ),
        case(
            "5.2.1.4",
            "stale-while-revalidate: not for a client that says no-cache",
            [
                fetch(aged("max-age=60, stale-while-revalidate=600", 80)),
                fetch(plain()).with("cache-control", "no-cache"),
            ],
        ),
        case("4.2.4", "must-revalidate does not hinder while fresh", [fetch(ok("max-age=60, must-revalidate")), hit()]),
        case(
            "4.2.4",
            "proxy-revalidate does not hinder while fresh",
            [fetch(ok("max-age=60, proxy-revalidate")), hit()],
        ),
    ]);
}

#[test]
fn settings_allow_stale_answers() {
    run_with(
        "stale-if-error = \"600 s\"",
        &[
            case("4.2.4", "the setting allows it", [fetch(aged("max-age=60", 80)), covered()]),
            case(
                "4 of 5861",
                "the origin's own time wins",
                [fetch(aged("max-age=60, stale-if-error=5", 80)), fails().body("broken")],
            ),
            case(
                "5.2.2.2",
                "must-revalidate wins",
                [fetch(aged("max-age=60, must-revalidate", 80)), fails().body("broken")],
            ),
        ],
    );
}
