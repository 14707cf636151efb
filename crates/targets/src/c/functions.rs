//! Names of C functions.

use std::collections::HashSet;

/// Names of functions, each used once.
#[derive(Default)]
pub(super) struct Functions {
    taken: HashSet<String>,
}

impl Functions {
    /// Returns an unused name like `name`, with the kind before it: letters, digits and `_`.
    pub(super) fn give(&mut self, kind: &str, name: &str) -> String {
        let clean: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let plain = format!("{kind}_{clean}");
        let mut given = plain.clone();
        let mut number = 1;
        while !self.taken.insert(given.clone()) {
            number += 1;
            given = format!("{plain}_{number}");
        }
        given
    }
}
