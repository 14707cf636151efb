//! Frames that carry all fields of a packet, policies, and switches of ports in memory.

use etherparse::{IpHeaders, IpNumber, Ipv4Extensions, Ipv4Header, PacketBuilder, VlanId};
use forebay_core::{Rate, Rng, Seed, Time};
use forebay_lang::Policy;
use forebay_linux::switch::backend::memory::{OtherEnd, pair};
use forebay_linux::switch::{Forwarding, PortSetup, Setting, Setup, Switch};
use forebay_targets::headers::Mapping;
use rand::RngExt;
use std::fs;
use std::path::Path;

/// Where the fields are in the frames of [`frame`].
pub(crate) fn mapping() -> Mapping {
    let mut mapping = Mapping::default();
    for text in [
        "value=udp[16:2]",
        "processing=udp[18:1]",
        "queue=udp[19:1]",
        "slack=udp[20:4]",
        "remaining=udp[24:4]",
        "rank=udp[28:2]",
    ] {
        let (field, source) = Mapping::read_setting(text).unwrap();
        mapping.set(field, source);
    }
    mapping
}

/// A frame with a number, from and to these addresses, whose sender understands ECN and whose tag can be marked.
pub(crate) fn frame(rng: &mut Rng, number: u64, from: u8, to: u8) -> Vec<u8> {
    let mut payload = number.to_be_bytes().to_vec();
    payload.extend(rng.random_range(0..1_000_u16).to_be_bytes());
    payload.push(rng.random_range(0..7));
    payload.push(rng.random_range(0..6));
    payload.extend(rng.random_range(0..200_000_u32).to_be_bytes());
    payload.extend(rng.random_range(1..100_000_u32).to_be_bytes());
    payload.extend(rng.random_range(0..100_u16).to_be_bytes());
    payload.resize(rng.random_range(22..1_400), 0xa5);
    let mut ip = Ipv4Header::new(0, 64, IpNumber::UDP, [10, 0, 0, from], [10, 0, 0, to]).unwrap();
    ip.dscp = [0, 1, 2, 3, 8, 10, 34, 46][rng.random_range(0..8_usize)].try_into().unwrap();
    ip.ecn = 2.try_into().unwrap();
    let mut bytes = Vec::new();
    PacketBuilder::ethernet2([2, 0, 0, 0, 0, from], [2, 0, 0, 0, 0, to])
        .single_vlan(VlanId::try_new(7).unwrap())
        .ip(IpHeaders::Ipv4(ip, Ipv4Extensions::default()))
        .udp(1_000 + rng.random_range(0..8_u16), 2_000)
        .write(&mut bytes, &payload)
        .unwrap();
    bytes
}

/// The number of a frame that [`frame`] has made.
pub(crate) fn number(frame: &[u8]) -> u64 {
    u64::from_be_bytes(frame[46..54].try_into().unwrap())
}

/// Directs a frame that [`frame`] has made to a queue.
pub(crate) fn set_queue(frame: &mut [u8], queue: u8) {
    frame[57] = queue;
}

/// The policy that a text is.
pub(crate) fn policy(text: &str) -> Policy {
    let analysis = forebay_lang::analyse(text, &Vec::new());
    analysis.policy.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics))
}

/// All policies of the library that have one stage.
fn all() -> Vec<Setting> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "oq"));
    files.sort();
    let read = |file: &std::path::PathBuf| Setting {
        name: file.file_stem().unwrap().to_str().unwrap().to_owned(),
        policy: policy(&fs::read_to_string(file).unwrap()).into(),
    };
    files.iter().map(read).filter(|setting| !setting.policy.has_stages()).collect()
}

/// A policy that is not of the library.
pub(crate) fn setting(name: &str, text: &str) -> Setting {
    Setting { name: name.to_owned(), policy: policy(text).into() }
}

/// All policies of the library that have one port, with one of a shared buffer at one port.
pub(crate) fn library() -> Vec<Setting> {
    let mut all = all();
    all.retain(|setting| setting.policy.ports.len() == 1);
    all.push(setting("lqd at one port", LQD));
    all.push(setting("cheapest of two queues", PUSH_OUT));
    all
}

/// All policies of the library that have several ports, with others.
pub(crate) fn shared_library() -> Vec<Setting> {
    let mut all = all();
    all.retain(|setting| setting.policy.ports.len() > 1);
    all.push(setting("classes at three ports", CLASSES));
    all
}

