//! `below` of a policy: the policy that replaces it when goodput falls below a watermark.

use crate::document::Node;
use crate::error::Result;
use crate::scenario::{NamedPolicy, Plan, Sinks, positive, quantity};
use forebay_core::{Duration, Element, Rate, Seed};
use forebay_sim::attack::Watermark;

const DEFAULT_WINDOW: Duration = Duration::from_us(100);

/// The policy below a watermark.
#[derive(Debug, Clone)]
pub(super) struct Below {
    plan: Plan,
    mark_bps: u64,
    window: Duration,
}

impl Below {
    /// Removes `below` from a policy and reads it; `read` reads the rest like any policy.
    pub(super) fn take(
        policy: &mut Node,
        read: impl FnOnce(&Node) -> Result<NamedPolicy<Plan>>,
    ) -> Result<Option<Self>> {
        let Some(node) = policy.table("[[policy]]")?.get("below").cloned() else { return Ok(None) };
        policy.remove(&["below"]);
        let table = node.table("`below`")?;
        let mark = table.require("goodput", "goodput = \"8 Gbps\"")?;
        let mark_bps = quantity(mark, "goodput", Rate::parse)?.bits_per_second();
        let window = table.get("window").map_or(Ok(DEFAULT_WINDOW), |node| positive(node, "window"))?;
        let mut rest = node.clone();
        ["goodput", "window"].iter().for_each(|field| rest.remove(&[field]));
        let plan = read(&rest)?.discipline;
        Ok(Some(Self { plan, mark_bps, window }))
    }

    /// Returns an element that uses `above`, and this policy below the watermark.
    pub(super) fn element(&self, above: Box<dyn Element>, seed: Seed) -> Result<Box<dyn Element>> {
        let below = self.plan.element(seed, Sinks::new())?;
        Ok(Box::new(Watermark::new(above, below, self.mark_bps as f64, self.window)))
    }

    /// Returns whether the policy keeps flows in order.
    pub(super) fn keeps_flows(&self) -> bool {
        matches!(self.plan, Plan::Flows(_))
    }
}
