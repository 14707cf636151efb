//! A policy as a person writes it: `lru`, `lru-mad`, `lru-tinylfu`, `lru-k(k=3)`.

use crate::admission::AdmissionEntry;
use crate::admissions::ADMISSIONS;
use crate::choice_text::{ChoiceError, name_and_params};
use crate::mad::{Drawable, MAD_PARAMS, delay_estimates};
use crate::model::{Setup, Simulation, simulate};
use crate::own::{self, OwnParams, OwnPolicy};
use crate::policies::POLICIES;
use crate::policy::{CachePolicy, Shape};
use crate::policy_entry::{Form, Given, PolicyEntry};
use forebay_core::registry::{UnknownName, find};
use forebay_core::{Named as _, ParamError, ParamValue, Params, Request};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What ends the name of a MAD form.
const MAD: &str = "-mad";

/// The rule of admission that people look for in front of every policy, and that [`Choice::names`] has with each.
const USUAL_RULE: &str = "tinylfu";

/// The policies with which [`Choice::names`] has all rules of admission.
const WITH_ALL_RULES: &str = "lru";

/// A policy with its parameters.
#[derive(Clone)]
pub struct Choice {
    text: String,
    entry: &'static PolicyEntry,
    form: Form,
    given: Given,
    mad: bool,
    /// The rule of admission in front of it, with its parameters.
    admission: Option<(&'static AdmissionEntry, Params)>,
    /// Who makes it, if it is none of the registry.
    own: Option<Arc<(Arc<dyn OwnPolicy>, OwnParams)>>,
}

impl Choice {
    /// A policy that a program brings along, under this name and with these parameters.
    pub fn own(name: impl Into<String>, policy: Arc<dyn OwnPolicy>, params: OwnParams) -> Self {
        let (form, given) = (own::ENTRY.make.base, Given::default());
        let own = Some(Arc::new((policy, params)));
        Self { text: name.into(), entry: &own::ENTRY, form, given, mad: false, admission: None, own }
    }

    /// Its entry in the registry: for a MAD form, and behind a rule of admission, that of its base.
    #[must_use]
    pub fn entry(&self) -> &'static PolicyEntry {
        self.entry
    }

