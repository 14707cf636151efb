//! Trees that push out the packet that would leave last: against sorted lists which are served to their end to find it.

use super::{hffs, inner, leaf, place_of, plain_discipline, random_packet, rate, spec, weighing};
use forebay_core::{BufferSize, Discipline, FlowId, Packet, ParamValue, Seed, Time, Verdict};
use forebay_sched::{Below, NodeSpec, Part, RANK_FNS, RankFn, TreeDiscipline, TreeError, TreeSpec};
use rand::RngExt;
use std::collections::BTreeMap;

fn worst_first(root: NodeSpec, queue: Part, buffer: BufferSize) -> TreeSpec {
    TreeSpec { drop: Part::named("worst-first"), ..spec(root, queue, buffer) }
}

/// A node: in a leaf the packets, elsewhere entries whose flows are the children.
#[derive(Clone)]
struct Entries {
    parent: Option<(usize, u32)>,
    children: Vec<usize>,
    /// In the order of service.
    sorted: Vec<Packet>,
}

/// A tree of sorted lists, with the rank functions of its nodes.
struct Lists {
    nodes: Vec<Entries>,
    ranks: Vec<Box<dyn RankFn + Send>>,
    /// The leaf of each class from 0.
    leaves: Vec<usize>,
    buffer: BufferSize,
}

fn insert(sorted: &mut Vec<Packet>, packet: Packet) {
    let place = sorted.iter().filter(|queued| queued.rank <= packet.rank).count();
    sorted.insert(place, packet);
}

/// Takes the packet that goes next at or below a node.
fn pop(nodes: &mut [Entries], node: usize) -> Option<Packet> {
    if nodes[node].sorted.is_empty() {
        return None;
    }
    let entry = nodes[node].sorted.remove(0);
    match nodes[node].children.get(entry.flow.index()) {
        Some(&child) => pop(nodes, child),
        None => Some(entry),
    }
}

fn waiting(nodes: &[Entries]) -> impl Iterator<Item = &Packet> {
    nodes.iter().filter(|node| node.children.is_empty()).flat_map(|leaf| &leaf.sorted)
}

impl Lists {
    fn fits(&self, nodes: &[Entries]) -> bool {
        match self.buffer {
            BufferSize::Packets(limit) => waiting(nodes).count() as u64 <= limit,
            BufferSize::Bytes(limit) => waiting(nodes).map(|packet| u64::from(packet.size_bytes)).sum::<u64>() <= limit,
        }
    }

    fn rank_of(&mut self, node: usize, now: Time, packet: &Packet) -> Packet {
        Packet { rank: self.ranks[node].rank(now, packet), ..*packet }
    }
}

impl Discipline for Lists {
    fn enqueue(&mut self, now: Time, offered: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let before = self.nodes.clone();
        let mut node = self.leaves[usize::from(offered.class.0)];
        let mut own = vec![(node, self.rank_of(node, now, &offered))];
        while let Some((parent, number)) = self.nodes[node].parent {
            own.push((parent, self.rank_of(parent, now, &Packet { flow: FlowId(number), ..offered })));
            node = parent;
        }
        let rank = own[0].1.rank;
        let mut nodes = before.clone();
        for (node, entry) in &own {
            insert(&mut nodes[*node].sorted, *entry);
        }
        let mut removed = Vec::new();
        while !self.fits(&nodes) {
            // The definition: the packet that would leave last if nothing more arrived.
            let mut served = nodes.clone();
            let last = std::iter::from_fn(|| pop(&mut served, 0)).last().expect("something waits");
            if last.id == offered.id {
                // Refused. What left before it stays away, and with each the last entry above it.
                nodes.clone_from(&before);
                for victim in evicted.iter() {
                    let mut node = self.leaves[usize::from(victim.class.0)];
                    nodes[node].sorted.retain(|packet| packet.id != victim.id);
                    while let Some((parent, number)) = nodes[node].parent {
                        let of_child = nodes[parent].sorted.iter().rposition(|entry| entry.flow.0 == number);
                        let entry = nodes[parent].sorted.remove(of_child.expect("it has one"));
                        removed.push((parent, entry));
                        node = parent;
                    }
                    removed.push((self.leaves[usize::from(victim.class.0)], *victim));
                }
                self.finish(nodes, &removed, &[]);
                return Verdict::Refused { rank };
            }
            let mut node = 0;
            loop {
                let entry = nodes[node].sorted.pop().expect("it has the last");
                match nodes[node].children.get(entry.flow.index()) {
                    Some(child) => {
                        removed.push((node, entry));
                        node = *child;
                    }
                    None => {
                        assert_eq!(entry.id, last.id, "the last of all is below the last entries");
                        removed.push((node, entry));
                        evicted.push(entry);
                        break;
                    }
                }
            }
        }
        // An entry of the packet itself that went was never there.
        let is_own = |node: &usize, entry: &Packet| own.iter().any(|(other, own)| other == node && own.id == entry.id);
        let entered: Vec<_> = own
            .iter()
            .filter(|(node, entry)| !removed.iter().any(|(other, gone)| other == node && gone.id == entry.id))
            .copied()
            .collect();
        removed.retain(|(node, entry)| !is_own(node, entry));
        self.finish(nodes, &removed, &entered);
        Verdict::Queued { rank }
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        let mut before = self.nodes.clone();
        let packet = pop(&mut self.nodes, 0)?;
        let mut node = 0;
        loop {
            let mut entry = before[node].sorted.remove(0);
            let child = self.nodes[node].children.get(entry.flow.index()).copied();
            let mut seen = Packet { rank: entry.rank, flow: entry.flow, ..packet };
            self.ranks[node].dequeued(now, if child.is_some() { &mut seen } else { &mut entry });
            match child {
                Some(child) => node = child,
                None => return Some(entry),
            }
        }
    }

