//! Reports about the cases of a policy.

use crate::diagnostic::Diagnostic;
use crate::ir::Finding;
use std::collections::{BTreeMap, HashMap};

/// What is known of a case as it is written, over all objects that have it.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) objects: usize,
    pub(super) found: usize,
    pub(super) said: Option<Diagnostic>,
}

/// Reports about the cases of a policy.
#[derive(Debug, Default)]
pub(super) struct CaseReports {
    /// By the conditions of all cases.
    pub(super) known: HashMap<String, Vec<Finding>>,
    /// By the place of the condition of a case.
    pub(super) seen: BTreeMap<(u32, u32), Seen>,
}
