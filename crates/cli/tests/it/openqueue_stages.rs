//! Policies with stages: they run in `[port]`, and are rejected elsewhere.

use crate::support::Folder;
use serde_json::Value;

/// A shared input in front of two output queues.
const POLICY: &str = "\
held[1..2] = Queue(8 pkts);
ready[1..2] = Queue(2 pkts);
inside = Port(200, held[1..2]);
for j in 1..2 { out[j] = Port(100, ready[j]); }
inside.next(p) = enter(ready[p.queue + 1]);
inside.eligible(q) = q.next.currSize < q.next.size;
";

const TRAFFIC: &str = "[port]\nrate = \"1 Gbps\"\n[traffic]\narrivals = \"poisson\"\nload = 1.6\npackets = 2_000\nflows = 40\n\
                       queue = { distribution = \"uniform\", min = 0, max = 1 }\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.oq", POLICY);
    folder
}

#[test]
fn a_policy_with_stages_runs_at_the_links_of_a_port() {
    let folder = folder();
    let lossy = POLICY.replace("inside.eligible(q) = q.next.currSize < q.next.size;\n", "");
    folder.write("lossy.oq", lossy);
    let policies = "[[policy]]\npolicy = \"s.oq\"\n[[policy]]\nname = \"reference\"\npolicy = \"s.oq\"\nengine = \"reference\"\n\
                    [[policy]]\npolicy = \"lossy.oq\"\n";
    let report = folder.json(&format!("{TRAFFIC}{policies}"), &[]);
    let [fast, reference, lossy] = &report["results"].as_array().unwrap()[..] else { panic!("{report:#}") };
    assert_eq!(fast["departures"], reference["departures"]);
    assert_eq!(fast["openqueue"]["links"], 2, "the port inside is none");
    let count = |result: &Value, what: &str| result[what].as_u64().unwrap();
    let dropped = [fast, lossy].map(|result| {
        let dropped = count(result, "packets_dropped");
        assert_eq!(count(result, "packets_out") + dropped, 2_000, "{result:#}");
        dropped
    });
    // Without `eligible` the first stage sends all on at once, and the second has room for two.
    assert!(dropped[1] > 100 && dropped[1] > 3 * dropped[0], "{dropped:?}");
}

#[test]
fn such_a_policy_is_explained() {
    let said = folder().run(&["explain", "s.oq"]).ok();
    for line in [
        "enters      the queue that the packet is directed to, 0 to 1, of those into which no port leads",
        "rate        200 % of its link",
        "choice      a comparison of all 2 queues by their comparator",
        "leads to    1. true: ready1 to ready2, at p.queue + 1",
        "eligible    queues with packets and q.next.currSize < q.next.size",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn what_has_one_stage_refuses_it_with_the_line() {
    let folder = folder();
    let reason = "s.oq:5: port inside, next: leads into queues of a later stage";
    for target in ["c", "dpdk", "bpf", "p4", "sv"] {
        let said = folder.run(&["check", "s.oq", "--target", target]);
        assert_eq!(said.status, 2, "{target}");
        assert!(said.stderr.contains(reason), "{target}: {}", said.stderr);
    }
    assert!(folder.run(&["compile", "s.oq", "-o", "made"]).stderr.contains(reason));
    assert!(folder.run(&["conform", "s.oq"]).refused().contains(reason));
    let switch = ["switch", "--port", "a", "--port", "b", "--policy", "s.oq", "--backend", "memory"];
    assert!(folder.run(&switch).refused().contains(reason));
}

#[test]
fn scenarios_refuse_it_where_it_cannot_run() {
    let folder = folder();
    folder.write("one.oq", "q = Queue(9 pkts); out = Port(100);\n");
    for (first, second) in [("s.oq", "one.oq"), ("one.oq", "s.oq")] {
        let policy =
            format!("[[policy]]\npolicy = \"{first}\"\nchanges = [{{ at = \"1 ms\", policy = \"{second}\" }}]\n");
        folder.write("s.toml", format!("{TRAFFIC}{policy}"));
        let said = folder.run(&["run", "s.toml"]).refused();
        assert!(said.starts_with("s.toml:11: a policy with stages is not changed while it runs"), "{said}");
        assert!(said.contains("port `inside`"), "{said}");
    }
    let network = "[network]\ntopology = { name = \"leaf-spine\", leaves = 2, spines = 1, hosts_per_leaf = 1, access_rate = \"1 Gbps\", \
                   core_rate = \"1 Gbps\" }\nduration = \"1 ms\"\n[[workload]]\nname = \"w\"\nsizes = \"web-search\"\nload = 0.4\n\
                   [[policy]]\nname = \"p\"\ntransport = \"newreno\"\nport = { policy = \"s.oq\" }\n";
    folder.write("n.toml", network);
    let said = folder.run(&["run", "n.toml"]).refused();
    assert!(said.starts_with("n.toml:11: port `inside` of s.oq leads into queues of a later stage"), "{said}");
    let unsaid = TRAFFIC.replace("queue = { distribution = \"uniform\", min = 0, max = 1 }\n", "");
    folder.write("s.oq", POLICY.replace("p.queue", "p.class"));
    folder.write("s.toml", format!("{unsaid}[[policy]]\npolicy = \"s.oq\"\n"));
    let said = folder.run(&["run", "s.toml"]).refused();
    assert!(said.contains("has 2 queues") && said.contains("enter(held1)"), "{said}");
}

#[test]
fn stages_that_cannot_be_are_shown_with_their_place() {
    let folder = Folder::new();
    folder.write("s.oq", format!("{POLICY}out1.next(p) = enter(held1);\n"));
    let said = folder.run(&["check", "s.oq"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("error[stages]: the ports form a cycle: from `inside` to `out1` to `inside`"),
        "{said:?}"
    );
    assert!(said.stderr.contains("s.oq:7:22"), "{said:?}");
}
