//! Messages: headers of one connection, `Via`, wrong lengths (RFC 9110, 7.6; RFC 9112, 6 to 8).

use super::{case, fetch, hit, ok, plain, run};
use crate::origin::Answer;

/// What the origin sends, byte for byte. Then it closes the connection.
fn raw(text: &str) -> Answer {
    Answer { raw: true, ..Answer::of(200).body(text) }
}

#[test]
fn headers_of_one_connection() {
    let fresh = || ok("max-age=60");
    run(&[
        case(
            "7.6.1 of 9110",
            "what Connection names is not forwarded to the origin",
            [fetch(fresh()).with("connection", "x-hop").with("x-hop", "1").not_sent("x-hop")],
        ),
        case(
            "7.6.1 of 9110",
            "what Connection names is not forwarded to the client, nor stored",
            [fetch(fresh().header("connection", "x-hop").header("x-hop", "1")).lacks("x-hop"), hit().lacks("x-hop")],
        ),
        case(
            "3.1",
            "Keep-Alive is not stored",
            [fetch(fresh().header("keep-alive", "timeout=5")).lacks("keep-alive"), hit().lacks("keep-alive")],
        ),
        case(
            "3.1",
            "Proxy-Authenticate is not stored",
            [fetch(fresh().header("proxy-authenticate", "Basic")), hit().lacks("proxy-authenticate")],
        ),
        case(
            "3.1",
            "Proxy-Connection is not stored",
            [fetch(fresh().header("proxy-connection", "close")), hit().lacks("proxy-connection")],
        ),
        case(
            "7.6.1 of 9110",
            "TE and Keep-Alive are not forwarded",
            [fetch(fresh()).with("te", "gzip").with("keep-alive", "timeout=5").not_sent("te").not_sent("keep-alive")],
        ),
        case(
            "11.7.2 of 9110",
            "Proxy-Authorization is for the proxy",
            [fetch(fresh()).with("proxy-authorization", "Basic eDp5").not_sent("proxy-authorization")],
        ),
        case("7.6.3 of 9110", "Via is added to requests", [fetch(fresh()).sent("via", "1.1 forebay-proxy")]),
        case(
            "7.6.3 of 9110",
            "Via comes after that of others",
            [fetch(fresh()).with("via", "1.1 before").sent("via", "1.1 before, 1.1 forebay-proxy")],
        ),
        case(
            "7.6.3 of 9110",
            "Via is added to answers, once",
            [fetch(fresh()).has("via", "1.1 forebay-proxy"), hit().has("via", "1.1 forebay-proxy")],
        ),
        case(
            "7.6.3 of 9110",
            "Via of the origin's side is kept",
            [
                fetch(fresh().header("via", "1.1 behind")).has("via", "1.1 behind, 1.1 forebay-proxy"),
                hit().has("via", "1.1 behind, 1.1 forebay-proxy"),
            ],
        ),
        case(
            "6.6.1 of 9110",
            "Date is added to what is stored without one",
            [fetch(fresh().header("age", "10")), hit().age(10)],
        ),
        case(
            "5.2 of 7239",
            "X-Forwarded-For is appended",
            [fetch(fresh()).with("x-forwarded-for", "192.0.2.7").sent("x-forwarded-for", "192.0.2.7, 127.0.0.1")],
        ),
        case(
            "5.2 of 7239",
            "X-Forwarded-For and -Proto are added",
            [fetch(fresh()).sent("x-forwarded-for", "127.0.0.1").sent("x-forwarded-proto", "http")],
        ),
        case(
            "5.1 of 9110",
            "unknown headers pass both ways",
            [
                fetch(fresh().header("x-thing", "a, b")).with("x-wish", "c").sent("x-wish", "c").has("x-thing", "a, b"),
                hit().has("x-thing", "a, b"),
            ],
        ),
        case(
            "5.3 of 9110",
            "several lines of one header stay in order",
            [fetch(fresh().header("x-thing", "a").also("x-thing", "b")), hit().has("x-thing", "a, b")],
        ),
    ]);
}

#[test]
fn lengths() {
    let fails = |answer: Answer| super::Step { asks: super::Asks::Perhaps, ..fetch(answer) }.status(0);
    let head = "HTTP/1.1 200 OK\r\ncache-control: max-age=60\r\n";
    let good = |answer: String, body: &str| fetch(raw(&answer)).body(body);
    run(&[
        case(
            "6.3 of 9112",
            "bytes after the body are not the body's",
            [good(format!("{head}content-length: 2\r\n\r\nabgarbage"), "ab"), hit().body("ab")],
        ),
        case(
            "6.3 of 9112",
            "a second answer after the first is nobody's",
            [
                good(format!("{head}content-length: 2\r\n\r\nabHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nbad"), "ab"),
                hit().body("ab"),
                fetch(ok("max-age=60")).at("/other").body("3"),
            ],
        ),
        case(
            "6.3 of 9112",
            "two lengths that differ",
            [fails(raw(&format!("{head}content-length: 2\r\ncontent-length: 4\r\n\r\nabcd"))), fetch(plain())],
        ),
        case(
            "6.3 of 9112",
            "a length that is none",
            [fails(raw(&format!("{head}content-length: two\r\n\r\nab"))), fetch(plain())],
        ),
        case(
            "8 of 9112",
            "a body shorter than its length",
            [fails(raw(&format!("{head}content-length: 5\r\n\r\nab"))), fetch(plain())],
        ),
        case(
            "8 of 9112",
            "chunks without an end",
            [fails(raw(&format!("{head}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n"))), fetch(plain())],
        ),
        case(
            "7.1 of 9112",
            "a chunk whose size is none",
            [fails(raw(&format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n"))), fetch(plain())],
        ),
        case(
            "7.1 of 9112",
            "chunks are stored as a whole",
            [
                fetch(Answer { chunked: true, ..ok("max-age=60").body("in pieces") }).body("in pieces"),
                hit().body("in pieces"),
            ],
        ),
        case(
            "7.1.1 of 9112",
            "extensions of chunks mean nothing",
            [good(format!("{head}transfer-encoding: chunked\r\n\r\n2;a=b\r\nab\r\n0\r\n\r\n"), "ab"), hit().body("ab")],
        ),
        case("2 of 9112", "no answer at all", [fails(raw("nothing of HTTP\r\n\r\n")), fetch(plain())]),
        case(
            "2 of 9112",
            "the connection ends in the head",
            [fails(raw("HTTP/1.1 200 OK\r\ncache-con")), fetch(plain())],
        ),
        case(
            "15.2 of 9110",
            "103 comes before the answer and is not stored",
            [
                good(format!("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n{head}content-length: 2\r\n\r\nab"), "ab"),
                hit().body("ab").lacks("link"),
            ],
        ),
        case(
            "15.2 of 9110",
            "100 comes before the answer and is not stored",
            [good(format!("HTTP/1.1 100 Continue\r\n\r\n{head}content-length: 2\r\n\r\nab"), "ab"), hit().body("ab")],
        ),
        case(
            "8 of 9112",
            "HTTP/1.0 without length ends with its connection",
            [good("HTTP/1.0 200 OK\r\ncache-control: max-age=60\r\n\r\nab".to_owned(), "ab"), hit().body("ab")],
        ),
    ]);
}
