//! Tests of the errors of `[[state]]`.

use crate::Changes;
use crate::demo::Embedded;
use crate::question::Question;

const TEXT: &str = r#"[network]
topology = { name = "star", hosts = 4 }
duration = "1 ms"
[[workload]]
sizes = { name = "fixed", bytes = 3000 }
load = 0.3
[[state]]
name = "one"
at = "switch"
key = "flow"
capacity = 16
policy = "lru-seer"
[[state]]
name = "two"
at = "switch h1"
key = "object"
objects = { count = 100, skew = 1.0 }
capacity = 16
policy = "lru-seer"
latency = { distribution = "uniform", min = "1 us", max = "3 us" }
store = { at = "h3", request_bytes = 64, answer_bytes = 512, class = 0, retry = "100 us" }
[[policy]]
transport = "dctcp"
port = { rank = "arrival", queue = "fifo", buffer = "80 packets" }
"#;

fn read(text: &str) -> Result<(), String> {
    let question = Question::parse("scenario", text, &Embedded, &Changes::default());
    question.map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn several_kinds_of_states_and_their_stores_are_read() {
    read(TEXT).unwrap();
    for latency in [
        "{ distribution = \"exponential\", mean = \"1 us\" }",
        "{ distribution = \"lognormal\", mean = \"1 us\", sigma = 0 }",
        "\"1 us\"",
    ] {
        read(&TEXT.replace("{ distribution = \"uniform\", min = \"1 us\", max = \"3 us\" }", latency)).unwrap();
    }
    for at in ["h*", "*", "switch h0 h1"] {
        read(&TEXT.replace("at = \"switch\"", &format!("at = \"{at}\""))).unwrap();
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_to_write() {
    for (from, to, said) in [
        ("at = \"switch h1\"", "at = \"switch h1\"\nwaits = \"link\"", "give both the same `waits`"),
        ("at = \"switch h1\"", "at = \"switch h1\"\nwaiting_packets = 3", "give both the same `waiting_packets`"),
        (
            "at = \"switch h1\"",
            "at = \"switch h1\"\nseer = { per_gap = 1 }",
            "`one` and `two` receive the same notifications at `switch`",
        ),
        ("at = \"switch h1\"", "at = \"switch h9\"", "there is no node `h9`"),
        ("at = \"switch h1\"", "at = \"\"", "`at` names no node"),
        ("at = \"switch h1\"", "at = \"switch h3\"", "`h3` has such a cache itself; take another host"),
        ("at = \"h3\"", "at = \"switch\"", "`switch` is a switch; write the name of a host"),
        ("at = \"h3\"", "at = \"h33\"", "there is no host `h33`"),
        ("at = \"h3\", ", "", "has no `at`"),
        ("request_bytes = 64", "request_bytes = 0", "`request_bytes` must be a whole number from 1 to 65535"),
        ("answer_bytes = 512", "answer_bytes = 70000", "`answer_bytes` must be a whole number from 1 to 65535"),
        ("class = 0", "class = 256", "`class` must be a whole number from 0 to 255"),
        ("retry = \"100 us\"", "retry = \"0 s\"", "`retry` must be above 0"),
        ("retry =", "retries =", "unknown field `retries`"),
        ("\"uniform\"", "\"uniforms\"", "did you mean `uniform`?"),
        ("\"uniform\"", "\"exponential\"", "has no `mean`"),
        ("min = \"1 us\"", "min = \"9 us\"", "must not be above the highest"),
        ("min = \"1 us\"", "min = \"0 s\"", "`min` must be above 0"),
        ("max = \"3 us\"", "max = \"3 us\", sigma = 1", "unknown field `sigma`"),
        ("key = \"object\"", "key = \"objects\"", "did you mean `object`?"),
        ("key = \"object\"", "key = \"pair\"", "`objects` needs key = \"object\""),
        ("count = 100", "count = 0", "`count` must be a whole number from 1"),
        ("min = \"1 us\", ", "", "add for example `min = \"1 us\"`"),
        ("max = \"3 us\"", "max = \"2000 s\"", "`max` must be at most 1000 s"),
        ("skew = 1.0", "skew = -1", "`skew` must be a number from 0 to 10"),
        ("store =", "optimum = true\nstore =", "use one `latency` and no `store`"),
        ("policy = \"lru-seer\"\nlatency", "policy = \"belady\"\nlatency", "`belady` must know when fetches end"),
        ("[[policy]]\n", "[[policy]]\nstate_policy = \"belady\"\n", "`belady` must know when fetches end"),
    ] {
        assert!(TEXT.contains(from), "{from}");
        let error = read(&TEXT.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(said), "{to}: {error}");
    }
    let large = TEXT.replace("answer_bytes = 512", "answer_bytes = 60000").replace("80 packets", "50 KB");
    let error = read(&large).unwrap_err();
    assert!(error.contains("the largest packet of a fetch of `two` has 60000 B, and the buffer 50000 B"), "{error}");
}

/// A policy in OpenQueue, read as `x.oq`.
struct PolicyText(&'static str);

impl crate::scenario::Files for PolicyText {
    fn open(&self, name: &str) -> crate::error::Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        assert_eq!(name, "x.oq");
        Ok((name.to_owned(), Box::new(self.0.as_bytes())))
    }
}

#[test]
fn policies_that_are_no_strict_priorities_are_refused_with_the_reason() {
    let text = TEXT.replace("rank = \"arrival\", queue = \"fifo\", buffer = \"80 packets\"", "policy = \"x.oq\"");
    let read = |text: &str, policy| {
        let question = Question::parse("scenario", text, &PolicyText(policy), &Changes::default());
        question.map(|_| ()).map_err(|error| error.to_string())
    };
    let two = "a = Queue(40 pkts); b = Queue(40 pkts); classify(p) = (p.class >= 40, enter(a)).(true, enter(b)); \
               b.schedState = 1; strict(q1, q2) = (q1.schedState > q2.schedState);";
    let strict = concat_policy(two, "out = Port(100, a, b); out.schedPrio = strict;");
    read(&text, strict).unwrap();
    let out = "out = Port(100, a, b); ";
    for (policy, said) in [
        (
            concat_policy(two, "out = Port(50%, a, b); out.schedPrio = strict;"),
            "port `out` is slower than its link; give it 100",
        ),
        (
            concat_policy(two, &format!("{out} lqf(q1, q2) = (q1.currSize > q2.currSize); out.schedPrio = lqf;")),
            "in x.oq, `schedPrio` of `out`, `lqf`, compares values that can change",
        ),
        (
            concat_policy(two, &format!("{out} out.schedPrio = strict; a.procPrio(p1, p2) = (p1.size < p2.size);")),
            "queue `a` serves by",
        ),
        (
            concat_policy(two, &format!("{out} out.schedPrio = strict; a.admPrio = fifo();")),
            "`a` may push out packets that wait: the victims of queue `a` are chosen by `fifo`",
        ),
    ] {
        let error = read(&text, policy).unwrap_err();
        assert!(error.contains(said) && error.contains("so both must be known in advance"), "{error}");
    }
    let changes = text.replace("\"x.oq\"", "\"x.oq\", changes = [{ at = \"100 us\", params = {} }]");
    let error = read(&changes, strict).unwrap_err();
    assert!(error.contains("leave `changes` out"), "{error}");
}

#[test]
fn ports_that_sort_notify_if_they_may_correct_what_they_have_told() {
    let sorted = |drop: &str, seer: &str| {
        let port = format!("rank = \"remaining-bytes\", queue = \"pifo\", drop = \"{drop}\", buffer");
        let text = TEXT.replace("rank = \"arrival\", queue = \"fifo\", buffer", &port);
        read(&text.replace("[[policy]]\n", &format!("[[policy]]\nstate_seer = {{ {seer} }}\n")))
    };
    for drop in ["tail", "worst-first"] {
        sorted(drop, "corrections = true").unwrap();
        let error = sorted(drop, "corrections = false").unwrap_err();
        let said = "or add `corrections = true` to `seer`, so that the port sends corrections";
        assert!(error.contains("so both must be known in advance") && error.contains(said), "{error}");
        let error = sorted(drop, "corrections = true, relay = true").unwrap_err();
        assert!(error.contains("with `relay` a port forwards notifications of packets before they arrive"), "{error}");
    }
    for (port, said) in [
        ("rank = \"remaining-bytes\", queue = \"pifo\", rank_unit = 10, buffer", "so both must be known in advance"),
        ("rank = \"wf2q\", queue = \"pieo\", buffer", "so both must be known in advance"),
        (
            "tree = { rank = \"arrival\" }, queue = \"pifo\", drop = \"worst-first\", buffer",
            "so both must be known in advance",
        ),
    ] {
        let text = TEXT.replace("rank = \"arrival\", queue = \"fifo\", buffer", port);
        let error =
            read(&text.replace("[[policy]]\n", "[[policy]]\nstate_seer = { corrections = true }\n")).unwrap_err();
        assert!(error.contains(said), "{port}: {error}");
    }
}

fn concat_policy(first: &str, second: &str) -> &'static str {
    Box::leak(format!("{first} {second}").into_boxed_str())
}

#[test]
fn ports_may_tell_in_one_way_where_a_policy_says_it() {
    let differs = TEXT.replace("at = \"switch h1\"", "at = \"switch h1\"\nseer = { per_gap = 1 }");
    read(&differs.replace("[[policy]]\n", "[[policy]]\nstate_seer = { per_gap = 1 }\n")).unwrap();
    // Where one of them is not told, nothing has to agree.
    read(&differs.replacen("policy = \"lru-seer\"", "policy = \"lru\"", 1)).unwrap();
    // What the manager does is up to each.
    read(&differs.replace("per_gap = 1", "enters = \"end\"")).unwrap();
}
