//! Rank functions with state in the switch: the program's ranks and what it writes into frames are those of simulations.

use super::choices::{Arrival, packet, port, switch};
use super::frames::{Kind, Spread, frame};
use super::{made, policy};
use crate::headers::mapping;
use forebay_conform::p4model::{FrameOutcome, Queues};
use forebay_core::params::Params;
use forebay_core::registry::find;
use forebay_core::{Duration, Packet, Rng, Seed};
use forebay_sched::queues::RankQueue as _;
use forebay_sched::queues::queue::sp_pifo::SpPifo;
use forebay_sched::{RANK_FNS, RankFn};
use forebay_targets::headers::{Mapping, Metadata};
use forebay_targets::{Switch, SwitchRank, TARGETS, TargetOptions};
use rand::RngExt;
use std::collections::BTreeMap;

const FIFO: &str = "q = Queue(64 pkts);\nout = Port(100);\n";
const PORTS: usize = 2;
const QUEUES: usize = 4;

fn options(rank: SwitchRank, rank_bits: u8, fields: &[&str]) -> TargetOptions {
    let switch = Switch { queues: 4, rank_bits, rank: Some(rank), ..Switch::default() };
    TargetOptions { mapping: mapping(fields), switch, ..TargetOptions::default() }
}

/// The rank functions of simulations, one for each port.
fn simulated(name: &str, settings: &[(&str, &str)]) -> Vec<Box<dyn RankFn + Send>> {
    let entry = find("rank", RANK_FNS, name).unwrap();
    let params = Params::of_texts(entry.about.params, settings.iter().copied()).unwrap();
    (0..PORTS).map(|_| (entry.build)(None, &params).unwrap()).collect()
}

fn stream(rng: &mut Rng, count: u64) -> Vec<Arrival> {
    let mut now = 0;
    let kind = Kind { spread: Spread::Uniform, limit: 1 << 40, wild: false };
    let arrival = |number| {
        now += rng.random_range(0..40);
        Arrival { bytes: frame(rng, kind, number), now }
    };
    (0..count).map(arrival).collect()
}

/// A packet that waits, and what the switch gave it.
struct Waiting {
    packet: Packet,
    frame: Vec<u8>,
    taken: BTreeMap<String, u128>,
}

/// Plays frames on a program and on the rank functions of simulations, behind SP-PIFO. How many were compared; `None` at a difference.
fn plays_the_same(
    text: &str,
    options: &TargetOptions,
    functions: &mut [Box<dyn RankFn + Send>],
    stream: &[Arrival],
    right: impl Fn(u64) -> u64,
    left: impl Fn(&Mapping, &Waiting, &Packet, u128, &[u8]) -> bool,
) -> Option<usize> {
    let mut switch = switch(text);
    let mut rng = Seed(4).stream("departures");
    let mask = (1_u64 << options.switch.rank_bits) - 1;
    // Bounds as ranks have them that do not wrap.
    let mut models: Vec<SpPifo<()>> = (0..PORTS).map(|_| SpPifo::new(QUEUES, 1 << 20)).collect();
    let mut ports: Vec<Queues<Waiting>> = (0..PORTS).map(|_| Queues::new(vec![1 << 20; QUEUES])).collect();
    let mut lengths = [0; PORTS];
    let mut compared = 0;
    for arrival in stream {
        let (mut packet, at) = (packet(&options.mapping, arrival), port(arrival)?);
        let now = packet.arrival;
        packet.rank = functions[at].rank(now, &packet);
        functions[at].queued(&packet);
        let FrameOutcome::Queued(queue, _) = switch.pass(&arrival.bytes, arrival.now.into(), None) else { return None };
        models[at].push(right(packet.rank), ()).ok()?;
        let bounds: Vec<u64> = models[at].bounds().iter().map(|bound| bound & mask).collect();
        if switch.bounds(at + 3) != bounds {
            return None;
        }
        compared += 1;
        let waiting = Waiting { packet, frame: arrival.bytes.clone(), taken: switch.taken.clone() };
        ports[at].push(usize::try_from(queue).ok()?, waiting);
        lengths[at] += 1;
        // A port holds 40 packets at most, and is empty now and then.
        let most = if rng.random_bool(0.01) { 0 } else { 40 };
        while lengths[at] > most || (lengths[at] > 0 && rng.random_bool(0.4)) {
            let mut gone = ports[at].pop()?;
            lengths[at] -= 1;
            let waited = u128::from(now.since(gone.packet.arrival).as_ps() / 1_000_000);
            let out = switch.leave(&gone.frame, at as u128 + 3, waited, &gone.taken);
            functions[at].dequeued(now, &mut gone.packet);
            let after = gone.packet;
            if !left(&options.mapping, &gone, &after, waited, &out) {
                return None;
            }
        }
    }
    Some(compared)
}

