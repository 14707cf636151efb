//! Ports tell switches what packets come, whose caches fetch ahead.

use crate::support::{List, Port, fifo, flow, leaf_spine, spec, transport};
use forebay_cache::{StateCache, StateCacheSpec};
use forebay_core::{BufferSize, ClassId, Duration, ParamValue, Rate, Seed, Time};
use forebay_net::{
    AskedOf, Carriage, Change, FlowSpec, Impairments, Network, NodeId, NodeKind, Notifier, Outcome, RunOptions,
    StateKey, StateStore, StatefulNode, Told, ToldOutcome, Waits,
};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_seer::{Announcer, AnnouncerSpec, Pace, SeerCache, SeerSpec};
use rand::RngExt;

const CACHE: StateCacheSpec =
    StateCacheSpec { entries: 8, ways: Some(4), latency: 100_000, parallel: None, seed: Seed(3) };

/// What tells a switch over links of these rates: two classes, the second is served first.
fn notifier(spec: &AnnouncerSpec, rate: Rate, impairments: Impairments) -> Notifier {
    let mut queue_of_class = Box::new([0; 256]);
    queue_of_class[0] = u8::from(spec.classes == 2);
    let announcer = Announcer::new(AnnouncerSpec { rate, ..*spec }).unwrap();
    Notifier { announcer, queue_of_class, impairments }
}

/// All switches of a leaf-spine, told by their neighbours if there is an `announcer`.
fn run(announcer: Option<AnnouncerSpec>, changes: Vec<(Time, Change)>, plain: bool) -> Outcome<Port> {
    run_impaired(announcer, changes, plain, Impairments::default())
}

/// The same where something goes wrong with notifications.
pub(crate) fn run_impaired(
    announcer: Option<AnnouncerSpec>,
    changes: Vec<(Time, Change)>,
    plain: bool,
    impairments: Impairments,
) -> Outcome<Port> {
    let graph = leaf_spine();
    let switches = (0..).zip(graph.nodes()).filter(|(_, node)| node.kind == NodeKind::Switch);
    let states = switches.map(|(node, _)| {
        let node = NodeId(node);
        let lru = "lru".parse().unwrap();
        let store = if plain {
            StateStore::OnDemand(Box::new(StateCache::new(&CACHE, &lru).unwrap()))
        } else {
            let cache = |rates| {
                let is_patient = changes.is_empty() && impairments == Impairments::default();
                let patience = (!is_patient).then(|| Duration::from_us(5));
                let pace = Pace::Cycle(Duration::from_ns(1));
                SeerCache::new(&SeerSpec { patience, ..SeerSpec::of(CACHE, rates, pace) }, &lru)
            };
            let told = Told::at(&graph, node, cache, |_, link| {
                Ok(announcer.as_ref().map(|announcer| notifier(announcer, link.rate, impairments)))
            });
            StateStore::Told(Box::new(told.unwrap()))
        };
        let asked = AskedOf { key: StateKey::Flow, acknowledgements: true };
        StatefulNode { node, asked, store, waits: Waits::Packet, waiting_packets: None, recorded: true }
    });
    let states = states.collect();
    let mut spec = spec(graph, "100 packets", transport("dctcp"));
    spec.states = states;
    spec.changes = changes;
    if announcer.is_some_and(|announcer| announcer.classes == 2) {
        spec.elements = spec.graph.links().iter().map(|link| strict(link.rate)).collect();
        let urgent = Carriage { transport: transport("dctcp"), class: ClassId(1), ranks: None, rank_all: false };
        spec.workloads.push(urgent);
    } else {
        spec.elements = spec.graph.links().iter().map(|link| fifo("100 packets", link.rate)).collect();
    }
    let flows = flows(spec.workloads.len());
    Network::new(spec).unwrap().run(&mut List::new(&flows), &RunOptions::default())
}

