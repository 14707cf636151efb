//! The switch of `forebay switch`: frames arrive by an interface in memory, and depart by another one, whose egress is
//! the policy. If the policy has several ports, frames depart by an interface for each.
//!
//! Its clock shows the times of the operations, and it sends a frame when the operations say that the port sends.

use super::emitted::failed;
use super::{Datapath, Played, Unplayed};
use crate::{Answer, Holds, Marked, Operation, Verdict, bits};
use forebay_core::{About, Duration, Exactness, Packet, Time};
use forebay_lang::ir::{PortId, PortRate};
use forebay_lang::{Ratio, Unit, Value};
use forebay_linux::switch::backend::memory::{OtherEnd, pair};
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Dropped, Forwarding, MOST_QUEUES, PortSetup, Rule, Setting, Setup, Switch, Table};
use forebay_targets::headers::Metadata;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "switch",
        title: "the software switch, with frames between interfaces in memory",
        exactness: Exactness::NotApplicable,
        hardware: "Linux",
        cost: "a frame for each packet, in memory",
        source: "docs/targets/switch.md",
        params: &[],
    },
    holds,
    expected: super::exact,
    play,
};

fn holds(_: &Played<'_>) -> Holds {
    Holds { queues: Some(MOST_QUEUES), ..Holds::default() }
}

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    played.has_frames()?;
    let mut policy = played.policy.clone();
    // The operations are its pace.
    policy.ports.iter_mut().for_each(|port| port.rate = PortRate::Percent(Ratio::from_integer(100)));
    let rates = vec![None; policy.ports.len()];
    forebay_linux::switch::check(&policy, &played.mapping(), &forwarding(rates.len()), &rates)
        .map_err(|why| Unplayed::Skipped(why.to_string()))?;
    let mut host = Host::new(Setting { name: played.name.to_owned(), policy: policy.into() }, played);
    let answers = played.operations.iter().map(|operation| host.answer(operation)).collect();
    host.switch.stats().check().map_err(|error| failed("not every frame is accounted for", &error))?;
    answers
}

/// Forwards to the interface of a policy with one port, or as a policy with several ports chooses itself.
fn forwarding(ports: usize) -> Forwarding {
    match ports {
        1 => Forwarding::Static(vec![vec![1], vec![]]),
        _ => Forwarding::Learning(Table::new(ports, Duration::ZERO)),
    }
}

/// The part of the switch's recording since the last call.
#[derive(Clone, Default)]
struct Recording(Rc<RefCell<Vec<u8>>>);

impl Recording {
    fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.0.borrow_mut())).into_owned()
    }
}

impl Write for Recording {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The switch, and the other ends of its interfaces. A policy with one port is at the second of two interfaces; otherwise there is an
/// interface for each port.
struct Host<'a> {
    played: &'a Played<'a>,
    switch: Switch,
    ends: Vec<OtherEnd>,
    /// The interface of the policy's first port.
    first: usize,
    recording: Recording,
    /// The names of the live parameters.
    parameters: Vec<String>,
    /// The frames that were dropped so far.
    dropped: Dropped,
}

impl<'a> Host<'a> {
    fn new(setting: Setting, played: &'a Played<'a>) -> Self {
        let recording = Recording::default();
        let several = setting.policy.ports.len();
        let (count, first) = if several == 1 { (2, 1) } else { (several, 0) };
        let (ports, ends): (Vec<_>, Vec<_>) = (0..count)
            .map(|number| {
                let (interface, end) = pair();
                (PortSetup { name: number.to_string(), interface: Box::new(interface), rate: None }, end)
            })
            .unzip();
        let mut records: Vec<Option<Box<dyn Write>>> = (0..first).map(|_| None).collect();
        records.push(Some(Box::new(recording.clone())));
        let (mapping, forwarding) = (played.mapping(), forwarding(several));
        let setup = Setup { setting, mapping, forwarding, tap: None, seed: played.seed, records };
        let parameters = played.policy.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        Self {
            played,
            switch: Switch::new(ports, setup),
            ends,
            first,
            recording,
            parameters,
            dropped: Dropped::default(),
        }
    }

    fn answer(&mut self, operation: &Operation) -> Result<Answer, Unplayed> {
        let verdict = match operation {
            Operation::Enqueue(now, packet) => {
                let mut rule = self.receive(*now, 0, packet);
                // A frame is not sent back to its ingress, and the policy has not seen it: it arrives at another
                // interface.
                if rule == Rule::NoRoute.name() {
                    rule = self.receive(*now, 1, packet);
                }
                let is_queued = self.recording.take().ends_with("queued\n");
                if is_queued { Verdict::Queued } else { Verdict::Refused(rule) }
            }
            Operation::Dequeue(now, port) | Operation::Cycle(now, port) => self.send(*now, *port)?,
            // There is one policy.
            Operation::Replace(..) => Verdict::Draining,
            Operation::Set(now, id, value) => {
                let name = &self.parameters[usize::from(id.0)];
                let value = Value { number: value.exact(), unit: Unit::None };
                self.switch.set(*now, None, &[(name.clone(), value)]).map_err(|why| failed("a parameter", &why))?;
                let recorded = self.recording.take();
                if recorded != format!("{operation}\n") {
                    return Err(failed("the switch's recording", &format!("`{recorded}`")));
                }
                Verdict::Set
            }
        };
        // It does not say which packets were pushed out.
        Ok(Answer { verdict, pushed: None })
    }

    /// Lets a packet arrive by an interface. Returns the rule by which frames were dropped.
    fn receive(&mut self, now: Time, ingress: usize, packet: &Packet) -> String {
        self.ends[ingress].put(self.played.frame(packet), Offload::default());
        self.switch.receive(now);
        self.newly_dropped()
    }

    fn send(&mut self, now: Time, port: PortId) -> Result<Verdict, Unplayed> {
        let port = self.first + usize::from(port.0);
        self.switch.send_at_most(now, port, 1);
        let recorded = self.recording.take();
        let Some(frame) = self.ends[port].take() else { return Ok(Verdict::Nothing) };
        // What a packet is worth now is not in its frame, but in the recording.
        let value = recorded.trim_end().rsplit(' ').next().and_then(|word| word.parse::<Marked>().ok());
        let said = value.ok_or_else(|| failed("the switch's recording", &format!("`{recorded}`")))?;
        let id = self.played.id(&frame);
        let marks = match self.played.frames {
            None => bits(self.played.mapping().packet(&frame, Metadata::default()).marks),
            // Not every frame has a field for every mark.
            Some(set) if set.id(&frame).is_none_or(|id| set.with_marks(id, said.marks) == frame) => said.marks,
            Some(_) => return Err(failed("a frame", &format!("packet {id} leaves as {frame:02x?}"))),
        };
        Ok(Verdict::Sent(Marked { id, value: said.value, marks }))
    }

    /// Returns the rule by which frames were dropped since the last call. Pushed-out frames are counted as well, so the last rule in the
    /// order of admission is that of the frame that arrived.
    fn newly_dropped(&mut self) -> String {
        let mut now = Dropped::default();
        for port in self.switch.stats().ports {
            port.dropped.0.iter().chain(&port.dropped_on_arrival.0).for_each(|(rule, frames)| now.add(*rule, *frames));
        }
        let grown = |rule: &Rule| now.0.get(rule) > self.dropped.0.get(rule);
        let last = [Rule::Unclassified, Rule::Overflow, Rule::Queue, Rule::Buffer].into_iter().find(grown);
        let rule = last.or_else(|| now.0.keys().copied().find(grown)).map_or("by no rule", Rule::name);
        self.dropped = now;
        rule.to_owned()
    }
}
