//! `users`: the user of each request of a trace, and the total latency of each user.

use super::scenario::Setting;
use crate::document::Table;
use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use crate::scenario::Files;
use forebay_cache::attribution::{ObjectLatency, PerObject};
use forebay_cache::{Observer as _, RequestOutcome};
use forebay_core::Request;
use forebay_traces::requests::{Requests, Spec};
use std::sync::Arc;

/// Reads the field: the same file, in a format whose keys are the users.
pub(super) fn read(table: &Table<'_>, setting: &Setting, files: &dyn Files) -> Result<Option<RequestTrace>> {
    let Some(node) = table.get("users") else { return Ok(None) };
    let wrong = |message: &str| Err(node.error(message));
    if !setting.pairwise {
        return wrong("`users` is for comparisons of pairs; add `pairwise = true` (--pairwise)");
    }
    if setting.trace.is_recipe() {
        return wrong("generated requests have no users; give a file as `trace`");
    }
    if setting.sample.is_some() {
        return wrong("a sample of the objects has only a part of the requests of each user; leave `sample` out");
    }
    if setting.chained {
        return wrong(
            "users are identified by the order of requests, which depends on the policy if requests follow others",
        );
    }
    setting.trace.refuse_pipe("`users`")?;
    let format = Spec::parse(node.text("users")?).map_err(|error| node.error(error.to_string()))?;
    let text = table.require("trace", "trace = \"log.csv\"")?.text("trace")?;
    let trace = RequestTrace::beside(text, Some(&format), files)?;
    trace.facts().map_err(|error| node.error(error.to_string()))?;
    Ok(Some(match table.get("requests") {
        Some(requests) => trace.first(requests.integer("requests", 1, i64::MAX as u64)?),
        None => trace,
    }))
}

/// Returns the user of each request. Both readings must have the same requests, so their times are compared.
pub(super) fn of(trace: &RequestTrace, users: &RequestTrace, goes_on: &dyn Fn() -> bool) -> Result<Arc<[u64]>> {
    let [mut objects, mut each] = [Requests::new(trace.open()?), Requests::new(users.open()?)];
    let mut found = Vec::new();
    while goes_on() {
        let object = objects.next().transpose().map_err(|error| trace.error(error))?;
        let user = each.next().transpose().map_err(|error| users.error(error))?;
        match (object, user) {
            (Some(object), Some(user)) if object.time == user.time => found.push(user.key),
            (None, None) => break,
            _ => {
                let message = format!(
                    "`users`: request {} is not the same when its key is the user; a line without a user? Choose the same lines in both \
                     formats",
                    found.len() + 1
                );
                return Err(UserError::at(trace.place(), message));
            }
        }
    }
    Ok(found.into())
}

/// Adds up the latencies of each user.
pub(super) struct PerUser {
    users: Arc<[u64]>,
    next: usize,
    each: PerObject,
}

impl PerUser {
    /// Creates the sums. The first request that is reported comes after `warmup` others.
    pub(super) fn new(users: Arc<[u64]>, warmup: u64) -> Self {
        Self { users, next: usize::try_from(warmup).unwrap_or(usize::MAX), each: PerObject::default() }
    }

    pub(super) fn outcome(&mut self, request: &Request, outcome: RequestOutcome) {
        if let Some(&user) = self.users.get(self.next) {
            self.each.outcome(&Request { key: user, ..*request }, outcome);
        }
        self.next = self.next.saturating_add(1);
    }

    /// Returns the total latencies by user.
    pub(super) fn latencies(&self) -> Vec<ObjectLatency> {
        self.each.latencies()
    }
}
