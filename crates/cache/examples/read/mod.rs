//! Reads the two formats of the shared traces, for the examples.

use forebay_core::Request;
use std::error::Error;
use std::io::Read;

/// Slot CSV (one step per line, `timestamp;key` or empty) if the name has `.csv` in it, else
/// big-endian u32 keys; both packed with xz.
pub(crate) fn requests(path: &str) -> Result<Vec<Request>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    liblzma::read::XzDecoder::new(std::fs::File::open(path)?).read_to_end(&mut bytes)?;
    let request = |(key, time)| Request { time, key, size: 1 };
    if path.contains(".csv") {
        let text = String::from_utf8(bytes)?;
        let keys = text.lines().zip(0..).filter_map(|(line, time)| Some((line.split_once(';')?.1.trim(), time)));
        keys.map(|(key, time)| Ok(request((key.parse()?, time)))).collect()
    } else {
        let keys = bytes.chunks_exact(4).map(|bytes| bytes.iter().fold(0, |key, &byte| key << 8 | u64::from(byte)));
        Ok(keys.zip(0..).map(request).collect())
    }
}
