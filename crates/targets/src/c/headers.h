/*
 * Where the headers of a frame are: Ethernet, IPv4 or IPv6 behind up to OQ_MOST_ENCAPSULATIONS encapsulations, TCP or UDP.
 *
 * The host writes the first bytes of a frame to oq_frame_head, as many as there are and not more than OQ_HEAD_BYTES, and
 * calls oq_read_fields of oq_fields.h, which is made of the policy's mapping. What is cut off or not known is not there;
 * extension headers of IPv6 are not followed.
 *
 * An encapsulation is a VLAN tag, an MPLS label, a PPPoE session, LLC with or without SNAP, a tag of MACsec without encryption,
 * or the Ethernet header of a pseudowire with its control word.
 */
#ifndef OQ_HEADERS_H
#define OQ_HEADERS_H

#define OQ_HEAD_BYTES 128u
#define OQ_HEAD_MASK 127u

/* Offsets in the head of headers that are there, or OQ_NONE. */
struct oq_frame {
	oq_u32 length; /* bytes of the head */
	oq_u32 vlan;   /* two bytes of control information of the tag that stands directly behind the addresses */
	oq_u32 ipv4;
	oq_u32 ipv6;
	oq_u32 tcp; /* of the first fragment only, as UDP's is */
	oq_u32 udp;
	oq_u32 protocol;
	oq_u32 sealed;   /* whether a check value covers the header of IP, so that it must stay as it is */
	oq_u32 only_tags; /* whether there are only tags of 0x8100 and 0x88a8 before IP */
	/* Where the search is: behind an EtherType, or at a pseudowire. */
	oq_u32 kind;
	oq_u32 at;
};

#define OQ_IPV4 0x0800u
#define OQ_IPV6 0x86ddu
/* No EtherTypes. */
#define OQ_PSEUDOWIRE 0x10000u
#define OQ_NO_KIND 0x10001u

OQ_STATE oq_u8 oq_frame_head[OQ_HEAD_BYTES];
OQ_STATE struct oq_frame oq_frame;

/* A byte of the head, or 0. */
OQ_INLINE oq_u32 oq_frame_byte(oq_u32 at)
{
	return at < oq_frame.length ? OQ_AT(oq_frame_head, at, OQ_HEAD_MASK) : 0;
}

OQ_GLOBAL oq_u32 oq_frame_word(oq_u32 at)
{
	return oq_frame_byte(at) << 8 | oq_frame_byte(at + 1);
}

OQ_INLINE oq_u32 oq_frame_long(oq_u32 at)
{
	return oq_frame_word(at) << 16 | oq_frame_word(at + 2);
}

OQ_GLOBAL int oq_find_ports(oq_u32 at)
{
	if (oq_frame.protocol == 6 && at + 20 <= oq_frame.length)
		oq_frame.tcp = at;
	if (oq_frame.protocol == 17 && at + 8 <= oq_frame.length)
		oq_frame.udp = at;
	return 0;
}

OQ_GLOBAL int oq_find_ipv4(oq_u32 at)
{
	oq_u32 first = oq_frame_byte(at);
	oq_u32 length = (first & 0x0f) * 4;

	if (first >> 4 != 4 || length < 20 || at + 20 > oq_frame.length)
		return 0;
	oq_frame.ipv4 = at;
	oq_frame.protocol = oq_frame_byte(at + 9);
	if (!(oq_frame_word(at + 6) & 0x1fff))
		oq_find_ports(at + length);
	return 0;
}

OQ_GLOBAL int oq_find_ipv6(oq_u32 at)
{
	if (oq_frame_byte(at) >> 4 != 6 || at + 40 > oq_frame.length)
		return 0;
	oq_frame.ipv6 = at;
	oq_frame.protocol = oq_frame_byte(at + 6);
	oq_find_ports(at + 40);
	return 0;
}

OQ_INLINE int oq_is_tag(oq_u32 kind)
{
	return kind == 0x8100 || kind == 0x88a8 || kind == 0x9100 || kind == 0x9200;
}

/* Goes on by `bytes`, behind the EtherType that stands `ahead`. */
OQ_INLINE void oq_skip(oq_u32 ahead, oq_u32 bytes)
{
	oq_frame.kind = oq_frame_word(oq_frame.at + ahead);
	oq_frame.at += bytes;
}

