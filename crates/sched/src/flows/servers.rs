//! Several servers that finish the packets of a flow in order.

use super::discipline::FlowDiscipline;
use crate::spec::{DisciplineError, DisciplineSpec};
use forebay_core::{Counter, Discipline, Element, FlowId, Packet, Time, Verdict};

/// A [`FlowDiscipline`] in front of several equal servers. It holds a flow back while a server works on one of its packets.
///
/// A server that asks for a packet has finished its last one, so its flow is released. A server may be idle although packets wait, if all
/// waiting packets belong to flows in service.
pub struct FlowServers {
    discipline: FlowDiscipline,
    /// For each server, the flow of its last packet, until the server asks again.
    in_service: Box<[Option<FlowId>]>,
}

impl FlowServers {
    /// Creates the discipline that `spec` describes, with `servers` servers behind it (0 counts as 1).
    ///
    /// # Errors
    /// As [`FlowDiscipline::new`].
    pub fn new(servers: usize, spec: &DisciplineSpec) -> Result<Self, DisciplineError> {
        let servers = servers.max(1);
        Ok(Self { discipline: FlowDiscipline::new(spec)?.serial(servers), in_service: vec![None; servers].into() })
    }
}

impl Element for FlowServers {
    fn links(&self) -> usize {
        self.in_service.len()
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        Discipline::enqueue(&mut self.discipline, now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, server: usize) -> Option<Packet> {
        if let Some(flow) = self.in_service[server].take() {
            self.discipline.flows.release(flow);
        }
        let packet = Discipline::dequeue(&mut self.discipline, now)?;
        self.in_service[server] = Some(packet.flow);
        Some(packet)
    }

    fn next_wakeup(&self, _: Time, _: usize) -> Option<Time> {
        None
    }

    fn len(&self) -> usize {
        Discipline::len(&self.discipline)
    }

    fn bytes(&self) -> u64 {
        Discipline::bytes(&self.discipline)
    }

    fn counters(&self) -> Vec<Counter> {
        Discipline::counters(&self.discipline)
    }
}
