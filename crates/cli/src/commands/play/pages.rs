//! The files of the page, as the build has left them in a folder.

use forebay::error::{Result, UserError};
use std::fs;
use std::path::{Path, PathBuf};

/// The pages of this program where it is installed, seen from its folder.
const INSTALLED: &str = "../share/forebay/web";

/// Kinds of files by their endings.
const KINDS: [(&str, &str); 5] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("wasm", "application/wasm"),
];

/// A folder with the built pages.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    /// The first page, which knows that a program serves it.
    index: String,
}

impl Pages {
    /// Those of this folder, or of the installed program.
    pub(super) fn find(given: Option<&Path>) -> Result<Self> {
        let installed = || Some(std::env::current_exe().ok()?.parent()?.join(INSTALLED));
        let folder = given.map(Path::to_owned).or_else(installed).unwrap_or_default();
        let index = fs::read_to_string(folder.join("index.html")).map_err(|_| {
            let message = format!(
                "there are no pages in {}; build them with `make web` and name the folder: --pages target/web/pages",
                folder.display()
            );
            UserError::argument("pages", message)
        })?;
        Ok(Self { folder, index })
    }

    /// The same, where the first page offers these files.
    pub(super) fn with_files(self, names: &[&str]) -> Self {
        let names = names.join("&#10;").replace('"', "&quot;");
        let tag = r#"name="forebay-play" content="" data-files="""#;
        let filled = format!(r#"name="forebay-play" content="local" data-files="{names}""#);
        Self { index: self.index.replace(tag, &filled), ..self }
    }

    /// The content of a page, and of which kind it is. Only files of the folder itself are pages.
    pub(super) fn page(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let name = path.trim_start_matches('/');
        if name.is_empty() || name == "index.html" {
            return Some((self.index.clone().into_bytes(), KINDS[0].1));
        }
        let is_plain = !name.starts_with('.')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
        let (_, ending) = name.rsplit_once('.')?;
        let (_, kind) = KINDS.iter().find(|(known, _)| *known == ending)?;
        if is_plain { Some((fs::read(self.folder.join(name)).ok()?, kind)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_pages() {
        let folder = tempfile::tempdir().unwrap();
        let head = r#"<meta name="forebay-play" content="" data-files="" />"#;
        fs::write(folder.path().join("index.html"), head).unwrap();
        fs::write(folder.path().join("main.js"), "1").unwrap();
        let pages = Pages::find(Some(folder.path())).unwrap().with_files(&["a.pcap", "b\".csv"]);
        let (index, kind) = pages.page("/").unwrap();
        let expected = r#"<meta name="forebay-play" content="local" data-files="a.pcap&#10;b&quot;.csv" />"#;
        assert_eq!((String::from_utf8(index).unwrap().as_str(), kind), (expected, "text/html; charset=utf-8"));
        assert_eq!(pages.page("/main.js").unwrap().0, b"1");
        for wrong in ["/../main.js", "/.git", "/x/main.js", "/absent.js", "/main", "/%2e%2e/main.js"] {
            assert!(pages.page(wrong).is_none(), "{wrong}");
        }
        assert!(Pages::find(Some(&folder.path().join("absent"))).unwrap_err().to_string().contains("make web"));
    }
}
