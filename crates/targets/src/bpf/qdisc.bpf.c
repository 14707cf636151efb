/*
 * A queueing discipline of Linux (struct_ops Qdisc_ops, from 6.16) whose packets are ordered and dropped by a policy that is
 * a program of its own (oq_shared.h). `version` is that of the policy under which packets arrive; user space changes it.
 */
#include "oq_kernel.h"
#include "oq_discipline.h"
#include "oq_shared.h"
#include "oq_places.h"
#include "oq_notifier.h"
#include "oq_pace.h"

#ifndef OQ_KIND
#define OQ_KIND "forebay"
#endif

char oq_license[] SEC("license") = "Dual MIT/GPL";

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, 1);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_control);
} oq_control SEC(".maps");

u64 owner; /* the Qdisc whose packets these are, as a number, or 0 */
u64 last_ticket;

/* Frames of this type with this mark only wake a device that holds its packets; user space sends them. */
#define OQ_WAKE_TYPE 0xb588 /* 0x88b5, the first type for local experiments, as it is in memory */
#define OQ_WAKE_MARK 0x6f717771u

static __attribute__((always_inline)) struct oq_control *control_value(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&oq_control, &zero);
}

/* What every question to a policy says. A clock that user space sets is the policy's as it is. */
static __attribute__((always_inline)) void question(struct oq_shared *shared, const struct oq_control *control)
{
	shared->now = control->clock ? control->clock : bpf_ktime_get_ns();
	shared->begin = control->clock ? 0 : shared->now;
	shared->epoch = epoch;
	shared->answer = OQ_NOTHING;
	shared->notified = 0;
}

/* Copies the first bytes of the frame for policies that read headers. */
static __attribute__((always_inline)) void copy_head(struct sk_buff *skb, struct oq_shared *shared)
{
	struct bpf_dynptr bytes;
	u32 length = skb->len;

	if (length > OQ_HEAD)
		length = OQ_HEAD;
	bpf_dynptr_from_skb((struct __sk_buff *)skb, 0, &bytes);
	if (length && !bpf_dynptr_read(shared->head, length, &bytes, 0, 0))
		shared->head_bytes = length;
}

SEC("struct_ops")
int qdisc_enqueue(u64 *context)
{
	struct sk_buff *skb = (struct sk_buff *)context[0];
	struct Qdisc *sch = (struct Qdisc *)context[1];
	struct bpf_sk_buff_ptr *to_free = (struct bpf_sk_buff_ptr *)context[2];
	struct oq_shared *shared = oq_shared_value();
	struct oq_control *control = control_value();
	u32 length = packet_length(skb);
	u32 version, place;
	struct oq_packet_place *at;

	if (!shared || !control)
		goto refuse;
	if (control->hold && skb->protocol == OQ_WAKE_TYPE && skb->mark == OQ_WAKE_MARK) {
		bpf_qdisc_skb_drop(skb, to_free);
		return 0;
	}
	oq_counted.arrived++;
	version = current_version(control);
	if (!free_count) {
		oq_counted.no_place++;
		goto refuse;
	}
	free_count--;
	place = PLACE(free_count);
	question(shared, control);
	shared->seed = control->seed;
	shared->place = place;
	shared->size = length;
	shared->priority = skb->priority;
	shared->mark = skb->mark;
	shared->waiting = WAITING(version);
	shared->written = control->notifies && is_written(skb);
	shared->pushed_out = 0;
	shared->head_bytes = 0;
	if (control->wants_head)
		copy_head(skb, shared);
	oq_arrive(version);
	if (control->notifies && shared->notified)
		owe(skb);
	if (shared->pushed_out) {
		u32 count = shared->pushed_out;

		OQ_LOOP(i, OQ_MOST_HELD) {
			struct sk_buff *victim;
			u32 from;

			if (i >= count)
				break;
			from = shared->pushed[OQ_MASKED(i, OQ_MOST_HELD - 1)].place;
			at = bpf_map_lookup_elem(&oq_packets, &from);
			if (!at)
				break;
			victim = bpf_kptr_xchg(&at->skb, NULL);
			if (!victim)
				continue;
			sch->q.qlen--;
			sch->qstats.backlog -= packet_length(victim);
			sch->qstats.drops++;
			oq_counted.pushed_out++;
			WAITING(version)--;
			bpf_qdisc_skb_drop(victim, to_free);
			give_place(from);
		}
	}
	at = bpf_map_lookup_elem(&oq_packets, &place);
	if (shared->answer != OQ_QUEUED || !at) {
		if (shared->answer == OQ_NOTHING)
			oq_counted.no_policy++;
		else
			oq_counted.refused++;
		give_place(place);
		goto refuse;
	}
	skb = bpf_kptr_xchg(&at->skb, skb);
	if (skb)
		bpf_qdisc_skb_drop(skb, to_free);
	WAITING(version)++;
	sch->q.qlen++;
	sch->qstats.backlog += length;
	return 0;

refuse:
	bpf_qdisc_skb_drop(skb, to_free);
	sch->qstats.drops++;
	return 1;
}

