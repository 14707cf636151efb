/*
 * An OpenQueue policy: packets go in with oq_enqueue and come out with oq_dequeue.
 *
 * A host includes this file only. One thread at a time may call the functions. The time is in nanoseconds and never goes
 * back: what is first in, first out goes by the order of arrivals. Packets leave ports as fast as the host asks for them,
 * which keeps the rates in oq_port_rates. What it all means: docs/openqueue-semantics.md.
 */
#ifndef OQ_CORE_H
#define OQ_CORE_H

#include "oq_base.h"
#include "oq_numbers.h"
#include "oq_sizes.h"
#include "oq_packets.h"
#include "oq_orders.h"
#include "oq_waiting.h"
#ifdef OQ_ROUTINES
#include "oq_routines.h"
#endif
#include "oq_rules.h"

/* Begins without packets, and goes on counting; the same seed gives the same trials as the engines of forebay. */
OQ_GLOBAL int oq_start(oq_u64 seed)
{
	oq_u64 hash = 0x054cb9e1931bcf1dULL; /* FNV-1a of "policy/drop" */

	OQ_LOOP(i, OQ_QUEUES) {
		OQ_QUEUE(i).bytes = 0;
#ifdef OQ_SUMS_PROCESSING
		OQ_CYCLES(i) = 0;
#endif
		OQ_QUEUE(i).packets = 0;
		OQ_QUEUE(i).first = OQ_NONE;
		OQ_QUEUE(i).last = OQ_NONE;
		OQ_QUEUE(i).notify_next = 0;
		OQ_QUEUE(i).adm_state = OQ_AT(oq_queue_adm_states, i, OQ_QUEUE_MASK);
		OQ_QUEUE(i).sched_state = OQ_AT(oq_queue_sched_states, i, OQ_QUEUE_MASK);
	}
	OQ_LOOP(i, OQ_PORTS)
		OQ_PORT(i).sched_state = OQ_AT(oq_port_sched_states, i, OQ_PORT_MASK);
	OQ_LOOP(i, OQ_BUFFERS) {
		OQ_BUFFER(i).bytes = 0;
		OQ_BUFFER(i).packets = 0;
		OQ_BUFFER(i).adm_state = OQ_AT(oq_buffer_adm_states, i, OQ_BUFFER_MASK);
	}
	oq_next_number = 0;
	oq_free_slot = OQ_NONE;
	oq_fresh_slot = 0;
	OQ_LOOP(i, 8) {
		hash = (hash ^ (seed & 0xff)) * 0x100000001b3ULL;
		seed >>= 8;
	}
	/* SplitMix64 (Steele, Lea, Flood, 2014) makes the state of the hash. */
	OQ_LOOP(i, 4) {
		oq_u64 mixed;

		hash += 0x9e3779b97f4a7c15ULL;
		mixed = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
		mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
		OQ_AT(oq_random_state, i, 3u) = mixed ^ (mixed >> 31);
	}
	return 0;
}

#ifdef OQ_PARAMETERS
/* Gives all live parameters the values that they begin with. */
OQ_INLINE void oq_init_parameters(void)
{
	static const oq_i64 initials[OQ_PARAMETERS] = OQ_PARAMETER_INITIALS;

	OQ_LOOP(i, OQ_PARAMETERS)
		OQ_AT(oq_parameters, i, OQ_PARAMETER_MASK) = OQ_AT(initials, i, OQ_PARAMETER_MASK);
}

#endif
/* Begins without packets, and counts from 0. */
OQ_INLINE void oq_init(oq_u64 seed)
{
	OQ_LOOP(i, OQ_RULES)
		OQ_AT(oq_counters.dropped, i, 7u) = 0;
	oq_counters.marked = 0;
	oq_counters.notified = 0;
	OQ_LOOP(i, OQ_QUEUES) {
		OQ_QUEUE(i).arrived = 0;
		OQ_QUEUE(i).sent = 0;
		OQ_LOOP(rule, OQ_RULES)
			OQ_AT(OQ_QUEUE(i).dropped, rule, 7u) = 0;
	}
#ifdef OQ_PARAMETERS
	oq_init_parameters();
#endif
	oq_start(seed);
}

/* A packet is refused. Its slot can be read until the next packet arrives. */
OQ_INLINE oq_u32 oq_refuse(oq_u32 slot, oq_u32 rule)
{
	if (slot != OQ_NONE)
		oq_give_slot(slot);
	return OQ_REFUSED | rule;
}

