//! A switch that runs a program in P4: the part of v1model, before and after its queues, that such programs use.
//!
//! Widths are checked as a compiler checks them. Reads of values that were never written are errors.

use crate::p4model::syntax::{Expr, FieldType, Program, Statement};
use std::collections::BTreeMap;

/// A number with its width; a literal may have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Bits(u128, Option<u32>),
    Bool(bool),
}

/// The outcome of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameOutcome {
    /// The frame is dropped.
    Dropped,
    /// The frame's queue, and the priority for v1model.
    Queued(u128, u128),
    /// The frame needs a second pass with this data.
    Resubmitted(u128),
}

/// A switch.
pub struct Switch {
    pub(super) program: Program,
    registers: BTreeMap<String, Vec<u128>>,
    /// The metadata of the last packet that passed, by names in `meta`, which the packet keeps until it departs.
    pub taken: BTreeMap<String, u128>,
    /// The numbers of reads and writes of each register in the last pass.
    pub accesses: BTreeMap<String, (u32, u32)>,
    /// The port of frames, by their destination; an entry without a port drops them.
    pub forward: BTreeMap<u128, Option<u128>>,
}

/// A pass of a packet.
pub(super) struct Pass {
    pub(super) frame: Vec<u8>,
    /// The position of each header in the frame, in bits.
    pub(super) headers: BTreeMap<String, (String, usize)>,
    locals: Vec<(String, Option<u32>, Option<Value>)>,
    /// The fields of structs, by their paths.
    pub(super) metadata: BTreeMap<String, (u32, Option<u128>)>,
    dropped: bool,
    resubmits: bool,
    /// The position of the parser in the frame, in bits.
    pub(super) at: usize,
}

