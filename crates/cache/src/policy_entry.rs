//! How a policy enters the registry: its description, and the forms in which it can be made.

use crate::estimate::Estimate;
use crate::mad::{Drawable, Mad, MadDefaults, drawable};
use crate::model::{Setup, Simulation, simulate};
use crate::policy::{CachePolicy, Shape};
use forebay_core::{About, Named, ParamError, Params};

/// A policy that can be made from the registry.
pub trait Build: CachePolicy + Send + Sync + Sized + 'static {
    /// Builds it.
    ///
    /// # Errors
    /// If the parameters do not fit together; each alone is checked before.
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError>;

    /// Whether it looks at all entries for each victim.
    fn looks_at_all(params: &Params) -> bool {
        let _ = params;
        false
    }
}

/// One policy in the registry.
pub struct PolicyEntry {
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// Whether it looks into the future, so that the whole trace must be known.
    pub offline: bool,
    /// Whether it is compared if the user names no policies.
    pub compared: Compared,
    /// How it is made.
    pub make: Make,
}

/// Whether a policy is compared if the user names no policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// It makes sense for every question.
    Always,
    /// The same, with these parameters.
    As(&'static str),
    /// Where objects have sizes.
    WithSizes,
    /// Where an object takes one entry.
    WithoutSizes,
    /// Only if the user names it.
    OnRequest,
}

/// The ways in which a policy can be made.
#[derive(Clone, Copy)]
pub struct Make {
    /// As it is.
    pub base: Form,
    /// Its MAD form, if it can estimate the time to the next access.
    pub mad: Option<Form>,
    /// Whether its MAD form can draw candidates.
    pub draws: Drawable,
    /// The values that its MAD form counts with unless its user says otherwise ([`Estimate::MAD`]).
    pub counts: MadDefaults,
}

/// One form of a policy.
#[derive(Clone, Copy)]
pub struct Form {
    /// A policy to be put into any cache.
    pub policy: fn(&Shape, &Given) -> BuiltPolicy,
    /// A simulation of it, compiled for it.
    pub simulation: fn(Setup, &Given) -> BuiltSimulation,
    /// Whether it looks at all entries for each victim, which is slow in a large cache.
    pub looks_at_all: fn(&Given) -> bool,
    /// Whether it draws entries for each victim although nobody said so.
    pub draws_unasked: fn(&Given) -> bool,
}

/// A policy for any cache, or the error in its parameters.
pub type BuiltPolicy = Result<Box<dyn CachePolicy + Send + Sync>, ParamError>;

/// A simulation, or the error in parameters, capacity, sets or latency.
pub type BuiltSimulation = Result<Box<dyn Simulation>, ParamError>;

/// The parameters given to one form of a policy.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Those of the policy.
    pub base: Params,
    /// Those of its MAD form ([`MAD_PARAMS`](crate::mad::MAD_PARAMS)).
    pub mad: Params,
}

impl Make {
    /// A policy without a MAD form.
    #[must_use]
    pub const fn of<P: Build>() -> Self {
        Self {
            base: Form {
                policy: |shape, given| Ok(Box::new(P::build(shape, &given.base)?)),
                simulation: |setup, given| simulate(setup, |shape| P::build(shape, &given.base)),
                looks_at_all: |given| P::looks_at_all(&given.base),
                draws_unasked: |_| false,
            },
            mad: None,
            draws: Drawable::Never,
            counts: MadDefaults::USUAL,
        }
    }

    /// A policy with a MAD form.
    #[must_use]
    pub const fn with_mad<P: Build + Estimate>() -> Self {
        let mad = Form {
            policy: |shape, given| Ok(Box::new(Mad::build(P::build(shape, &given.base)?, shape, &given.mad)?)),
            simulation: |setup, given| {
                simulate(setup, |shape| Mad::build(P::build(shape, &given.base)?, shape, &given.mad))
            },
            looks_at_all: |given| {
                let draws = P::DRAWS && given.mad.integer("sample") != Some(0);
                P::GROUPS == 0 && P::SHOWS_ALL && !draws && given.mad.integer("first").is_none()
            },
            draws_unasked: |given| {
                let is_asked = ["sample", "first"].iter().any(|name| given.mad.integer(name).is_some());
                drawable::<P>() == Drawable::Usual && !is_asked
            },
        };
        Self { mad: Some(mad), draws: drawable::<P>(), counts: P::MAD, ..Self::of::<P>() }
    }
}

impl Named for PolicyEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
