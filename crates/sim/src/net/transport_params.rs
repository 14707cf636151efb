//! Parameters that several transports have, and whole numbers of 32 bits.

use forebay_core::{ParamSpec, Params};

/// The parameter for the payload of a full packet, for transports other than TCP.
pub(crate) const PAYLOAD_BYTES: ParamSpec =
    ParamSpec::integer("payload_bytes", 1, 1_000_000, Some(1_460), "bytes of the flow in a full packet");

/// The parameter for the header bytes of a packet, where all packets carry data.
pub(crate) const HEADER_BYTES: ParamSpec =
    ParamSpec::integer("header_bytes", 0, 1_000, Some(40), "bytes of all headers of a packet");

/// The whole number of 32 bits called `name`.
///
/// # Panics
/// If the parameter is declared without a default, or with a range beyond 32 bits.
pub(crate) fn small(params: &Params, name: &str) -> u32 {
    let number = params.integer(name).expect("the parameter has a default");
    u32::try_from(number).expect("the parameter's range has 32 bits")
}
