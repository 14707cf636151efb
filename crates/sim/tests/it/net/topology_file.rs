//! Topology files: written files are read back, and errors are named.

use crate::net::topologies::build;
use forebay_core::{Duration, Named as _, Rate, Seed};
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::{Graph, NodeKind, TopologyFileError, read_topology};
use rand::RngExt as _;

fn read(text: &str) -> Result<Graph, String> {
    read_topology(text.as_bytes()).map_err(|error| match error {
        TopologyFileError::Line { line, message } => format!("{line}: {message}"),
        other => other.to_string(),
    })
}

/// A graph as a file. Rates and durations are exact up to 2^53 of their units, bits per second and picoseconds.
fn write(graph: &Graph) -> String {
    let mut lines = Vec::new();
    for node in graph.nodes() {
        let name = &node.name;
        lines.push(match (node.kind, node.rack) {
            (NodeKind::Host, 0) => format!("host,{name}"),
            (NodeKind::Host, rack) => format!("host,{name},{rack}"),
            (NodeKind::Switch, _) => format!("switch,{name}"),
        });
    }
    for link in graph.links().iter().step_by(2) {
        let [a, b] = [link.from, link.to].map(|node| &graph.nodes()[node.index()].name);
        let rate = exact(link.rate.bits_per_second(), ["bps", "kbps", "Mbps", "Gbps", "Tbps"]);
        let propagation = exact(link.propagation.as_ps(), ["ps", "ns", "us", "ms", "s"]);
        lines.push(format!("link,{a},{b},{rate},{propagation}"));
    }
    lines.join("\n") + "\n"
}

/// A number in the largest of the units, each a thousand of the one before, in which it is whole.
fn exact(mut number: u64, units: [&str; 5]) -> String {
    let mut unit = 0;
    while number != 0 && number.is_multiple_of(1_000) && unit + 1 < units.len() {
        number /= 1_000;
        unit += 1;
    }
    format!("{number} {}", units[unit])
}

#[test]
fn every_topology_is_read_as_it_was_written() {
    for entry in TOPOLOGIES {
        let graph = build(entry.about().name, "").unwrap();
        assert_eq!(read(&write(&graph)).unwrap(), graph, "{}", entry.about().name);
    }
    let graph = build("fat-tree", "k=16, rate=2.5 Gbps, propagation=1.5 us").unwrap();
    assert_eq!(read(&write(&graph)).unwrap(), graph);
}

#[test]
fn rates_and_durations_are_written_exactly() {
    let mut rng = Seed(1).stream("topology_file");
    for _ in 0..1_000 {
        let mut number = |bits: u64| rng.random_range(1..1_u64 << 53) >> rng.random_range(0..bits);
        let (rate, propagation) = (Rate::from_bits_per_second(number(40).max(1)).unwrap(), number(53));
        let mut graph = Graph::default();
        let (one, other) = (graph.add_host("one", 7), graph.add_host("other", u32::MAX));
        graph.connect(one, other, rate, Duration::from_ps(propagation));
        assert_eq!(read(&write(&graph)).unwrap(), graph);
    }
}

#[test]
fn lines_come_in_any_order_and_shape() {
    let plain = "host,a\nhost,b,3\nswitch,s 1\nlink,a,s 1,1 Gbps,5 ns\nlink,s 1,b,2 Gbps,0 ps\n";
    let graph = read(plain).unwrap();
    assert_eq!(write(&graph), plain);
    for text in [
        // As from a spreadsheet on Windows.
        "\u{feff}host,a,,,\r\nhost,b,3,,\r\nswitch,s 1,,,\r\nlink,a,s 1,1 Gbps,5 ns\r\nlink,s 1,b,2 Gbps,0 ps\r\n",
        "# links first\nlink,a,s 1, 1Gbps , 5ns\n\nlink,s 1,b,2 Gbps,0 s # the end\nhost,a\n , \nhost,b,3\nswitch,s 1",
        "\"host\",\"a\"\nhost, b ,3\nswitch,\"s 1\"\nlink,\"a\",s 1,1 Gbps,5 ns\nlink,s 1,b,2000 Mbps,0 ns",
    ] {
        assert_eq!(read(text).unwrap(), graph, "{text}");
    }
}

