/*
 * Plays operations on a policy: one a line from standard input, and what became of each on standard output.
 *
 *   enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING RANK MARKS ID
 *   frame NOW ID BYTES     the same of a frame, whose headers have the fields, in hexadecimal (a host that defines OQ_PLAYS_FRAMES)
 *   dequeue NOW PORT       all that is left of a packet
 *   cycle NOW PORT         one cycle of a packet
 *   state                  all states and occupancies
 *   change NOW FILE WAY    the policy of a shared object from now on; WAY is drain or rerank (a host that defines PLAY_LIVE)
 *
 * Times are in nanoseconds. An answer is one line, with packets as ID:VALUE:MARKS:
 *
 *   queued                 or `refused RULE`; then ` pushed PACKET` for each that was pushed out
 *   sent PACKET            or `cycle` if a packet was served that stays, or `nothing`
 *   changed VERSION        or `refused: ` and why
 *   states NUMBER...       of each queue packets, bytes, admState, schedState; of each port schedState; of each buffer
 *                          admState; states in units of 1/65,536
 *
 * Answers to operations end with ` |` and the counters: unclassified, dropped by queue, by buffer, overflowed, marked,
 * notified, out of slots.
 *
 * The host includes oq_core.h, this file, and the C library's inttypes, stdio and string before it. It defines play_enqueue
 * and play_serve, and shows packets that leave and that are pushed out.
 */
#ifndef OQ_PLAY_H
#define OQ_PLAY_H

/* What oq_enqueue returns of the packet with this number. */
static unsigned play_enqueue(uint64_t now, const struct oq_fields *fields, uint64_t id);
#ifdef OQ_PLAYS_FRAMES
/* The same of a frame with the number. */
static unsigned play_frame(uint64_t now, const oq_u8 *bytes, unsigned length, uint64_t id);
#endif
#ifdef PLAY_LIVE
/* Puts the policy of a shared object in the place of the one that runs, and shows what came of it. */
static void play_change(const char *file, enum oq_transition transition);
#endif
/* What oq_dequeue or oq_cycle returns; a packet that leaves is shown with play_show. */
static unsigned play_serve(uint64_t now, unsigned port, int one_cycle);

/* What is shown of the policy: that of oq_core.h, or of PLAY_LIVE, the address of a `struct oq_live`, if the host defines it. */
#ifdef PLAY_LIVE
#define PLAY_COUNTERS oq_live_counts(PLAY_LIVE)
#define PLAY_QUEUES (PLAY_LIVE)->current->version->queues
#define PLAY_QUEUE(i) (PLAY_LIVE)->current->parts.queues[i]
#define PLAY_OLDER(i, what) (uint64_t)(PLAY_LIVE)->current->parts.older_in_queue[i].what
#define PLAY_PORTS (PLAY_LIVE)->current->version->ports
#define PLAY_PORT(i) (PLAY_LIVE)->current->parts.ports[i]
#define PLAY_BUFFERS (PLAY_LIVE)->current->version->buffers
#define PLAY_BUFFER(i) (PLAY_LIVE)->current->parts.buffers[i]
#define PLAY_PARAMETERS (PLAY_LIVE)->current->version->parameters
#define PLAY_PARAMETER(i) (PLAY_LIVE)->current->parts.parameters[i]
#define PLAY_OUT_BYTES (1u << 23)
#else
#define PLAY_COUNTERS oq_counters
#define PLAY_QUEUES OQ_POLICY_QUEUES
#define PLAY_QUEUE(i) oq_queues[i]
#define PLAY_OLDER(i, what) 0
#define PLAY_PORTS OQ_POLICY_PORTS
#define PLAY_PORT(i) oq_ports[i]
#define PLAY_BUFFERS OQ_POLICY_BUFFERS
#define PLAY_BUFFER(i) oq_buffers[i]
#define PLAY_OUT_BYTES (48 * OQ_SLOTS + 64)
#ifdef OQ_PARAMETERS
#define PLAY_PARAMETERS OQ_POLICY_PARAMETERS
#define PLAY_PARAMETER(i) oq_parameters[i]
#endif
#endif

static char play_out[PLAY_OUT_BYTES];
static size_t play_length;

/* Shows a packet, with the marks that operations name: not whether its sender understands ECN. */
static void play_show(uint64_t id, const struct oq_fields *fields)
{
	play_length += (size_t)snprintf(play_out + play_length, sizeof play_out - play_length, "%" PRIu64 ":%" PRIu32 ":%u",
					id, fields->value, fields->marks & (OQ_MARK | OQ_NOTIFICATION));
}

/* Shows a packet that was pushed out. */
static void play_pushed(uint64_t id, const struct oq_fields *fields)
{
	play_length += (size_t)snprintf(play_out + play_length, sizeof play_out - play_length, " pushed ");
	play_show(id, fields);
}

static void play_begin(void)
{
	play_length = 0;
	play_out[0] = 0;
}

static void play_counters(void)
{
	const struct oq_counts all = PLAY_COUNTERS;

	printf(" | %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	       (uint64_t)all.dropped[OQ_RULE_UNCLASSIFIED], (uint64_t)all.dropped[OQ_RULE_QUEUE],
	       (uint64_t)all.dropped[OQ_RULE_BUFFER], (uint64_t)all.dropped[OQ_RULE_OVERFLOW],
	       (uint64_t)all.marked, (uint64_t)all.notified, (uint64_t)all.dropped[OQ_RULE_SLOTS]);
}

