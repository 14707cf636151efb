//! `rate` of `[port]`.

use crate::fields::{Field, Type};

pub(crate) const ENTRY: Field = Field {
    name: "rate",
    takes: Type::Rate,
    meaning: "Rate of the link, or of each link of a policy with several ports: `\"10 Gbps\"`, `\"56 kbps\"` (bps, kbps, Mbps, \
              Gbps, Tbps; powers of 1000)",
    default: None,
    example: "\"10 Gbps\"",
};
