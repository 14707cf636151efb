//! Requests to a switch that runs, one a line: each gets its answer, and the switch goes on and accounts for everything.

use super::FuzzTarget;
use crate::chunked_input::check_message;
use crate::two_ports;
use forebay_core::Time;
use forebay_linux::switch::control::{Answer, answer};
use forebay_linux::switch::frame::Offload;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "control",
    title: "Any request to a switch gets an answer, and the switch accounts for every frame",
    seeds: || REQUESTS.iter().map(|text| text.as_bytes().to_vec()).collect(),
    run,
    quick: 30_000,
};

const REQUESTS: &[&str] = &[
    "{\"do\":\"stats\"}\n{\"do\":\"ports\"}\n{\"do\":\"stop\"}\n",
    "{\"do\":\"policy\",\"name\":\"a\",\"text\":\"q = Queue(3 pkts);\\nout = Port(100);\",\"transition\":\"rerank\",\"port\":\"b\"}\n",
    "{\"do\":\"policy\",\"name\":\"b\",\"text\":\"param N = 4;\\nq = Queue(N);\\nout = Port(100);\",\"params\":[\"N=7\"],\"live\":[\"N\"]}\n{\"do\":\"set\",\"values\":[\"N=9\"],\"port\":\"a\"}\n",
    "{\"do\":\"rollback\"}\n{\"do\":\"policy\",\"name\":\"c\",\"text\":\"q = Queue(3 pkts);\\nout = Port(100);\"}\n{\"do\":\"rollback\",\"transition\":\"rerank\"}\n",
    "{\"do\":\"set\",\"values\":[\"LIMIT=1000000\",\"LIMIT=-0.5\"]}\n{\"do\":\"stats\"}\n",
];

const POLICY: &str = "param LIMIT = 3;
q = Queue(8 pkts);
out = Port(100);
full(q) = q.currSize > LIMIT, drop(1);
q.congestion = full(q);";

fn run(data: &[u8]) {
    let analysis = forebay_lang::analyse_live(POLICY, &Vec::new(), &["LIMIT".to_owned()]);
    let (mut switch, ends) = two_ports::switch(analysis);
    for (step, line) in (0_u64..).zip(data.split(|byte| *byte == b'\n').take(50)) {
        let now = Time::from_ns(step * 10_000);
        for end in &ends {
            end.put(vec![0x45; 64], Offload::default());
        }
        switch.receive(now);
        let (answer, _) = answer(&mut switch, now, line);
        if let Answer::Error(message) = &answer {
            assert!(!message.is_empty());
        }
        check_message(&serde_json::to_string(&answer).expect("an answer is JSON"));
        switch.send(now);
        switch.stats().check().unwrap_or_else(|wrong| panic!("after {:?}: {wrong}", String::from_utf8_lossy(line)));
    }
}
