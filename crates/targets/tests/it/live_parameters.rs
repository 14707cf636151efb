//! Live parameters in programs: only policies that have some pay for them, and switches reject them.

use crate::program::options;
use forebay_core::registry::find;
use forebay_lang::{Overrides, Policy, analyse_live};
use forebay_targets::headers::Mapping;
use forebay_targets::{TARGETS, TargetOptions};

const TEXT: &str = "param K = 20 pkts; param P = 1/4; q = Queue(64 pkts); out = Port(100);\n\
                    q.congestion(q) = (q.currSize > K, drop(P));\n";

fn policy(live: &[&str]) -> Policy {
    let live: Vec<String> = live.iter().map(|name| (*name).to_owned()).collect();
    analyse_live(TEXT, &Overrides::new(), &live).policy.unwrap()
}

#[test]
fn only_programs_with_live_parameters_have_anything_of_them() {
    for target in ["c", "bpf", "dpdk"] {
        let emit = |policy: &Policy| find("target", TARGETS, target).unwrap().emit(policy, &options()).unwrap();
        for file in emit(&policy(&[])) {
            assert!(!file.text.to_lowercase().contains("oq_parameter"), "{target}: {}", file.name);
        }
        let files = emit(&policy(&["P", "K"]));
        let text = |name: &str| &files.iter().find(|file| file.name == name).unwrap().text;
        assert!(text("oq_sizes.h").contains("#define OQ_PARAMETER_NAMES { \"K\", \"P\" }"), "{target}");
        assert!(text("oq_sizes.h").contains("#define OQ_PARAMETER_UNITS \"K:pkts, P:\""), "{target}");
        assert!(text("oq_rules.h").contains("> oq_parameters[0]"), "{target}: {}", text("oq_rules.h"));
        assert!(text("oq_rules.h").contains("/* q.currSize > K */"), "{target}: {}", text("oq_rules.h"));
    }
}

#[test]
fn a_switch_refuses_them() {
    let target = find("target", TARGETS, "p4").unwrap();
    let options = TargetOptions { mapping: Mapping::default(), ..TargetOptions::default() };
    let refusals: Vec<String> = target.check(&policy(&["K"]), &options).iter().map(ToString::to_string).collect();
    let expected = "param K: is live, and a switch's program has only constants; leave out `--live K`";
    assert!(refusals.iter().any(|refusal| refusal == expected), "{refusals:?}");
}
