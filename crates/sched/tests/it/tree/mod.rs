//! Trees of rank functions: against the plain discipline, against a tree of sorted
//! lists, on one shared HFFS against a PIFO for each node, and what tenants get.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod fair;
mod queues;
mod worst;

use forebay_core::{
    BufferSize, ClassId, Discipline, Duration, FlowId, Packet, ParamValue, Params, Rate, Rng, Seed, Time, Verdict,
};
use forebay_sched::{
    Below, DisciplineSpec, NodeSpec, PACE_RULES, PaceRule, Part, RankDiscipline, RankUnit, TreeDiscipline, TreeError,
    TreeSpec,
};
use rand::RngExt;
use std::collections::BTreeMap;

fn rate() -> Rate {
    Rate::parse("10 Gbps").unwrap()
}

fn leaf(rank: &str, classes: &[u8]) -> NodeSpec {
    NodeSpec {
        rank: Part::named(rank),
        rank_unit: 1,
        queue: None,
        weight: None,
        pace: None,
        below: Below::Packets(Some(classes.to_vec())),
    }
}

fn inner(rank: &str, children: Vec<NodeSpec>) -> NodeSpec {
    NodeSpec { below: Below::Children(children), ..leaf(rank, &[]) }
}

fn weighing(weight: u32, node: NodeSpec) -> NodeSpec {
    NodeSpec { weight: Some(weight), ..node }
}

fn hffs(ranks: i64) -> Part {
    Part {
        name: "hffs".to_owned(),
        params: BTreeMap::from([("ranks".to_owned(), ParamValue::Integer(ranks))]),
        own: None,
    }
}

fn spec(root: NodeSpec, queue: Part, buffer: BufferSize) -> TreeSpec {
    TreeSpec { root, queue, drop: Part::named("tail"), buffer, link_rate: rate() }
}

fn random_packet(rng: &mut Rng, id: u64, now: Time) -> Packet {
    Packet {
        id,
        arrival: now,
        rank: rng.random_range(0..50),
        remaining_bytes: rng.random_range(1..5_000),
        slack: Duration::from_ps(rng.random_range(0..500)),
        size_bytes: rng.random_range(40..1_500),
        flow: FlowId(rng.random_range(0..4)),
        class: ClassId(rng.random_range(0..4)),
        ..Packet::default()
    }
}

/// The same random operations on both; every answer must be the same.
fn compare(case: &str, one: &mut impl Discipline, other: &mut impl Discipline) {
    let mut rng = Seed(21).stream(case);
    let mut sent = 0;
    for id in 0..50_000 {
        let now = Time::from_ps(id * 3);
        let filling = id / 200 % 2 == 0;
        if rng.random_range(0..100) < if filling { 65 } else { 40 } {
            let packet = random_packet(&mut rng, id, now);
            let verdicts = [one.enqueue(now, packet, &mut Vec::new()), other.enqueue(now, packet, &mut Vec::new())];
            assert_eq!(verdicts[0], verdicts[1], "{case}: packet {id}");
        } else {
            let packets = [one.dequeue(now), other.dequeue(now)];
            assert_eq!(packets[0], packets[1], "{case}: step {id}");
            if packets[0].is_none() {
                assert_eq!(one.next_wakeup(now), other.next_wakeup(now), "{case}: step {id}");
            }
            sent += u32::from(packets[0].is_some());
        }
        assert_eq!((one.len(), one.bytes()), (other.len(), other.bytes()), "{case}: step {id}");
    }
    assert!(sent > 10_000, "{case}");
}

/// What a tree of one node is without a tree.
fn plain_discipline(rank: &str, queue: Part, drop: &str, buffer: BufferSize) -> RankDiscipline {
    RankDiscipline::new(&DisciplineSpec {
        rank: Part::named(rank),
        queue,
        drop: Part::named(drop),
        mark: None,
        pace: None,
        buffer,
        rank_unit: RankUnit::ONE,
        link_rate: rate(),
    })
    .unwrap()
}

