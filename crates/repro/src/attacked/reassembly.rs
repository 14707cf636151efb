//! TCP reassembly, with costs and packets that make what the source prints.

use super::attacked_policy::{FAIR, FCFS, SJF, SJF_IN_ORDER};
use super::{Contender, Others, SAMPLE, Simulated, WSJF, WSJF_IN_ORDER, served};
use forebay::error::Result;
use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::Workload;
use forebay_sim::attack::applications::tcp::{
    self, AttackFlows, Costs, InnocentFlows, InnocentSegments, Reassembler, WINDOW_BYTES,
};
use forebay_sim::attack::traffic::Gaps;
use forebay_sim::attack::trial::Span;
use forebay_sim::attack::{Innocent, Job, Jobs};
use rand::RngExt as _;
use std::sync::Arc;

/// The reassembler of Pigasus, before 1,000 innocent flows that stand for a recording of a backbone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reassembly;

/// Share of acknowledgements with which the mean packet over the least one, times the load of 10 / 12, is the printed 16.
const ACKNOWLEDGEMENTS: f64 = 0.11;
/// The fixed part makes the printed capacity of 12 Gb/s of these packets; a node of the list makes FCFS' printed 313.
const COSTS: Costs = Costs { fixed: Duration::from_ns(816), traversal: Duration::from_ns(4) };

/// A window that begins before queues are full.
const EARLY: Span = Span::ms(10, 90);

/// Where each innocent packet finds a list: what it costs without a node, and each node. 116 and 4 cycles of 5 ns.
const WITH_LISTS: Costs = Costs { fixed: Duration::from_ns(580), traversal: Duration::from_ns(20) };

impl Simulated for Reassembly {
    fn name(&self) -> &'static str {
        "TCP reassembly"
    }

    fn workload(&self) -> Arc<dyn Workload> {
        Arc::new(Self::before(AttackFlows::longest()))
    }

    fn max_work(&self) -> Duration {
        Self::reassembler().max_work()
    }

    /// The same packets in a random order, with the same mean work: a part of each packet causes it at a list of random length. And the
    /// usual packets, watched from an earlier time on.
    fn others(&self, usual: &Innocent, seed: Seed) -> Result<Vec<Others>> {
        let mut rng = seed.stream("attacked/lists");
        let nodes = (usual.means().work_s - WITH_LISTS.fixed.as_secs_f64()) / WITH_LISTS.traversal.as_secs_f64();
        let longer = nodes / (nodes + 1.0);
        let jobs = usual.sample(SAMPLE).into_iter().map(|job| {
            // Each node is followed by another one with the same probability.
            let nodes = rng.random::<f64>().max(f64::MIN_POSITIVE).log(longer).floor();
            let more = Duration::from_secs_f64(nodes * WITH_LISTS.traversal.as_secs_f64());
            Job::known(job.size_bytes, Duration::from_ps(WITH_LISTS.fixed.as_ps() + more.as_ps()))
        });
        let innocent =
            Innocent::new(Jobs::Measured(jobs.collect()), Gaps::Constant, InnocentFlows::default().concurrent);
        let contenders = &[SJF, SJF_IN_ORDER, WSJF, WSJF_IN_ORDER];
        Ok(vec![
            Others { name: "lists", innocent, max_work: self.max_work(), span: None, contenders },
            Others {
                name: "early",
                innocent: usual.clone(),
                max_work: self.max_work(),
                span: Some(EARLY),
                contenders: &[FCFS, FAIR],
            },
        ])
    }

    fn span(&self, gbps: f64) -> Span {
        if gbps < 2.0 { Span::ms(40, 200) } else { Span::ms(20, 80) }
    }
}

impl Reassembly {
    /// With what the source prints of costs and window.
    pub(crate) fn reassembler() -> Reassembler {
        Reassembler::new(COSTS, WINDOW_BYTES)
    }

    fn before(attack: AttackFlows) -> tcp::Reassembly {
        let innocent = InnocentFlows { acknowledgements: ACKNOWLEDGEMENTS, ..InnocentFlows::default() };
        tcp::Reassembly { reassembler: Self::reassembler(), innocent: InnocentSegments::Generated(innocent), attack }
    }

    /// Two rounds of the longest attack flow at 0.1 Gb/s, and as much before.
    const ROUNDS: Span = Span::ms(84, 84);
    /// Of innocents in section 3.6.1, in Gb/s.
    pub(crate) const INNOCENT_GBPS: f64 = 10.0;

    /// Goodput in Gb/s beside attack flows at a rate in Gb/s, with the lists of what a policy really serves, and told how
    /// long they are.
    pub(crate) fn served(contender: Contender, seed: Seed, attack: Option<(AttackFlows, f64)>) -> Result<f64> {
        let (flows, gbps) = attack.unzip();
        let workload = Self::before(flows.unwrap_or(AttackFlows::longest()));
        served(&workload, contender, (Self::INNOCENT_GBPS, gbps), Self::ROUNDS, seed)
    }
}
