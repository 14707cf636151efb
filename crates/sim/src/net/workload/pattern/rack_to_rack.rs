//! The hosts of a rack send to the hosts of another rack.

use super::{PatternEntry, STARTS, about};
use crate::net::flow::HostId;
use crate::net::workload::Hosts;
use crate::net::workload::pairs_at_arrivals::PairsAtArrivals;
use forebay_core::{ParamError, ParamSpec, Params};

/// The most pairs in a list.
const MAX_PAIRS: usize = 1 << 24;

/// The registry's entry.
pub const ENTRY: PatternEntry = PatternEntry {
    about: about(
        "rack-to-rack",
        "Any host of a rack to any host of another",
        "Seer, NSDI'24, section 6 (`from` = `others`)",
        &[
            ParamSpec::text("from", "0", "the rack that sends; `others`: all but the receiving one"),
            ParamSpec::text("to", "others", "the rack that receives; `others`: all but the sending one"),
            STARTS,
        ],
    ),
    build: |params, hosts, _| {
        let all_at_once = params.text("starts") == "all";
        let (from, to) = (side(params, hosts, "from")?, side(params, hosts, "to")?);
        let others = |rack: &[HostId]| -> Vec<HostId> { hosts.all().filter(|host| !rack.contains(host)).collect() };
        let (from, to) = match (from, to) {
            (None, None) => return Err(ParamError::of("to", "`from` and `to` cannot both be `others`; name a rack")),
            (Some(from), None) => (from.clone(), others(&from)),
            (None, Some(to)) => (others(&to), to),
            (Some(from), Some(to)) => (from, to),
        };
        if from.len().saturating_mul(to.len()) > MAX_PAIRS {
            return Err(ParamError::of(
                "to",
                format!("`from` and `to` have more than {MAX_PAIRS} pairs of hosts; name smaller racks"),
            ));
        }
        let pairs: Vec<(HostId, HostId)> =
            from.iter().flat_map(|src| to.iter().map(|dst| (*src, *dst))).filter(|(src, dst)| src != dst).collect();
        if pairs.is_empty() {
            let first = hosts.rack(HostId(0));
            return Err(ParamError::of(
                "to",
                if hosts.all().all(|host| hosts.rack(host) == first) {
                    "all hosts of this topology are in one rack, so there is no other; use the pattern `all-to-all`"
                } else {
                    "no host of `from` has another host in `to`"
                },
            ));
        }
        Ok(Box::new(PairsAtArrivals::new(pairs, all_at_once)))
    },
};

/// The hosts of a rack, or `None` for all others.
fn side(params: &Params, hosts: &Hosts, name: &str) -> Result<Option<Vec<HostId>>, ParamError> {
    match params.text(name) {
        "others" => Ok(None),
        rack => hosts.in_rack(rack).map(Some).map_err(|message| ParamError::of(name, message)),
    }
}
