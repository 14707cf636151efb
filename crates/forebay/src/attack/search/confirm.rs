//! Measures the attacks that a search has found, with packets that the search has not seen.

use super::arena::{Arena, CONFIRMED_WITH};
use super::closed_form::{self, ClosedForm};
use crate::statistics::Estimate;
use forebay_sim::attack::search::{Candidate, Harm};
use rayon::prelude::*;

/// Other packets with which the best of several attacks is chosen.
const CHOSEN_WITH: u64 = 5;
/// Closed forms differ by more than their chance.
const CLOSED_CHOSEN_WITH: u64 = 2;
/// The number of further sets of traffic with which the chosen attack is measured.
pub(super) const MEASURED_WITH: u64 = 10;

/// An attack with its harm in each repetition.
#[derive(Debug, Clone)]
pub(super) struct Confirmed<A> {
    pub(super) attack: A,
    pub(super) harms: Vec<Option<Harm>>,
}

impl<A> Confirmed<A> {
    /// Returns the estimate of a number that each repetition has.
    pub(super) fn estimate(&self, of: impl Fn(&Harm) -> f64) -> Estimate {
        Estimate::of(self.harms.iter().map(|harm| harm.as_ref().map(&of)).collect())
    }
}

/// An attack and the attacks that it is compared with, as measured.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) found: Confirmed<Candidate>,
    /// The most harmful closed form at the rate of `found`.
    pub(super) closed_at_rate: Confirmed<ClosedForm>,
    /// The most harmful closed form at any rate.
    pub(super) closed: Confirmed<ClosedForm>,
}

/// Chooses among the finalists and measures; returns `None` if there are none. It cannot be interrupted, so that its result is reliable.
pub(super) fn confirm(arena: Arena<'_>, finalists: Vec<Candidate>) -> Option<Comparison> {
    let found = choose(arena, finalists.into_iter().map(in_whole_bits).collect(), CHOSEN_WITH, |one| one)?;
    let at_rate = closed_form::at(arena, bits(found.rate_bps));
    let at_rate = choose(arena, at_rate, CLOSED_CHOSEN_WITH, |form| &form.candidate)?;
    let anywhere = choose(arena, closed_form::at_all_rates(arena), CLOSED_CHOSEN_WITH, |form| &form.candidate)?;
    Some(Comparison {
        found: measure(arena, found, |one| one),
        closed_at_rate: measure(arena, at_rate, |form| &form.candidate),
        closed: measure(arena, anywhere, |form| &form.candidate),
    })
}

/// Chooses the attack that is most harmful on average over several rounds.
fn choose<A: Sync + Send>(
    arena: Arena<'_>,
    attacks: Vec<A>,
    rounds: u64,
    candidate: fn(&A) -> &Candidate,
) -> Option<A> {
    let rounds: Vec<_> = (0..rounds)
        .map(|round| arena.round(arena.scenario.seed().part(&format!("attack/search/choice/{round}")), 1))
        .collect();
    let harmful: Vec<f64> = attacks
        .par_iter()
        .map(|attack| {
            let harms = rounds.iter().map(|round| round.harm(candidate(attack), &|| true));
            let sum: f64 = harms.map(|harm| harm.map_or(f64::NEG_INFINITY, |harm| harm.displacement)).sum();
            sum
        })
        .collect();
    let (_, attack) =
        harmful.into_iter().zip(attacks).reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(attack)
}

fn measure<A: Sync>(arena: Arena<'_>, attack: A, candidate: fn(&A) -> &Candidate) -> Confirmed<A> {
    let harms = (0..MEASURED_WITH)
        .into_par_iter()
        .map(|repetition| {
            let round = arena.round(arena.scenario.seed_of(repetition), CONFIRMED_WITH);
            round.harm(candidate(&attack), &|| true)
        })
        .collect();
    Confirmed { attack, harms }
}

/// Scenarios have rates in whole bits per second; what is measured is what is written.
fn in_whole_bits(candidate: Candidate) -> Candidate {
    Candidate { rate_bps: bits(candidate.rate_bps) as f64, ..candidate }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn bits(rate_bps: f64) -> u64 {
    rate_bps.round().max(1.0) as u64
}
