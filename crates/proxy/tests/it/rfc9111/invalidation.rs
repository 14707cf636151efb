//! Methods that change what the origin has (RFC 9111, 4.4).

use super::{Case, Step, case, fetch, hit, ok, plain, run};
use crate::origin::Answer;

fn stored() -> Step {
    fetch(ok("max-age=600"))
}

fn changes(method: &'static str, status: u16) -> Step {
    fetch(Answer::of(status)).method(method)
}

#[test]
fn invalidation() {
    let mut cases: Vec<Case> = ["POST", "PUT", "DELETE", "PATCH", "FROB"]
        .iter()
        .flat_map(|method| {
            let after =
                |status| case("4.4", "an unsafe method invalidates", [stored(), changes(method, status), stored()]);
            let failed =
                |status| case("4.4", "one that failed does not", [stored(), changes(method, status), hit().body("1")]);
            [after(200), after(201), after(204), after(303), failed(400), failed(404), failed(500)]
        })
        .collect();
    cases.extend(["OPTIONS", "HEAD"].map(|method| {
        case(
            "4.4",
            "a safe method does not",
            [
                stored(),
                Step { asks: super::Asks::Perhaps, ..fetch(plain()) }.method(method).body(if method == "HEAD" {
                    ""
                } else {
                    "2"
                }),
                hit().body("1"),
            ],
        )
    }));
    let other = |name: &str, target: &str| Answer::of(201).header(name, target);
    let below = || stored().at("/other");
    for name in ["location", "content-location"] {
        let post = |answer: Answer| fetch(answer).method("POST").at("/form");
        let removes = ["{path}/other", "other", "./x/../other", "other#part"].into_iter();
        let removes = removes.chain(["http://site.test{path}/other", "HTTP://Site.Test:80{path}/other"]);
        cases.extend(removes.chain(["//site.test{path}/other"]).map(|target| {
            case("4.4", "an address of the same origin is invalidated", [below(), post(other(name, target)), below()])
        }));
        let leaves =
            ["http://elsewhere.test{path}/other", "http://site.test:81{path}/other", "//elsewhere.test{path}/other"];
        let leaves = leaves.into_iter().chain(["https://site.test{path}/other", "http://[", "{path}/other?q", "", "?"]);
        cases.extend(leaves.map(|target| {
            let rule = "an address of another origin, or of another object, is not";
            case("4.4", rule, [below(), post(other(name, target)), hit().at("/other").body("1")])
        }));
        cases.push(case(
            "4.4",
            "not if the request failed",
            [below(), post(Answer { status: 500, ..other(name, "other") }), hit().at("/other").body("1")],
        ));
    }
    cases.push(case(
        "4.4",
        "a query is another object",
        [stored().at("?a"), changes("POST", 200).at("?b"), hit().at("?a").body("1")],
    ));
    run(&cases);
}