/* Behind one label. Below the last one nothing says what follows: it is IP by its version, or a pseudowire. */
OQ_GLOBAL int oq_behind_label(void)
{
	oq_u32 is_last = oq_frame_byte(oq_frame.at + 2) & 1;
	oq_u32 version;

	oq_frame.at += 4;
	if (!is_last)
		return 0;
	version = oq_frame_byte(oq_frame.at) >> 4;
	oq_frame.kind = version == 4 ? OQ_IPV4 : version == 6 ? OQ_IPV6 : OQ_PSEUDOWIRE;
	return 0;
}

/* Behind a PPPoE session and its PPP, whose protocol has one byte or two, with or without the two bytes of HDLC before it. */
OQ_GLOBAL int oq_behind_session(void)
{
	oq_u32 at = oq_frame.at + 6;
	oq_u32 protocol;

	if (oq_frame_word(at) == 0xff03)
		at += 2;
	protocol = oq_frame_byte(at);
	at += 1;
	if (!(protocol & 1)) {
		protocol = protocol << 8 | oq_frame_byte(at);
		at += 1;
	}
	oq_frame.at = at;
	oq_frame.kind = OQ_NO_KIND;
	if (protocol == 0x0021)
		oq_frame.kind = OQ_IPV4;
	if (protocol == 0x0057)
		oq_frame.kind = OQ_IPV6;
	if (protocol == 0x0281 || protocol == 0x0283)
		oq_frame.kind = 0x8847;
	return 0;
}

/* Behind LLC, with SNAP (RFC 1042) or, for IP only, without. */
OQ_GLOBAL int oq_behind_llc(void)
{
	oq_u32 addresses = oq_frame_word(oq_frame.at);
	oq_u32 control = oq_frame_byte(oq_frame.at + 2);

	oq_frame.kind = OQ_NO_KIND;
	if (addresses == 0xaaaa && control == 3) {
		oq_skip(6, 8);
	} else if (addresses == 0x0606 && control == 3) {
		oq_frame.kind = OQ_IPV4;
		oq_frame.at += 3;
	}
	return 0;
}

/* Behind the tag of MACsec (IEEE 802.1AE), if what follows is neither encrypted nor changed. */
OQ_GLOBAL int oq_behind_macsec(void)
{
	oq_u32 flags = oq_frame_byte(oq_frame.at);
	oq_u32 tag = flags & 0x20 ? 14 : 6;

	oq_frame.kind = OQ_NO_KIND;
	if (flags & 0x0c)
		return 0;
	oq_frame.sealed = 1;
	oq_skip(tag, tag + 2);
	return 0;
}

/* Goes behind one encapsulation; OQ_NO_KIND is where there is none. */
OQ_GLOBAL int oq_behind(void)
{
	oq_u32 kind = oq_frame.kind;

	if (kind != 0x8100 && kind != 0x88a8)
		oq_frame.only_tags = 0;
	if (oq_is_tag(kind)) {
		oq_skip(2, 4);
	} else if (kind == 0x8847 || kind == 0x8848) {
		oq_behind_label();
	} else if (kind == OQ_PSEUDOWIRE) {
		/* Its control word begins with 0 (RFC 4385). */
		if (!(oq_frame_byte(oq_frame.at) >> 4))
			oq_frame.at += 4;
		oq_skip(12, 14);
	} else if (kind == 0x8864) {
		oq_behind_session();
	} else if (kind == 0x88e5) {
		oq_behind_macsec();
	} else if (kind <= 1500) {
		/* A length. */
		oq_behind_llc();
	} else {
		oq_frame.kind = OQ_NO_KIND;
	}
	return 0;
}

