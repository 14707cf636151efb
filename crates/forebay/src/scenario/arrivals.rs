//! Arrival times of packets: `arrivals` of a scenario, and the fields of its kind.

use super::distribution::distribution;
use super::positive;
use crate::document::Table;
use crate::error::Result;
use forebay_core::{Duration, Rate};
use forebay_traces::generate::{Arrivals, TrafficSpec};

const KINDS: [&str; 4] = ["poisson", "constant", "on-off", "flows"];

/// The maximum number of ON periods that all flows together need to send one packet each.
const MAX_PERIODS: f64 = 1e7;

/// Fields that only one kind of arrivals has.
const FIELDS: [(&str, &str); 4] = [("on", "on-off"), ("off", "on-off"), ("flow_packets", "flows"), ("access", "flows")];

/// Reads `arrivals` and its fields from a table that may have others. Also returns the name of the process.
pub(super) fn arrivals<'a>(table: &Table<'a>, port_rate: Rate) -> Result<(&'a str, Arrivals)> {
    let node = table.require("arrivals", "arrivals = \"poisson\"")?;
    let kind = node.text("arrivals")?;
    for (field, of) in FIELDS {
        if let Some(field_node) = table.get(field)
            && of != kind
            && KINDS.contains(&kind)
        {
            return Err(field_node.error(format!("`{field}` is for arrivals = \"{of}\", not \"{kind}\"")));
        }
    }
    let arrivals = match kind {
        "poisson" => Arrivals::Poisson,
        "constant" => Arrivals::Constant,
        "on-off" => Arrivals::OnOff { on: period(table, "on")?, off: period(table, "off")? },
        "flows" => flows(table, port_rate)?,
        other => {
            let known = forebay_core::registry::suggest(other, KINDS);
            return Err(node.error(format!("unknown arrivals `{other}`{known}")));
        }
    };
    Ok((kind, arrivals))
}

/// Rejects ON periods that are so short that nearly all contain no packet: each period is drawn, so the run would hardly progress.
pub(super) fn check_periods(table: &Table<'_>, spec: &TrafficSpec) -> Result<()> {
    let Arrivals::OnOff { on, off } = spec.arrivals else { return Ok(()) };
    let share_on = on.as_ps() as f64 / (on.as_ps() as f64 + off.as_ps() as f64);
    let gap_of_all_s = spec.mean_packet_bytes() * 8.0 / spec.mean_rate_bps * f64::from(spec.flows) * share_on;
    let periods = gap_of_all_s / on.as_secs_f64() * f64::from(spec.flows);
    match table.get("on") {
        Some(node) if periods > MAX_PERIODS => Err(node.error(format!(
            "the {} flows have {periods:.0} ON periods for a packet each, at most {MAX_PERIODS:.0} are simulated; make \
             `on` longer, or take fewer flows or a higher load",
            spec.flows
        ))),
        _ => Ok(()),
    }
}

/// The mean length of ON or OFF periods.
fn period(table: &Table<'_>, key: &'static str) -> Result<Duration> {
    let node = table.require(key, if key == "on" { "on = \"1 ms\"" } else { "off = \"1 ms\"" })?;
    positive(node, key)
}

fn flows(table: &Table<'_>, port_rate: Rate) -> Result<Arrivals> {
    for (field, instead) in
        [("flows", "`load` and `flow_packets` say how many there are"), ("flow_bytes", "use `flow_packets`")]
    {
        if let Some(node) = table.get(field) {
            return Err(node.error(format!("arrivals = \"flows\" has no `{field}`; {instead}")));
        }
    }
    let packets = distribution(table.require("flow_packets", "flow_packets = 100")?, "flow_packets", 1, u64::MAX)?;
    let access = table.get("access").map_or(Ok(1.0), |node| node.number("access", 0.0, 1e6))?;
    Ok(Arrivals::Flows { packets, access_rate_bps: access * port_rate.bits_per_second() as f64 })
}
