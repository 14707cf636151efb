//! Changes of policies that are prepared while the switch forwards.
//!
//! ```text
//! Switch ──plan──> Plan ──change, roll_back──> Prepared ──exchange──> Switch
//!   forwarding thread       any thread             forwarding thread
//! ```
//!
//! Reading, checking and building a policy takes up to seconds; the exchange takes at most one pass over its queues.

use crate::switch::change::{CannotAdd, CannotChange, OnePolicy, Setting, check_beside, forwards};
use crate::switch::egress::{begin, build_next};
use forebay_core::{Rate, Seed};
use forebay_engine::live::Next;
use forebay_engine::{EngineOptions, Fast, Live};
use forebay_lang::Fixed;
use forebay_lang::ir::ParameterId;
use forebay_targets::headers::Mapping;
use std::sync::Arc;

/// The policy of an egress before a change.
#[derive(Clone)]
pub(crate) struct Before {
    pub(crate) egress: usize,
    pub(crate) setting: Setting,
    pub(crate) values: Vec<(ParameterId, Fixed)>,
}

/// A change that can be undone.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) before: Vec<Before>,
    /// The policy, before the change, of ports that are added.
    pub(crate) usual: Setting,
}

/// The data to prepare a change: the ports of a switch, and the data that their policies need.
pub struct Plan {
    pub(crate) mapping: Arc<Mapping>,
    /// Whether a table forwards frames.
    pub(crate) has_table: bool,
    /// The names and rates of the ports.
    pub(crate) ports: Vec<(String, Option<Rate>)>,
    /// The options to build the next version of each egress.
    pub(crate) egresses: Vec<EngineOptions>,
    /// The policies before the last change.
    pub(crate) before: Option<Vec<Before>>,
    /// The policy of ports that are added.
    pub(crate) usual: Setting,
    /// The rate of added ports that get none of their own.
    pub(crate) usual_rate: Option<Rate>,
    pub(crate) seed: Seed,
    /// The number of changes of the switch so far.
    pub(crate) epoch: u64,
}

/// A change that can be made at once.
pub struct Prepared {
    pub(crate) parts: Vec<Part>,
    /// Whether the new policy itself chooses the ports of frames.
    pub(crate) is_directed: bool,
    pub(crate) is_rollback: bool,
    pub(crate) epoch: u64,
}

/// A port that can be added at once, once its interface is opened.
pub struct PreparedPort {
    pub(crate) name: String,
    pub(crate) rate: Option<Rate>,
    pub(crate) policy: String,
    pub(crate) live: Live<Fast>,
    pub(crate) epoch: u64,
}

/// The next version of an egress.
pub(crate) struct Part {
    pub(crate) egress: usize,
    pub(crate) name: String,
    pub(crate) next: Next<Fast>,
    pub(crate) values: Vec<(ParameterId, Fixed)>,
}

impl Plan {
    /// Prepares the change of one port, or of all ports, to a policy.
    ///
    /// # Errors
    /// If the policy cannot run there.
    pub fn change(self, port: Option<&str>, setting: &Setting) -> Result<Prepared, CannotChange> {
        let meant = port.map(|name| self.number_of(name)).transpose()?;
        let shared = self.egresses.len() < self.ports.len();
        if meant.is_some() && shared {
            return Err(OnePolicy { ports: self.ports.len() }.into());
        }
        let count = setting.policy.ports.len();
        if shared != (count > 1) {
            return Err(CannotChange::Ports { count, shared });
        }
        let is_meant = |number: usize| meant.is_none_or(|meant| meant == number);
        let rates = self.ports.iter().enumerate().filter(|(number, _)| is_meant(*number));
        let rates: Vec<_> = rates.map(|(_, (_, rate))| *rate).collect();
        check_beside(&setting.policy, &self.mapping, self.has_table, &rates)?;
        let part = |(egress, options): (usize, &EngineOptions)| {
            is_meant(egress).then(|| Part {
                egress,
                name: setting.name.clone(),
                next: build_next(&setting.policy, *options),
                values: Vec::new(),
            })
        };
        let parts = self.egresses.iter().enumerate().filter_map(part).collect();
        let is_directed = forwards(&setting.policy, &self.mapping);
        Ok(Prepared { parts, is_directed, is_rollback: false, epoch: self.epoch })
    }

    /// Prepares the change back to the policies from before the last change that was not undone yet.
    ///
    /// # Errors
    /// If there is no such change.
    pub fn roll_back(self) -> Result<Prepared, CannotChange> {
        let before = self.before.ok_or(CannotChange::NothingBefore)?;
        let is_directed = before.iter().any(|before| forwards(&before.setting.policy, &self.mapping));
        let part = |Before { egress, setting: Setting { name, policy }, values }| Part {
            egress,
            name,
            next: build_next(&policy, self.egresses[egress]),
            values,
        };
        Ok(Prepared {
            parts: before.into_iter().map(part).collect(),
            is_directed,
            is_rollback: true,
            epoch: self.epoch,
        })
    }

    /// Prepares another port, which runs the policy that all ports were given last.
    ///
    /// # Errors
    /// If the port exists already, or this switch allows no more ports.
    pub fn port(self, name: &str, rate: Option<Rate>) -> Result<PreparedPort, CannotAdd> {
        let ports = self.ports.len();
        if self.ports.iter().any(|(known, _)| known == name) {
            let ports = self.ports.into_iter().map(|(known, _)| known).collect();
            return Err(CannotAdd::Twice { name: name.to_owned(), ports });
        }
        if self.egresses.len() < ports {
            return Err(CannotAdd::Shared { ports });
        }
        if self.has_table {
            return Err(CannotAdd::Table);
        }
        check_beside(&self.usual.policy, &self.mapping, false, &[rate])?;
        let Setting { name: policy, policy: of } = self.usual;
        Ok(PreparedPort { name: name.to_owned(), rate, policy, live: begin(of, self.seed), epoch: self.epoch })
    }

    fn number_of(&self, name: &str) -> Result<usize, CannotChange> {
        self.ports.iter().position(|(known, _)| known == name).ok_or_else(|| CannotChange::NoPort {
            name: name.to_owned(),
            ports: self.ports.iter().map(|(known, _)| known.clone()).collect(),
        })
    }
}
