//! A policy as a person writes it: `lru`, `lru-mad`, `lru-tinylfu`, `lru-k(k=3)`.

use crate::choice_text::{ChoiceError, name_and_params};
use crate::mad::{Drawable, MAD_PARAMS, delay_estimates};
use crate::model::{Setup, Simulation, simulate};
use crate::own::{self, OwnParams, OwnPolicy};
use crate::policies::POLICIES;
use crate::policy::{CachePolicy, Shape};
use crate::policy_entry::{Form, Given, PolicyEntry};
use crate::tinylfu::{TINYLFU_PARAMS, TinyLfu};
use forebay_core::registry::{UnknownName, find};
use forebay_core::{ParamError, ParamValue, Params, Request};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What ends the name of a MAD form.
const MAD: &str = "-mad";

/// What ends the name of a TinyLFU form, of a policy or of its MAD form.
const TINYLFU: &str = "-tinylfu";

/// A policy with its parameters.
#[derive(Clone)]
pub struct Choice {
    text: String,
    entry: &'static PolicyEntry,
    form: Form,
    given: Given,
    mad: bool,
    /// The parameters of its TinyLFU form, if it is one.
    tinylfu: Option<Params>,
    /// Who makes it, if it is none of the registry.
    own: Option<Arc<(Arc<dyn OwnPolicy>, OwnParams)>>,
}

impl Choice {
    /// A policy that a program brings along, under this name and with these parameters.
    pub fn own(name: impl Into<String>, policy: Arc<dyn OwnPolicy>, params: OwnParams) -> Self {
        let (form, given) = (own::ENTRY.make.base, Given::default());
        let own = Some(Arc::new((policy, params)));
        Self { text: name.into(), entry: &own::ENTRY, form, given, mad: false, tinylfu: None, own }
    }

