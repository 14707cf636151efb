//! Statements and cases with places to fill in, in the notation of the protocol.

/// The text that finds it, its description, and the text that it inserts.
pub(super) type Snippet = (&'static str, &'static str, &'static str);

/// Statements.
pub(super) const STATEMENTS: [Snippet; 15] = [
    ("queue", "a queue", "${1:q} = Queue(${2:128 pkts});"),
    ("queues", "a family of queues", "${1:q}[1..${2:4}] = Queue(${3:128 pkts});"),
    ("port", "an output port", "${1:out} = Port(${2:100%}, ${3:q});"),
    ("buffer", "a buffer that queues share", "${1:b} = Buffer(${2:512 pkts}, ${3:q});"),
    (
        "comparator",
        "an order of packets or queues",
        "${1:name}(${2:p1}, ${3:p2}) = (${2:p1}.${4:value} > ${3:p2}.${4:value});",
    ),
    (
        "condition",
        "what happens to arriving packets, and when",
        "${1:name}(${2:q}) = (${2:q}.currSize >= ${3:.9} * ${2:q}.size, ${4:drop(1)});",
    ),
    ("include", "the statements of another file", "include \"${1:other}.oq\";"),
    ("extern", "an action that a program brings", "extern action ${1:name}(${2:number});"),
    ("policyId", "which version applies to a packet", "policyId(${1:p}) = ${1:p}.${2:class};"),
    ("classify", "which queue a packet enters", "classify(${1:p}) = (${2:${1:p}.class >= 40}, enter(${3:q}));"),
    ("next", "which queue of the next stage a packet enters", "${1:out}.next(${2:p}) = enter(${3:q});"),
    (
        "eligible",
        "which queues a port may serve",
        "${1:out}.eligible(${2:q}) = ${2:q}.next.currSize < ${2:q}.next.size;",
    ),
    (
        "postSchedAct",
        "what happens after a packet was served",
        "${1:name}(${2:port}) =\n    let ${3:q} = ${2:port}.getCurrQueue()\n    in (${4:true}, modify(${3:q}.schedState++));",
    ),
    ("for", "a loop", "for ${1:i} in ${2:1..k} {\n    $0\n}"),
    ("param", "a named constant", "param ${1:B} = ${2:128 pkts};"),
];

/// A case.
pub(super) const CASE: &str = "(${1:true}, ${2:drop(1)})";

/// A snippet as a text without places: for editors that know none.
pub(super) fn plain(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some(place) = rest.strip_prefix('{') {
            let end = closing(place);
            let content = &place[..end];
            out.push_str(&plain(content.split_once(':').map_or("", |(_, default)| default)));
            rest = place.get(end + 1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}

/// Where the brace is closed that was opened before.
fn closing(place: &str) -> usize {
    let mut open = 1;
    for (at, c) in place.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at;
        }
    }
    place.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_without_its_places_is_a_policy_without_mistakes_of_syntax() {
        for (name, _, snippet) in STATEMENTS {
            let plain = plain(snippet);
            assert!(!plain.contains('$'), "{plain}");
            let found = crate::parse(&plain);
            assert!(name == "classify" || found.diagnostics().is_empty(), "{name}: {plain}\n{:?}", found.diagnostics());
        }
        for case in
            crate::lsp::word_meanings::actions().map(|(_, snippet, _)| format!("c(q) = (true, {});", plain(snippet)))
        {
            assert!(crate::parse(&case).diagnostics().is_empty(), "{case}");
        }
        let case = format!("c(q) = (true, mark).{};", plain(CASE));
        assert!(crate::parse(&case).diagnostics().is_empty(), "{case}");
    }
}
