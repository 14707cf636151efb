//! A policy that a program brings along, beside those of the registry.

use crate::policy::{CachePolicy, Shape};
use crate::policy_entry::{Compared, Form, Make, PolicyEntry};
use forebay_core::{About, Exactness, ParamError, ParamValue};
use std::collections::BTreeMap;

/// Makes a policy for each cache that plays it. Each has the contract of [`CachePolicy`].
pub trait OwnPolicy: Send + Sync {
    /// A policy for a cache of this shape, with these parameters.
    ///
    /// # Errors
    /// If it cannot be made for it.
    fn policy(&self, shape: &Shape, given: &OwnParams) -> Result<Box<dyn CachePolicy + Send>, ParamError>;
}

/// The parameters that a scenario gives to it.
pub type OwnParams = BTreeMap<String, ParamValue>;

/// What stands for the entry of the registry; its forms are never made.
pub(crate) static ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "own",
        title: "A policy of the program that runs forebay",
        exactness: Exactness::NotApplicable,
        hardware: "not known",
        cost: "not known",
        source: "the program",
        params: &[],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::OnRequest,
    make: Make {
        base: Form {
            policy: |_, _| Err(ParamError::of("name", "this policy is made by the program that has it")),
            simulation: |_, _| Err(ParamError::of("name", "this policy is made by the program that has it")),
            looks_at_all: |_| false,
            draws_unasked: |_| false,
        },
        mad: None,
        draws: crate::mad::Drawable::Never,
        counts: crate::mad::MadDefaults::USUAL,
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Build as _, Choice, Latency, Model, Service, Setup};
    use forebay_core::{Params, Request, Seed};
    use std::sync::Arc;

    struct Fifo;

    impl OwnPolicy for Fifo {
        fn policy(&self, shape: &Shape, _: &OwnParams) -> Result<Box<dyn CachePolicy + Send>, ParamError> {
            let params = Params::check(&[], BTreeMap::new())?;
            Ok(Box::new(crate::policies::fifo::Fifo::build(shape, &params)?))
        }
    }

    #[test]
    fn a_policy_of_the_program_is_played_as_one_of_the_registry() {
        let setup = || Setup {
            model: Model::DelayedHits,
            capacity: 8,
            entries: 8,
            ways: None,
            latency: Latency::Constant(20),
            size_change: None,
            service: Service::default(),
            warmup: 0,
            seed: Seed(1),
            observer: None,
        };
        let own = Choice::own("mine", Arc::new(Fifo), OwnParams::new());
        assert_eq!(own.to_string(), "mine");
        assert!(
            !own.offline()
                && !own.is_form()
                && own.clone().policy(&Shape { capacity: 8, entries: 8, seed: Seed(1) }).is_ok()
        );
        let known: Choice = "fifo".parse().unwrap();
        let [mut own, mut known] = [own, known].map(|choice| choice.simulation(setup()).unwrap());
        for time in 0..5_000_u64 {
            let request = Request { time, key: time * time % 37, size: 1 };
            assert_eq!(own.play(&request), known.play(&request));
        }
        assert_eq!(own.counts(), known.counts());
    }
}
