/*
 * Where the headers of a frame are: Ethernet, up to two VLAN tags, IPv4 or IPv6, TCP or UDP.
 *
 * The host writes the first bytes of a frame to oq_frame_head, as many as there are and not more than OQ_HEAD_BYTES, and
 * calls oq_read_fields of oq_fields.h, which is made of the policy's mapping. What is cut off or not known is not there;
 * extension headers of IPv6 are not followed.
 */
#ifndef OQ_HEADERS_H
#define OQ_HEADERS_H

#define OQ_HEAD_BYTES 128u
#define OQ_HEAD_MASK 127u

/* Offsets in the head of headers that are there, or OQ_NONE. */
struct oq_frame {
	oq_u32 length; /* bytes of the head */
	oq_u32 vlan;   /* the first tag's two bytes of control information */
	oq_u32 ipv4;
	oq_u32 ipv6;
	oq_u32 tcp; /* of the first fragment only, as UDP's is */
	oq_u32 udp;
	oq_u32 protocol;
};

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

/* Finds the headers in the head, of which `length` bytes are there; more than OQ_HEAD_BYTES are as many. */
OQ_GLOBAL int oq_find_headers(oq_u32 length)
{
	oq_u32 at = 14;
	oq_u32 kind;

	oq_frame.length = length < OQ_HEAD_BYTES ? length : OQ_HEAD_BYTES;
	oq_frame.vlan = OQ_NONE;
	oq_frame.ipv4 = OQ_NONE;
	oq_frame.ipv6 = OQ_NONE;
	oq_frame.tcp = OQ_NONE;
	oq_frame.udp = OQ_NONE;
	oq_frame.protocol = 0;
	kind = oq_frame_word(12);
	OQ_LOOP(tag, 2) {
		if (kind != 0x8100 && kind != 0x88a8)
			break;
		if (!tag && at + 2 <= oq_frame.length)
			oq_frame.vlan = at;
		kind = oq_frame_word(at + 2);
		at += 4;
	}
	if (kind == 0x0800)
		oq_find_ipv4(at);
	if (kind == 0x86dd)
		oq_find_ipv6(at);
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

/* The control information of the first VLAN tag; 0 without. */
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

/* The marks that a frame comes with: its ECN bits, and the drop eligibility of its first VLAN tag. */
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
