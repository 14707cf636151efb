/*
 * A policy as a program that a queueing discipline of the kernel asks (qdisc.bpf.c): it is attached to the discipline's
 * functions oq_arrive, oq_leave and oq_drained, and answers if its version is asked for.
 */
#include "oq_kernel.h"
#include "oq_shared.h"

static __attribute__((always_inline)) void pushed(u32 slot, u32 rule);

/* A loop's index, by way of memory, so that the verifier does not follow its bits. */
volatile u32 oq_unknown;

#define OQ_AT(array, index, mask) (array)[OQ_MASKED(index, mask)]
#define OQ_UNKNOWN(x) ({ oq_unknown = (x); oq_unknown; })
#define OQ_GLOBAL __attribute__((noinline, weak))
#define OQ_STATE
#define OQ_TABLE const
#define OQ_SHOWN(name) SEC(".data." #name)
#define OQ_DROP(slot, rule) pushed(slot, rule)
#define OQ_ALL_FIELDS /* those of this policy: the target leaves the others out */
#include "oq_older.h"
#include "oq_core.h"
#include "oq_fields.h"
#include "oq_reads.h"

/* Which version it is; set before it is loaded. */
volatile const u32 oq_version SEC(".rodata.version") = 1;

/* Whether the discipline must copy the first bytes of packets for it. */
volatile const u32 oq_reads_head SEC(".rodata.reads_head") = OQ_READS_HEAD;

/* Of which policy it was made. */
volatile const u64 oq_digest SEC(".rodata.digest") = OQ_DIGEST;

/* Whether it gives congestion notifications. */
volatile const u32 oq_notifies SEC(".rodata.notifies") = OQ_NOTIFIES;

#ifdef OQ_PARAMETERS
/* What user space gives the live parameters; the policy looks at it between two packets. */
volatile oq_i64 oq_given[OQ_PARAMETERS] SEC(".data.parameters") = OQ_PARAMETER_INITIALS;

/* What they are called, and their units. */
volatile const char oq_parameter_units[] SEC(".rodata.parameters") = OQ_PARAMETER_UNITS;

#endif
char oq_license[] SEC("license") = "Dual MIT/GPL";

/* User space reads them (crates/linux/src/kernel/counters.rs). */
_Static_assert(sizeof(struct oq_queue) == 120, "the size of struct oq_queue");
_Static_assert(sizeof(struct oq_counts) == 80, "the size of struct oq_counts");

u32 oq_place_of[OQ_SLOTS];
u32 oq_epoch;
u64 oq_begin; /* the kernel's time when the policy began: its numbers do not hold that since the machine began for long */

static __attribute__((always_inline)) void pushed(u32 slot, u32 rule)
{
	struct oq_shared *shared = oq_shared_value();
	u32 at;

	if (!shared)
		return;
	at = shared->pushed_out++;
	if (at >= OQ_MOST_HELD)
		return;
	shared->pushed[at].place = OQ_AT(oq_place_of, slot, OQ_SLOT_MASK);
	shared->pushed[at].rule = rule;
	shared->pushed[at].value = OQ_PACKET(slot).fields.value;
	shared->pushed[at].marks = OQ_PACKET(slot).fields.marks;
}

/*
 * Begins anew if the queue was emptied. The time of a policy that remembers nothing of packets that are gone does so whenever none
 * waits.
 */
static __attribute__((always_inline)) void follow(struct oq_shared *shared)
{
#ifdef OQ_PARAMETERS
	for (u32 i = 0; i < OQ_POLICY_PARAMETERS; i++)
		oq_parameters[i] = oq_given[i];
#endif
	if (oq_epoch != shared->epoch) {
		oq_epoch = shared->epoch;
		oq_begin = shared->begin;
		oq_start(shared->seed);
		oq_look_for_older();
	} else if (OQ_FORGETS && !shared->waiting) {
		oq_begin = shared->begin;
	}
}

/* What the policy reads of the packet. */
static __attribute__((always_inline)) void read_fields(struct oq_shared *shared, struct oq_fields *fields)
{
#if OQ_READS_HEAD
	for (u32 i = 0; i < OQ_HEAD / 8; i++)
		((u64 *)oq_frame_head)[i] = ((u64 *)shared->head)[i];
#endif
#if OQ_READS_FIELDS
	oq_read_fields(fields, shared->head_bytes, shared->size, shared->priority, shared->mark);
	/* The kernel writes notifications behind VLAN tags only. */
	if (!oq_frame.only_tags)
		fields->marks &= (oq_u8)~OQ_ECN_CAPABLE;
#else
	fields->size = shared->size;
#endif
}

SEC("fentry/oq_arrive")
int policy_arrive(u64 *context)
{
	struct oq_shared *shared;
	struct oq_fields fields = { .size = 0 };
	u64 notified = oq_counters.notified;
	u32 slot;

	if ((u32)context[0] != oq_version)
		return 0;
	shared = oq_shared_value();
	if (!shared)
		return 0;
	follow(shared);
	read_fields(shared, &fields);
	/* The policy decides for this packet as if it had come without. */
	if (shared->written)
		fields.marks &= (oq_u8)~OQ_NOTIFICATION;
	slot = oq_enqueue(shared->now - oq_begin, &fields);
	if (slot & OQ_REFUSED) {
		shared->answer = slot;
		return 0;
	}
	shared->notified = oq_counters.notified != notified && fields.marks & OQ_ECN_CAPABLE;
	OQ_AT(oq_place_of, slot, OQ_SLOT_MASK) = shared->place;
	shared->answer = OQ_QUEUED;
	return 0;
}

SEC("fentry/oq_leave")
int policy_leave(u64 *context)
{
	struct oq_shared *shared;
	u64 notified = oq_counters.notified;
	u32 slot, port;

	if ((u32)context[0] != oq_version)
		return 0;
	shared = oq_shared_value();
	if (!shared)
		return 0;
	follow(shared);
	port = shared->port;
	if (port >= OQ_POLICY_PORTS)
		return 0;
	slot = oq_dequeue(shared->now - oq_begin, port);
	if (slot == OQ_NONE)
		return 0;
	shared->marks = OQ_PACKET(slot).fields.marks;
	shared->notified = oq_counters.notified != notified && shared->marks & OQ_ECN_CAPABLE;
	shared->value = OQ_PACKET(slot).fields.value;
	shared->answer = OQ_AT(oq_place_of, slot, OQ_SLOT_MASK);
	shared->left_name = oq_last_name;
	shared->left_size = oq_last_size;
	return 0;
}

/* A version that has not begun yet will look itself. */
SEC("fentry/oq_drained")
int policy_drained(u64 *context)
{
	struct oq_shared *shared = oq_shared_value();

	if (shared && (u32)context[0] < oq_version && oq_epoch == shared->epoch)
		oq_older_leaves(shared->left_name, shared->left_size);
	return 0;
}