#[test]
fn a_tree_of_one_node_is_the_plain_discipline() {
    for (rank, shared, plain) in [
        ("strict", hffs(256), hffs(256)),
        ("remaining-bytes", hffs(4_096), hffs(4_096)),
        ("stfq", hffs(1 << 22), Part { name: "rolling-hffs".to_owned(), ..hffs(1 << 22) }),
        ("wfq", Part::named("pifo"), Part::named("pifo")),
        ("fifo-plus", Part::named("pifo"), Part::named("pifo")),
        ("pias", Part::named("pifo"), Part::named("pifo")),
    ] {
        for buffer in [BufferSize::Packets(30), BufferSize::Bytes(20_000)] {
            let root = NodeSpec { below: Below::Packets(None), ..leaf(rank, &[]) };
            let mut tree = TreeDiscipline::new(&spec(root, shared.clone(), buffer)).unwrap();
            let mut discipline = plain_discipline(rank, plain.clone(), "tail", buffer);
            compare(rank, &mut tree, &mut discipline);
        }
    }
}

/// Three levels with rank functions whose ranks stay, or rise for ever. Virtual time is
/// in bytes, so that a full buffer fits the window.
fn deep_tree() -> NodeSpec {
    let stfq = |children| NodeSpec { rank_unit: 256, ..inner("stfq", children) };
    let shares = stfq(vec![weighing(3, leaf("remaining-bytes", &[1])), leaf("edf", &[2])]);
    stfq(vec![leaf("strict", &[0]), weighing(2, shares), leaf("arrival", &[3])])
}

#[test]
fn a_tree_on_one_shared_queue_is_the_tree_on_a_pifo_for_each_node() {
    let buffer = BufferSize::Packets(40);
    let tree = |queue| TreeDiscipline::new(&spec(deep_tree(), queue, buffer)).unwrap();
    let mut shared = tree(hffs(1 << 24));
    compare("deep", &mut shared, &mut tree(Part::named("pifo")));
    assert!(shared.counters().iter().all(|counter| counter.value == 0), "{:?}", shared.counters());
}

/// Strict priority over two tenants, of whom the first serves short flows first and the
/// second in order of arrival, as sorted lists. An entry of the root is a class's rank
/// and the tenant's number. A tenant may have a pace rule: then its entries come to the root later.
#[derive(Default)]
struct PlainTree {
    root: Vec<(u8, usize)>,
    tenants: [Vec<(u64, Packet)>; 2],
    paces: [Option<Box<dyn PaceRule>>; 2],
    /// When, in which order, and as what entries reach the root.
    held: Vec<(Time, u64, u8, usize)>,
    held_back: u64,
}

impl PlainTree {
    fn paced(rules: [&Part; 2]) -> Self {
        let rule = |part: &Part| -> Option<Box<dyn PaceRule>> {
            let entry = PACE_RULES.iter().find(|entry| entry.about.name == part.name).unwrap();
            Some((entry.build)(&Params::check(entry.about.params, part.params.clone()).unwrap()).unwrap())
        };
        Self { paces: rules.map(rule), ..Self::default() }
    }

    fn enter_root(&mut self, class: u8, tenant: usize) {
        let place = self.root.iter().filter(|(queued, _)| *queued <= 255 - class).count();
        self.root.insert(place, (255 - class, tenant));
    }

    fn release(&mut self, now: Time) {
        self.held.sort_unstable();
        while let Some(&(_, _, class, tenant)) = self.held.first().filter(|(time, ..)| *time <= now) {
            self.held.remove(0);
            self.enter_root(class, tenant);
        }
    }

    fn insert<T>(list: &mut Vec<(u64, T)>, rank: u64, item: T) {
        let place = list.iter().filter(|(queued, _)| *queued <= rank).count();
        list.insert(place, (rank, item));
    }
}

