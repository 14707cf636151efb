//! Tests of every number of hand-made outcomes against calculations by hand.

use super::*;
use crate::detail;
use crate::network::flow_rows::{FLOWS, flow_rows};
use crate::network::port_rows::{PORTS, port_rows};
use crate::network::run_result::{LinkContext, NamedBytes, NamedShare};
use forebay_core::{Counter, Packet, Rate, Verdict};
use forebay_sim::net::{Alone, Drops, HostId, PortCounts, Sampling, Series, TransportCounts};

/// A discipline that has counted something.
struct Counted(u64);

impl Element for Counted {
    fn links(&self) -> usize {
        1
    }
    fn enqueue(&mut self, _: Time, _: Packet, _: &mut Vec<Packet>) -> Verdict {
        Verdict::Refused { rank: 0 }
    }
    fn dequeue(&mut self, _: Time, _: usize) -> Option<Packet> {
        None
    }
    fn next_wakeup(&self, _: Time, _: usize) -> Option<Time> {
        None
    }
    fn len(&self) -> usize {
        0
    }
    fn bytes(&self) -> u64 {
        0
    }
    fn counters(&self) -> Vec<Counter> {
        vec![Counter { name: "ranks_clamped", value: self.0 }, Counter { name: "overflowed", value: 0 }]
    }
}

/// Two hosts at one switch: `h0>s`, `s>h0`, `h1>s`, `s>h1`, all of 1 Gbps.
fn context() -> MeasureContext {
    let link = |name: &str, from_switch| LinkContext {
        name: name.to_owned(),
        rate: Rate::from_bits_per_second(1_000_000_000).unwrap(),
        propagation: Duration::ZERO,
        from_switch,
        to_host: from_switch,
    };
    MeasureContext {
        links: vec![link("h0>s", false), link("s>h0", true), link("h1>s", false), link("s>h1", true)],
        counted_from: Time::from_ns(1_000),
        counted_until: Time::from_ns(11_000),
        completion: Completion::Received,
        size_classes: vec![1_000, 2_000],
        workloads: vec![workload("web")],
        host_names: vec!["h0".to_owned(), "h1".to_owned()],
        access_bps: 2_000_000_000,
        sampling: None,
        asked_load: None,
        is_steady: false,
    }
}

fn workload(name: &str) -> WorkloadContext {
    WorkloadContext {
        name: name.to_owned(),
        segment_bytes: (540, 40),
        acknowledges: true,
        most_flows: None,
        lateness: None,
    }
}

/// A flow that starts then, whose receiver has it all that much later; its sender hears of it 100 ns after. Alone it takes
/// 200 ns and 50 ns more for the answer.
fn flow(start_ns: u64, bytes: u64, took_ns: Option<u64>) -> FlowRecord {
    let start = Time::from_ns(start_ns);
    FlowRecord {
        flow: FlowSpec { start, src: HostId(0), dst: HostId(1), bytes, workload: 0 },
        received: took_ns.map(|ns| start + Duration::from_ns(ns)),
        acknowledged: took_ns.map(|ns| start + Duration::from_ns(ns + 100)),
        alone: (bytes < FlowSpec::ENDLESS)
            .then_some(Alone { data: Duration::from_ns(200), answer: Duration::from_ns(50) }),
        received_bytes: if took_ns.is_some() { bytes } else { 0 },
        sender: TransportCounts {
            data_segments: 5,
            retransmissions: 2,
            timeouts: 1,
            handshake_timeouts: 0,
            fast_retransmits: 3,
        },
    }
}

fn outcome(flows: Vec<FlowRecord>) -> NetworkOutcome<Counted> {
    let port = |bytes_sent, max_queue_bytes, queue_byte_ps| PortCounts {
        packets_offered: 12,
        packets_sent: 10,
        bytes_sent,
        busy_ps: 8_000 * bytes_sent,
        packets_dropped: 1,
        packets_dropped_shared: 2,
        packets_lost: 3,
        packets_no_route: 5,
        packets_marked: 4,
        max_queue_bytes,
        queue_byte_ps,
    };
    NetworkOutcome {
        end: Time::from_ns(21_000),
        reason: RunEnd::TimeIsUp,
        flows,
        ports: vec![
            port(500, 9_000, 0),
            port(250, 800, 5_000_000_000),
            port(0, 0, 0),
            port(1_000, 900, 10_000_000_000),
        ],
        states: Vec::new(),
        drops: Drops { discipline: 1, shared_buffer: 2, on_link: 3, link_down: 4, no_route: 5, state: 6 },
        packets_injected: 100,
        packets_delivered: 80,
        packets_in_network: 5,
        packet_hops: 170,
        events: 999,
        series: None,
        elements: (0..4).map(|number| (Counted(number), None)).collect(),
    }
}

