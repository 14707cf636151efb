/*
 * A policy that is changed while packets wait (docs/openqueue-semantics.md, section 8): the host's side, for any versions.
 *
 * One thread works on a policy: oq_live_enqueue, oq_live_serve, oq_live_set, oq_live_change and oq_live_ended. One other may make a
 * version ready meanwhile (oq_live_prepare) and give back the memory of those that have ended (oq_live_release), so that nothing is
 * allocated or freed between two packets.
 */
#ifndef OQ_LIVE_H
#define OQ_LIVE_H

#include "oq_running.h"

/* Begins with a first version: 0, or -1 and a message. */
static inline int oq_live_begin(struct oq_live *live, const struct oq_version *version, oq_u64 seed,
				void (*pushed_out)(void *, const struct oq_passed *, oq_u32), void *context, char *message)
{
	memset(live, 0, sizeof *live);
	live->seed = seed;
	live->pushed_out = pushed_out;
	live->context = context;
	live->current = oq_live_prepare(live, version, message);
	if (!live->current)
		return -1;
	live->oldest = live->current;
	live->current->number = live->changes = 1;
	return 0;
}

/* Adds what was counted to a sum. */
static inline void oq_live_add(struct oq_counts *sum, const struct oq_counts *more)
{
	for (oq_u32 i = 0; i < OQ_RULES; i++)
		sum->dropped[i] += more->dropped[i];
	sum->marked += more->marked;
	sum->notified += more->notified;
}

/* What all versions have counted. */
static inline struct oq_counts oq_live_counts(const struct oq_live *live)
{
	struct oq_counts sum = live->gone;

	for (const struct oq_running *each = live->oldest; each; each = each->newer)
		oq_live_add(&sum, each->parts.counters);
	return sum;
}

/* A version has no packets any more. */
static inline void oq_live_end(struct oq_live *live, struct oq_running *running)
{
	struct oq_running **at = &live->oldest;

	while (*at != running)
		at = &(*at)->newer;
	*at = running->newer;
	oq_live_add(&live->gone, running->parts.counters);
	running->newer = live->ended;
	live->ended = running;
}

/* The versions under which nothing waits any more since this was last asked, for oq_live_release. */
static inline struct oq_running *oq_live_ended(struct oq_live *live)
{
	struct oq_running *ended = live->ended;

	live->ended = NULL;
	return ended;
}

/* Gives back the memory of versions that have ended. */
static inline void oq_live_release(struct oq_running *ended)
{
	while (ended) {
		struct oq_running *next = ended->newer;

		oq_live_free(ended);
		ended = next;
	}
}

/* Gives back all. Packets that wait are the host's. */
static inline void oq_live_finish(struct oq_live *live)
{
	while (live->oldest)
		oq_live_end(live, live->oldest);
	oq_live_release(oq_live_ended(live));
	for (oq_u32 i = 0; i < live->names; i++)
		free(live->name[i]);
	free(live->name);
	memset(live, 0, sizeof *live);
}

/* Adds what waits in a queue to what a newer version counts in the queue of the same name and in its buffer. */
static inline void oq_live_hold(struct oq_running *newer, oq_u32 name, oq_u64 packets, oq_u64 bytes)
{
	oq_u32 queue = oq_live_queue(newer, name), buffer;

	if (queue == OQ_NONE)
		return;
	newer->parts.older_in_queue[queue].packets += packets;
	newer->parts.older_in_queue[queue].bytes += bytes;
	buffer = newer->version->queue_buffer[queue];
	if (buffer == OQ_NONE)
		return;
	newer->parts.older_in_buffer[buffer].packets += packets;
	newer->parts.older_in_buffer[buffer].bytes += bytes;
}

