/*
 * A queueing discipline of Linux (struct_ops Qdisc_ops, from 6.16) whose packets are ordered and dropped by a policy that is
 * a program of its own (oq_shared.h).
 *
 * Packets wait at places of an array of the kernel's pointers. `version` is that of the policy under which packets arrive;
 * when user space changes it, packets that wait leave first, as their own policy says (docs/openqueue-semantics.md, 8.3).
 */
#include "oq_kernel.h"
#include "oq_shared.h"

#ifndef OQ_KIND
#define OQ_KIND "forebay"
#endif

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct sk_buff {
	u32 len;
	u32 priority;
	u32 mark;
	u16 protocol;
	char cb[48];
};
struct qdisc_skb_cb {
	u32 pkt_len;
};
struct qdisc_skb_head {
	u32 qlen;
};
struct gnet_stats_queue {
	u32 qlen;
	u32 backlog;
	u32 drops;
	u32 requeues;
	u32 overlimits;
};
struct Qdisc {
	u32 limit;
	struct qdisc_skb_head q;
	struct gnet_stats_queue qstats;
};
struct bpf_sk_buff_ptr {
	struct sk_buff *skb;
};
struct nlattr;
struct netlink_ext_ack;
struct Qdisc_ops {
	char id[16];
	int (*enqueue)(struct sk_buff *, struct Qdisc *, struct sk_buff **);
	struct sk_buff *(*dequeue)(struct Qdisc *);
	int (*init)(struct Qdisc *, struct nlattr *, struct netlink_ext_ack *);
	void (*reset)(struct Qdisc *);
	void (*destroy)(struct Qdisc *);
};
#pragma clang attribute pop

struct bpf_dynptr {
	u64 opaque[2];
} __attribute__((aligned(8)));
struct __sk_buff {
	u32 len;
};

static long (*const bpf_dynptr_read)(void *to, u32 length, const struct bpf_dynptr *from, u32 offset, u64 flags) = (void *)201;
extern int bpf_dynptr_from_skb(struct __sk_buff *skb, u64 flags, struct bpf_dynptr *to) SEC(".ksyms");
extern void bpf_qdisc_skb_drop(struct sk_buff *skb, struct bpf_sk_buff_ptr *to_free) SEC(".ksyms");
extern void bpf_kfree_skb(struct sk_buff *skb) SEC(".ksyms");
extern void bpf_qdisc_watchdog_schedule(struct Qdisc *sch, u64 expire, u64 delta_ns) SEC(".ksyms");
extern u32 bpf_skb_get_hash(struct sk_buff *skb) SEC(".ksyms");
extern void bpf_qdisc_bstats_update(struct Qdisc *sch, const struct sk_buff *skb) SEC(".ksyms");

char oq_license[] SEC("license") = "Dual MIT/GPL";

struct oq_packet_place {
	struct sk_buff __attribute__((btf_type_tag("kptr"))) * skb;
};

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, OQ_MOST_HELD);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_packet_place);
} oq_packets SEC(".maps");

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, 1);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_control);
} oq_control SEC(".maps");

/* Flows that are told apart, and notifications that one can be owed. */
#define OQ_FLOWS 65536u
#define OQ_MOST_OWED 64u

/*
 * Congestion notifications that packets of a flow are still to get, by the kernel's hash of the flow. A discipline cannot
 * write into packets: the notification is written into the next packet of the flow that comes, before it is queued (oq_notify).
 */
struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, OQ_FLOWS);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, u32);
} oq_owed SEC(".maps");

/* Whether a device has the discipline: not yet, now, or no longer. */
#define OQ_AT_NONE 0u
#define OQ_AT_ONE 1u
#define OQ_GONE 2u

/* What the discipline counts itself; what policies count is theirs. */
struct oq_counted {
	u64 arrived;
	u64 sent;
	u64 pushed_out;
	u64 refused;   /* by a policy */
	u64 no_place;  /* refused: all places are taken */
	u64 no_policy; /* refused: no policy of the version answers */
	u64 emptied;   /* freed when the queue was emptied: the device went down, or the discipline was removed */
	u64 notified;  /* packets into which a congestion notification was written */
	u32 waiting[OQ_VERSIONS]; /* packets by version, modulo its length */
	u32 last_value;           /* of the packet that was sent last, and its marks */
	u32 last_marks;
	u64 device;               /* OQ_AT_NONE, OQ_AT_ONE or OQ_GONE */
};
struct oq_counted oq_counted SEC(".data.counted");

