//! Finds the place in a policy's text to which a target's message refers.

use forebay_lang::{Symbol, SymbolKind, TextRange, TextSize};

/// The place where `queue q, admPrio` is assigned, or else where `q` is declared. `None` if the construct is no part of
/// the text.
pub(crate) fn place(construct: &str, text: &str, symbols: &[Symbol]) -> Option<TextRange> {
    let (object, property) =
        construct.split_once(", ").map_or((construct, None), |(object, rest)| (object, rest.split(' ').next()));
    let is_whole = |symbol: &Symbol| symbol.kind == SymbolKind::Condition || symbol.name == "policyId";
    let Some((kind, name)) = object.split_once(' ') else {
        return symbols.iter().find(|symbol| symbol.name == object && is_whole(symbol))?.definition;
    };
    let kind = match kind {
        "queue" => SymbolKind::Queue,
        "port" => SymbolKind::Port,
        "buffer" => SymbolKind::Buffer,
        _ => return None,
    };
    // A member of a family is called by its number, or with an index.
    let family = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let of = |wanted: &str| symbols.iter().find(|symbol| symbol.kind == kind && symbol.name == wanted);
    let symbol = of(name).or_else(|| of(family))?;
    let assigned = |called: &str| property.and_then(|property| assignment(text, called, property));
    assigned(name).or_else(|| assigned(family)).or(symbol.definition)
}

/// The place where a property of the object with this name is assigned, perhaps with an index.
fn assignment(text: &str, called: &str, property: &str) -> Option<TextRange> {
    let is_named = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    let found = text.match_indices(called).find(|(begin, _)| {
        let (before, rest) = (&text[..*begin], &text[begin + called.len()..]);
        let is_comment = before.rsplit('\n').next().is_some_and(|line| line.contains("//"));
        !is_comment && !before.ends_with(is_named) && has(rest, property)
    });
    let size = |bytes: usize| u32::try_from(bytes).ok().map(TextSize::from);
    let (begin, called) = found?;
    Some(TextRange::at(size(begin)?, size(called.len())?))
}

/// Whether the text after a name is its property, perhaps behind an index.
fn has(rest: &str, property: &str) -> bool {
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('[').and_then(|index| index.split_once(']')).map_or(rest, |(_, rest)| rest);
    let named = rest.trim_start().strip_prefix('.').and_then(|rest| rest.trim_start().strip_prefix(property));
    named.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}
