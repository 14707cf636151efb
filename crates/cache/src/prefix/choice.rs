//! A policy by its name: a prefix policy, or any cache policy with blocks as its objects.

use super::{Costs, FlatStore, PREFIX_POLICIES, PrefixPolicyEntry, PrefixStore, PromptTrace, TreeStore};
use crate::choice::Choice;
use crate::choice_text::{ChoiceError, name_and_params};
use crate::policy::Shape;
use forebay_core::registry::{UnknownName, find};
use forebay_core::{Named as _, ParamError, Params, Seed};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A text that names no policy for prefix caches.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PrefixChoiceError {
    /// An unknown name.
    #[error(transparent)]
    Unknown(UnknownName),
    /// A fault in the brackets, or in the parameters of a cache policy.
    #[error(transparent)]
    Choice(ChoiceError),
    /// A wrong parameter of a prefix policy.
    #[error("`{name}`: {error}")]
    Param {
        /// The policy.
        name: &'static str,
        /// The error.
        error: ParamError,
    },
}

/// A chosen policy: `lru-leaf`, `t-lru(threshold=8192)`, or a cache policy such as `lirs`.
#[derive(Clone)]
pub struct PrefixChoice {
    text: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Tree(&'static PrefixPolicyEntry, Params),
    Flat(Choice),
}

impl PrefixChoice {
    /// Whether the policy looks into the future beyond the waiting prompts.
    #[must_use]
    pub fn offline(&self) -> bool {
        match &self.kind {
            Kind::Tree(entry, _) => entry.offline,
            Kind::Flat(choice) => choice.offline(),
        }
    }

    /// Whether the policy knows nothing of chains.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        matches!(self.kind, Kind::Flat(_))
    }

    /// An empty cache of `capacity` blocks under this policy, with seed 1 for policies that draw random numbers.
    ///
    /// # Errors
    /// If parameters do not fit together, or the capacity.
    pub fn store<'t>(
        &self,
        trace: &'t PromptTrace,
        capacity: u64,
        costs: &Costs,
    ) -> Result<Box<dyn PrefixStore + 't>, ParamError> {
        match &self.kind {
            Kind::Tree(entry, params) => Ok(Box::new(TreeStore::new(trace, capacity, *costs, (entry.build)(params)?))),
            Kind::Flat(choice) => {
                let entries = usize::try_from(capacity).unwrap_or(usize::MAX).min(trace.distinct_blocks().max(1));
                let shape = Shape { capacity: entries as u64, entries, seed: Seed(1) };
                Ok(Box::new(FlatStore::new(trace, &shape, self.offline(), |shape| choice.policy(shape))?))
            }
        }
    }

    /// The names of all policies: those that know chains first.
    pub fn names() -> impl Iterator<Item = String> {
        PREFIX_POLICIES.iter().map(|entry| entry.about.name.to_owned()).chain(Choice::names())
    }
}

impl fmt::Display for PrefixChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PrefixChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrefixChoice({})", self.text)
    }
}

impl FromStr for PrefixChoice {
    type Err = PrefixChoiceError;

    fn from_str(text: &str) -> Result<Self, PrefixChoiceError> {
        let text = text.trim();
        let (name, given) = name_and_params(text).map_err(PrefixChoiceError::Choice)?;
        let Ok(entry) = find("policy", PREFIX_POLICIES, &name) else {
            return match text.parse::<Choice>() {
                Ok(choice) => Ok(Self { text: choice.to_string(), kind: Kind::Flat(choice) }),
                Err(_) if !Choice::names().any(|known| known == name) => {
                    let names: Vec<String> = Self::names().collect();
                    let known = names.iter().map(String::as_str);
                    Err(PrefixChoiceError::Unknown(UnknownName::new("prefix policy", &name, known)))
                }
                Err(error) => Err(PrefixChoiceError::Choice(error)),
            };
        };
        let given = given.collect::<Result<_, _>>().map_err(PrefixChoiceError::Choice)?;
        let wrong = |error| PrefixChoiceError::Param { name: entry.about.name, error };
        let params = Params::check(entry.about.params, given).map_err(wrong)?;
        (entry.build)(&params).map_err(wrong)?;
        let brackets = text.find('(').map_or("", |start| &text[start..]);
        Ok(Self { text: format!("{}{brackets}", entry.about().name), kind: Kind::Tree(entry, params) })
    }
}
