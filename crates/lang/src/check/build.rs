//! Builds the policy: the assigned properties of each object, and defaults for the others.

use super::objects::ObjectId;
use super::properties::{Owner, Slot};
use super::scope::{Checker, GlobalKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Buffer, BufferId, Comparator, Condition, Param, Policy, Port, PortId, PortRate, Queue, Relation};
use crate::unit::{Unit, Value};
use forebay_core::{BufferSize, QueueId, Rate};
use rowan::TextRange;

/// The port or buffer of each queue, and the range where it is listed.
type Membership = Vec<Option<(usize, TextRange)>>;

impl<'t> Checker<'t> {
    /// Builds the whole policy; `None` if a part was not understood.
    pub(super) fn build(&mut self) -> Option<Policy> {
        let at_ports = self.membership(Owner::Port);
        let in_buffers = self.membership(Owner::Buffer);
        let queues: Vec<Option<Queue>> =
            (0..self.objects.queues.len()).map(|index| self.queue(index, &at_ports, &in_buffers)).collect();
        let of_ports = owned(&at_ports, self.objects.ports.len());
        let ports: Vec<Option<Port>> =
            of_ports.into_iter().enumerate().map(|(index, queues)| self.port(index, queues)).collect();
        let of_buffers = owned(&in_buffers, self.objects.buffers.len());
        let buffers: Vec<Option<Buffer>> =
            of_buffers.into_iter().enumerate().map(|(index, queues)| self.buffer(index, queues)).collect();
        let (classify, policy_id) = (self.classifier(), self.chosen_version());
        let (queues, ports) =
            (queues.into_iter().collect::<Option<Vec<_>>>(), ports.into_iter().collect::<Option<Vec<_>>>());
        let buffers = buffers.into_iter().collect::<Option<Vec<_>>>();
        let params = self.params();
        let parameters = self.live_parameters();
        let policy = Policy {
            params: params?,
            parameters: parameters?,
            queues: queues?,
            ports: ports?,
            buffers: buffers?,
            classify: classify?,
            policy_id: policy_id?,
            routines: self.routines.clone(),
        };
        self.check_stages(&policy);
        Some(policy)
    }

    fn params(&mut self) -> Option<Vec<Param>> {
        let mut params = Vec::new();
        for index in 0..self.globals.len() {
            if self.globals[index].kind == GlobalKind::Param {
                let Value { number, unit } = self.param(index, self.globals[index].ident)?;
                let name = self.globals[index].name.clone();
                params.push(Param { name, value: number, in_packets: unit == Unit::Packets });
            }
        }
        Some(params)
    }

    /// Finds the port or buffer that lists each queue.
    fn membership(&mut self, owner: Owner) -> Membership {
        let mut members: Membership = vec![None; self.objects.queues.len()];
        let count = self.objects.of(owner).len();
        for index in 0..count {
            let id = ObjectId { owner, index };
            let (span, global) = {
                let object = &self.objects.of(owner)[index];
                (object.span, object.global)
            };
            let what = owner.name();
            let Some(listed) = self.listed_queues(id) else {
                if count == 1 {
                    members.fill(Some((0, span)));
                } else {
                    let message = format!("`{}` lists no queues", self.globals[global].name);
                    let said = Diagnostic::error(Code::Membership, span, message).here("its queues are missing here");
                    let help = format!("only if a policy has one {what}, it has all queues; list them: `(…, q1, q2)`");
                    self.sink.say(said.help(help));
                    // Nothing is known of the other queues.
                    for member in members.iter_mut().filter(|member| member.is_none()) {
                        *member = Some((index, TextRange::default()));
                    }
                }
                continue;
            };
            for (queue, at) in listed {
                let Some(member) = members.get_mut(queue) else { continue };
                match member {
                    Some((_, first)) if *first != TextRange::default() => {
                        let (first, name) = (*first, &self.globals[self.objects.queues[queue].global].name);
                        let message = format!("the queue `{name}` belongs to two {what}s, or twice to one");
                        let said = Diagnostic::error(Code::Membership, at, message).here("here again");
                        self.sink
                            .say(said.label(first, "listed here first").help(format!("a queue belongs to one {what}")));
                    }
                    member => *member = Some((index, at)),
                }
            }
        }
        members
    }

    fn queue(&mut self, index: usize, at_ports: &Membership, in_buffers: &Membership) -> Option<Queue> {
        let id = ObjectId { owner: Owner::Queue, index };
        self.extra_arguments(id);
        let global = self.objects.queues[index].global;
        let name = self.globals[global].name.clone();
        if at_ports[index].is_none() && !self.objects.ports.is_empty() && !self.objects.has_bad_list {
            let message = format!("the queue `{name}` belongs to no port");
            let said = Diagnostic::error(Code::Membership, self.globals[global].ident.span, message);
            let help = format!("nothing would serve it; list it at a port: `Port(100%, …, {name})`");
            self.sink.say(said.here("no port lists it").help(help));
        }
        let size = self.buffer_size(id);
        let processing = self.packet_order(id, Slot::ProcPrio, "fifo", Relation::Less);
        let admission = self.packet_order(id, Slot::AdmPrio, "rfifo", Relation::Greater);
        let congestion = self.congestion(id);
        let adm_state = self.state_of(id, Slot::AdmState);
        let sched_state = self.state_of(id, Slot::SchedState);
        let port = PortId(u16::try_from(at_ports[index]?.0).ok()?);
        let buffer = in_buffers[index].and_then(|(buffer, _)| u16::try_from(buffer).ok()).map(BufferId);
        Some(Queue {
            name,
            size: size?,
            processing: processing?,
            admission: admission?,
            congestion: congestion?,
            adm_state: adm_state?,
            sched_state: sched_state?,
            port,
            buffer,
        })
    }

