//! For tests: records the fields that readers ask for, and their tables.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// Tables, as messages call them, and their fields.
type Asked = BTreeSet<(String, &'static str)>;

thread_local! {
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// Starts to record in this thread.
pub(crate) fn start() {
    ASKED.set(Some(Asked::new()));
}

/// Returns the fields that were asked for since [`start`].
pub(crate) fn end() -> Asked {
    ASKED.take().unwrap_or_default()
}

/// Records a field.
pub(super) fn note(table: &str, key: &'static str) {
    ASKED.with_borrow_mut(|asked| {
        if let Some(asked) = asked {
            asked.insert((table.to_owned(), key));
        }
    });
}
