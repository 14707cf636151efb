/*
 * Packets that wait, and the queues, ports and buffers that they are in.
 *
 * A packet has a slot, from which the host finds what it keeps for it. Slots are taken when packets arrive, and are free
 * again when they have left; what is in a slot can be read until the next packet arrives.
 */
#ifndef OQ_PACKETS_H
#define OQ_PACKETS_H

#include "oq_interface.h"

struct oq_packet {
	struct oq_fields fields; /* as they are now: `processing` is what is left */
	oq_u64 number;           /* its place in the order of arrival */
	oq_u64 arrival;          /* in nanoseconds */
	oq_u64 processing;       /* as it came in */
	oq_u32 queue;            /* that it waits in, or OQ_NONE */
	oq_u32 next;             /* in order of arrival; of a free slot, the next free one */
	oq_u32 previous;
	oq_u32 place[2];         /* in the heap of service, and in that of victims */
};

/* All that the policy holds: plain variables, or what one of several instances has. */
#ifdef OQ_INSTANCE
#define OQ_HELD
struct oq_instance {
#include "oq_state.h"
	OQ_MORE_STATE
};
#define oq_packets (OQ_INSTANCE->oq_packets)
#define oq_queues (OQ_INSTANCE->oq_queues)
#define oq_ports (OQ_INSTANCE->oq_ports)
#define oq_buffers (OQ_INSTANCE->oq_buffers)
#define oq_counters (OQ_INSTANCE->oq_counters)
#define oq_next_number (OQ_INSTANCE->oq_next_number)
#define oq_free_slot (OQ_INSTANCE->oq_free_slot)
#define oq_fresh_slot (OQ_INSTANCE->oq_fresh_slot)
#define oq_random_state (OQ_INSTANCE->oq_random_state)
#define oq_service_heap (OQ_INSTANCE->oq_service_heap)
#define oq_victims_heap (OQ_INSTANCE->oq_victims_heap)
#ifdef OQ_PARAMETERS
#define oq_parameters (OQ_INSTANCE->oq_parameters)
#endif
#ifdef OQ_SUMS_PROCESSING
#define oq_queue_cycles (OQ_INSTANCE->oq_queue_cycles)
#endif
#else
#define OQ_HELD OQ_STATE
#include "oq_state.h"
#endif

#define OQ_PACKET(slot) OQ_AT(oq_packets, slot, OQ_SLOT_MASK)
#define OQ_QUEUE(queue) OQ_AT(oq_queues, queue, OQ_QUEUE_MASK)
#define OQ_PORT(port) OQ_AT(oq_ports, port, OQ_PORT_MASK)
#define OQ_BUFFER(buffer) OQ_AT(oq_buffers, buffer, OQ_BUFFER_MASK)

/* A property of a packet as a number, and of a packet that may not be there: then it is 0. */
#define OQ_FIELD(name, from)                              \
	OQ_INLINE oq_i64 oq_packet_##name(oq_u32 slot)    \
	{                                                 \
		return oq_whole(from);                    \
	}                                                 \
	OQ_INLINE oq_i64 oq_head_##name(oq_u32 slot)      \
	{                                                 \
		return slot == OQ_NONE ? 0 : oq_packet_##name(slot); \
	}

OQ_FIELD(policy_id, OQ_ARRIVED_UNDER(slot))
OQ_FIELD(queue, OQ_PACKET(slot).fields.queue)
OQ_FIELD(value, OQ_PACKET(slot).fields.value)
OQ_FIELD(processing, OQ_PACKET(slot).fields.processing)
OQ_FIELD(slack, OQ_PACKET(slot).fields.slack)
OQ_FIELD(flow, OQ_PACKET(slot).fields.flow)
OQ_FIELD(arrival, OQ_PACKET(slot).arrival)
OQ_FIELD(size, OQ_PACKET(slot).fields.size)
OQ_FIELD(remaining, OQ_PACKET(slot).fields.remaining)
OQ_FIELD(class, OQ_PACKET(slot).fields.class)
OQ_FIELD(rank, OQ_PACKET(slot).fields.rank)
OQ_FIELD(marked, (OQ_PACKET(slot).fields.marks & OQ_MARK) != 0)
OQ_FIELD(notified, (OQ_PACKET(slot).fields.marks & OQ_NOTIFICATION) != 0)

