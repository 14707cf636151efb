//! Names in a text, and what they stand for.

use rowan::TextRange;

/// Something that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name as it is written; of a family without number.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where its name stands in its definition; `None` if the language brings it (`mod`, `currSize`, `fifo`).
    pub definition: Option<TextRange>,
    /// Where else its name stands.
    pub references: Vec<TextRange>,
    /// What a reader wants to know about it, in Markdown.
    pub hover: String,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A constant: a `param`, the counter of a loop.
    Constant,
    /// A named expression.
    Value,
    /// A comparator.
    Comparator,
    /// A boundary condition.
    Condition,
    /// A queue or a family of queues.
    Queue,
    /// A port.
    Port,
    /// A buffer.
    Buffer,
    /// An argument of a comparator or condition, or a name given by `let`.
    Local,
    /// A property of a packet, queue, port or buffer.
    Property,
    /// A function or constructor of the language.
    Function,
}