SEC("struct_ops")
struct sk_buff *qdisc_dequeue(u64 *context)
{
	struct Qdisc *sch = (struct Qdisc *)context[0];
	struct oq_shared *shared = oq_shared_value();
	struct oq_control *control = control_value();
	struct oq_packet_place *at;
	struct sk_buff *skb;
	u32 place;

	if (!shared || !control)
		return NULL;
	/* A ticket is used up also if nothing waits. */
	if (!sch->q.qlen) {
		last_ticket = control->ticket;
		return NULL;
	}
	question(shared, control);
	if (!control->hold) {
		ask_ports(control->ports);
	} else if (control->ticket != last_ticket) {
		last_ticket = control->ticket;
		ask(control->ticket_port);
	}
	place = shared->answer;
	if (place == OQ_NOTHING) {
		if (!control->hold && wake)
			bpf_qdisc_watchdog_schedule(sch, wake, 0);
		return NULL;
	}
	at = bpf_map_lookup_elem(&oq_packets, &place);
	if (!at)
		return NULL;
	skb = bpf_kptr_xchg(&at->skb, NULL);
	if (!skb)
		return NULL;
	give_place(place);
	sch->q.qlen--;
	sch->qstats.backlog -= packet_length(skb);
	bpf_qdisc_bstats_update(sch, skb);
	oq_counted.sent++;
	oq_counted.last_value = shared->value;
	oq_counted.last_marks = shared->marks;
	if (control->notifies && shared->notified)
		owe(skb);
	pace(control, shared->port, shared->now, packet_length(skb));
	return skb;
}

/* Frees all packets, and begins anew. */
static __attribute__((always_inline)) void clear(void)
{
	empty();
	forget_pace();
}

SEC("struct_ops")
int qdisc_init(u64 *context)
{
	struct Qdisc *sch = (struct Qdisc *)context[0];

	if (owner)
		return -16; /* EBUSY: packets of one device only */
	owner = (u64)sch;
	oq_counted.device = OQ_AT_ONE;
	clear();
	sch->limit = OQ_MOST_HELD;
	return 0;
}

SEC("struct_ops")
void qdisc_reset(u64 *context)
{
	struct Qdisc *sch = (struct Qdisc *)context[0];

	if (owner == (u64)sch)
		clear();
	sch->q.qlen = 0;
	sch->qstats.backlog = 0;
}

/* Is called of a device whose `init` was refused, too. */
SEC("struct_ops")
void qdisc_destroy(u64 *context)
{
	if (owner != context[0])
		return;
	owner = 0;
	oq_counted.device = OQ_GONE;
}

SEC(".struct_ops.link")
struct Qdisc_ops oq_qdisc = {
	.enqueue = (void *)qdisc_enqueue,
	.dequeue = (void *)qdisc_dequeue,
	.init = (void *)qdisc_init,
	.reset = (void *)qdisc_reset,
	.destroy = (void *)qdisc_destroy,
	.id = OQ_KIND,
};
