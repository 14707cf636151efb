//! Writes the streams of `testdata/seer` again: the events of a cache that is notified of packets, and its actions,
//! which the hardware must repeat. Seeds are fixed, so the files only change when the cache or this program does.

mod stream;

use stream::{SHAPES, folder, stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder())?;
    for shape in SHAPES {
        std::fs::write(shape.path(), stream(&shape)?)?;
    }
    Ok(())
}
