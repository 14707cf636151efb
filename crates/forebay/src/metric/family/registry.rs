//! Every family of metrics: one file for each.

forebay_core::registry! {
    /// Every family of metrics, in the order of results and lists.
    pub static FAMILIES: [super::Family] = {
        mod packets;
        mod drops;
        mod drops_by_cause;
        mod value;
        mod marks;
        mod throughput;
        mod goodput;
        mod fairness;
        mod delay;
        mod inversions;
        mod inversions_by_source;
        mod resubmissions;
        mod offered_load;
        mod utilisation;
        mod queue_length;
        mod flows;
        mod fct;
        mod fct_at_least;
        mod deadlines;
        mod slowdown;
        mod retransmissions;
        mod requests;
        mod hit_ratio;
        mod delayed_hit_ratio;
        mod miss_ratio;
        mod latency;
        mod page_latency;
        mod lowest_latency;
        mod origin_load;
        mod evictions;
        mod size_changes;
        mod expired;
        mod classical_model;
        mod estimates;
        mod states;
        mod waits_for_states;
        mod optimum_misses;
        mod remote_fetches;
        mod prefetches;
        mod notifications;
        mod notification_memory;
        mod forecasts;
        mod arrival_errors;
        mod lead;
        mod control_traffic;
        mod displacement;
        mod displacement_limits;
        mod attack_served;
        mod attack_on_innocents;
        mod suspected;
        mod application_limits;
        mod end;
    }
}
