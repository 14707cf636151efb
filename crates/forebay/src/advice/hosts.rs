//! The hosts of the flows of each size and class: gains and losses by address.

use super::{SIZES, class_name};
use crate::network::{RecordedFlow, dscps};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Pairs of hosts that are named of each size or class.
const NAMED: usize = 3;

/// Flows between a sender and a receiver.
#[derive(Default)]
struct Sent {
    flows: u64,
    bytes: u64,
}

/// Returns a line for each size, and for each class if there are several.
pub(super) fn text(flows: &[RecordedFlow]) -> String {
    let [(small, less), (large, more)] = SIZES;
    let of_size = |least: u64, end: u64| move |flow: &RecordedFlow| flow.spec.bytes >= least && flow.spec.bytes < end;
    let mut text = "\nbetween which hosts these flows are, those with most bytes first\n\n".to_owned();
    text += &line(&format!("< {small}"), flows, of_size(0, less));
    text += &line(&format!("{small} to {large}"), flows, of_size(less, more));
    text += &line(&format!(">= {large}"), flows, of_size(more, u64::MAX));
    let dscps = dscps(flows);
    match dscps[..] {
        [one] => text += &format!("all flows have {}, so classes are not compared\n", class_name(one)),
        _ => {
            for dscp in dscps {
                text += &line(&class_name(dscp), flows, |flow| flow.dscp == dscp);
            }
        }
    }
    text += "hosts in one line are not compared: the numbers of a size or a class are means over its flows\n";
    text
}

/// The hosts of the flows that are wanted; nothing if there are none.
fn line(name: &str, flows: &[RecordedFlow], is_wanted: impl Fn(&RecordedFlow) -> bool) -> String {
    let mut pairs: BTreeMap<[IpAddr; 2], Sent> = BTreeMap::new();
    for flow in flows.iter().filter(|flow| is_wanted(flow)) {
        let sent = pairs.entry(flow.ends).or_default();
        sent.flows += 1;
        sent.bytes = sent.bytes.saturating_add(flow.spec.bytes);
    }
    let mut pairs: Vec<([IpAddr; 2], Sent)> = pairs.into_iter().collect();
    // Equal ones stay in the order of their addresses.
    pairs.sort_by_key(|(_, sent)| std::cmp::Reverse(sent.bytes));
    let named = pairs.iter().take(NAMED).map(|([from, to], Sent { flows, bytes })| {
        let what = if *flows == 1 { "flow" } else { "flows" };
        format!("{from} to {to} ({flows} {what}, {bytes} bytes)")
    });
    let named = named.collect::<Vec<_>>().join(", ");
    match pairs.len() {
        0 => String::new(),
        few if few <= NAMED => format!("{name}: {named}\n"),
        many => format!("{name}: {named}, and {} other pairs\n", many - NAMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Time;
    use forebay_sim::net::{FlowSpec, HostId};

    /// A flow from host `from` to host 9.
    fn flow(from: u8, bytes: u64, dscp: u8) -> RecordedFlow {
        let spec = FlowSpec { start: Time::ZERO, src: HostId(0), dst: HostId(1), bytes, workload: 0 };
        RecordedFlow { spec, ends: [[10, 0, 0, from].into(), [10, 0, 0, 9].into()], dscp }
    }

    #[test]
    fn hosts_with_most_bytes_are_named_first_in_each_size_and_class() {
        let flows =
            [flow(1, 99_999, 0), flow(2, 100_000, 0), flow(2, 999_999, 46), flow(3, 1_000_000, 46), flow(1, 1, 0)];
        let text = text(&flows);
        for line in [
            "< 100 KB: 10.0.0.1 to 10.0.0.9 (2 flows, 100000 bytes)",
            "100 KB to 1 MB: 10.0.0.2 to 10.0.0.9 (2 flows, 1099999 bytes)",
            ">= 1 MB: 10.0.0.3 to 10.0.0.9 (1 flow, 1000000 bytes)",
            "DSCP 0 (BE): 10.0.0.1 to 10.0.0.9 (2 flows, 100000 bytes), 10.0.0.2 to 10.0.0.9 (1 flow, 100000 bytes)",
            "DSCP 46 (EF): 10.0.0.3 to 10.0.0.9 (1 flow, 1000000 bytes), 10.0.0.2 to 10.0.0.9 (1 flow, 999999 bytes)",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}: {text}");
        }
    }

    #[test]
    fn of_many_hosts_the_first_are_named_and_the_others_counted() {
        let flows: Vec<RecordedFlow> = (1..=5).map(|host| flow(host, u64::from(host), 7)).collect();
        let text = text(&flows);
        assert!(text.contains("< 100 KB: 10.0.0.5 to 10.0.0.9 (1 flow, 5 bytes), 10.0.0.4 to"), "{text}");
        assert!(text.contains(", and 2 other pairs\n") && !text.contains("10.0.0.2 "), "{text}");
        assert!(!text.contains("1 MB") && text.contains("all flows have DSCP 7, so"), "{text}");
    }
}