impl Switch {
    /// Creates a switch with a program, whose registers are 0 and whose table is empty.
    ///
    /// # Panics
    /// If the text has anything that the target does not write.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let program = Program::read(text);
        assert_eq!(
            program.main,
            ["PolicyParser", "PolicyVerify", "PolicyIngress", "PolicyEgress", "PolicyChecksums", "PolicyDeparser"]
        );
        let registers =
            program.registers.iter().map(|(name, _, size)| (name.clone(), vec![0; usize::try_from(*size).unwrap()]));
        let (accesses, taken) = (BTreeMap::new(), BTreeMap::new());
        Self { registers: registers.collect(), program, taken, accesses, forward: BTreeMap::new() }
    }

    /// Returns the bounds of a port, highest priority first.
    ///
    /// # Panics
    /// If there is no such port.
    #[must_use]
    pub fn bounds(&self, port: usize) -> Vec<u64> {
        let queues = (0..).map(|queue| format!("bound_{queue}")).map_while(|name| self.registers.get(&name));
        queues.map(|bounds| u64::try_from(bounds[port]).unwrap()).collect()
    }

    /// Lets a frame arrive at a time in microseconds, or resubmits it with the stored data.
    ///
    /// # Panics
    /// If the program does anything that a compiler would reject.
    pub fn pass(&mut self, frame: &[u8], now: u128, resubmitted: Option<u128>) -> FrameOutcome {
        self.accesses.clear();
        let mut pass = self.begin(
            frame,
            &[
                ("egress_spec", 9, 0),
                ("priority", 3, 0),
                ("packet_length", 32, frame.len() as u128),
                ("instance_type", 32, if resubmitted.is_some() { 6 } else { 0 }),
                ("ingress_global_timestamp", 48, now),
            ],
            |_, kept| if kept { resubmitted } else { None },
        );
        pass.deparse(&self.program);
        let (_, statements) = self.program.controls.iter().find(|(name, _)| name == "PolicyIngress").unwrap();
        let statements = statements.clone();
        self.run(&statements, &mut pass);
        let known =
            pass.metadata.iter().filter_map(|(path, (_, value))| Some((path.strip_prefix("meta.")?, (*value)?)));
        self.taken = known.map(|(name, value)| (name.to_owned(), value)).collect();
        let meta = |name: &str| pass.metadata.get(name).and_then(|(_, value)| *value);
        if pass.resubmits {
            FrameOutcome::Resubmitted(meta("meta.cost").unwrap())
        } else if pass.dropped {
            FrameOutcome::Dropped
        } else {
            FrameOutcome::Queued(meta("meta.queue").unwrap(), meta("standard_metadata.priority").unwrap())
        }
    }

    /// A frame whose headers are found, with its metadata from the switch. `kept` gives the value of a field of `meta`, and whether
    /// a resubmission keeps that field.
    pub(super) fn begin(
        &self,
        frame: &[u8],
        told: &[(&str, u32, u128)],
        kept: impl Fn(&str, bool) -> Option<u128>,
    ) -> Pass {
        let mut pass = Pass {
            frame: frame.to_vec(),
            headers: BTreeMap::new(),
            locals: Vec::new(),
            metadata: BTreeMap::new(),
            dropped: false,
            resubmits: false,
            at: 0,
        };
        for (field, width, value) in told {
            pass.metadata.insert(format!("standard_metadata.{field}"), (*width, Some(*value)));
        }
        let (_, fields) = self.program.structs.iter().find(|(name, _)| name == "metadata_t").unwrap();
        for (field, kind, is_kept) in fields {
            let FieldType::Bits(width) = kind else { panic!("`{field}` is no number") };
            pass.metadata.insert(format!("meta.{field}"), (*width, kept(field, *is_kept)));
        }
        pass.parse(&self.program);
        pass
    }

    pub(super) fn run(&mut self, statements: &[Statement], pass: &mut Pass) {
        let locals = pass.locals.len();
        for statement in statements {
            match statement {
                Statement::Declare(width, name, value) => {
                    let value = value.as_ref().map(|value| fitting(self.value(value, pass), *width));
                    pass.locals.push((name.clone(), *width, value));
                }
                Statement::Assign(path, value) => {
                    let value = self.value(value, pass);
                    if path[0] == "hdr" {
                        pass.write_bits(path, None, value, &self.program);
                    } else {
                        pass.assign(path, value);
                    }
                }
                Statement::AssignBits(path, high, low, value) => {
                    let value = self.value(value, pass);
                    pass.write_bits(path, Some((*high, *low)), value, &self.program);
                }
                Statement::If(condition, then, otherwise) => {
                    let chosen = if self.value(condition, pass) == Value::Bool(true) { then } else { otherwise };
                    self.run(chosen, pass);
                }
                Statement::Call(path, arguments) => self.call(path, arguments, pass),
                Statement::Applied(table, action, body) => {
                    if self.applied(table, pass) == action.as_str() {
                        self.run(body, pass);
                    }
                }
            }
        }
        pass.locals.truncate(locals);
    }

    fn call(&mut self, path: &[String], arguments: &[Expr], pass: &mut Pass) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match (&path[..], arguments) {
            (["mark_to_drop"], [_]) | (["refuse"], []) => pass.drop(),
            (["resubmit_preserving_field_list"], [list]) => {
                assert_eq!(self.value(list, pass), Value::Bits(1, None));
                pass.resubmits = true;
            }
            ([register, "read"], [Expr::Path(into), index]) => {
                let index = usize::try_from(self.number(index, pass, 32)).unwrap();
                let value = self.registers[*register][index];
                self.accesses.entry((*register).to_owned()).or_default().0 += 1;
                pass.assign(into, Value::Bits(value, Some(self.width_of(register))));
            }
            ([register, "write"], [index, value]) => {
                let index = usize::try_from(self.number(index, pass, 32)).unwrap();
                let value = self.number(value, pass, self.width_of(register));
                self.accesses.entry((*register).to_owned()).or_default().1 += 1;
                self.registers.get_mut(*register).unwrap()[index] = value;
            }
            other => panic!("{other:?} is not known"),
        }
    }

    fn width_of(&self, register: &str) -> u32 {
        self.program.registers.iter().find(|(name, ..)| name == register).unwrap().1
    }

    fn number(&self, expression: &Expr, pass: &mut Pass, width: u32) -> u128 {
        match fitting(self.value(expression, pass), Some(width)) {
            Value::Bits(number, _) => number,
            Value::Bool(_) => panic!("a truth value: {expression:?}"),
        }
    }

    fn value(&self, expression: &Expr, pass: &mut Pass) -> Value {
        pass.value(expression, &self.program)
    }

    /// Runs the action that a table has for the packet. Returns its name.
    fn applied(&self, table: &str, pass: &mut Pass) -> &'static str {
        assert_eq!(table, "forward");
        let destination = pass.field("ethernet", "destination", None, &self.program);
        let Value::Bits(destination, _) = destination else { panic!() };
        match self.forward.get(&destination) {
            Some(Some(port)) => {
                pass.metadata.get_mut("standard_metadata.egress_spec").unwrap().1 = Some(*port);
                "send"
            }
            Some(None) | None => {
                pass.drop();
                "refuse"
            }
        }
    }
}

