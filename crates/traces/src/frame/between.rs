//! What may stand between the link layer and IP: VLAN tags, MPLS, PPPoE, LLC/SNAP, and MACsec without encryption.

/// What stands behind all that.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Network<'a> {
    /// An IPv4 or IPv6 header.
    Ip(&'a [u8]),
    /// Something else, by its EtherType; 0 where there is none.
    Other(u16),
}

/// The EtherTypes of IP.
const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;

/// Tags and labels that are looked behind; a frame cannot have so many honestly.
const MOST: usize = 64;

/// A number in the byte order of networks.
pub(super) fn number_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// Behind an Ethernet header.
pub(super) fn ethernet(frame: &[u8]) -> Network<'_> {
    match number_at(frame, 12) {
        Some(kind) => behind(kind, frame.get(14..).unwrap_or_default()),
        None => Network::Other(0),
    }
}

/// An IP header at once.
pub(super) fn raw_ip(bytes: &[u8]) -> Network<'_> {
    match bytes.first().map(|first| first >> 4) {
        Some(4 | 6) => Network::Ip(bytes),
        _ => Network::Other(0),
    }
}

/// Behind PPP, with or without the address and control fields of HDLC; the protocol has one byte or two (RFC 1661).
pub(super) fn ppp(bytes: &[u8]) -> Network<'_> {
    let bytes = bytes.strip_prefix(&[0xff, 0x03]).unwrap_or(bytes);
    let (protocol, rest) = match bytes {
        [short, rest @ ..] if short & 1 == 1 => (u16::from(*short), rest),
        [high, low, rest @ ..] => (u16::from_be_bytes([*high, *low]), rest),
        _ => return Network::Other(0),
    };
    match protocol {
        0x0021 => behind(IPV4, rest),
        0x0057 => behind(IPV6, rest),
        0x0281 => behind(0x8847, rest),
        0x0283 => behind(0x8848, rest),
        other => Network::Other(other),
    }
}

/// Behind LLC, with SNAP (RFC 1042) or without.
pub(super) fn logical_link(bytes: &[u8]) -> Network<'_> {
    match bytes {
        [0xaa, 0xaa, 0x03, _, _, _, high, low, rest @ ..] => behind(u16::from_be_bytes([*high, *low]), rest),
        // IP has an address of its own (RFC 1042 calls it historic).
        [0x06, 0x06, 0x03, rest @ ..] => behind(IPV4, rest),
        [to, from, ..] => Network::Other(u16::from_be_bytes([*to, *from])),
        _ => Network::Other(0),
    }
}

/// Behind an EtherType.
pub(super) fn behind(mut kind: u16, mut rest: &[u8]) -> Network<'_> {
    for _ in 0..MOST {
        match kind {
            IPV4 | IPV6 => return Network::Ip(rest),
            0x8100 | 0x88a8 | 0x9100 | 0x9200 => {
                let Some(next) = number_at(rest, 2) else { return Network::Other(kind) };
                (kind, rest) = (next, rest.get(4..).unwrap_or_default());
            }
            0x8847 | 0x8848 => {
                let (Some(&third), true) = (rest.get(2), rest.len() >= 4) else { return Network::Other(kind) };
                rest = &rest[4..];
                if third & 1 == 1 {
                    return below_labels(rest, kind);
                }
            }
            0x8864 => return ppp(rest.get(6..).unwrap_or_default()),
            0x88e5 => match macsec(rest) {
                Some((next, behind)) => (kind, rest) = (next, behind),
                None => return Network::Other(kind),
            },
            // A length: LLC follows.
            0..=1500 => return logical_link(rest),
            other => return Network::Other(other),
        }
    }
    Network::Other(kind)
}

