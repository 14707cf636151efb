//! Two nodes back to back, for hardware to repeat: writes the packets that arrive at the neighbour, and the target's
//! actions in each cycle. Prints its counts, beside those of caches whose steps take no time, and of one without
//! notifications.
//!
//! two_nodes FOLDER [packets=1000000] [sets=16384] [flows=100000] [list=256] [gigabits=6] [threshold=8] [interval=5000]
//! [fetch=16] [idle=before]

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is there to print")]

mod play;

use play::{Played, Setup, differing, play};
use std::error::Error;
use std::fmt::Display;
use std::fs::{File, create_dir_all};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

fn main() {
    if let Err(error) = run() {
        eprintln!("two_nodes: {error}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("give a FOLDER to write to")?);
    let Played { packets, events, stated, at_once, seer, unaware } = play(&Setup::parse(arguments)?)?;
    create_dir_all(&folder)?;
    write_lines(&folder.join("packets.txt"), &packets)?;
    write_lines(&folder.join("events.txt"), &events)?;
    println!("with the stated latency: {stated}");
    println!("the same cache without:  {at_once}");
    println!("SeerCache:               {seer}");
    if at_once != seer {
        return Err("without latency the cache is no SeerCache: a defect".into());
    }
    println!("differences that are the latency's: {}", differing(&stated, &seer));
    println!(
        "LRU, told nothing: {} hits, {} delayed hits, {} misses; misses less by {:.1} %",
        unaware.hits,
        unaware.delayed_hits,
        unaware.misses,
        100.0 * (1.0 - stated.misses() as f64 / unaware.misses as f64)
    );
    Ok(())
}

fn write_lines(path: &Path, lines: &[impl Display]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()
}
