//! The input: rule files and innocent payloads.

use crate::Result;
use forebay_core::Seed;
use forebay_matcher::native::Debian;
use forebay_matcher::{Innocent, RuleSet};
use std::fs;
use std::path::{Path, PathBuf};

/// So many innocent payloads are made up where none are given.
const MADE_UP: usize = 4_000;

/// The rules of these files and folders; of Debian where there are none.
pub(crate) fn rules(paths: &[PathBuf], debian: &Debian) -> Result<RuleSet> {
    let installed;
    let paths = if paths.is_empty() {
        installed = debian.rules().ok_or(
            "modsecurity-crs is missing; run: apt-get install modsecurity-crs, or: cargo xtask fetch-debian; or give \
             rules of your own with --rules",
        )?;
        std::slice::from_ref(&installed)
    } else {
        paths
    };
    let mut set = RuleSet::default();
    for file in files(paths)? {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        set.read(&file.display().to_string(), &text)?;
    }
    if set.rules.is_empty() {
        return Err("there is no rule with @rx in these files; others are not measured".into());
    }
    Ok(set)
}

/// Files as they are, and of folders those that end in `.conf`, by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut here: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        here.retain(|file| file.extension().is_some_and(|extension| extension == "conf"));
        if here.is_empty() {
            return Err(format!("{}: no file in this folder ends in .conf", path.display()).into());
        }
        here.sort();
        all.extend(here);
    }
    Ok(all)
}

/// The payloads of this file; made up where there is none.
pub(crate) fn innocent(file: Option<&Path>) -> Result<Vec<Vec<u8>>> {
    let Some(file) = file else {
        let mut source = Innocent::new(Seed(1));
        return Ok((0..MADE_UP).map(|_| source.payload()).collect());
    };
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let payloads = split(&bytes);
    if payloads.is_empty() {
        return Err(format!("{}: there is no payload in it; write one per line", file.display()).into());
    }
    Ok(payloads)
}

/// Parts between NUL bytes, or lines where there is no NUL byte. Empty ones do not count.
fn split(bytes: &[u8]) -> Vec<Vec<u8>> {
    let has_nul = bytes.contains(&0);
    let end = if has_nul { 0 } else { b'\n' };
    let parts = bytes.split(|&byte| byte == end);
    let parts = parts.map(|part| if has_nul { part } else { part.strip_suffix(b"\r").unwrap_or(part) });
    parts.filter(|part| !part.is_empty()).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_lines_or_parts_between_nul_bytes() {
        assert_eq!(split(b"a b\r\n\nc"), [&b"a b"[..], b"c"]);
        assert_eq!(split(b"GET /\r\n\r\n\0\0x\ny\0"), [&b"GET /\r\n\r\n"[..], b"x\ny"]);
        assert!(split(b"\n\r\n").is_empty());
    }
}
