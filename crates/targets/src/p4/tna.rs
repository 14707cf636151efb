//! A plan in P4_16 for Tofino's architecture (TNA). **No compiler has seen what is written here.**
//!
//! It follows the published description of the architecture (Open Tofino, `tna.p4`). Each bound is a register with an action for
//! either pass, so that a packet accesses it once in a pass. Its parser knows one VLAN tag, IPv4 without options and IPv6: a frame
//! with more in front of IP is one without IP.

use super::headers::{ETHERNET, Header, IPV4, IPV6, Needs, TAG, TCP, UDP, header, piece};
use super::plan::{Choice, Plan};
use super::program::{classes, operand, reached, steps};
use super::rank::Rank;
use super::text::Text;
use crate::headers::Layer;
use crate::{Refusal, TargetOptions};

/// The parts of a plan for which this form has no program.
pub(super) fn refusals(plan: &Plan, options: &TargetOptions) -> Vec<Refusal> {
    let by_rank = matches!(plan.choice, Choice::Rank(_));
    let mut reasons = Vec::new();
    if let Some(kept) = plan.stateful {
        reasons.push(format!(
            "has no ranks with state, since egress cannot write registers of ingress; leave out --rank {}",
            kept.name()
        ));
    }
    if by_rank && !options.switch.resubmit {
        reasons.push("accesses each register once in a pass; give --resubmit".to_owned());
    }
    if by_rank && options.switch.rank_bits > 32 {
        let bits = options.switch.rank_bits;
        reasons.push(format!("compares 32 bits in an ALU, and ranks have {bits}; give --rank-bits 32 or fewer"));
    }
    let refusal = |reason| Refusal { construct: "--arch tna".to_owned(), reason };
    reasons.into_iter().map(refusal).collect()
}

/// The program.
pub(super) fn program(plan: &Plan, options: &TargetOptions) -> String {
    let needs = Needs::of(&options.mapping, plan.fields());
    let bits = options.switch.rank_bits;
    let mut text = Text::default();
    text.lines(&[
        "// A policy in OpenQueue for a switch with strict-priority queues, made by forebay: P4_16 for Tofino's architecture.",
        "//",
        "// NEVER COMPILED: no compiler for Tofino was available. Expect to change it.",
        "// Queue 0 is served first: give queue N of a port the priority that is Nth from the highest.",
    ]);
    for note in &plan.notes {
        text.line(&format!("// Note: {note}."));
    }
    text.lines(&["", "#include <core.p4>", "#include <tna.p4>", ""]);
    let there = headers(&needs);
    types(&mut text, &there, &needs);
    text.block("header again_t", |text| {
        text.line("// The metadata of a resubmitted packet: by how much bounds have to sink.");
        text.lines(&["bit<32> cost;", "bit<32> unused;"]);
    });
    text.line("");
    text.block("struct metadata_t", |text| {
        text.lines(&[
            "again_t again;",
            "bit<8> queue;",
            &format!("bit<{bits}> rank;"),
            "bit<8> at;",
            "bit<8> transport;",
        ]);
    });
    text.line("");
    parser(&mut text, &needs);
    ingress(&mut text, plan, options, &needs);
    deparser(&mut text, &there);
    egress(&mut text);
    text.lines(&[
        "Pipeline(PolicyParser(), PolicyIngress(), PolicyDeparser(), EmptyParser(), EmptyEgress(), EmptyDeparser()) pipe;",
        "Switch(pipe) main;",
    ]);
    text.finish()
}

/// The headers in their order: what they are called.
fn headers(needs: &Needs) -> Vec<String> {
    let mut all = vec!["ethernet".to_owned()];
    let mut add = |there: bool, name: &str| all.extend(there.then(|| name.to_owned()));
    add(needs.tags, "tag_0");
    add(needs.ip, "ipv4");
    add(needs.ip, "ipv6");
    for (layer, there) in [(Layer::Tcp, needs.tcp.is_some()), (Layer::Udp, needs.udp.is_some())] {
        add(there, header(layer).name);
        (0..needs.ends(layer).len()).for_each(|number| add(there, &piece(layer, number)));
    }
    all
}

fn types(text: &mut Text, there: &[String], needs: &Needs) {
    let known: [&Header; 6] = [&ETHERNET, &TAG, &IPV4, &IPV6, &TCP, &UDP];
    let is_there =
        |header: &&&Header| there.iter().any(|name| *name == header.name || (header.name == "tag" && name == "tag_0"));
    for header in known.iter().filter(is_there) {
        text.block(&format!("header {}_t", header.name), |text| {
            header.fields.iter().for_each(|(name, bits)| text.line(&format!("bit<{bits}> {name};")));
        });
        text.line("");
    }
    for layer in [Layer::Tcp, Layer::Udp] {
        let mut begin = header(layer).bytes();
        for (number, end) in needs.ends(layer).iter().enumerate() {
            let bits = (end - begin) * 8;
            text.block(&format!("header {}_t", piece(layer, number)), |text| text.line(&format!("bit<{bits}> bits;")));
            text.line("");
            begin = *end;
        }
    }
    text.block("struct headers_t", |text| {
        for name in there {
            let kind = if name == "tag_0" { "tag" } else { name };
            text.line(&format!("{kind}_t {name};"));
        }
    });
    text.line("");
}

