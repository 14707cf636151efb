//! Many hosts send to one at the same time.
//!
//! Every arrival is a query: a number of senders answer one receiver at once, or each after a short random delay. With constant arrivals,
//! queries start at equal intervals.

use super::{Pattern, PatternEntry, about};
use crate::net::flow::HostId;
use crate::net::workload::Hosts;
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{Duration, ParamError, Params, Rng, convert};
use rand::RngExt as _;

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "incast",
        "Many to one at the same time, at every arrival",
        "DCTCP, SIGCOMM'10, section 2.3 (partition and aggregate)",
        &[
            ParamSpec::text("receiver", "random", "name or number of a host; `random`: another one at every arrival"),
            ParamSpec {
                name: "senders",
                kind: ParamKind::Integer { min: 1, max: 1_000_000, default: None },
                meaning: "how many of the other hosts send, chosen at random at every arrival (default: all)",
            },
            ParamSpec::choice(
                "size",
                &["each", "total"],
                "each",
                "meaning of a drawn size: the bytes of `each` sender, or the `total` of all senders of an arrival",
            ),
            ParamSpec::duration("jitter", "0 s", "largest random delay between the arrival and a flow's start"),
        ],
    ),
    build: |params, hosts, _| Incast::new(params, hosts).map(|pattern| Box::new(pattern) as Box<dyn Pattern>),
};

#[derive(Debug)]
struct Incast {
    receiver: Option<HostId>,
    /// The hosts that may send.
    senders: Vec<HostId>,
    /// The number of senders.
    count: usize,
    shares_size: bool,
    jitter: Duration,
    /// All hosts, in the order in which the last choice left them.
    shuffled: Vec<HostId>,
}

impl Incast {
    fn new(params: &Params, hosts: &Hosts) -> Result<Self, ParamError> {
        let receiver = match params.text("receiver") {
            "random" => None,
            _ => Some(super::host(params, hosts, "receiver")?),
        };
        let others = hosts.count() - 1;
        let count = params.integer("senders").map_or(others, convert::index);
        if count > others {
            return Err(ParamError::of(
                "senders",
                format!("`senders` must be at most {others}: there are no more other hosts"),
            ));
        }
        let shares_size = params.text("size") == "total";
        let jitter = params.duration("jitter");
        let senders = hosts.all().filter(|host| Some(*host) != receiver).collect();
        Ok(Self { receiver, senders, count, shares_size, jitter, shuffled: hosts.all().collect() })
    }
}

impl Pattern for Incast {
    fn senders(&self) -> &[HostId] {
        &self.senders
    }

    fn flows_per_arrival(&self) -> u64 {
        self.count as u64
    }

    fn next_pairs(&mut self, rng: &mut Rng, pairs: &mut Vec<(HostId, HostId)>) {
        let hosts = &mut self.shuffled;
        // The receiver comes first, then those that send: the beginning of a shuffle.
        let place = match self.receiver {
            Some(receiver) => hosts.iter().position(|host| *host == receiver).unwrap_or(0),
            None => rng.random_range(0..hosts.len()),
        };
        hosts.swap(0, place);
        for place in 1..=self.count {
            let chosen = rng.random_range(place..hosts.len());
            hosts.swap(place, chosen);
        }
        // In order of their numbers, so that results do not show the shuffle.
        hosts[1..=self.count].sort_unstable();
        let receiver = hosts[0];
        pairs.extend(hosts[1..=self.count].iter().map(|sender| (*sender, receiver)));
    }

    fn shares_size(&self) -> bool {
        self.shares_size
    }

    fn jitter(&self) -> Duration {
        self.jitter
    }
}
