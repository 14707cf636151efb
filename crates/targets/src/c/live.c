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

#define PLAY_LIVE &live
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

static void play_change(const char *file, enum oq_transition transition)
{
	char message[OQ_MESSAGE] = "";
	const struct oq_version *version = open_version(file, message);
	struct oq_running *next = version ? oq_live_prepare(&live, version, message) : NULL;

	if (next && !oq_live_change(&live, next, transition, message)) {
		printf("changed %u", live.changes);
	} else {
		oq_live_free(next);
		printf("refused: %s", message);
	}
	oq_live_release(oq_live_ended(&live));
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
