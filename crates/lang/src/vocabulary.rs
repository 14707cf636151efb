//! The names that the parser knows: actions and units. The checker resolves all others.

use forebay_core::registry::suggest;

/// The actions of a condition (section III-C), and the action of `classify`.
pub const ACTIONS: [&str; 5] = ["drop", "mark", "notify", "modify", "enter"];

/// The word before the name of an included file; elsewhere it is a name.
pub const INCLUDE: &str = "include";

/// The words before the name of an action that a program implements; elsewhere they are names.
pub const EXTERN: [&str; 2] = ["extern", "action"];

/// The units that may follow a number: sizes, rates, durations.
pub const UNITS: [&str; 16] =
    ["B", "KB", "MB", "GB", "KiB", "MiB", "GiB", "pkts", "bps", "kbps", "Mbps", "Gbps", "ns", "us", "ms", "s"];

/// Returns the name in `known` that is most similar to `name`.
pub(crate) fn nearest(name: &str, known: &'static [&'static str]) -> Option<&'static str> {
    // Names in other letter cases are nearer than any other.
    let same = known.iter().find(|candidate| candidate.eq_ignore_ascii_case(name));
    same.copied().or_else(|| {
        let said = suggest(name, known.iter().copied());
        let meant = said.strip_prefix("; did you mean `")?.strip_suffix("`?")?;
        known.iter().find(|candidate| **candidate == meant).copied()
    })
}
