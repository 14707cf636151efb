//! Queues, ports and buffers as they are declared.

use super::properties::{Owner, Slot};
use super::tree::{Body, Expr, Ident};
use crate::unit::Value;
use rowan::TextRange;
use std::collections::BTreeMap;

/// An object by its kind and its place among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId {
    pub(super) owner: Owner,
    pub(super) index: usize,
}

/// A queue, port or buffer as it is declared.
#[derive(Debug)]
pub(super) struct Object<'t> {
    /// Its definition.
    pub(super) global: usize,
    /// What its constructor is given.
    pub(super) arguments: &'t [Expr],
    /// The call of the constructor.
    pub(super) span: TextRange,
    /// Its size or rate, once it is known.
    pub(super) constant: Option<Option<Value>>,
    /// What is assigned to it, by the number of the assignment.
    pub(super) slots: BTreeMap<Slot, usize>,
}

/// An assignment of a property of one object.
#[derive(Debug)]
pub(super) struct Assignment<'t> {
    /// Whose: the name of the object, and where it is written.
    pub(super) object: String,
    pub(super) ident: &'t Ident,
    /// The same with its index.
    pub(super) object_span: TextRange,
    pub(super) property: &'t Ident,
    /// What stands before the `=`, without parameters.
    pub(super) target: TextRange,
    pub(super) params: Option<&'t [Ident]>,
    pub(super) body: &'t Body,
    pub(super) counters: super::scope::Counters,
}

/// All objects and assignments.
#[derive(Debug, Default)]
pub(super) struct Objects<'t> {
    pub(super) queues: Vec<Object<'t>>,
    pub(super) ports: Vec<Object<'t>>,
    pub(super) buffers: Vec<Object<'t>>,
    pub(super) assignments: Vec<Assignment<'t>>,
    /// How many objects each statement assigns to, by its place.
    pub(super) reach: BTreeMap<(u32, u32), usize>,
    /// A list of queues that could not be understood; then a queue may be missing because of that.
    pub(super) has_bad_list: bool,
}

impl<'t> Objects<'t> {
    pub(super) fn of(&self, owner: Owner) -> &[Object<'t>] {
        match owner {
            Owner::Queue => &self.queues,
            Owner::Port => &self.ports,
            Owner::Buffer => &self.buffers,
            Owner::Packet => &[],
        }
    }

    pub(super) fn get(&self, id: ObjectId) -> Option<&Object<'t>> {
        self.of(id.owner).get(id.index)
    }

    pub(super) fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object<'t>> {
        match id.owner {
            Owner::Queue => self.queues.get_mut(id.index),
            Owner::Port => self.ports.get_mut(id.index),
            Owner::Buffer => self.buffers.get_mut(id.index),
            Owner::Packet => None,
        }
    }
}

/// What a constructor makes.
pub(super) fn constructor(name: &str) -> Option<Owner> {
    [Owner::Queue, Owner::Port, Owner::Buffer].into_iter().find(|owner| constructor_of(*owner) == name)
}

pub(super) fn constructor_of(owner: Owner) -> &'static str {
    match owner {
        Owner::Queue => "Queue",
        Owner::Port => "Port",
        Owner::Buffer => "Buffer",
        Owner::Packet => "",
    }
}
