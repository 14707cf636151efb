/*
 * What is done to packets that wait: they go in and out, are dropped and marked.
 */
#ifndef OQ_WAITING_H
#define OQ_WAITING_H

/* Puts a packet into a queue: from here on it counts. */
OQ_GLOBAL int oq_put_in(oq_u32 queue, oq_u32 slot)
{
	oq_u32 buffer = OQ_AT(oq_queue_buffer, queue, OQ_QUEUE_MASK);
	oq_u32 size = OQ_PACKET(slot).fields.size;

	OQ_PACKET(slot).queue = queue;
	oq_list_in(queue, slot);
	oq_orders_in(queue, slot, OQ_QUEUE(queue).packets);
	OQ_QUEUE(queue).packets++;
	OQ_QUEUE(queue).bytes += size;
#ifdef OQ_SUMS_PROCESSING
	OQ_CYCLES(queue) += oq_cycles_of(slot);
#endif
	if (buffer != OQ_NONE) {
		OQ_BUFFER(buffer).packets++;
		OQ_BUFFER(buffer).bytes += size;
	}
	OQ_GOES_IN(queue, size);
	return 0;
}

/* Takes a packet out of its queue; its slot stays as it is. */
OQ_GLOBAL int oq_take_out(oq_u32 slot)
{
	oq_u32 queue = OQ_PACKET(slot).queue;
	oq_u32 buffer = OQ_AT(oq_queue_buffer, queue, OQ_QUEUE_MASK);
	oq_u32 size = OQ_PACKET(slot).fields.size;

	OQ_PACKET(slot).queue = OQ_NONE;
	oq_list_out(queue, slot);
	oq_orders_out(queue, slot, OQ_QUEUE(queue).packets);
	OQ_QUEUE(queue).packets--;
	OQ_QUEUE(queue).bytes -= size;
#ifdef OQ_SUMS_PROCESSING
	OQ_CYCLES(queue) -= oq_cycles_of(slot);
#endif
	if (buffer != OQ_NONE) {
		OQ_BUFFER(buffer).packets--;
		OQ_BUFFER(buffer).bytes -= size;
	}
	OQ_GOES_OUT(queue, size);
	return 0;
}

/* Whether a packet was not dropped. */
OQ_INLINE int oq_is_there(oq_u32 slot)
{
	return OQ_PACKET(slot).queue != OQ_NONE;
}

/* Counts a packet that a queue has lost. */
OQ_INLINE void oq_count_drop(oq_u32 queue, oq_u32 rule)
{
	OQ_AT(oq_counters.dropped, rule, 7u)++;
	OQ_AT(OQ_QUEUE(queue).dropped, rule, 7u)++;
}

/* Drops the victim of a queue. Whether there was one. The slot of the arriving packet is kept: it is read on. */
OQ_INLINE int oq_drop_from(oq_u32 queue, oq_u32 arriving, oq_u32 rule)
{
	oq_u32 victim = queue == OQ_NONE ? OQ_NONE : oq_victim(queue);

	if (victim == OQ_NONE)
		return 0;
	oq_take_out(victim);
	oq_count_drop(queue, rule);
	if (victim != arriving) {
		OQ_DROP(victim, rule);
		oq_give_slot(victim);
	}
	return 1;
}

OQ_INLINE void oq_mark(oq_u32 slot)
{
	if (!oq_is_there(slot))
		return;
	if (!(OQ_PACKET(slot).fields.marks & OQ_MARK))
		oq_counters.marked++;
	OQ_PACKET(slot).fields.marks |= OQ_MARK;
#ifdef OQ_SORTS_MARKS
	oq_orders_moved(OQ_PACKET(slot).queue, slot, OQ_QUEUE(OQ_PACKET(slot).queue).packets);
#endif
}

/* Notifies by a packet of the queue; if it was dropped, by the next that leaves. */
OQ_INLINE void oq_notify(oq_u32 slot, oq_u32 queue)
{
	if (!oq_is_there(slot)) {
		OQ_QUEUE(queue).notify_next = 1;
		return;
	}
	if (!(OQ_PACKET(slot).fields.marks & OQ_NOTIFICATION))
		oq_counters.notified++;
	OQ_PACKET(slot).fields.marks |= OQ_NOTIFICATION;
#ifdef OQ_SORTS_MARKS
	oq_orders_moved(queue, slot, OQ_QUEUE(queue).packets);
#endif
}

/* Changes the value of a packet that waits, if there is one; of one that was dropped nothing changes. */
OQ_INLINE void oq_change_value(oq_u32 slot, oq_i64 value)
{
	oq_u32 queue;

	if (slot == OQ_NONE || !oq_is_there(slot))
		return;
	queue = OQ_PACKET(slot).queue;
	oq_give_value(slot, value);
	oq_orders_moved(queue, slot, OQ_QUEUE(queue).packets);
}

/* The next number of the stream of trials: xoshiro256++ (Blackman and Vigna, 2018). */
OQ_INLINE oq_u64 oq_random(void)
{
	oq_u64 *s = oq_random_state;
	oq_u64 sum = s[0] + s[3];
	oq_u64 drawn = ((sum << 23) | (sum >> 41)) + s[0];
	oq_u64 shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return drawn;
}

/* What a drop with a probability comes to. */
#define OQ_KEEP 0
#define OQ_MAY 1
#define OQ_SURE 2

OQ_INLINE int oq_trial(oq_i64 probability)
{
	if (probability <= 0)
		return OQ_KEEP;
	if (probability >= OQ_WHOLE(1))
		return OQ_SURE;
	return oq_random() < (oq_u64)probability << 48 ? OQ_MAY : OQ_KEEP;
}

#endif
