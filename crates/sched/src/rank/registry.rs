//! The registry of rank functions, one line for each.

use crate::traits::RankEntry;

forebay_core::registry! {
    /// Every rank function, in the order in which `forebay list` shows them.
    pub static RANK_FNS: [RankEntry] = {
        mod arrival;
        mod packet_rank;
        mod strict;
        mod value;
        mod remaining_bytes;
        mod job_size;
        mod job_ratio;
        mod job_fair;
        mod job_clock;
        mod job_finish;
        mod drfq;
        mod stfq;
        mod wfq;
        mod wf2q;
        mod afq;
        mod edf;
        mod fifo_plus;
        mod pias;
        mod arrival_rate;
        mod reframer;
    }
}
