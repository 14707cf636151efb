//! The defaults: the policies that are played, and the share of a long trace.

use crate::requests::RequestTrace;
use forebay_cache::mad::{Drawable, USUAL_DRAWS};
use forebay_cache::policies::POLICIES;
use forebay_cache::{Choice, Compared, PolicyEntry};

/// A trace with more requests is sampled.
const LONG_REQUESTS: f64 = 5e6;
/// The approximate number of requests in the sample.
const SAMPLED_REQUESTS: f64 = 2e6;

/// Returns the default policies: first those that do not know the future, with their MAD forms, then the offline ones. Policies that look
/// at all entries for each victim are left out.
pub fn default_policies(sized: bool) -> Vec<Choice> {
    let is_compared = |entry: &&PolicyEntry| match entry.compared {
        Compared::Always | Compared::As(_) => true,
        Compared::WithSizes => sized,
        Compared::WithoutSizes => !sized,
        Compared::OnRequest => false,
    };
    let forms = |entry: &PolicyEntry| {
        let name = entry.about.name;
        let plain = if let Compared::As(text) = entry.compared { text.to_owned() } else { name.to_owned() };
        [Some(plain), entry.make.mad.map(|_| mad_form(entry))].into_iter().flatten()
    };
    let (offline, online): (Vec<_>, Vec<_>) = POLICIES.iter().filter(is_compared).partition(|entry| entry.offline);
    let names = online.into_iter().chain(offline).flat_map(forms);
    let is_played = |choice: &Choice| !choice.looks_at_all() && !choice.draws_unasked();
    names.filter_map(|name| name.parse().ok()).filter(is_played).collect()
}

/// The MAD form of a policy, which says how many entries it draws if it does.
fn mad_form(entry: &PolicyEntry) -> String {
    let name = entry.about.name;
    // Some policies draw by themselves, with a parameter of the same name.
    let has_own = entry.about.params.iter().any(|param| param.name == "sample");
    if entry.make.draws == Drawable::Usual && !has_own {
        return format!("{name}-mad(sample={USUAL_DRAWS})");
    }
    format!("{name}-mad")
}

/// Returns the share of the objects to play if the longest trace is long, and the approximate number of its requests.
pub fn default_sample(traces: &[RequestTrace]) -> Option<(f64, f64)> {
    let requests = traces.iter().map(RequestTrace::requests_at_a_guess).fold(0.0, f64::max);
    // Nothing of a chain can be left out.
    let is_chained = |trace: &RequestTrace| trace.refuse_pipe("").is_ok() && trace.is_chained().unwrap_or(false);
    (requests > LONG_REQUESTS && !traces.iter().any(is_chained))
        .then(|| (one_digit(SAMPLED_REQUESTS / requests), requests))
}

/// The nearest number below with one digit.
fn one_digit(number: f64) -> f64 {
    let digit = 10_f64.powf(number.log10().floor());
    (number / digit).floor() * digit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fast_policies_that_make_sense() {
        let names = |sized| default_policies(sized).iter().map(ToString::to_string).collect::<Vec<_>>();
        let (unit, bytes) = (names(false), names(true));
        for both in [
            "lru",
            "lru-mad",
            "gdsf",
            "w-tinylfu",
            "s3-fifo",
            "lhd-mad",
            "gdsf-mad",
            "sieve-mad(sample=64)",
            "hyperbolic(sample=64)",
            "belady-ad",
        ] {
            assert!(unit.iter().any(|name| name == both) && bytes.iter().any(|name| name == both), "{both}");
        }
        for never in ["random", "pin", "hyperbolic", "sieve-mad", "w-tinylfu-mad"] {
            assert!(!unit.iter().chain(&bytes).any(|name| name == never), "{never}");
        }
        assert!(unit.contains(&"belady".to_owned()) && !unit.contains(&"belady-size".to_owned()));
        assert!(bytes.contains(&"belady-size".to_owned()) && !bytes.contains(&"belady".to_owned()));
        assert!(default_policies(true).iter().skip_while(|choice| !choice.offline()).all(Choice::offline));
    }

    #[test]
    fn long_traces_are_sampled() {
        let sample = |recipe: &str| default_sample(&[RequestTrace::new(recipe.as_ref(), None).unwrap()]);
        assert_eq!(sample("zipf:objects=10,requests=5e6"), None);
        let share = |recipe| sample(recipe).map(|(share, _)| (share * 1e6).round() / 1e6);
        assert_eq!(share("zipf:objects=10,requests=1e7"), Some(0.2));
        assert_eq!(share("zipf:objects=10,requests=1.5e8"), Some(0.01));
    }
}
