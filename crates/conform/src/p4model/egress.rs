//! Egress of v1model, which may rewrite the headers of a departing packet.

use crate::p4model::switch::{Pass, Switch, Value, fitting};
use crate::p4model::syntax::Program;
use std::collections::BTreeMap;

impl Switch {
    /// Sends a frame by a port after `waited` microseconds in its queue, with the metadata since it [passed](Self::pass). Returns the
    /// departing frame.
    ///
    /// # Panics
    /// If the program does anything that a compiler would reject.
    pub fn leave(&mut self, frame: &[u8], port: u128, waited: u128, taken: &BTreeMap<String, u128>) -> Vec<u8> {
        self.accesses.clear();
        let told = [("egress_port", 9, port), ("deq_timedelta", 32, waited)];
        let mut pass = self.begin(frame, &told, |field, _| taken.get(field).copied());
        let (_, statements) = self.program.controls.iter().find(|(name, _)| name == "PolicyEgress").unwrap();
        let statements = statements.clone();
        self.run(&statements, &mut pass);
        pass.frame
    }
}

impl Pass {
    /// Writes bits of a header's field.
    pub(super) fn write_bits(&mut self, path: &[String], slice: Option<(u32, u32)>, value: Value, program: &Program) {
        let [_, header, field] = path else { panic!("{path:?} is no field of a header") };
        let (from, width) = self.place(header, field, slice, program);
        let Value::Bits(number, _) = fitting(value, Some(width)) else { panic!("{path:?} is given a truth value") };
        for bit in 0..width {
            let at = from + bit as usize;
            let mask = 0x80_u8 >> (at % 8);
            let is_set = number >> (width - 1 - bit) & 1 == 1;
            self.frame[at / 8] = if is_set { self.frame[at / 8] | mask } else { self.frame[at / 8] & !mask };
        }
    }
}
