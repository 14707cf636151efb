//! Warnings of implausible results, in one line each.
//!
//! Each file checks for one cause of misleading numbers. Every kind of result runs the checks for which it has the data. Its warnings are
//! printed before it, and are part of JSON and the report page.

mod handshakes;
mod load;
mod retransmissions;
mod saturation;
mod settling;

pub(crate) use load::{Load, Short};
pub(crate) use retransmissions::Sent;

use crate::sweep::AxisValue;

pub(crate) use handshakes::warning as of_handshakes;
pub(crate) use load::warning as of_loads;
pub(crate) use retransmissions::warning as of_retransmissions;
pub(crate) use saturation::warning as of_saturation;
pub(crate) use settling::warnings as of_settling;

/// Returns a text such as ` and 2 others`; empty if there are none.
fn others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        _ => format!(" and {count} others"),
    }
}

/// Returns a text such as `load 0.6, rate 10 Gbps`.
fn at(axes: &[(String, AxisValue)]) -> String {
    axes.iter().map(|(name, value)| format!("{name} {}", value.text)).collect::<Vec<_>>().join(", ")
}
