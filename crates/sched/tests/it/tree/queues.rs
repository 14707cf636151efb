//! Trees whose nodes have rank queues of their own, exact and approximate: against the plain discipline, and against a tree of
//! the same queues built by hand.

use super::{compare, hffs, inner, leaf, place_of, plain_discipline, refused, spec};
use forebay_core::{BufferSize, Discipline, Packet, ParamValue, Time, Verdict};
use forebay_sched::queues::queue::{
    aifo::Aifo,
    calendar::Calendar,
    fifo::Fifo,
    fixed_bounds::FixedBounds,
    gradient::{Gradient, Steps},
    mean_bounds::MeanBounds,
    packs::Packs,
    pifo::Pifo,
    rifo::Rifo,
    sp_pifo::SpPifo,
};
use forebay_sched::queues::{Beyond, QUEUES, RankQueue};
use forebay_sched::{Below, NodeSpec, Part, TreeDiscipline};
use std::collections::BTreeMap;

/// Packets of the buffer.
const BUFFER: usize = 40;

fn part(name: &str, params: &[(&str, i64)]) -> Part {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Integer(*value)));
    Part { name: name.to_owned(), params: params.collect(), own: None }
}

fn with_queue(queue: Part, node: NodeSpec) -> NodeSpec {
    NodeSpec { queue: Some(queue), ..node }
}

#[test]
fn a_tree_of_one_node_with_a_queue_of_its_own_is_the_plain_discipline() {
    for entry in QUEUES {
        for buffer in [BufferSize::Packets(30), BufferSize::Bytes(20_000)] {
            let queue = Part::named(entry.about.name);
            let all = NodeSpec { below: Below::Packets(None), ..leaf("remaining-bytes", &[]) };
            let root = with_queue(queue.clone(), all);
            let mut tree = TreeDiscipline::new(&spec(root, Part::named("pifo"), buffer)).unwrap();
            let mut discipline = plain_discipline("remaining-bytes", queue, "tail", buffer);
            compare(entry.about.name, &mut tree, &mut discipline);
        }
    }
}

/// Builds a queue whose FIFO queues hold so many.
type Build<T> = fn(usize) -> Box<dyn RankQueue<T>>;

/// A kind of queue: how a scenario names it, and how it is built for any item, where each FIFO queue holds so many.
struct Kind {
    part: Part,
    packets: Build<Packet>,
    /// `None` if it may turn away items for which there is room.
    children: Option<Build<usize>>,
}

/// A kind that takes all: the same expression for packets and for children.
macro_rules! kind {
    ($part:expr, |$each:ident| $queue:expr) => {
        Kind { part: $part, packets: |$each| Box::new($queue), children: Some(|$each| Box::new($queue)) }
    };
}

fn kinds() -> Vec<Kind> {
    let mut calendar = part("calendar", &[("queues", 5), ("rank_width", 40)]);
    calendar.params.insert("beyond".to_owned(), ParamValue::Text("last".to_owned()));
    let bounds = ParamValue::List([0, 30, 240].map(ParamValue::Integer).to_vec());
    let fixed =
        Part { name: "fixed-bounds".to_owned(), params: BTreeMap::from([("bounds".to_owned(), bounds)]), own: None };
    vec![
        kind!(Part::named("pifo"), |each| Pifo::new(each)),
        kind!(Part::named("fifo"), |each| Fifo::new(each)),
        kind!(part("sp-pifo", &[("queues", 5)]), |each| SpPifo::new(5, each)),
        kind!(fixed, |each| FixedBounds::new(vec![0, 30, 240], each)),
        kind!(part("gradient", &[("queues", 4), ("window", 50), ("max_rank", 400)]), |each| {
            Gradient::new(vec![0, 100, 200, 300], each, 50, Steps::One)
        }),
        kind!(part("mean-bounds", &[("queues", 5)]), |each| MeanBounds::new(5, each, 4, 1_023)),
        kind!(calendar, |each| Calendar::new(5, each, 40, Beyond::Last)),
    ]
}