    fn len(&self) -> usize {
        waiting(&self.nodes).count()
    }

    fn bytes(&self) -> u64 {
        waiting(&self.nodes).map(|packet| u64::from(packet.size_bytes)).sum()
    }
}

impl Lists {
    /// Reports the result of an arrival to the rank functions.
    fn finish(&mut self, nodes: Vec<Entries>, removed: &[(usize, Packet)], entered: &[(usize, Packet)]) {
        self.nodes = nodes;
        removed.iter().for_each(|(node, entry)| self.ranks[*node].evicted(entry));
        entered.iter().for_each(|(node, entry)| self.ranks[*node].queued(entry));
    }

    /// The root over two leaves and a node over two leaves, of classes 0 to 3.
    fn new(ranks: [&str; 6], buffer: BufferSize) -> Self {
        let node = |parent, children: &[usize]| Entries { parent, children: children.into(), sorted: Vec::new() };
        let built = |name: &str| {
            let entry = RANK_FNS.iter().find(|entry| entry.about.name == name).unwrap();
            let params = forebay_core::Params::check(entry.about.params, BTreeMap::new()).unwrap();
            (entry.build)(Some(rate()), &params).unwrap()
        };
        let nodes = vec![
            node(None, &[1, 2, 5]),
            node(Some((0, 0)), &[]),
            node(Some((0, 1)), &[3, 4]),
            node(Some((2, 0)), &[]),
            node(Some((2, 1)), &[]),
            node(Some((0, 2)), &[]),
        ];
        Self { nodes, ranks: ranks.into_iter().map(built).collect(), leaves: vec![1, 3, 4, 5], buffer }
    }
}

/// The tree of [`Lists`].
fn tree_of([root, first, node, below, other, last]: [&str; 6]) -> NodeSpec {
    let middle = inner(node, vec![leaf(below, &[1]), leaf(other, &[2])]);
    inner(root, vec![leaf(first, &[0]), middle, leaf(last, &[3])])
}

/// The same operations on both; every answer must be the same. Returns how many were pushed out, and how many were not admitted.
fn compare(case: &str, one: &mut impl Discipline, other: &mut impl Discipline) -> [u32; 2] {
    let mut rng = Seed(22).stream(case);
    let mut counts = [0; 2];
    for id in 0..2_500 {
        let now = Time::from_ns(id);
        if rng.random_range(0..100) < if id / 200 % 2 == 0 { 75 } else { 40 } {
            let packet = random_packet(&mut rng, id, now);
            let mut evicted = [Vec::new(), Vec::new()];
            let [first, second] = &mut evicted;
            let verdicts = [one.enqueue(now, packet, first), other.enqueue(now, packet, second)];
            assert_eq!(verdicts[0], verdicts[1], "{case}: packet {id}");
            assert_eq!(evicted[0], evicted[1], "{case}: packet {id}");
            counts[0] += u32::try_from(evicted[0].len()).unwrap();
            counts[1] += u32::from(matches!(verdicts[0], Verdict::Refused { .. }));
        } else {
            assert_eq!(one.dequeue(now), other.dequeue(now), "{case}: step {id}");
        }
        assert_eq!((one.len(), one.bytes()), (other.len(), other.bytes()), "{case}: step {id}");
    }
    counts
}