fn some_flows() -> Vec<FlowRecord> {
    vec![
        flow(999, 100, Some(7)),       // in the warm-up
        flow(1_000, 500, Some(400)),   // 2 times as long as alone
        flow(2_000, 999, Some(1_000)), // 5 times
        flow(3_000, 1_000, Some(600)), // 3 times
        flow(4_000, 2_000, None),      // 17,000 ns when the run ends
        flow(5_000, FlowSpec::ENDLESS, None),
        flow(6_000, 5_000, Some(2_000)), // 10 times
        flow(11_000, 100, Some(7)),      // in the cool-down
    ]
}

#[test]
fn flows_in_the_window_are_counted_and_none_is_left_out() {
    let result = measure(&outcome(some_flows()), &context());
    assert_eq!((result.flows_started, result.flows), (8, 6));
    assert_eq!((result.completed, result.unfinished, result.endless), (4, 1, 1));
    assert_eq!((result.ended, result.end_ns, result.counted_ns), (Ended::TimeIsUp, 21_000.0, 10_000.0));
    let all = result.group(None).unwrap();
    assert_eq!((all.flows, all.completed, all.unfinished, all.endless), (6, 4, 1, 1));
    assert_eq!((all.bytes, all.bytes_completed), (9_499, 7_499));
    assert_eq!((all.fct_ns.count, all.fct_ns.mean), (4, Some(1_000.0)));
    assert_eq!((all.fct_ns.p50, all.fct_ns.p99, all.fct_ns.max), (Some(600.0), Some(2_000.0), Some(2_000.0)));
    assert_eq!((all.slowdown.mean, all.slowdown.p50, all.slowdown.p99), (Some(5.0), Some(3.0), Some(10.0)));
    // With 17,000 ns as the fifth.
    assert_eq!((all.fct_at_least_ns.mean, all.fct_at_least_ns.p99), (Some(4_200.0), Some(17_000.0)));
    assert_eq!(all.fct_ns.curve[0], 400.0);
}

#[test]
fn classes_end_below_their_limits() {
    let result = measure(&outcome(some_flows()), &context());
    let classes: Vec<_> = result.groups.iter().filter_map(|group| Some((group, group.sizes.as_ref()?))).collect();
    let names: Vec<&str> = classes.iter().map(|(_, sizes)| &sizes.name[..]).collect();
    assert_eq!(names, ["< 1 KB", "1 KB to 2 KB", ">= 2 KB"]);
    let counts: Vec<_> = classes.iter().map(|(group, _)| (group.flows, group.unfinished, group.fct_ns.mean)).collect();
    assert_eq!(counts, [(2, 0, Some(700.0)), (1, 0, Some(600.0)), (3, 1, Some(2_000.0))]);
    assert_eq!(result.group(Some(2)).unwrap().endless, 1);
    assert_eq!(size_classes(&[1_500])[0].name, "< 1500 B");
    assert_eq!(size_classes(&[]), []);
}

#[test]
fn load_is_counted_on_the_wire_while_flows_start() {
    let result = measure(&outcome(some_flows()), &context());
    // 500, 999, 1,000, 2,000 and 5,000 bytes in segments of 500, with 40 bytes each: 1, 2, 2, 4 and 10 of them. The ports
    // of both hosts send 2,500 bytes in 10 us.
    let wire = (9_499 + 19 * 40) as f64;
    assert_eq!(result.offered_load, Some(wire * 8.0 / 1e-5 / 2e9));
    assert_eq!(result.goodput_bps, Some(7_499.0 * 8.0 / 1e-5));
    // Of five flows, the workload's last one ends the time of starts: 4 flows in 5 us.
    let mut limited = context();
    limited.workloads[0].most_flows = Some(8);
    let mut flows = some_flows();
    flows.pop();
    flows.insert(0, flow(0, 100, Some(7)));
    let result = measure(&outcome(flows), &limited);
    let wire = (4_499 + 9 * 40) as f64;
    assert!((result.offered_load.unwrap() / (wire * 8.0 / 5e-6 / 2e9) - 1.0).abs() < 1e-12);
}

#[test]
fn flows_that_all_start_at_once_have_no_load() {
    let burst = vec![flow(0, 500, Some(400)); 3];
    let all = MeasureContext { counted_from: Time::ZERO, counted_until: Time::MAX, ..context() };
    let result = measure(&outcome(burst), &all);
    assert_eq!((result.flows, result.offered_load, result.goodput_bps), (3, None, None));
    assert_eq!(result.counted_ns, 21_000.0);
}