/* Not static: the compiler would make some of these smaller than their descriptions, and the kernel refuse them. */
u32 free_places[OQ_MOST_HELD];
u32 free_count;
u32 epoch;

/* Versions under which packets wait, the oldest first; the last is the current one. */
u32 versions[OQ_VERSIONS];
u32 oldest, newest;
u64 last_ticket;
u64 next_begin[OQ_MOST_PORTS];
u32 next_port;
u64 wake; /* when a port may send, if all that have packets must wait */
volatile u32 sink;

/* Frames of this type with this mark only wake a device that holds its packets; user space sends them. */
#define OQ_WAKE_TYPE 0xb588 /* 0x88b5, the first type for local experiments, as it is in memory */
#define OQ_WAKE_MARK 0x6f717771u

/* The packet goes on to other programs (TC_ACT_UNSPEC). */
#define OQ_GO_ON (-1)

/* How much later than its time a packet may be begun without making the ones behind it later, too: timers are late. */
#define OQ_LATENESS 1000000u

#define PLACE(p) free_places[OQ_MASKED(p, OQ_MOST_HELD - 1)]
#define WAITING(version) oq_counted.waiting[OQ_MASKED(version, OQ_VERSIONS - 1)]
#define VERSION(n) versions[OQ_MASKED(n, OQ_VERSIONS - 1)]

/* Policies are attached to these two. */
__attribute__((noinline, weak)) int oq_arrive(u32 version)
{
	sink = version;
	return 0;
}

__attribute__((noinline, weak)) int oq_leave(u32 version)
{
	sink = version;
	return 0;
}

static __attribute__((always_inline)) u32 packet_length(const struct sk_buff *skb)
{
	return ((struct qdisc_skb_cb *)skb->cb)->pkt_len;
}

static __attribute__((always_inline)) struct oq_control *control_value(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&oq_control, &zero);
}

static __attribute__((always_inline)) u64 time_of(const struct oq_control *control)
{
	return control->clock ? control->clock : bpf_ktime_get_ns();
}

static __attribute__((always_inline)) void give_place(u32 place)
{
	PLACE(free_count) = place;
	free_count++;
}

/* The version under which packets arrive. */
static __attribute__((always_inline)) u32 current_version(const struct oq_control *control)
{
	u32 wanted = control->version;

	if (VERSION(newest) != wanted) {
		newest++;
		VERSION(newest) = wanted;
	}
	return wanted;
}

/* Copies the first bytes of the frame for policies that read headers. */
static __attribute__((always_inline)) void copy_head(struct sk_buff *skb, struct oq_shared *shared)
{
	struct bpf_dynptr bytes;
	u32 length = skb->len;

	shared->head_bytes = 0;
	if (length > OQ_HEAD)
		length = OQ_HEAD;
	bpf_dynptr_from_skb((struct __sk_buff *)skb, 0, &bytes);
	if (length && !bpf_dynptr_read(shared->head, length, &bytes, 0, 0))
		shared->head_bytes = length;
}

/* The next packet of this flow gets a congestion notification. */
static __attribute__((always_inline)) void owe(struct sk_buff *skb)
{
	u32 flow = bpf_skb_get_hash(skb) & (OQ_FLOWS - 1);
	u32 *owed = bpf_map_lookup_elem(&oq_owed, &flow);

	if (owed && *owed < OQ_MOST_OWED)
		__sync_fetch_and_add(owed, 1);
}