#[test]
fn stfq_gives_the_ranks_of_simulations_in_bytes_also_where_they_wrap() {
    for (rank_bits, count, flow) in [(32, 3_000, "flow=udp[22:2]&7"), (18, 16_000, "flow=udp[22:2]&1")] {
        let options = options(SwitchRank::Stfq, rank_bits, &[flow]);
        let text = made(&policy(FIFO), &options, "policy.p4");
        let stream = stream(&mut Seed(1).stream("stfq"), count);
        let unchanged = |_: &Mapping, gone: &Waiting, _: &Packet, _: u128, out: &[u8]| out == gone.frame;
        // A rank of simulations counts 1/256 bytes.
        let play = |text: &str| {
            plays_the_same(text, &options, &mut simulated("stfq", &[]), &stream, |rank| rank / 256, unchanged)
        };
        assert_eq!(play(&text), Some(stream.len()), "{rank_bits} bits");
        for (from, to) in [
            ("finish.write(flow, rank +", "finish.write(flow, now +"),
            ("virtual_time.write(port, meta.rank);", "virtual_time.write(0, meta.rank);"),
            ("    rank = now;", "    rank = rank;"),
            ("port * 1024 +", "port * 1 +"),
        ] {
            assert!(text.contains(from), "{from}");
            assert_eq!(play(&text.replace(from, to)), None, "{rank_bits} bits: {from} becomes {to}");
        }
    }
}

#[test]
fn fifo_plus_ranks_and_rewrites_the_slack_as_simulations_do() {
    let options = options(SwitchRank::FifoPlus, 40, &["slack=udp[12:4]"]);
    let text = made(&policy(FIFO), &options, "policy.p4");
    let stream = stream(&mut Seed(2).stream("fifo-plus"), 3_000);
    let rewritten = |mapping: &Mapping, _: &Waiting, after: &Packet, waited: u128, out: &[u8]| {
        let waited = Duration::from_us(u64::try_from(waited).unwrap());
        let slack = Duration::from_ps(after.slack.as_ps().saturating_sub(waited.as_ps())).as_ns();
        let found = mapping.packet(out, Metadata::default()).slack.as_ns();
        // Averages are kept in picoseconds there, and in nanoseconds here.
        found.abs_diff(slack.min((1 << 32) - 1)) <= 1
    };
    let play = |text: &str| {
        let functions = &mut simulated("fifo-plus", &[("average_over", "1024")]);
        plays_the_same(text, &options, functions, &stream, |rank| rank / 1_000, rewritten)
    };
    assert_eq!(play(&text), Some(stream.len()));
    for (from, to) in [
        ("slack = slack - waited;", "slack = slack;"),
        ("meta.slack + (mean >> 10)", "meta.slack"),
        ("- (mean >> 10) + waited", "+ waited"),
        ("port * 256 + meta.class", "port * 256"),
    ] {
        assert!(text.contains(from), "{from}");
        assert_eq!(play(&text.replace(from, to)), None, "{from} becomes {to}");
    }
}