impl Discipline for PlainTree {
    fn enqueue(&mut self, now: Time, mut packet: Packet, _: &mut Vec<Packet>) -> Verdict {
        let tenant = usize::from(packet.class.0 % 2 == 1);
        let rank = if tenant == 0 { packet.remaining_bytes } else { now.as_ps() };
        packet.rank = rank;
        if self.len() == 40 {
            return Verdict::Refused { rank };
        }
        self.release(now);
        Self::insert(&mut self.tenants[tenant], rank, packet);
        match self.paces[tenant].as_mut().map(|rule| rule.eligible(now, &packet)).filter(|time| *time > now) {
            None => self.enter_root(packet.class.0, tenant),
            Some(time) => {
                self.held_back += 1;
                self.held.push((time, self.held_back, packet.class.0, tenant));
            }
        }
        Verdict::Queued { rank }
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        self.held.iter().map(|(time, ..)| *time).min().filter(|time| *time > now)
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        self.release(now);
        if self.root.is_empty() {
            return None;
        }
        let (_, tenant) = self.root.remove(0);
        Some(self.tenants[tenant].remove(0).1)
    }

    fn len(&self) -> usize {
        self.root.len() + self.held.len()
    }

    fn bytes(&self) -> u64 {
        self.tenants.iter().flatten().map(|(_, packet)| u64::from(packet.size_bytes)).sum()
    }
}

#[test]
fn a_tree_does_what_sorted_lists_do() {
    let root = inner("strict", vec![leaf("remaining-bytes", &[0, 2]), leaf("arrival", &[1, 3])]);
    for queue in [hffs(1 << 22), Part::named("pifo")] {
        let mut tree = TreeDiscipline::new(&spec(root.clone(), queue, BufferSize::Packets(40))).unwrap();
        compare("lists", &mut tree, &mut PlainTree::default());
    }
}

#[test]
fn a_tree_holds_back_what_sorted_lists_hold_back() {
    let part = |name: &str, params: &[(&str, &str)]| {
        let params = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Text((*value).to_owned())));
        Part { name: name.to_owned(), params: params.collect(), own: None }
    };
    let delay = part("delay", &[("time", "60 ps")]);
    let bucket = part("token-bucket", &[("rate", "300 Tbps"), ("burst", "3 KB"), ("of", "all")]);
    let pacing = |pace: &Part, node| NodeSpec { pace: Some(pace.clone()), ..node };
    let tenants = [pacing(&delay, leaf("remaining-bytes", &[0, 2])), pacing(&bucket, leaf("arrival", &[1, 3]))];
    let root = inner("strict", tenants.into());
    for queue in [hffs(1 << 22), Part::named("pifo")] {
        let mut tree = TreeDiscipline::new(&spec(root.clone(), queue, BufferSize::Packets(40))).unwrap();
        let mut lists = PlainTree::paced([&delay, &bucket]);
        compare("paced lists", &mut tree, &mut lists);
        assert!(lists.held_back > 10_000, "{}", lists.held_back);
    }
    // With a node between, which has the pace rule, the same comes out.
    let between = |pace: &Part, node| pacing(pace, inner("arrival", vec![node]));
    let tenants = [between(&delay, leaf("remaining-bytes", &[0, 2])), between(&bucket, leaf("arrival", &[1, 3]))];
    let mut tree =
        TreeDiscipline::new(&spec(inner("strict", tenants.into()), Part::named("pifo"), BufferSize::Packets(40)))
            .unwrap();
    compare("paced above", &mut tree, &mut PlainTree::paced([&delay, &bucket]));
    let error =
        TreeDiscipline::new(&spec(pacing(&delay, root), Part::named("pifo"), BufferSize::Packets(40))).err().unwrap();
    assert!(matches!(error, TreeError::Node { field: "pace", .. }), "{error}");
}

