/*
 * A version that runs or is about to: its memory, and the names by which its parts are those of other versions. oq_live.h includes it.
 */
#ifndef OQ_RUNNING_H
#define OQ_RUNNING_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "oq_version.h"

/* Memory that is all 0, and its return. A host may have memory of its own, such as that of a socket. */
#ifndef OQ_ALLOCATE
#define OQ_ALLOCATE(bytes) calloc(1, bytes)
#define OQ_FREE(memory) free(memory)
#endif

/* What happens to packets that wait: they leave first, by the old orders, or they take their places in the new ones. */
enum oq_transition { OQ_DRAIN, OQ_RERANK };

/* The most bytes of a message. */
#define OQ_MESSAGE 512u

/* A version under which packets arrive or wait. */
struct oq_running {
	const struct oq_version *version;
	void *instance;
	struct oq_parts parts;
	oq_u32 number;       /* 1, 2, ...; 0 before it is in force */
	oq_u32 prepared;     /* changes that there were when it was made ready */
	oq_u32 names;        /* so many names were known then */
	oq_u32 *queue_named; /* by the number of a name: queue or OQ_NONE */
	oq_u32 *port_named;
	oq_u32 *queue_name;  /* and the other way round */
	oq_u32 *port_name;
	struct oq_running *newer;
	void *host;          /* what the host keeps for it */
};

struct oq_live {
	struct oq_running *oldest; /* under which packets wait, up to `current` */
	struct oq_running *current;
	struct oq_running *ended; /* under which nothing waits any more: oq_live_ended */
	oq_u64 seed;
	oq_u32 changes;
	struct oq_counts gone; /* of versions that have ended */
	void (*pushed_out)(void *context, const struct oq_passed *packet, oq_u32 rule);
	void *context;
	char **name; /* all names of queues and ports so far */
	oq_u32 names;
};

/* Writes a message, if there is a place for it. */
static inline void __attribute__((format(printf, 2, 3))) oq_live_say(char *message, const char *format, ...)
{
	va_list arguments;

	if (!message)
		return;
	va_start(arguments, format);
	vsnprintf(message, OQ_MESSAGE, format, arguments);
	va_end(arguments);
}

/* The number of a name; OQ_NONE without memory. */
static inline oq_u32 oq_live_name(struct oq_live *live, const char *text)
{
	char **more;
	char *copy;

	for (oq_u32 i = 0; i < live->names; i++)
		if (!strcmp(live->name[i], text))
			return i;
	more = realloc(live->name, (live->names + 1) * sizeof *more);
	if (more)
		live->name = more;
	copy = more ? malloc(strlen(text) + 1) : NULL;
	if (!copy)
		return OQ_NONE;
	strcpy(copy, text);
	live->name[live->names] = copy;
	return live->names++;
}

static inline void oq_live_free(struct oq_running *running)
{
	if (!running)
		return;
	if (running->instance)
		OQ_FREE(running->instance);
	free(running->queue_named);
	free(running->port_named);
	free(running->queue_name);
	free(running->port_name);
	free(running);
}

/* The seed of a version of a policy: that of the first, or of a part `version/NUMBER` of it, as the engines of forebay have. */
static inline oq_u64 oq_live_seed(oq_u64 seed, oq_u32 number)
{
	oq_u64 hash = 0xcbf29ce484222325ULL, state[4]; /* FNV-1a */
	char name[24];

	if (number == 1)
		return seed;
	snprintf(name, sizeof name, "version/%u", number);
	for (const char *each = name; *each; each++)
		hash = (hash ^ (oq_u8)*each) * 0x100000001b3ULL;
	for (oq_u32 i = 0; i < 8; i++)
		hash = (hash ^ (seed >> 8 * i & 0xff)) * 0x100000001b3ULL;
	/* SplitMix64, and the first number of xoshiro256++. */
	for (oq_u32 i = 0; i < 4; i++) {
		oq_u64 mixed;

		hash += 0x9e3779b97f4a7c15ULL;
		mixed = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
		mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
		state[i] = mixed ^ (mixed >> 31);
	}
	hash = state[0] + state[3];
	return ((hash << 23) | (hash >> 41)) + state[0];
}

static inline oq_u64 oq_live_packets(const struct oq_running *running)
{
	oq_u64 packets = 0;

	for (oq_u32 i = 0; i < running->version->queues; i++)
		packets += running->parts.queues[i].packets;
	return packets;
}

/* Packets that wait, under all versions. */
static inline oq_u64 oq_live_waiting(const struct oq_live *live)
{
	oq_u64 packets = 0;

	for (const struct oq_running *each = live->oldest; each; each = each->newer)
		packets += oq_live_packets(each);
	return packets;
}

