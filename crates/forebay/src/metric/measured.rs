//! The kinds of results that have metrics.

use super::Metric;
use crate::attack::Attacked;
use crate::caching::{BesideBound, BestSchedule, LowerBound, Point};
use crate::network::{GroupResult, RunResult as NetworkRun, StateResult};
use crate::port::{BesideBaseline, Counts, RunResult as PortRun};
use forebay_sim::probes::RankBin;

/// A result of a run, from which metrics are computed.
pub(crate) trait Measured: Sized {
    /// Returns the function that computes this metric from the result, if it has the metric.
    fn how(metric: &Metric) -> Option<fn(&Self) -> Option<f64>>;
}

/// `Name(Type): "what it is", "command", "page";`, and more.
macro_rules! results {
    ($($(#[$about:meta])* $name:ident($type:ty): $words:literal, $command:literal, $page:literal;)*) => {
        /// A kind of result, and the function that computes a metric from one; the function returns [`None`] if a run has no such number.
        #[derive(Debug, Clone, Copy)]
        pub(crate) enum Of {
            $($(#[$about])* $name(fn(&$type) -> Option<f64>),)*
        }

        /// A kind of result.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum ResultKind {
            $($(#[$about])* $name,)*
        }

        impl Of {
            pub(crate) fn kind(&self) -> ResultKind {
                match self {
                    $(Self::$name(_) => ResultKind::$name,)*
                }
            }
        }

        impl ResultKind {
            /// Returns the words for the owner of the metrics.
            pub(crate) fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }

            /// Returns a command that prints the metrics.
            pub(crate) fn command(self) -> &'static str {
                match self {
                    $(Self::$name => $command,)*
                }
            }

            /// Returns the page that documents the result.
            pub(crate) fn page(self) -> &'static str {
                match self {
                    $(Self::$name => $page,)*
                }
            }
        }

        $(impl Measured for $type {
            fn how(metric: &Metric) -> Option<fn(&Self) -> Option<f64>> {
                metric.of.iter().find_map(|of| if let Of::$name(how) = of { Some(*how) } else { None })
            }
        })*
    };
}

results! {
    /// Packets at a port: all, or the packets of a class.
    Packets(Counts): "a policy or class of `forebay run`", "forebay run SCENARIO --format csv", "docs/result.md";
    /// A run of a policy at a port, besides its packets.
    PortRun(PortRun): "a policy of `forebay run`", "forebay run SCENARIO --format csv", "docs/result.md";
    /// Packets at a port, with those of the baseline.
    BesideBaseline(BesideBaseline): "a policy of `forebay run` with a baseline", "forebay run SCENARIO --baseline POLICY --format csv", "docs/result.md";
    /// A bin of ranks at a port.
    RankBin(RankBin): "a bin of ranks at a port", "forebay run SCENARIO --format csv", "docs/result.md";
    /// A run of a network.
    Network(NetworkRun): "a run of a network", "forebay run SCENARIO --format csv", "docs/result.md";
    /// Flows of a network: all, or the flows of a workload and a size class.
    Flows(GroupResult): "a group of flows in a network", "forebay run SCENARIO --format csv", "docs/result.md";
    /// States in switches and hosts.
    States(StateResult): "states in switches and hosts", "forebay run SCENARIO --format csv", "docs/result.md";
    /// A policy under attack.
    Attack(Attacked): "`forebay attack`", "forebay attack FILE --format csv", "docs/result.md";
    /// A cache policy at a capacity.
    Cache(Point): "`forebay cache` and `forebay curve`", "forebay cache TRACE --capacity 64 --format csv", "docs/caches.md";
    /// A policy of caches, with the bounds of the lowest latency.
    BesideBound(BesideBound): "`forebay cache --bound`", "forebay cache TRACE --capacity 64 --bound --format csv", "docs/caches.md";
    /// The bound that no cache can beat.
    LowerBound(LowerBound): "`forebay bound`", "forebay bound TRACE --capacity 64 --format csv", "docs/caches.md";
    /// The best schedule that a search for bounds has found.
    BestSchedule(BestSchedule): "`forebay bound`", "forebay bound TRACE --capacity 64 --format csv", "docs/caches.md";
}
