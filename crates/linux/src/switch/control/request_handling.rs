//! How a switch handles a request. A long task is a [`Job`], which another thread may do.

use super::job::{Begins, Done, Job, Needs, Short, read};
use super::wrong_request::{WrongRequest, cannot, read_values};
use super::{Answer, Changed, PortAnswer};
use crate::switch::Switch;
use forebay_core::Time;
use forebay_engine::live::Change;

/// The result of reading a request.
pub(super) enum Asked {
    /// The answer, and whether the switch is to stop.
    Now(Answer, bool),
    /// The job that must be done before the answer.
    Later(Box<Job>),
}

/// The job thread parses requests longer than this: only policies are so long.
const LONG_BYTES: usize = 4_096;

/// Handles a request. Returns the answer, and whether the switch is to stop.
pub fn answer(switch: &mut Switch, now: Time, line: &[u8]) -> (Answer, bool) {
    match ask(switch, now, line) {
        Asked::Now(answer, stops) => (answer, stops),
        Asked::Later(job) => finish(switch, now, job.run()),
    }
}

/// Answers a request, or returns the job that must be done first.
pub(super) fn ask(switch: &mut Switch, now: Time, line: &[u8]) -> Asked {
    let begins = if line.len() > LONG_BYTES {
        Begins::Line(line.to_vec())
    } else {
        match read(line) {
            Ok(Needs::Job(work)) => Begins::Work(work),
            Ok(Needs::Switch(short)) => {
                let (answer, stops) = answer_at_once(switch, now, short);
                return Asked::Now(answer, stops);
            }
            Err(answer) => return Asked::Now(*answer, false),
        }
    };
    Asked::Later(Box::new(Job { begins, plan: switch.plan() }))
}

/// Answers a request whose job is done. Returns the answer, and whether the switch is to stop.
pub(super) fn finish(switch: &mut Switch, now: Time, done: Done) -> (Answer, bool) {
    let answer = match done {
        Done::Short(short) => return answer_at_once(switch, now, short),
        Done::Prepared { prepared, transition, policy } => match switch.exchange(now, *prepared, transition.into()) {
            Ok(changes) => Answer::Changed(changed(changes)),
            Err(why) => cannot(policy.as_deref(), &why),
        },
        Done::Port(prepared) => match switch.add_port(*prepared) {
            Ok(mode) => match ports(switch).pop() {
                Some(port) => Answer::Added { port, mode },
                None => Answer::Error("the switch has no ports".to_owned()),
            },
            Err(why) => Answer::Error(why.to_string()),
        },
        Done::Wrong(answer) => answer,
    };
    (answer, false)
}

/// Answers a request that takes no time. Returns the answer, and whether the switch is to stop.
fn answer_at_once(switch: &mut Switch, now: Time, short: Short) -> (Answer, bool) {
    let answer = match short {
        Short::Stats => Answer::Stats(switch.stats()),
        Short::Ports => Answer::Ports(ports(switch)),
        Short::Stop => return (Answer::Stopping(switch.waiting()), true),
        Short::Set(next) => set(switch, now, &next).map_or_else(Answer::from, Answer::Set),
        Short::PortRemove(port) => match switch.remove_port(&port) {
            Ok(dropped) => Answer::Removed { port, dropped },
            Err(why) => Answer::Error(why.to_string()),
        },
    };
    (answer, false)
}

fn ports(switch: &mut Switch) -> Vec<PortAnswer> {
    let port = |port: crate::switch::PortStats| PortAnswer {
        link: port.link,
        name: port.name,
        rate_bps: port.rate_bps,
        policy: port.policy.name,
        version: port.policy.version,
        waiting: port.waiting,
    };
    switch.stats().ports.into_iter().map(port).collect()
}

fn set(switch: &mut Switch, now: Time, next: &super::NextValues) -> Result<Vec<String>, WrongRequest> {
    let port = number_of(switch, next.port.as_deref())?;
    Ok(switch.set(now, port, &read_values(&next.values)?)?)
}

/// Returns the number of the named port.
fn number_of(switch: &Switch, name: Option<&str>) -> Result<Option<usize>, WrongRequest> {
    let Some(name) = name else { return Ok(None) };
    let number = switch.port_names().position(|known| known == name).ok_or_else(|| WrongRequest::Port {
        name: name.to_owned(),
        ports: switch.port_names().map(str::to_owned).collect(),
    })?;
    Ok(Some(number))
}

/// Converts changes into those of an answer.
fn changed(changes: Vec<(Option<String>, Change)>) -> Vec<Changed> {
    let one = |(port, change): (Option<String>, Change)| {
        let Change { version, carried, draining, .. } = change;
        Changed { port, version, carried, draining }
    };
    changes.into_iter().map(one).collect()
}
