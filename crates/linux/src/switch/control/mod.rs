//! The control socket: requests to a switch that runs, one line of JSON each, and answers alike (`docs/targets/switch.md`).

mod connection;
mod server;

pub use connection::MOST_REQUEST_BYTES;
pub use server::{BindError, Control};

use crate::switch::Switch;
use crate::switch::change::{CannotChange, CannotSet, Setting};
use crate::switch::interface::LinkState;
use crate::switch::stats::Stats;
use forebay_core::Time;
use forebay_engine::Transition;
use forebay_engine::live::Change;
use forebay_lang::{Lines, Overrides, ValueError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    // Braces, since a variant without them takes any fields.
    /// All counters.
    Stats {},
    /// The ports and what they run.
    Ports {},
    /// The end of the switch.
    Stop {},
    /// Another policy.
    Policy(NextPolicy),
    /// Other values for live parameters.
    Set(NextValues),
    /// What ran before the last change of a policy.
    Rollback {
        /// What happens to packets that wait.
        #[serde(default)]
        transition: Waiting,
    },
}

/// Values for live parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NextValues {
    /// As `NAME=VALUE`.
    pub values: Vec<String>,
    /// The port; all, if there is none.
    #[serde(default)]
    pub port: Option<String>,
}

/// Another policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NextPolicy {
    /// The name of its file, for messages.
    pub name: String,
    /// What it says, in OpenQueue.
    pub text: String,
    /// Constants, as `NAME=VALUE`.
    #[serde(default)]
    pub params: Vec<String>,
    /// The names of those that can be changed while it runs.
    #[serde(default)]
    pub live: Vec<String>,
    /// What happens to packets that wait: `drain` or `rerank`.
    #[serde(default)]
    pub transition: Waiting,
    /// The port; all, if there is none.
    #[serde(default)]
    pub port: Option<String>,
}

/// What happens to packets that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waiting {
    /// They leave first, under the policy under which they wait.
    #[default]
    Drain,
    /// They take their places in the new orders.
    Rerank,
}

impl From<Waiting> for Transition {
    fn from(waiting: Waiting) -> Self {
        match waiting {
            Waiting::Drain => Self::Drain,
            Waiting::Rerank => Self::Rerank,
        }
    }
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// All counters.
    Stats(Stats),
    /// The ports.
    Ports(Vec<PortAnswer>),
    /// The switch stops; so many frames wait.
    Stopping(usize),
    /// The policy was changed at these ports.
    Changed(Vec<Changed>),
    /// Live parameters have their values at these ports.
    Set(Vec<String>),
    /// Nothing has happened, and why.
    Error(String),
}

/// A port and what it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortAnswer {
    /// The interface.
    pub name: String,
    /// Whether it is there.
    #[serde(default)]
    pub link: LinkState,
    /// Bits per second, if it has a rate.
    pub rate_bps: Option<u64>,
    /// The file of its policy.
    pub policy: String,
    /// The version of its policy.
    pub version: u32,
    /// Frames that wait.
    pub waiting: u64,
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The port; none if all ports share the policy.
    pub port: Option<String>,
    /// The new version.
    pub version: u32,
    /// Packets that are under the new version's orders now.
    pub carried: u64,
    /// Packets that leave under older versions.
    pub draining: u64,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { port, version, carried, draining } = self;
        match port {
            Some(port) => write!(f, "port {port}")?,
            None => f.write_str("all ports")?,
        }
        write!(f, ": version {version}; {carried} packets carried over, {draining} drain")
    }
}

/// Does what is asked for. Whether the switch is to stop comes with the answer.
pub fn answer(switch: &mut Switch, now: Time, line: &[u8]) -> (Answer, bool) {
    let request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return (Answer::Error(format!("this is no request: {error}")), false),
    };
    match request {
        Request::Stats {} => (Answer::Stats(switch.stats()), false),
        Request::Ports {} => (Answer::Ports(ports(switch)), false),
        Request::Stop {} => (Answer::Stopping(switch.waiting()), true),
        Request::Set(next) => (set(switch, now, &next).map_or_else(Answer::from, Answer::Set), false),
        Request::Rollback { transition } => {
            let changes = switch.roll_back(now, transition.into());
            (
                changes.map_or_else(|why| Answer::Error(why.to_string()), |changes| Answer::Changed(changed(changes))),
                false,
            )
        }
        Request::Policy(next) => (change(switch, now, &next).map_or_else(Answer::from, Answer::Changed), false),
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

/// Why nothing has happened.
#[derive(Debug, thiserror::Error)]
enum WrongRequest {
    #[error("there is no port `{name}`; there are {}", ports.join(", "))]
    Port { name: String, ports: Vec<String> },
    #[error("`{0}` should be NAME=VALUE")]
    Shape(String),
    #[error("`{text}`: {why}")]
    Value { text: String, why: ValueError },
    #[error(transparent)]
    Set(#[from] CannotSet),
    #[error("{policy}: {why}")]
    Change { policy: String, why: CannotChange },
    /// The place and the message of the first mistake in its text.
    #[error("{policy}:{mistake}")]
    Policy { policy: String, mistake: String },
}

impl From<WrongRequest> for Answer {
    fn from(why: WrongRequest) -> Self {
        Self::Error(why.to_string())
    }
}

fn set(switch: &mut Switch, now: Time, next: &NextValues) -> Result<Vec<String>, WrongRequest> {
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

/// Texts as `NAME=VALUE`.
fn read_values(texts: &[String]) -> Result<Overrides, WrongRequest> {
    let one = |text: &String| {
        let (name, value) = text.split_once('=').ok_or_else(|| WrongRequest::Shape(text.clone()))?;
        let value = value.parse().map_err(|why| WrongRequest::Value { text: text.clone(), why })?;
        Ok((name.trim().to_owned(), value))
    };
    texts.iter().map(one).collect()
}

fn change(switch: &mut Switch, now: Time, next: &NextPolicy) -> Result<Vec<Changed>, WrongRequest> {
    let port = number_of(switch, next.port.as_deref())?;
    let setting = read_policy(next)?;
    let changes = switch
        .change(now, port, &setting, next.transition.into())
        .map_err(|why| WrongRequest::Change { policy: next.name.clone(), why })?;
    Ok(changed(changes))
}

/// Changes as an answer has them.
fn changed(changes: Vec<(Option<String>, Change)>) -> Vec<Changed> {
    let one = |(port, change): (Option<String>, Change)| {
        let Change { version, carried, draining, .. } = change;
        Changed { port, version, carried, draining }
    };
    changes.into_iter().map(one).collect()
}

/// The policy that a request brings; its first mistake, if it has any.
fn read_policy(next: &NextPolicy) -> Result<Setting, WrongRequest> {
    let params = read_values(&next.params)?;
    let analysis = forebay_lang::analyse_live(&next.text, &params, &next.live);
    if let Some(policy) = analysis.policy {
        return Ok(Setting { name: next.name.clone(), policy });
    }
    let lines = Lines::new(&next.text);
    let mistake = analysis.diagnostics.first().map_or_else(String::new, |mistake| {
        let at = lines.position(mistake.span.start());
        format!("{}:{}: {}", at.line + 1, at.chars + 1, mistake.message)
    });
    Err(WrongRequest::Policy { policy: next.name.clone(), mistake })
}
