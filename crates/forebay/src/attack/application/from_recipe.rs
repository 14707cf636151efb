//! Applications of the registry that are one recipe: their parameters, and the parameters of the attack on them.

use super::{Application, Kind};
use crate::document::{Node, Table};
use crate::error::Result;
use crate::scenario::{distribution, param, param_error};
use forebay_core::{Packet, ParamSpec, Params};
use forebay_sim::attack::Quantity;
use forebay_sim::attack::applications::{ApplicationEntry, MakeApplication};

/// Reads the parameters of an application, and the sizes of its packets.
pub(super) fn read(
    node: &Node,
    table: &Table<'_>,
    entry: &'static ApplicationEntry,
    make: MakeApplication,
) -> Result<Application> {
    let size_bytes = match table.get("size_bytes") {
        Some(node) => Some(Quantity::Drawn(distribution(node, "size_bytes", 1, Packet::MAX_BYTES.into())?)),
        None => None,
    };
    let params = params(node, table, entry.about.params)?;
    let made = make(&params).map_err(|error| param_error(node, &error))?;
    let made = size_bytes.map_or(made.clone(), |size_bytes| made.sized(size_bytes));
    Ok(Application { entry, flows: made.flows(), kind: Kind::Made(made), gaps: "back-to-back", warnings: Vec::new() })
}

/// Returns the fields of a table that were not read yet, checked as these parameters.
pub(super) fn params(node: &Node, table: &Table<'_>, specs: &'static [ParamSpec]) -> Result<Params> {
    let given = table.rest().map(|(key, node)| (key.to_owned(), param(node))).collect();
    Params::check(specs, given).map_err(|error| param_error(node, &error))
}
