//! An application with the inputs of innocents and attackers.

use super::{Application, Running, Told, Working};
use crate::attack::jobs::Job;
use crate::attack::measure::{Measured, Span, measure};
use crate::attack::preemption::{InTurns, Turns};
use crate::attack::reserved_servers::Waiting;
use crate::attack::traffic::{Inputs, Merged, Stream};
use forebay_core::{Element, Seed, Source, Time};
use std::fmt;

/// An application without any state yet, and its inputs.
pub trait Workload: fmt::Debug + Send + Sync {
    /// The jobs of innocents at a mean rate in bits per second, in a state as if all were served in order of arrival
    /// and nobody attacked.
    fn arrivals(&self, innocent_bps: f64, seed: Seed, told: Told) -> Stream;

    /// Returns innocent and attack traffic at mean rates in bits per second, with the application that works on the admitted packets. No
    /// packets arrive after `until`.
    fn live(&self, innocent_bps: f64, attack_bps: Option<f64>, seed: Seed, until: Time) -> Live;

    /// The size of an attack packet and the work that it makes on average, if all are served; `None` if packets differ
    /// in size, or if there are none.
    fn attack_job(&self) -> Option<Job>;
}

/// The arriving packets, and the service that works on them.
pub struct Live {
    source: Box<dyn Source>,
    service: Box<dyn Working>,
}

impl Live {
    /// `inputs` are innocents' and attackers', the same each time.
    pub(crate) fn new<A>(
        application: A,
        inputs: impl Fn() -> (Inputs<A::Input>, Option<Inputs<A::Input>>),
        until: Time,
    ) -> Self
    where
        A: Application + 'static,
    {
        let merged = || {
            let (innocent, attack) = inputs();
            Merged::new(innocent, attack, until)
        };
        Self { source: Box::new(merged()), service: Box::new(Running::new(application, merged())) }
    }
}

/// A trial in which an application serves the packets of innocents and of the attacker. The application's state depends on the packets that
/// are really served, and the scheduler knows only the application's estimates (section 3.6.1).
#[derive(Debug, Clone)]
pub struct LiveTrial<'a> {
    /// The application and its inputs.
    pub workload: &'a dyn Workload,
    /// The mean rate of innocents in bits per second.
    pub innocent_bps: f64,
    /// The mean rate of the attack in bits per second; `None` without an attack.
    pub attack_bps: Option<f64>,
    /// The warm-up and the counted part of the trial.
    pub span: Span,
    /// The number of servers; each works on one packet at a time.
    pub servers: usize,
    /// The seed of the traffic.
    pub seed: Seed,
}

impl LiveTrial<'_> {
    /// Runs the trial as [`Trial::run`](crate::attack::trial::Trial::run) does.
    pub fn run(&self, queue: &mut dyn Element, go_on: &dyn Fn(u64) -> bool) -> Measured {
        self.run_with(None, Waiting::in_one(queue), go_on)
    }

    /// As [`run`](Self::run), with jobs in turns or with servers set aside.
    pub fn run_with(&self, turns: Option<Turns>, queue: Waiting<'_>, go_on: &dyn Fn(u64) -> bool) -> Measured {
        let live = self.workload.live(self.innocent_bps, self.attack_bps, self.seed, self.span.end());
        let Live { mut source, mut service } = live;
        service.count_from(Time::ZERO + self.span.warmup);
        let watched = (self.span, self.servers);
        let measured = match turns {
            None => measure(&mut *source, &mut *service, queue, watched, go_on),
            Some(turns) => measure(&mut *source, InTurns::new(&mut *service, turns), queue, watched, go_on),
        };
        Measured { application: Some(service.watched()), ..measured }
    }
}
