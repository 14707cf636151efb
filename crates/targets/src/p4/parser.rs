//! The headers of a program in P4, its parser and its deparser.

use super::headers::{ETHERNET, Header, IPV4, IPV6, Needs, TAG, TCP, UDP, header, piece};
use super::text::Text;
use crate::headers::Layer;

/// The headers: their names, and those of their types.
fn instances(needs: &Needs) -> Vec<(String, String)> {
    let mut all = vec![("ethernet".to_owned(), "ethernet_t".to_owned())];
    let mut add = |name: &str, kind: &str| all.push((name.to_owned(), format!("{kind}_t")));
    if needs.tags {
        add("tag_0", "tag");
        add("tag_1", "tag");
    }
    if needs.ip {
        add("ipv4", "ipv4");
        if transport(needs) {
            add("ipv4_options", "ipv4_options");
        }
        add("ipv6", "ipv6");
    }
    for (layer, there) in [(Layer::Tcp, needs.tcp.is_some()), (Layer::Udp, needs.udp.is_some())] {
        if there {
            add(header(layer).name, header(layer).name);
            for number in 0..needs.ends(layer).len() {
                add(&piece(layer, number), &piece(layer, number));
            }
        }
    }
    all
}

fn transport(needs: &Needs) -> bool {
    needs.tcp.is_some() || needs.udp.is_some()
}

/// The types of headers, and the struct of all.
pub(super) fn types(text: &mut Text, needs: &Needs) {
    let mut standard: Vec<&Header> = vec![&ETHERNET];
    standard.extend(needs.tags.then_some(&TAG));
    standard.extend(if needs.ip { &[&IPV4, &IPV6][..] } else { &[] });
    standard.extend(needs.tcp.is_some().then_some(&TCP));
    standard.extend(needs.udp.is_some().then_some(&UDP));
    for header in standard {
        text.block(&format!("header {}_t", header.name), |text| {
            header.fields.iter().for_each(|(name, bits)| text.line(&format!("bit<{bits}> {name};")));
        });
        text.line("");
    }
    if transport(needs) {
        text.block("header ipv4_options_t", |text| text.line("varbit<320> bits;"));
        text.line("");
    }
    for layer in [Layer::Tcp, Layer::Udp] {
        let mut begin = header(layer).bytes();
        for (number, end) in needs.ends(layer).iter().enumerate() {
            text.line(&format!("// Bytes {begin} to {} of {}.", end - 1, header(layer).name.to_uppercase()));
            let bits = (end - begin) * 8;
            text.block(&format!("header {}_t", piece(layer, number)), |text| text.line(&format!("bit<{bits}> bits;")));
            text.line("");
            begin = *end;
        }
    }
    text.block("struct headers_t", |text| {
        instances(needs).iter().for_each(|(name, kind)| text.line(&format!("{kind} {name};")));
    });
}

/// The parser.
pub(super) fn parser(text: &mut Text, needs: &Needs) {
    let head = "parser PolicyParser(packet_in packet, out headers_t hdr, inout metadata_t meta,\n                    \
                inout standard_metadata_t standard_metadata)";
    text.block(head, |text| {
        let after = |text: &mut Text, kind: &str, tag: Option<&str>| {
            text.block(&format!("transition select(hdr.{kind}.kind)"), |text| {
                if let Some(tag) = tag {
                    text.line(&format!("0x8100: {tag};"));
                    text.line(&format!("0x88a8: {tag};"));
                }
                if needs.ip {
                    text.line("0x0800: parse_ipv4;");
                    text.line("0x86dd: parse_ipv6;");
                }
                text.line("default: accept;");
            });
        };
        text.block("state start", |text| {
            text.line("packet.extract(hdr.ethernet);");
            if needs.tags { after(text, "ethernet", Some("parse_tag_0")) } else { text.line("transition accept;") }
        });
        if needs.tags {
            text.block("state parse_tag_0", |text| {
                text.line("packet.extract(hdr.tag_0);");
                after(text, "tag_0", Some("parse_tag_1"));
            });
            text.block("state parse_tag_1", |text| {
                text.line("packet.extract(hdr.tag_1);");
                if needs.ip { after(text, "tag_1", None) } else { text.line("transition accept;") }
            });
        }
        if needs.ip {
            ip(text, needs);
        }
        for (layer, there) in [(Layer::Tcp, needs.tcp.is_some()), (Layer::Udp, needs.udp.is_some())] {
            if there {
                pieces(text, layer, needs.ends(layer).len());
            }
        }
    });
}

fn ip(text: &mut Text, needs: &Needs) {
    let transports = |text: &mut Text, on: &str, first: &str| {
        let end = if first.is_empty() { "" } else { ")" };
        text.block(&format!("transition select({on})"), |text| {
            for (protocol, layer, there) in
                [(6, Layer::Tcp, needs.tcp.is_some()), (17, Layer::Udp, needs.udp.is_some())]
            {
                if there {
                    text.line(&format!("{first}{protocol}{end}: parse_{};", header(layer).name));
                }
            }
            text.line("default: accept;");
        });
    };
    text.block("state parse_ipv4", |text| {
        text.line("// The version, and the length in words, which is 5 or more.");
        text.block("transition select(packet.lookahead<bit<8>>())", |text| {
            text.lines(&["0x40 &&& 0xfc: accept;", "0x44: accept;"]);
            text.line("0x45: parse_ipv4_fixed;");
            text.line(&format!("0x40 &&& 0xf0: parse_ipv4_{};", if transport(needs) { "long" } else { "fixed" }));
            text.line("default: accept;");
        });
    });
    text.block("state parse_ipv4_fixed", |text| {
        text.line("packet.extract(hdr.ipv4);");
        if transport(needs) {
            text.line("transition parse_ipv4_payload;");
        } else {
            text.line("transition accept;");
        }
    });
    if transport(needs) {
        text.block("state parse_ipv4_long", |text| {
            text.line("packet.extract(hdr.ipv4);");
            text.line("packet.extract(hdr.ipv4_options, ((bit<32>)hdr.ipv4.words - 5) << 5);");
            text.line("transition parse_ipv4_payload;");
        });
        text.block("state parse_ipv4_payload", |text| {
            text.line("// Only a first fragment has ports.");
            transports(text, "hdr.ipv4.fragment, hdr.ipv4.protocol", "(0, ");
        });
    }
    text.block("state parse_ipv6", |text| {
        text.block("transition select(packet.lookahead<bit<4>>())", |text| {
            text.lines(&["6: parse_ipv6_fixed;", "default: accept;"]);
        });
    });
    text.block("state parse_ipv6_fixed", |text| {
        text.line("packet.extract(hdr.ipv6);");
        if transport(needs) { transports(text, "hdr.ipv6.protocol", "") } else { text.line("transition accept;") }
    });
}

fn pieces(text: &mut Text, layer: Layer, count: usize) {
    text.block(&format!("state parse_{}", header(layer).name), |text| {
        text.line("// What is not there is not extracted: parsing ends, and the packet goes on.");
        text.line(&format!("packet.extract(hdr.{});", header(layer).name));
        for number in 0..count {
            text.line(&format!("packet.extract(hdr.{});", piece(layer, number)));
        }
        text.line("transition accept;");
    });
}

/// The deparser: what was parsed, as it was.
pub(super) fn deparser(text: &mut Text, needs: &Needs) {
    text.block("control PolicyDeparser(packet_out packet, in headers_t hdr)", |text| {
        text.block("apply", |text| {
            instances(needs).iter().for_each(|(name, _)| text.line(&format!("packet.emit(hdr.{name});")));
        });
    });
}