    /// The rule of admission in front of it.
    #[must_use]
    pub fn admission(&self) -> Option<&'static AdmissionEntry> {
        self.admission.as_ref().map(|(rule, _)| *rule)
    }

    /// Whether it is a MAD form or has a rule of admission, and is not the policy itself.
    #[must_use]
    pub fn is_form(&self) -> bool {
        self.mad || self.admission.is_some()
    }

    /// Whether it is the MAD form of a policy, with a rule of admission or without.
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
        match &self.admission {
            None => (self.form.simulation)(setup, &self.given),
            Some((rule, params)) => {
                (rule.make.simulation)(setup, &|shape| (self.form.policy)(shape, &self.given), params)
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
        match &self.admission {
            None => Ok(policy),
            Some((rule, params)) => (rule.make.policy)(policy, shape, params),
        }
    }

    /// Names that can be chosen: every policy and its MAD form, the online ones also behind TinyLFU, and LRU and its MAD form
    /// behind every rule of admission. The other rules go in front of any online policy as well.
    pub fn names() -> impl Iterator<Item = String> {
        POLICIES.iter().flat_map(|entry| {
            let name = entry.about.name;
            let mad = entry.make.mad.map(|_| format!("{name}{MAD}"));
            let forms = [name.to_owned()].into_iter().chain(mad);
            let rules = ADMISSIONS.iter().map(|rule| rule.about.name);
            let rules = rules.filter(move |&rule| !entry.offline && (rule == USUAL_RULE || name == WITH_ALL_RULES));
            forms.flat_map(move |form| {
                let admitted: Vec<String> = rules.clone().map(|rule| format!("{form}-{rule}")).collect();
                [form].into_iter().chain(admitted)
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
        let Found { entry, form, mad: is_mad, rule } = find_form(name)?;
        let (mut base, mut mad, mut admission) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for param in params {
            let (key, value) = param?;
            let of_rule = |rule: &AdmissionEntry| rule.about.params.iter().any(|spec| spec.name == key);
            let given = if rule.is_some_and(of_rule) {
                &mut admission
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
        let checked = |rule: &'static AdmissionEntry| Ok((rule, Params::check(rule.about.params, admission)?));
        let admission = rule.map(checked).transpose().map_err(wrong)?;
        Ok(Self { text: text.to_owned(), entry, form, given, mad: is_mad, admission, own: None })
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
    rule: Option<&'static AdmissionEntry>,
}

fn find_form(name: &str) -> Result<Found, ChoiceError> {
    if name == MAD.trim_start_matches('-') {
        return Err(ChoiceError::OnlyMad);
    }
    let known = |name: &str| find("policy", POLICIES, name).ok();
    // `w-tinylfu` is a policy, and no form of `w`.
    if let Some(entry) = known(name) {
        return Ok(Found { entry, form: entry.make.base, mad: false, rule: None });
    }
    let (inner, rule) = split_rule(name).map_or((name, None), |(inner, rule)| (inner, Some(rule)));
    let mad_of = || known(inner.strip_suffix(MAD)?);
    let Some((entry, mad)) = known(inner).map(|entry| (entry, false)).or_else(|| Some((mad_of()?, true))) else {
        return Err(unknown(name, &known));
    };
    let name = entry.about.name;
    let form = if mad { entry.make.mad.ok_or(ChoiceError::NoMadForm(name))? } else { entry.make.base };
    if let Some(rule) = rule.filter(|_| entry.offline) {
        return Err(ChoiceError::OfflineAdmission { policy: name, rule: rule.about.name });
    }
    Ok(Found { entry, form, mad, rule })
}

/// The rule of admission at the end of a name, and the name before it.
fn split_rule(name: &str) -> Option<(&str, &'static AdmissionEntry)> {
    ADMISSIONS.iter().find_map(|rule| {
        let mut own = std::iter::once(rule.about.name).chain(rule.also_known_as().iter().copied());
        own.find_map(|own| Some((name.strip_suffix(own)?.strip_suffix('-')?, rule)))
    })
}

/// Why a name is that of no policy.
fn unknown(name: &str, known: &dyn Fn(&str) -> Option<&'static PolicyEntry>) -> ChoiceError {
    let inverted = name.strip_suffix(MAD).and_then(split_rule);
    if let Some((policy, rule)) = inverted.and_then(|(base, rule)| Some((known(base)?, rule))) {
        return ChoiceError::MadAroundRule { policy: policy.about.name, rule: rule.about.name };
    }
    if let Some((inner, outer)) = split_rule(name)
        && let Some((_, inner)) = split_rule(inner)
    {
        return ChoiceError::TwoRules { inner: inner.about.name, outer: outer.about.name };
    }
    if let Ok(rule) = find("rule of admission", ADMISSIONS, name) {
        return ChoiceError::OnlyRule(rule.about.name);
    }
    let names: Vec<_> = Choice::names().collect();
    UnknownName::new("cache policy", name, names.iter().map(String::as_str)).into()
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
    fn rules_of_admission_go_in_front_of_any_online_policy() {
        let choice = |text: &str| text.parse::<Choice>().unwrap();
        let params = |text: &str| choice(text).admission.unwrap().1;
        let around = choice("LRU-K-MAD-TinyLFU (k=3, reset=7, first=5)");
        assert!(around.is_mad() && around.is_form() && around.entry().about.name == "lru-k");
        assert_eq!((around.given.base.integer("k"), around.given.mad.integer("first")), (Some(3), Some(5)));
        assert_eq!(around.admission().unwrap().about.name, "tinylfu");
        assert_eq!(around.admission.unwrap().1.integer("reset"), Some(7));
        assert_eq!(params("arc-tinylfu").integer("reset"), Some(10));
        assert_eq!(params("arc-mad-bloom(remembered=2)").number("remembered"), 2.0);
        assert_eq!(params("2q-size-threshold(largest=9,in=0.1)").integer("largest"), Some(9));
        assert_eq!(params("w-tinylfu-prob(probability=0.1)").number("probability"), 0.1);
        assert!(!choice("w-tinylfu").is_form() && choice("w-tinylfu-mad").admission().is_none());
        let others: Vec<_> = POLICIES.iter().flat_map(|entry| entry.about.params).chain(MAD_PARAMS).collect();
        for rule in ADMISSIONS {
            let own = |name: &str| rule.about.params.iter().any(|spec| spec.name == name);
            assert!(!others.iter().any(|spec| own(spec.name)), "{}", rule.about.name);
        }
    }

    #[test]
    fn what_no_rule_goes_in_front_of_is_said() {
        let error = |text: &str| text.parse::<Choice>().unwrap_err().to_string();
        assert!(error("lru-tinylfu-mad").ends_with("write lru-mad-tinylfu"));
        assert!(error("belady-bloom").contains("it knows the future; take a policy that does not, such as lru-bloom"));
        assert!(error("random-mad-tinylfu").contains("`random` has no MAD form"));
        assert!(error("lruu-tinylfu").contains("did you mean `lru-tinylfu`?"));
        assert!(error("lru-blom").contains("did you mean `lru-bloom`?"));
        assert!(error("adaptsize").contains("write lru-adaptsize"));
        assert!(error("lru-bloom-adaptsize").contains("one rule of admission"));
        assert!(error("lru(reset=5)").contains("unknown parameter `reset`"));
        assert!(error("lru-tinylfu(reset=0)").contains("`reset`"));
        assert!(error("lru-tinylfu(reset=5,reset=6)").contains("`reset` is given twice"));
    }
}
