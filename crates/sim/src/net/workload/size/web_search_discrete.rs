//! Web search in eleven sizes, as in a simulator with discrete sizes.

use super::{SizeEntry, embedded, from_text};

/// The registry's entry.
pub const ENTRY: SizeEntry = embedded(
    "web-search-discrete",
    "Web search in eleven sizes: 987,600 B on average",
    "as web-search, each size the lower end of an interval",
    |_, _| from_text(include_str!("web_search_discrete.cdf")),
);
