//! The faults of a recipe.

use super::SpecError;
use forebay_core::registry::UnknownName;

/// The reasons why a text is no recipe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// There is no such generator.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A part has wrong parameters, or is no name with parameters.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Some parts of a mixture are in slots and others in nanoseconds.
    #[error("give a `rate` to all parts of a mixture, or to none")]
    MixedClocks,
}
