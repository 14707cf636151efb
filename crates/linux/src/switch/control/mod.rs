//! The control socket: requests to a switch that runs, one line of JSON each, and answers alike (`docs/targets/switch.md`).

mod connection;
mod job;
mod job_thread;
mod request_handling;
mod server;
mod wrong_request;

pub use connection::MOST_REQUEST_BYTES;
pub use job_thread::MOST_TIME;
pub use request_handling::answer;
pub use server::{BindError, Control};

use crate::switch::interface::LinkState;
use crate::switch::stats::Stats;
use forebay_engine::Transition;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A request.
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
    /// Another port.
    PortAdd {
        /// The interface.
        port: String,
        /// How fast it sends; as the switch was started, if nothing is said.
        #[serde(default)]
        rate: Option<String>,
    },
    /// One port less.
    PortRemove {
        /// The interface.
        port: String,
    },
    /// Restores the policies from before the last change.
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
    /// Its text, in OpenQueue.
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

/// The result of a request.
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
    /// A port was added.
    Added {
        /// The port.
        port: PortAnswer,
        /// How its interface works, if that is not always the same.
        #[serde(default)]
        mode: Option<String>,
    },
    /// A port was removed.
    Removed {
        /// The interface.
        port: String,
        /// Frames that waited there.
        dropped: usize,
    },
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
