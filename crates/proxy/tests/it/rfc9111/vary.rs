//! Variants of an object (RFC 9111, 4.1).

use super::{Case, Step, case, fetch, hit, ok, plain, replaced, run, validated};
use crate::origin::Answer;

fn varies(on: &str) -> Answer {
    ok("max-age=60").header("vary", on)
}

fn en(step: Step) -> Step {
    step.with("accept-language", "en")
}

fn de(step: Step) -> Step {
    step.with("accept-language", "de")
}

#[test]
fn variants() {
    let lang = || varies("accept-language");
    let stale = |tag: &str| lang().header("age", "90").header("etag", tag);
    run(&[
        case("4.1", "the same header fits", [en(fetch(lang())), en(hit())]),
        case(
            "4.1",
            "another does not, and both stay",
            [en(fetch(lang())), de(fetch(lang())), en(hit()).body("1"), de(hit()).body("2")],
        ),
        case("4.1", "none is a value too", [fetch(lang()), hit(), en(fetch(lang())), hit().body("1")]),
        case("4.1", "other headers do not matter", [en(fetch(lang())), en(hit()).with("x-other", "1")]),
        case(
            "4.1",
            "two headers in one Vary",
            [
                en(fetch(varies("accept-language, x-a"))).with("x-a", "1"),
                en(fetch(varies("accept-language, x-a"))).with("x-a", "2"),
                en(hit()).with("x-a", "1").body("1"),
                de(fetch(varies("accept-language, x-a"))).with("x-a", "1"),
                en(hit()).with("x-a", "2").body("2"),
            ],
        ),
        case(
            "4.1",
            "two Vary lines",
            [
                en(fetch(lang().also("vary", "x-a"))).with("x-a", "1"),
                en(fetch(lang().also("vary", "x-a"))).with("x-a", "2"),
                en(hit()).with("x-a", "1").body("1"),
            ],
        ),
        case("4.1", "names have no case", [en(fetch(varies("Accept-LANGUAGE"))), en(hit()), de(fetch(lang()))]),
        case(
            "4.1",
            "white space in a list has no meaning",
            [fetch(lang()).with("accept-language", "en,de"), hit().with("accept-language", "en ,  de")],
        ),
        case(
            "4.1",
            "several lines are one list",
            [
                fetch(lang()).with("accept-language", "en, de"),
                hit().with("accept-language", "en").with("accept-language", "de"),
            ],
        ),
        case(
            "4.1",
            "the order of a list matters",
            [fetch(lang()).with("accept-language", "en, de"), fetch(lang()).with("accept-language", "de, en")],
        ),
        case("4.1", "* never fits", [fetch(varies("*")), fetch(varies("*"))]),
        case("4.1", "* among others never fits", [en(fetch(varies("accept-language, *"))), en(fetch(plain()))]),
        case("4.1", "* in another line never fits", [en(fetch(lang().also("vary", "*"))), en(fetch(plain()))]),
        case("4.1", "an empty Vary means nothing", [fetch(varies("")), en(hit())]),
        case(
            "4.3.4",
            "a 304 renews the variant that was asked for",
            [
                en(fetch(stale("\"en\""))),
                de(fetch(stale("\"de\""))),
                en(validated(lang().header("etag", "\"en\""))).body("1").sent("if-none-match", "\"en\""),
                en(hit()).body("1"),
                de(replaced(stale("\"de2\""))).sent("if-none-match", "\"de\""),
            ],
        ),
        case(
            "4.4",
            "POST removes all variants",
            [en(fetch(lang())), de(fetch(lang())), fetch(plain()).method("POST"), en(fetch(lang())), de(fetch(lang()))],
        ),
        case("3.5", "Authorization is no variant", [fetch(ok("max-age=60")), hit().with("authorization", "x")]),
        case(
            "12.5.5 of 9110",
            "Vary: Origin",
            [
                fetch(varies("origin")).with("origin", "https://a.test"),
                fetch(varies("origin")).with("origin", "https://b.test"),
                hit().with("origin", "https://a.test").body("1").has("vary", "origin"),
            ],
        ),
        case(
            "12.5.5 of 9110",
            "Vary: Cookie",
            [
                fetch(varies("cookie")).with("cookie", "a=1"),
                fetch(varies("cookie")).with("cookie", "a=2"),
                hit().with("cookie", "a=1").body("1"),
            ],
        ),
    ]);
}

#[test]
fn many_variants() {
    let ask = |step: Step, number: usize| step.with("accept-language", format!("l{number}")).body(&number.to_string());
    let fetches = (0..30).map(|number| ask(fetch(varies("accept-language").body(number.to_string())), number));
    let hits = (0..30).rev().map(|number| ask(hit(), number));
    run(&[Case { section: "4.1", rule: "thirty variants coexist", steps: fetches.chain(hits).collect() }]);
}
