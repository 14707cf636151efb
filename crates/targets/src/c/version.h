/*
 * A version of a policy, as a host sees it: a table of constants and functions, which version.c makes of any policy.
 *
 * A host reaches versions by this table only, so that it can have several at once: linked into the program, each with a symbol
 * of its own (cc -c -DOQ_VERSION=oq_fifo version.c), or opened with dlopen (cc -shared -fPIC -o fifo.so version.c, symbol
 * `oq_version`). oq_live.h changes from one to another while packets wait.
 */
#ifndef OQ_VERSION_H
#define OQ_VERSION_H

#include "oq_base.h"
#include "oq_interface.h"

/* The number of this form of the table. A host refuses a table with another one. */
#define OQ_VERSION_FORM 1u

/* What waits under other versions and counts in `currSize`. */
struct oq_occupancy {
	oq_u64 packets;
	oq_u64 bytes;
};

/* A packet that has left, was pushed out, or waits. */
struct oq_passed {
	void *packet;     /* as the host gave it to `enqueue` */
	oq_u32 queue;
	oq_u32 policy_id; /* the version under which it arrived */
	oq_u64 arrival;
	struct oq_fields fields;
};

/* How an instance begins. */
struct oq_begin {
	oq_u64 seed;          /* of the trials of `drop(P)` */
	oq_u32 policy_id;     /* of the packets that arrive */
	oq_u32 slots;         /* room for so many packets in all: at least `capacity` */
	const oq_u32 *places; /* and in each queue: at least `queue_places` */
	/* A packet that waited is pushed out. */
	void (*pushed_out)(void *context, const struct oq_passed *packet, oq_u32 rule);
	void *context;
};

/* The parts of an instance. A host reads them, and writes states, `older` and parameters between two calls. */
struct oq_parts {
	struct oq_queue *queues;
	struct oq_port *ports;
	struct oq_buffer *buffers;
	struct oq_counts *counters;
	oq_i64 *parameters; /* in units of 1/65,536; NULL without live ones */
	struct oq_occupancy *older_in_queue;
	struct oq_occupancy *older_in_buffer;
	const oq_u32 *places; /* room in each queue */
	oq_u32 slots;
};

struct oq_version {
	oq_u32 form; /* OQ_VERSION_FORM */
	oq_u32 capacity;
	oq_u32 queues;
	oq_u32 ports;
	oq_u32 buffers;
	oq_u32 parameters;
	const char *const *queue_names;
	const char *const *port_names;
	const char *const *buffer_names;
	const char *const *parameter_names;
	/* Initial states as exact fractions: a state goes on in a version in which it begins with the same number. */
	const char *const *queue_adm_states;
	const char *const *queue_sched_states;
	const char *const *port_sched_states;
	const char *const *buffer_adm_states;
	const oq_u32 *queue_places;
	const oq_u32 *queue_port;
	const oq_u32 *queue_buffer; /* or OQ_NONE */
	const oq_i64 *port_rates;   /* as oq_port_rates */
	const oq_u8 *port_in_percent;

	/* The bytes of an instance with so many slots, and so many places in all queues together; aligned as for malloc. */
	oq_u64 (*bytes)(oq_u32 slots, oq_u64 places);
	/* Begins an instance in memory that is all 0. */
	void (*start)(void *instance, const struct oq_begin *how, struct oq_parts *parts);
	/* A packet arrives: its queue, or OQ_REFUSED with the rule. */
	oq_u32 (*enqueue)(void *instance, oq_u64 now, const struct oq_fields *fields, void *packet);
	/* Serves a port: 1 and the packet that has left, OQ_CYCLE if one was served that stays, or OQ_NONE. */
	oq_u32 (*serve)(void *instance, oq_u64 now, oq_u32 port, int one_cycle, struct oq_passed *packet);
	/* Takes out the packet that arrived first: 0 if none waits. */
	int (*take)(void *instance, struct oq_passed *packet);
	/* Puts in a packet that was taken out of another version, without judging it; there must be room. */
	void (*place)(void *instance, oq_u32 queue, const struct oq_passed *packet);
	/* The fields of a frame of `size` bytes, of which `length` are given (128 are enough), and that is forwarded to port `egress`. */
	void (*read)(struct oq_fields *fields, const oq_u8 *bytes, oq_u32 length, oq_u32 size, oq_u32 egress);
	/* Writes marks into a frame, as oq_write_marks. */
	void (*write)(oq_u8 *bytes, oq_u32 length, oq_u32 marks);
};

/* What `enqueue` and `serve` return besides. */
#ifndef OQ_CYCLE
#define OQ_CYCLE 0xfffffffeu
#endif
#define OQ_SENT 1u

#endif
