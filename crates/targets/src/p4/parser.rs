//! The headers of a program in P4, its parser and its deparser.

use super::encapsulations;
use super::headers::{ETHERNET, Header, IPV4, IPV6, Needs, TAG, TCP, UDP, header, piece};
use super::text::Text;
use crate::headers::Layer;
use forebay_core::encapsulation::MOST;

/// The headers: their names, and those of their types.
fn instances(needs: &Needs) -> Vec<(String, String)> {
    let mut all = vec![("ethernet".to_owned(), "ethernet_t".to_owned())];
    let mut add = |name: &str, kind: &str| all.push((name.to_owned(), format!("{kind}_t")));
    if needs.tags {
        add("tag_0", "tag");
    }
    if needs.ip {
        (0..MOST).for_each(|step| add(&encapsulations::name(step), "between"));
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
    if needs.ip {
        text.line("// What stands between Ethernet and IP, as it is.");
        text.block("header between_t", |text| text.line(&format!("varbit<{}> bits;", encapsulations::LONGEST)));
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

/// The members of the metadata that the parser needs.
pub(super) fn metadata(text: &mut Text, needs: &Needs) {
    if needs.ip {
        text.line("// What comes next: an EtherType, or a protocol of PPP.");
        text.line("bit<16> kind;");
        text.line("// Where IP begins, and TCP or UDP: headers are looked for in the first bytes of a frame only.");
        text.line("bit<8> at;");
    }
    if transport(needs) {
        text.line("bit<8> transport;");
    }
}

/// The parser.
pub(super) fn parser(text: &mut Text, needs: &Needs) {
    let head = "parser PolicyParser(packet_in packet, out headers_t hdr, inout metadata_t meta,\n                    \
                inout standard_metadata_t standard_metadata)";
    text.block(head, |text| {
        text.block("state start", |text| {
            text.line("packet.extract(hdr.ethernet);");
            if needs.ip {
                text.lines(&["meta.kind = hdr.ethernet.kind;", "meta.at = 14;", "transition kind_0;"]);
            } else if needs.tags {
                text.block("transition select(hdr.ethernet.kind)", |text| {
                    ["0x8100", "0x88a8", "0x9100", "0x9200"]
                        .iter()
                        .for_each(|kind| text.line(&format!("{kind}: tag_0;")));
                    text.line("default: accept;");
                });
            } else {
                text.line("transition accept;");
            }
        });
        if needs.ip {
            encapsulations::states(text);
        } else if needs.tags {
            text.block("state tag_0", |text| text.lines(&["packet.extract(hdr.tag_0);", "transition accept;"]));
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
            text.line("meta.transport = meta.at + ((bit<8>)hdr.ipv4.words << 2);");
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
        if transport(needs) {
            text.line("meta.transport = meta.at + 40;");
            transports(text, "hdr.ipv6.protocol", "");
        } else {
            text.line("transition accept;");
        }
    });
}

fn pieces(text: &mut Text, layer: Layer, count: usize) {
    text.block(&format!("state parse_{}", header(layer).name), |text| {
        text.line("// A missing header is not extracted: parsing ends, and the packet goes on.");
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
