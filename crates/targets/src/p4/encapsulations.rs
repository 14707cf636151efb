//! The states of a parser that go behind encapsulations, as [`forebay_core::encapsulation`] does.
//!
//! A parser has no loop: there is a set of states for each number of encapsulations that are behind the parser. Each encapsulation
//! is extracted as one header of opaque bytes, since the deparser must write them in their original order.

use super::text::Text;
use forebay_core::encapsulation::MOST;

/// Bits of the longest encapsulation: the Ethernet header of a pseudowire with its control word.
pub(super) const LONGEST: u16 = 144;

/// The numbers from 0 to 1500, which are a length in place of an EtherType: values and masks.
const LENGTHS: [(u16, u16); 8] = [
    (0x0000, 0xfc00),
    (0x0400, 0xff00),
    (0x0500, 0xff80),
    (0x0580, 0xffc0),
    (0x05c0, 0xfff0),
    (0x05d0, 0xfff8),
    (0x05d8, 0xfffc),
    (0x05dc, 0xffff),
];

/// A header for encapsulation number `step`, from 0.
pub(super) fn name(step: usize) -> String {
    format!("between_{step}")
}

/// All states.
pub(super) fn states(text: &mut Text) {
    (0..MOST).for_each(|step| Step { text, step }.states());
    text.line("// Behind so many encapsulations there is only IP, or nothing that is looked for.");
    text.block(&format!("state kind_{MOST}"), |text| {
        text.block("transition select(meta.kind)", |text| {
            text.lines(&["0x0800: parse_ipv4;", "0x86dd: parse_ipv6;", "default: accept;"]);
        });
    });
    text.block(&format!("state label_{MOST}"), |text| text.line("transition accept;"));
    text.block(&format!("state payload_{MOST}"), |text| {
        text.block("transition select(packet.lookahead<bit<4>>())", |text| {
            text.lines(&["4: parse_ipv4;", "6: parse_ipv6;", "default: accept;"]);
        });
    });
    text.block(&format!("state protocol_{MOST}"), |text| {
        text.block("transition select(meta.kind)", |text| {
            text.lines(&["0x0021: parse_ipv4;", "0x0057: parse_ipv6;", "default: accept;"]);
        });
    });
}

/// The states behind `step` encapsulations.
struct Step<'a> {
    text: &'a mut Text,
    step: usize,
}

