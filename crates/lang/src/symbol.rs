//! Names in a text, and their meanings.

use rowan::TextRange;

/// A name with its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The name in the text; that of a family has no number.
    pub name: String,
    /// The kind of the name.
    pub kind: SymbolKind,
    /// The range of the name in its definition; `None` if the name belongs to the language (`mod`, `currSize`, `fifo`).
    pub definition: Option<TextRange>,
    /// The other ranges of the name.
    pub references: Vec<TextRange>,
    /// The description for readers, in Markdown.
    pub hover: String,
}

/// The kind of a name.
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
