//! Verilator has no warning about what is made of the policies of the library; those that hardware cannot run are known.

use super::tools::{run, verilator};
use crate::policies::policies;
use crate::program::made;
use forebay_core::registry::find;
use forebay_targets::{Options, TARGETS};

/// The policies of the library that hardware does not run.
const REFUSED: [&str; 5] =
    ["drop-front", "fifo-push-out-cheapest", "fifo-push-out-longest", "highest-value-queue", "pfabric-fifo"];

#[test]
fn policies_are_made_and_linted() {
    let root = verilator();
    let target = find("target", TARGETS, "sv").unwrap();
    for (name, policy) in policies() {
        let refusals = target.check(&policy, &Options::default());
        assert_eq!(!refusals.is_empty(), REFUSED.contains(&name.as_str()), "{name}: {refusals:?}");
        if !refusals.is_empty() {
            continue;
        }
        let folder = made("sv", &policy, &Options::default());
        let Some(root) = &root else { continue };
        let arguments = ["--lint-only", "-Wall", "--top-module", "policy", "-f", "policy.f"];
        let (clean, said) = run(root, folder.path(), &arguments);
        assert!(clean, "{name}: {said}");
    }
}
