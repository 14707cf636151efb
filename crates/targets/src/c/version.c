/*
 * The policy as a version that a host can put in the place of another one, and another in its place: oq_version.h.
 */
#include <stddef.h>
#include <string.h>

struct oq_instance;
static _Thread_local struct oq_instance *this_instance;
static void pushed_out(unsigned slot, unsigned rule);
#define OQ_INSTANCE this_instance
#define OQ_STATE static _Thread_local __attribute__((unused))
#define OQ_DROP(slot, rule) pushed_out(slot, rule)
#define OQ_ROOM(kind, name, length) kind *name
#define OQ_ROOM_SLOTS (OQ_INSTANCE->slots)
#define OQ_ROOM_BASE(queue) (OQ_INSTANCE->base[queue])
#define OQ_ROOM_PLACES(queue) (OQ_INSTANCE->places[queue])
#define OQ_ROOM_STEPS 33u
#define OQ_ARRIVED_UNDER(slot) (OQ_INSTANCE->kept[slot].policy_id)
#define OQ_ELSEWHERE_IN_QUEUE(queue, what) (OQ_INSTANCE->older_in_queue[queue].what)
#define OQ_ELSEWHERE_IN_BUFFER(buffer, what) (OQ_INSTANCE->older_in_buffer[buffer].what)

/* What is kept for each packet besides. */
struct kept {
	void *packet;
	unsigned queue;
	unsigned policy_id;
};

#define OQ_MORE_STATE                                                                                     \
	oq_u32 slots;                                                                                     \
	oq_u32 base[OQ_QUEUES];                                                                           \
	oq_u32 places[OQ_QUEUES];                                                                         \
	struct oq_occupancy older_in_queue[OQ_QUEUES];                                                    \
	struct oq_occupancy older_in_buffer[OQ_BUFFERS];                                                  \
	struct kept *kept;                                                                                \
	oq_u32 policy_id;                                                                                 \
	void (*tell)(void *context, const struct oq_passed *packet, oq_u32 rule);                         \
	void *context;

#include "oq_version.h"
#undef OQ_CYCLE
#include "oq_core.h"
#include "oq_fields.h"
#include "oq_marking.h"
#include "oq_described.h"

#ifndef OQ_VERSION
#define OQ_VERSION oq_version
#endif

