//! How long a stored answer is fresh, and how old it is (RFC 9111, 4.2 and 5).

use super::{Case, ago, ahead, case, fetch, hit, ok, plain, run, run_with};

#[test]
fn stated_lifetimes() {
    run(&[
        case("4.2.1", "max-age makes an answer fresh", [fetch(ok("max-age=60")), hit(), hit().age(0)]),
        case("4.2.1", "s-maxage does too", [fetch(ok("s-maxage=60")), hit()]),
        case("5.2.2.10", "s-maxage wins over a shorter max-age", [fetch(ok("max-age=0, s-maxage=60")), hit()]),
        case("5.2.2.10", "s-maxage wins over a longer max-age", [fetch(ok("max-age=60, s-maxage=0")), fetch(plain())]),
        case(
            "5.3",
            "max-age wins over Expires in the past",
            [fetch(ok("max-age=60").header("expires", &ago(60))), hit()],
        ),
        case(
            "5.3",
            "max-age wins over Expires in the future",
            [fetch(ok("max-age=0").header("expires", &ahead(60))), fetch(plain())],
        ),
        case(
            "5.3",
            "Expires in the future makes an answer fresh",
            [fetch(plain().header("expires", &ahead(60)).header("date", &ago(0))), hit()],
        ),
        case("5.3", "Expires does so without Date", [fetch(plain().header("expires", &ahead(60))), hit()]),
        case("5.3", "Expires in the past", [fetch(plain().header("expires", &ago(60))), fetch(plain())]),
        case(
            "5.3",
            "Expires as old as Date",
            [fetch(plain().header("expires", &ago(0)).header("date", &ago(0))), fetch(plain())],
        ),
        case(
            "5.3",
            "Expires counts from Date, not from the clock",
            [fetch(plain().header("expires", &ahead(3600)).header("date", &ahead(3601))), fetch(plain())],
        ),
        case("5.3", "Expires: 0 is the past", [fetch(plain().header("expires", "0")), fetch(plain())]),
        case("5.3", "Expires that is no date is the past", [fetch(plain().header("expires", "soon")), fetch(plain())]),
        case(
            "5.3",
            "Expires that is no date, with Last-Modified",
            [fetch(plain().header("expires", "-1").header("last-modified", &ago(86_400))), super::replaced(plain())],
        ),
        case(
            "5.3",
            "several Expires are the past",
            [fetch(plain().header("expires", &ahead(60)).also("expires", &ahead(90))), fetch(plain())],
        ),
        case(
            "5.6.7 of 9110",
            "Expires in the form of RFC 850",
            [fetch(plain().header("expires", "Thursday, 18-Aug-50 02:01:18 GMT")), hit()],
        ),
        case(
            "5.6.7 of 9110",
            "Expires in the form of asctime",
            [fetch(plain().header("expires", "Thu Aug 18 02:01:18 2050")), hit()],
        ),
        case(
            "4.2.1",
            "the first of two max-age counts, or none",
            [fetch(ok("max-age=0").also("cache-control", "max-age=60")), fetch(plain())],
        ),
        case("4.2.1", "two max-age in one line", [fetch(ok("max-age=0, max-age=60")), fetch(plain())]),
        case(
            "4.2.1",
            "max-age that is no number is the past",
            [fetch(ok("max-age=soon").header("last-modified", &ago(86_400))), super::replaced(plain())],
        ),
        case("4.2.1", "a negative max-age is the past", [fetch(ok("max-age=-60")), fetch(plain())]),
        case("1.2.2", "max-age beyond 32 bits is very long", [fetch(ok("max-age=9999999999")), hit()]),
        case("1.2.2", "max-age beyond 64 bits too", [fetch(ok("max-age=99999999999999999999999")), hit()]),
        case("5.2", "max-age in quotes is understood", [fetch(ok("max-age=\"60\"")), hit()]),
        case("5.2", "names of directives have no case", [fetch(ok("Max-AGE=60")), hit()]),
        case("5.2", "unknown directives mean nothing", [fetch(ok("foo, bar=\"a, max-age=0\", max-age=60")), hit()]),
        case("5.2", "directives in several lines", [fetch(ok("public").also("cache-control", "max-age=60")), hit()]),
        case("5.2", "white space and empty members", [fetch(ok(" , max-age=60 ,, public ")), hit()]),
    ]);
}