static void play_states(void)
{
	printf("states");
	for (unsigned i = 0; i != PLAY_QUEUES; i++)
		printf(" %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64, (uint64_t)PLAY_QUEUE(i).packets + PLAY_OLDER(i, packets),
		       (uint64_t)PLAY_QUEUE(i).bytes + PLAY_OLDER(i, bytes), (int64_t)PLAY_QUEUE(i).adm_state,
		       (int64_t)PLAY_QUEUE(i).sched_state);
	for (unsigned i = 0; i != PLAY_PORTS; i++)
		printf(" %" PRId64, (int64_t)PLAY_PORT(i).sched_state);
	for (unsigned i = 0; i != PLAY_BUFFERS; i++)
		printf(" %" PRId64, (int64_t)PLAY_BUFFER(i).adm_state);
	printf("\n");
}

/* Shows what became of a packet that has arrived. */
static void play_admission(unsigned slot)
{
	static const char *const rules[OQ_RULES] = OQ_RULE_NAMES;

	if (slot & OQ_REFUSED)
		printf("refused %s%s", rules[slot & ~OQ_REFUSED], play_out);
	else
		printf("queued%s", play_out);
	play_counters();
}

/* A packet arrives; `line` is what comes after the word. */
static int play_arrival(const char *line)
{
	struct oq_fields fields = { .marks = 0 };
	uint64_t now, processing, slack, remaining, rank, id;
	unsigned class, marks;

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
	play_begin();
	play_admission(play_enqueue(now, &fields, id));
	return 1;
}

#ifdef OQ_PLAYS_FRAMES
/* A frame arrives. */
static int play_frame_arrival(const char *line)
{
	static oq_u8 bytes[OQ_PLAYS_FRAMES];
	uint64_t now, id;
	unsigned length = 0, byte;
	int used;

	if (sscanf(line, "%" SCNu64 " %" SCNu64 " %n", &now, &id, &used) != 2)
		return 0;
	for (line += used; sscanf(line, "%2x", &byte) == 1 && length != sizeof bytes; line += 2)
		bytes[length++] = (oq_u8)byte;
	play_begin();
	play_admission(play_frame(now, bytes, length, id));
	return 1;
}

#endif

static int play_departure(const char *line, int one_cycle)
{
	uint64_t now;
	unsigned port, slot;

	if (sscanf(line, "%" SCNu64 " %u", &now, &port) != 2 || port >= PLAY_PORTS)
		return 0;
	play_begin();
	slot = play_serve(now, port, one_cycle);
	if (slot == OQ_NONE)
		printf("nothing");
	else if (slot == OQ_CYCLE)
		printf("cycle");
	else
		printf("sent %s", play_out);
	play_counters();
	return 1;
}

#ifdef PLAY_PARAMETERS
/*
 * `set NOW PARAMETER UNITS` gives a live parameter a value in units of 1/65,536; parameters count from 0 in order of definition.
 * The answer is `set`.
 */
static int play_setting(const char *line)
{
	uint64_t now;
	int64_t units;
	unsigned parameter;

	if (sscanf(line, "%" SCNu64 " %u %" SCNd64, &now, &parameter, &units) != 3 || parameter >= PLAY_PARAMETERS)
		return 0;
	PLAY_PARAMETER(parameter) = units;
	printf("set");
	play_counters();
	return 1;
}

#endif
#ifdef PLAY_LIVE
static int play_version(const char *line)
{
	char file[4000], way[16];
	uint64_t now;
	int is_drain;

	if (sscanf(line, "%" SCNu64 " %3999s %15s", &now, file, way) != 3)
		return 0;
	is_drain = !strcmp(way, "drain");
	if (!is_drain && strcmp(way, "rerank"))
		return 0;
	play_change(file, is_drain ? OQ_DRAIN : OQ_RERANK);
	play_counters();
	return 1;
}
#endif

/* Plays an operation: whether it was one. */
static int play(const char *line)
{
#ifdef PLAY_LIVE
	if (!strncmp(line, "change ", 7))
		return play_version(line + 7);
#endif
	if (!strncmp(line, "enqueue ", 8))
		return play_arrival(line + 8);
#ifdef OQ_PLAYS_FRAMES
	if (!strncmp(line, "frame ", 6))
		return play_frame_arrival(line + 6);
#endif
	if (!strncmp(line, "dequeue ", 8))
		return play_departure(line + 8, 0);
	if (!strncmp(line, "cycle ", 6))
		return play_departure(line + 6, 1);
#ifdef PLAY_PARAMETERS
	if (!strncmp(line, "set ", 4))
		return play_setting(line + 4);
#endif
	if (!strncmp(line, "state", 5)) {
		play_states();
		return 1;
	}
	return 0;
}

/* Plays all of standard input: 0, or 2 at the first line that is no operation, which is shown. */
static int play_all(void)
{
#ifdef OQ_PLAYS_FRAMES
	static char line[2 * OQ_PLAYS_FRAMES + 64];
#else
	char line[512];
#endif

	for (unsigned number = 1; fgets(line, sizeof line, stdin); number++) {
		if (!play(line)) {
			fprintf(stderr, "line %u: no operation: %s", number, line);
			return 2;
		}
	}
	return 0;
}

#endif
