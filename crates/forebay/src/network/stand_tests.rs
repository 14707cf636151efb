//! Tests of policies with a port for each link of a switch: which are rejected, and their effect on transports.

use crate::error::Result;
use crate::network::CellReport;
use crate::scenario::Files;
use crate::{Answer, Changes, Question, Session, UserError};
use std::io::Read;

/// Policies, by the names of their files.
const FILES: [(&str, &str); 11] = [
    ("lqd.oq", include_str!("../../../../policies/lqd.oq")),
    ("marking.oq", include_str!("../../../../policies/lqd-marking.oq")),
    ("thresholds.oq", include_str!("../../../../policies/dynamic-thresholds.oq")),
    ("fifo.oq", include_str!("../../../../policies/fifo.oq")),
    ("four.oq", "q[1..4] = Queue(9 pkts); for i in 1..4 { out[i] = Port(100, q[i]); }"),
    ("crossed.oq", "q[1..2] = Queue(9 pkts); a = Port(100, q2); b = Port(100, q1);"),
    (
        "balancing.oq",
        "q[1..2] = Queue(9 pkts); a = Port(100, q1); b = Port(100, q2); classify(p) = enter(q[mod(p.flow, 2) + 1]);",
    ),
    ("plain.oq", "q[1..2] = Queue(9 pkts); a = Port(100, q1); b = Port(100, q2);"),
    (
        "straight.oq",
        "x = Queue(9 pkts); y = Queue(9 pkts); a = Port(100, x); b = Port(100, y); classify(p) = (p.queue == 0, enter(x)).(true, enter(y));",
    ),
    (
        "moved.oq",
        "x = Queue(9 pkts); y = Queue(9 pkts); a = Port(100, y); b = Port(100, x); classify(p) = (p.queue == 0, enter(y)).(true, enter(x));",
    ),
    ("exchanged.oq", "q[1..2] = Queue(9 pkts); b = Port(100, q1); a = Port(100, q2);"),
];

/// Files by name, and no others.
struct Texts;

impl Files for Texts {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        match FILES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok((name.to_owned(), Box::new(text.as_bytes()))),
            None => Err(UserError::new(format!("{name}: there is no such file"))),
        }
    }
}

const NIC: &str = "nic = { rank = \"arrival\", queue = \"fifo\", buffer = \"1000 packets\" }";

/// Returns flows in a star of `hosts` hosts, or in `network`, with the fields of `policy` added to a transport.
fn scenario(hosts: u32, network: &str, policy: &str) -> String {
    format!(
        "[network]\ntopology = {{ name = \"star\", hosts = {hosts}, rate = \"1 Gbps\" }}\nduration = \"5 ms\"\n{network}\n\
         [[workload]]\nsizes = {{ name = \"fixed\", bytes = 30_000 }}\nload = 0.5\n[[policy]]\ntransport = \"newreno\"\n{policy}\n"
    )
}

fn error(text: &str) -> String {
    let question = Question::parse("s.toml", text, &Texts, &Changes::default());
    question.map(|_| ()).expect_err("it is refused").to_string()
}

fn results(text: &str) -> Vec<CellReport> {
    let question = Question::parse("s.toml", text, &Texts, &Changes::default()).unwrap();
    match question.run(&Session::default()).unwrap() {
        Answer::Network(report) => report.results,
        _ => panic!("the scenario has a network"),
    }
}

/// Everything that was measured, except for the name of the policy and the values of axes.
fn measured(result: &CellReport) -> String {
    let mut value = serde_json::to_value(result).unwrap();
    value.as_object_mut().unwrap().retain(|name, _| name != "policy" && name != "axes");
    value.to_string()
}

fn sum(result: &CellReport, counter: &str) -> u64 {
    result.counters.get(counter).copied().unwrap_or(0)
}

