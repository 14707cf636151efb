//! Queues, ports and buffers as declared.

use super::properties::{Owner, Slot};
use super::tree::{Body, Expr, Ident};
use crate::unit::Value;
use rowan::TextRange;
use std::collections::BTreeMap;

/// An object by its kind and its index among the objects of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId {
    pub(super) owner: Owner,
    pub(super) index: usize,
}

/// A queue, port or buffer as declared.
#[derive(Debug)]
pub(super) struct Object<'t> {
    /// The object's definition.
    pub(super) global: usize,
    /// The arguments of the constructor.
    pub(super) arguments: &'t [Expr],
    /// The call of the constructor.
    pub(super) span: TextRange,
    /// The object's size or rate, once it is known.
    pub(super) constant: Option<Option<Value>>,
    /// The assignments to the object's properties, by their numbers.
    pub(super) slots: BTreeMap<Slot, usize>,
}

/// An assignment of a property of one object.
#[derive(Debug)]
pub(super) struct Assignment<'t> {
    /// The name of the object, and its range.
    pub(super) object: String,
    pub(super) ident: &'t Ident,
    /// The object's range including its index.
    pub(super) object_span: TextRange,
    pub(super) property: &'t Ident,
    /// The range of the left side, without parameters.
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
    /// The number of objects that each statement assigns to, by its range.
    pub(super) reach: BTreeMap<(u32, u32), usize>,
    /// Whether a list of queues was not understood; then a queue may be missing because of that.
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

/// Returns the kind of object that a constructor makes.
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
