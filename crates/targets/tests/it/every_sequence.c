/*
 * Every sequence of operations on both heaps of a queue, up to a length, against a list that is searched. The queue serves the packet
 * with the least work left and pushes out the one with the most; of equal ones the first to arrive goes first, and the last is pushed
 * out first.
 *
 * Works are 1 to the number of arrivals, so that packets have every order that they can have, with every choice of equal ones. A
 * cycle takes one from the work of the packet that is served, which moves it in both heaps.
 *
 * Arguments: packets that the queue holds, arrivals, and operations in all. Prints the number of sequences; stops at the first difference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pushed(unsigned slot, unsigned rule);
#define OQ_DROP(slot, rule) pushed(slot, rule)
#include "oq_core.h"

#define MOST 16

struct waiting {
	unsigned id, work, size;
};

static struct waiting list[MOST];
static unsigned waiting, next_id, ids[OQ_SLOTS], lost[MOST], losses;

static void pushed(unsigned slot, unsigned rule)
{
	(void)rule;
	lost[losses++] = ids[slot];
}

/* What the list serves first. */
static unsigned first(void)
{
	unsigned best = 0;

	for (unsigned i = 1; i < waiting; i++)
		if (list[i].work < list[best].work)
			best = i;
	return best;
}

/* What the list pushes out first. */
static unsigned worst(void)
{
	unsigned found = 0;

	for (unsigned i = 1; i < waiting; i++)
		if (list[i].work >= list[found].work)
			found = i;
	return found;
}

static void take(unsigned place)
{
	memmove(list + place, list + place + 1, (waiting - place - 1) * sizeof list[0]);
	waiting--;
}

/* A packet arrives; says whether all agree. */
static int arrives(unsigned work, unsigned capacity)
{
	struct oq_fields fields = { .size = 100, .processing = work };
	unsigned id = next_id++, slot, expected = OQ_NONE;

	list[waiting++] = (struct waiting){ id, work, 100 };
	if (waiting > capacity) {
		unsigned victim = worst();

		expected = list[victim].id;
		take(victim);
	}
	losses = 0;
	slot = oq_enqueue(0, &fields);
	if (!(slot & OQ_REFUSED))
		ids[slot] = id;
	if (expected == id)
		return (slot & OQ_REFUSED) && !losses;
	if (slot & OQ_REFUSED)
		return 0;
	return expected == OQ_NONE ? !losses : losses == 1 && lost[0] == expected;
}

/* A packet is served, or one cycle of it; says whether all agree. */
static int serves(int one_cycle)
{
	unsigned slot = one_cycle ? oq_cycle(0, 0) : oq_dequeue(0, 0);
	unsigned place = first();

	if (!waiting)
		return slot == OQ_NONE;
	if (one_cycle && list[place].work > 1) {
		list[place].work--;
		return slot == OQ_CYCLE;
	}
	if (slot == OQ_NONE || slot == OQ_CYCLE || ids[slot] != list[place].id)
		return 0;
	take(place);
	return 1;
}

static char sequence[64];
static unsigned capacity;
static long sequences;

/* Plays the sequence from the beginning. */
static void play(unsigned length)
{
	oq_init(0);
	waiting = next_id = 0;
	for (unsigned i = 0; i < length; i++) {
		int agree = sequence[i] == 'd' ? serves(0) : sequence[i] == 'c' ? serves(1) : arrives(sequence[i] - '0', capacity);

		if (!agree || OQ_QUEUE(0).packets != waiting) {
			printf("operation %u of %.*s differs\n", i + 1, (int)length, sequence);
			exit(0);
		}
	}
	while (waiting)
		if (!serves(0)) {
			printf("what is left after %.*s differs\n", (int)length, sequence);
			exit(0);
		}
	sequences++;
}

/* Adds operations to the first `length`. Shorter sequences are beginnings of longer ones. */
static void extend(unsigned length, unsigned arrivals, unsigned operations)
{
	if (length == operations) {
		play(length);
		return;
	}
	sequence[length] = 'd';
	extend(length + 1, arrivals, operations);
	sequence[length] = 'c';
	extend(length + 1, arrivals, operations);
	for (unsigned used = 0, work = 1; work <= arrivals; work++) {
		for (unsigned i = used = 0; i < length; i++)
			used += sequence[i] >= '0' && sequence[i] <= '9';
		if (used == arrivals)
			break;
		sequence[length] = (char)('0' + work);
		extend(length + 1, arrivals, operations);
	}
}

int main(int count, char **arguments)
{
	if (count != 4)
		return 2;
	capacity = (unsigned)atoi(arguments[1]);
	extend(0, (unsigned)atoi(arguments[2]), (unsigned)atoi(arguments[3]));
	printf("%ld\n", sequences);
	return 0;
}
