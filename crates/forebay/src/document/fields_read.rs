//! For tests: which fields readers ask for, and in which tables.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// Tables, as messages call them, and their fields.
type Asked = BTreeSet<(String, &'static str)>;

thread_local! {
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// Takes notes from now on, in this thread.
pub(crate) fn start() {
    ASKED.set(Some(Asked::new()));
}

/// What was asked for since [`start`].
pub(crate) fn end() -> Asked {
    ASKED.take().unwrap_or_default()
}

/// Notes a field.
pub(super) fn note(table: &str, key: &'static str) {
    ASKED.with_borrow_mut(|asked| {
        if let Some(asked) = asked {
            asked.insert((table.to_owned(), key));
        }
    });
}
