//! The switch of `forebay switch`: frames come by an interface in memory, and leave by another one, whose egress is the policy.
//!
//! Its clock shows the times of the operations, and it sends a frame when the operations say that the port sends.

use super::emitted::failed;
use super::{Datapath, Played, Unplayed};
use forebay_conform::{Answer, Frames, Marked, Operation, Verdict, bits};
use forebay_core::Time;
use forebay_lang::ir::PortRate;
use forebay_lang::{Ratio, Unit, Value};
use forebay_switch::backend::memory::{OtherEnd, pair};
use forebay_switch::frame::Offload;
use forebay_switch::{Dropped, Forwarding, PortSetup, Rule, Setting, Switch};
use forebay_targets::headers::Metadata;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

pub(super) const DATAPATH: Datapath = Datapath {
    name: "switch",
    title: "the software switch, with frames between interfaces in memory",
    expected: super::exact,
    play,
};

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    played.has_frames()?;
    let mut policy = played.policy.clone();
    // The operations are its pace.
    policy.ports.iter_mut().for_each(|port| port.rate = PortRate::Percent(Ratio::from_integer(100)));
    forebay_switch::check(&policy, &Frames::mapping(), false).map_err(Unplayed::Skipped)?;
    let mut host = Host::new(&Setting { name: played.name.to_owned(), policy }, played);
    let answers = played.operations.iter().map(|operation| host.answer(operation)).collect();
    host.switch.stats().check().map_err(|error| failed("not every frame is accounted for", &error))?;
    answers
}

/// What the switch has recorded since somebody looked.
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

/// The switch, and who is at the other ends of its interfaces.
struct Host {
    switch: Switch,
    incoming: OtherEnd,
    outgoing: OtherEnd,
    recording: Recording,
    /// The names of the live parameters.
    parameters: Vec<String>,
    /// How many were dropped until now.
    dropped: Dropped,
}

impl Host {
    fn new(setting: &Setting, played: &Played<'_>) -> Self {
        let recording = Recording::default();
        let (ports, ends): (Vec<_>, Vec<_>) = ["in", "out"]
            .map(|name| {
                let (interface, end) = pair();
                let record: Option<Box<dyn Write>> = (name == "out").then(|| Box::new(recording.clone()) as _);
                let (name, setting) = (name.to_owned(), setting.clone());
                (PortSetup { name, interface: Box::new(interface), setting, rate: None, record }, end)
            })
            .into_iter()
            .unzip();
        let forwarding = Forwarding::Static(vec![vec![1], vec![]]);
        let switch = Switch::new(ports, Frames::mapping(), forwarding, None, played.seed);
        let [incoming, outgoing] = ends.try_into().unwrap_or_else(|_| unreachable!("there are two"));
        let parameters = played.policy.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        Self { switch, incoming, outgoing, recording, parameters, dropped: Dropped::default() }
    }

    fn answer(&mut self, operation: &Operation) -> Result<Answer, Unplayed> {
        let verdict = match operation {
            Operation::Enqueue(now, packet) => {
                self.incoming.put(Frames::of(packet), Offload::default());
                self.switch.receive(*now);
                let rule = self.newly_dropped();
                let is_queued = self.recording.take().ends_with("queued\n");
                if is_queued { Verdict::Queued } else { Verdict::Refused(rule) }
            }
            Operation::Dequeue(now, _) | Operation::Cycle(now, _) => self.send(*now)?,
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

    fn send(&mut self, now: Time) -> Result<Verdict, Unplayed> {
        self.switch.send_at_most(now, 1);
        let recorded = self.recording.take();
        let Some(frame) = self.outgoing.take() else { return Ok(Verdict::Nothing) };
        // What a packet is worth now is not in its frame, but in the recording.
        let value = recorded.trim_end().rsplit(' ').next().and_then(|word| word.parse::<Marked>().ok());
        let value = value.ok_or_else(|| failed("the switch's recording", &format!("`{recorded}`")))?.value;
        let marks = bits(Frames::mapping().packet(&frame, Metadata::default()).marks);
        // A frame that is not of the stream gets a number that no packet has.
        Ok(Verdict::Sent(Marked { id: Frames::id(&frame).unwrap_or(u64::MAX), value, marks }))
    }

    /// The rule by which frames were dropped since the last time; those that were pushed out are counted as well, so what is
    /// last in the order of admission is the one of the frame that came.
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
