//! Every policy of `policies/` does the same as C.

use crate::program::can_compile;
use crate::same::same;
use crate::traffic::{Kind, operations};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_lang::{Overrides, Policy, analyse};
use forebay_targets::{Refusal, TARGETS, TargetOptions};
use std::fs;
use std::path::{Path, PathBuf};

/// Arrivals for each policy.
const ARRIVALS: usize = 20_000;

/// All of them but those with stages, which no target takes.
pub(crate) fn policies() -> Vec<(String, Policy)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "oq"));
    files.sort();
    let read = |file: &PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, analyse(&fs::read_to_string(file).unwrap(), &Overrides::new()).policy.unwrap())
    };
    files.iter().map(read).filter(|(_, policy)| !policy.has_stages()).collect()
}

#[test]
fn a_policy_with_stages_is_refused_by_every_target() {
    let text = include_str!("../../../../policies/buffered-crossbar.oq");
    let policy = analyse(text, &Overrides::new()).policy.unwrap();
    for target in TARGETS {
        let refused = target.emit(&policy, &TargetOptions::default()).unwrap_err();
        let name = target.about().name;
        let is_it =
            |refusal: &Refusal| refusal.construct == "port input1, next" && refusal.reason.contains("later stage");
        assert!(refused.iter().any(is_it), "{name}: {refused:?}");
        assert_eq!(refused, target.check(&policy, &TargetOptions::default()), "{name}");
    }
}

#[test]
fn every_policy_does_the_same_as_c() {
    if !can_compile() {
        return;
    }
    let policies = policies();
    assert!(policies.len() >= 25, "only {} policies", policies.len());
    for (name, policy) in policies {
        let traffic = operations(&policy, Seed(1).stream(&name), Kind::Plausible, ARRIVALS);
        let seen = same(Reference::new, &policy, &traffic, &name);
        assert!(seen.sent > 1_000 && seen.dropped > 0, "{name}: too little traffic to show anything: {seen:?}");
    }
}