/// Kinds that may drop a packet by its rank: for leaves.
fn choosy_kinds() -> Vec<Kind> {
    vec![
        Kind {
            part: part("aifo", &[("window", 60)]),
            packets: |_| Box::new(Aifo::new(BUFFER, 60, 0.1)),
            children: None,
        },
        Kind {
            part: part("rifo", &[("window", 60)]),
            packets: |_| Box::new(Rifo::new(BUFFER, 60, 0.1)),
            children: None,
        },
        Kind {
            part: part("packs", &[("queues", 5), ("window", 60)]),
            packets: |each| Box::new(Packs::new(5, each, 60, 0.1)),
            children: None,
        },
        Kind {
            part: part("calendar", &[("queues", 5), ("rank_width", 800)]),
            packets: |each| Box::new(Calendar::new(5, each, 800, Beyond::Drop)),
            children: None,
        },
    ]
}

/// Strict priority over two tenants. The first has strict priority over two classes, each served by remaining bytes. The second
/// serves two classes in order of arrival. Nodes are written out one by one.
struct PlainTree {
    root: Box<dyn RankQueue<usize>>,
    tenant: Box<dyn RankQueue<usize>>,
    leaves: [Box<dyn RankQueue<Packet>>; 3],
    refused_by_leaves: u64,
}

impl Discipline for PlainTree {
    fn enqueue(&mut self, now: Time, mut packet: Packet, _: &mut Vec<Packet>) -> Verdict {
        let leaf = usize::from(packet.class.0).min(2);
        let rank = if leaf < 2 { packet.remaining_bytes } else { now.as_ps() };
        packet.rank = rank;
        if self.len() == BUFFER {
            return Verdict::Refused { rank };
        }
        if self.leaves[leaf].push(rank, packet).is_err() {
            self.refused_by_leaves += 1;
            return Verdict::Refused { rank };
        }
        let strict = 255 - u64::from(packet.class.0);
        if leaf < 2 {
            self.tenant.push(strict, leaf).expect("an entry for each packet");
        }
        self.root.push(strict, usize::from(leaf == 2)).expect("an entry for each packet");
        Verdict::Queued { rank }
    }

    fn dequeue(&mut self, _: Time) -> Option<Packet> {
        let (_, tenant) = self.root.pop_min()?;
        let leaf = if tenant == 0 { self.tenant.pop_min().expect("the root has its entry").1 } else { 2 };
        Some(self.leaves[leaf].pop_min().expect("the node above has its entry").1)
    }

    fn len(&self) -> usize {
        self.leaves.iter().map(|leaf| leaf.len()).sum()
    }

    fn bytes(&self) -> u64 {
        unreachable!("compared without bytes")
    }
}

/// `PlainTree` as a scenario gives it, with these queues of the root, of the first tenant, and of each leaf.
fn tree(root: &Part, tenant: &Part, leaf_queue: &Part) -> NodeSpec {
    let leaf = |rank, classes: &[u8]| with_queue(leaf_queue.clone(), leaf(rank, classes));
    let first = inner("strict", vec![leaf("remaining-bytes", &[0]), leaf("remaining-bytes", &[1])]);
    with_queue(root.clone(), inner("strict", vec![with_queue(tenant.clone(), first), leaf("arrival", &[2, 3])]))
}

/// Bytes are those of the packets that wait, counted beside it.
struct Counted<D>(D, u64);

impl<D: Discipline> Discipline for Counted<D> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let verdict = self.0.enqueue(now, packet, evicted);
        self.1 += if matches!(verdict, Verdict::Queued { .. }) { u64::from(packet.size_bytes) } else { 0 };
        verdict
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        let packet = self.0.dequeue(now)?;
        self.1 -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.1
    }
}

