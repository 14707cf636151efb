//! Joins folders of runs, and makes the answer from their runs.

use super::PlanFile;
use super::kind::{Kind, merged};
use crate::answer::Answer;
use crate::attack::AttackScenario;
use crate::caching::CacheScenario;
use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::network::NetworkScenario;
use crate::observer::Observer;
use crate::port::PortScenario;

/// The merged content of folders.
#[derive(Debug)]
pub struct Merged {
    /// The answer from the runs that are present.
    pub answer: Answer,
    /// The titles of the runs that no folder has.
    pub missing: Vec<String>,
    /// The number of runs in the scenario.
    pub runs: usize,
    /// The root of all random numbers.
    pub seed: u64,
    /// SHA-256 of the scenario.
    pub scenario_sha256: String,
}

/// Joins the runs of folders in `out`. The folders must be of one scenario and one version of forebay. `out` may be one of them; if there
/// are no others, its own runs are combined. `baseline` replaces the policy that the others are compared with.
///
/// # Errors
/// If there is no such policy, or a folder has no plan, is of another scenario or version, or a file cannot be written.
pub fn merge<F: Clone + Into<Folder>>(
    out: F,
    from: &[F],
    baseline: Option<&str>,
    observer: &dyn Observer,
) -> Result<Merged> {
    let (out, from): (Folder, Vec<Folder>) = (out.into(), from.iter().cloned().map(Into::into).collect());
    let (plan, kept) = PlanFile::merge(&out, &from)?;
    let (answer, missing) = match plan.kind.as_str() {
        NetworkScenario::NAME => {
            let (report, missing) = merged::<NetworkScenario>(&plan, &kept, baseline, observer)?;
            (Answer::Network(report), missing)
        }
        PortScenario::NAME => {
            let (report, missing) = merged::<PortScenario>(&plan, &kept, baseline, observer)?;
            (Answer::Port(report), missing)
        }
        AttackScenario::NAME => {
            let (report, missing) = merged::<AttackScenario>(&plan, &kept, baseline, observer)?;
            (Answer::Attack(report), missing)
        }
        CacheScenario::NAME => merged::<CacheScenario>(&plan, &kept, baseline, observer)?,
        other => return Err(UserError::at(out.path().display(), format!("runs of a {other} cannot be merged"))),
    };
    let (seed, scenario_sha256) = (plan.seed, plan.scenario_sha256);
    Ok(Merged { answer, missing, runs: plan.runs.len(), seed, scenario_sha256 })
}
