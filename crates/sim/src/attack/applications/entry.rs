//! What an application in the registry is.

use super::recipe::{Attackable, Recipe};
use forebay_core::registry::Named;
use forebay_core::{About, ParamError, ParamSpec, Params};
use std::sync::Arc;

/// An application in the registry.
#[derive(Debug)]
pub struct ApplicationEntry {
    /// What it is. `cost` says what its work is made of, and which packet makes the most.
    pub about: About,
    /// Parameters of the attack on it.
    pub attack: &'static [ParamSpec],
    /// Builds it from its parameters; [`None`] where scenarios read parameters that are files or distributions.
    pub make: Option<MakeApplication>,
}

/// Builds an application that nobody attacks yet.
pub type MakeApplication = fn(&Params) -> Result<Arc<dyn Attackable>, ParamError>;

impl ApplicationEntry {
    /// Builds an application from its recipe.
    ///
    /// # Errors
    /// As the recipe says.
    pub fn build<R: Recipe>(params: &Params) -> Result<Arc<dyn Attackable>, ParamError> {
        Ok(Arc::new(R::of(params)?))
    }
}

impl Named for ApplicationEntry {
    fn about(&self) -> &About {
        &self.about
    }
}