fn parser(text: &mut Text, needs: &Needs) {
    let head = "parser PolicyParser(packet_in packet, out headers_t hdr, out metadata_t meta,\n                    \
                out ingress_intrinsic_metadata_t ig_intr_md)";
    let select = |text: &mut Text, on: &str, cases: &[(&str, &str)]| {
        text.block(&format!("transition select({on})"), |text| {
            cases.iter().for_each(|(value, state)| text.line(&format!("{value}: {state};")));
            text.line("default: accept;");
        });
    };
    let ip: &[(&str, &str)] = &[("0x0800", "parse_ipv4"), ("0x86dd", "parse_ipv6")];
    let tag: &[(&str, &str)] = &[("0x8100", "parse_tag"), ("0x88a8", "parse_tag")];
    let mut protocols: Vec<(&str, &str)> = Vec::new();
    protocols.extend(needs.tcp.is_some().then_some(("6", "parse_tcp")));
    protocols.extend(needs.udp.is_some().then_some(("17", "parse_udp")));
    text.block(head, |text| {
        text.block("state start", |text| {
            text.line("packet.extract(ig_intr_md);");
            text.lines(&["meta.queue = 0;", "meta.rank = 0;", "meta.at = 14;", "meta.transport = 0;"]);
            text.block("transition select(ig_intr_md.resubmit_flag)", |text| {
                text.lines(&["1: again;", "default: first;"]);
            });
        });
        text.block("state again", |text| text.lines(&["packet.extract(meta.again);", "transition parse_ethernet;"]));
        text.block("state first", |text| {
            text.lines(&["packet.advance(PORT_METADATA_SIZE);", "transition parse_ethernet;"]);
        });
        text.block("state parse_ethernet", |text| {
            text.line("packet.extract(hdr.ethernet);");
            let (ip, tag) = (if needs.ip { ip } else { &[] }, if needs.tags { tag } else { &[] });
            select(text, "hdr.ethernet.kind", &[ip, tag].concat());
        });
        if needs.tags {
            text.block("state parse_tag", |text| {
                text.lines(&["packet.extract(hdr.tag_0);", "meta.at = 18;"]);
                select(text, "hdr.tag_0.kind", if needs.ip { ip } else { &[] });
            });
        }
        if needs.ip {
            text.block("state parse_ipv4", |text| {
                text.line("packet.extract(hdr.ipv4);");
                text.line("// Without options, and the first fragment or the only one.");
                let cases: Vec<(String, &str)> =
                    protocols.iter().map(|(number, state)| (format!("(5, 0, {number})"), *state)).collect();
                let cases: Vec<(&str, &str)> = cases.iter().map(|(value, state)| (value.as_str(), *state)).collect();
                select(text, "hdr.ipv4.words, hdr.ipv4.fragment, hdr.ipv4.protocol", &cases);
            });
            text.block("state parse_ipv6", |text| {
                text.line("packet.extract(hdr.ipv6);");
                select(text, "hdr.ipv6.protocol", &protocols);
            });
        }
        for (layer, there) in [(Layer::Tcp, needs.tcp.is_some()), (Layer::Udp, needs.udp.is_some())] {
            if there {
                text.block(&format!("state parse_{}", header(layer).name), |text| {
                    text.line(&format!("packet.extract(hdr.{});", header(layer).name));
                    (0..needs.ends(layer).len())
                        .for_each(|number| text.line(&format!("packet.extract(hdr.{});", piece(layer, number))));
                    text.line("transition accept;");
                });
            }
        }
    });
    text.line("");
}

/// A bound: its register, and what is done to it in the first pass and in the second.
fn bound(text: &mut Text, queue: usize, rank: Rank, bits: u8) {
    let (reached, number) = (reached(rank).replace("rank", "meta.rank"), format!("bit<{bits}>"));
    text.line(&format!("Register<{number}, bit<9>>(512, 0) bound_{queue};"));
    let action = |text: &mut Text, name: &str, out: &str, body: &dyn Fn(&mut Text)| {
        let result = if out.is_empty() { String::new() } else { format!(", {out}") };
        text.block(&format!("RegisterAction<{number}, bit<9>{result}>(bound_{queue}) {name}_{queue} ="), |text| {
            let result = if out.is_empty() { String::new() } else { format!(", out {out} result") };
            text.block(&format!("void apply(inout {number} bound{result})"), body);
        });
        text.line(";");
    };
    if queue == 0 {
        action(text, "first", "bit<32>", &|text| {
            text.line("result = 0;");
            text.block(&format!("if (!({reached}))"), |text| text.line("result = (bit<32>)(bound - meta.rank);"));
            text.line("bound = meta.rank;");
        });
        return;
    }
    action(text, "reach", "bit<1>", &|text| {
        text.line("result = 0;");
        text.block(&format!("if ({reached})"), |text| text.lines(&["bound = meta.rank;", "result = 1;"]));
    });
    let sinks = if rank.drift.is_some() { "-" } else { "|-|" };
    action(text, "sink", "", &|text| text.line(&format!("bound = bound {sinks} (({number})meta.again.cost);")));
}