#[test]
fn acknowledged_flows_wait_for_the_answer_where_there_is_one() {
    let waiting = MeasureContext { completion: Completion::Acknowledged, ..context() };
    let result = measure(&outcome(vec![flow(1_000, 500, Some(400))]), &waiting);
    let all = result.group(None).unwrap();
    assert_eq!((all.fct_ns.mean, all.slowdown.mean), (Some(500.0), Some(2.0)));
    // The receiver has it, and the sender does not know.
    let mut unsure = flow(1_000, 500, Some(400));
    unsure.acknowledged = None;
    assert_eq!(measure(&outcome(vec![unsure]), &waiting).unfinished, 1);
    // Without acknowledgements there is nothing to wait for.
    let mut silent = waiting;
    silent.workloads[0].acknowledges = false;
    let all = measure(&outcome(vec![unsure]), &silent);
    assert_eq!((all.completed, all.groups[0].fct_ns.mean, all.groups[0].slowdown.mean), (1, Some(400.0), Some(2.0)));
}

#[test]
fn a_flow_without_a_way_at_its_start_has_no_slowdown() {
    let mut cut_off = flow(1_000, 500, Some(400));
    cut_off.alone = None;
    let result = measure(&outcome(vec![cut_off, flow(2_000, 500, Some(800))]), &context());
    let all = result.group(None).unwrap();
    assert_eq!((all.fct_ns.count, all.fct_ns.mean), (2, Some(600.0)));
    assert_eq!((all.slowdown.count, all.slowdown.mean), (1, Some(4.0)));
}

#[test]
fn ports_of_switches_and_of_hosts_are_added_up() {
    let result = measure(&outcome(Vec::new()), &context());
    let sums = result.switches;
    assert_eq!((sums.packets_offered, sums.packets_sent, sums.bytes_sent), (24, 20, 1_250));
    assert_eq!((sums.packets_dropped, sums.packets_dropped_shared, sums.packets_lost), (2, 4, 6));
    assert_eq!((sums.drops(), sums.packets_marked), (12, 8));
    // Of all four links.
    assert_eq!((result.dropped_no_route(), result.dropped()), (20, 24 + 20));
    // A link sends 1,250 bytes in 10 us.
    assert_eq!(sums.utilisation, Some((0.2 + 0.8) / 2.0));
    assert_eq!(sums.mean_queue_bytes, Some((500.0 + 1_000.0) / 2.0));
    assert_eq!((result.cards.bytes_sent, result.cards.utilisation), (500, Some(0.2)));
    assert_eq!(result.busiest, Some(NamedShare { link: "s>h1".to_owned(), utilisation: 0.8 }));
    assert_eq!(result.longest_queue, Some(NamedBytes { link: "s>h1".to_owned(), bytes: 900 }));
    assert_eq!(result.delivered_bps, Some(1_250.0 * 8.0 / 1e-5));
    assert_eq!((result.drops.on_link, result.drops.no_route), (3, 5));
    assert_eq!((result.packet_hops, result.events), (170, 999));
    assert_eq!(result.counters, BTreeMap::from([("ranks_clamped".to_owned(), 6)]));
    assert_eq!(result.senders, SenderCounts::default());
    assert_eq!((result.flows, result.groups[0].fct_ns.mean, result.groups[0].fct_ns.curve.len()), (0, None, 0));
}

#[test]
fn a_run_that_ends_before_counting_began_has_counted_nothing() {
    let mut early = outcome(Vec::new());
    early.end = Time::from_ns(900);
    let result = measure(&early, &context());
    assert_eq!((result.counted_ns, result.switches.bytes_sent, result.delivered_bps), (0.0, 0, None));
    assert_eq!((result.busiest, result.switches.utilisation), (None, None));
}

#[test]
fn senders_of_counted_flows_are_added_up() {
    let senders = measure(&outcome(some_flows()), &context()).senders;
    let sums = SenderCounts {
        data_segments: 30,
        retransmissions: 12,
        timeouts: 6,
        handshake_timeouts: 0,
        fast_retransmits: 18,
    };
    assert_eq!(senders, sums);
}