/// Below the last MPLS label nothing says what follows: IP by its version, or the Ethernet frame of a pseudowire, with a control word
/// (RFC 4385: it begins with 0) or without.
fn below_labels(rest: &[u8], kind: u16) -> Network<'_> {
    let inner = match rest.first().map(|first| first >> 4) {
        Some(4 | 6) => return Network::Ip(rest),
        Some(0) => ethernet(rest.get(4..).unwrap_or_default()),
        _ => ethernet(rest),
    };
    match inner {
        Network::Ip(ip) => Network::Ip(ip),
        Network::Other(_) => Network::Other(kind),
    }
}

/// Behind the tag of MACsec (IEEE 802.1AE), if what follows is not encrypted.
fn macsec(rest: &[u8]) -> Option<(u16, &[u8])> {
    const IS_CHANGED: u8 = 0x04;
    const IS_ENCRYPTED: u8 = 0x08;
    const HAS_CHANNEL: u8 = 0x20;
    let flags = *rest.first()?;
    if flags & (IS_CHANGED | IS_ENCRYPTED) != 0 {
        return None;
    }
    let tag = if flags & HAS_CHANNEL != 0 { 14 } else { 6 };
    Some((number_at(rest, tag)?, rest.get(tag + 2..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IP: [u8; 4] = [0x45, 0xb8, 0, 20];

    fn framed(kind: u16, between: &[u8]) -> Vec<u8> {
        [&[0; 12][..], &kind.to_be_bytes(), between, &IP].concat()
    }

    #[test]
    fn ip_is_found_behind_tags_labels_and_sessions() {
        let vlan = |next: u16| [&[0, 5][..], &next.to_be_bytes()].concat();
        let pseudowire = framed(IPV4, &[]);
        for (name, frame) in [
            ("no tag", framed(IPV4, &[])),
            ("a tag", framed(0x8100, &vlan(IPV4))),
            ("four tags", framed(0x88a8, &[vlan(0x8100), vlan(0x9100), vlan(0x9200), vlan(IPV4)].concat())),
            ("a label", framed(0x8847, &[0, 1, 1, 64])),
            ("two labels", framed(0x8847, &[0, 1, 0, 64, 0, 2, 1, 64])),
            ("a pseudowire", framed(0x8847, &[&[0, 1, 1, 64, 0, 0, 0, 0][..], &pseudowire[..14]].concat())),
            ("PPPoE", framed(0x8864, &[0x11, 0, 0, 1, 0, 6, 0, 0x21])),
            ("PPPoE behind a tag", framed(0x8100, &[vlan(0x8864), vec![0x11, 0, 0, 1, 0, 6, 0, 0x21]].concat())),
            ("LLC and SNAP", framed(12, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0])),
            ("MACsec", framed(0x88e5, &[0, 0, 0, 0, 0, 1, 8, 0])),
            ("MACsec with its channel", framed(0x88e5, &[0x20, 0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 0])),
        ] {
            assert_eq!(ethernet(&frame), Network::Ip(&IP), "{name}");
        }
    }

    #[test]
    fn what_is_no_ip_has_its_ether_type() {
        assert_eq!(ethernet(&framed(0x0806, &[])), Network::Other(0x0806));
        assert_eq!(ethernet(&framed(0x8100, &[0, 5, 8, 6])), Network::Other(0x0806), "behind a tag");
        assert_eq!(ethernet(&framed(0x88e5, &[0x0c, 0, 0, 0, 0, 1, 8, 0])), Network::Other(0x88e5), "encrypted");
        assert_eq!(ethernet(&framed(9, &[0x42, 0x42, 3])), Network::Other(0x4242), "LLC");
    }

    #[test]
    fn frames_that_are_cut_anywhere_do_no_harm() {
        let frame = framed(0x8100, &[0, 5, 0x88, 0x47, 0, 1, 1, 64]);
        for length in 0..frame.len() {
            assert_ne!(ethernet(&frame[..length]), Network::Ip(&IP), "{length} bytes are not all of it");
        }
        let endless = [0x81, 0x00].repeat(500);
        assert_eq!(behind(0x8100, &endless), Network::Other(0x8100));
    }
}
