//! Lock files: everything that a build or a test fetches has its version and its hash, and none names another host than the public registry.

use super::cargo_lock::{Package, packages};
use super::manifests::is_requirements;
use crate::files::{ChoreResult, read};

const CRATES: &str = "registry+https://github.com/rust-lang/crates.io-index";
const NPM: &str = "https://registry.npmjs.org/";

/// Names everything without a hash, every strange source, and every manifest without a lock file.
pub(crate) fn check(files: &[String]) -> ChoreResult<Vec<String>> {
    let mut problems = Vec::new();
    for file in files {
        if let Some(folder) = file.strip_suffix("package.json")
            && !files.contains(&format!("{folder}package-lock.json"))
        {
            problems.push(format!("{folder}package-lock.json: is missing; run npm install --package-lock-only --omit-lockfile-registry-resolved"));
        }
        let wrong = if file.ends_with("Cargo.lock") {
            of_cargo(&read(file)?)
        } else if file.ends_with("package-lock.json") {
            of_npm(&read(file)?)
        } else if is_requirements(file) {
            of_pip(&read(file)?)
        } else {
            continue;
        };
        problems.extend(wrong.into_iter().map(|(line, what)| format!("{file}:{line}: {what}")));
    }
    Ok(problems)
}

type Wrong = Vec<(usize, String)>;

/// Each package that has a source has that of crates.io and a checksum.
fn of_cargo(lock: &str) -> Wrong {
    let mut wrong = Vec::new();
    for Package { line, name, source, checksum, .. } in packages(lock) {
        let Some(source) = source else { continue };
        if source != CRATES {
            wrong.push((line, format!("{name} comes from {source}, which is not crates.io")));
        }
        if checksum.is_none() {
            wrong.push((line, format!("{name} has no checksum")));
        }
    }
    wrong
}

/// Each package has an integrity, and no address but that of the public registry.
fn of_npm(lock: &str) -> Wrong {
    let mut wrong = Vec::new();
    let mut open: Option<(usize, &str, bool)> = None;
    for (number, line) in (1..).zip(lock.lines()) {
        if let Some(name) = line.strip_prefix("    \"").and_then(|rest| rest.strip_suffix("\": {")) {
            open = Some((number, name, false)).filter(|_| !name.is_empty());
        } else if line.starts_with("    }") {
            if let Some((number, name, false)) = open.take() {
                wrong.push((number, format!("{name} has no integrity")));
            }
        } else if line.starts_with("      \"integrity\": \"sha512-") {
            open = open.map(|(number, name, _)| (number, name, true));
        } else if let Some(address) = line.strip_prefix("      \"resolved\": \"")
            && !address.starts_with(NPM)
        {
            wrong.push((number, "a package of another host than registry.npmjs.org".to_owned()));
        }
    }
    wrong
}

/// Each requirement has one version and at least one hash, and no line names an index.
fn of_pip(requirements: &str) -> Wrong {
    let mut wrong = Vec::new();
    let joined = requirements.replace("\\\n", "\\ ");
    let mut number = 1;
    for line in joined.lines() {
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            if text.starts_with('-') || text.contains("://") {
                wrong.push((number, "an index or an address; pip takes what its user has set".to_owned()));
            } else if !text.contains("==") || !text.contains("--hash=sha256:") {
                wrong.push((number, format!("{text} has no version with == or no --hash=sha256:")));
            }
        }
        number += 1 + line.matches("\\ ").count();
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(wrong: Wrong) -> Vec<usize> {
        wrong.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_crate_without_a_checksum_or_of_elsewhere_is_found() {
        let ours = "# x\nversion = 4\n\n[[package]]\nname = \"ours\"\n\n";
        let good = format!("[[package]]\nname = \"a\"\nsource = \"{CRATES}\"\nchecksum = \"00\"\n\n");
        assert_eq!(lines(of_cargo(&format!("{ours}{good}"))), Vec::<usize>::new());
        let other = good.replace(CRATES, "git+https://example.org/a");
        assert_eq!(lines(of_cargo(&format!("{ours}{other}"))), [7]);
        assert_eq!(lines(of_cargo(&format!("{ours}{good}{}", good.replace("checksum", "sum")))), [12]);
    }

    #[test]
    fn a_package_without_integrity_or_of_elsewhere_is_found() {
        let root = "{\n  \"packages\": {\n    \"\": {\n      \"name\": \"x\"\n    },\n";
        let good = "    \"node_modules/a\": {\n      \"integrity\": \"sha512-00\"\n    },\n";
        assert_eq!(lines(of_npm(&format!("{root}{good}"))), Vec::<usize>::new());
        assert_eq!(lines(of_npm(&format!("{root}{}", good.replace("integrity", "other")))), [6]);
        let other = good.replace("      \"i", "      \"resolved\": \"https://example.org/a.tgz\",\n      \"i");
        assert_eq!(lines(of_npm(&format!("{root}{other}"))), [7]);
    }

    #[test]
    fn a_requirement_without_a_hash_or_with_an_index_is_found() {
        let good = "# x\na==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:01\n";
        assert_eq!(lines(of_pip(good)), Vec::<usize>::new());
        for wrong in
            ["b==1\n", "b>=1 --hash=sha256:00\n", "--index-url https://example.org\n", "b @ https://example.org/b\n"]
        {
            assert_eq!(lines(of_pip(&format!("{good}{wrong}"))), [5], "{wrong}");
        }
    }
}
