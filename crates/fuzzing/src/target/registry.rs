//! Every fuzz target: one file and one line each.

forebay_core::registry! {
    /// Every fuzz target.
    pub static TARGETS: [FuzzTarget] = {
        mod rank_queues;
        mod oq_parse;
        mod oq_check;
        mod engines;
        mod recordings;
        mod frames;
        mod offloads;
        mod filters;
        mod requests;
        mod packet_csv;
        mod flow_list;
        mod flow_sizes;
        mod rank_list;
        mod topologies;
        mod scenario_text;
        mod scenarios;
        mod kept_runs;
        mod op_streams;
        mod operations;
        mod control;
        mod language_server;
        mod p4_programs;
    }
}

/// A function of bytes that panics if the bytes break a promise.
pub struct FuzzTarget {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// What it holds, in one line.
    pub title: &'static str,
    /// Inputs that mean something.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Gives it bytes.
    pub(crate) run: fn(&[u8]),
    /// How many mutations the tests try, within some five CPU seconds.
    pub quick: u64,
}

impl FuzzTarget {
    /// Inputs that mean something, and those that once broke it.
    #[must_use]
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        (self.seeds)().into_iter().chain(crate::seed_files::findings(self.name)).collect()
    }
}
