/*
 * Plays operations on a policy; what they look like: oq_play.h. The seed of the trials is the first argument.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pushed(unsigned slot, unsigned rule);
#define OQ_DROP(slot, rule) pushed(slot, rule)
#include "oq_core.h"
#include "oq_play.h"

static uint64_t ids[OQ_SLOTS];

static void pushed(unsigned slot, unsigned rule)
{
	(void)rule;
	play_pushed(ids[slot], &oq_packets[slot].fields);
}

static unsigned play_enqueue(uint64_t now, const struct oq_fields *fields, uint64_t id)
{
	unsigned slot = oq_enqueue(now, fields);

	if (!(slot & OQ_REFUSED))
		ids[slot] = id;
	return slot;
}

static unsigned play_serve(uint64_t now, unsigned port, int one_cycle)
{
	unsigned slot = one_cycle ? oq_cycle(now, port) : oq_dequeue(now, port);

	if (slot != OQ_NONE && slot != OQ_CYCLE)
		play_show(ids[slot], &oq_packets[slot].fields);
	return slot;
}

int main(int count, char **arguments)
{
	oq_init(count > 1 ? strtoull(arguments[1], NULL, 10) : 0);
	return play_all();
}
