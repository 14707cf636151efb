//! How a specification for DPDK's pipeline goes behind encapsulations, as [`forebay_core::encapsulation`] does.
//!
//! An extracted header is written in the order of `emit`, so each encapsulation has a header of its own, whatever its bytes are. A
//! look ahead says which kind it is.

use super::encapsulations::{LONGEST, name};
use super::pipeline::Specification;
use forebay_core::encapsulation::MOST;

/// The header by which the specification looks ahead, and its bytes: those of the longest encapsulation.
pub(super) const AHEAD: (&str, u16) = ("ahead", LONGEST / 8);

/// Where a specification goes on when it has found IP, or that there is none.
pub(super) struct Places {
    pub(super) none: String,
    pub(super) ipv4: String,
    pub(super) ipv6: String,
}

/// Where it goes on behind a number of encapsulations, by what is in front: an EtherType, a label, what is below the last label, or
/// the protocol of PPP.
struct Entries {
    kind: String,
    label: String,
    payload: String,
    protocol: String,
}

impl Specification {
    /// Goes from Ethernet to IP.
    pub(super) fn encapsulations(&mut self, to: &Places) {
        self.number("kind", "ethernet", 12);
        self.add("mov m.at 14");
        let mut here = self.entries();
        for step in 0..MOST {
            let next = self.entries();
            self.step(step, here, &next, to);
            here = next;
        }
        // Behind so many there is only IP, or nothing that is looked for.
        let Entries { kind, label, payload, protocol } = here;
        self.here(payload);
        self.all(&["lookahead h.ahead", "mov m.byte h.ahead.b0", "shr m.byte 4"]);
        self.ip("m.byte", [4, 6], to);
        self.add(&format!("jmp {}", to.none));
        self.here(protocol);
        self.ip("m.kind", [0x0021, 0x0057], to);
        self.here(label);
        self.add(&format!("jmp {}", to.none));
        self.here(kind);
        self.ip("m.kind", [0x0800, 0x86dd], to);
        self.add(&format!("jmp {}", to.none));
    }

    fn entries(&mut self) -> Entries {
        Entries { kind: self.later(), label: self.later(), payload: self.later(), protocol: self.later() }
    }

    fn ip(&mut self, number: &str, [ipv4, ipv6]: [u16; 2], to: &Places) {
        self.all(&[&format!("jmpeq {} {number} {ipv4}", to.ipv4), &format!("jmpeq {} {number} {ipv6}", to.ipv6)]);
    }

    /// Behind `step` encapsulations.
    fn step(&mut self, step: usize, here: Entries, next: &Entries, to: &Places) {
        let (tag, session, secured, take) = (self.later(), self.later(), self.later(), self.later());
        // The first has no labels or PPP in front of it.
        if step > 0 {
            self.here(here.payload);
            self.payload(&take, to);
            self.here(here.protocol);
            self.ip("m.kind", [0x0021, 0x0057], to);
            self.all(&[&format!("jmpeq {} m.kind 0x0281", here.label), &format!("jmpneq {} m.kind 0x0283", to.none)]);
        } else {
            self.add(&format!("jmp {}", here.kind));
        }
        self.here(here.label.clone());
        self.label(step, next);
        self.here(here.kind);
        self.ip("m.kind", [0x0800, 0x86dd], to);
        for kind in [0x8100, 0x88a8, 0x9100, 0x9200] {
            self.add(&format!("jmpeq {tag} m.kind {kind:#x}"));
        }
        for (kind, place) in [(0x8847, &here.label), (0x8848, &here.label), (0x8864, &session), (0x88e5, &secured)] {
            self.add(&format!("jmpeq {place} m.kind {kind:#x}"));
        }
        self.add(&format!("jmpgt {} m.kind 1500", to.none));
        self.logical_link(&take, to);
        self.here(session);
        self.session(step, next, to);
        self.here(secured);
        self.secured(&take, to);
        self.here(tag);
        if step == 0 {
            // It is a header of its own, since its priority can be a field.
            self.add("extract h.tag_0");
            self.number("kind", "tag_0", 2);
            self.all(&["add m.at 4", &format!("jmp {}", next.kind)]);
        } else {
            self.add("lookahead h.ahead");
            self.number("kind", AHEAD.0, 2);
            self.add("mov m.size 4");
        }
        self.here(take);
        self.take(step);
        self.add(&format!("jmp {}", next.kind));
    }