/* Finds the headers in the head, of which `length` bytes are there; more than OQ_HEAD_BYTES are as many. */
OQ_GLOBAL int oq_find_headers(oq_u32 length)
{
	oq_frame.length = length < OQ_HEAD_BYTES ? length : OQ_HEAD_BYTES;
	oq_frame.vlan = OQ_NONE;
	oq_frame.ipv4 = OQ_NONE;
	oq_frame.ipv6 = OQ_NONE;
	oq_frame.tcp = OQ_NONE;
	oq_frame.udp = OQ_NONE;
	oq_frame.protocol = 0;
	oq_frame.sealed = 0;
	oq_frame.only_tags = 1;
	oq_frame.kind = oq_frame_word(12);
	oq_frame.at = 14;
	if (oq_is_tag(oq_frame.kind) && oq_frame.length >= 18)
		oq_frame.vlan = 14;
	OQ_LOOP(i, OQ_MOST_ENCAPSULATIONS) {
		if (oq_frame.kind == OQ_IPV4 || oq_frame.kind == OQ_IPV6 || oq_frame.kind == OQ_NO_KIND)
			break;
		oq_behind();
	}
	if (oq_frame.kind == OQ_IPV4)
		oq_find_ipv4(oq_frame.at);
	if (oq_frame.kind == OQ_IPV6)
		oq_find_ipv6(oq_frame.at);
	return 0;
}

/* The byte with DSCP and ECN: the type of service, or the traffic class; 0 without IP. */
OQ_INLINE oq_u32 oq_frame_class(void)
{
	if (oq_frame.ipv4 != OQ_NONE)
		return oq_frame_byte(oq_frame.ipv4 + 1);
	if (oq_frame.ipv6 != OQ_NONE)
		return oq_frame_word(oq_frame.ipv6) >> 4 & 0xff;
	return 0;
}

/* The control information of the VLAN tag that stands directly behind the addresses; 0 without. */
OQ_INLINE oq_u32 oq_frame_tag(void)
{
	return oq_frame.vlan == OQ_NONE ? 0 : oq_frame_word(oq_frame.vlan);
}

/* `width` bytes, the most significant first, `offset` bytes after what begins at `begin`; 0 if they are not all there. */
OQ_GLOBAL oq_u64 oq_frame_number(oq_u32 begin, oq_u32 offset, oq_u32 width)
{
	oq_u64 number = 0;

	if (begin >= oq_frame.length || begin + offset + width > oq_frame.length)
		return 0;
	OQ_LOOP(i, 8) {
		if (i >= width)
			break;
		number = number << 8 | oq_frame_byte(begin + offset + i);
	}
	return number;
}

/* One word of MurmurHash3 (x86, 32 bits; Austin Appleby). */
OQ_INLINE oq_u32 oq_hash_word(oq_u32 hash, oq_u32 word)
{
	word *= 0xcc9e2d51u;
	word = (word << 15 | word >> 17) * 0x1b873593u;
	hash ^= word;
	return (hash << 13 | hash >> 19) * 5 + 0xe6546b64u;
}

/* A number for the flow: of protocol, addresses and ports. Frames without IP are all of flow 0. */
OQ_GLOBAL oq_u32 oq_flow_hash(void)
{
	int is_old = oq_frame.ipv4 != OQ_NONE;
	oq_u32 from = is_old ? oq_frame.ipv4 + 12 : oq_frame.ipv6 + 8;
	oq_u32 words = is_old ? 2 : 8;
	oq_u32 ports = oq_frame.tcp != OQ_NONE ? oq_frame.tcp : oq_frame.udp;
	oq_u32 hash;

	if (!is_old && oq_frame.ipv6 == OQ_NONE)
		return 0;
	hash = oq_hash_word(0, oq_frame.protocol);
	hash = oq_hash_word(hash, ports == OQ_NONE ? 0 : oq_frame_long(ports));
	OQ_LOOP(i, 8) {
		if (i >= words)
			break;
		hash = oq_hash_word(hash, oq_frame_long(from + 4 * i));
	}
	hash ^= 8 + 4 * words;
	hash = (hash ^ hash >> 16) * 0x85ebca6bu;
	hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
	return hash ^ hash >> 16;
}

/* The marks that a frame comes with: its ECN bits, and the drop eligibility of the VLAN tag directly behind the addresses. */
OQ_INLINE oq_u32 oq_frame_marks(void)
{
	oq_u32 ecn = oq_frame_class() & 3;
	oq_u32 marks = ecn ? OQ_ECN_CAPABLE : 0;

	if (ecn == 3)
		marks |= OQ_NOTIFICATION;
	if (oq_frame_tag() & 0x1000)
		marks |= OQ_MARK;
	return marks;
}

/* A number cut to what its field holds. */
OQ_INLINE oq_u64 oq_at_most(oq_u64 number, oq_u64 most)
{
	return number < most ? number : most;
}

#endif
