//! The grammar of filters.

use super::Node;
use super::primitive::{End, Primitive, Version};
use crate::frame::Direction;
use forebay_core::registry::{is_slip, suggest};
use forebay_core::{ClassId, Duration};
use std::net::{IpAddr, Ipv4Addr};

/// Deeper nesting is no filter of a person.
const DEEPEST: usize = 64;

const WORDS: [&str; 32] = [
    "src",
    "dst",
    "host",
    "net",
    "port",
    "portrange",
    "proto",
    "ether",
    "ip",
    "ip6",
    "tcp",
    "udp",
    "sctp",
    "icmp",
    "icmp6",
    "arp",
    "vlan",
    "less",
    "greater",
    "inbound",
    "outbound",
    "ifname",
    "interface",
    "dscp",
    "time",
    "and",
    "or",
    "not",
    "gre",
    "esp",
    "igmp",
    "mpls",
];

/// Protocols that are a primitive by themselves.
const PROTOCOLS: [(&str, u8); 8] =
    [("tcp", 6), ("udp", 17), ("sctp", 132), ("icmp", 1), ("icmp6", 58), ("gre", 47), ("esp", 50), ("igmp", 2)];

/// The qualifiers that a value after `and` or `or` inherits, as in `port 80 or 443`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Qualifiers {
    of: Option<&'static str>,
    end: End,
    kind: Kind,
}

/// The expected kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Host,
    Net,
    Port,
    Range,
    Protocol,
}

/// Reads an expression, or returns a description of the fault.
pub(super) fn expression(text: &str) -> Result<Node, String> {
    let mut parser = Parser { words: words(text), next: 0, last: None, depth: 0 };
    if parser.words.is_empty() {
        return Err("is empty; write for example `tcp port 443`".to_owned());
    }
    let node = parser.alternatives()?;
    match parser.peek() {
        None => Ok(node),
        Some(")") => Err("has a `)` without a `(`".to_owned()),
        Some(word) => Err(format!("expected `and` or `or`, found `{word}`")),
    }
}