#[test]
fn several_workloads_are_told_apart() {
    let mut two = context();
    two.workloads.push(workload("cache"));
    let mut other = flow(2_000, 5_000, Some(800));
    other.flow.workload = 1;
    let result = measure(&outcome(vec![flow(1_000, 500, Some(400)), other]), &two);
    let group = |place: usize| {
        let group = &result.groups[place];
        (group.workload.as_deref(), group.sizes.as_ref().map(|sizes| &sizes.name[..]), group.completed)
    };
    let groups: Vec<_> = (0..result.groups.len()).map(group).collect();
    assert_eq!(groups[0], (None, None, 2));
    assert_eq!(groups[4], (Some("web"), None, 1));
    assert_eq!(groups[5], (Some("web"), Some("< 1 KB"), 1));
    assert_eq!(groups[11], (Some("cache"), Some(">= 2 KB"), 1));
    assert_eq!(groups.len(), 12);
    assert!(result.groups[4].fct_ns.curve.is_empty(), "curves are those of all workloads");
}

#[test]
fn a_result_is_the_same_after_it_was_written_and_read() {
    let mut sampled = outcome(some_flows());
    sampled.series = Some(Series {
        times: vec![Time::from_ps(1), Time::from_ps(2)],
        queue_bytes: vec![vec![0, u64::MAX]],
        window_bytes: vec![vec![None, Some(3)]],
        received_bytes: vec![vec![0, 1_460]],
    });
    // Values with as many digits as there can be.
    for (number, record) in (0..).zip(&mut sampled.flows) {
        record.received = record.received.map(|at| at + Duration::from_ps(number * 7 + 1));
    }
    sampled.end = Time::from_ps(u64::MAX / 3);
    let sampling = Sampling { every: Duration::from_ps(1), links: vec![3], flows: vec![1] };
    let context = MeasureContext { sampling: Some(sampling), counted_until: Time::from_ps(10_999_993), ..context() };
    let result = measure(&sampled, &context);
    let text = serde_json::to_string_pretty(&result).unwrap();
    let read: RunResult = serde_json::from_str(&text).unwrap();
    assert_eq!(read, result);
    assert_eq!(serde_json::to_string_pretty(&read).unwrap(), text);
    assert_eq!(result.series.unwrap().queues[0].link, "s>h1");
}

#[test]
fn any_float_is_the_same_after_it_was_written_and_read() {
    use forebay_core::Seed;
    use rand::Rng as _;
    let mut rng = Seed(1).stream("floats");
    for _ in 0..20_000 {
        let float = f64::from_bits(rng.next_u64());
        if float.is_finite() {
            let text = serde_json::to_string(&float).unwrap();
            assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), float.to_bits(), "{text}");
        }
    }
}

#[test]
fn flows_and_ports_are_rows() {
    let (outcome, context) = (outcome(some_flows()), context());
    let flows = detail::text(&FLOWS, flow_rows(&outcome, &context));
    let lines: Vec<&str> = flows.lines().collect();
    assert_eq!(lines[1], "0,web,0.000000999,h0,h1,100,0.000001006,0.000001106,0.000000007,0.035,5,2,1,0,3,false");
    assert_eq!(lines[2], "1,web,0.000001,h0,h1,500,0.0000014,0.0000015,0.0000004,2,5,2,1,0,3,true");
    assert_eq!(lines[5], "4,web,0.000004,h0,h1,2000,,,,,5,2,1,0,3,true");
    assert_eq!(lines[6], "5,web,0.000005,h0,h1,,,,,,5,2,1,0,3,true");
    assert_eq!(lines.len(), 9);
    let window = Window::of(&outcome, &context);
    let ports = detail::text(&PORTS, port_rows(&window, &outcome, &context));
    let lines: Vec<&str> = ports.lines().collect();
    assert_eq!(lines[4], "s>h1,1000000000,12,10,1000,0.8,1,2,3,5,4,900,1000");
    assert_eq!(lines.len(), 5);
}

#[test]
fn fairness_is_that_of_the_goodput_of_flows() {
    let fairness = |flows: Vec<FlowRecord>| measure(&outcome(flows), &context()).groups[0].fairness;
    let same = |count: u64| (0..count).map(|number| flow(1_000 + number, 1_000, Some(500))).collect::<Vec<_>>();
    assert_eq!(fairness(same(4)), Some(1.0));
    assert_eq!(fairness(same(1)), None);
    // Three that get nothing, up to the end of the run.
    let starved = (0..3).map(|_| flow(1_000, 1_000, None));
    assert_eq!(fairness(same(1).into_iter().chain(starved).collect()), Some(0.25));
    // An endless flow has what its receiver has: here 2,000 bytes in 20 us, as the other has 50 in 500 ns.
    let endless = FlowRecord { received_bytes: 2_000, ..flow(1_000, FlowSpec::ENDLESS, None) };
    let both = fairness(vec![flow(1_000, 50, Some(500)), endless]).unwrap();
    assert!((both - 1.0).abs() < 1e-12, "{both}");
}
