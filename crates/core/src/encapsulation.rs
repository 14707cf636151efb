//! Finds IP behind encapsulations of the link layer: VLAN tags, MPLS labels and pseudowires, PPPoE sessions, LLC and
//! SNAP, MACsec without encryption.
//!
//! Recordings and the switch find IP with this code. The C and the P4 of `crates/targets` do the same in their
//! languages, and tests compare them with this code.

/// Maximum number of encapsulations that every target skips. A frame with more of them counts as one without IP.
///
/// Each tag, label, PPPoE session or tag of MACsec is one encapsulation. So are LLC, with or without SNAP, and the
/// Ethernet header of a pseudowire with its control word.
pub const MOST: usize = 8;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const LABELS: [u16; 2] = [0x8847, 0x8848];
const SESSION: u16 = 0x8864;
const SECURED: u16 = 0x88e5;
/// The greatest length of an IEEE 802.3 frame. Greater numbers are no length.
const GREATEST_LENGTH: u16 = 1_500;

/// Returns whether `kind` is the `EtherType` of a VLAN tag.
#[must_use]
pub const fn is_tag(kind: u16) -> bool {
    matches!(kind, 0x8100 | 0x88a8 | 0x9100 | 0x9200)
}

/// The kind of the first header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The addresses of Ethernet.
    Ethernet,
    /// The header that this `EtherType` announces.
    Behind(u16),
    /// PPP: its protocol, with or without the address and control fields of HDLC before it.
    Ppp,
    /// LLC.
    LogicalLink,
    /// An IP header of either version.
    Ip,
}

/// A version of IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// 4
    V4,
    /// 6
    V6,
}

/// An IP header, of which at least the first byte is present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ip {
    /// The offset at which the header begins.
    pub at: usize,
    /// The header's version. Its first bits agree with the header that announced it.
    pub version: Version,
    /// Whether the header is behind a tag of MACsec, whose check value covers it. A receiver drops the frame if any covered byte is
    /// changed.
    pub is_sealed: bool,
}

impl Ip {
    /// Returns the byte with DSCP and ECN. Returns `None` if the header is shorter than the minimum, or incomplete except for its options.
    #[must_use]
    pub fn traffic_class(&self, bytes: &[u8]) -> Option<u8> {
        let header = bytes.get(self.at..)?;
        match self.version {
            Version::V4 if header.len() >= 20 && header[0] & 0x0f >= 5 => Some(header[1]),
            Version::V6 if header.len() >= 40 => Some(header[0] << 4 | header[1] >> 4),
            Version::V4 | Version::V6 => None,
        }
    }
}

/// The content behind all encapsulations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// An IP header.
    Ip(Ip),
    /// Other content, by its `EtherType`, its PPP protocol or its LLC addresses; 0 if it has none. Below labels, it is
    /// the `EtherType` of the labels.
    Other(u16),
}

/// Returns the content behind the encapsulations of a frame, and skips at most `most` of them. `bytes[at..]` begins with `start`.
#[must_use]
#[inline]
pub fn network(bytes: &[u8], at: usize, start: Start, most: usize) -> Network {
    // Nearly all frames are IP without encapsulations.
    if let (Start::Ethernet, Some([high, low, first, ..])) = (start, bytes.get(at + 12..)) {
        let version = match (u16::from_be_bytes([*high, *low]), first >> 4) {
            (IPV4, 4) => Some(Version::V4),
            (IPV6, 6) => Some(Version::V6),
            _ => None,
        };
        if let Some(version) = version {
            return Network::Ip(Ip { at: at + 14, version, is_sealed: false });
        }
    }
    behind_encapsulations(bytes, at, start, most)
}

fn behind_encapsulations(bytes: &[u8], at: usize, start: Start, most: usize) -> Network {
    let mut walk = Walk { bytes, at, labels: None, is_sealed: false };
    match walk.find(start, most) {
        Ok(version) => Network::Ip(Ip { at: walk.at, version, is_sealed: walk.is_sealed }),
        Err(kind) => Network::Other(walk.labels.unwrap_or(kind)),
    }
}