/* The occupancy of a queue, in the unit of its size. */
OQ_INLINE oq_i64 oq_queue_curr(oq_u32 queue)
{
	if (OQ_AT(oq_queue_in_bytes, queue, OQ_QUEUE_MASK))
		return oq_whole(OQ_QUEUE(queue).bytes + OQ_ELSEWHERE_IN_QUEUE(queue, bytes));
	return oq_whole(OQ_QUEUE(queue).packets + OQ_ELSEWHERE_IN_QUEUE(queue, packets));
}

/* The occupancy of a buffer, in the unit of its size. */
OQ_INLINE oq_i64 oq_buffer_curr(oq_u32 buffer)
{
	if (OQ_AT(oq_buffer_in_bytes, buffer, OQ_BUFFER_MASK))
		return oq_whole(OQ_BUFFER(buffer).bytes + OQ_ELSEWHERE_IN_BUFFER(buffer, bytes));
	return oq_whole(OQ_BUFFER(buffer).packets + OQ_ELSEWHERE_IN_BUFFER(buffer, packets));
}

#ifdef OQ_SUMS_PROCESSING
#define OQ_CYCLES(queue) OQ_AT(oq_queue_cycles, queue, OQ_QUEUE_MASK)

/* What a packet adds to the sum of its queue: no more than a number can be, so that the sum of all fits. */
OQ_INLINE oq_u64 oq_cycles_of(oq_u32 slot)
{
	oq_u64 cycles = OQ_PACKET(slot).fields.processing;

	return cycles >> 47 ? 1ULL << 47 : cycles;
}

/* The sum of the processing of a queue's packets, without those that wait elsewhere. */
OQ_INLINE oq_i64 oq_queue_processing(oq_u32 queue)
{
	return oq_whole(OQ_CYCLES(queue));
}

#endif
/* A free slot, or OQ_NONE. */
OQ_INLINE oq_u32 oq_take_slot(void)
{
	oq_u32 slot = oq_free_slot;

	if (slot != OQ_NONE) {
		oq_free_slot = OQ_PACKET(slot).next;
		return slot;
	}
	if (oq_fresh_slot >= OQ_ROOM_SLOTS)
		return OQ_NONE;
	return oq_fresh_slot++;
}

OQ_INLINE void oq_give_slot(oq_u32 slot)
{
	OQ_PACKET(slot).next = oq_free_slot;
	oq_free_slot = slot;
}

/* Puts a packet at the end of its queue's list. */
OQ_INLINE void oq_list_in(oq_u32 queue, oq_u32 slot)
{
	oq_u32 last = OQ_QUEUE(queue).last;

	OQ_PACKET(slot).next = OQ_NONE;
	OQ_PACKET(slot).previous = last;
	if (last == OQ_NONE)
		OQ_QUEUE(queue).first = slot;
	else
		OQ_PACKET(last).next = slot;
	OQ_QUEUE(queue).last = slot;
}

/* Takes a packet out of its queue's list. */
OQ_INLINE void oq_list_out(oq_u32 queue, oq_u32 slot)
{
	oq_u32 next = OQ_PACKET(slot).next;
	oq_u32 previous = OQ_PACKET(slot).previous;

	if (previous == OQ_NONE)
		OQ_QUEUE(queue).first = next;
	else
		OQ_PACKET(previous).next = next;
	if (next == OQ_NONE)
		OQ_QUEUE(queue).last = previous;
	else
		OQ_PACKET(next).previous = previous;
}

/* Gives a packet a value: whole, from 0 to 2^32 - 1. */
OQ_INLINE void oq_give_value(oq_u32 slot, oq_i64 value)
{
	oq_i64 whole = oq_floor(value);

	OQ_PACKET(slot).fields.value = whole < 0 ? 0 : whole > 0xffffffffLL ? 0xffffffffu : (oq_u32)whole;
}

#endif
