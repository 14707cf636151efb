/*
 * What waits under older versions of the policy, and counts in `currSize` of this one's queues of the same names and of their
 * buffers (docs/openqueue-semantics.md, 8.3). It is looked up once, when the version begins, and then only becomes less.
 */
#ifndef OQ_OLDER_H
#define OQ_OLDER_H

/* Said first, since what is included gives those a meaning that have none. */
#define OQ_ELSEWHERE_IN_QUEUE(queue, what) OQ_AT(oq_older_in_queue, queue, OQ_QUEUE_MASK).what
#define OQ_ELSEWHERE_IN_BUFFER(buffer, what) OQ_AT(oq_older_in_buffer, buffer, OQ_BUFFER_MASK).what
#define OQ_GOES_IN(queue, size) oq_name_grows(queue, size)
#define OQ_GOES_OUT(queue, size) oq_name_shrinks(queue, size)

#include "oq_names.h"
#include "oq_base.h"
#include "oq_numbers.h"
#include "oq_sizes.h"

/* The numbers of the queues' names; set before it is loaded. */
volatile const u32 oq_name_of[OQ_QUEUES] SEC(".rodata.names") = { 0 };

struct oq_name oq_older_in_queue[OQ_QUEUES];
struct oq_name oq_older_in_buffer[OQ_BUFFERS];

/* Of the packet that went out last. */
u32 oq_last_name;
u32 oq_last_size;

static __attribute__((always_inline)) void oq_name_grows(u32 queue, u32 size)
{
	struct oq_name *name = oq_name_value(OQ_AT(oq_name_of, queue, OQ_QUEUE_MASK));

	if (name) {
		name->packets++;
		name->bytes += size;
	}
}

static __attribute__((always_inline)) void oq_name_shrinks(u32 queue, u32 size)
{
	struct oq_name *name = oq_name_value(OQ_AT(oq_name_of, queue, OQ_QUEUE_MASK));

	oq_last_name = OQ_AT(oq_name_of, queue, OQ_QUEUE_MASK);
	oq_last_size = size;
	if (name) {
		name->packets--;
		name->bytes -= size;
	}
}

/* The version begins, and has no packets yet: all that waits in queues of these names does so under older ones. */
static __attribute__((always_inline)) void oq_look_for_older(void)
{
	OQ_LOOP(i, OQ_BUFFERS)
		OQ_AT(oq_older_in_buffer, i, OQ_BUFFER_MASK) = (struct oq_name){ 0 };
	OQ_LOOP(i, OQ_POLICY_QUEUES) {
		struct oq_name *name = oq_name_value(OQ_AT(oq_name_of, i, OQ_QUEUE_MASK));
		u32 buffer = OQ_AT(oq_queue_buffer, i, OQ_QUEUE_MASK);

		if (!name)
			continue;
		OQ_AT(oq_older_in_queue, i, OQ_QUEUE_MASK) = *name;
		if (buffer != OQ_NONE) {
			OQ_AT(oq_older_in_buffer, buffer, OQ_BUFFER_MASK).packets += name->packets;
			OQ_AT(oq_older_in_buffer, buffer, OQ_BUFFER_MASK).bytes += name->bytes;
		}
	}
}

/* A packet of an older version has left a queue of this name. */
static __attribute__((always_inline)) void oq_older_leaves(u32 name, u32 size)
{
	OQ_LOOP(i, OQ_POLICY_QUEUES) {
		u32 buffer = OQ_AT(oq_queue_buffer, i, OQ_QUEUE_MASK);

		if (OQ_AT(oq_name_of, i, OQ_QUEUE_MASK) != name)
			continue;
		OQ_AT(oq_older_in_queue, i, OQ_QUEUE_MASK).packets--;
		OQ_AT(oq_older_in_queue, i, OQ_QUEUE_MASK).bytes -= size;
		if (buffer != OQ_NONE) {
			OQ_AT(oq_older_in_buffer, buffer, OQ_BUFFER_MASK).packets--;
			OQ_AT(oq_older_in_buffer, buffer, OQ_BUFFER_MASK).bytes -= size;
		}
		break;
	}
}

#endif
