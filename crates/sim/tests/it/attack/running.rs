//! Applications as services: the same jobs as in order of arrival where all is served in that order, and nothing left
//! behind.

use crate::attack::support::policy;
use forebay_core::estimate::Kept;
use forebay_core::{Duration, Packet, Seed, Time};
use forebay_sim::attack::applications::matcher::{Grades, InnocentPayloads, Rules, TwoStage};
use forebay_sim::attack::applications::tcp::{AttackFlows, InnocentFlows, Reassembler};
use forebay_sim::attack::applications::{Application, Running, Told};
use forebay_sim::attack::traffic::Merged;
use forebay_sim::attack::{Quantity, Traffic};
use forebay_sim::{Port, Probe, RunOptions};

/// Work of the packets that were done, in order, and how many were dropped.
#[derive(Default)]
struct Log {
    work: Vec<Duration>,
    dropped: usize,
}

impl Probe for Log {
    fn sent(&mut self, _: Time, packet: &Packet) {
        self.work.push(packet.processing);
    }

    fn refused(&mut self, _: Time, _: &Packet) {
        self.dropped += 1;
    }

    fn evicted(&mut self, _: Time, _: &Packet) {
        self.dropped += 1;
    }
}

/// Runs until all is done. Returns the work that was done, and the packets that the service still holds.
fn run<A: Application>(application: A, inputs: &dyn Fn() -> Merged<A::Input>, rank: &str, room: u64) -> (Log, usize) {
    let mut running = Running::new(application, inputs());
    let mut port = Port::new(&mut running, policy(rank, room), Log::default());
    port.run(&mut inputs(), &RunOptions::default());
    let (_, log) = port.into_parts();
    (log, running.present())
}

const END: Time = Time::from_ns(3_000_000);

fn segments(attack_bps: f64) -> Merged<forebay_traces::TcpSegment> {
    let attack = AttackFlows { out_of_order: 300, ..AttackFlows::longest() };
    Merged::new(InnocentFlows::default().segments(5e9, Seed(1)), Some(attack.segments(attack_bps)), END)
}

#[test]
fn served_in_order_of_arrival_the_work_is_that_of_the_arrivals() {
    let (log, present) = run(Reassembler::pigasus(), &|| segments(0.3e9), "arrival", 100_000);
    assert_eq!((log.dropped, present), (0, 0));
    let innocent = Reassembler::pigasus().arrivals(InnocentFlows::default().segments(5e9, Seed(1)), Told::Truth);
    let attack = AttackFlows { out_of_order: 300, ..AttackFlows::longest() }.segments(0.3e9);
    let attack = Reassembler::pigasus().arrivals(attack, Told::Truth);
    let work: Vec<Duration> = Traffic::new(innocent, Some(attack), END).map(|arrival| arrival.job.work).collect();
    assert!(log.work == work, "of {} packets", work.len());
    assert!(work.iter().any(|work| work.as_ns() > 1_800), "lists are long");
}

#[test]
fn what_is_dropped_or_done_is_forgotten() {
    for rank in ["arrival", "job-ratio", "job-ratio-inorder"] {
        let (log, present) = run(Reassembler::pigasus(), &|| segments(1e9), rank, 20);
        assert_eq!((log.work.len() + log.dropped, present), (segments(1e9).count(), 0), "{rank}");
        assert!(log.dropped > 500, "{rank}: {}", log.dropped);
    }
    let payloads = || {
        let size_bytes = Quantity::constant(800.0);
        let recipe = InnocentPayloads { rules: Rules::graded(Grades::default()), size_bytes, flows: 9 };
        Merged::new(recipe.payloads(5e9, Seed(1)), None, END)
    };
    let matcher = TwoStage::new(Duration::from_ns(200), Kept::worst());
    let (log, present) = run(matcher, &payloads, "job-ratio", 20);
    assert_eq!((log.work.len() + log.dropped, present), (payloads().count(), 0));
    assert!(log.dropped > 500, "{}", log.dropped);
}
