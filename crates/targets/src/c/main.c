/*
 * Plays operations on a policy: one a line from standard input, and what became of each on standard output.
 *
 *   enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING RANK MARKS ID
 *   dequeue NOW PORT       all that is left of a packet
 *   cycle NOW PORT         one cycle of a packet
 *   state                  all states and occupancies
 *
 * Times are in nanoseconds. An answer is one line, with packets as ID:VALUE:MARKS:
 *
 *   queued                 or `refused RULE`; then ` pushed PACKET` for each that was pushed out
 *   sent PACKET            or `cycle` if a packet was served that stays, or `nothing`
 *   states NUMBER...       of each queue packets, bytes, admState, schedState; of each port schedState; of each buffer
 *                          admState; states in units of 1/65,536
 *
 * Answers to operations end with ` |` and the counters: unclassified, dropped by queue, by buffer, overflowed, marked,
 * notified, out of slots. The seed of the trials is the first argument.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pushed(unsigned slot, unsigned rule);
#define OQ_DROP(slot, rule) pushed(slot, rule)
#include "oq_core.h"

static uint64_t ids[OQ_SLOTS];
static const char *const rules[OQ_RULES] = OQ_RULE_NAMES;
static char out[48 * OQ_SLOTS + 64];
static size_t length;

static void packet(unsigned slot)
{
	length += (size_t)snprintf(out + length, sizeof out - length, "%" PRIu64 ":%" PRIu32 ":%u", ids[slot],
				   oq_packets[slot].fields.value, oq_packets[slot].fields.marks);
}

static void pushed(unsigned slot, unsigned rule)
{
	(void)rule;
	length += (size_t)snprintf(out + length, sizeof out - length, " pushed ");
	packet(slot);
}

static void counters(void)
{
	const struct oq_counts *all = &oq_counters;

	printf(" | %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       (uint64_t)all->dropped[OQ_RULE_UNCLASSIFIED], (uint64_t)all->dropped[OQ_RULE_QUEUE],
	       (uint64_t)all->dropped[OQ_RULE_BUFFER], (uint64_t)all->dropped[OQ_RULE_OVERFLOW],
	       (uint64_t)all->marked, (uint64_t)all->notified, (uint64_t)all->dropped[OQ_RULE_SLOTS]);
}

static void states(void)
{
	printf("states");
	for (unsigned i = 0; i != OQ_POLICY_QUEUES; i++)
		printf(" %" PRIu32 " %" PRIu64 " %" PRId64 " %" PRId64, oq_queues[i].packets, (uint64_t)oq_queues[i].bytes,
		       (int64_t)oq_queues[i].adm_state, (int64_t)oq_queues[i].sched_state);
	for (unsigned i = 0; i != OQ_POLICY_PORTS; i++)
		printf(" %" PRId64, (int64_t)oq_ports[i].sched_state);
	for (unsigned i = 0; i != OQ_POLICY_BUFFERS; i++)
		printf(" %" PRId64, (int64_t)oq_buffers[i].adm_state);
	printf("\n");
}

/* A packet arrives; `line` is what comes after the word. */
static int enqueue(const char *line)
{
	struct oq_fields fields = { .marks = 0 };
	uint64_t now, processing, slack, remaining, rank, id;
	unsigned class, marks;
	oq_u32 slot;

	if (sscanf(line,
		   "%" SCNu64 " %" SCNu16 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %u %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %u %" SCNu64,
		   &now, &fields.queue, &fields.size, &fields.value, &fields.flow, &class, &processing, &slack, &remaining,
		   &rank, &marks, &id) != 12)
		return 0;
	fields.class = (oq_u8)class;
	fields.marks = (oq_u8)marks;
	fields.processing = processing;
	fields.slack = slack;
	fields.remaining = remaining;
	fields.rank = rank;
	length = 0;
	out[0] = 0;
	slot = oq_enqueue(now, &fields);
	if (slot & OQ_REFUSED) {
		printf("refused %s%s", rules[slot & ~OQ_REFUSED], out);
	} else {
		ids[slot] = id;
		printf("queued%s", out);
	}
	counters();
	return 1;
}

static int serve(const char *line, int one_cycle)
{
	uint64_t now;
	unsigned port;
	oq_u32 slot;

	if (sscanf(line, "%" SCNu64 " %u", &now, &port) != 2 || port >= OQ_POLICY_PORTS)
		return 0;
	slot = one_cycle ? oq_cycle(now, port) : oq_dequeue(now, port);
	length = 0;
	out[0] = 0;
	if (slot == OQ_NONE) {
		printf("nothing");
	} else if (slot == OQ_CYCLE) {
		printf("cycle");
	} else {
		packet(slot);
		printf("sent %s", out);
	}
	counters();
	return 1;
}

static int play(const char *line)
{
	if (!strncmp(line, "enqueue ", 8))
		return enqueue(line + 8);
	if (!strncmp(line, "dequeue ", 8))
		return serve(line + 8, 0);
	if (!strncmp(line, "cycle ", 6))
		return serve(line + 6, 1);
	if (!strncmp(line, "state", 5)) {
		states();
		return 1;
	}
	return 0;
}

int main(int count, char **arguments)
{
	char line[512];

	oq_init(count > 1 ? strtoull(arguments[1], NULL, 10) : 0);
	for (unsigned number = 1; fgets(line, sizeof line, stdin); number++) {
		if (!play(line)) {
			fprintf(stderr, "line %u: no operation: %s", number, line);
			return 2;
		}
	}
	return 0;
}
