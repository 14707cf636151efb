//! Transports that expect no answer: rates, periods, and what their receivers make of trouble.

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, losing, transport};
use forebay_core::registry::Named;
use forebay_core::{Duration, ParamValue, Params, Time, registry};
use forebay_sim::net::FlowSpec;
use forebay_sim::net::transport::{TRANSPORTS, udp};
use std::collections::BTreeMap;

/// Packets that a flow of 1000-byte packets has sent after `ms` milliseconds.
fn sent_after(params: &[(&str, &str)], ms: u64) -> u64 {
    let mut given = vec![("payload_bytes", "960")];
    given.extend(params);
    let spec = PathSpec::of("10 Gbps", Duration::ZERO);
    let mut flow = Flow::open(&*transport("udp", &given), FlowSpec::ENDLESS, spec, |_| Fate::Arrives);
    flow.run_until(Time::from_ns(ms * 1_000_000 - 1));
    flow.counts().data_segments
}

#[test]
fn a_rate_counts_the_bits_on_the_wire() {
    assert_eq!(sent_after(&[("rate", "8 Gbps")], 10), 10_000);
    assert_eq!(sent_after(&[("rate_share", "0.5")], 10), 6_250);
    assert_eq!(sent_after(&[], 10), 12_500);
    assert_eq!(sent_after(&[("rate", "8 Gbps"), ("stop_after", "5 ms")], 10), 5_000);
}

#[test]
fn periods_and_gaps_keep_the_mean_rate() {
    let fixed = [("rate", "8 Gbps"), ("on", "1 ms"), ("off", "3 ms"), ("periods", "fixed")];
    assert_eq!(sent_after(&fixed, 40), 10_000);
    // Gaps of 1 us do not fit into periods of 300 ns; still a quarter of the time is ON.
    let short = [("rate", "8 Gbps"), ("on", "300 ns"), ("off", "900 ns"), ("periods", "fixed")];
    assert!(sent_after(&short, 40).abs_diff(10_000) <= 1);
    for params in [
        vec![("rate", "2 Gbps"), ("spacing", "poisson")],
        vec![("rate", "8 Gbps"), ("on", "10 us"), ("off", "30 us")],
        vec![("rate", "8 Gbps"), ("on", "300 ns"), ("off", "900 ns"), ("spacing", "poisson")],
    ] {
        let sent = sent_after(&params, 400);
        assert!(sent.abs_diff(100_000) < 2_000, "{params:?}: {sent}");
    }
}

#[test]
fn poisson_gaps_vary_as_much_as_their_mean() {
    let params = [("rate", "1 Gbps"), ("spacing", "poisson")];
    let spec = PathSpec::of("10 Gbps", Duration::ZERO);
    let mut flow = Flow::open(&*transport("udp", &params), FlowSpec::ENDLESS, spec, |_| Fate::Arrives);
    flow.run_until(Time::from_ns(300_000_000));
    let gaps: Vec<f64> = flow.sent.windows(2).map(|pair| pair[1].at.since(pair[0].at).as_ns_f64()).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
    assert!((mean / 12_000.0 - 1.0).abs() < 0.02, "{mean}");
    assert!((variance.sqrt() / mean - 1.0).abs() < 0.03, "{variance}");
}

#[test]
fn a_flow_ends_when_all_has_arrived_whatever_the_order() {
    for name in ["ideal", "udp"] {
        let mut count = 0;
        let trouble = |_: &Sent| {
            count += 1;
            match count % 3 {
                0 => Fate::ArrivesTwice,
                1 => Fate::IsLate(Duration::from_us(7)),
                _ => Fate::Arrives,
            }
        };
        let spec = PathSpec::of("10 Gbps", Duration::from_us(5));
        let mut flow = Flow::open(&*transport(name, &[]), 100_000, spec, trouble);
        flow.run(10_000);
        assert!(flow.received().is_some(), "{name}");
        assert_eq!(flow.counts().data_segments, 69);
        let mut lossy = Flow::open(&*transport(name, &[]), 100_000, spec, losing(&[68]));
        lossy.run(10_000);
        assert_eq!((lossy.received(), lossy.counts().data_segments), (None, 69), "{name}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let build = |given: &[(&str, &str)]| {
        let params = Params::of_texts(udp::ENTRY.about().params, given.iter().copied());
        params.and_then(|params| (udp::ENTRY.build)(&params)).unwrap_err().to_string()
    };
    assert_eq!(build(&[("on", "1 ms")]), "`on` needs `off`, how long it pauses");
    assert_eq!(build(&[("spacing", "even")]), "`spacing` must be \"constant\" or \"poisson\", not \"even\"");
    assert!(build(&[("rate", "fast")]).starts_with("`rate`: `fast` is not a rate"));
    // Periods that would be events without end.
    let short = build(&[("on", "1 ps"), ("off", "1 ps")]);
    assert!(short.starts_with("`on` must be at least 1.00 ns, not 1.00 ps"));
    let slow = build(&[("rate", "1 Mbps"), ("on", "11 us"), ("off", "1 ps")]);
    assert!(slow.starts_with("`on` must be at least 12.0 us, not 11.0 us"));
}

#[test]
fn packets_without_data_have_bytes() {
    for name in ["newreno", "dctcp", "pfabric"] {
        let entry = registry::find("transport", TRANSPORTS, name).unwrap();
        let given = BTreeMap::from([("header_bytes".to_owned(), ParamValue::Integer(0))]);
        let error = Params::check(entry.about.params, given).unwrap_err().to_string();
        assert_eq!(error, "`header_bytes` must be a whole number from 1 to 1000, not 0", "{name}");
    }
}
