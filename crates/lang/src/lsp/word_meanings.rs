//! What the words of the language mean, in a sentence each: reserved words, actions, units, and the names that the
//! language brings.

use crate::SymbolKind::{Comparator, Condition, Constant, Function, Local};
use crate::{SymbolKind, vocabulary};

/// A word and what it means, in Markdown.
pub(crate) type Word = (&'static str, &'static str);

/// Reserved words.
pub(crate) const RESERVED: [Word; 9] = [
    ("param", "`param B = 128 pkts;`: a named constant. The command line can replace its value."),
    ("for", "`for i in 1..k { … }`: repeats statements for each number of a range, both ends included."),
    ("in", "Gives the range of a counter, or the scope of the name of a `let`."),
    ("let", "`let q = port.getCurrQueue() in …`: a name for a part of the body of a definition."),
    ("and", "Both hold. Also written `&&`."),
    ("or", "One of the two holds, or both. Also written `||`."),
    ("not", "`not a < b` is `!(a < b)`: it does not hold."),
    ("true", "Holds always."),
    ("false", "Holds never."),
];

/// The actions of a case, with what to insert, and what they do.
pub(crate) const ACTIONS: [(&str, &str, &str); 5] = [
    ("drop", "drop(${1:1})", "`drop(P)`: drops a victim with probability `P`; `drop(1)` always."),
    ("mark", "mark", "Marks the packet: further along its path it may be dropped before others."),
    ("notify", "notify", "Sets the packet's congestion notification."),
    ("modify", "modify(${1:q.admState} := ${2:0})", "`modify(x := e)` gives `x` the value `e`; `modify(x++)` adds 1."),
    (
        "enter",
        "enter(${1:q})",
        "`enter(q)`: the packet enters this queue. It stands in `classify(p)` and in `next(p)` of a port.",
    ),
];

/// The units that may follow a number.
pub(crate) const UNITS: [Word; 16] = [
    ("B", "Bytes."),
    ("KB", "1,000 bytes."),
    ("MB", "1,000,000 bytes."),
    ("GB", "1,000,000,000 bytes."),
    ("KiB", "1,024 bytes."),
    ("MiB", "1,024 KiB: 1,048,576 bytes."),
    ("GiB", "1,024 MiB: 1,073,741,824 bytes."),
    ("pkts", "Packets. A queue whose size is in packets counts packets."),
    ("bps", "Bits per second."),
    ("kbps", "1,000 bits per second."),
    ("Mbps", "1,000,000 bits per second."),
    ("Gbps", "1,000,000,000 bits per second."),
    ("ns", "Nanoseconds."),
    ("us", "Microseconds: 1,000 ns."),
    ("ms", "Milliseconds: 1,000,000 ns."),
    ("s", "Seconds: 1,000,000,000 ns."),
];

/// A name that the language brings.
#[derive(Debug)]
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) kind: SymbolKind,
    /// What to insert, with places to fill in.
    pub(crate) snippet: &'static str,
    pub(crate) doc: &'static str,
}

const fn builtin(name: &'static str, kind: SymbolKind, snippet: &'static str, doc: &'static str) -> Builtin {
    Builtin { name, kind, snippet, doc }
}

/// The names that the language brings.
pub(crate) const BUILTINS: [Builtin; 11] = [
    builtin("Queue", Function, "Queue(${1:128 pkts})", "`Queue(size)`: a queue."),
    builtin(
        "Port",
        Function,
        "Port(${1:100%}$2)",
        "`Port(rate, q1, …)`: an output port and the queues that it serves.",
    ),
    builtin("Buffer", Function, "Buffer(${1:512 pkts}$2)", "`Buffer(size, q1, …)`: a buffer that queues share."),
    builtin("mod", Function, "mod(${1:a}, ${2:b})", "`mod(a, b)`: the remainder of `a` divided by `b`; 0 if `b` is 0."),
    builtin("min", Function, "min(${1:a}, ${2:b})", "`min(a, b)`: the lesser of two numbers."),
    builtin("max", Function, "max(${1:a}, ${2:b})", "`max(a, b)`: the greater of two numbers."),
    builtin("fifo", Comparator, "fifo", "First in, first out: the packet that arrived first comes first."),
    builtin("rfifo", Comparator, "rfifo", "Last in, first out: the packet that arrived last comes first."),
    builtin("tailDrop", Condition, "tailDrop", "Drops packets that do not fit: `currSize > size, drop(1)`."),
    builtin("arriving", Local, "arriving", "In a condition for `congestion`: the arriving packet."),
    builtin("now", Constant, "now", "In a condition: the time in nanoseconds."),
];

/// The definition that says which queue a packet enters. A policy brings it, the language knows its name.
pub(crate) const CLASSIFY: &str = "classify";

/// The property of a port that says which queue of the next stage a packet enters.
pub(crate) const NEXT: &str = "next";

/// The definition that says under which version of the policy a packet is treated.
pub(crate) const POLICY_ID: &str = "policyId";

/// The actions that the parser knows.
pub(crate) fn actions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    ACTIONS.into_iter().filter(|(name, ..)| vocabulary::ACTIONS.contains(name))
}

/// What a word means where no name stands for something else.
pub(crate) fn doc(word: &str) -> Option<&'static str> {
    let actions = actions().map(|(name, _, doc)| (name, doc));
    RESERVED.into_iter().chain(actions).chain(UNITS).find_map(|(known, doc)| (known == word).then_some(doc))
}

/// What kind of thing a symbol is, in a word or two.
pub(crate) fn kind(kind: SymbolKind) -> &'static str {
    match kind {
        Constant => "constant",
        SymbolKind::Value => "value",
        Comparator => "comparator",
        Condition => "condition",
        SymbolKind::Queue => "queue",
        SymbolKind::Port => "port",
        SymbolKind::Buffer => "buffer",
        Local => "local name",
        SymbolKind::Property => "property",
        Function => "function",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn the_names_are_those_that_the_check_brings() {
        let analysis = crate::analyse("", &Vec::new());
        let known: Vec<&str> = analysis
            .symbols
            .iter()
            .filter(|symbol| symbol.kind != SymbolKind::Property)
            .map(|symbol| symbol.name.as_str())
            .collect();
        for builtin in &BUILTINS {
            assert!(known.contains(&builtin.name), "{}", builtin.name);
        }
        for name in known {
            // These are proposed as statements.
            assert!(
                [CLASSIFY, POLICY_ID].contains(&name) || BUILTINS.iter().any(|builtin| builtin.name == name),
                "{name}"
            );
        }
    }

    #[test]
    fn the_words_are_those_of_the_language() {
        assert_eq!(UNITS.map(|(word, _)| word), vocabulary::UNITS);
        assert!(actions().map(|(word, ..)| word).eq(vocabulary::ACTIONS));
        for (word, _) in RESERVED {
            assert!(Kind::of_word(word).is_some_and(Kind::is_word), "{word}");
        }
        let reserved = Kind::FalseWord as usize - Kind::ParamWord as usize + 1;
        assert_eq!(RESERVED.len(), reserved, "every reserved word has a sentence");
    }
}
