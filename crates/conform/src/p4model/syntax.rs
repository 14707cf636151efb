//! The syntax of programs in P4: only the part of the language that the target writes.

/// An expression.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    Number(u128, Option<u32>),
    Bool(bool),
    /// `hdr.udp.length`
    Path(Vec<String>),
    /// `x[7:2]`
    Slice(Box<Expr>, u32, u32),
    /// `(bit<8>)x`
    Cast(u32, Box<Expr>),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `hdr.udp.isValid()`, with the width of a type argument
    Call(Vec<String>, Option<u32>, Vec<Expr>),
}

/// A statement.
#[derive(Debug, Clone)]
pub(crate) enum Statement {
    /// A variable; without a width it is a truth value.
    Declare(Option<u32>, String, Option<Expr>),
    Assign(Vec<String>, Expr),
    /// `x[31:8] = y`
    AssignBits(Vec<String>, u32, u32, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    Call(Vec<String>, Vec<Expr>),
    /// `switch (forward.apply().action_run) { send: { ... } }`: the table, the action, and what is done if that has run
    Applied(String, String, Vec<Statement>),
}

/// What a `select` compares with: nothing for `default`.
pub(crate) type Pattern = Vec<(u128, u128)>;

/// Where a parser goes on.
#[derive(Debug)]
pub(crate) enum Transition {
    To(String),
    Select(Vec<Expr>, Vec<(Pattern, String)>),
}

/// A state of a parser.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    /// Calls of `packet.extract`, and assignments.
    pub(crate) statements: Vec<Statement>,
    pub(crate) then: Transition,
}

/// Fields of a header with their widths, and whether that varies.
pub(crate) type HeaderFields = Vec<(String, u32, bool)>;

/// Fields of a struct, their widths or types, and whether a resubmission keeps them.
pub(crate) type StructFields = Vec<(String, FieldType, bool)>;

/// What a field of a struct is.
#[derive(Debug)]
pub(crate) enum FieldType {
    /// A number of this width in bits.
    Bits(u32),
    /// A header or a struct of this name.
    Named(String),
}

/// A program.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// Types of headers.
    pub(crate) headers: Vec<(String, HeaderFields)>,
    pub(crate) structs: Vec<(String, StructFields)>,
    pub(crate) states: Vec<State>,
    /// Registers: their names, widths and sizes.
    pub(crate) registers: Vec<(String, u32, u128)>,
    /// The statements of each control.
    pub(crate) controls: Vec<(String, Vec<Statement>)>,
    pub(crate) main: Vec<String>,
}