    /// Extracts as many bytes as `m.size` says.
    fn take(&mut self, step: usize) {
        self.all(&[&format!("extract h.{} m.size", name(step)), "add m.at m.size"]);
    }

    /// Reads the next `EtherType` from the last bytes of an encapsulation of `bytes` bytes.
    fn sized(&mut self, bytes: u16) {
        self.number("kind", AHEAD.0, bytes - 2);
        self.add(&format!("mov m.size {bytes}"));
    }

    /// Below the last label nothing says what follows: it is IP by its version, or a pseudowire, with a control word or without.
    fn payload(&mut self, take: &str, to: &Places) {
        self.all(&["lookahead h.ahead", "mov m.byte h.ahead.b0", "shr m.byte 4"]);
        self.ip("m.byte", [4, 6], to);
        self.sized(14);
        self.all(&["mov m.byte h.ahead.b0", "shr m.byte 4", &format!("jmpneq {take} m.byte 0")]);
        self.sized(18);
        self.add(&format!("jmp {take}"));
    }

    fn label(&mut self, step: usize, next: &Entries) {
        self.all(&["lookahead h.ahead", "mov m.byte h.ahead.b2", "and m.byte 1", "mov m.size 4"]);
        self.take(step);
        self.all(&[&format!("jmpeq {} m.byte 1", next.payload), &format!("jmp {}", next.label)]);
    }

    /// LLC, with SNAP or, for IPv4, without.
    fn logical_link(&mut self, take: &str, to: &Places) {
        let snap = self.later();
        self.add("lookahead h.ahead");
        self.number("kind", AHEAD.0, 0);
        self.all(&[&format!("jmpneq {} h.ahead.b2 3", to.none), &format!("jmpeq {snap} m.kind 0xaaaa")]);
        self.all(&[&format!("jmpneq {} m.kind 0x0606", to.none), "mov m.kind 0x0800", "mov m.size 3"]);
        self.add(&format!("jmp {take}"));
        self.here(snap);
        self.sized(8);
        self.add(&format!("jmp {take}"));
    }

    /// PPPoE, whose PPP has a protocol of one byte or two, with or without the two bytes of HDLC before it.
    fn session(&mut self, step: usize, next: &Entries, to: &Places) {
        let (plain, short) = (self.later(), self.later());
        self.all(&["lookahead h.ahead", "mov m.size 8"]);
        self.number("kind", AHEAD.0, 6);
        self.add(&format!("jmpneq {plain} m.kind 0xff03"));
        self.add("mov m.size 10");
        self.number("kind", AHEAD.0, 8);
        self.here(plain);
        self.all(&["mov m.byte m.kind", "and m.byte 0x100", &format!("jmpneq {short} m.byte 0")]);
        self.take(step);
        self.add(&format!("jmp {}", next.protocol));
        self.here(short);
        self.all(&["shr m.kind 8", "sub m.size 1"]);
        self.take(step);
        self.ip("m.kind", [0x21, 0x57], to);
        self.add(&format!("jmp {}", to.none));
    }

    /// MACsec, with or without the channel's identifier, if what follows is neither encrypted nor changed.
    fn secured(&mut self, take: &str, to: &Places) {
        let long = self.later();
        self.all(&["lookahead h.ahead", "mov m.byte h.ahead.b0", "and m.byte 0x2c"]);
        self.add(&format!("jmpeq {long} m.byte 0x20"));
        self.add(&format!("jmpneq {} m.byte 0", to.none));
        self.sized(8);
        self.add(&format!("jmp {take}"));
        self.here(long);
        self.sized(16);
        self.add(&format!("jmp {take}"));
    }
}
