/*
 * Writes a policy's marks into a frame, for hosts that have its bytes.
 *
 * A congestion notification is ECN's "congestion experienced" (RFC 3168), if the sender understands it; drop eligibility is
 * the bit for it (IEEE 802.1Q, DEI) of the VLAN tag that stands directly behind the addresses, if there is one. IP behind a tag
 * of MACsec stays as it is: its check value would be wrong.
 */
#ifndef OQ_MARKING_H
#define OQ_MARKING_H

/* The checksum of a header of which one word has changed (RFC 1624, equation 3). */
OQ_INLINE oq_u32 oq_updated_sum(oq_u32 sum, oq_u32 before, oq_u32 after)
{
	oq_u32 total = (~sum & 0xffff) + (~before & 0xffff) + after;

	total = (total & 0xffff) + (total >> 16);
	total = (total & 0xffff) + (total >> 16);
	return ~total & 0xffff;
}

/* Writes marks into the frame of `length` bytes, of which the first OQ_HEAD_BYTES can be written, as far as they are there. */
OQ_INLINE void oq_write_marks(oq_u8 *bytes, oq_u32 length, oq_u32 marks)
{
	oq_u32 ecn, at, before, sum;

	if (!(marks & (OQ_MARK | OQ_NOTIFICATION)))
		return;
	OQ_LOOP(i, OQ_HEAD_BYTES) {
		if (i >= length)
			break;
		oq_frame_head[i] = bytes[i];
	}
	oq_find_headers(length);
	ecn = oq_frame_class() & 3;
	if ((marks & OQ_MARK) && oq_frame.vlan != OQ_NONE)
		bytes[oq_frame.vlan] |= 0x10;
	if (!(marks & OQ_NOTIFICATION) || oq_frame.sealed || ecn == 0 || ecn == 3)
		return;
	if (oq_frame.ipv4 != OQ_NONE) {
		at = oq_frame.ipv4;
		before = oq_frame_word(at);
		sum = oq_updated_sum(oq_frame_word(at + 10), before, before | 3);
		bytes[at + 1] |= 3;
		bytes[at + 10] = (oq_u8)(sum >> 8);
		bytes[at + 11] = (oq_u8)sum;
	} else if (oq_frame.ipv6 != OQ_NONE) {
		bytes[oq_frame.ipv6 + 1] |= 0x30;
	}
}

#endif