/// Returns the value with a width: it must have this width, or be a literal that fits.
pub(super) fn fitting(value: Value, width: Option<u32>) -> Value {
    match (value, width) {
        (Value::Bits(number, None), Some(width)) => {
            assert!(width >= 128 || number >> width == 0, "{number} has more than {width} bits");
            Value::Bits(number, Some(width))
        }
        (Value::Bits(_, found), width) => {
            assert_eq!(found, width, "widths differ");
            value
        }
        (Value::Bool(_), None) => value,
        (Value::Bool(_), _) => panic!("a truth value where a number is meant"),
    }
}

impl Pass {
    /// `mark_to_drop`
    fn drop(&mut self) {
        self.dropped = true;
        self.metadata.get_mut("standard_metadata.egress_spec").unwrap().1 = Some(511);
    }

    pub(super) fn assign(&mut self, path: &[String], value: Value) {
        if let [name] = path {
            let (_, width, local) = self.locals.iter_mut().rev().find(|(known, ..)| known == name).unwrap();
            *local = Some(fitting(value, *width));
            return;
        }
        let (width, field) = self.metadata.get_mut(&path.join(".")).unwrap_or_else(|| panic!("{path:?}"));
        let Value::Bits(number, _) = fitting(value, Some(*width)) else { panic!() };
        *field = Some(number);
    }

    fn field(&self, header: &str, field: &str, slice: Option<(u32, u32)>, program: &Program) -> Value {
        let (from, width) = self.place(header, field, slice, program);
        self.bits(from, width)
    }

    /// Returns the position of a field's bits in the frame, and their number.
    pub(super) fn place(
        &self,
        header: &str,
        field: &str,
        slice: Option<(u32, u32)>,
        program: &Program,
    ) -> (usize, u32) {
        let (_, at) = self.headers.get(header).unwrap_or_else(|| panic!("{header} is used and may not be there"));
        let (_, fields) = instance(header, program);
        let place = fields.iter().position(|(name, ..)| name == field).unwrap_or_else(|| panic!("{header}.{field}"));
        let begin: u32 = fields[..place].iter().map(|(_, width, _)| width).sum();
        let width = fields[place].1;
        let (high, low) = slice.unwrap_or((width - 1, 0));
        assert!(high < width && low <= high, "{header}.{field}[{high}:{low}]");
        (at + (begin + width - 1 - high) as usize, high - low + 1)
    }

    /// Some bits of the frame.
    fn bits(&self, from: usize, width: u32) -> Value {
        assert!(width <= 128);
        let bits = (from..from + width as usize).map(|bit| self.frame[bit / 8] >> (7 - bit % 8) & 1);
        Value::Bits(bits.fold(0, |number, bit| number << 1 | u128::from(bit)), Some(width))
    }

