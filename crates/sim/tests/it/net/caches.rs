//! Caches at switches that neighbours notify.

use crate::net::support::{Port, fifo};
use forebay_cache::seer::{Announcer, AnnouncerSpec, Pace, SeerCache, SeerSpec};
use forebay_cache::{StateCache, StateCacheSpec};
use forebay_core::{BufferSize, Duration, ParamValue, Rate, Seed};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use forebay_sim::net::{
    AskedOf, Graph, Impairments, LinkSpec, NodeId, NodeKind, Notifier, Order, StateKey, StateStore, StatefulNode, Told,
    Waits,
};

/// Caches that are alike, and the ports that notify them.
#[derive(Clone, Copy)]
pub(crate) struct Caches {
    pub(crate) cache: StateCacheSpec,
    pub(crate) policy: &'static str,
    pub(crate) asked: AskedOf,
    pub(crate) waits: Waits,
    pub(crate) lookahead: bool,
    /// Whether they are caches that can be notified.
    pub(crate) told: bool,
    /// How they are notified, if they are.
    pub(crate) announcer: Option<AnnouncerSpec>,
    pub(crate) impairments: Impairments,
    /// A link that does not take part.
    pub(crate) silent: Option<usize>,
    pub(crate) relayed: bool,
    pub(crate) patience: Option<Duration>,
}

impl Caches {
    /// Notified by all neighbours; a fetch takes so many picoseconds.
    pub(crate) fn of(latency: u64) -> Self {
        Self {
            cache: StateCacheSpec { entries: 8, ways: Some(4), latency, parallel: None, seed: Seed(3) },
            policy: "lru",
            asked: AskedOf { key: StateKey::Flow, acknowledgements: true },
            waits: Waits::Packet,
            lookahead: false,
            told: true,
            announcer: Some(AnnouncerSpec::default()),
            impairments: Impairments::default(),
            silent: None,
            relayed: false,
            patience: None,
        }
    }

    /// At a switch.
    pub(crate) fn at(&self, graph: &Graph, node: NodeId) -> StatefulNode {
        let policy = self.policy.parse().unwrap();
        let store = if self.told {
            let cache = |rates| {
                let spec = SeerSpec::of(self.cache, rates, Pace::Cycle(Duration::from_ns(1)));
                SeerCache::new(&SeerSpec { patience: self.patience, ..spec }, &policy)
            };
            let telling =
                |number, link: &LinkSpec| Ok(self.notifier(link.rate).filter(|_| self.silent != Some(number)));
            let relayed = self.relayed.then(|| self.telling_neighbours(graph, node));
            StateStore::Told(Box::new(Told::at(graph, node, cache, telling, relayed).unwrap()))
        } else {
            StateStore::OnDemand(Box::new(StateCache::new(&self.cache, &policy).unwrap()))
        };
        StatefulNode {
            node,
            asked: self.asked,
            store,
            remote: None,
            waits: self.waits,
            waiting_packets: None,
            lookahead: self.lookahead,
            recorded: true,
        }
    }

    /// At all switches.
    pub(crate) fn everywhere(&self, graph: &Graph) -> Vec<StatefulNode> {
        let switches = (0..).zip(graph.nodes()).filter(|(_, node)| node.kind == NodeKind::Switch);
        switches.map(|(node, _)| self.at(graph, NodeId(node))).collect()
    }

    /// What stands at ports, so that they know when packets leave.
    pub(crate) fn ports(&self, graph: &Graph, buffer: &str) -> Vec<Port> {
        let has_classes = self.announcer.is_some_and(|announcer| announcer.classes == 2);
        let port = |rate| if has_classes { strict(buffer, rate) } else { fifo(buffer, rate) };
        graph.links().iter().map(|link| port(link.rate)).collect()
    }

    /// The notifier of a link of this rate. Of two classes the second is served first.
    fn notifier(&self, rate: Rate) -> Option<Notifier> {
        let spec = self.announcer?;
        let mut queue_of_class = Box::new([0; 256]);
        queue_of_class[0] = u8::from(spec.classes == 2);
        let announcer = Announcer::new(AnnouncerSpec { rate, ..spec }).unwrap();
        Some(Notifier { announcer, order: Order::Classes(queue_of_class), impairments: self.impairments })
    }

    /// The notifiers for the switches that are neighbours of one.
    fn telling_neighbours(&self, graph: &Graph, node: NodeId) -> Vec<(usize, Notifier)> {
        let is_neighbour = |of: NodeId| graph.links().iter().any(|link| link.from == of && link.to == node);
        let links = graph.links().iter().enumerate();
        let leads_there = links.filter(|(_, link)| is_neighbour(link.to) && !graph.is_host(link.to));
        leads_there.filter_map(|(number, link)| Some((number, self.notifier(link.rate)?))).collect()
    }
}

/// Class 1 before class 0.
fn strict(buffer: &str, link_rate: Rate) -> Port {
    let order = ("order".to_owned(), ParamValue::List([1, 0].map(ParamValue::Integer).into()));
    let spec = DisciplineSpec {
        rank: Part { name: "strict".to_owned(), params: [order].into(), own: None },
        queue: Part::named("pifo"),
        drop: Part::named("tail"),
        buffer: BufferSize::parse(buffer).unwrap(),
        mark: None,
        pace: None,
        rank_unit: RankUnit::ONE,
        link_rate,
    };
    Box::new(RankDiscipline::new(&spec).unwrap())
}
