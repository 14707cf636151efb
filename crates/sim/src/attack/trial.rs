//! A trial: a processor behind a queue, under innocent and attack traffic.

use crate::Processor;
use crate::attack::estimator::Estimator;
use crate::attack::measure::measure;
use crate::attack::preemption::{InTurns, Turns};
use crate::attack::processor::KnowsTruth;
use crate::attack::reserved_servers::Waiting;
use crate::attack::traffic::{Attack, Innocent, Traffic};
use forebay_core::{Element, Seed};

pub use crate::attack::measure::{Measured, Span};

/// The setting of a trial.
#[derive(Debug, Clone)]
pub struct Trial<'a> {
    /// The innocent packets.
    pub innocent: &'a Innocent,
    /// The mean rate of innocent traffic in bits per second.
    pub innocent_bps: f64,
    /// The attack, and its mean rate in bits per second; `None` without an attack.
    pub attack: Option<(&'a Attack, f64)>,
    /// The warm-up and the counted part of the trial.
    pub span: Span,
    /// The number of servers; each works on one packet at a time.
    pub servers: usize,
    /// The scheduler's estimator of the packets' work.
    pub estimator: Estimator,
    /// The seed of the traffic.
    pub seed: Seed,
}

impl Trial<'_> {
    /// Sends the traffic through `queue` until `go_on` returns `false`. `go_on` is called from time to time with the number of packets that
    /// have arrived. If the element has several links, only the first is used.
    pub fn run(&self, queue: &mut dyn Element, go_on: &dyn Fn(u64) -> bool) -> Measured {
        self.run_with(None, Waiting::in_one(queue), go_on)
    }

    /// As [`run`](Self::run), with jobs in turns or with servers set aside.
    pub fn run_with(&self, turns: Option<Turns>, queue: Waiting<'_>, go_on: &dyn Fn(u64) -> bool) -> Measured {
        let (mut source, watched) = (self.traffic(), (self.span, self.servers));
        match (turns, self.knows_truth()) {
            (None, true) => measure(&mut source, Processor, queue, watched, go_on),
            (None, false) => measure(&mut source, KnowsTruth::of(self.traffic()), queue, watched, go_on),
            (Some(turns), true) => measure(&mut source, InTurns::new(Processor, turns), queue, watched, go_on),
            (Some(turns), false) => {
                let service = InTurns::new(KnowsTruth::of(self.traffic()), turns);
                measure(&mut source, service, queue, watched, go_on)
            }
        }
    }

    /// Returns all packets; they are the same at each call.
    fn traffic(&self) -> Traffic {
        let estimated = |stream, name| self.estimator.estimate(stream, self.seed.stream(name));
        let innocent = estimated(self.innocent.stream(self.innocent_bps, self.seed), "innocent/estimates");
        let attack = self.attack.map(|(attack, bps)| estimated(attack.stream(bps, self.seed), "attack/estimates"));
        Traffic::new(innocent, attack, self.span.end())
    }

    /// Whether every estimate is the truth.
    fn knows_truth(&self) -> bool {
        let strategies = self.attack.iter().flat_map(|(attack, _)| &attack.strategies);
        self.estimator == Estimator::Told
            && self.innocent.is_known()
            && strategies.into_iter().all(|strategy| strategy.job.is_known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::jobs::{Job, Jobs};
    use crate::attack::optimal::{self, Order, Setting};
    use crate::attack::quantity::Quantity;
    use crate::attack::traffic::Gaps;
    use forebay_core::{Discipline, Duration, Packet, Time, Verdict};
    use std::collections::VecDeque;

    /// First come, first served, with room for a hundred.
    #[derive(Default)]
    struct Fifo(VecDeque<Packet>);

    impl Discipline for Fifo {
        fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
            if self.0.len() == 100 {
                return Verdict::Refused { rank: 0 };
            }
            self.0.push_back(packet);
            Verdict::Queued { rank: 0 }
        }

        fn dequeue(&mut self, _: Time) -> Option<Packet> {
            self.0.pop_front()
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn bytes(&self) -> u64 {
            self.0.iter().map(|packet| u64::from(packet.size_bytes)).sum()
        }
    }

    fn innocent() -> Innocent {
        let jobs = Jobs::Independent { size_bytes: Quantity::constant(1_250.0), work_ns: Quantity::constant(1_000.0) };
        Innocent::new(jobs, Gaps::Constant, 4)
    }

    fn trial(innocent: &Innocent, innocent_bps: f64) -> Trial<'_> {
        Trial {
            innocent,
            innocent_bps,
            attack: None,
            span: Span::ms(1, 10),
            servers: 1,
            estimator: Estimator::Told,
            seed: Seed(1),
        }
    }

    #[test]
    fn without_an_attack_the_goodput_is_the_rate_or_the_capacity() {
        let innocent = innocent();
        for (offered, served) in [(5e9, 5e9), (10e9, 10e9), (15e9, 10e9)] {
            let measured = trial(&innocent, offered).run(&mut Fifo::default(), &|_| true);
            assert!((measured.goodput_bps / served - 1.0).abs() < 1e-3, "{measured:?}");
            assert!((measured.busy - served / 10e9).abs() < 1e-3);
            assert!(measured.complete);
        }
        let two = Trial { servers: 2, ..trial(&innocent, 15e9) };
        assert!((two.run(&mut Fifo::default(), &|_| true).goodput_bps / 15e9 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn the_work_of_an_attack_takes_the_time_of_innocents() {
        let innocent = innocent();
        // 10 us of work for each 64 B: 100 Mb/s are 1.95 s of work per second.
        let setting = Setting {
            sample: &[Job::known(1_250, Duration::from_us(1))],
            innocent_bps: 5e9,
            attack_bps: 100e6,
            min_bytes: 64,
            max_work: Duration::from_us(10),
            servers: 1,
        };
        let attack = Attack::steady(optimal::attack(Order::Blind, &setting));
        let attacked = Trial { attack: Some((&attack, 100e6)), span: Span::ms(1, 100), ..trial(&innocent, 5e9) };
        let measured = attacked.run(&mut Fifo::default(), &|_| true);
        let innocent_work = measured.goodput_bps / 10e9;
        let attack_work = measured.attack_served_bps / 512.0 * 10e-6;
        assert!((innocent_work + attack_work - 1.0).abs() < 1e-3, "{measured:?}");
        // Shared by arrivals it would be 2.04 Gb/s; tail drop favours packets that arrive in step with departures.
        assert!((1.5e9..2.5e9).contains(&measured.goodput_bps), "{measured:?}");
        assert!((measured.attack_bps / 100e6 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn work_takes_as_long_as_it_does_whatever_the_scheduler_is_told() {
        let innocent = innocent();
        let attack = Attack::steady(Job::known(64, Duration::from_us(10)));
        let told = Trial { attack: Some((&attack, 100e6)), ..trial(&innocent, 8e9) };
        let measured = told.run(&mut Fifo::default(), &|_| true);
        for estimator in [Estimator::LogNormal { sigma: 1.0 }, Estimator::Constant(Duration::from_ns(3))] {
            let estimated = Trial { estimator, ..told.clone() };
            assert_eq!(estimated.run(&mut Fifo::default(), &|_| true), measured, "{estimator:?}");
        }
        let fooled = Attack::steady(Job { estimate: Duration::ZERO, ..attack.strategies[0].job });
        let fooled = Trial { attack: Some((&fooled, 100e6)), ..told.clone() };
        assert_eq!(fooled.run(&mut Fifo::default(), &|_| true), measured);
    }

    #[test]
    fn a_trial_can_be_stopped_and_says_so() {
        let innocent = innocent();
        assert!(!trial(&innocent, 10e9).run(&mut Fifo::default(), &|_| false).complete);
    }
}