/* Section 8.4: whether packets wait where a version has no place for them, and where. */
static inline int oq_live_strands(const struct oq_live *live, const struct oq_running *next, enum oq_transition transition,
				  const char **name, oq_u64 *packets)
{
	*packets = 0;
	for (const struct oq_running *each = live->oldest; each; each = each->newer)
		for (oq_u32 i = 0; i < each->version->queues; i++) {
			oq_u32 port = each->version->queue_port[i];
			int has_place = transition == OQ_RERANK ? oq_live_queue(next, each->queue_name[i]) != OQ_NONE
								: oq_live_port(next, each->port_name[port]) != OQ_NONE;
			const char *here =
				transition == OQ_RERANK ? each->version->queue_names[i] : each->version->port_names[port];

			if (has_place || !each->parts.queues[i].packets)
				continue;
			if (!*packets)
				*name = here;
			if (!strcmp(*name, here))
				*packets += each->parts.queues[i].packets;
		}
	return *packets != 0;
}

/* Whether there is room for all that waits. */
static inline int oq_live_fits(const struct oq_live *live, const struct oq_running *next)
{
	oq_u64 free_slots = next->parts.slots;

	if (oq_live_waiting(live) + next->version->capacity > free_slots)
		return 0;
	for (oq_u32 queue = 0; queue < next->version->queues; queue++) {
		oq_u64 packets = next->version->queue_places[queue];

		for (const struct oq_running *each = live->oldest; each; each = each->newer) {
			oq_u32 same = oq_live_queue(each, next->queue_name[queue]);

			packets += same == OQ_NONE ? 0 : each->parts.queues[same].packets;
		}
		if (packets > next->parts.places[queue])
			return 0;
	}
	return 1;
}

/* Section 8.2: takes over the states of parts with the same name and the same initial value. */
static inline void oq_live_take_states(const struct oq_running *old, struct oq_running *next)
{
	const struct oq_version *before = old->version, *after = next->version;

	for (oq_u32 i = 0; i < after->queues; i++) {
		oq_u32 same = oq_live_queue(old, next->queue_name[i]);

		if (same == OQ_NONE)
			continue;
		if (!strcmp(before->queue_adm_states[same], after->queue_adm_states[i]))
			next->parts.queues[i].adm_state = old->parts.queues[same].adm_state;
		if (!strcmp(before->queue_sched_states[same], after->queue_sched_states[i]))
			next->parts.queues[i].sched_state = old->parts.queues[same].sched_state;
	}
	for (oq_u32 i = 0; i < after->ports; i++) {
		oq_u32 same = oq_live_port(old, next->port_name[i]);

		if (same != OQ_NONE && !strcmp(before->port_sched_states[same], after->port_sched_states[i]))
			next->parts.ports[i].sched_state = old->parts.ports[same].sched_state;
	}
	for (oq_u32 i = 0; i < after->buffers; i++)
		for (oq_u32 same = 0; same < before->buffers; same++)
			if (!strcmp(before->buffer_names[same], after->buffer_names[i])
			    && !strcmp(before->buffer_adm_states[same], after->buffer_adm_states[i]))
				next->parts.buffers[i].adm_state = old->parts.buffers[same].adm_state;
}

/* Section 8.3, drain: the new version counts what waits under older ones. */
static inline void oq_live_drain(struct oq_live *live)
{
	struct oq_running *each = live->oldest;

	while (each != live->current) {
		struct oq_running *newer = each->newer;

		if (!oq_live_packets(each))
			oq_live_end(live, each);
		else
			for (oq_u32 i = 0; i < each->version->queues; i++)
				oq_live_hold(live->current, each->queue_name[i], each->parts.queues[i].packets,
					     each->parts.queues[i].bytes);
		each = newer;
	}
}

/* Section 8.3, rerank: all that waits is placed in order of arrival. */
static inline void oq_live_rerank(struct oq_live *live)
{
	while (live->oldest != live->current) {
		struct oq_running *old = live->oldest;
		struct oq_passed packet;

		while (old->version->take(old->instance, &packet))
			live->current->version->place(live->current->instance,
						      oq_live_queue(live->current, old->queue_name[packet.queue]), &packet);
		oq_live_end(live, old);
	}
}

