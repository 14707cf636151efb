//! The attacks in closed form, with which the attack found is compared.

use super::arena::Arena;
use crate::attack::plan::Found;
use forebay_sim::attack::Attack;
use forebay_sim::attack::optimal::{self, Order};
use forebay_sim::attack::search::Candidate;

/// Rates at which they are tried.
const RATES: usize = 13;

/// An attack in closed form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClosedForm {
    pub(super) found: Found,
    pub(super) candidate: Candidate,
}

/// Returns all different attacks in closed form at one rate.
pub(super) fn at(arena: Arena<'_>, attack_bps: u64) -> Vec<ClosedForm> {
    let setting = arena.setting();
    let known = setting.known(setting.attacker.searched, attack_bps);
    let orders =
        [(Order::Blind, Found::LargestJob), (Order::Work, Found::AgainstSjf), (Order::Ratio, Found::AgainstWsjf)];
    let mut forms: Vec<ClosedForm> = Vec::new();
    for (order, found) in orders {
        let attack = Attack::steady(optimal::attack(order, &known));
        let candidate = Candidate { attack, rate_bps: attack_bps as f64 };
        if forms.iter().all(|form| form.candidate != candidate) {
            forms.push(ClosedForm { found, candidate });
        }
    }
    forms
}

/// Returns the attacks in closed form at every attack rate of the range.
pub(super) fn at_all_rates(arena: Arena<'_>) -> Vec<ClosedForm> {
    rates(arena.rates()).into_iter().flat_map(|rate| at(arena, rate)).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two rates")]
fn rates((least, most): (u64, u64)) -> Vec<u64> {
    if least == most {
        return vec![least];
    }
    let ratio = most as f64 / least as f64;
    (0..RATES).map(|step| (least as f64 * ratio.powf(step as f64 / (RATES - 1) as f64)).round() as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_span_the_range() {
        assert_eq!(rates((5, 5)), [5]);
        let spread = rates((300, 10_000_000_000));
        assert_eq!((spread[0], spread[12], spread.len()), (300, 10_000_000_000, 13));
        assert!(spread.is_sorted());
    }
}
