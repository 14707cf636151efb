//! Small stories about a policy: packets arrive, ports send, and what must come of it (`policies/README.md`).

use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Time, Verdict};
use forebay_engine::{Cycles, Engine, Passed, Served};
use forebay_lang::Policy;
use forebay_lang::ir::{PortId, QueueRef, State};
use std::collections::BTreeMap;

/// One line of a script: what to do, and what must be the answer.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) line: usize,
    command: Vec<String>,
    expected: String,
}

/// Params that a script sets, and its steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) params: Vec<(String, String)>,
    pub(crate) steps: Vec<Step>,
}

impl Script {
    /// Reads a script.
    pub(crate) fn parse(text: &str) -> Self {
        let mut script = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            if let Some(param) = line.strip_prefix("param ") {
                let (name, value) = param.split_once('=').unwrap_or_else(|| panic!("line {}: no `=`", index + 1));
                script.params.push((name.trim().to_owned(), value.trim().to_owned()));
                continue;
            }
            let (command, expected) = line.split_once("->").unwrap_or((line, ""));
            script.steps.push(Step {
                line: index + 1,
                command: command.split_whitespace().map(str::to_owned).collect(),
                expected: expected.trim().to_owned(),
            });
        }
        script
    }

    /// Plays the script; the error says which line went otherwise, and how.
    pub(crate) fn play(&self, policy: &Policy, engine: &mut dyn Engine) -> Result<(), String> {
        let mut player = Player { policy, engine, now: Time::ZERO, names: BTreeMap::new(), next_id: 0 };
        for step in &self.steps {
            let words: Vec<&str> = step.command.iter().map(String::as_str).collect();
            let actual = player.step(&words).map_err(|error| format!("line {}: {error}", step.line))?;
            if actual != step.expected {
                return Err(format!(
                    "line {}: {}: expected `{}`, but it is `{actual}`",
                    step.line,
                    step.command.join(" "),
                    step.expected
                ));
            }
        }
        Ok(())
    }
}

struct Player<'a> {
    policy: &'a Policy,
    engine: &'a mut dyn Engine,
    now: Time,
    names: BTreeMap<u64, String>,
    next_id: u64,
}

