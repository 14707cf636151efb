//! OpenQueue policies in the folder of an experiment.

use super::Experiment;
use forebay::error::{Result, UserError};
use forebay::openqueue;
use forebay_core::Seed;
use forebay_engine::{EngineOptions, Fast};
use forebay_lang::{Overrides, Policy, Ratio, Severity, Unit, Value, analyse};

/// Returns the policy in `NAME.oq`, with other values for some of its params.
///
/// # Errors
/// If there is no such file, or it has a mistake.
pub(crate) fn policy(experiment: &Experiment, name: &str, params: &Overrides) -> Result<Policy> {
    let file = format!("{name}.oq");
    let analysis = analyse(experiment.file(&file)?, params);
    analysis.policy.ok_or_else(|| {
        let wrong = analysis.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        let what = wrong.map_or("there is no policy in it", |diagnostic| diagnostic.message.as_str());
        UserError::at(experiment.path(&file), what)
    })
}

/// Returns a number of packets for a param.
pub(crate) fn packets(name: &str, number: usize) -> (String, Value) {
    (name.to_owned(), Value { number: Ratio::from_integer(number as i128), unit: Unit::Packets })
}

/// Returns a plain number for a param.
pub(crate) fn plain(name: &str, number: u32) -> (String, Value) {
    (name.to_owned(), Value { number: Ratio::from_integer(number.into()), unit: Unit::None })
}

/// Returns an engine for a policy, without packets.
pub(crate) fn engine(policy: &Policy, seed: Seed) -> Fast {
    openqueue::fast(policy, EngineOptions { policy_id: 1, seed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_of_experiments_have_no_mistakes() {
        let mut checked = 0;
        for experiment in crate::all().unwrap() {
            for (name, text) in experiment.files_ending("oq") {
                let analysis = analyse(text, &Overrides::new());
                assert_eq!(analysis.diagnostics, [], "{name}");
                assert!(analysis.policy.is_some(), "{name}");
                checked += 1;
            }
        }
        assert!(checked > 0);
    }

    /// Checks that policies named after a structure use it. If the compiler recognised the spelling of a heap, a list would be measured
    /// twice.
    #[test]
    fn policies_named_after_a_structure_have_it() {
        use forebay_engine::fast::plan::{End, Plan, QueueStructure, Sorted};
        let is_heap = |sorted: &Sorted| matches!(sorted, Sorted::Heap { .. });
        let mut checked = 0;
        for experiment in crate::all().unwrap() {
            for (name, text) in experiment.files_ending("oq") {
                let wants_heap = name.ends_with("heap.oq");
                if !wants_heap && !name.ends_with("list.oq") {
                    continue;
                }
                let policy = analyse(text, &Overrides::new()).policy.unwrap();
                let has_heap = match &Plan::new(&policy).queues[0].structure {
                    QueueStructure::DoubleEnded(sorted) => is_heap(sorted),
                    QueueStructure::TwoEnded { victims: End::Sorted(sorted), .. } => is_heap(sorted),
                    _ => false,
                };
                assert_eq!(has_heap, wants_heap, "{name}");
                checked += 1;
            }
        }
        assert_eq!(checked, 5, "figure 6 has two, experiment 1 two, experiment 2 one");
    }
}
