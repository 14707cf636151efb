//! The increase in displacement if WSJF knows estimates instead of the truth: figure 3.19 of SurgeProtector.
//!
//! The attacker knows both. It takes the more harmful of two attacks: the best against the work of innocents, and the best against its
//! estimates. Values are called like `TCP reassembly: largest change`, or `TCP reassembly: 10 Gbps: largest change` of one innocent rate.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::{self, Contender, Matcher, Reassembly, SAMPLE, Simulated, WSJF, WSJF_IN_ORDER, each, greatest};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
use forebay_sim::attack::Job;
use forebay_sim::attack::applications::Told;
use forebay_sim::attack::optimal::{self, Order};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "estimate-change",
        title: "Added displacement if WSJF knows estimates instead of true jobs",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "two attack studies",
        source: "SurgeProtector (thesis, chapter 3), figure 3.19",
        params: &[],
    },
    run,
    missing: || None,
};

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let attack = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
    changes(&mut measured, &Reassembly, WSJF_IN_ORDER, [&[1.0, 5.0, 10.0], &attack], seed, observer)?;
    changes(&mut measured, &Matcher, WSJF, [&[0.1, 0.5, 0.9], &attack.map(|gbps| gbps / 10.0)], seed, observer)?;
    Ok(measured)
}

fn changes(
    measured: &mut Measured,
    application: &impl Simulated,
    contender: Contender,
    [innocent, attack]: [&[f64]; 2],
    seed: Seed,
    observer: &dyn Observer,
) -> Result<()> {
    let [knows, estimates] = [Told::Truth, Told::Estimate].map(|told| application.innocent(told));
    let sample = knows.sample(SAMPLE);
    let estimated = estimates.sample(SAMPLE);
    let estimated: Vec<Job> = estimated.iter().map(|job| Job { work: job.estimate, ..*job }).collect();
    // What the scheduler is told, and which sample the attacker looks at.
    let kinds = [(&knows, &sample), (&estimates, &sample), (&estimates, &estimated)];
    let mut lines = Vec::new();
    for &gbps in innocent {
        let goodput = |innocent, attack| application.goodput(contender, (innocent, gbps), seed, attack);
        let [truth, estimate] = [goodput(&knows, None)?, goodput(&estimates, None)?];
        let cells: Vec<_> =
            attack.iter().flat_map(|&attack| kinds.map(|(innocent, known)| (attack, innocent, known))).collect();
        let displaced = each(&cells, observer, |&(attack, innocent, known)| {
            let setting = attacked::setting(known, gbps, attack, application.max_work());
            let left = goodput(innocent, Some((optimal::attack(Order::Ratio, &setting), attack)))?;
            Ok((if innocent.is_known() { truth } else { estimate } - left) / attack)
        })?;
        let changes = displaced.chunks_exact(kinds.len()).map(|of| greatest(of[1..].iter().copied()) - of[0]);
        let points: Vec<(f64, f64)> = attack.iter().copied().zip(changes).collect();
        let largest = greatest(points.iter().map(|(_, change)| *change));
        measured.value(format!("{}: {gbps} Gbps: largest change", application.name()), largest);
        lines.push((format!("innocent {gbps} Gbps"), points));
    }
    let all = lines.iter().flat_map(|(_, points)| points).map(|(_, change)| *change);
    measured.value(format!("{}: largest change", application.name()), greatest(all));
    let file = application.name().to_lowercase().replace(' ', "-");
    let title = format!("{}: displacement with estimates less that with the truth", application.name());
    attacked::draw(
        measured,
        &file,
        &title,
        [("attack rate", "Gbit/s"), ("change of the displacement factor", "")],
        lines,
    )
}