/// Longest queue drop with all queues at one port.
const LQD: &str = "
q[1..4] = Queue(40 pkts);
out = Port(100, q[1..4]);
b = Buffer(60 KB, q[1..4]);
longest(q1, q2) = (q1.currSize > q2.currSize);
full(b) = b.currSize > b.size, drop(1);
b.admPrio = longest();
b.congestion = full();
turn(q1, q2) = (q1.schedState < q2.schedState);
out.schedPrio = turn;
served(port) = let q = port.getCurrQueue() in (true, modify(q.schedState := q.schedState + q.findHigh().size));
out.postSchedAct = served(out);
classify(p) = (true, enter(q[mod(p.class, 4) + 1]));
";

/// Buffer and queues push out, mark and notify in one policy, and packets without a queue are dropped.
const PUSH_OUT: &str = "
q[1..2] = Queue(20 pkts);
out = Port(50%, q[1..2]);
b = Buffer(20 KB, q[1..2]);
dear(p1, p2) = (p1.value > p2.value);
cheap(p1, p2) = (p1.value < p2.value);
q[1..2].procPrio = dear;
q[1..2].admPrio = cheap;
longest(q1, q2) = (q1.currSize > q2.currSize);
b.admPrio = longest;
full(b) = (b.currSize > b.size, drop(1)).(b.currSize > 10 KB, notify);
b.congestion = full(b);
crowded(q) = (q.currSize > 15 pkts, drop(1), mark).(q.currSize > 8 pkts, mark).(q.currSize > 12 pkts, drop(.3));
q[1..2].congestion = crowded;
classify(p) = (p.queue < 4, enter(q[mod(p.queue, 2) + 1])).(p.queue == 5, enter(q1));
";

/// Two queues at each of three ports of different rates, in two memories; the classifier forwards, and has no queue for
/// some.
const CLASSES: &str = "
q[1..6] = Queue(30 pkts);
a = Port(100, q[1..2]);
b = Port(50%, q[3..4]);
c = Port(20 Mbps, q[5..6]);
small = Buffer(20 KB, q[1..3]);
large = Buffer(40 KB, q[4..6]);
dear(p1, p2) = (p1.value > p2.value);
cheap(p1, p2) = (p1.value < p2.value);
q[1..6].procPrio = dear;
q[1..6].admPrio = cheap;
longest(q1, q2) = (q1.currSize > q2.currSize);
small.admPrio = longest;
large.admPrio = longest;
full(b) = (b.currSize > b.size, drop(1)).(b.currSize > 10 KB, notify);
small.congestion = full(small);
large.congestion = full(large);
crowded(q) = (q.currSize > 15 pkts, drop(1), mark).(q.currSize > 8 pkts, drop(.3));
q[1..6].congestion = crowded;
turn(q1, q2) = (q1.schedState < q2.schedState);
a.schedPrio = turn;
b.schedPrio = turn;
served(port) = let q = port.getCurrQueue() in (true, modify(q.schedState := q.schedState + q.findHigh().size));
a.postSchedAct = served(a);
classify(p) = (p.queue < 5, enter(q[p.queue + 1])).(p.class > 10, enter(q6));
";

/// A switch of ports in memory under one policy, and their other ends.
pub(crate) fn switch(
    ports: usize,
    setting: &Setting,
    rate: Option<Rate>,
    forwarding: Forwarding,
    record: Option<Box<dyn std::io::Write>>,
) -> (Switch, Vec<OtherEnd>) {
    switch_that_reads(mapping(), ports, setting, rate, forwarding, record)
}

/// The same with fields from there.
pub(crate) fn switch_that_reads(
    mapping: Mapping,
    ports: usize,
    setting: &Setting,
    rate: Option<Rate>,
    forwarding: Forwarding,
    record: Option<Box<dyn std::io::Write>>,
) -> (Switch, Vec<OtherEnd>) {
    let mut ends = Vec::new();
    let setups = (0..ports).map(|port| {
        let (interface, end) = pair();
        ends.push(end);
        PortSetup { name: format!("p{port}"), interface: Box::new(interface), rate }
    });
    let setups = setups.collect();
    // Of several egresses, the last one's operations are recorded.
    let mut records = vec![record];
    if setting.policy.ports.len() == 1 {
        records.resize_with(ports, || None);
        records.reverse();
    }
    let setting = setting.clone();
    (Switch::new(setups, Setup { setting, mapping, forwarding, tap: None, seed: Seed(5), records }), ends)
}

/// Rounded up to a nanosecond, as a clock of the system shows it.
pub(crate) fn whole_ns(time: Time) -> Time {
    Time::from_ns(time.as_ps().div_ceil(1_000))
}