impl Step<'_> {
    fn states(&mut self) {
        self.kind();
        self.tag();
        self.labels();
        self.session();
        self.logical_link();
        self.secured();
    }

    /// A state that goes on by what a look ahead says.
    fn select(&mut self, state: &str, on: &str, cases: &[(&str, &str)]) {
        let step = self.step;
        self.text.block(&format!("state {state}_{step}"), |text| {
            text.block(&format!("transition select({on})"), |text| {
                for (value, to) in cases {
                    let to = if *to == "accept" { "accept".to_owned() } else { format!("{to}_{step}") };
                    text.line(&format!("{value}: {to};"));
                }
            });
        });
    }

    /// Writes a state that extracts an encapsulation of `bytes` bytes, whose last `type_bits` give the next type.
    fn extract(&mut self, state: &str, bytes: u16, type_bits: u16, to: &str) {
        let (step, bits) = (self.step, bytes * 8);
        self.text.block(&format!("state {state}_{step}"), |text| {
            let ahead = format!("packet.lookahead<bit<{bits}>>()");
            match type_bits {
                0 => {}
                16 => text.line(&format!("meta.kind = {ahead}[15:0];")),
                fewer => text.line(&format!("meta.kind = (bit<16>){ahead}[{}:0];", fewer - 1)),
            }
            text.line(&format!("packet.extract(hdr.{}, 32w{bits});", name(step)));
            text.line(&format!("meta.at = meta.at + {bytes};"));
            text.line(&format!("transition {to};"));
        });
    }

    fn next(&self, state: &str) -> String {
        format!("{state}_{}", self.step + 1)
    }

    /// By the type in front.
    fn kind(&mut self) {
        let step = self.step;
        self.text.line(&format!("// Behind {step} of at most {MOST} encapsulations."));
        self.text.block(&format!("state kind_{step}"), |text| {
            text.block("transition select(meta.kind)", |text| {
                text.lines(&["0x0800: parse_ipv4;", "0x86dd: parse_ipv6;"]);
                for (kinds, to) in [
                    (&["0x8100", "0x88a8", "0x9100", "0x9200"][..], "tag"),
                    (&["0x8847", "0x8848"], "label"),
                    (&["0x8864"], "session"),
                    (&["0x88e5"], "secured"),
                ] {
                    kinds.iter().for_each(|kind| text.line(&format!("{kind}: {to}_{step};")));
                }
                for (value, mask) in LENGTHS {
                    text.line(&format!("{value:#06x} &&& {mask:#06x}: link_{step};"));
                }
                text.line("default: accept;");
            });
        });
    }

    /// A VLAN tag. The first one is a header of its own, since its priority can be a field.
    fn tag(&mut self) {
        let next = self.next("kind");
        if self.step > 0 {
            self.extract("tag", 4, 16, &next);
            return;
        }
        self.text.block("state tag_0", |text| {
            text.lines(&["packet.extract(hdr.tag_0);", "meta.kind = hdr.tag_0.kind;", "meta.at = meta.at + 4;"]);
            text.line(&format!("transition {next};"));
        });
    }

    /// MPLS labels. Below the last one nothing says what follows: it is IP by its version, or a pseudowire.
    fn labels(&mut self) {
        let ahead = "packet.lookahead<bit<24>>()";
        self.select("label", ahead, &[("0x000001 &&& 0x000001", "last_label"), ("default", "outer_label")]);
        let (label, payload, kind) = (self.next("label"), self.next("payload"), self.next("kind"));
        self.extract("outer_label", 4, 0, &label);
        self.extract("last_label", 4, 0, &payload);
        if self.step == 0 {
            // There is no label in front of the first encapsulation.
            return;
        }
        let step = self.step;
        self.text.block(&format!("state payload_{step}"), |text| {
            text.block("transition select(packet.lookahead<bit<4>>())", |text| {
                text.lines(&["4: parse_ipv4;", "6: parse_ipv6;"]);
                text.line(&format!("0: wire_with_word_{step};"));
                text.line(&format!("default: wire_{step};"));
            });
        });
        self.extract("wire_with_word", 18, 16, &kind);
        self.extract("wire", 14, 16, &kind);
    }

    /// PPPoE, whose PPP has a protocol of one byte or two, with or without the two bytes of HDLC before it.
    fn session(&mut self) {
        let short = ("0x0100 &&& 0x0100", "short");
        let ahead = "packet.lookahead<bit<64>>()[15:0]";
        self.select("session", ahead, &[("0xff03", "framed"), (short.0, "ppp_short"), ("default", "ppp")]);
        let ahead = "packet.lookahead<bit<80>>()[15:0]";
        self.select("framed", ahead, &[(short.0, "framed_short"), ("default", "framed_ppp")]);
        let protocol = self.next("protocol");
        self.extract("ppp_short", 7, 8, &protocol);
        self.extract("ppp", 8, 16, &protocol);
        self.extract("framed_short", 9, 8, &protocol);
        self.extract("framed_ppp", 10, 16, &protocol);
        if self.step == 0 {
            return;
        }
        let step = self.step;
        self.text.block(&format!("state protocol_{step}"), |text| {
            text.block("transition select(meta.kind)", |text| {
                text.lines(&["0x0021: parse_ipv4;", "0x0057: parse_ipv6;"]);
                ["0x0281", "0x0283"].iter().for_each(|kind| text.line(&format!("{kind}: label_{step};")));
                text.line("default: accept;");
            });
        });
    }

    /// LLC, with SNAP or, for IPv4, without.
    fn logical_link(&mut self) {
        let ahead = "packet.lookahead<bit<24>>()";
        self.select("link", ahead, &[("0xaaaa03", "snap"), ("0x060603", "link_of_ip"), ("default", "accept")]);
        let kind = self.next("kind");
        self.extract("snap", 8, 16, &kind);
        self.extract("link_of_ip", 3, 0, "parse_ipv4");
    }

    /// MACsec, with or without the channel's identifier, if what follows is neither encrypted nor changed.
    fn secured(&mut self) {
        let cases = [("0x00 &&& 0x2c", "secured_short"), ("0x20 &&& 0x2c", "secured_long"), ("default", "accept")];
        self.select("secured", "packet.lookahead<bit<8>>()", &cases);
        let kind = self.next("kind");
        self.extract("secured_short", 8, 16, &kind);
        self.extract("secured_long", 16, 16, &kind);
    }
}
