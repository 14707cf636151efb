//! The list of third-party libraries, `docs/dependencies.md`, and its differences from the manifests.

use super::manifests::Users;
use std::collections::BTreeMap;

/// Where it is.
pub(crate) const PAGE: &str = "docs/dependencies.md";

/// A row of the page.
pub(crate) struct Row<'page> {
    pub(crate) line: usize,
    pub(crate) name: &'page str,
    pub(crate) users: &'page str,
    pub(crate) licence: &'page str,
}

/// The rows of all its tables.
pub(crate) fn rows<'page>(page: &'page str) -> Vec<Row<'page>> {
    let row = |(line, text): (usize, &'page str)| {
        let cells: Vec<&'page str> = text.split(" | ").collect();
        let [name, users, _, licence, _] = cells[..] else { return None };
        Some(Row { line, name: unquoted(name)?, users, licence })
    };
    (1..).zip(page.lines()).filter_map(row).collect()
}

fn unquoted(cell: &str) -> Option<&str> {
    cell.strip_prefix("| `")?.strip_suffix('`')
}

/// Names every library in which the page and the manifests differ.
pub(crate) fn check(page: &str, named: &BTreeMap<String, Users>) -> Vec<String> {
    let rows = rows(page);
    let mut problems = Vec::new();
    for (library, users) in named {
        let users = users_cell(users);
        match &rows.iter().filter(|row| row.name == library).collect::<Vec<_>>()[..] {
            [] => problems.push(format!(
                "{PAGE}: `{library}` ({users}) is missing; say what it is for and why it is not our own code"
            )),
            [row] if row.users == users => {}
            [row] => {
                problems.push(format!("{PAGE}:{}: `{library}` is used by {users}, not by {}", row.line, row.users));
            }
            [_, second, ..] => problems.push(format!("{PAGE}:{}: `{library}` has two rows", second.line)),
        }
    }
    let nobody = rows.iter().filter(|row| !named.contains_key(row.name));
    problems.extend(nobody.map(|row| format!("{PAGE}:{}: nothing uses `{}`; remove its row", row.line, row.name)));
    problems
}

/// The content of the second cell of a row.
fn users_cell(users: &Users) -> String {
    let word =
        |(user, is_for_tests): (&String, &bool)| format!("{user}{}", if *is_for_tests { " (tests)" } else { "" });
    users.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_too_many_too_few_or_with_wrong_users_is_found() {
        let named = BTreeMap::from([
            ("a".to_owned(), Users::from([("sim".to_owned(), false), ("core".to_owned(), true)])),
            ("b".to_owned(), Users::from([("sim".to_owned(), false)])),
        ]);
        let (a, b) = ("| `a` | core (tests), sim | x | MIT | y |\n", "| `b` | sim | x | MIT | y |\n");
        assert_eq!(check(&format!("{a}{b}"), &named), Vec::<String>::new());
        assert_eq!(check(a, &named).len(), 1);
        assert_eq!(check(&format!("{a}{b}{b}"), &named).len(), 1);
        assert_eq!(check(&format!("{a}{b}| `c` | sim | x | MIT | y |\n"), &named).len(), 1);
        assert_eq!(check(&format!("{b}| `a` | core, sim | x | MIT | y |\n"), &named).len(), 1);
    }
}
