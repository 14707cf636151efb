/*
 * What a queueing discipline and its policies share.
 *
 * The discipline (qdisc.bpf.c) holds the packets of a device, each at a place. It asks the policy of the current version, a
 * program of its own (policy.bpf.c), what to do: so a policy is replaced by another one between two packets, and the
 * discipline stays. All calls for a device are made under the lock of its queue.
 */
#ifndef OQ_SHARED_H
#define OQ_SHARED_H

#define OQ_MOST_HELD 65536u
#define OQ_HEAD 128u
#define OQ_MOST_PORTS 64u
#define OQ_VERSIONS 256u

/* A packet that waited was dropped. */
struct oq_pushed {
	u32 place;
	u32 rule;
	u32 value;
	u32 marks;
};

/* A question to a policy, and its answer. */
struct oq_shared {
	u64 now;
	u64 begin; /* the time from which a policy counts that begins anew now */
	u64 seed;
	u32 epoch; /* one more each time the queue was emptied; a policy of another epoch begins anew */
	u32 port;
	u32 place; /* of the arriving packet */
	u32 size;
	u32 priority;
	u32 mark;
	u32 head_bytes;
	u32 waiting; /* packets that wait under the version that is asked */
	u32 written; /* 1: the arriving packet carries a notification that was decided for another one */

	u32 answer; /* place of the packet that leaves; of an arriving one OQ_QUEUED or OQ_REFUSED with the rule */
	u32 marks;
	u32 value;
	u32 pushed_out;
	u32 notified; /* 1: the policy has given the packet a congestion notification that it can carry */
	u32 left_name; /* of the packet that leaves: the number of its queue's name, and its size */
	u32 left_size;
	u8 head[OQ_HEAD] __attribute__((aligned(8)));
	struct oq_pushed pushed[OQ_MOST_HELD];
};

#define OQ_NOTHING 0xffffffffu
#define OQ_QUEUED 0u

/* What user space decides; it writes, and the discipline reads. */
struct oq_control {
	u64 version;     /* of the policy that packets arrive under, from 1 */
	u64 wants_head;  /* whether that one reads headers */
	u64 seed;
	u64 ports;
	u64 clock;       /* the time in nanoseconds, or 0: the kernel's */
	u64 hold;        /* 1: a packet leaves only with a ticket, for tests */
	u64 ticket;      /* another number than before is one packet */
	u64 ticket_port;
	u64 notifies;    /* 1: the device's other program writes congestion notifications into packets */
	u64 rates[OQ_MOST_PORTS]; /* bits per second, or 0: as fast as the device takes packets */
};

/* User space writes it (crates/linux/src/kernel/control.rs). */
_Static_assert(sizeof(struct oq_control) == 584, "the size of struct oq_control");

struct {
	OQ_MAP_NUMBER(type, OQ_MAP_ARRAY);
	OQ_MAP_NUMBER(max_entries, 1);
	OQ_MAP_TYPE(key, u32);
	OQ_MAP_TYPE(value, struct oq_shared);
} oq_shared SEC(".maps");

static __attribute__((always_inline)) struct oq_shared *oq_shared_value(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&oq_shared, &zero);
}

#endif
