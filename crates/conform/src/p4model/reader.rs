//! Reads programs in P4.

use crate::p4model::syntax::{Expr, FieldType, HeaderFields, Program, State, Statement, StructFields, Transition};
use crate::p4model::tokens::{Token, tokens};

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Program {
    /// Reads a program.
    ///
    /// # Panics
    /// If it has anything that this reader does not know.
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = Reader { tokens: tokens(text), at: 0 };
        let mut program = Self::default();
        while reader.at < reader.tokens.len() {
            match reader.name().as_str() {
                "header" => {
                    let name = reader.name();
                    program.headers.push((name, reader.header_fields()));
                }
                "struct" => {
                    let name = reader.name();
                    program.structs.push((name, reader.struct_fields()));
                }
                "parser" => {
                    reader.skip_to("{");
                    while !reader.takes("}") {
                        assert_eq!(reader.name(), "state");
                        program.states.push(reader.state());
                    }
                }
                "control" => {
                    let name = reader.name();
                    reader.skip_to("{");
                    reader.control(&name, &mut program);
                }
                "register" => reader.register(&mut program),
                "V1Switch" => {
                    reader.expect("(");
                    while !reader.takes(")") {
                        program.main.push(reader.name());
                        reader.expect("(");
                        reader.expect(")");
                        reader.takes(",");
                    }
                    assert_eq!(reader.name(), "main");
                    reader.expect(";");
                }
                other => panic!("`{other}` is not known"),
            }
        }
        program
    }
}

/// Operators, grouped by binding power, the strongest first.
const LEVELS: [&[&str]; 9] = [
    &["*"],
    &["+", "-", "++"],
    &["<<", ">>"],
    &["<", "<=", ">", ">="],
    &["==", "!="],
    &["&"],
    &["|"],
    &["&&"],
    &["||"],
];

