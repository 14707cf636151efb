//! The files of `rtl/` that a policy's hardware has as they are, in order of compilation.

use super::block::Block;
use crate::File;

macro_rules! sources {
    ($($folder:literal: $($name:literal)*;)*) => {
        [$($(($name, include_str!(concat!("../../../../rtl/", $folder, "/", $name)))),*),*]
    };
}

const COMMON: [(&str, &str); 4] = sources! {
    "common": "forebay_queue_pkg.sv" "occupancy_counter.sv" "ram_1r1w.sv" "lookup_ram.sv";
};

const BBQ: [(&str, &str); 10] = sources! {
    "bbq": "bbq_pkg.sv" "bbq_first_one.sv" "bbq_forward.sv" "bbq_counts.sv" "bbq_level.sv" "bbq_free_list.sv" "bbq_links.sv"
        "bbq_buckets.sv" "bbq_admission.sv" "bbq.sv";
};

const FRONT: [(&str, &str); 5] = sources! {
    "bbq_front": "bbq_front_pkg.sv" "bbq_front_array.sv" "bbq_front_lists.sv" "bbq_front.sv" "bbq_front_queue.sv";
};

const PIFO: [(&str, &str); 2] = sources! { "pifo": "pifo_array.sv" "pifo.sv"; };

const BEFORE_RULES: [(&str, &str); 5] = sources! {
    "policy": "policy_core_pkg.sv" "policy_fifo.sv" "policy_random.sv" "policy_delay.sv" "policy_divider.sv";
};

const AFTER_RULES: [(&str, &str); 7] = sources! {
    "policy": "policy_owners.sv" "policy_counts.sv" "policy_counters.sv" "policy_control.sv" "policy_outputs.sv"
        "policy_registers.sv" "policy_core.sv";
};

/// The files of the hardware, those made for the policy among them, in order of compilation.
pub(super) fn sources(block: Block, [package, front, rules, top]: [File; 4]) -> Vec<File> {
    let files = |fixed: &[(&'static str, &str)]| -> Vec<File> {
        fixed.iter().map(|(name, text)| File { name, text: (*text).to_owned() }).collect()
    };
    let queue = match block {
        Block::Bbq { .. } => files(&BBQ),
        Block::BbqFront { .. } => [files(&BBQ), files(&FRONT)].concat(),
        Block::Pifo => files(&PIFO),
    };
    let parts = [
        files(&COMMON),
        queue,
        vec![package],
        files(&BEFORE_RULES),
        vec![rules],
        files(&AFTER_RULES),
        vec![front, top],
    ];
    parts.concat()
}