fn ingress(text: &mut Text, plan: &Plan, options: &TargetOptions, needs: &Needs) {
    let bits = options.switch.rank_bits;
    let head = "control PolicyIngress(inout headers_t hdr, inout metadata_t meta, in ingress_intrinsic_metadata_t ig_intr_md,\n    \
                in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,\n    \
                inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,\n    \
                inout ingress_intrinsic_metadata_for_tm_t ig_tm_md)";
    text.block(head, |text| {
        if let Choice::Rank(rank) = plan.choice {
            text.line("// The lowest rank that each queue is meant for, at each port.");
            (0..plan.queues).for_each(|queue| bound(text, queue, rank, bits));
        }
        text.block("action send(PortId_t port)", |text| text.line("ig_tm_md.ucast_egress_port = port;"));
        text.block("action refuse()", |text| text.line("ig_dprsr_md.drop_ctl = 1;"));
        text.block("table forward", |text| {
            text.block("key =", |text| text.line("hdr.ethernet.destination: exact;"));
            text.block("actions =", |text| text.lines(&["send;", "refuse;"]));
            text.lines(&["default_action = refuse();", "size = 1024;"]);
        });
        text.block("apply", |text| {
            text.block("switch (forward.apply().action_run)", |text| {
                text.block("send:", |text| chosen(text, plan, options, needs));
            });
        });
    });
    text.line("");
}

fn chosen(text: &mut Text, plan: &Plan, options: &TargetOptions, needs: &Needs) {
    let Choice::Rank(rank) = plan.choice else {
        steps(text, plan, options, needs);
        classes(text, plan, &|text, place| text.line(&format!("meta.queue = {place};")));
        text.line("ig_tm_md.qid = (QueueId_t)meta.queue;");
        return;
    };
    text.line("bit<9> port = ig_tm_md.ucast_egress_port;");
    text.block("if (ig_intr_md.resubmit_flag == 1)", |text| {
        (1..plan.queues).for_each(|queue| text.line(&format!("sink_{queue}.execute(port);")));
    });
    text.block("else", |text| {
        steps(text, plan, options, needs);
        let scan = |text: &mut Text| scan(text, plan.queues, rank, options.switch.rank_bits);
        if plan.takes_all() { scan(text) } else { classes(text, plan, &|text, _| scan(text)) }
    });
    text.line("ig_tm_md.qid = (QueueId_t)meta.queue;");
}

/// Finds the queue, from the last one upward.
fn scan(text: &mut Text, queues: usize, rank: Rank, bits: u8) {
    text.line(&format!("meta.rank = (bit<{bits}>){};", operand(rank.value)));
    text.line("bit<1> found = 0;");
    for queue in (0..queues).rev() {
        text.block("if (found == 0)", |text| {
            if queue == 0 {
                text.line("meta.again.cost = first_0.execute(port);");
                text.block("if (meta.again.cost != 0)", |text| {
                    text.line("// Push-down: the other bounds sink in a second pass.");
                    text.lines(&["meta.again.setValid();", "meta.again.unused = 0;", "ig_dprsr_md.resubmit_type = 1;"]);
                });
                return;
            }
            text.line(&format!("found = reach_{queue}.execute(port);"));
            text.block("if (found == 1)", |text| text.line(&format!("meta.queue = {queue};")));
        });
    }
}

fn deparser(text: &mut Text, there: &[String]) {
    let head = "control PolicyDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,\n    \
                in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md)";
    text.block(head, |text| {
        text.line("Resubmit() resubmit;");
        text.block("apply", |text| {
            text.block("if (ig_dprsr_md.resubmit_type == 1)", |text| text.line("resubmit.emit(meta.again);"));
            there.iter().for_each(|name| text.line(&format!("packet.emit(hdr.{name});")));
        });
    });
    text.line("");
}

/// Packets leave as they are.
fn egress(text: &mut Text) {
    text.lines(&["struct empty_t { }", ""]);
    let head = "parser EmptyParser(packet_in packet, out empty_t hdr, out empty_t meta, out egress_intrinsic_metadata_t eg_intr_md)";
    text.block(head, |text| {
        text.block("state start", |text| text.lines(&["packet.extract(eg_intr_md);", "transition accept;"]));
    });
    text.line("");
    let head = "control EmptyEgress(inout empty_t hdr, inout empty_t meta, in egress_intrinsic_metadata_t eg_intr_md,\n    \
                in egress_intrinsic_metadata_from_parser_t eg_prsr_md,\n    \
                inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,\n    \
                inout egress_intrinsic_metadata_for_output_port_t eg_oport_md)";
    text.block(head, |text| text.block("apply", |_| {}));
    text.line("");
    let head = "control EmptyDeparser(packet_out packet, inout empty_t hdr, in empty_t meta,\n    \
                in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md)";
    text.block(head, |text| text.block("apply", |_| {}));
    text.line("");
}