#[test]
fn a_policy_that_does_not_fit_its_switch_is_refused_with_what_to_write() {
    let port = |policy: &str| format!("port = {policy}\n{NIC}");
    for (hosts, policy, expected) in [
        (
            6,
            port("{ policy = \"lqd.oq\" }"),
            "s.toml:10: lqd.oq has 4 ports, and switch `switch` has 6 links; a policy with several ports needs one for each link: \
             write params = { ports = \"links\" }",
        ),
        (
            6,
            port("{ policy = \"four.oq\" }"),
            "s.toml:10: four.oq has 4 ports, and switch `switch` has 6 links; a policy with several ports needs one for each link, \
             and one with a single port stands at each link",
        ),
        (
            6,
            port("{ policy = \"fifo.oq\", params = { B = \"links\" } }"),
            "s.toml:10: fifo.oq has 1 port, and switch `switch` has 6 links; a policy with several ports needs one for each link, \
             and one with a single port stands at each link",
        ),
        (
            4,
            "port = { policy = \"lqd.oq\" }".to_owned(),
            "s.toml:10: lqd.oq has 4 ports, and host `h0` has 1 link; without `nic`, hosts use the policy of `port`: add nic = { rank \
             = \"arrival\", queue = \"fifo\", buffer = \"100 packets\" }",
        ),
        (
            4,
            "port = { policy = \"lqd.oq\" }\nnic = { policy = \"lqd.oq\" }".to_owned(),
            "s.toml:11: lqd.oq has 4 ports, and host `h0` has 1 link; a policy with several ports needs one for each link: write \
             params = { ports = \"links\" }",
        ),
        (
            2,
            port("{ policy = \"crossed.oq\" }"),
            "s.toml:10: crossed.oq may put packets for port `a` (queue = 0) into `q1`, which port `b` serves; in a network the route \
             of a packet chooses its link, so enter a queue of that port, as `enter(q[p.queue + 1])` does",
        ),
        (
            2,
            port("{ policy = \"balancing.oq\" }"),
            "s.toml:10: balancing.oq may put packets for port `a` (queue = 0) into `q2`, which port `b` serves; in a network the route \
             of a packet chooses its link, so enter a queue of that port, as `enter(q[p.queue + 1])` does",
        ),
    ] {
        assert_eq!(error(&scenario(hosts, "", &policy)), expected);
    }
}

#[test]
fn a_change_by_which_packets_would_leave_elsewhere_is_refused() {
    let change_of = |first: &str, other: &str| {
        let changes = format!("changes = [{{ at = \"1 ms\", policy = \"{other}\" }}]");
        error(&scenario(2, "", &format!("port = {{ policy = \"{first}\", {changes} }}\n{NIC}")))
    };
    assert_eq!(
        change_of("straight.oq", "moved.oq"),
        "s.toml:10: port `a` serves queue `x`, and port `b` in this version; its packets could not reach their link: keep the port or \
         take another name for the queue"
    );
    let change = |other| change_of("plain.oq", other);
    assert_eq!(
        change("exchanged.oq"),
        "s.toml:10: the links are numbered as the ports a, b, but this version has the order b, a; keep their order"
    );
    assert_eq!(
        change("crossed.oq"),
        "s.toml:10: crossed.oq may put packets for port `a` (queue = 0) into `q1`, which port `b` serves; in a network the route of a \
         packet chooses its link, so enter a queue of that port, as `enter(q[p.queue + 1])` does"
    );
    assert_eq!(
        change("fifo.oq"),
        "s.toml:10: fifo.oq has 1 port, and switch `switch` has 2 links; a policy with several ports needs one for each link, and one \
         with a single port stands at each link"
    );
}

#[test]
fn a_policy_at_each_link_does_not_change_to_one_at_all_links() {
    let changes = "changes = [{ at = \"1 ms\", params = { B = \"links\" } }]";
    assert_eq!(
        error(&scenario(2, "", &format!("port = {{ policy = \"fifo.oq\", {changes} }}\n{NIC}"))),
        "s.toml:10: \"links\" is for a policy at all links of a switch, and the first version stands at each link; give a number"
    );
}

