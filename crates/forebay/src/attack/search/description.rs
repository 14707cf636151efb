//! An attack in words.

use crate::output::table::percent;
use forebay_sim::attack::{Attack, Timing};

/// Describes the packets of an attack and their timing.
pub(super) fn of(attack: &Attack) -> String {
    let total: f64 = attack.strategies.iter().map(|one| one.share).sum();
    let kinds = attack.strategies.iter().map(|one| {
        let share = if attack.strategies.len() > 1 { percent(one.share / total) + " " } else { String::new() };
        let flows = match one.flows {
            0 => String::new(),
            1 => ", one flow".to_owned(),
            flows => format!(", {flows} flows"),
        };
        format!("{share}{} B of {}{flows}", one.job.size_bytes, one.job.work)
    });
    let kinds: Vec<String> = kinds.collect();
    let timing = match attack.timing {
        Timing::Steady => String::new(),
        Timing::OnOff { period, duty } => format!("; {} of each {period}", percent(duty)),
    };
    kinds.join(" + ") + &timing
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Duration;
    use forebay_sim::attack::{Job, Strategy};

    #[test]
    fn words_say_all_that_differs_from_the_plain_case() {
        let plain = Strategy::only(Job::known(64, Duration::from_ns(53)));
        assert_eq!(of(&Attack::steady(plain.job)), "64 B of 53.0 ns");
        let strategies = vec![plain, Strategy { flows: 12, share: 3.0, ..plain }];
        let timing = Timing::OnOff { period: Duration::from_us(200), duty: 0.1 };
        assert_eq!(
            of(&Attack { strategies, timing }),
            "25.00 % 64 B of 53.0 ns + 75.00 % 64 B of 53.0 ns, 12 flows; 10.00 % of each 200 us"
        );
    }
}
