//! Nodes pass notifications on. Every run asserts itself that each notification is accounted for.

use crate::net::caches::Caches;
use crate::net::support::{List, Port, flow, gbps, leaf_spine, some_flows, spec, transport};
use forebay_cache::seer::AnnouncerSpec;
use forebay_core::{ClassId, Duration, Time};
use forebay_sim::net::{
    AskedOf, Carriage, Change, FlowSpec, Graph, Impairments, Network, NetworkOutcome, NodeId, RunOptions, StateKey,
    StateNodeCounts,
};

const US: u64 = 1_000_000;

fn caches(relayed: bool, latency: u64) -> Caches {
    Caches { relayed, patience: Some(Duration::from_us(100)), ..Caches::of(latency) }
}

/// Caches at these nodes, notified by all neighbours.
fn run(
    graph: &Graph,
    at: &[&str],
    caches: Caches,
    flows: &[FlowSpec],
    changes: Vec<(Time, Change)>,
) -> NetworkOutcome<Port> {
    run_over(graph, at, caches, "dctcp", flows, changes)
}

fn run_over(
    graph: &Graph,
    at: &[&str],
    caches: Caches,
    sender: &str,
    flows: &[FlowSpec],
    changes: Vec<(Time, Change)>,
) -> NetworkOutcome<Port> {
    let node = |name: &str| NodeId((0..).zip(graph.nodes()).find(|(_, node)| node.name == name).unwrap().0);
    let mut spec = spec(graph.clone(), "100 packets", transport(sender));
    spec.states = at.iter().map(|name| caches.at(graph, node(name))).collect();
    spec.elements = caches.ports(graph, "100 packets");
    spec.changes = changes;
    let urgent = Carriage { class: ClassId(1), ..Carriage::plain(transport(sender)) };
    spec.workloads.push(urgent);
    Network::new(spec).unwrap().run(&mut List::new(flows), &RunOptions::default())
}

/// Hosts `h0` and `h1` with switches `v` and `t` between them.
fn line() -> Graph {
    let mut graph = Graph::default();
    let hosts = ["h0", "h1"].map(|name| graph.add_host(name, 0));
    let [v, t] = ["v", "t"].map(|name| graph.add_switch(name));
    for (one, other) in [(hosts[0], v), (v, t), (t, hosts[1])] {
        graph.connect(one, other, gbps(1), Duration::from_ns(100));
    }
    graph
}

fn sum(outcome: &NetworkOutcome<Port>, of: impl Fn(&StateNodeCounts) -> u64) -> u64 {
    outcome.states.iter().map(|states| of(&states.counts)).sum()
}

#[test]
fn who_hears_two_links_ahead_fetches_in_time() {
    // A full packet takes 12 us of a link, and a fetch 20 us.
    let flows = [flow(0, 0, 1, 1_460)];
    let counts = |at: &[&str], relayed| {
        let outcome = run_over(&line(), at, caches(relayed, 20 * US), "ideal", &flows, Vec::new());
        let t = outcome.states.iter().find(|states| states.node == NodeId(3)).unwrap().counts;
        (t, outcome.flows[0].received.unwrap())
    };
    let (late, slow) = counts(&["t"], false);
    assert_eq!((late.cache.delayed_hits, late.cache.hits, late.told.prefetches_late), (1, 0, 1));
    assert_eq!((late.told.forecasts, late.told.ended), (0, 0));
    let (in_time, fast) = counts(&["t"], true);
    assert_eq!((in_time.cache.delayed_hits, in_time.cache.hits, in_time.told.prefetches_late), (0, 1, 0));
    assert_eq!(slow.as_ps() - fast.as_ps(), 8 * US);
    // From `h0` to `v`, ahead from `v` to `t`, and there again.
    let told = in_time.told;
    assert_eq!((told.made, told.forecasts, told.replaced, told.used), (3, 1, 1, 1));
    assert_eq!((told.ended, told.mistimed, told.forecast_errors_ps, told.expired), (1, 0, 0, 0));
    assert_eq!((late.told.lead_ps, told.lead_ps), (u128::from(12 * US), u128::from(24 * US)));
    // The same where the neighbour is notified for itself.
    let (both, _) = counts(&["v", "t"], true);
    assert_eq!((both.told.forecasts, both.told.replaced, both.told.ended), (1, 1, 0));
}

fn waits(outcome: &NetworkOutcome<Port>) -> u128 {
    outcome.states.iter().map(|states| states.counts.waited_ps).sum()
}

