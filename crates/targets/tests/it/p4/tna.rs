//! The form for Tofino's architecture, which no compiler has seen: that it says so, declares what it uses, and accesses each register once in a pass.

use super::{ORDERS, made, policy};
use crate::headers::mapping;
use forebay_core::registry::find;
use forebay_targets::{Switch, SwitchRank, TARGETS, TargetOptions};
use std::collections::BTreeSet;

fn options(fields: &[&str], rank_bits: u8) -> TargetOptions {
    let switch = Switch { rank_bits, resubmit: true, is_tna: true, ..Switch::default() };
    TargetOptions { mapping: mapping(fields), switch, ..TargetOptions::default() }
}

/// The paths that begin with a name, such as `hdr.udp`, of so many words.
fn paths(text: &str, root: &str, words: usize) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let all = text.split(|c: char| !is_word(c)).filter(|path| path.starts_with(&format!("{root}.")));
    all.map(|path| path.split('.').skip(1).take(words - 1).collect::<Vec<_>>().join(".")).collect()
}

/// The members of a struct or header.
fn members<'a>(text: &'a str, name: &str) -> BTreeSet<&'a str> {
    let body =
        text.split(&format!("{name} {{\n")).nth(1).unwrap_or_else(|| panic!("no {name}")).split('}').next().unwrap();
    body.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_whitespace().last()).collect()
}

#[test]
fn the_program_says_that_it_was_never_compiled_and_declares_what_it_uses() {
    for order in ORDERS.iter().filter(|order| order.rank_bits <= 32) {
        let text = made(&order.policy(), &options(order.fields, order.rank_bits), "policy_tna.p4");
        assert!(text.contains("// NEVER COMPILED"), "{}", order.text);
        for [open, close] in ["{}", "()"].map(|pair| [&pair[..1], &pair[1..]]) {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{}", order.text);
        }
        let (headers, fields) = (members(&text, "struct headers_t"), members(&text, "struct metadata_t"));
        assert!(paths(&text, "hdr", 2).iter().all(|name| headers.contains(name.as_str())), "{}", order.text);
        assert!(paths(&text, "meta", 2).iter().all(|name| fields.contains(name.as_str())), "{}", order.text);
        let states: BTreeSet<&str> = text.split("state ").skip(1).map(|rest| rest.split(' ').next().unwrap()).collect();
        let goals =
            text.lines().filter_map(|line| line.trim().strip_suffix(';')?.split_once(": ")).map(|(_, goal)| goal);
        for goal in goals.filter(|goal| goal.starts_with("parse_")) {
            assert!(states.contains(goal), "{}: {goal}", order.text);
        }
    }
}

#[test]
fn each_register_is_accessed_once_in_either_pass() {
    let order = &ORDERS[0];
    let text = made(&order.policy(), &options(order.fields, 32), "policy_tna.p4");
    let (second, first) = text.split("resubmit_flag == 1)").nth(1).unwrap().split_once("else {").unwrap();
    for queue in 0..8 {
        let executed = |pass: &str, names: &[&str]| -> usize {
            names.iter().map(|name| pass.matches(&format!("{name}_{queue}.execute(port)")).count()).sum()
        };
        assert_eq!(executed(first, &["first", "reach"]), 1, "queue {queue}");
        assert_eq!(executed(first, &["sink"]), 0, "queue {queue}");
        assert_eq!(executed(second, &["sink"]), usize::from(queue > 0), "queue {queue}");
    }
}

#[test]
fn what_it_has_no_program_for_is_refused() {
    let target = find("target", TARGETS, "p4").unwrap();
    let said = |change: &dyn Fn(&mut Switch)| -> Vec<String> {
        let mut options = options(&["flow=udp[22:2]"], 32);
        change(&mut options.switch);
        let text = "q = Queue(64 pkts);\nout = Port(100);\n";
        target.check(&policy(text), &options).iter().map(ToString::to_string).collect()
    };
    assert_eq!(said(&|_| {}), Vec::<String>::new());
    for (change, expected) in [
        (
            &(|switch: &mut Switch| switch.resubmit = false) as &dyn Fn(&mut Switch),
            "accesses each register once in a pass; give --resubmit",
        ),
        (
            &|switch| switch.rank_bits = 40,
            "compares 32 bits in an ALU, and ranks have 40; give --rank-bits 32 or fewer",
        ),
        (
            &|switch| switch.rank = Some(SwitchRank::Stfq),
            "has no ranks with state, since egress cannot write registers of ingress; leave out --rank stfq",
        ),
    ] {
        assert_eq!(said(change), [format!("--arch tna: {expected}")]);
    }
}