    fn port(&mut self, index: usize, queues: Vec<QueueId>) -> Option<Port> {
        let id = ObjectId { owner: Owner::Port, index };
        let name = self.globals[self.objects.ports[index].global].name.clone();
        self.needs_queues(id, &queues);
        let rate = self.size_or_rate(id).and_then(|Value { number, unit }| match unit {
            Unit::BitsPerSecond => {
                let bits = u64::try_from(*number.numer()).ok()?;
                Rate::from_bits_per_second(bits).map(PortRate::Rate)
            }
            _ => Some(PortRate::Percent(number)),
        });
        let next = self.next_of_port(id);
        let scheduling = self.queue_order(id, Slot::SchedPrio, &queues, "oldest first", Relation::Less);
        let next = self.with_eligible(id, &queues, next);
        let after = match self.slot(id, Slot::PostSchedAct) {
            Some(assignment) => self.condition(assignment, id),
            None => Some(Condition::default()),
        };
        let sched_state = self.state_of(id, Slot::SchedState);
        Some(Port {
            name,
            rate: rate?,
            queues,
            scheduling: scheduling?,
            after: after?,
            next: next?,
            sched_state: sched_state?,
        })
    }

    fn buffer(&mut self, index: usize, queues: Vec<QueueId>) -> Option<Buffer> {
        let id = ObjectId { owner: Owner::Buffer, index };
        let name = self.globals[self.objects.buffers[index].global].name.clone();
        self.needs_queues(id, &queues);
        let size = self.buffer_size(id);
        let admission = match self.slot(id, Slot::AdmPrio) {
            Some(assignment) => {
                let unit = self.unit_of_queues(&queues);
                self.order(assignment, Owner::Queue, unit).map(Some)
            }
            None => Some(None),
        };
        let congestion = self.congestion(id);
        let adm_state = self.state_of(id, Slot::AdmState);
        Some(Buffer {
            name,
            size: size?,
            queues,
            admission: admission?,
            congestion: congestion?,
            adm_state: adm_state?,
        })
    }

    fn buffer_size(&mut self, id: ObjectId) -> Option<BufferSize> {
        let Value { number, unit } = self.size_or_rate(id)?;
        let size = u64::try_from(*number.numer()).ok()?;
        Some(if unit == Unit::Packets { BufferSize::Packets(size) } else { BufferSize::Bytes(size) })
    }

    fn packet_order(&mut self, id: ObjectId, slot: Slot, name: &str, relation: Relation) -> Option<Comparator> {
        match self.slot(id, slot) {
            Some(assignment) => self.order(assignment, Owner::Packet, Some(Unit::None)),
            None => Some(self.default_order(Owner::Packet, name, relation)),
        }
    }

    fn queue_order(
        &mut self,
        id: ObjectId,
        slot: Slot,
        queues: &[QueueId],
        name: &str,
        relation: Relation,
    ) -> Option<Comparator> {
        match self.slot(id, slot) {
            Some(assignment) => {
                let unit = self.unit_of_queues(queues);
                self.order(assignment, Owner::Queue, unit)
            }
            None => Some(self.default_order(Owner::Queue, name, relation)),
        }
    }

    /// Returns the unit in which these queues are measured; `None` if they differ.
    pub(super) fn unit_of_queues(&mut self, queues: &[QueueId]) -> Option<Unit> {
        let mut unit = Some(Unit::None);
        for queue in queues {
            let queue = ObjectId { owner: Owner::Queue, index: usize::from(queue.0) };
            let own = self.size_or_rate(queue).map(|value| value.unit);
            unit = match (unit, own) {
                (Some(Unit::None), Some(own)) => Some(own),
                (Some(common), Some(own)) if common != own => None,
                (unit, _) => unit,
            };
        }
        unit
    }

    fn congestion(&mut self, id: ObjectId) -> Option<Condition> {
        match self.slot(id, Slot::Congestion) {
            Some(assignment) => self.condition(assignment, id),
            None => self.tail_drop(id),
        }
    }

    /// Reports a port or a buffer without queues.
    fn needs_queues(&mut self, id: ObjectId, queues: &[QueueId]) {
        // What its list says may be wrong; then that was said.
        if queues.is_empty() && !self.objects.queues.is_empty() && !self.sink.has_errors() {
            let span = self.objects.of(id.owner)[id.index].span;
            let message = format!("this {} has no queue", id.owner.name());
            self.sink.say(Diagnostic::error(Code::Membership, span, message).here("no queue belongs to it"));
        }
    }

    /// Reports a queue that has more arguments than a size.
    fn extra_arguments(&mut self, id: ObjectId) {
        if let Some([_, second, ..]) = self.objects.get(id).map(|object| object.arguments) {
            let said = Diagnostic::error(Code::WrongArguments, second.span, "`Queue` takes one size");
            self.sink.say(said.here("one too many").help("other properties are assigned: `q1.procPrio = …`"));
        }
    }
}

/// Returns the queues of each of `owners` ports or buffers.
fn owned(members: &Membership, owners: usize) -> Vec<Vec<QueueId>> {
    let mut owned = vec![Vec::new(); owners];
    for (queue, member) in members.iter().enumerate() {
        if let (Some((owner, _)), Ok(queue)) = (member, u16::try_from(queue)) {
            owned[*owner].push(QueueId(queue));
        }
    }
    owned
}