#[test]
fn what_is_known_earlier_is_waited_for_less() {
    let flows = some_flows(300);
    for at in [&["leaf0", "leaf1", "spine0", "spine1"][..], &["spine0", "spine1"]] {
        let [one, two] =
            [false, true].map(|relayed| run(&leaf_spine(), at, caches(relayed, 10 * US), &flows, Vec::new()));
        let used = |outcome: &NetworkOutcome<Port>| sum(outcome, |counts| counts.told.used);
        let lead = |outcome: &NetworkOutcome<Port>| {
            let sum: u128 = outcome.states.iter().map(|states| states.counts.told.lead_ps).sum();
            sum / u128::from(used(outcome))
        };
        assert!(lead(&two) > lead(&one) * 5 / 4, "{} {}", lead(&two), lead(&one));
        assert!(waits(&two) < waits(&one), "{} {}", waits(&two), waits(&one));
        let told = two.states[two.states.len() - 1].counts.told;
        assert!(told.forecasts > 500 && told.replaced * 10 > told.forecasts * 9, "{told:?}");
        assert_eq!(sum(&two, |counts| counts.told.ended) > 0, at.len() == 2);
        // Firm ones say the truth.
        assert_eq!(sum(&two, |counts| counts.told.mistimed), 0);
    }
}

#[test]
fn whatever_goes_wrong_all_is_accounted_for() {
    let changes = [(1, Change::Down(18)), (2, Change::Up(18)), (2, Change::Loss(16, 0.05))];
    let changes = changes.map(|(ms, change)| (Time::from_ns(ms * 1_000_000), change));
    let busy = AnnouncerSpec { threshold: Some(1), interval: Duration::ZERO, per_gap: 0, ..AnnouncerSpec::default() };
    let small = AnnouncerSpec { queue_capacity: 2, ..AnnouncerSpec::default() };
    let wrong = Impairments { loss: 0.2, jitter: Duration::from_us(9), clock_rate: 0.9, ..Impairments::default() };
    for announcer in [AnnouncerSpec::default(), busy, small] {
        for impairments in [Impairments::default(), wrong] {
            for changes in [Vec::new(), Vec::from(changes)] {
                for at in [&["leaf0", "leaf1", "spine0", "spine1"][..], &["spine0"]] {
                    let caches = Caches { announcer: Some(announcer), impairments, ..caches(true, 2 * US) };
                    let outcome = run(&leaf_spine(), at, caches, &some_flows(300), changes.clone());
                    assert!(sum(&outcome, |counts| counts.told.replaced) > 100);
                }
            }
        }
    }
}

#[test]
fn who_tells_no_cache_tells_its_node_nothing_to_pass_on() {
    let graph = leaf_spine();
    // From a host to a leaf with a cache, and from a spine to it.
    for name in ["h0>leaf0", "spine0>leaf0"] {
        let silent = (0..graph.links().len()).find(|link| graph.link_name(*link) == name);
        let caches = Caches { silent, ..caches(true, 2 * US) };
        let outcome = run(&graph, &["leaf0", "leaf1", "spine0", "spine1"], caches, &some_flows(300), Vec::new());
        let told = outcome.states.iter().filter_map(|states| states.told.as_ref());
        let mut links: Vec<usize> = told.flat_map(|told| &told.notifiers).map(|notifier| notifier.link).collect();
        links.sort_unstable();
        let all = graph.links().iter().enumerate().filter(|(_, link)| !graph.is_host(link.to));
        let others: Vec<usize> = all.map(|(number, _)| number).filter(|number| Some(*number) != silent).collect();
        assert_eq!(links, others, "each once, but for {name}");
    }
}

#[test]
fn packets_that_are_told_to_be_passed_on_alone_push_others_back_unseen() {
    // Every other flow is urgent, and its acknowledgements need no state.
    let flows: Vec<FlowSpec> =
        (0..).zip(some_flows(300)).map(|(number, flow)| FlowSpec { workload: number % 2, ..flow }).collect();
    for acknowledgements in [false, true] {
        let announcer = Some(AnnouncerSpec { classes: 2, ..AnnouncerSpec::default() });
        let asked = AskedOf { key: StateKey::Flow, acknowledgements };
        let caches = Caches { announcer, asked, relayed: true, ..Caches::of(2 * US) };
        // The run asserts that packets arrive when they are expected, if all are.
        let outcome = run(&leaf_spine(), &["leaf0", "leaf1", "spine0", "spine1"], caches, &flows, Vec::new());
        let told = outcome.states.iter().filter_map(|states| states.told.as_ref());
        let unnamed: u64 = told.flat_map(|told| &told.notifiers).map(|notifier| notifier.unnamed).sum();
        assert_eq!(
            (unnamed == 0, sum(&outcome, |counts| counts.told.mistimed) == 0),
            (acknowledgements, acknowledgements)
        );
        assert!(sum(&outcome, |counts| counts.told.replaced) > 500);
    }
}
