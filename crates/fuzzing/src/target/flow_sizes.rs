//! Distributions of flow sizes: a table or a message.

use super::FuzzTarget;
use crate::chunked_input::shown;
use crate::seed_files::files;
use forebay_sim::net::workload::read_cdf;
use forebay_sim::net::workload::size::FlowSizes as _;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "flow_sizes",
    title: "Any text is a distribution of flow sizes with a finite mean, or has a message",
    seeds: || {
        [
            files("testdata/sizes", &[""]),
            vec![b"1000 0\n20000 0.5\n1000000 1\n".to_vec(), b"# %\n1 0\n2 100\n".to_vec()],
        ]
        .concat()
    },
    run,
    quick: 100_000,
};

fn run(data: &[u8]) {
    match read_cdf(&String::from_utf8_lossy(data)) {
        Ok(sizes) => assert!(sizes.mean_bytes().is_finite() && sizes.mean_bytes() > 0.0),
        Err(error) => {
            shown(error);
        }
    }
}
