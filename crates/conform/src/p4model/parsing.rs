//! The parser and the deparser of v1model.

use crate::p4model::switch::{Pass, Value, instance, lookahead};
use crate::p4model::syntax::{Expr, Program, State, Statement, Transition};

impl Pass {
    /// Finds headers. If the frame ends before a requested header, parsing ends, and the packet continues.
    pub(super) fn parse(&mut self, program: &Program) {
        let mut state = "start".to_owned();
        while state != "accept" {
            let current =
                program.states.iter().find(|known| known.name == state).unwrap_or_else(|| panic!("no state {state}"));
            match self.state(current, program) {
                Some(next) => state = next,
                None => return,
            }
        }
    }

    /// Returns the next state; `None` if the frame is too short for this one.
    fn state(&mut self, state: &State, program: &Program) -> Option<String> {
        for statement in &state.statements {
            match statement {
                Statement::Call(path, arguments) => {
                    assert_eq!(path[..], ["packet", "extract"]);
                    self.extract(arguments, program)?;
                }
                Statement::Assign(path, value) => {
                    self.reaches(value)?;
                    let value = self.value(value, program);
                    self.assign(path, value);
                }
                other => panic!("{other:?} in a parser"),
            }
        }
        let (on, cases) = match &state.then {
            Transition::To(next) => return Some(next.clone()),
            Transition::Select(on, cases) => (on, cases),
        };
        let mut values = Vec::new();
        for on in on {
            self.reaches(on)?;
            let Value::Bits(number, Some(_)) = self.value(on, program) else { panic!("{on:?}") };
            values.push(number);
        }
        let fits = |pattern: &[(u128, u128)]| {
            pattern.is_empty()
                || (pattern.len() == values.len()
                    && pattern.iter().zip(&values).all(|((value, mask), found)| value & mask == found & mask))
        };
        Some(cases.iter().find(|(pattern, _)| fits(pattern)).map(|(_, next)| next.clone()).unwrap())
    }

    /// Whether the frame has all bytes that an expression looks ahead to.
    fn reaches(&self, expression: &Expr) -> Option<()> {
        match expression {
            Expr::Slice(of, ..) | Expr::Cast(_, of) | Expr::Not(of) => self.reaches(of),
            Expr::Binary(_, left, right) => self.reaches(left).and_then(|()| self.reaches(right)),
            other => {
                let width = lookahead(other).unwrap_or(0);
                (self.at + width as usize <= self.frame.len() * 8).then_some(())
            }
        }
    }

    /// Extracts a header; `None` if the frame does not contain all of it.
    fn extract(&mut self, arguments: &[Expr], program: &Program) -> Option<()> {
        let [Expr::Path(path), rest @ ..] = arguments else { panic!("{arguments:?}") };
        let (name, fields) = instance(&path[1], program);
        let bits = match rest {
            [] => fields.iter().map(|(_, width, varies)| if *varies { panic!("{name} varies") } else { *width }).sum(),
            [size] => {
                let Value::Bits(size, Some(32)) = self.value(size, program) else { panic!("{size:?}") };
                let size = u32::try_from(size).unwrap();
                let [(_, most, true)] = fields else { panic!("{name} does not vary") };
                assert!(size <= *most && size % 8 == 0, "{name} of {size} bits");
                size
            }
            _ => panic!("{arguments:?}"),
        };
        if self.at + bits as usize > self.frame.len() * 8 {
            return None;
        }
        let before = self.headers.insert(path[1].clone(), (name.to_owned(), self.at));
        assert!(before.is_none(), "{} is extracted twice", path[1]);
        self.at += bits as usize;
        Some(())
    }

    /// Checks that the deparser writes the headers that arrived, in their order.
    pub(super) fn deparse(&self, program: &Program) {
        let (_, statements) = program.controls.iter().find(|(name, _)| name == "PolicyDeparser").unwrap();
        let mut places = Vec::new();
        for statement in statements {
            let Statement::Call(path, arguments) = statement else { panic!("{statement:?}") };
            let [Expr::Path(header)] = &arguments[..] else { panic!("{arguments:?}") };
            assert_eq!(path[..], ["packet", "emit"]);
            places.extend(self.headers.get(&header[1]).map(|(_, at)| *at));
        }
        assert_eq!(places.len(), self.headers.len(), "not all headers are written");
        assert!(places.is_sorted(), "headers are written in another order");
    }
}