/// The next header of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The header that this `EtherType` announces.
    Behind(u16),
    /// IP, by the version in its first bits.
    Ip(Version),
    /// The Ethernet header of a pseudowire.
    Pseudowire,
}

/// A way through a frame. A step that finds no IP fails with the number that identifies the frame's content.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The `EtherType` of the outermost labels that were skipped.
    labels: Option<u16>,
    is_sealed: bool,
}

impl Walk<'_> {
    fn find(&mut self, start: Start, most: usize) -> Result<Version, u16> {
        let mut next = match start {
            Start::Ethernet => Next::Behind(self.skip(12, 14).ok_or(0_u16)?),
            Start::Behind(kind) => Next::Behind(kind),
            Start::Ppp => self.ppp()?,
            Start::LogicalLink => self.logical_link()?,
            Start::Ip => Next::Ip(self.version().ok_or(0_u16)?),
        };
        let mut left = most;
        loop {
            let kind = match next {
                Next::Ip(version) => return Ok(version),
                Next::Behind(kind @ (IPV4 | IPV6)) => return self.announced(kind).ok_or(kind),
                Next::Behind(kind) => kind,
                Next::Pseudowire => 0,
            };
            if left == 0 {
                return Err(kind);
            }
            left -= 1;
            next = match next {
                Next::Pseudowire => self.pseudowire()?,
                Next::Behind(_) | Next::Ip(_) => self.behind(kind)?,
            };
        }
    }

    /// Skips one encapsulation.
    fn behind(&mut self, kind: u16) -> Result<Next, u16> {
        match kind {
            _ if is_tag(kind) => self.skip(2, 4).map(Next::Behind).ok_or(kind),
            _ if LABELS.contains(&kind) => self.label(kind),
            SESSION => {
                self.at += 6;
                self.ppp()
            }
            SECURED => self.secured().map(Next::Behind).ok_or(kind),
            0..=GREATEST_LENGTH => self.logical_link(),
            other => Err(other),
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Returns the two bytes that are `ahead` bytes further on, in network byte order.
    fn word(&self, ahead: usize) -> Option<u16> {
        Some(u16::from_be_bytes([self.byte(ahead)?, self.byte(ahead + 1)?]))
    }

    /// Skips `bytes` bytes, and returns the `EtherType` that is `ahead` bytes further on.
    fn skip(&mut self, ahead: usize, bytes: usize) -> Option<u16> {
        let kind = self.word(ahead)?;
        self.at += bytes;
        Some(kind)
    }

    /// Returns the IP version that the first bits at the current offset state.
    fn version(&self) -> Option<Version> {
        match self.byte(0)? >> 4 {
            4 => Some(Version::V4),
            6 => Some(Version::V6),
            _ => None,
        }
    }

    /// Returns the IP version at the current offset, if `kind` announced that version.
    fn announced(&self, kind: u16) -> Option<Version> {
        let announced = if kind == IPV4 { Version::V4 } else { Version::V6 };
        self.version().filter(|version| *version == announced)
    }

    /// Skips one MPLS label. After the last label, no field names the next header: it is IP, recognised by its version, or a pseudowire.
    fn label(&mut self, kind: u16) -> Result<Next, u16> {
        let (Some(third), Some(_)) = (self.byte(2), self.byte(3)) else { return Err(kind) };
        self.at += 4;
        if third & 1 == 0 {
            return Ok(Next::Behind(kind));
        }
        if let Some(version) = self.version() {
            return Ok(Next::Ip(version));
        }
        self.labels.get_or_insert(kind);
        Ok(Next::Pseudowire)
    }

    /// Skips the Ethernet header of a pseudowire and its control word, if any, which begins with 0 (RFC 4385).
    fn pseudowire(&mut self) -> Result<Next, u16> {
        let word = match self.byte(0) {
            Some(first) if first >> 4 == 0 => 4,
            _ => 0,
        };
        self.skip(12 + word, 14 + word).map(Next::Behind).ok_or(0)
    }

    /// Skips PPP, whose protocol has one byte or two (RFC 1661).
    fn ppp(&mut self) -> Result<Next, u16> {
        if self.word(0) == Some(0xff03) {
            self.at += 2;
        }
        let first = self.byte(0).ok_or(0_u16)?;
        let protocol = if first & 1 == 1 {
            self.at += 1;
            first.into()
        } else {
            self.skip(0, 2).ok_or(0_u16)?
        };
        match protocol {
            0x0021 => Ok(Next::Behind(IPV4)),
            0x0057 => Ok(Next::Behind(IPV6)),
            0x0281 => Ok(Next::Behind(LABELS[0])),
            0x0283 => Ok(Next::Behind(LABELS[1])),
            other => Err(other),
        }
    }

    /// Skips LLC, with SNAP (RFC 1042) or without.
    fn logical_link(&mut self) -> Result<Next, u16> {
        let addresses = self.word(0).ok_or(0_u16)?;
        match (addresses, self.byte(2)) {
            (0xaaaa, Some(3)) => self.skip(6, 8).map(Next::Behind).ok_or(addresses),
            // IP has an address of its own (RFC 1042 calls it historic).
            (0x0606, Some(3)) => {
                self.at += 3;
                Ok(Next::Behind(IPV4))
            }
            _ => Err(addresses),
        }
    }

    /// Skips the tag of MACsec (IEEE 802.1AE), if the content is not encrypted.
    fn secured(&mut self) -> Option<u16> {
        const IS_CHANGED: u8 = 0x04;
        const IS_ENCRYPTED: u8 = 0x08;
        const HAS_CHANNEL: u8 = 0x20;
        let flags = self.byte(0)?;
        if flags & (IS_CHANGED | IS_ENCRYPTED) != 0 {
            return None;
        }
        let tag = if flags & HAS_CHANNEL != 0 { 14 } else { 6 };
        let kind = self.skip(tag, tag + 2)?;
        self.is_sealed = true;
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of an IP header.
    const IP: [u8; 4] = [0x45, 0xb8, 0, 20];

    fn framed(kind: u16, between: &[u8]) -> Vec<u8> {
        [&[0; 12][..], &kind.to_be_bytes(), between, &IP].concat()
    }

    fn found(frame: &[u8]) -> Network {
        network(frame, 0, Start::Ethernet, MOST)
    }

    /// Returns the offset of the IPv4 header.
    fn place(frame: &[u8]) -> Option<usize> {
        match found(frame) {
            Network::Ip(Ip { at, version: Version::V4, .. }) => Some(at),
            Network::Ip(_) | Network::Other(_) => None,
        }
    }

    fn tag(next: u16) -> Vec<u8> {
        [&[0, 5][..], &next.to_be_bytes()].concat()
    }

    #[test]
    fn ip_is_found_behind_tags_labels_and_sessions() {
        let inner = framed(IPV4, &[]);
        for (name, frame) in [
            ("no tag", framed(IPV4, &[])),
            ("a tag", framed(0x8100, &tag(IPV4))),
            ("four tags", framed(0x88a8, &[tag(0x8100), tag(0x9100), tag(0x9200), tag(IPV4)].concat())),
            ("a label", framed(0x8847, &[0, 1, 1, 64])),
            ("two labels", framed(0x8847, &[0, 1, 0, 64, 0, 2, 1, 64])),
            ("a pseudowire", framed(0x8847, &[&[0, 1, 1, 64, 0, 0, 0, 0][..], &inner[..14]].concat())),
            ("one without a control word", framed(0x8848, &[&[0, 1, 1, 64, 0x12][..], &inner[1..14]].concat())),
            ("PPPoE", framed(0x8864, &[0x11, 0, 0, 1, 0, 6, 0, 0x21])),
            ("PPPoE with a short protocol behind HDLC", framed(0x8864, &[0x11, 0, 0, 1, 0, 6, 0xff, 3, 0x21])),
            ("PPPoE behind a tag", framed(0x8100, &[tag(0x8864), vec![0x11, 0, 0, 1, 0, 6, 0, 0x21]].concat())),
            ("labels in PPPoE", framed(0x8864, &[0x11, 0, 0, 1, 0, 6, 2, 0x81, 0, 1, 1, 64])),
            ("LLC and SNAP", framed(12, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0])),
            ("LLC", framed(12, &[6, 6, 3])),
            ("MACsec", framed(0x88e5, &[0, 0, 0, 0, 0, 1, 8, 0])),
            ("MACsec with its channel", framed(0x88e5, &[0x20, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 0])),
        ] {
            assert_eq!(place(&frame), Some(frame.len() - IP.len()), "{name}");
        }
    }

    #[test]
    fn what_is_no_ip_has_its_ether_type() {
        for (frame, kind) in [
            (framed(0x0806, &[]), 0x0806),
            (framed(0x8100, &[0, 5, 8, 6]), 0x0806),
            (framed(0x88e5, &[0x0c, 0, 0, 0, 0, 1, 8, 0]), 0x88e5),
            (framed(9, &[0x42, 0x42, 3]), 0x4242),
            (framed(0x8864, &[0x11, 0, 0, 1, 0, 6, 0xc0, 0x21]), 0xc021),
            // The type in a pseudowire is another network's.
            (framed(0x8847, &[&[0, 1, 1, 64, 0, 0, 0, 0][..], &framed(0x0806, &[])[..14]].concat()), 0x8847),
            // IPv6 is announced, and the version is 4.
            (framed(IPV6, &[]), IPV6),
        ] {
            assert_eq!(found(&frame), Network::Other(kind), "{frame:02x?}");
        }
    }

    #[test]
    fn only_macsec_seals() {
        let is_sealed = |frame: &[u8]| matches!(found(frame), Network::Ip(Ip { is_sealed: true, .. }));
        assert!(is_sealed(&framed(0x88e5, &[0, 0, 0, 0, 0, 1, 8, 0])));
        assert!(!is_sealed(&framed(0x8100, &tag(IPV4))));
    }

    #[test]
    fn behind_more_encapsulations_there_is_no_ip() {
        let tags = |count: usize| framed(0x8100, &[tag(0x8100).repeat(count - 1), tag(IPV4)].concat());
        let labels = |count: usize| framed(0x8847, &[[0, 1, 0, 64].repeat(count - 1), vec![0, 1, 1, 64]].concat());
        assert!(place(&tags(MOST)).is_some() && place(&labels(MOST)).is_some());
        assert_eq!(found(&tags(MOST + 1)), Network::Other(0x8100));
        assert_eq!(found(&labels(MOST + 1)), Network::Other(0x8847));
        // The Ethernet header of a pseudowire is one of them.
        let wire = |labels: usize| {
            let labels = [[0, 1, 0, 64].repeat(labels - 1), vec![0, 1, 1, 64]].concat();
            framed(0x8847, &[&labels[..], &[0; 4], &framed(IPV4, &[])[..14]].concat())
        };
        assert!(place(&wire(MOST - 1)).is_some());
        assert_eq!(found(&wire(MOST)), Network::Other(0x8847));
    }

    #[test]
    fn frames_that_are_cut_anywhere_do_no_harm() {
        let frame = framed(0x8100, &[0, 5, 0x88, 0x47, 0, 1, 1, 64]);
        for length in 0..=frame.len() - IP.len() {
            assert_eq!(place(&frame[..length]), None, "{length} bytes");
        }
        // Each header announces another one. Deep nesting must not exhaust the stack.
        for endless in [[0x81, 0x00].repeat(100_000), [0xaa, 0xaa, 3, 0, 0, 0, 0, 12].repeat(100_000)] {
            assert!(matches!(network(&endless, 0, Start::Behind(12), usize::MAX), Network::Other(_)));
            assert!(matches!(network(&endless, 0, Start::Behind(0x8100), usize::MAX), Network::Other(_)));
        }
    }
}
