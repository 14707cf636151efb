//! Writes the streams of `testdata/seer` again: what happens to a cache that is told the future, and what it does, for
//! the hardware to do the same. Seeds are fixed, so the files only change when the cache or this does.

mod stream;

use stream::{SHAPES, folder, stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder())?;
    for shape in SHAPES {
        std::fs::write(shape.path(), stream(&shape)?)?;
    }
    Ok(())
}
