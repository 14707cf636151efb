//! Reports about the cases of a policy.

use crate::diagnostic::Diagnostic;
use crate::ir::Finding;
use std::collections::{BTreeMap, HashMap};

/// The findings on a case in the text, over all objects that have the case.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) objects: usize,
    pub(super) found: usize,
    pub(super) said: Option<Diagnostic>,
}

/// Reports about the cases of a policy.
#[derive(Debug, Default)]
pub(super) struct CaseReports {
    /// The findings by the conditions of all cases.
    pub(super) known: HashMap<String, Vec<Finding>>,
    /// The reports by the range of a case's condition.
    pub(super) seen: BTreeMap<(u32, u32), Seen>,
}