#[test]
fn what_does_not_go_with_one_memory_for_all_ports_is_refused() {
    let lqd = format!("port = {{ policy = \"lqd.oq\", params = {{ ports = \"links\" }} }}\n{NIC}");
    assert_eq!(
        error(&scenario(6, "shared_buffer = { size = \"1 MB\" }", &lqd)),
        "s.toml:4: policy `newreno` has a port for each link of a switch and shares memory among them itself; leave `shared_buffer` \
         out, or take a policy with one port"
    );
    let told = scenario(6, "[[state]]\nat = \"switch\"\nkey = \"flow\"\ncapacity = 8\npolicy = \"lru-seer\"", "");
    let told = format!("{told}{}", lqd.replace(NIC, ""));
    let said = error(&told);
    assert!(said.contains("`b` may push out packets that wait: its `admPrio`, `longest`"), "{said}");
    assert!(said.ends_with("leave it out, so that the queue of the arriving packet drops"), "{said}");
    let port = "port = { rate = \"1 Gbps\" }\ntraffic = { arrivals = \"poisson\", load = 0.5, packets = 10 }\n";
    assert_eq!(
        error(&format!("{port}policy = [{{ policy = \"lqd.oq\", params = {{ ports = \"links\" }} }}]\n")),
        "s.toml:3: param `ports`: \"links\" is the number of links of a switch in a [network]; here give a number, such as 4"
    );
}

/// Leaves with six links and spines with two, under a policy at all links of a switch.
fn leaf_spine(port: &str, transport: &str) -> String {
    format!(
        "repetitions = 2\n[network]\n\
         topology = {{ name = \"leaf-spine\", leaves = 2, spines = 2, hosts_per_leaf = 4, access_rate = \"1 Gbps\", core_rate = \"2 Gbps\" \
         }}\nduration = \"10 ms\"\n[[workload]]\nsizes = {{ name = \"fixed\", bytes = 40_000 }}\npattern = \"incast\"\nload = 0.5\n\
         [[policy]]\ntransport = \"{transport}\"\nport = {port}\n{NIC}\n"
    )
}

#[test]
fn a_policy_is_written_once_for_switches_of_all_sizes() {
    let lqd = "policy = \"lqd.oq\", params = { ports = \"links\", B = \"40 pkts\" }";
    let fast = results(&leaf_spine(&format!("{{ {lqd} }}"), "newreno"));
    assert!(sum(&fast[0], "dropped_by_buffer") > 50, "{:?}", fast[0].counters);
    // The engine that defines what is right does the same, drop by drop.
    let reference = results(&leaf_spine(&format!("{{ {lqd}, engine = \"reference\" }}"), "newreno"));
    assert_eq!(measured(&fast[0]), measured(&reference[0]));
    // So does a change to the same policy.
    let changes = "changes = [{ at = \"2 ms\", policy = \"lqd.oq\", params = { ports = \"links\", B = \"40 pkts\" }, transition = \
                   \"rerank\" }]";
    let changed = results(&leaf_spine(&format!("{{ {lqd}, {changes} }}"), "newreno"));
    assert_eq!(measured(&fast[0]), measured(&changed[0]));
    let other = changes.replace("lqd.oq", "thresholds.oq");
    let changed = results(&leaf_spine(&format!("{{ {lqd}, {other} }}"), "newreno"));
    assert!(sum(&changed[0], "dropped_by_queue") > 10, "{:?}", changed[0].counters);
}

#[test]
fn hosts_may_have_such_a_policy_too() {
    let lqd = "{ policy = \"lqd.oq\", params = { ports = \"links\", B = \"40 pkts\" } }";
    let text = leaf_spine(lqd, "newreno").replace(NIC, "");
    let both = results(&text);
    let alone = results(&text.replace(
        &format!("port = {lqd}"),
        &format!("port = {lqd}\nnic = {{ policy = \"fifo.oq\", params = {{ B = 40 }} }}"),
    ));
    // A host has one link, at which longest queue drop is tail drop.
    let counters = |result: &CellReport| sum(result, "dropped_by_queue") + sum(result, "dropped_by_buffer");
    assert_eq!(counters(&both[0]), counters(&alone[0]));
    assert_eq!(format!("{:?}", both[0].quantities), format!("{:?}", alone[0].quantities));
}

#[test]
fn marks_of_a_policy_reach_senders() {
    let marking = "{ policy = \"marking.oq\", params = { ports = \"links\", B = \"200 pkts\", K = \"10 pkts\" } }";
    let [dctcp, newreno] = ["dctcp", "newreno"].map(|transport| results(&leaf_spine(marking, transport)).remove(0));
    assert!(sum(&dctcp, "notified") > 100 && sum(&newreno, "notified") > 100);
    let drops = |result| sum(result, "dropped_by_buffer");
    assert!(drops(&dctcp) * 2 < drops(&newreno), "{} {}", drops(&dctcp), drops(&newreno));
}