#[test]
fn wrong_lines_are_named() {
    for (text, wanted) in [
        ("node,a", "1: a line begins with host, switch or link, not with `node`"),
        ("from,to,rate,propagation\na,b,1 Gbps,1 ns", "1: a line begins with host, switch or link, not with `from`"),
        ("\nhost", "2: a host is `host,NAME` or `host,NAME,RACK`"),
        ("host,a,1,2", "1: a host is `host,NAME` or `host,NAME,RACK`"),
        ("host,,1", "1: the name is missing"),
        ("switch,s>t", "1: a name has no `>`, which stands between the two ends of a link; write for example `s_t`"),
        ("host,a,rack1", "1: a rack is a whole number from 0 to 4294967295, not `rack1`"),
        ("switch,s,1", "1: a switch is `switch,NAME`"),
        ("host,a\r\n\r\n#\r\nswitch,a", "4: `a` is already on line 1"),
        ("link,a,b,1 Gbps", "1: a link is `link,A,B,RATE,PROPAGATION`"),
        ("host,a\nhost,b\nlink,a,b,1 GB,1 ns", "3: `1 GB` is not a rate"),
        ("host,a\nhost,b\nlink,a,b,1 Gbps,20", "3: `20` has no unit"),
        ("host,a\nhost,b\nlink,a,c,1 Gbps,1 ns", "3: there is no host or switch called `c`; known are a, b"),
        ("link,a,b,1 Gbps,1 ns", "1: there is no host or switch called `a`"),
        (
            "host,a\nswitch,leaf1\nlink,a,laef1,1 Gbps,1 ns",
            "3: there is no host or switch called `laef1`; did you mean",
        ),
        ("host,a\nswitch,s\nlink,s,s,1 Gbps,1 ns", "3: a link leads from `s` to itself"),
        (
            "host,a\nhost,b\nlink,a,b,1 Gbps,1 ns\nlink,b,a,1 Gbps,1 ns",
            "4: host `b` has a link already; a host has exactly one",
        ),
        ("host,a\nhost,b\nhost,c\nlink,a,b,1 Gbps,1 ns", "3: host `c` has 0 links"),
        (
            "host,a\nhost,b\nswitch,s\nswitch,t\nlink,a,s,1 Gbps,1 ns\nlink,b,t,1 Gbps,1 ns",
            "2: there is no way from host `a` to host `b`",
        ),
        ("", "a network needs at least two hosts; this one has 0"),
        ("host,a\nswitch,s\nlink,a,s,1 Gbps,1 ns", "a network needs at least two hosts; this one has 1"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(wanted), "{text}: {error}");
    }
    assert!(matches!(read_topology(&b"host,a\n\xff\n"[..]), Err(TopologyFileError::Line { line: 2, .. })));
}

#[test]
fn a_wrong_name_among_many_is_told_without_listing_all() {
    let text = write(&build("leaf-spine", "").unwrap());
    let error = |wrong: &str| read(&text.replace("h9,leaf0", wrong)).unwrap_err();
    assert_eq!(error("h9,leaf00"), "167: there is no host or switch called `leaf00`; did you mean `leaf0`?");
    assert_eq!(error("h9,rack"), "167: there is no host or switch called `rack`");
}

#[test]
fn topologies_of_ns3_are_networks_like_others() {
    let same = "host,0\nhost,1\nhost,2\nswitch,3\nswitch,4\nlink,0,3,10 Gbps,1 us\nlink,1,3,10 Gbps,1 us\nlink,2,4,10 Gbps,1 us\n\
                link,3,4,40 Gbps,1 us\n";
    let kept = include_str!("../../../../../testdata/networks/ns3.topology");
    assert_eq!(read(kept).unwrap(), read(same).unwrap());
    assert_eq!(read(&kept.replace('\n', "\r\n\r\n")).unwrap(), read(same).unwrap());
    assert_eq!(
        read(&kept.replace("3 4\n0", "3\n4\n0")).unwrap(),
        read(same).unwrap(),
        "numbers of switches in two lines"
    );
    let page = include_str!("../../../../../docs/network.md");
    assert!(
        page.contains(&format!("```text\n{}```", kept.replace("0.000000", "0"))),
        "docs/network.md has another example"
    );
    for (from, to, wanted) in [
        ("5 2 4", "5 2 5", "1: this line declares 2 switches and 5 links, but the file has 2 and 4"),
        ("5 2 4", "5 5 4", "1: 5 nodes of which 5 are switches"),
        ("5 2 4", "2000000 2 4", "1: 2000000 nodes of which 2 are switches: a network has at most 1000000"),
        ("3 4\n0", "3 3\n0", "2: `3` is no switch"),
        ("3 4\n0", "3 5\n0", "2: `5` is no switch"),
        ("1us 0", "1us", "5: a link of ns-3 has 5 words"),
        ("1us 0", "1us 0.01", "5: the error rate `0.01` is not supported"),
        ("1us 0", "1 0", "5: `1` has no unit"),
        ("1 3 10Gbps", "9 3 10Gbps", "4: there is no host or switch called `9`"),
        ("1 3 10Gbps", "0 3 10Gbps", "4: host `0` has a link already"),
    ] {
        let error = read(&kept.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with(wanted), "{to}: {error}");
    }
}

/// Two tiers: 8 hosts in 4 racks, 2 spines, 2 links from each rack to each spine, which come to the rate of its hosts.
const HTSIM: &str = "# A leaf-spine.\nNodes 8\ntiers 2\nPodsize 8\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 4\n\
                     Downlink_Latency_ns 1000\nSwitch_Latency_ns 50\nTier 1\nDownlink_speed_Gbps 25\nRadix_Down 8\nBundle 2\n\
                     Downlink_Latency_ns 500\nSwitch_Latency_ns 300\nOversubscribed 1\n";

