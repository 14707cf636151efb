//! Worst-case fair queueing in a tree. Every choice of every node is compared with the equations of a fluid that gets what the node sends
//! (Bennett and Zhang, SIGCOMM'96, section 4), in floating-point numbers. The shares that follow are checked, too.

use super::{inner, leaf, place_of, rate, refused, spec, weighing};
use forebay_core::{BufferSize, ClassId, Discipline, FlowId, Packet, Rng, Seed, Time, Verdict};
use forebay_sched::{Below, NodeSpec, Part, TreeDiscipline};
use rand::RngExt;
use std::collections::VecDeque;

/// Ranks and starts are rounded down to 1/256 byte at weight 1.
const TOLERANCE: f64 = 2.0 / 256.0;

fn fair(children: Vec<NodeSpec>) -> NodeSpec {
    NodeSpec { queue: Some(Part::named("pieo")), ..inner("wf2q", children) }
}

fn tree(root: NodeSpec) -> TreeDiscipline {
    TreeDiscipline::new(&spec(root, Part::named("pifo"), BufferSize::Packets(4_000))).unwrap()
}

/// A child of a node: its weight, when the fluid finishes its last packet, and the start and finish of each that waits.
struct Child {
    weight: f64,
    finish: f64,
    waiting: VecDeque<(f64, f64)>,
}

/// A node as the equations have it.
struct Equations {
    virtual_time: f64,
    children: Vec<Child>,
}

impl Equations {
    fn new(weights: &[u32]) -> Self {
        let child = |weight: &u32| Child { weight: f64::from(*weight), finish: 0.0, waiting: VecDeque::new() };
        Self { virtual_time: 0.0, children: weights.iter().map(child).collect() }
    }

    fn arrive(&mut self, child: usize, size: f64) {
        let child = &mut self.children[child];
        let start = child.finish.max(self.virtual_time);
        child.finish = start + size / child.weight;
        child.waiting.push_back((start, child.finish));
    }

    /// The node has chosen `child`, which sends so much. Says whether another would have finished first that has not started.
    fn serve(&mut self, child: usize, size: f64) -> bool {
        let heads = || self.children.iter().filter_map(|child| child.waiting.front().copied());
        let first = heads().map(|(start, _)| start).fold(f64::INFINITY, f64::min);
        let now = if first > self.virtual_time + TOLERANCE { first } else { self.virtual_time };
        let (start, finish) = *self.children[child].waiting.front().expect("it waits");
        assert!(start <= now + TOLERANCE, "{child} starts at {start}, and it is {now}");
        let better = |(_, other): &(f64, f64)| *other < finish - TOLERANCE;
        for (start, other) in heads().filter(better) {
            assert!(start > now - TOLERANCE, "at {now} one of {start} to {other} goes before {finish}");
        }
        let held_back = heads().any(|head| better(&head));
        self.virtual_time = now;
        self.flow(size);
        self.children[child].waiting.pop_front();
        held_back
    }

    /// The fluid sends so much, to all children at once that it has not finished, until the first of them is.
    fn flow(&mut self, mut size: f64) {
        loop {
            let busy = || self.children.iter().filter(|child| child.finish > self.virtual_time);
            let weight: f64 = busy().map(|child| child.weight).sum();
            let first = busy().map(|child| child.finish).fold(f64::INFINITY, f64::min);
            let until_first = (first - self.virtual_time) * weight;
            if weight == 0.0 || size < until_first {
                self.virtual_time += if weight > 0.0 { size / weight } else { 0.0 };
                return;
            }
            size -= until_first;
            self.virtual_time = first;
        }
    }
}

/// Bursts for few classes, and pauses.
fn random_size(rng: &mut Rng) -> u32 {
    if rng.random_bool(0.3) { 64 } else { rng.random_range(40..1_500) }
}

#[test]
fn each_node_sends_what_finishes_first_of_what_has_started() {
    // Classes 0 and 3 are leaves of the upper node; 1 and 2 are below the lower one.
    let lower = fair(vec![weighing(3, leaf("arrival", &[1])), leaf("packet-rank", &[2])]);
    let upper = fair(vec![weighing(4, leaf("arrival", &[0])), weighing(2, lower), leaf("arrival", &[3])]);
    let mut tree = tree(inner("arrival", vec![upper]));
    let mut above = Equations::new(&[4, 2, 1]);
    let mut below = Equations::new(&[3, 1]);
    let mut rng = Seed(5).stream("fair tree");
    let (mut held_back, mut sent) = ([0; 2], 0);
    for id in 0..12_000 {
        let (now, filling) = (Time::from_ns(id), id / 60 % 2 == 0);
        if rng.random_range(0..100) < if filling { 70 } else { 32 } {
            let class = rng.random_range(0..4_u8);
            let size_bytes = random_size(&mut rng);
            let rank = rng.random_range(0..50);
            let packet = Packet { id, size_bytes, rank, class: ClassId(class), ..Packet::default() };
            assert!(matches!(tree.enqueue(now, packet, &mut Vec::new()), Verdict::Queued { .. }));
            let size = f64::from(size_bytes);
            above.arrive([0, 1, 1, 2][usize::from(class)], size);
            if let 1 | 2 = class {
                below.arrive(usize::from(class) - 1, size);
            }
        } else if let Some(packet) = tree.dequeue(now) {
            let (class, size) = (usize::from(packet.class.0), f64::from(packet.size_bytes));
            held_back[0] += u32::from(above.serve([0, 1, 1, 2][class], size));
            if let 1 | 2 = class {
                held_back[1] += u32::from(below.serve(class - 1, size));
            }
            sent += 1;
        }
    }
    assert!(sent > 4_000 && held_back.iter().all(|&count| count > 15), "{sent} {held_back:?}");
}

