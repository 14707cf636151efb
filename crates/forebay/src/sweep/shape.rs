//! The fields that a scenario may have, by its field tables: they say whether a list is a value or an axis.

use crate::catalogue;
use crate::document::{Node, Value};
use crate::fields::{Table, Type};
use forebay_core::params::ParamKind;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The forms that a value may have.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// If it is a table: one of these.
    tables: Vec<&'static Table>,
    /// Whether it may be a list.
    is_list: bool,
    /// The tables that the items of the list may be.
    items: Vec<&'static Table>,
    /// Whether it is a name for results, of which a list makes no sense.
    is_label: bool,
}

impl Shape {
    /// Returns the shape of a whole scenario, or of another table.
    pub(super) fn of(table: &'static Table) -> Self {
        Self { tables: vec![table], ..Self::default() }
    }

    /// Returns the shape of a field.
    pub(super) fn field(&self, name: &str) -> Self {
        let mut shape = Self::default();
        let mut is_known = false;
        for table in &self.tables {
            let of_fields = table.fields.iter().filter(|field| field.name == name).map(|field| &field.takes);
            let within = table.within.iter().filter(|within| within.name == name).map(|within| &within.takes);
            for takes in of_fields.chain(within) {
                shape.may_be(takes);
                is_known = true;
            }
        }
        // A parameter, if it is in no table.
        shape.is_list |= !is_known && LIST_PARAMETERS.contains(name);
        shape
    }

    /// Returns whether the value may be a table with this field.
    pub(super) fn has_field(&self, name: &str) -> bool {
        self.tables.iter().any(|table| table.fields.iter().any(|field| field.name == name))
    }

    /// Returns the shape of an item, if the value may be a list.
    pub(super) fn item(&self) -> Self {
        Self { tables: self.items.clone(), ..Self::default() }
    }

    fn may_be(&mut self, takes: &'static Type) {
        match takes {
            Type::Table(table) => self.tables.push(table),
            Type::Any(types) => types.iter().for_each(|takes| self.may_be(takes)),
            Type::Label | Type::CachePolicy => self.is_label = true,
            Type::List { of, .. } => {
                let mut item = Self::default();
                item.may_be(of);
                self.is_list = true;
                self.items.extend(item.tables);
            }
            _ => {}
        }
    }

    /// Returns whether a list is one value, and no axis. If a field accepts a list, a list of lists is an axis.
    pub(super) fn is_one_value(&self, items: &[Node]) -> bool {
        self.is_label || self.is_list && !items.iter().any(|item| matches!(item.value, Value::Array(_)))
    }
}

/// Parameters of algorithms that take a list.
static LIST_PARAMETERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let params = catalogue::entries().into_iter().flat_map(|entry| entry.params);
    params.filter(|param| matches!(param.kind, ParamKind::List { .. })).map(|param| param.name).collect()
});
