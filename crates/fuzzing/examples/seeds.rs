//! Writes the inputs of each fuzz target that mean something into a folder, for libFuzzer to begin with: `seeds FOLDER`.

use forebay_fuzzing::TARGETS;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("name a folder"))?;
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        for (place, seed) in target.seeds().iter().enumerate() {
            fs::write(folder.join(format!("seed-{place}")), seed)?;
        }
    }
    Ok(())
}