/// Class 1 before class 0.
fn strict(link_rate: Rate) -> Port {
    let order = ("order".to_owned(), ParamValue::Text("1, 0".to_owned()));
    let spec = DisciplineSpec {
        rank: Part { name: "strict".to_owned(), params: [order].into() },
        queue: Part::named("pifo"),
        drop: Part::named("tail"),
        buffer: BufferSize::parse("100 packets").unwrap(),
        mark: None,
        rank_unit: RankUnit::ONE,
        link_rate,
    };
    Box::new(RankDiscipline::new(&spec).unwrap())
}

fn flows(workloads: usize) -> Vec<FlowSpec> {
    let mut rng = Seed(11).stream("flows");
    let mut flows: Vec<_> = (0..300)
        .map(|number| {
            let src = rng.random_range(0..8);
            let dst = (src + rng.random_range(1..8)) % 8;
            let flow = flow(rng.random_range(0..4_000_000), src, dst, rng.random_range(1..40_000));
            FlowSpec { workload: u16::try_from(number % workloads).unwrap(), ..flow }
        })
        .collect();
    flows.sort_by_key(|flow| flow.start);
    flows
}

pub(crate) fn told(outcome: &Outcome<Port>) -> impl Iterator<Item = &ToldOutcome> {
    outcome.states.iter().filter_map(|states| states.told.as_ref())
}

/// Packets that had to wait for their states.
pub(crate) fn waits(outcome: &Outcome<Port>) -> u64 {
    outcome.states.iter().map(|states| states.counts.cache.misses + states.counts.cache.delayed_hits).sum()
}

#[test]
fn who_is_told_nothing_does_as_its_policy() {
    let [plain, told] = [true, false].map(|plain| run(None, Vec::new(), plain));
    assert_eq!(plain.flows, told.flows);
    for (plain, told) in plain.states.iter().zip(&told.states) {
        assert_eq!((plain.counts, &plain.accesses), (told.counts, &told.accesses));
    }
}

#[test]
fn packets_come_when_they_are_expected_and_wait_less_for_their_states() {
    let plain = run(None, Vec::new(), true);
    for classes in [1, 2] {
        let spec = AnnouncerSpec { classes, ..AnnouncerSpec::default() };
        // The run itself asserts that no packet came at another time than expected.
        let outcome = run(Some(spec), Vec::new(), false);
        assert!(told(&outcome).all(|told| told.cache.fpms.used > 500 && told.cache.fpms.full == 0));
        assert!(told(&outcome).all(|told| told.cache.visibility.unannounced == 0));
        assert!(waits(&outcome) * 4 < waits(&plain), "{} {}", waits(&outcome), waits(&plain));
        let prefetches: u64 = outcome.states.iter().map(|states| states.counts.prefetches).sum();
        assert!(prefetches > 1_000, "{prefetches}");
        // All is counted, from the beginning to the end.
        for states in &outcome.states {
            let (counts, told) = (states.counts.told, states.told.as_ref().unwrap());
            let sent: u64 = told.notifiers.iter().map(|notifier| notifier.announcer.sent()).sum();
            assert_eq!((counts.used, counts.sent), (told.cache.fpms.used, sent));
            assert_eq!(counts.lead_ps, told.cache.visibility.lead_ps);
            assert!(counts.prefetches_used >= counts.prefetches_late && counts.made >= counts.sent);
        }
    }
}

#[test]
fn control_packets_take_the_link() {
    let spec = AnnouncerSpec { per_gap: 0, threshold: Some(2), interval: Duration::ZERO, ..AnnouncerSpec::default() };
    let outcome = run(Some(spec), Vec::new(), false);
    let control: u64 =
        told(&outcome).flat_map(|told| &told.notifiers).map(|notifier| notifier.announcer.control_packets).sum();
    assert!(control > 100, "{control}");
}

#[test]
fn where_links_fail_notifications_are_given_up() {
    let changes = [(1, Change::Down(18)), (2, Change::Up(18)), (2, Change::Loss(16, 0.05))];
    let changes = changes.map(|(ms, change)| (Time::from_ns(ms * 1_000_000), change));
    let outcome = run(Some(AnnouncerSpec::default()), changes.into(), false);
    assert!(told(&outcome).map(|told| told.cache.fpms.expired).sum::<u64>() > 0);
}
