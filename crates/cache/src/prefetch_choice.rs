//! A prefetcher as a person writes it: `next`, `markov(degree=2)`, `window(ahead=1000)`.

use crate::choice_text::{ChoiceError, name_and_params};
use crate::latency::{Latencies, Latency};
use crate::prefetcher::{Known, PrefetchEntry, Prefetcher};
use crate::prefetchers::PREFETCHERS;
use forebay_core::registry::find;
use forebay_core::{ParamError, Params, Request, Seed};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A prefetcher with its parameters.
#[derive(Clone)]
pub struct PrefetchChoice {
    text: String,
    entry: &'static PrefetchEntry,
    given: Params,
}

/// A prefetcher for one simulation.
#[derive(Debug, Clone)]
pub struct Prefetch {
    /// Which.
    pub choice: PrefetchChoice,
    /// All requests that are played, where the prefetcher knows them; otherwise none.
    pub future: Arc<[Request]>,
}

impl PrefetchChoice {
    /// Whether all requests must be known when it is made.
    #[must_use]
    pub fn offline(&self) -> bool {
        self.entry.offline
    }
}

impl Prefetch {
    /// Makes it.
    pub(crate) fn make(&self, latencies: &Latencies, seed: Seed) -> Result<Box<dyn Prefetcher>, ParamError> {
        let PrefetchChoice { entry, given, .. } = &self.choice;
        (entry.make)(given, &Known { requests: &self.future, latencies, seed })
    }
}

impl FromStr for PrefetchChoice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let text = text.trim();
        let (name, params) = name_and_params(text)?;
        let entry = find("prefetcher", PREFETCHERS, &name)?;
        let mut given = BTreeMap::new();
        for param in params {
            let (param, value) = param?;
            if given.insert(param.clone(), value).is_some() {
                return Err(ChoiceError::Twice { text: text.to_owned(), param });
            }
        }
        let wrong = |error| ChoiceError::Params { text: text.to_owned(), error };
        let given = Params::check(entry.about.params, given).map_err(wrong)?;
        // What does not go together, or lacks, is known before a trace is read.
        let latencies = Latency::Constant(1).prepare(Seed(0)).expect("a tick is a latency");
        (entry.make)(&given, &Known { requests: &Arc::default(), latencies: &latencies, seed: Seed(0) })
            .map_err(wrong)?;
        Ok(Self { text: text.to_owned(), entry, given })
    }
}

impl fmt::Display for PrefetchChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PrefetchChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told() {
        let error = |text: &str| text.parse::<PrefetchChoice>().unwrap_err().to_string();
        assert!(error("nxt").starts_with("unknown prefetcher `nxt`; did you mean `next`?"));
        assert!(error("next(degree=0)").contains("`degree`"));
        assert!(error("next(degree=1").contains("the bracket is not closed"));
        assert!(error("markov(degree)").contains("write parameters as name=value"));
        assert!(error("markov(degree=1,degree=2)").contains("`degree` is given twice"));
        assert!(error("markov(memory=0)").contains("`memory`"));
        assert!(error("window(ahead=5,missed=2)").contains("`missed`"));
        assert!(error("window(ahead=5,error=-1)").contains("`error`"));
        assert!(error("window").contains("`ahead` must be given"));
        assert!("window(ahead=5)".parse::<PrefetchChoice>().unwrap().offline());
    }
}