    pub(super) fn value(&mut self, expression: &Expr, program: &Program) -> Value {
        match expression {
            Expr::Number(number, width) => fitting(Value::Bits(*number, None), *width),
            Expr::Bool(known) => Value::Bool(*known),
            Expr::Path(path) => match &path[..] {
                [name] => {
                    let local =
                        self.locals.iter().rev().find(|(known, ..)| known == name).unwrap_or_else(|| panic!("{name}"));
                    local.2.unwrap_or_else(|| panic!("{name} is read before it is written"))
                }
                [hdr, header, field] if hdr == "hdr" => self.field(header, field, None, program),
                path => {
                    let (width, value) = self.metadata.get(&path.join(".")).unwrap_or_else(|| panic!("{path:?}"));
                    Value::Bits(value.unwrap_or_else(|| panic!("{path:?} is read before it is written")), Some(*width))
                }
            },
            Expr::Slice(of, high, low) => match &**of {
                Expr::Path(path) => self.field(&path[1], &path[2], Some((*high, *low)), program),
                ahead => {
                    let width = lookahead(ahead).unwrap_or_else(|| panic!("{ahead:?}"));
                    assert!(*high < width && low <= high, "{ahead:?}[{high}:{low}]");
                    self.bits(self.at + (width - 1 - high) as usize, high - low + 1)
                }
            },
            Expr::Cast(width, of) => match self.value(of, program) {
                Value::Bits(number, _) => Value::Bits(number & u128::MAX >> (128 - width), Some(*width)),
                Value::Bool(_) => panic!("{of:?}"),
            },
            Expr::Not(of) => match self.value(of, program) {
                Value::Bool(known) => Value::Bool(!known),
                Value::Bits(..) => panic!("{of:?}"),
            },
            Expr::Binary(operator @ ("&&" | "||"), left, right) => {
                let left = self.value(left, program);
                if left == Value::Bool(*operator == "||") { left } else { self.value(right, program) }
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, program), self.value(right, program));
                binary(operator, left, right)
            }
            Expr::Call(path, _, arguments) => match (&path[..], arguments.is_empty()) {
                ([hdr, header, valid], true) if hdr == "hdr" && valid == "isValid" => {
                    Value::Bool(self.headers.contains_key(header))
                }
                _ => {
                    let width = lookahead(expression).unwrap_or_else(|| panic!("{path:?} is not known"));
                    self.bits(self.at, width)
                }
            },
        }
    }
}

/// The width of `packet.lookahead<bit<W>>()`.
pub(super) fn lookahead(expression: &Expr) -> Option<u32> {
    match expression {
        Expr::Call(path, width, arguments) if path[..] == ["packet", "lookahead"] && arguments.is_empty() => *width,
        _ => None,
    }
}

fn binary(operator: &str, left: Value, right: Value) -> Value {
    let (Value::Bits(one, one_width), Value::Bits(other, other_width)) = (left, right) else {
        panic!("{left:?} {right:?}")
    };
    match operator {
        "++" => {
            let width = other_width.unwrap();
            return Value::Bits(one << width | other, Some(one_width.unwrap() + width));
        }
        "<<" | ">>" => {
            let width = one_width.unwrap();
            let shifted = if operator == "<<" { one << other } else { one >> other };
            return Value::Bits(shifted & u128::MAX >> (128 - width), Some(width));
        }
        _ => {}
    }
    let width = one_width.or(other_width).expect("two numbers that stand alone");
    for value in [left, right] {
        fitting(value, Some(width));
    }
    let mask = u128::MAX >> (128 - width);
    match operator {
        "+" => Value::Bits(one.wrapping_add(other) & mask, Some(width)),
        "-" => Value::Bits(one.wrapping_sub(other) & mask, Some(width)),
        "*" => Value::Bits(one.wrapping_mul(other) & mask, Some(width)),
        "&" => Value::Bits(one & other, Some(width)),
        "|" => Value::Bits(one | other, Some(width)),
        "<" => Value::Bool(one < other),
        "<=" => Value::Bool(one <= other),
        ">" => Value::Bool(one > other),
        ">=" => Value::Bool(one >= other),
        "==" => Value::Bool(one == other),
        "!=" => Value::Bool(one != other),
        other => panic!("`{other}` is not known"),
    }
}

/// A header's type and its fields.
pub(super) fn instance<'a>(header: &str, program: &'a Program) -> (&'a str, &'a [(String, u32, bool)]) {
    let (_, all) = program.structs.iter().find(|(name, _)| name == "headers_t").unwrap();
    let (_, kind, _) = all.iter().find(|(name, ..)| name == header).unwrap_or_else(|| panic!("no header {header}"));
    let FieldType::Named(kind) = kind else { panic!("`{header}` is no header") };
    let (name, fields) = program.headers.iter().find(|(name, _)| name == kind).unwrap();
    (name, fields)
}

#[cfg(test)]
mod tests;