/* The numbers of the names of queues or ports; NULL without memory. */
static inline oq_u32 *oq_live_numbers(struct oq_live *live, const char *const *names, oq_u32 count)
{
	oq_u32 *numbers = malloc((count + 1) * sizeof *numbers);

	for (oq_u32 i = 0; numbers && i < count; i++) {
		numbers[i] = oq_live_name(live, names[i]);
		if (numbers[i] == OQ_NONE) {
			free(numbers);
			return NULL;
		}
	}
	return numbers;
}

/* By the number of a name, the queue or port that has it. */
static inline oq_u32 *oq_live_named(const struct oq_live *live, const oq_u32 *numbers, oq_u32 count)
{
	oq_u32 *named = malloc((live->names + 1) * sizeof *named);

	if (!named)
		return NULL;
	for (oq_u32 i = 0; i < live->names; i++)
		named[i] = OQ_NONE;
	for (oq_u32 i = 0; i < count; i++)
		named[numbers[i]] = i;
	return named;
}

/* What a version's parts are called: whether there was memory for it. */
static inline int oq_live_names(struct oq_live *live, struct oq_running *next)
{
	const struct oq_version *version = next->version;

	next->queue_name = oq_live_numbers(live, version->queue_names, version->queues);
	next->port_name = oq_live_numbers(live, version->port_names, version->ports);
	if (!next->queue_name || !next->port_name)
		return 0;
	next->names = live->names;
	next->queue_named = oq_live_named(live, next->queue_name, version->queues);
	next->port_named = oq_live_named(live, next->port_name, version->ports);
	return next->queue_named && next->port_named;
}

static inline oq_u32 oq_live_queue(const struct oq_running *running, oq_u32 name)
{
	return name < running->names ? running->queue_named[name] : OQ_NONE;
}

static inline oq_u32 oq_live_port(const struct oq_running *running, oq_u32 name)
{
	return name < running->names ? running->port_named[name] : OQ_NONE;
}

/*
 * Room for what a version may hold: its own packets, and all that may wait when it comes into force. What waits under the current
 * version is at most what waits now or what that version admits.
 */
static inline oq_u32 oq_live_room(const struct oq_live *live, const struct oq_running *next, oq_u32 *places)
{
	oq_u64 slots = next->version->capacity;

	memcpy(places, next->version->queue_places, next->version->queues * sizeof *places);
	for (const struct oq_running *each = live->oldest; each; each = each->newer) {
		oq_u64 waiting = oq_live_packets(each);

		if (each == live->current && waiting < each->version->capacity)
			waiting = each->version->capacity;
		slots += waiting;
		for (oq_u32 i = 0; i < each->version->queues; i++) {
			oq_u32 queue = oq_live_queue(next, each->queue_name[i]);
			oq_u32 here = each->parts.queues[i].packets;

			if (each == live->current && here < each->version->queue_places[i])
				here = each->version->queue_places[i];
			if (queue != OQ_NONE)
				places[queue] += here;
		}
	}
	return slots < OQ_NONE ? (oq_u32)slots : OQ_NONE;
}

/*
 * Makes a version ready, which takes the time and the memory; packets may pass meanwhile. NULL if it cannot be, and then `message`
 * (OQ_MESSAGE bytes, or NULL) says why.
 */
static inline struct oq_running *oq_live_prepare(struct oq_live *live, const struct oq_version *version, char *message)
{
	struct oq_begin how = { .pushed_out = live->pushed_out, .context = live->context };
	struct oq_running *next;
	oq_u32 *places;
	oq_u64 all = 0;

	if (version->form != OQ_VERSION_FORM) {
		oq_live_say(message, "the version has a table of form %u, and this program reads form %u; compile the policy again",
			    version->form, OQ_VERSION_FORM);
		return NULL;
	}
	next = calloc(1, sizeof *next);
	places = malloc((version->queues + 1) * sizeof *places);
	if (!next || !places)
		goto no_memory;
	next->version = version;
	next->prepared = live->changes;
	if (!oq_live_names(live, next))
		goto no_memory;
	how.slots = oq_live_room(live, next, places);
	how.places = places;
	how.policy_id = live->changes + 1;
	how.seed = oq_live_seed(live->seed, how.policy_id);
	for (oq_u32 i = 0; i < version->queues; i++)
		all += places[i];
	next->instance = OQ_ALLOCATE(version->bytes(how.slots, all));
	if (!next->instance)
		goto no_memory;
	version->start(next->instance, &how, &next->parts);
	free(places);
	return next;
no_memory:
	oq_live_say(message, "there is no memory for another version");
	free(places);
	oq_live_free(next);
	return NULL;
}

#endif
