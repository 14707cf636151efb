/*
 * The packets that a discipline holds, each at a place of an array of the kernel's pointers, and the versions of the policy
 * under which they wait. Packets of an older version leave first, as their own policy says
 * (docs/openqueue-semantics.md, 8.3).
 */
#ifndef OQ_PLACES_H
#define OQ_PLACES_H

#include "oq_discipline.h"
#include "oq_shared.h"
#include "oq_names.h"

struct oq_packet_place {
	struct sk_buff __attribute__((btf_type_tag("kptr"))) * skb;
};

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, OQ_MOST_HELD);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_packet_place);
} oq_packets SEC(".maps");

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

/* User space reads it (crates/linux/src/kernel/counters.rs). */
_Static_assert(sizeof(struct oq_counted) == 1104, "the size of struct oq_counted");

/* Not static: the compiler would make some of these smaller than their descriptions, and the kernel refuse them. */
u32 free_places[OQ_MOST_HELD];
u32 free_count;
u32 epoch;

/* Versions under which packets wait, the oldest first; the last is the current one. */
u32 versions[OQ_VERSIONS];
u32 oldest, newest;
volatile u32 sink;

#define PLACE(p) free_places[OQ_MASKED(p, OQ_MOST_HELD - 1)]
#define WAITING(version) oq_counted.waiting[OQ_MASKED(version, OQ_VERSIONS - 1)]
#define VERSION(n) versions[OQ_MASKED(n, OQ_VERSIONS - 1)]

/* Policies are attached to these. */
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

/* A packet of this version, an older one, has left: newer ones count it no longer. */
__attribute__((noinline, weak)) int oq_drained(u32 version)
{
	sink = version;
	return 0;
}

static __attribute__((always_inline)) void give_place(u32 place)
{
	PLACE(free_count) = place;
	free_count++;
}

/* The version under which packets arrive. Those before it without packets are forgotten, so that there is room for it. */
static __attribute__((always_inline)) u32 current_version(const struct oq_control *control)
{
	u32 wanted = control->version;

	if (VERSION(newest) != wanted) {
		OQ_LOOP(i, OQ_VERSIONS) {
			if (oldest == newest || WAITING(VERSION(oldest)))
				break;
			oldest++;
		}
		newest++;
		VERSION(newest) = wanted;
	}
	return wanted;
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
			shared->waiting = WAITING(version);
			oq_leave(version);
			if (shared->answer != OQ_NOTHING) {
				WAITING(version)--;
				if (from + i != newest)
					oq_drained(version);
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
	OQ_LOOP(i, OQ_NAMES) {
		struct oq_name *name = oq_name_value(i);

		if (!name)
			break;
		*name = (struct oq_name){ 0 };
	}
	free_count = OQ_MOST_HELD;
	OQ_LOOP(i, OQ_VERSIONS)
		WAITING(i) = 0;
	oldest = newest;
	epoch++;
}

#endif
