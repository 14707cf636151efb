//! Reads `suspected` of `[processor]`: the servers that are set aside, and the packets that use them.

use crate::document::Table;
use crate::error::Result;
use crate::scenario::positive;
use forebay_core::Duration;
use forebay_core::convert::index;
use forebay_sim::attack::SetAside;

const DEFAULT_WINDOW: Duration = Duration::from_ms(1);

/// Reads `suspected` of a processor with `servers` servers; returns `None` if 0 servers are set aside.
pub(super) fn read(processor: &Table<'_>, servers: usize) -> Result<Option<SetAside>> {
    let Some(node) = processor.get("suspected") else { return Ok(None) };
    let table = node.table("`suspected`")?;
    let number = table.require("servers", "servers = 1")?;
    let aside = index(number.integer("servers", 0, 999)?);
    let job = table.get("job").map(|node| positive(node, "job")).transpose()?;
    let work = table.get("flow_work").map(|node| positive(node, "flow_work")).transpose()?;
    let window = table.get("window");
    if let (Some(window), None) = (window, work) {
        return Err(
            window.error("`window` needs a limit for the work of a flow; add for example flow_work = \"100 us\"")
        );
    }
    let window = window.map_or(Ok(DEFAULT_WINDOW), |node| positive(node, "window"))?;
    table.finish()?;
    if job.is_none() && work.is_none() {
        return Err(node.error(
            "`suspected` needs a rule: job = \"5 us\" for packets with longer jobs, or flow_work = \"100 us\" for packets of flows \
             with more work",
        ));
    }
    if aside >= servers {
        return Err(number.error(format!(
            "with {aside} of {servers} {} set aside, none is left for packets that are not suspected; give [processor] more `servers`",
            if servers == 1 { "server" } else { "servers" }
        )));
    }
    let flow = work.map(|work| (work, window));
    Ok((aside > 0).then_some(SetAside { servers: aside, job, flow }))
}