impl Player<'_> {
    fn step(&mut self, words: &[&str]) -> Result<String, String> {
        match words {
            ["at", number, unit] => {
                self.now =
                    Time::ZERO + Duration::parse(&format!("{number} {unit}")).map_err(|error| error.to_string())?;
                Ok(String::new())
            }
            ["arrive", number, "times", fields @ ..] => self.arrive_often(number, fields),
            ["arrive", name, fields @ ..] => self.arrive(name, fields),
            [how @ ("send" | "cycle"), port] if self.leads_on(self.port(port)?) => {
                let cycles = if *how == "send" { Cycles::All } else { Cycles::One };
                self.pass(self.port(port)?, cycles)
            }
            ["send", port] => {
                let port = self.port(port)?;
                Ok(self
                    .engine
                    .dequeue(self.now, port)
                    .map_or_else(|| "nothing".to_owned(), |packet| self.describe(&packet)))
            }
            ["cycle", port] => {
                let port = self.port(port)?;
                Ok(match self.engine.cycle(self.now, port) {
                    Served::Nothing => "nothing".to_owned(),
                    Served::Cycle => "busy".to_owned(),
                    Served::Packet(packet) => self.describe(&packet),
                })
            }
            ["length", queue] => {
                let occupancy = self.engine.occupancy(self.queue(queue)?);
                Ok(format!("{} packets, {} B", occupancy.packets, occupancy.bytes))
            }
            ["state", place] => self.state(place),
            _ => Err(format!("`{}` is no step", words.join(" "))),
        }
    }

    fn arrive(&mut self, name: &str, fields: &[&str]) -> Result<String, String> {
        let packet = self.packet(fields)?;
        self.names.insert(packet.id, name.to_owned());
        let mut evicted = Vec::new();
        let verdict = self.engine.enqueue(self.now, packet, &mut evicted);
        let mut answer = match verdict {
            Verdict::Queued { .. } => "queued".to_owned(),
            Verdict::Refused { .. } => "refused".to_owned(),
        };
        if !evicted.is_empty() {
            let names: Vec<_> = evicted.iter().map(|packet| self.names[&packet.id].clone()).collect();
            answer += &format!(", pushes out {}", names.join(" "));
        }
        Ok(answer)
    }

    fn leads_on(&self, port: PortId) -> bool {
        self.policy.ports[usize::from(port.0)].next.is_some()
    }

    /// What a port of an earlier stage did.
    fn pass(&mut self, port: PortId, cycles: Cycles) -> Result<String, String> {
        let mut dropped = Vec::new();
        let (packet, into) = match self.engine.pass(self.now, port, cycles, &mut dropped) {
            Passed::Nothing => return Ok("nothing".to_owned()),
            Passed::Cycle => return Ok("busy".to_owned()),
            Passed::Packet { packet, into } => (packet, into),
        };
        let mut answer = self.describe(&packet);
        match into {
            Some(queue) => answer += &format!(" into {}", self.policy.queues[usize::from(queue.0)].name),
            None => {
                answer += " dropped";
                dropped.pop().filter(|last| last.id == packet.id).ok_or("the packet is not among what was dropped")?;
            }
        }
        if !dropped.is_empty() {
            let names: Vec<_> = dropped.iter().map(|packet| self.names[&packet.id].clone()).collect();
            answer += &format!(", pushes out {}", names.join(" "));
        }
        Ok(answer)
    }

    /// How many of many equal packets were queued, dropped and pushed out.
    fn arrive_often(&mut self, times: &str, fields: &[&str]) -> Result<String, String> {
        let times: u64 = times.parse().map_err(|_| format!("`{times}` is no number"))?;
        let (mut queued, mut evicted) = (0, Vec::new());
        for _ in 0..times {
            let packet = self.packet(fields)?;
            self.names.insert(packet.id, "one of many".to_owned());
            queued += u64::from(matches!(self.engine.enqueue(self.now, packet, &mut evicted), Verdict::Queued { .. }));
        }
        Ok(format!("{queued} queued, {} refused, {} pushed out", times - queued, evicted.len()))
    }

    fn packet(&mut self, fields: &[&str]) -> Result<Packet, String> {
        let mut packet = Packet { arrival: self.now, size_bytes: 1_000, id: self.next_id, ..Packet::default() };
        self.next_id += 1;
        for field in fields {
            let (name, value) = field.split_once('=').ok_or_else(|| format!("`{field}` has no `=`"))?;
            let number: u64 = value.parse().map_err(|_| format!("`{value}` is no number"))?;
            match name {
                "size" => packet.size_bytes = narrow(number)?,
                "value" => packet.value = narrow(number)?,
                "flow" => packet.flow = FlowId(narrow(number)?),
                "queue" => packet.queue = QueueId(narrow(number)?),
                "class" => packet.class = ClassId(narrow(number)?),
                "processing" => packet.processing = Duration::from_ps(number * 1_000),
                "slack" => packet.slack = Duration::from_ps(number * 1_000),
                "remaining" => packet.remaining_bytes = number,
                "rank" => packet.rank = number,
                "marked" if number == 1 => packet.marks.set_eligible_to_drop(),
                "notified" if number == 1 => packet.marks.set_congested(),
                _ => return Err(format!("packets have no `{name}`")),
            }
        }
        Ok(packet)
    }

    fn describe(&self, packet: &Packet) -> String {
        let mut text = self.names[&packet.id].clone();
        if packet.marks.eligible_to_drop() {
            text += " marked";
        }
        if packet.marks.congested() {
            text += " notified";
        }
        text
    }

    fn port(&self, name: &str) -> Result<PortId, String> {
        let place = self.policy.ports.iter().position(|port| port.name == name);
        place
            .and_then(|place| u16::try_from(place).ok())
            .map(PortId)
            .ok_or_else(|| format!("there is no port `{name}`"))
    }

    fn queue(&self, name: &str) -> Result<QueueId, String> {
        let place = self.policy.queues.iter().position(|queue| queue.name == name);
        place
            .and_then(|place| u16::try_from(place).ok())
            .map(QueueId)
            .ok_or_else(|| format!("there is no queue `{name}`"))
    }

    fn state(&self, place: &str) -> Result<String, String> {
        use forebay_lang::ir::PortRef;
        let (object, property) = place.split_once('.').ok_or_else(|| format!("`{place}` has no `.`"))?;
        let state = match property {
            "admState" => State::QueueAdm(QueueRef::Named(self.queue(object)?)),
            "schedState" if self.port(object).is_ok() => State::PortSched(PortRef::Named(self.port(object)?)),
            "schedState" => State::QueueSched(QueueRef::Named(self.queue(object)?)),
            _ => return Err(format!("there is no state `{property}`")),
        };
        Ok(self.engine.state(state).to_string())
    }
}

fn narrow<T: TryFrom<u64>>(number: u64) -> Result<T, String> {
    T::try_from(number).map_err(|_| format!("{number} is too much"))
}