/// Two tenants that always have packets waiting: how many bytes each is served. The
/// second sends packets of `size_bytes` and keeps `backlog` of them waiting.
fn served(root: NodeSpec, size_bytes: u32, backlog: usize) -> [u64; 2] {
    let mut tree = TreeDiscipline::new(&spec(root, hffs(1 << 24), BufferSize::Packets(10_000))).unwrap();
    let mut rng = Seed(8).stream("tenants");
    let mut offer = |tree: &mut TreeDiscipline, tenant: u8| {
        let packet = Packet {
            class: ClassId(tenant),
            size_bytes: if tenant == 0 { 1_000 } else { size_bytes },
            remaining_bytes: rng.random_range(1..4_000_000),
            ..Packet::default()
        };
        assert!(matches!(tree.enqueue(Time::ZERO, packet, &mut Vec::new()), Verdict::Queued { .. }));
    };
    (0..10).for_each(|_| offer(&mut tree, 0));
    (0..backlog).for_each(|_| offer(&mut tree, 1));
    let mut bytes = [0; 2];
    for _ in 0..20_000 {
        let packet = tree.dequeue(Time::ZERO).unwrap();
        bytes[usize::from(packet.class.0)] += u64::from(packet.size_bytes);
        offer(&mut tree, packet.class.0);
    }
    assert!(tree.counters().iter().all(|counter| counter.value == 0), "{:?}", tree.counters());
    bytes
}

#[test]
fn a_tenant_gets_its_share_whatever_the_other_does() {
    // Units of four bytes, so that 5,000 packets fit the window of ranks.
    let tenants = |weight| NodeSpec {
        rank_unit: 1_024,
        ..inner("stfq", vec![weighing(weight, leaf("remaining-bytes", &[0])), leaf("remaining-bytes", &[1])])
    };
    for (size_bytes, backlog) in [(1_000, 10), (64, 10), (1_500, 5_000), (64, 5_000)] {
        for weight in [1, 3] {
            let [first, second] = served(tenants(weight), size_bytes, backlog);
            let off = first.abs_diff(u64::from(weight) * second);
            assert!(off <= 10_000, "{size_bytes} B, {backlog} waiting, weight {weight}: {first} and {second}");
        }
    }
}

fn refused(root: NodeSpec, queue: Part) -> TreeError {
    match TreeDiscipline::new(&spec(root, queue, BufferSize::Packets(10))) {
        Err(error) => error,
        Ok(_) => panic!("the tree was built"),
    }
}

fn place_of(error: &TreeError) -> (Vec<usize>, &'static str) {
    match error {
        TreeError::Node { path, field, .. } => (path.clone(), *field),
        _ => (Vec::new(), "the tree's queue"),
    }
}

#[test]
fn what_makes_no_tree_is_refused_with_its_place() {
    let pifo = || Part::named("pifo");
    let rest = || NodeSpec { below: Below::Packets(None), ..leaf("strict", &[]) };
    for (root, queue, path, field, text) in [
        (
            inner("stfq", vec![leaf("strict", &[1, 2]), leaf("edf", &[2])]),
            pifo(),
            vec![1],
            "classes",
            "class 2 is in two",
        ),
        (inner("stfq", vec![rest(), rest()]), pifo(), vec![1], "classes", "only one leaf"),
        (inner("stfq", vec![leaf("strict", &[])]), pifo(), vec![0], "classes", "at least one class"),
        (inner("stfq", vec![]), pifo(), vec![], "children", "at least one child"),
        (inner("stfq", vec![leaf("strikt", &[1])]), pifo(), vec![0], "rank", "did you mean `strict`"),
        (inner("edf", vec![weighing(2, rest())]), pifo(), vec![], "rank", "ignores weights"),
        (inner("stfq", vec![inner("wfq", vec![rest()])]), pifo(), vec![0], "rank", "at the root"),
        (inner("stfq", vec![rest()]), hffs(2), vec![], "the tree's queue", "ranks = 3 or more"),
        (inner("stfq", vec![rest()]), hffs(300), vec![], "the tree's queue", "rank_unit = 3"),
        (rest(), Part::named("sp-pifa"), vec![], "the tree's queue", "did you mean `sp-pifo`"),
    ] {
        let error = refused(root, queue);
        assert_eq!(place_of(&error), (path, field), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}
