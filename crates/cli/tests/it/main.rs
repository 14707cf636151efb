//! The command as a user meets it: files in, text out, exit status.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

mod advise;
mod attack;
mod attack_applications;
mod attack_errors;
mod attack_guide;
mod attack_mechanisms;
mod attack_scenarios;
mod attack_search;
mod baselines;
mod bound;
mod cache;
mod cache_errors;
mod cache_guide;
mod cache_reference;
mod cache_scenarios;
mod cache_service;
mod conform;
mod conform_frames;
mod conform_hardware;
mod curve;
mod demo;
mod detail_tables;
mod errors;
mod flows;
mod foreign_traces;
mod help;
mod lsp;
mod marks;
mod measured_latencies;
mod memory;
mod named_traces;
mod namespaces;
mod network;
mod network_errors;
mod network_folder;
mod network_states;
mod openqueue;
mod openqueue_files;
mod openqueue_guide;
mod openqueue_runs;
mod openqueue_stages;
mod orders;
mod packets;
mod plot;
mod port_sweep;
mod port_sweep_errors;
mod prefix;
mod readme;
mod record_ops;
mod recordings;
mod report;
mod repro;
mod requests;
mod run;
mod scheduler_studies;
mod server_logs;
mod shards;
mod sources;
mod support;
mod switch;
mod switch_kills;
mod switch_namespaces;
mod switch_shared;
mod switch_soak;
mod switch_tcp;
mod traces;
mod trees;
mod tunnels;
mod warnings;
