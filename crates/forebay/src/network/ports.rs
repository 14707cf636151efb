//! Counters of ports.

use super::run_result::{LinkContext, MeasureContext, NamedBytes, NamedShare, PortSums};
use forebay_core::{Duration, Time};
use forebay_sim::net::{NetworkOutcome, PortCounts};

/// The counted window, with the counts of each directed link.
pub(super) struct Window {
    length: Duration,
    ports: Vec<PortCounts>,
}

impl Window {
    /// Returns the counts until the end of the run, if the run ends first. If it ended before the window began, there are none.
    pub(super) fn of<E>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> Self {
        let end: Time = context.counted_until.min(outcome.end);
        if end > context.counted_from {
            Self { length: end.since(context.counted_from), ports: outcome.ports.clone() }
        } else {
            Self { length: Duration::ZERO, ports: vec![PortCounts::default(); outcome.ports.len()] }
        }
    }

    pub(super) fn length(&self) -> Duration {
        self.length
    }

    /// Returns the counts of each directed link.
    pub(super) fn ports<'a>(
        &'a self,
        context: &'a MeasureContext,
    ) -> impl Iterator<Item = (&'a LinkContext, &'a PortCounts)> {
        context.links.iter().zip(&self.ports)
    }

    /// Returns the share of the time in which the link was sending.
    pub(super) fn utilisation(&self, port: &PortCounts) -> Option<f64> {
        self.seconds()?;
        Some(port.busy_ps as f64 / self.length.as_ps() as f64)
    }

    /// Returns the mean of the queued bytes over time.
    pub(super) fn mean_queue_bytes(&self, port: &PortCounts) -> Option<f64> {
        self.seconds()?;
        Some(port.queue_byte_ps as f64 / self.length.as_ps() as f64)
    }

    fn seconds(&self) -> Option<f64> {
        (self.length > Duration::ZERO).then(|| self.length.as_ps() as f64 / 1e12)
    }

    /// Returns the sums over the ports of all links that `which` selects.
    pub(super) fn sums(&self, context: &MeasureContext, which: impl Fn(&LinkContext) -> bool) -> PortSums {
        let mut sums = PortSums::default();
        let (mut utilisations, mut queues) = (Vec::new(), Vec::new());
        for (_, port) in self.ports(context).filter(|(link, _)| which(link)) {
            sums.packets_offered += port.packets_offered;
            sums.packets_sent += port.packets_sent;
            sums.bytes_sent += port.bytes_sent;
            sums.packets_dropped += port.packets_dropped;
            sums.packets_dropped_shared += port.packets_dropped_shared;
            sums.packets_lost += port.packets_lost;
            sums.packets_no_route += port.packets_no_route;
            sums.packets_marked += port.packets_marked;
            utilisations.extend(self.utilisation(port));
            queues.extend(self.mean_queue_bytes(port));
        }
        let mean = |values: &[f64]| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        PortSums { utilisation: mean(&utilisations), mean_queue_bytes: mean(&queues), ..sums }
    }

    /// Returns the first of the busiest links of switches.
    pub(super) fn busiest(&self, context: &MeasureContext) -> Option<NamedShare> {
        let of_switches = self.ports(context).filter(|(link, _)| link.from_switch);
        let mut busiest: Option<NamedShare> = None;
        for (link, port) in of_switches {
            let utilisation = self.utilisation(port)?;
            if busiest.as_ref().is_none_or(|most| utilisation > most.utilisation) {
                busiest = Some(NamedShare { link: link.name.clone(), utilisation });
            }
        }
        busiest
    }

    /// Returns the bits to hosts per second.
    pub(super) fn delivered_bps(&self, context: &MeasureContext) -> Option<f64> {
        let to_hosts = self.ports(context).filter(|(link, _)| link.to_host);
        let bytes: u64 = to_hosts.map(|(_, port)| port.bytes_sent).sum();
        Some(bytes as f64 * 8.0 / self.seconds()?)
    }
}

/// Returns the first of the longest queues of switches, over the whole run.
pub(super) fn longest_queue<E>(outcome: &NetworkOutcome<E>, context: &MeasureContext) -> Option<NamedBytes> {
    let of_switches = context.links.iter().zip(&outcome.ports).filter(|(link, _)| link.from_switch);
    let mut longest: Option<NamedBytes> = None;
    for (link, port) in of_switches {
        if longest.as_ref().is_none_or(|most| port.max_queue_bytes > most.bytes) {
            longest = Some(NamedBytes { link: link.name.clone(), bytes: port.max_queue_bytes });
        }
    }
    longest
}
