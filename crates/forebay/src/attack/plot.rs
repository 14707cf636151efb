//! Displacement and goodput over the attack rate, a column for each innocent rate, as in SurgeProtector (thesis), figures 3.17 and 3.18.

use super::report::AttackReport;
use crate::error::Result;
use crate::frame::Frame;
use crate::picture::{Across, Picture, Recipe, Sweep, rows_of};
use std::collections::BTreeSet;

const RECIPE: Recipe = Recipe {
    name: "attack",
    what: "displacement and goodput",
    y: &[("displacement", true), ("goodput", false)],
    across: Across::EachAxis,
    subject: None,
};

/// Returns all pictures of a result with this frame.
pub fn pictures(report: &AttackReport, frame: &Frame) -> Result<Vec<Picture>> {
    let Some(axis) = report.rate_axis.as_ref().or_else(|| frame.axes().first()) else { return Ok(Vec::new()) };
    let table = rows_of(frame, &[RECIPE]);
    let sweep = Sweep { scenario: &report.scenario, frame, table: &table, of_policies: &BTreeSet::new() };
    // Attacks are what is studied; innocent rates have panels.
    RECIPE.of_axis(&sweep, axis)
}