/* At the device's egress, before packets are queued: writes what is owed to the packet's flow. */
SEC("tc")
int oq_notify(struct __sk_buff *skb)
{
	u32 flow = bpf_get_hash_recalc(skb) & (OQ_FLOWS - 1);
	u32 *owed = bpf_map_lookup_elem(&oq_owed, &flow);
	u32 before;

	if (!owed)
		return OQ_GO_ON;
	before = *owed;
	if (before && __sync_val_compare_and_swap(owed, before, before - 1) == before && bpf_skb_ecn_set_ce(skb))
		__sync_fetch_and_add(&oq_counted.notified, 1);
	return OQ_GO_ON;
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
	shared->now = time_of(control);
	shared->seed = control->seed;
	shared->epoch = epoch;
	shared->place = place;
	shared->size = length;
	shared->priority = skb->priority;
	shared->mark = skb->mark;
	shared->answer = OQ_NOTHING;
	shared->pushed_out = 0;
	shared->notified = 0;
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

/* Asks the policies for the place of the packet that a port sends next, the one of the oldest version first. */
__attribute__((noinline, weak)) int ask(u32 port)
{
	struct oq_shared *shared = oq_shared_value();
	u32 from = oldest;

	if (!shared)
		return 0;
	shared->port = port;
	shared->answer = OQ_NOTHING;
	OQ_LOOP(i, OQ_VERSIONS) {
		u32 version = VERSION(from + i);

		if (WAITING(version)) {
			oq_leave(version);
			if (shared->answer != OQ_NOTHING) {
				WAITING(version)--;
				break;
			}
		} else if (i == 0 && oldest != newest) {
			/* All of the oldest version have left. */
			oldest++;
		}
		if (from + i == newest)
			break;
	}
	return 0;
}

/* Asks the ports that may send now, in turn. */
__attribute__((noinline, weak)) int ask_ports(u32 ports)
{
	struct oq_shared *shared = oq_shared_value();
	u64 now, begin;

	wake = 0;
	if (!shared)
		return 0;
	now = shared->now;
	OQ_LOOP(i, OQ_MOST_PORTS) {
		u32 port = next_port;

		if (i >= ports)
			break;
		if (port >= ports)
			port = 0;
		next_port = port + 1;
		begin = next_begin[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
		if (begin <= now) {
			ask(port);
			if (shared->answer != OQ_NOTHING)
				break;
		} else if (!wake || begin < wake) {
			wake = begin;
		}
	}
	return 0;
}

/* When the port may begin the next packet. */
static __attribute__((always_inline)) void pace(const struct oq_control *control, u32 port, u64 now, u32 length)
{
	u64 rate = control->rates[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
	u64 *next = &next_begin[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
	u64 begin = *next;

	if (!rate)
		return;
	if (begin + OQ_LATENESS < now)
		begin = now;
	*next = begin + (u64)length * 8000000000ull / rate;
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
	shared->now = time_of(control);
	shared->epoch = epoch;
	shared->answer = OQ_NOTHING;
	shared->notified = 0;
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

/* Frees all packets, and lets policies begin anew. */
static __attribute__((always_inline)) void empty(void)
{
	OQ_LOOP(i, OQ_MOST_HELD) {
		u32 place = i;
		struct oq_packet_place *at = bpf_map_lookup_elem(&oq_packets, &place);
		struct sk_buff *skb;

		if (!at)
			break;
		PLACE(place) = place;
		skb = bpf_kptr_xchg(&at->skb, NULL);
		if (skb) {
			oq_counted.emptied++;
			bpf_kfree_skb(skb);
		}
	}
	free_count = OQ_MOST_HELD;
	OQ_LOOP(i, OQ_VERSIONS)
		WAITING(i) = 0;
	OQ_LOOP(i, OQ_MOST_PORTS)
		next_begin[OQ_MASKED(i, OQ_MOST_PORTS - 1)] = 0;
	oldest = newest;
	epoch++;
}

SEC("struct_ops")
int qdisc_init(u64 *context)
{
	struct Qdisc *sch = (struct Qdisc *)context[0];

	if (oq_counted.device == OQ_AT_ONE)
		return -16; /* EBUSY: packets of one device only */
	oq_counted.device = OQ_AT_ONE;
	empty();
	sch->limit = OQ_MOST_HELD;
	return 0;
}

SEC("struct_ops")
void qdisc_reset(u64 *context)
{
	struct Qdisc *sch = (struct Qdisc *)context[0];

	empty();
	sch->q.qlen = 0;
	sch->qstats.backlog = 0;
}

SEC("struct_ops")
void qdisc_destroy(u64 *context)
{
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
