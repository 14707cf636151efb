//! A switch with two ports, each of which forwards to the other.

use forebay_core::{Rate, Seed};
use forebay_lang::Analysis;
use forebay_linux::switch::backend::memory::{OtherEnd, pair};
use forebay_linux::switch::{Forwarding, PortSetup, Setting, Setup, Switch};
use forebay_targets::headers::Mapping;

/// The switch under a policy, and the other ends of its ports `a` and `b`.
pub(crate) fn switch(analysis: Analysis) -> (Switch, [OtherEnd; 2]) {
    let policy = analysis.policy.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics));
    let mut ports = Vec::new();
    let ends = ["a", "b"].map(|name| {
        let (interface, end) = pair();
        ports.push(PortSetup {
            name: name.to_owned(),
            interface: Box::new(interface),
            rate: Rate::from_bits_per_second(1_000_000),
        });
        end
    });
    let setup = Setup {
        setting: Setting { name: "fuzz".to_owned(), policy: policy.into() },
        mapping: Mapping::default(),
        forwarding: Forwarding::Static(vec![vec![1], vec![0]]),
        tap: None,
        seed: Seed(1),
        records: Vec::new(),
    };
    (Switch::new(ports, setup), ends)
}