/// Words, parentheses and signs.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let is_sign = |letter: char| letter.is_whitespace() || "()!".contains(letter);
        let first = |sign: &str| rest.find(sign).unwrap_or(rest.len());
        let length = match rest {
            _ if rest.starts_with("&&") || rest.starts_with("||") => 2,
            _ if rest.starts_with(['(', ')', '!']) => 1,
            _ => rest.find(is_sign).unwrap_or(rest.len()).min(first("&&")).min(first("||")),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

struct Parser<'a> {
    words: Vec<&'a str>,
    next: usize,
    last: Option<Qualifiers>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    fn take(&mut self, word: &str) -> bool {
        let is_it = self.peek() == Some(word);
        self.next += usize::from(is_it);
        is_it
    }

    /// The word that has to come.
    fn value(&mut self, what: &str) -> Result<&'a str, String> {
        let word = self.peek().filter(|word| *word != ")").ok_or_else(|| format!("{what} is missing at its end"))?;
        self.next += 1;
        Ok(word)
    }

    fn alternatives(&mut self) -> Result<Node, String> {
        let mut node = self.part()?;
        loop {
            if self.take("or") || self.take("||") {
                node = Node::Or(Box::new(node), Box::new(self.part()?));
            } else if self.take("and") || self.take("&&") {
                node = Node::And(Box::new(node), Box::new(self.part()?));
            } else {
                return Ok(node);
            }
        }
    }

    fn part(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("is nested more than {DEEPEST} times"));
        }
        let node = if self.take("not") || self.take("!") {
            Node::Not(Box::new(self.part()?))
        } else if self.take("(") {
            let node = self.alternatives()?;
            if !self.take(")") {
                return Err("has a `(` without a `)`".to_owned());
            }
            node
        } else {
            Node::Primitive(self.primitive()?)
        };
        self.depth -= 1;
        Ok(node)
    }

    fn primitive(&mut self) -> Result<Primitive, String> {
        let word = self.value("an expression")?;
        match word {
            "inbound" => return Ok(Primitive::Direction(Direction::In)),
            "outbound" => return Ok(Primitive::Direction(Direction::Out)),
            "ifname" | "interface" => {
                return Ok(Primitive::Interface(self.value("the name of an interface")?.to_owned()));
            }
            "less" => return Ok(Primitive::Size(0..=self.number("a number of bytes")?)),
            "greater" => return Ok(Primitive::Size(self.number("a number of bytes")?..=u32::MAX)),
            "dscp" => return self.code_point(),
            "time" => return self.time(),
            "vlan" => {
                let number = self.peek().and_then(|word| word.parse().ok());
                self.next += usize::from(number.is_some());
                return match number {
                    Some(4_096..) => {
                        Err(format!("`vlan` takes a number from 0 to 4095, not {}", number.unwrap_or_default()))
                    }
                    _ => Ok(Primitive::Vlan(number)),
                };
            }
            "arp" => return Ok(Primitive::EtherType(0x0806)),
            "mpls" => return Ok(Primitive::EtherType(0x8847)),
            _ => self.next -= 1,
        }
        self.qualified()
    }

    /// `[tcp] [src] [port] 80`, or a protocol alone.
    fn qualified(&mut self) -> Result<Primitive, String> {
        const OF: [&str; 11] = ["ether", "ip", "ip6", "tcp", "udp", "sctp", "icmp", "icmp6", "gre", "esp", "igmp"];
        let first = self.peek().unwrap_or_default();
        let of = OF.into_iter().find(|known| self.take(known));
        let end = self.end()?;
        let kinds = [
            ("host", Kind::Host),
            ("net", Kind::Net),
            ("portrange", Kind::Range),
            ("port", Kind::Port),
            ("proto", Kind::Protocol),
        ];
        let kind = kinds.into_iter().find(|(word, _)| self.take(word)).map(|(_, kind)| kind);
        if end.is_none() && kind.is_none() {
            return match (of, self.last) {
                (Some("ether"), _) => Err("`ether` needs `src`, `dst`, `host` or `proto` after it".to_owned()),
                (Some(name), _) => Ok(protocol(name)),
                (None, Some(last)) if is_value(first) => self.valued(last),
                (None, None) if first.parse::<IpAddr>().is_ok() => {
                    self.valued(Qualifiers { of: None, end: End::Either, kind: Kind::Host })
                }
                _ if ["and", "or", "&&", "||"].contains(&first) => {
                    Err(format!("expected an expression, found `{first}`"))
                }
                _ => Err(format!("does not know `{first}`{}", suggest(first, WORDS))),
            };
        }
        let qualifiers = Qualifiers { of, end: end.unwrap_or(End::Either), kind: kind.unwrap_or(Kind::Host) };
        self.last = Some(qualifiers);
        self.valued(qualifiers)
    }

    fn end(&mut self) -> Result<Option<End>, String> {
        let (first, second) = if self.take("src") {
            (End::Source, "dst")
        } else if self.take("dst") {
            (End::Destination, "src")
        } else {
            return Ok(None);
        };
        let joined = self.words.get(self.next).copied().zip(self.words.get(self.next + 1).copied());
        let both = match joined {
            Some(("or", word)) if word == second => End::Either,
            Some(("and", word)) if word == second => End::Both,
            _ => return Ok(Some(first)),
        };
        self.next += 2;
        Ok(Some(both))
    }

    /// A value behind its qualifiers.
    fn valued(&mut self, qualifiers: Qualifiers) -> Result<Primitive, String> {
        let Qualifiers { of, end, kind } = qualifiers;
        let of_ports = match of {
            None | Some("ip" | "ip6") => None,
            Some(name @ ("tcp" | "udp" | "sctp")) => number_of(name),
            Some(name) if matches!(kind, Kind::Port | Kind::Range) => return Err(format!("`{name}` has no ports")),
            Some(_) => None,
        };
        let asked = match (of, kind) {
            (Some("ether"), Kind::Host) => return Ok(Primitive::Ethernet(end, self.mac()?)),
            (Some("ether"), Kind::Protocol) => {
                let word = self.value("an EtherType")?;
                let number =
                    word.strip_prefix("0x").map_or_else(|| word.parse().ok(), |hex| u16::from_str_radix(hex, 16).ok());
                return match number {
                    Some(0x0800) => Ok(Primitive::Ip(Version::V4)),
                    Some(0x86dd) => Ok(Primitive::Ip(Version::V6)),
                    Some(number) => Ok(Primitive::EtherType(number)),
                    None => Err(format!("`{word}` is not an EtherType; write a number like 0x0806")),
                };
            }
            (Some("ether"), _) => return Err("`ether` takes `src`, `dst`, `host` or `proto`".to_owned()),
            (_, Kind::Host) => self.host(end)?,
            (_, Kind::Net) => self.net(end)?,
            (_, Kind::Port) => {
                let port = self.port()?;
                Primitive::Port(end, port..=port, of_ports)
            }
            (_, Kind::Range) => self.ports(end, of_ports)?,
            (_, Kind::Protocol) => {
                let word = self.value("a protocol")?;
                match number_of(word).or_else(|| word.parse().ok()) {
                    Some(number) => Primitive::Protocol(number),
                    None => {
                        return Err(format!("`{word}` is not a protocol; write 0 to 255, or a name like tcp"));
                    }
                }
            }
        };
        Ok(match of {
            Some(name) if of_ports.is_none() || !matches!(kind, Kind::Port | Kind::Range) => {
                Primitive::Both(Box::new(protocol(name)), Box::new(asked))
            }
            _ => asked,
        })
    }

    fn host(&mut self, end: End) -> Result<Primitive, String> {
        let word = self.value("an address")?;
        match word.parse::<IpAddr>() {
            Ok(address) => Ok(Primitive::Net(end, address, if address.is_ipv4() { 32 } else { 128 })),
            Err(_) if word.contains('/') => Err(format!("`{word}` is a network, not a host; write `net {word}`")),
            Err(_) => {
                match ["host", "net", "port", "portrange", "proto"].into_iter().find(|kind| is_slip(word, kind)) {
                    Some(kind) => Err(format!("does not know `{word}`; did you mean `{kind}`?")),
                    None => Err(format!("`{word}` is not an address; names are not looked up")),
                }
            }
        }
    }

    /// `10.0.0.0/8`, `10.1` (the bits that are written), or an address with `mask` and one behind it.
    fn net(&mut self, end: End) -> Result<Primitive, String> {
        let word = self.value("a network")?;
        let wrong = || format!("`{word}` is not a network; write one like 10.0.0.0/8");
        let (address, length) = match word.split_once('/') {
            Some((address, length)) => (address, Some(length.parse::<u32>().map_err(|_| wrong())?)),
            None => (word, None),
        };
        let (net, written) = match address.parse::<IpAddr>() {
            Ok(net @ IpAddr::V4(_)) => (net, 32),
            Ok(net @ IpAddr::V6(_)) => (net, 128),
            Err(_) => {
                let parts: Option<Vec<u8>> = address.split('.').map(|part| part.parse().ok()).collect();
                let parts = parts.filter(|parts| parts.len() < 4).ok_or_else(wrong)?;
                let mut octets = [0; 4];
                octets[..parts.len()].copy_from_slice(&parts);
                (Ipv4Addr::from(octets).into(), 8 * u32::try_from(parts.len()).unwrap_or(4))
            }
        };
        let most = if net.is_ipv4() { 32 } else { 128 };
        let length = if length.is_none() && self.take("mask") {
            let mask = self.value("a mask")?;
            let bits =
                mask.parse::<Ipv4Addr>().map_err(|_| format!("`{mask}` is not a mask like 255.255.0.0"))?.to_bits();
            if bits.leading_ones() + bits.trailing_zeros() < 32 {
                return Err(format!("the mask {mask} has holes"));
            }
            bits.leading_ones()
        } else {
            length.unwrap_or(written)
        };
        if length > most {
            return Err(wrong());
        }
        let host_bits = match net {
            IpAddr::V4(net) => net.to_bits().checked_shl(length).unwrap_or(0) != 0,
            IpAddr::V6(net) => net.to_bits().checked_shl(length).unwrap_or(0) != 0,
        };
        if host_bits {
            return Err(format!(
                "`{word}` has bits set after the first {length}; write the network with zeros there, or `host`"
            ));
        }
        Ok(Primitive::Net(end, net, length))
    }

    fn mac(&mut self) -> Result<[u8; 6], String> {
        let word = self.value("an Ethernet address")?;
        let parts: Vec<Option<u8>> =
            word.split([':', '-']).map(|part| u8::from_str_radix(part, 16).ok().filter(|_| part.len() <= 2)).collect();
        let parts: Option<Vec<u8>> = parts.into_iter().collect();
        let address = parts.and_then(|parts| parts.try_into().ok());
        address.ok_or_else(|| format!("`{word}` is not an Ethernet address; write one like 02:00:00:00:00:01"))
    }

    fn port(&mut self) -> Result<u16, String> {
        let word = self.value("a port")?;
        word.parse().map_err(|_| format!("`{word}` is not a port; write its number"))
    }

    fn ports(&mut self, end: End, of: Option<u8>) -> Result<Primitive, String> {
        let word = self.value("a range of ports")?;
        let range = word.split_once('-').and_then(|(from, to)| Some(from.parse().ok()?..=to.parse().ok()?));
        match range.filter(|range: &std::ops::RangeInclusive<u16>| !range.is_empty()) {
            Some(range) => Ok(Primitive::Port(end, range, of)),
            None => Err(format!("`{word}` is not a range of ports; write one like 1000-2000")),
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, String> {
        let word = self.value(what)?;
        word.parse().map_err(|_| format!("`{word}` is not {what}"))
    }

    fn code_point(&mut self) -> Result<Primitive, String> {
        let word = self.value("a code point")?;
        let named = (0..64).find(|number| ClassId(*number).to_string().eq_ignore_ascii_case(word));
        let number = named.or_else(|| word.parse().ok().filter(|number| *number < 64));
        let number =
            number.ok_or_else(|| format!("`{word}` is not a DSCP; write 0 to 63, or a name like EF, AF41, CS6"))?;
        Ok(Primitive::Dscp(number))
    }

    /// `time 1s..2500ms`; either end may be left out.
    fn time(&mut self) -> Result<Primitive, String> {
        let word = self.value("a span of time")?;
        let wrong =
            || format!("`{word}` is not a span of time since the first packet, like 1s..2500ms, 10s.. or ..1ms");
        let (from, to) = word.split_once("..").ok_or_else(wrong)?;
        let at = |text: &str, open: i128| {
            if text.is_empty() {
                return Ok(open);
            }
            Duration::parse(text).map(|time| i128::from(time.as_ps()) / 1_000).map_err(|_| wrong())
        };
        let (from, to) = (at(from, 0)?, at(to, i128::MAX)?);
        if from >= to { Err(format!("the span {word} is empty")) } else { Ok(Primitive::Time(from, to)) }
    }
}

fn number_of(name: &str) -> Option<u8> {
    PROTOCOLS.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

fn protocol(name: &str) -> Primitive {
    match (name, number_of(name)) {
        ("ip", _) => Primitive::Ip(Version::V4),
        ("ip6", _) => Primitive::Ip(Version::V6),
        (_, Some(number)) => Primitive::Protocol(number),
        (_, None) => Primitive::EtherType(0),
    }
}

/// Returns whether a word can be a value whose qualifiers preceded it.
fn is_value(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit()) || word.contains(':')
}
