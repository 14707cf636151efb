//! Finished runs in memory, so that scenarios which ask for the same run make it once.

use crate::error::{Result, UserError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Finished runs, by a key of all their inputs. Scenarios of one kind share it.
#[derive(Debug, Default)]
pub struct MadeOnce(Mutex<BTreeMap<String, serde_json::Value>>);

impl MadeOnce {
    /// Returns a run that has finished before.
    ///
    /// # Errors
    /// If a scenario of another kind has made it.
    pub(super) fn find<R: DeserializeOwned>(&self, key: &str) -> Result<Option<R>> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        found.map(|result| serde_json::from_value(result).map_err(|_| of_another_kind())).transpose()
    }

    /// Remembers a run.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub(super) fn add<R: Serialize>(&self, key: &str, result: &R) -> Result<()> {
        let result = serde_json::to_value(result)
            .map_err(|error| UserError::new(format!("a run cannot be written as JSON: {error}")))?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), result);
        Ok(())
    }

    /// Returns the number of runs.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

fn of_another_kind() -> UserError {
    UserError::new("a run of another kind of scenario has the same key; give each kind its own `MadeOnce`")
}