/* A whole number of the largest units, so that the next array is aligned. */
static oq_u64 aligned(oq_u64 bytes)
{
	return (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
}

static oq_u64 bytes(oq_u32 slots, oq_u64 places)
{
	return aligned(sizeof(struct oq_instance)) + aligned(slots * sizeof(struct oq_packet))
		+ aligned(slots * sizeof(struct kept)) + 2 * aligned(places * sizeof(oq_u32));
}

static void start(void *instance, const struct oq_begin *how, struct oq_parts *parts)
{
	char *next = (char *)instance + aligned(sizeof(struct oq_instance));
	oq_u64 places = 0;

	this_instance = instance;
	this_instance->slots = how->slots;
	this_instance->policy_id = how->policy_id;
	this_instance->tell = how->pushed_out;
	this_instance->context = how->context;
	for (unsigned i = 0; i < OQ_POLICY_QUEUES; i++) {
		this_instance->base[i] = (oq_u32)places;
		this_instance->places[i] = how->places[i];
		places += how->places[i];
	}
	oq_packets = (struct oq_packet *)next;
	next += aligned(how->slots * sizeof(struct oq_packet));
	this_instance->kept = (struct kept *)next;
	next += aligned(how->slots * sizeof(struct kept));
#ifdef OQ_HAS_SERVICE_HEAP
	oq_service_heap = (oq_u32 *)next;
#endif
	next += aligned(places * sizeof(oq_u32));
#ifdef OQ_HAS_VICTIMS_HEAP
	oq_victims_heap = (oq_u32 *)next;
#endif
	oq_init(how->seed);
	*parts = (struct oq_parts){
		.queues = oq_queues,
		.ports = oq_ports,
		.buffers = oq_buffers,
		.counters = &oq_counters,
#ifdef OQ_PARAMETERS
		.parameters = oq_parameters,
#endif
		.older_in_queue = this_instance->older_in_queue,
		.older_in_buffer = this_instance->older_in_buffer,
		.places = this_instance->places,
		.slots = how->slots,
	};
}

/* Describes the packet of a slot that has just left its queue. */
static void describe(unsigned slot, struct oq_passed *packet)
{
	const struct kept *kept = &this_instance->kept[slot];

	packet->packet = kept->packet;
	packet->queue = kept->queue;
	packet->policy_id = kept->policy_id;
	packet->arrival = oq_packets[slot].arrival;
	packet->fields = oq_packets[slot].fields;
}

static void pushed_out(unsigned slot, unsigned rule)
{
	struct oq_passed packet;

	describe(slot, &packet);
	this_instance->tell(this_instance->context, &packet, rule);
}

static oq_u32 enqueue(void *instance, oq_u64 now, const struct oq_fields *fields, void *packet)
{
	unsigned slot;

	this_instance = instance;
	/* The slot that the packet will have: its comparators may read the version. */
	slot = oq_free_slot != OQ_NONE ? oq_free_slot : oq_fresh_slot;
	if (slot < this_instance->slots)
		this_instance->kept[slot].policy_id = this_instance->policy_id;
	slot = oq_enqueue(now, fields);
	if (slot & OQ_REFUSED)
		return slot;
	this_instance->kept[slot].packet = packet;
	this_instance->kept[slot].queue = oq_packets[slot].queue;
	return oq_packets[slot].queue;
}

static oq_u32 serve(void *instance, oq_u64 now, oq_u32 port, int one_cycle, struct oq_passed *packet)
{
	unsigned slot;

	this_instance = instance;
	slot = one_cycle ? oq_cycle(now, port) : oq_dequeue(now, port);
	if (slot == OQ_NONE || slot == OQ_CYCLE)
		return slot;
	describe(slot, packet);
	return OQ_SENT;
}

static int take(void *instance, struct oq_passed *packet)
{
	unsigned first = OQ_NONE;

	this_instance = instance;
	for (unsigned i = 0; i < OQ_POLICY_QUEUES; i++) {
		unsigned slot = oq_queues[i].first;

		if (oq_queues[i].packets && (first == OQ_NONE || oq_packets[slot].number < oq_packets[first].number))
			first = slot;
	}
	if (first == OQ_NONE)
		return 0;
	describe(first, packet);
	oq_take_out(first);
	oq_give_slot(first);
	return 1;
}

static void place(void *instance, oq_u32 queue, const struct oq_passed *packet)
{
	unsigned slot;

	this_instance = instance;
	slot = oq_take_slot();
	this_instance->kept[slot] =
		(struct kept){ .packet = packet->packet, .queue = queue, .policy_id = packet->policy_id };
	oq_packets[slot].fields = packet->fields;
	oq_packets[slot].number = oq_next_number++;
	oq_packets[slot].arrival = packet->arrival;
	oq_packets[slot].processing = packet->fields.processing;
	oq_put_in(queue, slot);
}

static void read_frame(struct oq_fields *fields, const oq_u8 *frame, oq_u32 length, oq_u32 size, oq_u32 egress)
{
	(void)egress;
#ifdef OQ_READS_EGRESS
	oq_egress = egress;
#endif
	length = length < OQ_HEAD_BYTES ? length : OQ_HEAD_BYTES;
	memcpy(oq_frame_head, frame, length);
	oq_read_fields(fields, length, size, 0, 0);
}

static void write_frame(oq_u8 *frame, oq_u32 length, oq_u32 marks)
{
	oq_write_marks(frame, length, marks);
}

extern const struct oq_version OQ_VERSION;
const struct oq_version OQ_VERSION = {
	.form = OQ_VERSION_FORM,
	.capacity = OQ_CAPACITY,
	.queues = OQ_POLICY_QUEUES,
	.ports = OQ_POLICY_PORTS,
	.buffers = OQ_POLICY_BUFFERS,
#ifdef OQ_PARAMETERS
	.parameters = OQ_POLICY_PARAMETERS,
	.parameter_names = (const char *const[])OQ_PARAMETER_NAMES,
#endif
	.queue_names = oq_queue_names,
	.port_names = oq_port_names,
	.buffer_names = oq_buffer_names,
	.queue_adm_states = oq_exact_queue_adm_states,
	.queue_sched_states = oq_exact_queue_sched_states,
	.port_sched_states = oq_exact_port_sched_states,
	.buffer_adm_states = oq_exact_buffer_adm_states,
	.queue_places = oq_queue_places,
	.queue_port = oq_queue_port,
	.queue_buffer = oq_queue_buffer,
	.port_rates = oq_port_rates,
	.port_in_percent = oq_port_in_percent,
	.bytes = bytes,
	.start = start,
	.enqueue = enqueue,
	.serve = serve,
	.take = take,
	.place = place,
	.read = read_frame,
	.write = write_frame,
};
