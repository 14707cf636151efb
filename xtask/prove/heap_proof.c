/*
 * One heap of a policy, held to its contract by a bounded model checker: for every heap of COUNT packets with any keys, each operation leaves a
 * heap of the right packets. HEAP is its name in oq_orders.h, ARRAY the array of its places, INDEX which of a packet's places it is, PLACE
 * where the packet is that an operation is about.
 *
 * The packet in place i has slot i. Slots are only names, which the program compares for being the same: what holds with these names holds with
 * any.
 */
#include "oq_core.h"

#define JOIN3(a, b, c) a##b##c
#define NAMED(a, b, c) JOIN3(a, b, c)
#define FIRST NAMED(oq_, HEAP, _first)

/* Any packets, queues and ports; each packet has a number of its own, and those in the heap know their places. */
static void any_packets(void)
{
	__CPROVER_havoc_object(oq_packets);
	__CPROVER_havoc_object(ARRAY);
	__CPROVER_havoc_object(oq_queues);
	__CPROVER_havoc_object(oq_ports);
	for (oq_u32 a = 0; a < OQ_SLOTS; a++)
		for (oq_u32 b = 0; b < a; b++)
			__CPROVER_assume(oq_packets[a].number != oq_packets[b].number);
	for (oq_u32 i = 0; i < COUNT; i++) {
		ARRAY[i] = i;
		oq_packets[i].place[INDEX] = i;
	}
}

/* Whether none of the first `count` packets precedes the one above it. */
static int is_ordered(oq_u32 count)
{
	for (oq_u32 i = 1; i < count; i++)
		if (FIRST(ARRAY[i], ARRAY[(i - 1) / 2]))
			return 0;
	return 1;
}

/* A heap of `count` packets is left, each in its place; all that were in, but for one, and one more. */
static void is_left(oq_u32 count, oq_u32 without, oq_u32 with)
{
	oq_u32 found = 0;

	for (oq_u32 i = 0; i < count; i++) {
		__CPROVER_assert(ARRAY[i] < OQ_SLOTS && oq_packets[ARRAY[i]].place[INDEX] == i, "packets know their places");
		__CPROVER_assert(ARRAY[i] < COUNT || ARRAY[i] == with, "nothing else comes in");
		__CPROVER_assert(ARRAY[i] != without, "what leaves is out");
		found |= 1u << ARRAY[i];
	}
	for (oq_u32 slot = 0; slot < COUNT; slot++)
		__CPROVER_assert(slot == without || (found >> slot & 1), "nothing is lost");
	__CPROVER_assert(is_ordered(count), "the order holds");
}

/* The comparator is a total order of packets. */
void order(void)
{
	any_packets();
	__CPROVER_assert(!FIRST(0, 0), "no packet precedes itself");
	__CPROVER_assert(FIRST(0, 1) != FIRST(1, 0), "of two packets one precedes");
	__CPROVER_assert(!(FIRST(0, 1) && FIRST(1, 2)) || FIRST(0, 2), "what precedes goes on");
}

/* The packet at the front precedes all others. */
void front(void)
{
	any_packets();
	__CPROVER_assume(is_ordered(COUNT));
	__CPROVER_assert(PLACE == 0 || FIRST(0, PLACE), "the front precedes");
}

void goes_in(void)
{
	any_packets();
	__CPROVER_assume(is_ordered(COUNT));
	NAMED(oq_, HEAP, _in)(0, COUNT, COUNT);
	is_left(COUNT + 1, OQ_NONE, COUNT);
}

void goes_out(void)
{
	any_packets();
	__CPROVER_assume(is_ordered(COUNT));
	NAMED(oq_, HEAP, _out)(0, PLACE, COUNT);
	is_left(COUNT - 1, PLACE, OQ_NONE);
}

/* All of a packet's keys change. */
void is_moved(void)
{
	struct oq_packet any;

	any_packets();
	__CPROVER_assume(is_ordered(COUNT));
	__CPROVER_havoc_object(&any);
	any.number = oq_packets[PLACE].number;
	any.place[INDEX] = PLACE;
	oq_packets[PLACE] = any;
	NAMED(oq_, HEAP, _moved)(0, PLACE, COUNT);
	is_left(COUNT, OQ_NONE, OQ_NONE);
}
