//! Kept runs of a sweep: whatever happens to one of their files, the answer is that of a run without it, or an error names the file.

use super::FuzzTarget;
use crate::bytes::Bytes;
use forebay::demo::Embedded;
use forebay::{Changes, Question, Session, UserError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "kept_runs",
    title: "A damaged file of a folder of results changes no answer, or is named",
    seeds: || (0..8).map(|file| vec![file, 0, file * 31, b'7']).collect(),
    run,
    quick: 500,
};

const SCENARIO: &str = r#"
network = { topology = { name = "star", hosts = 3 }, duration = "200 us" }
workload = [{ sizes = { name = "fixed", bytes = [3000, 6000] }, load = 0.5 }]
policy = [{ transport = "newreno", port = { rank = "arrival", queue = "fifo", buffer = "20 packets" } }]
"#;

/// Files by their paths within a folder.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// The answer, and the files of its folder.
static RIGHT: LazyLock<(String, Files)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let answer = answer(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let (mut folders, mut files) = (vec![folder.path().to_owned()], Vec::new());
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let content = fs::read(&path).expect("a file");
                files.push((path.strip_prefix(folder.path()).expect("within").to_owned(), content));
            }
        }
    }
    files.sort();
    (answer, files)
});

/// The answer, or why there is none.
fn answer(folder: &Path) -> Result<String, UserError> {
    let question =
        Question::parse("fuzz", SCENARIO, &Embedded, &Changes::default()).unwrap_or_else(|error| panic!("{error}"));
    Ok(question.run(&Session::default().keep(folder))?.csv())
}

fn run(data: &[u8]) {
    let (right, files) = &*RIGHT;
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = Bytes::new(data);
    let damaged = bytes.below(files.len());
    for (number, (path, content)) in files.iter().enumerate() {
        let mut content = content.clone();
        if number == damaged {
            while !bytes.is_empty() {
                let (place, byte) = (bytes.below(content.len() + 1), bytes.byte());
                match content.get_mut(place) {
                    Some(old) if byte != b'\0' => *old = byte,
                    _ => content.truncate(place),
                }
            }
        }
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("within a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    let damaged = files[damaged].0.display();
    match answer(folder.path()) {
        Ok(answer) => assert_eq!(&answer, right, "{damaged} was damaged"),
        // A file that forebay has not written is not overwritten.
        Err(error) => assert!(error.to_string().contains(&damaged.to_string()), "{damaged} was damaged, and: {error}"),
    }
}
