//! What a request needs that takes long: reading, checking and building a policy. It needs no switch.

use super::wrong::{cannot, no_request, read_values};
use super::{Answer, NextPolicy, Request, Waiting};
use crate::switch::change::Setting;
use crate::switch::prepare::{Plan, Prepared, PreparedPort};
use forebay_core::Rate;
use forebay_lang::Lines;

/// A request that is not ready to be answered.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) plan: Plan,
}

/// What is to be done.
pub(super) enum Work {
    /// A line that is long.
    Line(Vec<u8>),
    /// Another policy.
    Policy(NextPolicy),
    /// What ran before.
    Rollback(Waiting),
    /// Another port.
    Port { name: String, rate: Option<Rate> },
}

/// What came of it.
pub(super) enum Done {
    /// A change; the name of its policy, if it has one.
    Prepared { prepared: Box<Prepared>, transition: Waiting, policy: Option<String> },
    /// A port.
    Port(Box<PreparedPort>),
    /// The line was another request.
    Request(Box<Request>),
    /// Nothing, and why.
    Wrong(Answer),
}

impl Job {
    /// Does it.
    pub(super) fn run(self) -> Done {
        let Self { work, plan } = self;
        match work {
            Work::Line(line) => match serde_json::from_slice(&line) {
                Ok(Request::Policy(next)) => policy(plan, &next),
                Ok(Request::Rollback { transition }) => roll_back(plan, transition),
                Ok(request) => Done::Request(Box::new(request)),
                Err(error) => Done::Wrong(no_request(&error)),
            },
            Work::Policy(next) => policy(plan, &next),
            Work::Rollback(transition) => roll_back(plan, transition),
            Work::Port { name, rate } => match plan.port(&name, rate) {
                Ok(prepared) => Done::Port(Box::new(prepared)),
                Err(why) => Done::Wrong(Answer::Error(why.to_string())),
            },
        }
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

/// The policy that a request brings; its first mistake, if it has any.
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
