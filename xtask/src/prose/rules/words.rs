//! Phrases that this project used where the field has a word, and what to write in their place.

/// A phrase to avoid.
pub(crate) struct Entry {
    /// Words in small letters, with `|` between choices for one word.
    pub(crate) pattern: &'static str,
    /// What a finding says after "write".
    pub(crate) instead: &'static str,
    /// Longer phrases in which the pattern is right.
    pub(crate) except: &'static [&'static str],
}

impl Entry {
    const fn but(self, except: &'static [&'static str]) -> Self {
        Self { except, ..self }
    }
}

const fn entry(pattern: &'static str, instead: &'static str) -> Entry {
    Entry { pattern, instead, except: &[] }
}

/// All of them, by what they are about.
pub(crate) const ENTRIES: &[Entry] = &[
    // Who acts.
    entry("whoever", r#"who that is: "you", "the reader", "the sender""#),
    entry("whichever", r#""any", or "the ... that""#),
    entry("if one can|wants|knows|asks|needs", r#""you", or who acts"#),
    entry("that|what|than|as|how one can|could|must|may|would|wants", r#""you", or who acts"#),
    entry("contender|contenders", r#""policy""#),
    // Queues and buffers.
    entry("packet|packets|frame|frames|segment|segments|request|requests come|comes|came", r#""arrive""#).but(&[
        "packet|packets|frame|frames|segment|segments|request|requests come|comes|came from|out|with|close|near|back",
        "packet|packets|frame|frames|segment|segments|request|requests come|comes|came first|before|last",
    ]),
    entry("packet|packets|frame|frames|request|requests that|which come|comes|came", r#""arrive""#).but(&[
        "packet|packets|frame|frames|request|requests that|which come|comes|came from|out|with|close|near|back",
        "packet|packets|frame|frames|request|requests that|which come|comes|came first|before|last",
    ]),
    entry("what waits", r#""the backlog", or "packets that wait""#)
        .but(&["what waits with", "decides|decide what waits"]),
    entry("who goes|comes|is first|next", r#""which packet is sent first""#),
    entry("give|gives|gave|giving way", r#""is pushed out" (queue) or "is evicted" (cache)"#),
    entry(
        "refuse|refuses|refused|refusing|refusal|refusals",
        r#""reject" (input), or "drop" or "do not admit" (packets)"#,
    )
    .but(&["connection|connections refused", "connection|connections is|are refused"]),
    entry("is|are|was|were gone", r#""departed", "dropped", "evicted", "removed" or "lost""#),
    entry("under way", r#""in flight" (sent, not yet completed) or "running""#).but(&["attack is under way"]),
    // Notifications.
    entry("is|are|was|were|be|been|being told", r#""is notified" (FPM), "is given", "knows" or "reports""#)
        .but(&["is|are|was|were|be|been|being told apart|from|to"]),
    entry("told cache|caches|switch|switches|node|nodes", r#""notified" in place of "told""#),
    entry(
        "neighbour|neighbours|port|ports|host|hosts|switch|switches tell|tells|told",
        r#""notify" in place of "tell""#,
    ),
    entry("tell|tells|telling it|them|caches what comes", r#""notifies it of packets that are on their way""#),
    entry("what is forecast", r#""forecast packets""#),
    // prose: allow private-word: the phrase itself
    entry("what is only forecast", r#""forecast packets""#),
    // Plain English.
    entry("of no use", r#""useless", or what cannot be done with it"#),
    entry("least latency|delay", r#""lowest" in place of "least""#),
    entry("dear|dearer|dearest", r#""expensive" or "costly""#),
    entry("is|are|was|were not there", r#""is missing" or "does not exist""#),
    entry("but for", r#""except for""#),
    entry("belong|belongs into", r#""belongs in""#),
];
