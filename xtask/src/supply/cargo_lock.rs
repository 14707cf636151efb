//! The packages in a lock file of cargo.

/// A package, with the content of its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package<'lock> {
    /// The line before its name.
    pub(crate) line: usize,
    pub(crate) name: &'lock str,
    pub(crate) version: &'lock str,
    /// Of packages of others.
    pub(crate) source: Option<&'lock str>,
    pub(crate) checksum: Option<&'lock str>,
    /// The lines of its list.
    pub(crate) dependencies: &'lock str,
}

/// All packages.
pub(crate) fn packages(lock: &str) -> impl Iterator<Item = Package<'_>> {
    let mut line = 0;
    lock.split("[[package]]\n").enumerate().filter_map(move |(number, block)| {
        let field = |name: &str| {
            let value = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            value.map(|value| value.trim_matches('"'))
        };
        let at = line;
        line += block.lines().count() + 1;
        (number > 0).then(|| Package {
            line: at,
            name: field("name").unwrap_or_default(),
            version: field("version").unwrap_or_default(),
            source: field("source"),
            checksum: field("checksum"),
            dependencies: block
                .split_once("dependencies = [\n")
                .and_then(|(_, rest)| rest.split_once(']'))
                .map_or("", |(list, _)| list),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_with_their_lines() {
        let lock = "# x\nversion = 4\n\n[[package]]\nname = \"ours\"\nversion = \"1.0.0\"\ndependencies = [\n \"a\",\n]\n\n\
                    [[package]]\nname = \"a\"\nversion = \"2.0.0\"\nsource = \"s\"\nchecksum = \"00\"\n";
        let ours = Package {
            line: 4,
            name: "ours",
            version: "1.0.0",
            source: None,
            checksum: None,
            dependencies: " \"a\",\n",
        };
        let other = Package {
            line: 11,
            name: "a",
            version: "2.0.0",
            source: Some("s"),
            checksum: Some("00"),
            dependencies: "",
        };
        assert_eq!(packages(lock).collect::<Vec<_>>(), [ours, other]);
    }
}
