//! The files in SystemVerilog that the hardware of an OpenQueue policy has as they are, in order of compilation: names and texts.

macro_rules! sources {
    ($($folder:literal: $($name:literal)*;)*) => {
        [$($(($name, include_str!(concat!($folder, "/", $name)))),*),*]
    };
}

/// Files that depend on a policy: their names beside no other policy, and in hardware of two.
macro_rules! own {
    ($($name:literal)*) => {
        [$((
            [concat!("policy_", $name), concat!("policy0_", $name), concat!("policy1_", $name)],
            include_str!(concat!("policy/policy_", $name))
        )),*]
    };
}

/// The names of a file alone, in hardware of policy 0 and of policy 1, and its text.
pub type Own = ([&'static str; 3], &'static str);

/// Files of all queues.
pub const COMMON: [(&str, &str); 4] = sources! {
    "common": "forebay_queue_pkg.sv" "occupancy_counter.sv" "ram_1r1w.sv" "lookup_ram.sv";
};

/// The Bitmapped Bucket Queue.
pub const BBQ: [(&str, &str); 10] = sources! {
    "bbq": "bbq_pkg.sv" "bbq_first_one.sv" "bbq_forward.sv" "bbq_counts.sv" "bbq_level.sv" "bbq_free_list.sv" "bbq_links.sv"
        "bbq_buckets.sv" "bbq_admission.sv" "bbq.sv";
};

/// The stage in front of a Bitmapped Bucket Queue.
pub const FRONT: [(&str, &str); 5] = sources! {
    "bbq_front": "bbq_front_pkg.sv" "bbq_front_array.sv" "bbq_front_lists.sv" "bbq_front.sv" "bbq_front_queue.sv";
};

/// The sorted array.
pub const PIFO: [(&str, &str); 2] = sources! { "pifo": "pifo_array.sv" "pifo.sv"; };

/// Files that are the same for all policies.
pub const SHARED: [(&str, &str); 4] = sources! {
    "policy": "policy_fifo.sv" "policy_random.sv" "policy_delay.sv" "policy_divider.sv";
};

/// Files between two policies.
pub const BETWEEN: [(&str, &str); 2] = sources! { "policy": "policy_drain.sv" "policy_swap.sv"; };

/// Files before the rules of a policy.
pub const BEFORE_RULES: [Own; 1] = own! { "core_pkg.sv" };

/// Files behind the rules of a policy.
pub const AFTER_RULES: [Own; 8] =
    own! { "owners.sv" "counts.sv" "work.sv" "counters.sv" "control.sv" "outputs.sv" "registers.sv" "core.sv" };