/// The example of Bennett and Zhang, below a node that does nothing: eleven packets of a tenant with half of all weight, and one
/// of each other.
#[test]
fn a_heavy_tenant_takes_turns_with_the_light_ones() {
    let leaves = (0..11).map(|class| weighing(if class == 0 { 10 } else { 1 }, leaf("arrival", &[class]))).collect();
    let mut tree = tree(inner("arrival", vec![fair(leaves)]));
    for class in std::iter::repeat_n(0, 11).chain(1..=10) {
        let packet = Packet { size_bytes: 1_500, class: ClassId(class), ..Packet::default() };
        tree.enqueue(Time::ZERO, packet, &mut Vec::new());
    }
    let heavy: Vec<bool> =
        std::iter::from_fn(|| tree.dequeue(Time::ZERO)).map(|packet| packet.class == ClassId(0)).collect();
    assert_eq!(heavy, (0..21).map(|place| place % 2 == 0).collect::<Vec<_>>());
}

/// Three tenants at the root, whose clock is the fluid's, and shares within one of them, flow by flow in a leaf. No flow is ever further
/// from its share of what was sent than a few packets.
#[test]
fn shares_hold_at_every_moment_at_all_levels() {
    let flows = NodeSpec { queue: Some(Part::named("pieo")), ..leaf("wf2q", &[2]) };
    let first = weighing(6, fair(vec![weighing(2, leaf("arrival", &[0])), leaf("arrival", &[1])]));
    let mut tree = tree(fair(vec![first, weighing(2, flows), leaf("arrival", &[3])]));
    let mut now = Time::ZERO;
    let offer = |tree: &mut TreeDiscipline, now, class, flow| {
        let packet = Packet { size_bytes: 1_000, class: ClassId(class), flow: FlowId(flow), ..Packet::default() };
        tree.enqueue(now, packet, &mut Vec::new());
    };
    // Shares of 9: 4, 2, 1 for each of two flows, 1.
    let all = [(0, 0, 4.0), (1, 0, 2.0), (2, 1, 1.0), (2, 2, 1.0), (3, 0, 1.0)];
    for (class, flow, _) in all {
        (0..8).for_each(|_| offer(&mut tree, now, class, flow));
    }
    let mut served = [0.0; 5];
    for total in 1..2_000 {
        now += rate().transmission_time(1_000);
        let packet = tree.dequeue(now).unwrap();
        let of_flow = |(class, flow, _): &(u8, u32, f64)| (*class, *flow) == (packet.class.0, packet.flow.0);
        served[all.iter().position(of_flow).unwrap()] += 1.0;
        for (served, (.., share)) in served.iter().zip(all) {
            let due = f64::from(total) * share / 9.0;
            assert!((served - due).abs() < 2.0, "{served} of {due} after {total}");
        }
        offer(&mut tree, now, packet.class.0, packet.flow.0);
    }
}

#[test]
fn a_queue_that_holds_nothing_back_is_refused_with_its_place() {
    let rest = || NodeSpec { below: Below::Packets(None), ..leaf("strict", &[]) };
    let own = |queue: &str, node: NodeSpec| NodeSpec { queue: Some(Part::named(queue)), ..node };
    let below_root = inner("arrival", vec![own("sp-pifo", inner("wf2q", vec![rest()]))]);
    for (root, queue, place, text) in [
        (inner("wf2q", vec![rest()]), "pifo", (vec![], "the tree's queue"), "`pifo` cannot hold packets back"),
        (inner("wf2q", vec![rest()]), "hffs", (vec![], "the tree's queue"), "give this node queue = \"pieo\""),
        (below_root, "pifo", (vec![0], "queue"), "`sp-pifo` cannot hold packets back, which rank = \"wf2q\" needs"),
    ] {
        let error = refused(root, Part::named(queue));
        assert_eq!(place_of(&error), place, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
}
