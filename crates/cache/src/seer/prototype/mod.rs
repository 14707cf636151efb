//! The paper's prototype (section 5.2) as a small simulation. A packet generator feeds the strict priority queues of one
//! port, and the node at the other end of its link has a cache.
//!
//! Everything is exact to the picosecond. With one link in one direction, events at its far end happen in the order in
//! which packets were sent, so there is no queue of events. Packets whose state has to be fetched wait aside and do not
//! hold up the link. So a target does not affect the others, and several targets see the same packets.
//!
//! Where the paper is silent: the link also carries preamble and gap of every packet ([`PrototypeSpec::overhead_bytes`]). A
//! fetch takes the time that section 2 gives for DRAM, and the queues of packets have no bound.

mod generator;
mod leads;
mod port;
mod recording;
mod report;
mod spec;
mod target;

pub use generator::{Generator, Packet};
pub use leads::Leads;
pub use recording::Recording;
pub use report::{ClassWaits, LinkReport};
pub use spec::PrototypeSpec;
pub use target::{Target, TargetCounts};

use crate::seer::{Announcer, Fpm};
use forebay_core::{Duration, ParamError, Seed, Time};
use port::Port;

/// The generator, the port and its link.
#[derive(Debug, Clone)]
pub struct Prototype {
    spec: PrototypeSpec,
    generator: Generator,
    port: Port,
    announcer: Announcer,
    packet_time: Duration,
    control_time: Duration,
    /// When the link is free.
    free: Time,
    /// The packet that leaves now. The announcer knows packets by their slots in the port.
    leaving: Vec<Fpm>,
    report: LinkReport,
}

impl Prototype {
    /// Nothing has been generated yet.
    ///
    /// # Errors
    /// If the parameters do not fit together.
    pub fn new(spec: &PrototypeSpec, seed: Seed) -> Result<Self, ParamError> {
        spec.check()?;
        let announcer = Announcer::new(spec.announcer_on_the_wire())?;
        Ok(Self {
            spec: *spec,
            generator: Generator::new(spec, seed),
            port: Port::new(spec),
            packet_time: spec.announcer.rate.transmission_time(spec.wire_bytes()),
            control_time: spec.announcer.rate.transmission_time(announcer.spec().control_bytes),
            announcer,
            free: Time::ZERO,
            leaving: Vec::new(),
            report: LinkReport::new(spec.announcer.classes),
        })
    }

    /// Goes on until this many more packets have left; all targets receive them, and their notifications.
    pub fn run(&mut self, packets: u64, targets: &mut [&mut dyn Target]) {
        for _ in 0..packets {
            self.send_next(targets);
        }
    }

    /// The same after a warm-up; returns what each target counted behind it.
    pub fn measure(&mut self, warmup: u64, packets: u64, targets: &mut [&mut dyn Target]) -> Vec<TargetCounts> {
        self.run(warmup, targets);
        let before: Vec<TargetCounts> = targets.iter().map(|target| target.counts()).collect();
        self.run(packets, targets);
        targets.iter().zip(before).map(|(target, before)| target.counts() - before).collect()
    }

    /// What port and link did so far.
    #[must_use]
    pub fn report(&self) -> LinkReport {
        LinkReport { announcer: self.announcer.counts(), ..self.report.clone() }
    }

    /// Whether every packet that was generated has been dropped, has been sent or waits, and every FPM has its fate.
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let LinkReport { generated, dropped, sent, .. } = self.report;
        let told = self.report.leads.count() == self.announcer.counts().sent() - self.port.announced();
        generated == dropped + sent + self.port.len() && self.announcer.is_conserved() && told
    }

    /// Lets one packet leave, and before it the notifications of others.
    fn send_next(&mut self, targets: &mut [&mut dyn Target]) {
        self.admit();
        if self.port.len() == 0 {
            self.free = self.generator.next_time();
            self.admit();
            self.announcer.idle(&mut self.leaving);
        } else {
            if self.announcer.control(self.free, &mut self.leaving) {
                self.free += self.control_time;
                self.report.control_busy = self.report.control_busy + self.control_time;
                let now = self.free + self.spec.propagation;
                targets.iter_mut().for_each(|target| target.control(now, self.control_time));
                self.tell(targets);
                self.admit();
            }
            self.announcer.gap(&mut self.leaving);
        }
        self.tell(targets);
        let Some((class, packet)) = self.port.pop() else { return };
        self.announcer.left(class);
        let waits = &mut self.report.classes[class];
        waits.packets += 1;
        waits.waited += u128::from(self.free.since(packet.came).as_ps());
        self.free += self.packet_time;
        self.report.data_busy = self.report.data_busy + self.packet_time;
        if let Some((since, sent)) = packet.announced {
            self.report.leads.record(self.free.since(since), self.report.sent - sent);
        }
        self.report.sent += 1;
        self.report.span = self.free.since(Time::ZERO);
        let now = self.free + self.spec.propagation;
        targets.iter_mut().for_each(|target| target.packet(now, packet.id));
    }

    /// Enqueues the packets that have been generated by the time at which the link is free.
    fn admit(&mut self) {
        while let Some(packet) = self.generator.next_before(self.free) {
            self.report.generated += 1;
            match self.port.push(&packet) {
                Some(place) => self.announcer.queued(packet.class, Some(place), self.spec.wire_bytes()),
                None => self.report.dropped += 1,
            }
        }
    }

    /// Hands over the FPMs that leave now.
    fn tell(&mut self, targets: &mut [&mut dyn Target]) {
        if self.leaving.is_empty() {
            return;
        }
        for fpm in &mut self.leaving {
            fpm.id = self.port.announce(fpm.id, self.free, self.report.sent);
        }
        let now = self.free + self.spec.propagation;
        targets.iter_mut().for_each(|target| target.announced(now, &self.leaving));
        self.leaving.clear();
    }
}