#[test]
fn a_tree_pushes_out_what_would_leave_last() {
    let of_packets = ["packet-rank", "remaining-bytes", "packet-rank", "remaining-bytes", "packet-rank", "edf"];
    let by_class = ["strict", "packet-rank", "strict", "remaining-bytes", "arrival", "packet-rank"];
    let fair = ["stfq", "remaining-bytes", "stfq", "packet-rank", "stfq", "arrival"];
    for ranks in [of_packets, by_class, fair] {
        for buffer in [BufferSize::Packets(12), BufferSize::Bytes(7_000)] {
            // Virtual times and times of arrival do not fit the partitions of an HFFS.
            let queues = [Part::named("pifo"), hffs(1 << 24)];
            for queue in queues.into_iter().filter(|queue| queue.name == "pifo" || ranks != fair) {
                let case = format!("{ranks:?} {buffer} {}", queue.name);
                let mut tree = TreeDiscipline::new(&worst_first(tree_of(ranks), queue, buffer)).unwrap();
                let [out, refused] = compare(&case, &mut tree, &mut Lists::new(ranks, buffer));
                assert!(out > 100 && refused > 30, "{case}: {out} {refused}");
                assert!(tree.counters().iter().all(|counter| counter.value == 0), "{:?}", tree.counters());
            }
        }
    }
}

#[test]
fn a_tree_of_one_node_pushes_out_as_the_plain_discipline_does() {
    for (rank, shared, plain) in [
        ("remaining-bytes", hffs(4_096), hffs(4_096)),
        ("stfq", hffs(1 << 22), Part { name: "rolling-hffs".to_owned(), ..hffs(1 << 22) }),
        ("wfq", Part::named("pifo"), Part::named("pifo")),
        ("packet-rank", Part::named("fibonacci-pair"), Part::named("fibonacci-pair")),
    ] {
        for buffer in [BufferSize::Packets(30), BufferSize::Bytes(20_000)] {
            let root = NodeSpec { below: Below::Packets(None), ..leaf(rank, &[]) };
            let mut tree = TreeDiscipline::new(&worst_first(root, shared.clone(), buffer)).unwrap();
            let mut discipline = plain_discipline(rank, plain.clone(), "worst-first", buffer);
            let [out, refused] = compare(rank, &mut tree, &mut discipline);
            assert!(out > 50 && refused > 50, "{rank} {out} {refused}");
        }
    }
}

/// One tenant keeps the buffer full; the other always gets in, and its share of the link.
#[test]
fn a_tenant_that_fills_the_buffer_keeps_nobody_out() {
    let served = |drop: &str| {
        let tenants = vec![weighing(1, leaf("arrival", &[0])), weighing(1, leaf("arrival", &[1]))];
        let spec = TreeSpec {
            drop: Part::named(drop),
            ..spec(inner("stfq", tenants), Part::named("pifo"), BufferSize::Packets(20))
        };
        let mut tree = TreeDiscipline::new(&spec).unwrap();
        let mut served = [0_u32; 2];
        for id in 0..4_000 {
            let mut offer = |class| {
                let class = forebay_core::ClassId(class);
                tree.enqueue(Time::ZERO, Packet { id, size_bytes: 1_000, class, ..Packet::default() }, &mut Vec::new());
            };
            (0..9).for_each(|_| offer(0));
            offer(1);
            let packet = tree.dequeue(Time::ZERO).unwrap();
            served[usize::from(packet.class.0)] += 1;
        }
        served
    };
    let [greedy, modest] = served("worst-first");
    assert!(greedy.abs_diff(modest) <= 2, "{greedy} {modest}");
    let [greedy, modest] = served("tail");
    assert!(greedy > 3 * modest, "{greedy} {modest}");
}

#[test]
fn what_has_no_last_packet_is_refused_with_its_place() {
    let rest = || NodeSpec { below: Below::Packets(None), ..leaf("strict", &[]) };
    let refused = |root, queue: &str| {
        let spec = worst_first(root, Part::named(queue), BufferSize::Packets(10));
        TreeDiscipline::new(&spec).err().expect("it is refused")
    };
    let delay = Part {
        name: "delay".to_owned(),
        params: BTreeMap::from([("time".to_owned(), ParamValue::Text("1 us".to_owned()))]),
        own: None,
    };
    let paced = inner("strict", vec![NodeSpec { pace: Some(delay), ..rest() }]);
    let own = inner("strict", vec![NodeSpec { queue: Some(Part::named("sp-pifo")), ..rest() }]);
    for (error, place, text) in [
        (refused(paced, "pifo"), (vec![0], "pace"), "leave `pace` out"),
        (refused(own, "pifo"), (vec![0], "queue"), "`sp-pifo` cannot give up its worst packet"),
        (refused(rest(), "fifo"), (vec![], "the tree's queue"), "use drop = \"tail\""),
    ] {
        assert_eq!(place_of(&error), place, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    let spec = TreeSpec { drop: Part::named("worst"), ..spec(rest(), Part::named("pifo"), BufferSize::Packets(10)) };
    let error = TreeDiscipline::new(&spec).err().expect("there is no such rule");
    assert!(matches!(error, TreeError::Drop(_)) && error.to_string().contains("worst-first"), "{error}");
}
