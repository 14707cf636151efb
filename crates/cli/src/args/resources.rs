//! The resources of the machine that a run may take.

use super::number::whole;
use clap::Args;
use clap::builder::TypedValueParser;

#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ResourceArgs {
    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    pub(crate) threads: Option<u16>,
    /// Memory that the program may hold, e.g. 8GB. A run that surely needs more is rejected, and a run that exceeds it is
    /// stopped [default: the spare memory of the machine at the start]
    #[arg(long, value_name = "SIZE", value_parser = forebay_core::units::parse_bytes)]
    pub(crate) memory: Option<u64>,
}

fn threads() -> impl TypedValueParser<Value = u16> {
    whole(1..=512)
}