/*
 * Puts a version that was made ready in the place of the current one, between two packets: 0. If packets would be lost, or it was
 * made ready before the last change, nothing happens: -1, and `message` says why. The version is the policy's from then on; one
 * that was refused is the caller's, who may try again or give it to oq_live_free.
 */
static inline int oq_live_change(struct oq_live *live, struct oq_running *next, enum oq_transition transition, char *message)
{
	struct oq_running *old = live->current;
	const char *name = "";
	oq_u64 packets = 0, unused = 0;

	if (next->prepared != live->changes) {
		oq_live_say(message, "the version was made ready for version %u, and the policy has version %u meanwhile; make it ready again",
			    next->prepared, live->changes);
		return -1;
	}
	if (oq_live_strands(live, next, transition, &name, &packets)) {
		enum oq_transition other = transition == OQ_DRAIN ? OQ_RERANK : OQ_DRAIN;
		const char *elsewhere = "";
		int helps = !oq_live_strands(live, next, other, &elsewhere, &unused);

		oq_live_say(message, "%llu packet%s %s `%s`, which the new version does not have; %slet it empty first",
			    (unsigned long long)packets, packets == 1 ? " waits" : "s wait", transition == OQ_DRAIN ? "at port" : "in",
			    name, !helps ? "" : transition == OQ_DRAIN ? "change with rerank, or " : "change with drain, or ");
		return -1;
	}
	if (transition == OQ_RERANK && !oq_live_fits(live, next)) {
		oq_live_say(message, "more packets wait than the version was made ready for; make it ready again");
		return -1;
	}
	oq_live_take_states(old, next);
	old->newer = next;
	live->current = next;
	next->number = ++live->changes;
	if (transition == OQ_DRAIN)
		oq_live_drain(live);
	else
		oq_live_rerank(live);
	return 0;
}

/* A packet arrives, under the newest version: its queue, or OQ_REFUSED with the rule. */
static inline oq_u32 oq_live_enqueue(struct oq_live *live, oq_u64 now, const struct oq_fields *fields, void *packet)
{
	return live->current->version->enqueue(live->current->instance, now, fields, packet);
}

/* A packet of an older version has left: newer ones hold less. */
static inline void oq_live_left(struct oq_live *live, struct oq_running *old, const struct oq_passed *packet)
{
	for (struct oq_running *each = old->newer; each; each = each->newer)
		oq_live_hold(each, old->queue_name[packet->queue], -1ull, -(oq_u64)packet->fields.size);
	if (!oq_live_packets(old))
		oq_live_end(live, old);
}

/*
 * Serves a port of the newest version: OQ_SENT and the packet, OQ_CYCLE, or OQ_NONE. What waits at the port under older versions
 * leaves first. `by`, if it is not NULL, is the version under which the packet waited; `packet->queue` is a queue of it.
 */
static inline oq_u32 oq_live_serve(struct oq_live *live, oq_u64 now, oq_u32 port, int one_cycle, struct oq_passed *packet,
				   struct oq_running **by)
{
	struct oq_running *each = live->oldest;
	oq_u32 served;

	for (; each != live->current; each = each->newer) {
		oq_u32 own = oq_live_port(each, live->current->port_name[port]);

		if (own == OQ_NONE)
			continue;
		served = each->version->serve(each->instance, now, own, one_cycle, packet);
		if (served == OQ_NONE)
			continue;
		if (by)
			*by = each;
		if (served == OQ_SENT)
			oq_live_left(live, each, packet);
		return served;
	}
	if (by)
		*by = each;
	return each->version->serve(each->instance, now, port, one_cycle, packet);
}

/* Gives a live parameter of the newest version a value in units of 1/65,536 (section 9): 0, or -1 if there is none of this name. */
static inline int oq_live_set(struct oq_live *live, const char *name, oq_i64 units)
{
	const struct oq_version *version = live->current->version;

	for (oq_u32 i = 0; i < version->parameters; i++)
		if (!strcmp(version->parameter_names[i], name)) {
			live->current->parts.parameters[i] = units;
			return 0;
		}
	return -1;
}

#endif
