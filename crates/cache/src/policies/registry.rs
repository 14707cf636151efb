//! Cache policies, one file each.

use crate::policy_entry::PolicyEntry;

forebay_core::registry! {
    /// Every cache policy.
    pub static POLICIES: [PolicyEntry] = {
        mod arc;
        mod belady;
        mod belady_ad;
        mod belady_ad_size;
        mod belady_size;
        mod burstiness;
        mod cacheus;
        mod car;
        mod clock;
        mod clock_pro;
        mod eelru;
        mod fifo;
        mod gdsf;
        mod hyperbolic;
        mod lecar;
        mod lfu;
        mod lfuda;
        mod lhd;
        mod lirs;
        mod lrfu;
        mod lru;
        mod lru_k;
        mod marking;
        mod mq;
        mod pin;
        mod random;
        mod s3_fifo;
        mod sieve;
        mod sieve_k;
        mod slru;
        mod two_q;
        mod w_tinylfu;
    }
}
