//! The slow part of a request: reading, checking and building a policy. This part needs no switch.

use super::wrong_request::{cannot, no_request, read_values};
use super::{Answer, NextPolicy, NextValues, Request, Waiting};
use crate::switch::change::Setting;
use crate::switch::prepare::{Plan, Prepared, PreparedPort};
use forebay_core::Rate;
use forebay_lang::Lines;

/// A request that needs work before it can be answered.
pub(super) struct Job {
    pub(super) begins: Begins,
    pub(super) plan: Plan,
}

/// The input of a job.
pub(super) enum Begins {
    /// A line that takes long to parse.
    Line(Vec<u8>),
    /// A request that was parsed.
    Work(Work),
}

/// A request, sorted by what its answer needs.
pub(super) enum Needs {
    /// The request needs only the switch, and is answered at once.
    Switch(Short),
    /// The request needs a job first.
    Job(Work),
}

/// A request that takes no time.
pub(super) enum Short {
    Stats,
    Ports,
    Stop,
    Set(NextValues),
    PortRemove(String),
}

/// A request that takes long.
pub(super) enum Work {
    /// Another policy.
    Policy(NextPolicy),
    /// The policy that ran before.
    Rollback(Waiting),
    /// Another port, and its rate if the request gives one.
    Port { name: String, rate: Option<String> },
}

/// The result of a job.
pub(super) enum Done {
    /// A prepared change, and the name of its policy, if there is one.
    Prepared { prepared: Box<Prepared>, transition: Waiting, policy: Option<String> },
    /// A prepared port.
    Port(Box<PreparedPort>),
    /// The line was a request that needs no job.
    Short(Short),
    /// The answer to a request that failed.
    Wrong(Answer),
}

/// Parses a request.
///
/// # Errors
/// If the line is no request. The error is the answer.
pub(super) fn read(line: &[u8]) -> Result<Needs, Box<Answer>> {
    let request = serde_json::from_slice(line).map_err(|error| no_request(&error))?;
    Ok(match request {
        Request::Stats {} => Needs::Switch(Short::Stats),
        Request::Ports {} => Needs::Switch(Short::Ports),
        Request::Stop {} => Needs::Switch(Short::Stop),
        Request::Set(next) => Needs::Switch(Short::Set(next)),
        Request::PortRemove { port } => Needs::Switch(Short::PortRemove(port)),
        Request::Policy(next) => Needs::Job(Work::Policy(next)),
        Request::Rollback { transition } => Needs::Job(Work::Rollback(transition)),
        Request::PortAdd { port, rate } => Needs::Job(Work::Port { name: port, rate }),
    })
}

impl Job {
    /// Whether the job restores the policies from before a change.
    pub(super) fn is_rollback(&self) -> bool {
        matches!(self.begins, Begins::Work(Work::Rollback(_)))
    }

    /// Runs the job.
    pub(super) fn run(self) -> Done {
        let Self { begins, plan } = self;
        let work = match begins {
            Begins::Work(work) => work,
            Begins::Line(line) => match read(&line) {
                Ok(Needs::Job(work)) => work,
                Ok(Needs::Switch(short)) => return Done::Short(short),
                Err(answer) => return Done::Wrong(*answer),
            },
        };
        match work {
            Work::Policy(next) => policy(plan, &next),
            Work::Rollback(transition) => roll_back(plan, transition),
            Work::Port { name, rate } => port(plan, &name, rate.as_deref()),
        }
    }
}

fn port(plan: Plan, name: &str, rate: Option<&str>) -> Done {
    let rate = match rate.map(Rate::parse).transpose() {
        Ok(rate) => rate.or(plan.usual_rate),
        Err(error) => return Done::Wrong(Answer::Error(format!("rate: {error}"))),
    };
    match plan.port(name, rate) {
        Ok(prepared) => Done::Port(Box::new(prepared)),
        Err(why) => Done::Wrong(Answer::Error(why.to_string())),
    }
}

fn roll_back(plan: Plan, transition: Waiting) -> Done {
    match plan.roll_back() {
        Ok(prepared) => Done::Prepared { prepared: Box::new(prepared), transition, policy: None },
        Err(why) => Done::Wrong(cannot(None, &why)),
    }
}

fn policy(plan: Plan, next: &NextPolicy) -> Done {
    let setting = match read_policy(next) {
        Ok(setting) => setting,
        Err(answer) => return Done::Wrong(*answer),
    };
    let policy = Some(next.name.clone());
    match plan.change(next.port.as_deref(), &setting) {
        Ok(prepared) => Done::Prepared { prepared: Box::new(prepared), transition: next.transition, policy },
        Err(why) => Done::Wrong(cannot(policy.as_deref(), &why)),
    }
}

/// Reads the policy of a request. The error reports its first mistake.
fn read_policy(next: &NextPolicy) -> Result<Setting, Box<Answer>> {
    let params = read_values(&next.params).map_err(Answer::from)?;
    let analysis = forebay_lang::analyse_live(&next.text, &params, &next.live);
    if let Some(policy) = analysis.policy {
        return Ok(Setting { name: next.name.clone(), policy: policy.into() });
    }
    let lines = Lines::new(&next.text);
    let mistake = analysis.diagnostics.first().map_or_else(String::new, |mistake| {
        let at = lines.position(mistake.span.start());
        format!("{}:{}: {}", at.line + 1, at.chars + 1, mistake.message)
    });
    Err(Answer::Error(format!("{}:{mistake}", next.name)).into())
}
