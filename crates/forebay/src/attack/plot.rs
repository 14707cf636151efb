//! What the attack rate changes: displacement and goodput, a column for each innocent rate, as in SurgeProtector (thesis),
//! figures 3.17 and 3.18.

use super::report::{AttackReport, Row};
use crate::error::Result;
use crate::output::curves::{Axis, Curve, Panel, grid};

/// What is less is drawn here, since a logarithmic axis has no zero and measured displacements may lie below it.
const LEAST_DISPLACEMENT: f64 = 0.01;

/// Every picture as SVG, with the name of its file.
pub fn files(report: &AttackReport) -> Result<Vec<(String, String)>> {
    let x = Axis::logarithmic("attack rate in Gbps");
    let rows = [
        (
            [x, Axis::logarithmic("displacement factor, at least 0.01")],
            panels(report, |row| row.displacement.map(|factor| factor.max(LEAST_DISPLACEMENT))),
        ),
        ([x, Axis::linear("goodput in Gbps")], panels(report, |row| row.goodput_gbps)),
    ];
    let title = format!("{}: displacement factor and goodput over the attack rate", report.scenario);
    Ok(vec![("attack.svg".to_owned(), grid(&title, &rows)?)])
}

/// A panel for each innocent rate.
fn panels(report: &AttackReport, value: impl Fn(&Row) -> Option<f64>) -> Vec<Panel> {
    let of_innocent = report.rows.chunk_by(|a, b| a.innocent_gbps.total_cmp(&b.innocent_gbps).is_eq());
    of_innocent
        .map(|rows| {
            let curves = rows.chunk_by(|a, b| a.policy == b.policy).map(|rows| {
                let mut points: Vec<(f64, f64)> =
                    rows.iter().filter_map(|row| Some((row.attack_gbps, value(row)?))).collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                Curve { label: rows[0].policy.clone(), points }
            });
            Panel { title: format!("innocent {} Gbps", rows[0].innocent_gbps), curves: curves.collect() }
        })
        .collect()
}
