/*
 * When ports may send: each begins a packet when the one before has ended at the port's rate.
 */
#ifndef OQ_PACE_H
#define OQ_PACE_H

#include "oq_places.h"

u64 next_begin[OQ_MOST_PORTS];
u64 next_part[OQ_MOST_PORTS]; /* of the nanosecond after that, in parts of which the rate makes one */
u32 next_port;
u64 wake; /* when a port may send, if all that have packets must wait */

/* How much later than its time a packet may be begun without making the ones behind it later, too: timers are late. */
#define OQ_LATENESS 1000000u

/* Asks the ports that may send now, in turn. */
__attribute__((noinline, weak)) int ask_ports(u32 ports)
{
	struct oq_shared *shared = oq_shared_value();
	u64 now, begin;

	wake = 0;
	if (!shared)
		return 0;
	now = shared->now;
	OQ_LOOP(i, OQ_MOST_PORTS) {
		u32 port = next_port;

		if (i >= ports)
			break;
		if (port >= ports)
			port = 0;
		next_port = port + 1;
		begin = next_begin[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
		if (begin <= now) {
			ask(port);
			if (shared->answer != OQ_NOTHING)
				break;
		} else if (!wake || begin < wake) {
			wake = begin;
		}
	}
	return 0;
}

/* When the port may begin the next packet. */
static __attribute__((always_inline)) void pace(const struct oq_control *control, u32 port, u64 now, u32 length)
{
	u64 rate = control->rates[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
	u64 *next = &next_begin[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
	u64 *part = &next_part[OQ_MASKED(port, OQ_MOST_PORTS - 1)];
	u64 begin = *next, parts = (u64)length * 8000000000ull;

	if (!rate)
		return;
	if (begin + OQ_LATENESS < now)
		begin = now;
	/* Another rate has other parts. */
	else if (*part < rate)
		parts += *part;
	*next = begin + parts / rate;
	*part = parts % rate;
}

/* All ports may send. */
static __attribute__((always_inline)) void forget_pace(void)
{
	OQ_LOOP(i, OQ_MOST_PORTS)
		next_begin[OQ_MASKED(i, OQ_MOST_PORTS - 1)] = 0;
}

#endif
