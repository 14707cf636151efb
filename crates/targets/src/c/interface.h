/*
 * What a host and a policy tell each other: the fields of packets, and what is counted.
 */
#ifndef OQ_INTERFACE_H
#define OQ_INTERFACE_H

/* What the host tells of an arriving packet; what it cannot know is 0. Times are in nanoseconds. */
struct oq_fields {
	oq_u64 processing;
	oq_u64 slack;
	oq_u64 remaining;
	oq_u64 rank;
	oq_u32 size;
	oq_u32 value;
	oq_u32 flow;
	oq_u16 queue;
	oq_u8 class;
	oq_u8 marks;
};

/* Bits of `marks`. */
#define OQ_MARK 1u
#define OQ_NOTIFICATION 2u
#define OQ_ECN_CAPABLE 4u /* the sender understands notifications; the policy does not touch it */

struct oq_queue {
	oq_u64 bytes;
	oq_u32 packets;
	oq_u32 first; /* in order of arrival */
	oq_u32 last;
	oq_u32 notify_next; /* a notification waits for the next packet that leaves */
	oq_i64 adm_state;
	oq_i64 sched_state;
	oq_u64 arrived; /* packets that were directed to it */
	oq_u64 sent;
	oq_u64 dropped[8]; /* by rule, arriving ones and others */
};

struct oq_port {
	oq_i64 sched_state;
};

struct oq_buffer {
	oq_u64 bytes;
	oq_u64 packets;
	oq_i64 adm_state;
};

struct oq_counts {
	oq_u64 dropped[8]; /* by rule */
	oq_u64 marked;
	oq_u64 notified;
};

#endif
