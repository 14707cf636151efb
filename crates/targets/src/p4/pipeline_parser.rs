//! The headers of a specification for DPDK's pipeline, and how it finds them.

use super::headers::{ETHERNET, Header, IPV4, IPV6, TAG, header, piece};
use super::pipeline::Specification;
use crate::headers::Layer;

impl Specification {
    /// The headers, with their bytes; the options of IPv4 have not always as many.
    pub(super) fn headers(&self) -> Vec<(String, Option<u16>)> {
        let of = |header: &Header| (header.name.to_owned(), Some(header.bytes()));
        let mut all = vec![of(&ETHERNET)];
        if self.needs.tags {
            all.extend(["tag_0", "tag_1"].map(|name| (name.to_owned(), Some(TAG.bytes()))));
        }
        if self.needs.ip {
            all.extend([of(&IPV4), ("ipv4_options".to_owned(), None), of(&IPV6)]);
        }
        for (layer, there) in [(Layer::Tcp, self.needs.tcp.is_some()), (Layer::Udp, self.needs.udp.is_some())] {
            if there {
                let mut begin = header(layer).bytes();
                all.push(of(header(layer)));
                for (number, end) in self.needs.ends(layer).iter().enumerate() {
                    all.push((piece(layer, number), Some(end - begin)));
                    begin = *end;
                }
            }
        }
        all
    }

    /// Finds the headers.
    pub(super) fn parse(&mut self) {
        let (none, ipv4, ipv6) = (self.later(), self.later(), self.later());
        let mut at = "ethernet".to_owned();
        for tag in ["tag_0", "tag_1"] {
            let (tagged, plain) = (self.later(), self.later());
            self.number("kind", &at, at_kind(&at));
            self.all(&[&format!("jmpeq {tagged} m.kind 0x8100"), &format!("jmpneq {plain} m.kind 0x88a8")]);
            self.here(tagged);
            self.add(&format!("extract h.{tag}"));
            self.number("kind", tag, 2);
            self.here(plain);
            // A tag that is not there leaves the kind as it was: that of no tag.
            at = tag.to_owned();
            if tag == "tag_0" {
                let second = self.later();
                self.add(&format!("jmpv {second} h.tag_0"));
                self.kinds(&none, &ipv4, &ipv6);
                self.here(second);
            }
        }
        self.kinds(&none, &ipv4, &ipv6);
        if self.needs.ip {
            self.here(ipv4);
            self.ipv4(&none);
            self.here(ipv6);
            self.ipv6(&none);
        }
        self.here(none);
    }

    fn kinds(&mut self, none: &str, ipv4: &str, ipv6: &str) {
        if self.needs.ip {
            self.all(&[&format!("jmpeq {ipv4} m.kind 0x0800"), &format!("jmpeq {ipv6} m.kind 0x86dd")]);
        }
        self.add(&format!("jmp {none}"));
    }

    /// Two bytes of a header.
    fn number(&mut self, name: &str, header: &str, byte: u16) {
        self.add(&format!("mov m.{name} h.{header}.b{byte}"));
        self.add(&format!("shl m.{name} 8"));
        self.add(&format!("mov m.byte h.{header}.b{}", byte + 1));
        self.add(&format!("or m.{name} m.byte"));
    }

    fn ipv4(&mut self, none: &str) {
        let (wrong, right, fixed) = (self.later(), self.later(), self.later());
        self.all(&["lookahead h.ipv4", "mov m.byte h.ipv4.b0"]);
        self.all(&[
            &format!("jmplt {wrong} m.byte 0x45"),
            &format!("jmpgt {wrong} m.byte 0x4f"),
            &format!("jmp {right}"),
        ]);
        self.here(wrong);
        self.all(&["invalidate h.ipv4", &format!("jmp {none}")]);
        self.here(right);
        self.add("extract h.ipv4");
        self.all(&["mov m.size h.ipv4.b0", "and m.size 15", "sub m.size 5", "shl m.size 2"]);
        self.all(&[&format!("jmpeq {fixed} m.size 0"), "extract h.ipv4_options m.size"]);
        self.here(fixed);
        // Only a first fragment has ports.
        self.all(&["mov m.byte h.ipv4.b6", "and m.byte 31", &format!("jmpneq {none} m.byte 0")]);
        self.all(&[&format!("jmpneq {none} h.ipv4.b7 0")]);
        self.transport("h.ipv4.b9", none);
    }

    fn ipv6(&mut self, none: &str) {
        let (wrong, right) = (self.later(), self.later());
        self.all(&["lookahead h.ipv6", "mov m.byte h.ipv6.b0"]);
        self.all(&[
            &format!("jmplt {wrong} m.byte 0x60"),
            &format!("jmpgt {wrong} m.byte 0x6f"),
            &format!("jmp {right}"),
        ]);
        self.here(wrong);
        self.all(&["invalidate h.ipv6", &format!("jmp {none}")]);
        self.here(right);
        self.add("extract h.ipv6");
        self.transport("h.ipv6.b6", none);
    }

    fn transport(&mut self, protocol: &str, none: &str) {
        for (number, layer, there) in
            [(6, Layer::Tcp, self.needs.tcp.is_some()), (17, Layer::Udp, self.needs.udp.is_some())]
        {
            if there {
                let other = self.later();
                self.add(&format!("jmpneq {other} {protocol} {number}"));
                self.add(&format!("extract h.{}", header(layer).name));
                for place in 0..self.needs.ends(layer).len() {
                    self.add(&format!("extract h.{}", piece(layer, place)));
                }
                self.add(&format!("jmp {none}"));
                self.here(other);
            }
        }
        self.add(&format!("jmp {none}"));
    }
}

/// Where a header says what follows it.
fn at_kind(header: &str) -> u16 {
    if header == "ethernet" { 12 } else { 2 }
}