#[test]
fn topologies_of_htsim_are_read() {
    let text = HTSIM.replace("Radix_Up 4", "Radix_Up 4\nOversubscribed 2");
    let graph = read(&text).unwrap();
    assert_eq!((graph.hosts().len(), graph.nodes().len(), graph.links().len()), (8, 14, 2 * (8 + 16)));
    let racks: Vec<u32> = graph.hosts().iter().map(|host| graph.nodes()[host.index()].rack).collect();
    assert_eq!(racks, [0, 0, 1, 1, 2, 2, 3, 3]);
    let of = |from: &str, to: &str| {
        let name = |node: forebay_sim::net::NodeId| graph.nodes()[node.index()].name.clone();
        let links = graph.links().iter().filter(|link| name(link.from) == from && name(link.to) == to);
        links
            .map(|link| (link.rate.bits_per_second() / 1_000_000_000, link.propagation.as_ps() / 1_000))
            .collect::<Vec<_>>()
    };
    // A switch takes its time before it forwards, so its delay is on the way to it.
    assert_eq!(of("h3", "rack1"), [(100, 1_050)]);
    assert_eq!(of("rack1", "h3"), [(100, 1_000)]);
    assert_eq!(of("rack1", "agg0"), [(25, 800), (25, 800)]);
    assert_eq!(of("agg0", "rack1"), [(25, 550), (25, 550)]);
}

/// The regular fat tree has the same hosts, switches and distances as ours.
#[test]
fn a_fat_tree_of_htsim_is_a_fat_tree() {
    let tier =
        |number: u64, more: &str| format!("Tier {number}\nDownlink_speed_Gbps 10\nDownlink_Latency_ns 1000\n{more}");
    let text = [
        "Nodes 16\nTiers 3\nPodsize 4\n".to_owned(),
        tier(0, "Radix_Down 2\nRadix_Up 2\n"),
        tier(1, "Radix_Down 2\nRadix_Up 2\n"),
        tier(2, "Radix_Down 4\n"),
    ]
    .concat();
    let read = read(&text).unwrap();
    let built = build("fat-tree", "k=4, rate=10 Gbps, propagation=1 us").unwrap();
    let ends = |graph: &Graph| -> Vec<(usize, usize)> {
        let mut ends: Vec<_> = graph.links().iter().map(|link| (link.from.index(), link.to.index())).collect();
        ends.sort_unstable();
        ends
    };
    assert_eq!((read.hosts().len(), read.nodes().len(), read.links().len()), (16, 36, built.links().len()));
    // The cores are numbered in another order; each has a switch of every pod, and each agg two cores.
    let cores = |graph: &Graph| ends(graph).into_iter().filter(|&(from, to)| from >= 32 || to >= 32).count();
    assert_eq!(cores(&read), cores(&built));
    let below = |graph: &Graph| ends(graph).into_iter().filter(|&(from, to)| from < 32 && to < 32).collect::<Vec<_>>();
    assert_eq!(below(&read), below(&built));
}

#[test]
fn mistakes_in_topologies_of_htsim_are_named() {
    let good = HTSIM.replace("Radix_Up 4", "Radix_Up 4\nOversubscribed 2");
    for (from, to, wanted) in [
        ("Nodes 8\n", "", "1: there is no `nodes`"),
        ("tiers 2", "Tiers 4", "3: `Tiers` must be 2 or 3, not 4"),
        ("Nodes 8", "Nodes 9", "6: 9 hosts make no whole number of racks with 2 each"),
        ("Nodes 8", "Nodes 70000", "2: 70000 hosts are more than the 65536"),
        (
            "Radix_Down 8",
            "Radix_Down 6",
            "13: 4 switches of tier 0 need 8 ports below each one of tier 1, and `Radix_Down` is 6",
        ),
        ("Bundle 2", "Bundle 3", "6: 4 uplinks make no whole number of bundles with 3 each"),
        (
            "Oversubscribed 2",
            "Oversubscribed 4",
            "10: 200 Gbps go down from this switch and 100 up, which is not `Oversubscribed 4`",
        ),
        ("Radix_Down 2", "Radix_Down 0", "8: `Radix_Down` must be 1 or more"),
        ("Radix_Down 2\n", "", "6: tier 0 has no `Radix_Down`"),
        ("Tier 1", "Tier 5", "13: there is no tier 5, since line 3 has 2 tiers"),
        ("Tier 1", "Tier 0", "13: tier 0 is already defined above"),
        ("Bundle 2", "Queue_Up 88", "16: `Queue_Up` is not supported; a tier has Downlink_speed_Gbps"),
        ("Bundle 2", "Bundle two", "16: `Bundle` takes a whole number, and not `two`"),
        ("Bundle 2", "Bundle 2 2", "16: a line of a topology of htsim has a name and a number"),
        ("Bundle 2", "Radix_Down 8", "16: `Radix_Down` is already on line 15"),
    ] {
        let error = read(&good.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with(wanted), "{to}: {error}");
    }
}