    /// Its entry in the registry: for a MAD or TinyLFU form, that of its base.
    #[must_use]
    pub fn entry(&self) -> &'static PolicyEntry {
        self.entry
    }

    /// Whether it is a MAD or TinyLFU form, and not the policy itself.
    #[must_use]
    pub fn is_form(&self) -> bool {
        self.mad || self.tinylfu.is_some()
    }

    /// Whether it is the MAD form of a policy, or the TinyLFU form of one.
    #[must_use]
    pub fn is_mad(&self) -> bool {
        self.mad
    }

    /// Whether the whole trace must be known.
    #[must_use]
    pub fn offline(&self) -> bool {
        self.entry.offline
    }

    /// Whether it looks at all entries for each victim, which is slow in a large cache.
    #[must_use]
    pub fn looks_at_all(&self) -> bool {
        (self.form.looks_at_all)(&self.given)
    }

    /// Whether it draws entries for each victim although its text does not say so.
    #[must_use]
    pub fn draws_unasked(&self) -> bool {
        (self.form.draws_unasked)(&self.given)
    }

    /// The estimates of the aggregate delay of each object right after each request for it, in ticks, if this is a MAD
    /// form. Fetches take `latency_of` ticks. No cache plays a part (thesis 2.5.2, algorithm 1).
    ///
    /// # Errors
    /// If the parameters do not fit together, or its estimates depend on the content or fetches of a cache.
    pub fn delay_estimates(
        &self,
        requests: &[Request],
        latency_of: impl Fn(&Request) -> u64,
    ) -> Result<Option<Vec<f64>>, ParamError> {
        let make = &self.entry.make;
        let estimates = || delay_estimates(requests, latency_of, &self.given.mad, make.counts, make.draws);
        self.mad.then(estimates).transpose()
    }

    /// A simulation of it.
    ///
    /// # Errors
    /// If parameters, capacity, sets or latency do not fit together.
    pub fn simulation(&self, setup: Setup) -> Result<Box<dyn Simulation>, ParamError> {
        if let Some((own, params)) = self.own.as_deref() {
            return simulate(setup, |shape| own.policy(shape, params));
        }
        match &self.tinylfu {
            None => (self.form.simulation)(setup, &self.given),
            Some(params) => {
                simulate(setup, |shape| Ok(TinyLfu::new((self.form.policy)(shape, &self.given)?, shape, params)))
            }
        }
    }

    /// The policy itself, to be put into any cache.
    ///
    /// # Errors
    /// If the parameters do not fit together.
    pub fn policy(&self, shape: &Shape) -> Result<Box<dyn CachePolicy + Send>, ParamError> {
        match self.own.as_deref() {
            Some((own, params)) => own.policy(shape, params),
            None => Ok(self.shared_policy(shape)?),
        }
    }

    /// The policy itself, for a cache that threads share.
    ///
    /// # Errors
    /// If the parameters do not fit together, or the policy is the program's own.
    pub fn shared_policy(&self, shape: &Shape) -> Result<Box<dyn CachePolicy + Send + Sync>, ParamError> {
        let policy = (self.form.policy)(shape, &self.given)?;
        Ok(match &self.tinylfu {
            None => policy,
            Some(params) => Box::new(TinyLfu::new(policy, shape, params)),
        })
    }

    /// All names that can be chosen, MAD and TinyLFU forms included.
    pub fn names() -> impl Iterator<Item = String> {
        POLICIES.iter().flat_map(|entry| {
            let name = entry.about.name;
            let mad = entry.make.mad.map(|_| format!("{name}{MAD}"));
            let forms = [name.to_owned()].into_iter().chain(mad);
            forms.flat_map(|form| {
                let tinylfu = (!entry.offline).then(|| format!("{form}{TINYLFU}"));
                [form].into_iter().chain(tinylfu)
            })
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Choice({})", self.text)
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let text = text.trim();
        let (name, params) = name_and_params(text)?;
        let name = &name;
        let Found { entry, form, mad: is_mad, tinylfu: is_tinylfu } = find_form(name)?;
        let (mut base, mut mad, mut tinylfu) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for param in params {
            let (key, value) = param?;
            let given = if is_tinylfu && TINYLFU_PARAMS.iter().any(|spec| spec.name == key) {
                &mut tinylfu
            } else if is_mad && goes_to_mad(entry, &key, &value) {
                &mut mad
            } else {
                &mut base
            };
            if given.insert(key.clone(), value).is_some() {
                return Err(ChoiceError::Twice { text: text.to_owned(), param: key });
            }
        }
        let wrong = |error| ChoiceError::Params { text: text.to_owned(), error };
        let given = Given {
            base: Params::check(entry.about.params, base).map_err(wrong)?,
            mad: Params::check(MAD_PARAMS, mad).map_err(wrong)?,
        };
        let tinylfu = is_tinylfu.then(|| Params::check(TINYLFU_PARAMS, tinylfu)).transpose().map_err(wrong)?;
        Ok(Self { text: text.to_owned(), entry, form, given, mad: is_mad, tinylfu, own: None })
    }
}

/// Whether a parameter of a MAD form is MAD's own, and not the base policy's.
///
/// Both know some names. Then MAD has the values that it understands (`window=closed`, not `window=0.05`), and `sample`
/// where its estimates are lines.
fn goes_to_mad(entry: &PolicyEntry, key: &str, value: &ParamValue) -> bool {
    let Some(spec) = MAD_PARAMS.iter().find(|spec| spec.name == key) else { return false };
    if entry.about.params.iter().all(|own| own.name != key) {
        return true;
    }
    let given = BTreeMap::from([(key.to_owned(), value.clone())]);
    Params::check(std::slice::from_ref(spec), given).is_ok() && (key != "sample" || entry.make.draws == Drawable::Lines)
}

/// The meaning of a name.
struct Found {
    entry: &'static PolicyEntry,
    /// The policy, or its MAD form.
    form: Form,
    mad: bool,
    tinylfu: bool,
}

fn find_form(name: &str) -> Result<Found, ChoiceError> {
    if name == MAD.trim_start_matches('-') {
        return Err(ChoiceError::OnlyMad);
    }
    let known = |name: &str| find("policy", POLICIES, name).ok();
    // `w-tinylfu` is a policy, and no form of `w`.
    if let Some(entry) = known(name) {
        return Ok(Found { entry, form: entry.make.base, mad: false, tinylfu: false });
    }
    let (inner, tinylfu) = name.strip_suffix(TINYLFU).map_or((name, false), |inner| (inner, true));
    let mad_of = || known(inner.strip_suffix(MAD)?);
    let Some((entry, mad)) = known(inner).map(|entry| (entry, false)).or_else(|| Some((mad_of()?, true))) else {
        let inverted = name.strip_suffix(MAD).and_then(|base| known(base.strip_suffix(TINYLFU)?));
        if let Some(entry) = inverted {
            return Err(ChoiceError::MadAroundTinyLfu(entry.about.name));
        }
        let names: Vec<_> = Choice::names().collect();
        return Err(UnknownName::new("cache policy", name, names.iter().map(String::as_str)).into());
    };
    let name = entry.about.name;
    let form = if mad { entry.make.mad.ok_or(ChoiceError::NoMadForm(name))? } else { entry.make.base };
    if tinylfu && entry.offline {
        return Err(ChoiceError::OfflineTinyLfu(name));
    }
    Ok(Found { entry, form, mad, tinylfu })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_mistakes() {
        assert_eq!("lru-mad".parse::<Choice>().unwrap().to_string(), "lru-mad");
        let error = |text: &str| text.parse::<Choice>().unwrap_err().to_string();
        assert!(error("lruu").starts_with("unknown cache policy `lruu`; did you mean `lru`?"));
        assert!(error("lru(").ends_with("the bracket is not closed"));
        assert!(error("lru(x=1)").contains("unknown parameter `x`"));
        assert!(error("mad").contains("lru-mad"));
        assert!("ARC-MAD".parse::<Choice>().unwrap().is_mad());
        assert!(error("lru(x)").contains("write parameters as name=value"));
        // Names that both the base policy and its MAD form know.
        let given = |text: &str| text.parse::<Choice>().unwrap().given;
        let both = given("w-tinylfu-mad(window=0.05,sample=5)");
        assert_eq!((both.base.number("window"), both.base.integer("sample")), (0.05, Some(5)));
        assert_eq!(given("w-tinylfu-mad(window=closed)").mad.text("window"), "closed");
        assert_eq!(given("lhd-mad(sample=9)").base.integer("sample"), Some(9));
        assert_eq!(given("hyperbolic-mad(sample=9)").mad.integer("sample"), Some(9));
    }

    #[test]
    fn tinylfu_goes_around_any_online_policy() {
        let choice = |text: &str| text.parse::<Choice>().unwrap();
        let around = choice("LRU-K-MAD-TinyLFU (k=3, reset=7, first=5)");
        assert!(around.is_mad() && around.entry().about.name == "lru-k");
        assert_eq!((around.given.base.integer("k"), around.given.mad.integer("first")), (Some(3), Some(5)));
        assert_eq!(around.tinylfu.unwrap().integer("reset"), Some(7));
        assert_eq!(choice("arc-tinylfu").tinylfu.unwrap().integer("reset"), Some(10));
        assert!(choice("w-tinylfu").tinylfu.is_none() && choice("w-tinylfu-mad").tinylfu.is_none());
        let error = |text: &str| text.parse::<Choice>().unwrap_err().to_string();
        assert!(error("lru-tinylfu-mad").ends_with("write lru-mad-tinylfu"));
        assert!(error("belady-tinylfu").contains("it knows the future; take a policy that does not"));
        assert!(error("random-mad-tinylfu").contains("`random` has no MAD form"));
        assert!(error("lruu-tinylfu").contains("did you mean `lru-tinylfu`?"));
        assert!(error("lru(reset=5)").contains("unknown parameter `reset`"));
        assert!(error("lru-tinylfu(reset=0)").contains("`reset`"));
        assert!(error("lru-tinylfu(reset=5,reset=6)").contains("`reset` is given twice"));
        let others = POLICIES.iter().flat_map(|entry| entry.about.params).chain(MAD_PARAMS);
        assert!(others.into_iter().all(|spec| TINYLFU_PARAMS.iter().all(|own| own.name != spec.name)));
    }
}
