//! scratch
#![allow(missing_docs, clippy::all)]
use forebay_core::*;
use forebay_net::*;
use forebay_sched::*;
use std::collections::BTreeMap;
struct List(std::vec::IntoIter<FlowSpec>);
impl FlowSource for List {
    fn next_flow(&mut self) -> Option<FlowSpec> {
        self.0.next()
    }
}
fn part(text: &str) -> Part {
    let mut it = text.split(':');
    let name = it.next().unwrap();
    let params = it
        .map(|kv| {
            let (k, v) = kv.split_once('=').unwrap();
            (
                k.to_owned(),
                v.parse::<i64>().map_or_else(
                    |_| v.parse::<f64>().map_or(ParamValue::Text(v.to_owned()), ParamValue::Number),
                    ParamValue::Integer,
                ),
            )
        })
        .collect();
    Part { name: name.to_owned(), params }
}
fn main() {
    // scheme transport(with params) rank queue drop buffer mark
    let a: Vec<String> = std::env::args().skip(1).collect();
    let scheme = &a[0];
    let seed: u64 = std::env::var("SEED").map_or(1, |s| s.parse().unwrap());
    let text = std::fs::read_to_string(format!("/tmp/cal/{scheme}.csv")).unwrap();
    let mut flows = vec![];
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        flows.push(FlowSpec {
            start: Time::from_ns(f[5].parse().unwrap()),
            src: HostId(f[1].parse().unwrap()),
            dst: HostId(f[2].parse().unwrap()),
            bytes: f[4].parse().unwrap(),
            workload: 0,
        });
    }
    flows.sort_by_key(|f| f.start);
    let mut g = Graph::default();
    let access = Rate::parse("1 Gbps").unwrap();
    let core = Rate::parse("4 Gbps").unwrap();
    let p = Duration::from_ns(20);
    let hosts: Vec<_> = (0..144).map(|i| g.add_node(format!("h{i}"), NodeKind::Host, i / 16)).collect();
    let leaves: Vec<_> = (0..9).map(|i| g.add_node(format!("leaf{i}"), NodeKind::Switch, 0)).collect();
    let spines: Vec<_> = (0..4).map(|i| g.add_node(format!("spine{i}"), NodeKind::Switch, 0)).collect();
    for (i, h) in hosts.iter().enumerate() {
        g.connect(*h, leaves[i / 16], access, p);
    }
    for l in &leaves {
        for s in &spines {
            g.connect(*l, *s, core, p);
        }
    }
    let elements: Vec<Box<dyn Element>> = g
        .links()
        .iter()
        .map(|l| {
            let spec = DisciplineSpec {
                rank: part(&a[2]),
                queue: part(&a[3]),
                drop: part(&a[4]),
                mark: a.get(6).map(|m| part(m)),
                buffer: BufferSize::parse(&a[5]).unwrap(),
                rank_unit: RankUnit::ONE,
                link_rate: l.rate,
            };
            Box::new(discipline(&spec, Seed(1)).unwrap()) as Box<dyn Element>
        })
        .collect();
    let tp = part(&a[1]);
    let entry = registry::find("transport", transport::TRANSPORTS, &tp.name).unwrap();
    let t = (entry.build)(&Params::check(entry.about.params, tp.params).unwrap()).unwrap();
    let net = Network::new(NetworkSpec {
        graph: g,
        elements,
        shared_buffer: None,
        workloads: vec![Workload { transport: t, class: ClassId(0), ranks: None, rank_all: false }],
        changes: vec![],
        reroute_after: Duration::ZERO,
        pace: if std::env::var("QUIRK").is_ok() { Pace::Predecessor } else { Pace::Own },
        seed: Seed(seed),
    })
    .unwrap();
    let t0 = std::time::Instant::now();
    let out = net.run(
        &mut List(flows.into_iter()),
        &RunOptions { until: Time::from_ns(1_000_000_000), ..RunOptions::default() },
    );
    let dt = t0.elapsed().as_secs_f64();
    let done: Vec<(u64, f64)> = out
        .flows
        .iter()
        .filter_map(|f| Some((f.flow.bytes, f.acknowledged?.since(f.flow.start).as_ns_f64() / 1e6)))
        .collect();
    let stat = |pred: &dyn Fn(u64) -> bool| {
        let mut v: Vec<f64> = done.iter().filter(|(b, _)| pred(*b)).map(|(_, t)| *t).collect();
        v.sort_by(f64::total_cmp);
        let m = v.iter().sum::<f64>() / v.len() as f64;
        (m, v[((v.len() as f64 * 0.99).ceil() as usize - 1).min(v.len() - 1)], v.len())
    };
    let (all, small, large) = (stat(&|_| true), stat(&|b| b < 100_000), stat(&|b| b >= 1_000_000));
    let mut c = TransportCounts::default();
    for f in &out.flows {
        c.timeouts += f.sender.timeouts;
        c.fast_retransmits += f.sender.fast_retransmits;
        c.retransmissions += f.sender.retransmissions;
    }
    println!(
        "{scheme:7} done {} mean {:.3} small {:.4} p99 {:.4} (n {}) large {:.3} p99 {:.2} (n {}) drops {} fast {} rto {} retx {} hops {} {:.2}s",
        all.2,
        all.0,
        small.0,
        small.1,
        small.2,
        large.0,
        large.1,
        large.2,
        out.drops.discipline,
        c.fast_retransmits,
        c.timeouts,
        c.retransmissions,
        out.packet_hops,
        dt
    );
    let mut min: BTreeMap<u64, f64> = BTreeMap::new();
    for (b, t) in &done {
        let e = min.entry(*b).or_insert(f64::MAX);
        *e = e.min(*t);
    }
    if std::env::var("MIN").is_ok() {
        println!("{min:?}");
    }
}