impl Reader {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn is(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Sign(found)) if *found == sign)
    }

    fn is_name(&self, ahead: usize, name: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Name(found)) if found == name)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let takes = self.is(0, sign);
        self.at += usize::from(takes);
        takes
    }

    fn expect(&mut self, sign: &str) {
        assert!(
            self.takes(sign),
            "`{sign}` expected before {:?}",
            &self.tokens[self.at..(self.at + 5).min(self.tokens.len())]
        );
    }

    fn skip_to(&mut self, sign: &str) {
        while !self.takes(sign) {
            self.at += 1;
        }
    }

    fn name(&mut self) -> String {
        let Some(Token::Name(name)) = self.peek(0).cloned() else { panic!("a name expected: {:?}", self.peek(0)) };
        self.at += 1;
        name
    }

    fn number(&mut self) -> u128 {
        let Some(Token::Number(number, _)) = self.peek(0).cloned() else {
            panic!("a number expected: {:?}", self.peek(0))
        };
        self.at += 1;
        number
    }

    fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.name()];
        while self.takes(".") {
            path.push(self.name());
        }
        path
    }

    /// `<32>` of `bit<32>`.
    fn width(&mut self) -> u32 {
        self.expect("<");
        let width = u32::try_from(self.number()).unwrap();
        self.expect(">");
        width
    }

    fn header_fields(&mut self) -> HeaderFields {
        self.expect("{");
        let mut fields = Vec::new();
        while !self.takes("}") {
            let varies = match self.name().as_str() {
                "bit" => false,
                "varbit" => true,
                other => panic!("`{other}` in a header"),
            };
            let width = self.width();
            fields.push((self.name(), width, varies));
            self.expect(";");
        }
        fields
    }

    fn struct_fields(&mut self) -> StructFields {
        self.expect("{");
        let mut fields = Vec::new();
        while !self.takes("}") {
            let kept = self.takes("@");
            if kept {
                assert_eq!(self.name(), "field_list");
                self.expect("(");
                assert_eq!(self.number(), 1);
                self.expect(")");
            }
            let kind = self.name();
            let kind = if kind == "bit" { FieldType::Bits(self.width()) } else { FieldType::Named(kind) };
            fields.push((self.name(), kind, kept));
            self.expect(";");
        }
        fields
    }

    fn state(&mut self) -> State {
        let name = self.name();
        self.expect("{");
        let mut statements = Vec::new();
        let then = loop {
            if self.is_name(0, "transition") {
                self.at += 1;
                break self.transition();
            }
            statements.push(self.statement());
        };
        self.expect("}");
        State { name, statements, then }
    }

    fn transition(&mut self) -> Transition {
        let to = self.name();
        if to != "select" {
            self.expect(";");
            return Transition::To(to);
        }
        let on = self.arguments();
        self.expect("{");
        let mut cases = Vec::new();
        while !self.takes("}") {
            let mut pattern = Vec::new();
            if self.is_name(0, "default") {
                self.at += 1;
            } else if self.takes("(") {
                while !self.takes(")") {
                    pattern.push((self.number(), u128::MAX));
                    self.takes(",");
                }
            } else {
                let value = self.number();
                let mask = if self.takes("&&&") { self.number() } else { u128::MAX };
                pattern.push((value, mask));
            }
            self.expect(":");
            cases.push((pattern, self.name()));
            self.expect(";");
        }
        Transition::Select(on, cases)
    }

    /// Reads the text after `register`, in a control or outside of all.
    fn register(&mut self, program: &mut Program) {
        self.expect("<");
        assert_eq!(self.name(), "bit");
        let width = self.width();
        self.expect(">");
        self.expect("(");
        let size = self.number();
        self.expect(")");
        program.registers.push((self.name(), width, size));
        self.expect(";");
    }

    fn control(&mut self, name: &str, program: &mut Program) {
        while !self.takes("}") {
            match self.name().as_str() {
                "register" => self.register(program),
                // There are two, which the tests know.
                "action" | "table" => {
                    self.skip_to("{");
                    let mut depth = 1;
                    while depth > 0 {
                        depth += i32::from(self.is(0, "{")) - i32::from(self.is(0, "}"));
                        self.at += 1;
                    }
                }
                "apply" => {
                    let statements = self.block();
                    program.controls.push((name.to_owned(), statements));
                }
                other => panic!("`{other}` in a control"),
            }
        }
    }

    fn block(&mut self) -> Vec<Statement> {
        self.expect("{");
        let mut statements = Vec::new();
        while !self.takes("}") {
            statements.push(self.statement());
        }
        statements
    }

    fn statement(&mut self) -> Statement {
        if self.is_name(0, "if") {
            self.at += 1;
            self.expect("(");
            let condition = self.expression(LEVELS.len());
            self.expect(")");
            let then = self.block();
            let mut otherwise = Vec::new();
            if self.is_name(0, "else") {
                self.at += 1;
                otherwise = if self.is_name(0, "if") { vec![self.statement()] } else { self.block() };
            }
            return Statement::If(condition, then, otherwise);
        }
        if self.is_name(0, "switch") {
            self.at += 1;
            self.expect("(");
            let path = self.path();
            let ([table, apply], true) = (&path[..], self.arguments().is_empty()) else { panic!("{path:?}") };
            self.expect(".");
            assert_eq!(apply, "apply");
            assert_eq!(self.name(), "action_run");
            self.expect(")");
            self.expect("{");
            let action = self.name();
            self.expect(":");
            let body = self.block();
            self.expect("}");
            return Statement::Applied(table.clone(), action, body);
        }
        let is_bit = self.is_name(0, "bit") && self.is(1, "<");
        if is_bit || self.is_name(0, "bool") {
            self.at += 1;
            let width = is_bit.then(|| self.width());
            let name = self.name();
            let value = self.takes("=").then(|| self.expression(LEVELS.len()));
            self.expect(";");
            return Statement::Declare(width, name, value);
        }
        let path = self.path();
        let statement = if self.is(0, "(") {
            Statement::Call(path, self.arguments())
        } else if self.takes("[") {
            let high = u32::try_from(self.number()).unwrap();
            self.expect(":");
            let low = u32::try_from(self.number()).unwrap();
            self.expect("]");
            self.expect("=");
            Statement::AssignBits(path, high, low, self.expression(LEVELS.len()))
        } else {
            self.expect("=");
            Statement::Assign(path, self.expression(LEVELS.len()))
        };
        self.expect(";");
        statement
    }

    fn arguments(&mut self) -> Vec<Expr> {
        self.expect("(");
        let mut all = Vec::new();
        while !self.takes(")") {
            all.push(self.expression(LEVELS.len()));
            self.takes(",");
        }
        all
    }

    fn operator(&self, level: usize) -> Option<&'static str> {
        let shift = ["<", ">"].into_iter().find(|sign| self.is(0, sign) && self.is(1, sign));
        LEVELS[level].iter().copied().find(|operator| match (*operator, shift) {
            ("<<", found) => found == Some("<"),
            (">>", found) => found == Some(">"),
            ("<" | ">", Some(_)) => false,
            (operator, _) => self.is(0, operator),
        })
    }

    fn expression(&mut self, level: usize) -> Expr {
        if level == 0 {
            return self.unary();
        }
        let mut left = self.expression(level - 1);
        while let Some(operator) = self.operator(level - 1) {
            self.at += if matches!(operator, "<<" | ">>") { 2 } else { 1 };
            let right = self.expression(level - 1);
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        left
    }

    fn unary(&mut self) -> Expr {
        if self.takes("!") {
            return Expr::Not(Box::new(self.unary()));
        }
        if self.is(0, "(") && self.is_name(1, "bit") && self.is(2, "<") {
            self.at += 2;
            let width = self.width();
            self.expect(")");
            return Expr::Cast(width, Box::new(self.unary()));
        }
        let mut value = self.primary();
        while self.takes("[") {
            let high = u32::try_from(self.number()).unwrap();
            self.expect(":");
            let low = u32::try_from(self.number()).unwrap();
            self.expect("]");
            value = Expr::Slice(Box::new(value), high, low);
        }
        value
    }

    fn primary(&mut self) -> Expr {
        if self.takes("(") {
            let inner = self.expression(LEVELS.len());
            self.expect(")");
            return inner;
        }
        if let Some(Token::Number(number, width)) = self.peek(0).cloned() {
            self.at += 1;
            return Expr::Number(number, width);
        }
        let path = self.path();
        match path[0].as_str() {
            "true" | "false" => return Expr::Bool(path[0] == "true"),
            _ => {}
        }
        let mut width = None;
        if path == ["packet", "lookahead"] {
            self.expect("<");
            assert_eq!(self.name(), "bit");
            width = Some(self.width());
            self.expect(">");
        }
        if !self.is(0, "(") {
            return Expr::Path(path);
        }
        let arguments = self.arguments();
        Expr::Call(path, width, arguments)
    }
}