/// The messages of `check` about a policy with these options: errors, or else notes.
fn said(text: &str, options: &TargetOptions) -> Vec<String> {
    let target = find("target", TARGETS, "p4").unwrap();
    let refusals = target.check(&policy(text), options);
    let all = if refusals.is_empty() { target.notes(&policy(text), options) } else { refusals };
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_rank_function_of_a_switch_cannot_have_is_refused() {
    let several = "q[1..2] = Queue(8 pkts);\nout = Port(100);\nout.schedPrio(a, b) = (a.admState < b.admState);\nq2.admState = 1;\n";
    let srpt = format!("{FIFO}q.procPrio(p1, p2) = (p1.remaining < p2.remaining);\n");
    for (text, rank, fields, part) in [
        (
            several,
            SwitchRank::Stfq,
            &["flow=udp[22:2]"][..],
            "has several queues, and ranks order only one; leave out --rank stfq",
        ),
        (
            &srpt,
            SwitchRank::Stfq,
            &["flow=udp[22:2]", "remaining=udp[8:4]"],
            "--rank stfq replaces it; leave out one of the two",
        ),
        (FIFO, SwitchRank::Stfq, &[], "--rank stfq: the flow: "),
        (
            FIFO,
            SwitchRank::FifoPlus,
            &[],
            "must be 1, 2 or 4 whole bytes behind the header of TCP or UDP, such as --field slack=udp[8:4]",
        ),
        (FIFO, SwitchRank::FifoPlus, &["slack=udp[8:4]>>2"], "each hop rewrites the packet's slack"),
        (FIFO, SwitchRank::FifoPlus, &["slack=udp[8:4]&0xff"], "each hop rewrites the packet's slack"),
        (
            FIFO,
            SwitchRank::FifoPlus,
            &["slack=udp[8:2]", "class=udp[8:1]"],
            "another field overlaps the slack, which each hop rewrites",
        ),
        (
            FIFO,
            SwitchRank::FifoPlus,
            &["slack=udp[8:4]"],
            "the terms added to the time, and the other keys, take all bits",
        ),
    ] {
        let refusals = said(text, &options(rank, 32, fields));
        assert!(refusals.iter().any(|refusal| refusal.contains(part)), "{part}: {refusals:?}");
    }
}

#[test]
fn stages_are_estimated_and_a_limit_refuses_what_needs_more() {
    let srpt = format!("{FIFO}q.procPrio(p1, p2) = (p1.remaining < p2.remaining);\n");
    let with = |queues, stages, resubmit, rank| TargetOptions {
        mapping: mapping(&["remaining=udp[8:4]", "flow=udp[22:2]", "slack=udp[14:2]"]),
        switch: Switch { queues, stages, resubmit, rank, ..Switch::default() },
        ..TargetOptions::default()
    };
    // The table that says the port, and a stage for each queue.
    let notes = said(&srpt, &with(8, None, true, None));
    let note = notes.iter().find(|note| note.contains("Tofino")).unwrap();
    assert!(note.contains("9 stages of 12 and 8 stateful ALUs") && note.contains("never compiled"), "{note}");
    assert!(note.contains("one resubmission for each packet below all bounds"), "{note}");
    let notes = said(FIFO, &with(8, None, true, Some(SwitchRank::Stfq)));
    let note = notes.iter().find(|note| note.contains("Tofino")).unwrap();
    assert!(note.contains("12 stages of 12 and 10 stateful ALUs") && note.contains("recirculated"), "{note}");
    let notes = said(FIFO, &with(8, None, true, Some(SwitchRank::FifoPlus)));
    let note = notes.iter().find(|note| note.contains("Tofino")).unwrap();
    assert!(note.contains("9 stages of 12 and 9 stateful ALUs, and 5 stages of egress"), "{note}");
    // As the paper says: no more than 12 to 16 stages, and more stages than queues.
    assert_eq!(said(&srpt, &with(11, Some(12), true, None)).iter().filter(|note| note.contains("--stages")).count(), 0);
    let refused = said(&srpt, &with(12, Some(12), true, None));
    let expected = "the pipeline (--stages): the program is estimated to need 13 stages, and there are 12; give fewer \
                    queues with --queues, or an order with fewer operations";
    assert_eq!(refused, [expected]);
    let refused = said(&srpt, &with(8, Some(12), false, None));
    assert_eq!(
        refused,
        ["the pipeline (--stages): a packet below all bounds accesses registers twice in a pass; give --resubmit"]
    );
}
