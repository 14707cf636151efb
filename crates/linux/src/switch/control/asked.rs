//! What a switch does with a request. What takes long is a [`Job`], which another thread may do.

use super::job::{Done, Job, Work};
use super::wrong::{WrongRequest, cannot, no_request, read_values};
use super::{Answer, Changed, PortAnswer, Request};
use crate::switch::Switch;
use forebay_core::{Rate, Time};
use forebay_engine::live::Change;

/// What becomes of a request.
pub(super) enum Asked {
    /// It is answered.
    Answered(Answer),
    /// It is answered, and the switch is to stop.
    Stop(Answer),
    /// It is answered when this is done.
    Later(Box<Job>),
}

/// Longer requests are read by the thread that does jobs: only policies are so long.
const LONG_BYTES: usize = 4_096;

/// Does what is asked for. Whether the switch is to stop comes with the answer.
pub fn answer(switch: &mut Switch, now: Time, line: &[u8]) -> (Answer, bool) {
    match ask(switch, now, line) {
        Asked::Answered(answer) => (answer, false),
        Asked::Stop(answer) => (answer, true),
        Asked::Later(job) => match finish(switch, now, job.run()) {
            Asked::Stop(answer) => (answer, true),
            Asked::Answered(answer) => (answer, false),
            Asked::Later(_) => unreachable!("what a job has read is no longer a line"),
        },
    }
}

/// Answers a request, or says what is to be done first.
pub(super) fn ask(switch: &mut Switch, now: Time, line: &[u8]) -> Asked {
    if line.len() > LONG_BYTES {
        return Asked::Later(Box::new(Job { work: Work::Line(line.to_vec()), plan: switch.plan() }));
    }
    match serde_json::from_slice(line) {
        Ok(request) => request_of(switch, now, request),
        Err(error) => Asked::Answered(no_request(&error)),
    }
}

fn request_of(switch: &mut Switch, now: Time, request: Request) -> Asked {
    let later = |switch: &Switch, work| Asked::Later(Box::new(Job { work, plan: switch.plan() }));
    match request {
        Request::Stats {} => Asked::Answered(Answer::Stats(switch.stats())),
        Request::Ports {} => Asked::Answered(Answer::Ports(ports(switch))),
        Request::Stop {} => Asked::Stop(Answer::Stopping(switch.waiting())),
        Request::Set(next) => Asked::Answered(set(switch, now, &next).map_or_else(Answer::from, Answer::Set)),
        Request::Rollback { transition } => later(switch, Work::Rollback(transition)),
        Request::Policy(next) => later(switch, Work::Policy(next)),
        Request::PortAdd { port, rate } => match rate.as_deref().map(Rate::parse).transpose() {
            Ok(rate) => later(switch, Work::Port { name: port, rate: rate.or(switch.usual_rate()) }),
            Err(error) => Asked::Answered(Answer::Error(format!("rate: {error}"))),
        },
        Request::PortRemove { port } => Asked::Answered(match switch.remove_port(&port) {
            Ok(dropped) => Answer::Removed { port, dropped },
            Err(why) => Answer::Error(why.to_string()),
        }),
    }
}

/// Answers the request of a job that is done.
pub(super) fn finish(switch: &mut Switch, now: Time, done: Done) -> Asked {
    match done {
        Done::Prepared { prepared, transition, policy } => {
            let changes = switch.exchange(now, *prepared, transition.into());
            Asked::Answered(match changes {
                Ok(changes) => Answer::Changed(changed(changes)),
                Err(why) => cannot(policy.as_deref(), &why),
            })
        }
        Done::Port(prepared) => Asked::Answered(match switch.add_port(*prepared) {
            Ok(mode) => match ports(switch).pop() {
                Some(port) => Answer::Added { port, mode: mode.map(str::to_owned) },
                None => Answer::Error("the switch has no ports".to_owned()),
            },
            Err(why) => Answer::Error(why.to_string()),
        }),
        Done::Request(request) => request_of(switch, now, *request),
        Done::Wrong(answer) => Asked::Answered(answer),
    }
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

/// The number of a port that is named.
fn number_of(switch: &Switch, name: Option<&str>) -> Result<Option<usize>, WrongRequest> {
    let Some(name) = name else { return Ok(None) };
    let number = switch.port_names().position(|known| known == name).ok_or_else(|| WrongRequest::Port {
        name: name.to_owned(),
        ports: switch.port_names().map(str::to_owned).collect(),
    })?;
    Ok(Some(number))
}

/// Changes as an answer has them.
fn changed(changes: Vec<(Option<String>, Change)>) -> Vec<Changed> {
    let one = |(port, change): (Option<String>, Change)| {
        let Change { version, carried, draining, .. } = change;
        Changed { port, version, carried, draining }
    };
    changes.into_iter().map(one).collect()
}
