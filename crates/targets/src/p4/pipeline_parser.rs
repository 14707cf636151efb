//! The headers of a specification for DPDK's pipeline, and how it finds them.

use super::encapsulations::{LONGEST, name};
use super::headers::{ETHERNET, Header, IPV4, IPV6, Size, TAG, header, piece};
use super::pipeline::Specification;
use super::pipeline_encapsulations::{AHEAD, Places};
use crate::headers::Layer;
use forebay_core::encapsulation::MOST;

impl Specification {
    /// The headers, in the order in which they are written.
    pub(super) fn headers(&self) -> Vec<(String, Size)> {
        let of = |header: &Header| (header.name.to_owned(), Size::Bytes(header.bytes()));
        let mut all = vec![of(&ETHERNET)];
        if self.needs.tags {
            all.push(("tag_0".to_owned(), Size::Bytes(TAG.bytes())));
        }
        if self.needs.ip {
            all.extend((0..MOST).map(|step| (name(step), Size::AtMost(LONGEST))));
            all.extend([of(&IPV4), ("ipv4_options".to_owned(), Size::AtMost(320)), of(&IPV6)]);
        }
        for (layer, there) in [(Layer::Tcp, self.needs.tcp.is_some()), (Layer::Udp, self.needs.udp.is_some())] {
            if there {
                let mut begin = header(layer).bytes();
                all.push(of(header(layer)));
                for (number, end) in self.needs.ends(layer).iter().enumerate() {
                    all.push((piece(layer, number), Size::Bytes(end - begin)));
                    begin = *end;
                }
            }
        }
        all
    }

    /// The header by which it looks ahead, and does not write.
    pub(super) fn ahead(&self) -> Option<(String, Size)> {
        self.needs.ip.then(|| (AHEAD.0.to_owned(), Size::Bytes(AHEAD.1)))
    }

    /// Finds the headers.
    pub(super) fn parse(&mut self) {
        if !self.needs.ip {
            self.tag();
            return;
        }
        let to = Places { none: self.later(), ipv4: self.later(), ipv6: self.later() };
        self.encapsulations(&to);
        let Places { none, ipv4, ipv6 } = to;
        self.here(ipv4);
        self.ipv4(&none);
        self.here(ipv6);
        self.ipv6(&none);
        self.here(none);
    }

    /// The tag behind the addresses alone.
    fn tag(&mut self) {
        let (tag, none) = (self.later(), self.later());
        self.number("kind", "ethernet", 12);
        for kind in [0x8100, 0x88a8, 0x9100, 0x9200] {
            self.add(&format!("jmpeq {tag} m.kind {kind:#x}"));
        }
        self.add(&format!("jmp {none}"));
        self.here(tag);
        self.add("extract h.tag_0");
        self.here(none);
    }

    /// Two bytes of a header.
    pub(super) fn number(&mut self, name: &str, header: &str, byte: u16) {
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
        self.all(&["mov m.transport m.at", "add m.transport 20", "add m.transport m.size"]);
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
        self.all(&["extract h.ipv6", "mov m.transport m.at", "add m.transport 40"]);
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
