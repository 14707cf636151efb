/* @about@ */
OQ_INLINE int oq_@name@_first(oq_u32 a, oq_u32 b)
{
	int order = oq_@comparator@(a, b);

	if (order)
		return order < 0;
	return OQ_PACKET(a).number @tie@ OQ_PACKET(b).number;
}

/* Brings the packet at a place towards the front of its queue's heap as far as it precedes others. */
OQ_GLOBAL int oq_@name@_up(oq_u32 base, oq_u32 from)
{
	oq_u32 place = OQ_UNKNOWN(from);
	oq_u32 slot = OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK);

	OQ_LOOP(step, OQ_ROOM_STEPS) {
		oq_u32 parent, other;

		if (!place)
			break;
		parent = (place - 1) / 2;
		other = OQ_AT(oq_@end@_heap, base + parent, OQ_PLACE_MASK);
		if (!oq_@name@_first(slot, other))
			break;
		OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK) = other;
		OQ_PACKET(other).place[@index@] = place;
		place = OQ_UNKNOWN(parent);
	}
	OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK) = slot;
	OQ_PACKET(slot).place[@index@] = place;
	return 0;
}

/* Brings the packet at a place away from the front as far as others precede it; `count` packets are in the heap. */
OQ_GLOBAL int oq_@name@_down(oq_u32 base, oq_u32 from, oq_u32 count)
{
	oq_u32 place = OQ_UNKNOWN(from);
	oq_u32 slot = OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK);

	OQ_LOOP(step, OQ_ROOM_STEPS) {
		oq_u32 child = 2 * place + 1;
		oq_u32 other, right;

		if (child >= count)
			break;
		other = OQ_AT(oq_@end@_heap, base + child, OQ_PLACE_MASK);
		if (child + 1 < count) {
			right = OQ_AT(oq_@end@_heap, base + child + 1, OQ_PLACE_MASK);
			if (oq_@name@_first(right, other)) {
				other = right;
				child++;
			}
		}
		if (!oq_@name@_first(other, slot))
			break;
		OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK) = other;
		OQ_PACKET(other).place[@index@] = place;
		place = OQ_UNKNOWN(child);
	}
	OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK) = slot;
	OQ_PACKET(slot).place[@index@] = place;
	return 0;
}

/* Puts a packet into its queue's heap, in which there are `count` packets. */
OQ_INLINE void oq_@name@_in(oq_u32 queue, oq_u32 slot, oq_u32 count)
{
	oq_u32 base = OQ_ROOM_BASE(queue);

	OQ_AT(oq_@end@_heap, base + count, OQ_PLACE_MASK) = slot;
	oq_@name@_up(base, count);
}

/* Restores the order after the packet has changed. */
OQ_INLINE void oq_@name@_moved(oq_u32 queue, oq_u32 slot, oq_u32 count)
{
	oq_u32 base = OQ_ROOM_BASE(queue);

	oq_@name@_up(base, OQ_PACKET(slot).place[@index@]);
	oq_@name@_down(base, OQ_PACKET(slot).place[@index@], count);
}

/* Takes a packet out of the heap, in which there are `count` packets with it. */
OQ_INLINE void oq_@name@_out(oq_u32 queue, oq_u32 slot, oq_u32 count)
{
	oq_u32 base = OQ_ROOM_BASE(queue);
	oq_u32 place = OQ_PACKET(slot).place[@index@];
	oq_u32 last = OQ_AT(oq_@end@_heap, base + count - 1, OQ_PLACE_MASK);

	if (last == slot)
		return;
	OQ_AT(oq_@end@_heap, base + place, OQ_PLACE_MASK) = last;
	OQ_PACKET(last).place[@index@] = place;
	oq_@name@_moved(queue, last, count - 1);
}
