//! The distributions of flow sizes: one file and one line each.

use super::cdf_file::read_cdf;
use super::size_table::SizeTable;
use forebay_core::registry::UnknownName;
use forebay_core::{About, Exactness, Named, ParamError, ParamSpec, Params};

pub use super::flow_sizes::FlowSizes;

forebay_core::registry! {
    /// Every distribution of flow sizes, in the order in which `forebay list` shows them.
    pub static SIZES: [SizeEntry] = {
        mod fixed;
        mod uniform;
        mod exponential;
        mod pareto;
        mod web_search;
        mod web_search_discrete;
        mod data_mining;
        mod data_mining_discrete;
        mod data_mining_twelve;
        mod imc10;
        mod cdf;
        mod endless;
    }
}

/// Builds the sizes; the table holds the file that the caller has read, if there is one.
type Build = fn(&Params, Option<SizeTable>) -> Result<Box<dyn FlowSizes>, ParamError>;

/// One distribution in the registry.
#[derive(Debug)]
pub struct SizeEntry {
    /// The name, title and source of the distribution.
    pub about: About,
    /// Whether the parameter `file` names a file that the caller has to read with [`read_cdf`].
    pub needs_file: bool,
    build: Build,
}

impl SizeEntry {
    /// Builds the distribution; `file` is the contents of the file that the parameter `file` names.
    ///
    /// # Errors
    /// If parameters do not fit together, or the file is missing.
    pub fn build(&self, params: &Params, file: Option<SizeTable>) -> Result<Box<dyn FlowSizes>, ParamError> {
        (self.build)(params, file)
    }
}

impl Named for SizeEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// Finds the distribution called `name`.
///
/// # Errors
/// If the name is unknown; the error suggests a similar known name.
pub fn find(name: &str) -> Result<&'static SizeEntry, UnknownName> {
    forebay_core::registry::find("flow size", SIZES, name)
}

/// Returns the description with the parts that all entries share.
const fn about(name: &'static str, title: &'static str, source: &'static str, params: &'static [ParamSpec]) -> About {
    let cost = "O(log points) per flow";
    About { name, title, exactness: Exactness::NotApplicable, hardware: "none", cost, source, params }
}

/// An entry whose sizes are in a text of this folder.
const fn embedded(name: &'static str, title: &'static str, source: &'static str, build: Build) -> SizeEntry {
    SizeEntry { about: about(name, title, source, &[]), needs_file: false, build }
}

/// Sizes from a text of this folder.
fn from_text(text: &str) -> Result<Box<dyn FlowSizes>, ParamError> {
    let table = read_cdf(text).map_err(|error| ParamError { param: None, message: error.to_string() })?;
    Ok(Box::new(table))
}

/// A parameter in bytes, of which the registry says that it is there.
fn bytes(params: &Params, name: &str) -> u64 {
    params.integer(name).unwrap_or(1)
}

/// Largest size that a parameter may ask for.
const MAX_BYTES: u64 = 1_000_000_000_000;
