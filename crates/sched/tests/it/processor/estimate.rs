//! A scheduler that knows an estimate, and an application that knows everything.

use crate::processor::{built, naive, packets, serve};
use forebay_core::{Duration, Packet, Time};
use forebay_sim::{Estimated, Processor, Service};
use std::collections::BTreeSet;

#[test]
fn the_order_follows_the_estimate_and_the_work_stays_what_it_is() {
    let packets = packets(4_000, 3, "estimate");
    let truth = |packet: &Packet| packets[usize::try_from(packet.id).unwrap()].processing;
    // With equal estimates of all work, WSJF serves by size: longest first.
    let constant = Estimated::new(Processor, |_: &Packet| Duration::from_us(1));
    let (_, watch) = serve(constant, 2, built("job-ratio", "worst-first", 20), &packets, Time::MAX);
    let by_size = naive::run(&packets, 2, 20, true, |packet| 1_000_000 / u64::from(packet.size_bytes));
    assert_eq!(watch.log, by_size);
    for packet in watch.completed.iter().chain(&watch.dropped) {
        assert_eq!(packet.processing, truth(packet), "probes see the truth");
    }
    assert!(watch.dropped.len() > 500);
}

#[test]
fn a_perfect_estimate_changes_nothing() {
    let packets = packets(4_000, 3, "perfect");
    for rank in ["job-size", "job-ratio", "job-ratio-inorder"] {
        let perfect = Estimated::new(Processor, |packet: &Packet| packet.processing);
        let (_, estimated) = serve(perfect, 2, built(rank, "worst-first", 20), &packets, Time::MAX);
        let (_, plain) = serve(Processor, 2, built(rank, "worst-first", 20), &packets, Time::MAX);
        assert_eq!(estimated.log, plain.log, "{rank}");
    }
}

#[test]
fn the_truth_is_kept_for_packets_that_wait_and_no_others() {
    let packets = packets(4_000, 3, "kept");
    for (drop, until) in [("tail", Time::MAX), ("worst-first", Time::MAX), ("worst-first", packets[2_000].arrival)] {
        let mut constant = Estimated::new(Processor, |_: &Packet| Duration::from_us(1));
        let (outcome, watch) = serve(&mut constant, 1, built("job-ratio", drop, 20), &packets, until);
        assert!(watch.dropped.len() > 500);
        let waits = outcome.packets_queued.saturating_sub(1);
        assert_eq!(constant.kept() as u64, waits, "{drop}: one of those queued is in service");
        assert_eq!(waits > 0, until < Time::MAX);
    }
}

/// Works twice as long as the packet says, and reports that to the scheduler at once; keeps account of each packet.
#[derive(Default)]
struct Double {
    waiting: BTreeSet<u64>,
    in_service: BTreeSet<u64>,
    dropped: usize,
    completed: usize,
}

impl Service for Double {
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        assert_eq!(now, packet.arrival);
        packet.processing = packet.processing + packet.processing;
        assert!(self.waiting.insert(packet.id));
    }

    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        assert!(self.waiting.remove(&packet.id) && self.in_service.insert(packet.id));
        packet.processing
    }

    fn dropped(&mut self, _: Time, packet: &mut Packet) {
        assert!(self.waiting.remove(&packet.id));
        self.dropped += 1;
    }

    fn completed(&mut self, _: Time, packet: &Packet) {
        assert!(self.in_service.remove(&packet.id));
        self.completed += 1;
    }
}

#[test]
fn an_application_is_told_of_each_packet_what_becomes_of_it() {
    let packets = packets(4_000, 6, "application");
    for (rank, drop) in [("arrival", "tail"), ("job-ratio", "worst-first"), ("job-ratio-inorder", "worst-first")] {
        let mut told = Double::default();
        let (_, watch) = serve(&mut told, 2, built(rank, drop, 8), &packets, Time::MAX);
        assert_eq!((told.waiting.len(), told.in_service.len()), (0, 0));
        assert_eq!((told.dropped, told.completed), (watch.dropped.len(), watch.completed.len()));
        assert_eq!(told.dropped + told.completed, 4_000);
        assert!(told.dropped > 100, "{}", told.dropped);
        // Within Estimated it sees the truth all the same.
        let mut estimated = Estimated::new(Double::default(), |_: &Packet| Duration::ZERO);
        let (_, watch) = serve(&mut estimated, 2, built(rank, drop, 8), &packets, Time::MAX);
        assert_eq!(estimated.service().completed, watch.completed.len());
        let doubled = |packet: &Packet| packets[usize::try_from(packet.id).unwrap()].processing.as_ps() * 2;
        assert!(watch.completed.iter().all(|packet| packet.processing.as_ps() == doubled(packet)));
    }
}