#[test]
fn ages() {
    run(&[
        case("4.2.3", "Age of the origin counts", [fetch(ok("max-age=60").header("age", "50")), hit().age(50)]),
        case("4.2.3", "Age as long as the lifetime", [fetch(ok("max-age=60").header("age", "60")), fetch(plain())]),
        case("4.2.3", "Age beyond the lifetime", [fetch(ok("max-age=60").header("age", "61")), fetch(plain())]),
        case("4.2.3", "Date in the past counts", [fetch(ok("max-age=60").header("date", &ago(40))), hit().age(40)]),
        case("4.2.3", "Date beyond the lifetime", [fetch(ok("max-age=60").header("date", &ago(90))), fetch(plain())]),
        case(
            "4.2.3",
            "the larger of Age and Date: Age",
            [fetch(ok("max-age=60").header("date", &ago(10)).header("age", "40")), hit().age(40)],
        ),
        case(
            "4.2.3",
            "the larger of Age and Date: Date",
            [fetch(ok("max-age=60").header("date", &ago(40)).header("age", "10")), hit().age(40)],
        ),
        case(
            "4.2.3",
            "Date in the future is no age",
            [fetch(ok("max-age=60").header("date", &ahead(500))), hit().age(0)],
        ),
        case("4.2.3", "s-maxage is shortened by Age", [fetch(ok("s-maxage=60").header("age", "70")), fetch(plain())]),
        case(
            "4.2.3",
            "Expires is shortened by Age",
            [fetch(plain().header("expires", &ahead(60)).header("date", &ago(0)).header("age", "90")), fetch(plain())],
        ),
        case(
            "5.1",
            "Age that is no number means nothing",
            [fetch(ok("max-age=60").header("age", "old")), hit().age(0)],
        ),
        case("5.1", "a negative Age means nothing", [fetch(ok("max-age=60").header("age", "-7")), hit().age(0)]),
        case(
            "1.2.2",
            "Age beyond 64 bits is very old",
            [fetch(ok("max-age=60").header("age", "99999999999999999999999")), fetch(plain())],
        ),
        case(
            "1.2.2",
            "such an answer is stored, and may serve a client that takes it",
            [
                fetch(ok("max-age=60").header("age", "99999999999999999999999")),
                hit().with("cache-control", "max-stale").age(1 << 31),
            ],
        ),
        case(
            "5.1",
            "Age is sent with a HEAD that hits",
            [fetch(ok("max-age=60").header("age", "20")), hit().method("HEAD").age(20)],
        ),
        case(
            "5.1",
            "an answer from the origin keeps its Age",
            [fetch(ok("max-age=60").header("age", "20")).has("age", "20")],
        ),
        case("4.2.3", "Date in the past is told as Age", [fetch(ok("max-age=60").header("date", &ago(40))).age(40)]),
        case("5.1", "an answer without Age gets none when it is fetched", [fetch(ok("max-age=60")).lacks("age")]),
    ]);
}

/// The statuses whose answers may be stored without any statement (RFC 9110, 15.1). 206 is never stored, and errors
/// such as 501 only with a statement.
const BY_DEFAULT: [u16; 10] = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414];
const NOT_BY_DEFAULT: [u16; 13] = [201, 202, 302, 303, 307, 400, 401, 403, 429, 500, 501, 502, 503];

fn each(statuses: &[u16], make: impl Fn(u16) -> Case) -> Vec<Case> {
    statuses.iter().map(|status| make(*status)).collect()
}

#[test]
fn heuristics() {
    let old = || plain().header("last-modified", &ago(86_400 * 5));
    let with = |status: u16| crate::origin::Answer { status, ..old() };
    let mut cases = each(&BY_DEFAULT, |status| {
        case("4.2.2", "a status that may be stored by default", [fetch(with(status)), hit().status(status)])
    });
    cases.extend(each(&NOT_BY_DEFAULT, |status| {
        case("4.2.2", "a status that may not", [fetch(with(status)), fetch(with(status))])
    }));
    cases.extend([
        case(
            "4.2.2",
            "a tenth of the time since Last-Modified: still fresh",
            [fetch(plain().header("last-modified", &ago(1000)).header("age", "50")), hit()],
        ),
        case(
            "4.2.2",
            "a tenth of the time since Last-Modified: stale",
            [fetch(plain().header("last-modified", &ago(1000)).header("age", "150")), super::replaced(plain())],
        ),
        case("4.2.2", "no Last-Modified, no heuristic", [fetch(plain()), fetch(plain())]),
        case(
            "4.2.2",
            "Last-Modified in the future, no heuristic",
            [fetch(plain().header("last-modified", &ahead(1000))), fetch(plain())],
        ),
        case(
            "4.2.2",
            "at most a day",
            [
                fetch(plain().header("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT").header("age", "86500")),
                super::replaced(plain()),
            ],
        ),
    ]);
    run(&cases);
}

#[test]
fn a_default_lifetime() {
    run_with(
        "default-lifetime = \"60 s\"",
        &[
            case("4.2.2", "the default lifetime holds without any statement", [fetch(plain()), hit()]),
            case(
                "4.2.2",
                "the default lifetime is shortened by Age",
                [fetch(plain().header("age", "61")), fetch(plain())],
            ),
            case("4.2.2", "statements win over it", [fetch(ok("max-age=0")), fetch(plain())]),
            case("4.2.2", "it is for statuses that may be stored by default", [fetch(plain().header("x", "y")), hit()]),
            case("3", "a statement that is wrong is no default", [fetch(ok("max-age=soon")), fetch(plain())]),
        ],
    );
}