/* Whether a queue or its buffer holds more than its size, or the queue more cycles than a number can be. */
OQ_INLINE int oq_overflows(oq_u32 queue, oq_u32 buffer)
{
#ifdef OQ_SUMS_PROCESSING
	if (OQ_CYCLES(queue) >> 47)
		return 1;
#endif
	if (oq_queue_curr(queue) > OQ_AT(oq_queue_sizes, queue, OQ_QUEUE_MASK))
		return 1;
	return buffer != OQ_NONE && oq_buffer_curr(buffer) > OQ_AT(oq_buffer_sizes, buffer, OQ_BUFFER_MASK);
}

/* A packet arrives: its slot, or OQ_REFUSED with the rule. Those that it pushes out are given to OQ_DROP. */
OQ_INLINE oq_u32 oq_enqueue(oq_u64 now, const struct oq_fields *fields)
{
	oq_u32 slot = oq_take_slot();
	oq_u32 queue, buffer;

	if (slot == OQ_NONE) {
		oq_counters.dropped[OQ_RULE_SLOTS]++;
		return OQ_REFUSED | OQ_RULE_SLOTS;
	}
	OQ_PACKET(slot).fields = *fields;
	OQ_PACKET(slot).number = oq_next_number++;
	OQ_PACKET(slot).arrival = now;
	OQ_PACKET(slot).processing = fields->processing;
	OQ_PACKET(slot).queue = OQ_NONE;
	queue = oq_classify(slot, now);
	if (queue == OQ_NONE) {
		oq_counters.dropped[OQ_RULE_UNCLASSIFIED]++;
		return oq_refuse(slot, OQ_RULE_UNCLASSIFIED);
	}
	OQ_QUEUE(queue).arrived++;
	if (OQ_QUEUE(queue).packets >= OQ_ROOM_PLACES(queue)) {
		oq_count_drop(queue, OQ_RULE_SLOTS);
		return oq_refuse(slot, OQ_RULE_SLOTS);
	}
	oq_put_in(queue, slot);
	buffer = OQ_AT(oq_queue_buffer, queue, OQ_QUEUE_MASK);
	if (buffer != OQ_NONE) {
		oq_treat_buffer(slot, buffer, queue, now);
		if (!oq_is_there(slot))
			return oq_refuse(slot, OQ_RULE_BUFFER);
	}
	oq_treat_queue(slot, queue, now);
	if (!oq_is_there(slot))
		return oq_refuse(slot, OQ_RULE_QUEUE);
	if (oq_overflows(queue, buffer)) {
		oq_take_out(slot);
		oq_count_drop(queue, OQ_RULE_OVERFLOW);
		return oq_refuse(slot, OQ_RULE_OVERFLOW);
	}
	return slot;
}

/* What oq_cycle returns if a packet was served that stays. */
#define OQ_CYCLE 0xfffffffeu

/* Serves a port: all that is left of a packet, or one cycle of a nanosecond. */
OQ_INLINE oq_u32 oq_serve(oq_u64 now, oq_u32 port, int one_cycle)
{
	oq_u32 queue = oq_next_queue(port);
	oq_u32 slot;
	oq_u64 left;

	if (queue == OQ_NONE)
		return OQ_NONE;
	slot = oq_head(queue);
	if (slot == OQ_NONE)
		return OQ_NONE;
	left = OQ_PACKET(slot).fields.processing;
	left = one_cycle && left ? left - 1 : 0;
#ifdef OQ_SUMS_PROCESSING
	OQ_CYCLES(queue) -= oq_cycles_of(slot);
#endif
	OQ_PACKET(slot).fields.processing = left;
#ifdef OQ_SUMS_PROCESSING
	OQ_CYCLES(queue) += oq_cycles_of(slot);
#endif
	if (left)
		oq_orders_moved(queue, slot, OQ_QUEUE(queue).packets);
	oq_after_service(slot, port, queue, now);
	if (left)
		return OQ_CYCLE;
	if (OQ_QUEUE(queue).notify_next) {
		OQ_QUEUE(queue).notify_next = 0;
		oq_notify(slot, queue);
	}
	oq_take_out(slot);
	OQ_QUEUE(queue).sent++;
	oq_give_slot(slot);
	return slot;
}

/* The packet that a port sends next, or OQ_NONE. Its marks and value are in its slot. */
OQ_INLINE oq_u32 oq_dequeue(oq_u64 now, oq_u32 port)
{
	return oq_serve(now, port, 0);
}

/* The same for one cycle of processing: OQ_CYCLE if the packet stays. */
OQ_INLINE oq_u32 oq_cycle(oq_u64 now, oq_u32 port)
{
	return oq_serve(now, port, 1);
}

#endif
