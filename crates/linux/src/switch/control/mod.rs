//! The control socket: requests to a running switch and their answers, each one line of JSON (`docs/targets/switch.md`).

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
    /// Asks for all counters.
    Stats {},
    /// Asks for the ports and their policies.
    Ports {},
    /// Stops the switch.
    Stop {},
    /// Replaces the policy.
    Policy(NextPolicy),
    /// Sets live parameters.
    Set(NextValues),
    /// Adds a port.
    PortAdd {
        /// The interface.
        port: String,
        /// The port's rate; by default the one with which the switch was started.
        #[serde(default)]
        rate: Option<String>,
    },
    /// Removes a port.
    PortRemove {
        /// The interface.
        port: String,
    },
    /// Restores the policies from before the last change.
    Rollback {
        /// The treatment of queued packets.
        #[serde(default)]
        transition: Waiting,
    },
}

/// Values for live parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NextValues {
    /// The values, each as `NAME=VALUE`.
    pub values: Vec<String>,
    /// The port; all ports if absent.
    #[serde(default)]
    pub port: Option<String>,
}

/// A new policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NextPolicy {
    /// The name of the policy's file, for messages.
    pub name: String,
    /// The policy's text, in OpenQueue.
    pub text: String,
    /// Constants, each as `NAME=VALUE`.
    #[serde(default)]
    pub params: Vec<String>,
    /// The names of the constants that can be changed while the policy runs.
    #[serde(default)]
    pub live: Vec<String>,
    /// The treatment of queued packets: `drain` or `rerank`.
    #[serde(default)]
    pub transition: Waiting,
    /// The port; all ports if absent.
    #[serde(default)]
    pub port: Option<String>,
}

/// The treatment of queued packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waiting {
    /// Queued packets leave first, under the policy that enqueued them.
    #[default]
    Drain,
    /// Queued packets get their ranks in the new orders.
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
    /// The switch stops; the number is that of queued frames.
    Stopping(usize),
    /// The policy was changed at these ports.
    Changed(Vec<Changed>),
    /// Live parameters were set at these ports.
    Set(Vec<String>),
    /// A port was added.
    Added {
        /// The port.
        port: PortAnswer,
        /// The mode of its interface, if the back end has several modes.
        #[serde(default)]
        mode: Option<String>,
    },
    /// A port was removed.
    Removed {
        /// The interface.
        port: String,
        /// The number of frames that were queued there.
        dropped: usize,
    },
    /// The request failed for this reason, and nothing was changed.
    Error(String),
}

/// A port and its policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortAnswer {
    /// The interface.
    pub name: String,
    /// The state of the interface.
    #[serde(default)]
    pub link: LinkState,
    /// The port's rate in bits per second, if it has one.
    pub rate_bps: Option<u64>,
    /// The file of the port's policy.
    pub policy: String,
    /// The version of the port's policy.
    pub version: u32,
    /// Queued frames.
    pub waiting: u64,
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    /// The port; absent if all ports share the policy.
    pub port: Option<String>,
    /// The new version.
    pub version: u32,
    /// Packets that were moved to the new version's orders.
    pub carried: u64,
    /// Packets that will leave under older versions.
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
