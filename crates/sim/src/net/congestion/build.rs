//! Builds a congestion control from the parameters of a scenario.

use super::control::{CongestionControl, Limits};
use forebay_core::{ParamError, Params};

/// Builds a control from the parameters of a scenario. The control is built once, and each flow gets a clone.
pub trait Build: CongestionControl + Clone + Send + Sync + Sized + 'static {
    /// A control for flows within `limits`.
    ///
    /// # Errors
    /// If no flow could be controlled with these parameters.
    fn build(params: &Params, limits: &Limits) -> Result<Self, ParamError>;
}
