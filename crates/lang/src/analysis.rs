//! A text read and checked: the policy, its mistakes, and what every name in it means.

use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::Policy;
use crate::number::Ratio;
use crate::parser::{Parse, parse};
use rowan::TextRange;

/// Values of named constants that take the place of those in the file (`--param B=128`).
pub type Overrides = Vec<(String, Value)>;

/// A constant with its unit of measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The number: in bytes, nanoseconds, bits per second or percent, if it has a unit.
    pub number: Ratio,
    /// What it is a number of.
    pub unit: Unit,
}

/// What a constant is a number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Anything; as a size, bytes, and as a rate, percent.
    None,
    /// Bytes.
    Bytes,
    /// Packets.
    Packets,
    /// Nanoseconds.
    Nanoseconds,
    /// Bits per second.
    BitsPerSecond,
    /// Percent.
    Percent,
    /// A product or quotient of units, such as bytes per nanosecond; which one is not kept.
    Compound,
}

impl Unit {
    const SYMBOLS: [(Self, &'static str); 6] = [
        (Self::None, ""),
        (Self::Bytes, "B"),
        (Self::Packets, "pkts"),
        (Self::Nanoseconds, "ns"),
        (Self::BitsPerSecond, "bps"),
        (Self::Percent, "%"),
    ];

    /// How a policy writes it: `B`, `pkts`, `ns`, `bps`, `%`; nothing if it has no symbol.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        Self::SYMBOLS.iter().find(|(unit, _)| *unit == self).map_or("", |(_, symbol)| symbol)
    }

    /// The unit that is written so.
    #[must_use]
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        Self::SYMBOLS.iter().find(|(_, known)| *known == symbol).map(|(unit, _)| *unit)
    }
}

/// What is known about a text.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Its tree.
    pub parse: Parse,
    /// Mistakes of syntax and of meaning, in order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The policy, if there is no error.
    pub policy: Option<Policy>,
    /// Everything that has a name.
    pub symbols: Vec<Symbol>,
}

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

impl Analysis {
    /// The symbol whose name stands at `offset` (in bytes), with the place of that name.
    #[must_use]
    pub fn symbol_at(&self, offset: rowan::TextSize) -> Option<(&Symbol, TextRange)> {
        self.symbols.iter().find_map(|symbol| {
            let places = symbol.definition.iter().chain(&symbol.references);
            let place = places.copied().find(|place| place.contains_inclusive(offset))?;
            Some((symbol, place))
        })
    }
}

/// Reads and checks a text. `overrides` take the place of values of its params.
#[must_use]
pub fn analyse(text: &str, overrides: &Overrides) -> Analysis {
    analyse_live(text, overrides, &[])
}

/// The same; the params of these names are live: they can be changed while the policy runs.
#[must_use]
pub fn analyse_live(text: &str, overrides: &Overrides, live: &[String]) -> Analysis {
    let parse = parse(text);
    let mut diagnostics = parse.diagnostics().to_vec();
    let checked = crate::check::check(&parse, overrides, live);
    diagnostics.extend(checked.diagnostics);
    crate::diagnostic::sort_and_limit(&mut diagnostics);
    let wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let policy = checked.policy.filter(|_| !wrong);
    Analysis { parse, diagnostics, policy, symbols: checked.symbols }
}
