/*
 * Plays operations on a policy that is changed meanwhile: each shared object is a version (version.c). The arguments are the seed
 * of the trials and the first version; what operations look like: oq_play.h.
 */
#include <dlfcn.h>
#include <inttypes.h>

#include "oq_live.h"

/* A packet: what the program knows of it beside its fields. */
struct packet {
	uint64_t id;
};

static struct oq_live live;

#define PLAY_CHANGES 1
#define PLAY_COUNTERS oq_live_counts(&live)
#define PLAY_QUEUES live.current->version->queues
#define PLAY_QUEUE(i) live.current->parts.queues[i]
#define PLAY_OLDER(i, what) (uint64_t)live.current->parts.older_in_queue[i].what
#define PLAY_PORTS live.current->version->ports
#define PLAY_PORT(i) live.current->parts.ports[i]
#define PLAY_BUFFERS live.current->version->buffers
#define PLAY_BUFFER(i) live.current->parts.buffers[i]
#define PLAY_OUT_BYTES (1u << 23)
#define PLAY_PARAMETERS live.current->version->parameters
#define PLAY_PARAMETER(i) live.current->parts.parameters[i]
#include "oq_play.h"

static void pushed_out(void *context, const struct oq_passed *passed, oq_u32 rule)
{
	(void)context;
	(void)rule;
	play_pushed(((struct packet *)passed->packet)->id, &passed->fields);
	free(passed->packet);
}

/* Opens a version; the file stays open as long as the program runs. */
static const struct oq_version *open_version(const char *file, char *message)
{
	void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	const struct oq_version *version = object ? dlsym(object, "oq_version") : NULL;

	if (!version)
		oq_live_say(message, "%s", dlerror());
	return version;
}

static unsigned play_enqueue(uint64_t now, const struct oq_fields *fields, uint64_t id)
{
	struct packet *packet = malloc(sizeof *packet);
	unsigned queue;

	if (!packet)
		abort();
	packet->id = id;
	queue = oq_live_enqueue(&live, now, fields, packet);
	if (queue & OQ_REFUSED)
		free(packet);
	return queue;
}

static unsigned play_serve(uint64_t now, unsigned port, int one_cycle)
{
	struct oq_passed passed;
	unsigned served = oq_live_serve(&live, now, port, one_cycle, &passed, NULL);

	if (served == OQ_SENT) {
		play_show(((struct packet *)passed.packet)->id, &passed.fields);
		free(passed.packet);
	}
	oq_live_release(oq_live_ended(&live));
	return served;
}

static int play_change(const char *line)
{
	char file[4000], way[16], message[OQ_MESSAGE] = "";
	uint64_t now;
	const struct oq_version *version;
	struct oq_running *next;

	if (sscanf(line, "%" SCNu64 " %3999s %15s", &now, file, way) != 3 || (strcmp(way, "drain") && strcmp(way, "rerank")))
		return 0;
	version = open_version(file, message);
	next = version ? oq_live_prepare(&live, version, message) : NULL;
	if (next && !oq_live_change(&live, next, strcmp(way, "drain") ? OQ_RERANK : OQ_DRAIN, message)) {
		printf("changed %u", live.changes);
	} else {
		oq_live_free(next);
		printf("refused: %s", message);
	}
	oq_live_release(oq_live_ended(&live));
	play_counters();
	return 1;
}

int main(int count, char **arguments)
{
	char message[OQ_MESSAGE];
	const struct oq_version *first = count == 3 ? open_version(arguments[2], message) : NULL;
	struct oq_passed passed;
	int status;

	if (count != 3) {
		fprintf(stderr, "usage: live SEED VERSION.so\n");
		return 2;
	}
	if (!first || oq_live_begin(&live, first, strtoull(arguments[1], NULL, 10), pushed_out, NULL, message)) {
		fprintf(stderr, "error: %s\n", message);
		return 2;
	}
	status = play_all();
	for (unsigned port = 0; port < live.current->version->ports; port++)
		while (oq_live_serve(&live, UINT64_MAX, port, 0, &passed, NULL) == OQ_SENT)
			free(passed.packet);
	oq_live_finish(&live);
	return status;
}