#[test]
fn a_tree_of_queues_does_what_the_queues_do_by_hand() {
    let all = kinds();
    for above in &all {
        let children = above.children.expect("it takes all");
        for below in kinds().iter().chain(&choosy_kinds()) {
            let case = format!("{} above {}", above.part.name, below.part.name);
            // A leaf's FIFO queues share the buffer; those above each hold it.
            let fifos = match below.part.params.get("queues") {
                Some(ParamValue::Integer(queues)) => usize::try_from(*queues).unwrap(),
                _ if below.part.name == "fixed-bounds" => 3,
                _ => 1,
            };
            let packets = || (below.packets)(BUFFER.div_ceil(fifos));
            let plain = PlainTree {
                root: children(BUFFER),
                tenant: all[2].children.expect("it takes all")(BUFFER),
                leaves: [packets(), packets(), packets()],
                refused_by_leaves: 0,
            };
            let root = tree(&above.part, &all[2].part, &below.part);
            let mut tree =
                TreeDiscipline::new(&spec(root, Part::named("pifo"), BufferSize::Packets(BUFFER as u64))).unwrap();
            let mut plain = Counted(plain, 0);
            compare(&case, &mut tree, &mut plain);
            let may_refuse = fifos > 1 || below.children.is_none();
            assert_eq!(plain.0.refused_by_leaves > 0, may_refuse, "{case}");
        }
    }
}

/// Nodes with queues of their own beside nodes that share an HFFS: as if all had a PIFO.
#[test]
fn nodes_share_a_queue_beside_nodes_with_their_own() {
    let buffer = BufferSize::Packets(BUFFER as u64);
    let nodes = |of_leaf: Option<Part>, of_tenant: Option<Part>| {
        let tenant = inner("strict", vec![leaf("remaining-bytes", &[0]), leaf("remaining-bytes", &[1])]);
        let root = inner(
            "stfq",
            vec![NodeSpec { queue: of_tenant, ..tenant }, NodeSpec { queue: of_leaf, ..leaf("arrival", &[2, 3]) }],
        );
        NodeSpec { rank_unit: 256, ..root }
    };
    let own = nodes(Some(Part::named("rolling-hffs")), Some(part("hffs", &[("ranks", 256)])));
    let mut mixed = TreeDiscipline::new(&spec(own, hffs(1 << 22), buffer)).unwrap();
    compare(
        "mixed",
        &mut mixed,
        &mut TreeDiscipline::new(&spec(nodes(None, None), Part::named("pifo"), buffer)).unwrap(),
    );
    assert!(mixed.counters().iter().all(|counter| counter.value == 0), "{:?}", mixed.counters());
}

#[test]
fn a_queue_that_cannot_be_the_node_is_refused_with_its_place() {
    let rest = || NodeSpec { below: Below::Packets(None), ..leaf("strict", &[]) };
    let pifo = || Part::named("pifo");
    let above = |queue: Part| with_queue(queue, inner("strict", vec![rest()]));
    for (root, queue, place, text) in [
        (above(Part::named("aifo")), pifo(), Some(vec![]), "as the `queue` of leaves"),
        (above(Part::named("packs")), pifo(), Some(vec![]), "may drop one when it holds 0"),
        (above(part("sp-pifo", &[("queue_packets", 5)])), pifo(), Some(vec![]), "leave `queue_packets` out"),
        (inner("strict", vec![rest()]), Part::named("calendar"), None, "give it beyond = \"last\""),
        (
            inner("strict", vec![with_queue(Part::named("sppifo"), rest())]),
            pifo(),
            Some(vec![0]),
            "did you mean `sp-pifo`",
        ),
        (with_queue(part("hffs", &[("ranks", 9)]), rest()), pifo(), Some(vec![]), "rank_unit = "),
        (with_queue(Part::named("hffs"), inner("stfq", vec![rest()])), pifo(), Some(vec![]), "rise for ever"),
    ] {
        let error = refused(root, queue);
        let expected = place.map_or((vec![], "the tree's queue"), |path| (path, "queue"));
        assert_eq!(place_of(&error), expected, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}
