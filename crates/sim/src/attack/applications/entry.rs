//! The entries of applications in the registry.

use super::recipe::{Attackable, Recipe};
use forebay_core::registry::Named;
use forebay_core::{About, ParamError, ParamSpec, Params};
use std::sync::Arc;

/// An application in the registry.
#[derive(Debug)]
pub struct ApplicationEntry {
    /// The application's name, title and source. `cost` describes the parts of the work, and the packet with the most work.
    pub about: About,
    /// The parameters of the attack on the application.
    pub attack: &'static [ParamSpec],
    /// Builds the application from its parameters; [`None`] if its parameters are files or distributions, which scenarios read.
    pub make: Option<MakeApplication>,
}

/// Builds an application without an attack.
pub type MakeApplication = fn(&Params) -> Result<Arc<dyn Attackable>, ParamError>;

impl ApplicationEntry {
    /// Builds an application from its recipe.
    ///
    /// # Errors
    /// If the recipe rejects the parameters.
    pub fn build<R: Recipe>(params: &Params) -> Result<Arc<dyn Attackable>, ParamError> {
        Ok(Arc::new(R::of(params)?))
    }
}

impl Named for ApplicationEntry {
    fn about(&self) -> &About {
        &self.about
    }
}
