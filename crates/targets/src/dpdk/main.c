/*
 * A DPDK program that runs an OpenQueue policy at each port, or one policy with several ports at all of them.
 *
 * What it is told is shown by --help after the double dash, and in docs/targets/dpdk.md of forebay.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_prefetch.h>
#include <rte_ring.h>
#include <rte_telemetry.h>

static uint64_t rates[RTE_MAX_ETHPORTS]; /* of links, as they were given */

#include "dpdk_lane.h"
#include "dpdk_ports.h"
#include "dpdk_report.h"
#include "dpdk_change.h"
#include "dpdk_rings.h"
#include "dpdk_play.h"
#include "dpdk_measure.h"

static const char about[] =
	"usage: PROGRAM [EAL OPTIONS] -- [OPTIONS]\n"
	"\n"
	"Frames of each port leave by its neighbour (0 and 1, 2 and 3, ...), where an instance of the policy decides. A policy\n"
	"with several ports decides for all: its ports are those of DPDK, in order, and frames leave by the port of their queue.\n"
	"\n"
	"  --rate RATE       of all links, such as 10M or 2.5G (bits a second); otherwise as fast as ports take frames\n"
	"  --rate PORT=RATE  of one link\n"
	"  --seed NUMBER     of the trials of drop(P), and of the packets of --measure; 0 unless said otherwise\n"
	"  --packets NUMBER  room for packets in the policy, for a later one that has more; that of the first otherwise\n"
	"  --json            counters as JSON, one line each time\n"
	"  --play            operations from standard input in place of ports (oq_play.h)\n"
	"  --measure NUMBER  cycles a packet of so many packets, beside a plain ring, in place of ports\n"
	"  --fill NUMBER     of --measure: so many packets wait already; a quarter of what there is room for otherwise\n"
	"  --overload        of --measure: half as many leave as arrive\n"
	"  --leave NUMBER    of --measure: so many leave for 32 that arrive\n"
	"  --burst NUMBER    of --measure: Type of Service is 63 or 1; it and the flow are those of so many packets on average\n"
	"  --help            this text\n"
	"\n"
	"Counters are shown on SIGUSR1 and at the end, which is SIGINT or SIGTERM. DPDK's telemetry takes commands meanwhile:\n"
	"/openqueue/change,FILE,drain (or rerank) puts the policy of a shared object in the place of the one that runs, and\n"
	"/openqueue/set,NAME=NUMBER gives a live parameter a value.\n";

static volatile sig_atomic_t is_over;
static volatile sig_atomic_t is_asked;

static uint16_t ports[MOST_PORTS];
static unsigned port_count;
static uint64_t seed;
static int as_json;

static void on_signal(int number)
{
	if (number == SIGUSR1)
		is_asked = 1;
	else
		is_over = 1;
}

/* Nanoseconds since the program began. */
static uint64_t now_ns(void)
{
	static struct timespec begin;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!begin.tv_sec)
		begin = now;
	return (uint64_t)(now.tv_sec - begin.tv_sec) * 1000000000 + (uint64_t)now.tv_nsec - (uint64_t)begin.tv_nsec;
}

/* The work of a core: every lane whose number it has, again and again. */
static int work(void *unused)
{
	unsigned core = (unsigned)rte_lcore_index((int)rte_lcore_id());
	unsigned cores = rte_lcore_count();
	int is_main = rte_lcore_id() == rte_get_main_lcore();

	(void)unused;
	if (core >= lane_count && !is_main)
		return 0;
	while (!is_over) {
		for (unsigned i = core; i < lane_count; i += cores) {
			uint64_t now = now_ns();
			unsigned verdict;

			choose_lane(&lanes[i]);
			follow(&lanes[i]);
			for (unsigned input = 0; input < lanes[i].inputs; input++)
				receive(lanes[i].input[input], now, &verdict);
			for (unsigned port = 0; port < OQ_POLICY_PORTS; port++)
				transmit(port, now);
		}
		if (is_main && is_asked) {
			is_asked = 0;
			report(ports, port_count, now_ns(), as_json);
		}
	}
	return 0;
}

/* A rate such as 10M or 2.5G. */
static uint64_t read_rate(const char *text)
{
	static const char units[] = "kMG";
	char *end;
	double rate = strtod(text, &end);
	const char *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;

	if (unit) {
		end++;
		for (const char *each = units; each <= unit; each++)
			rate *= 1000;
	}
	if (end == text || (*end && strcmp(end, "bit") && strcmp(end, "bps")) || !(rate >= 1 && rate <= 1e13))
		fail("--rate: `%s` is no rate; it should be like 10M, 2.5G or 0=100k, in bits a second", text);
	return (uint64_t)rate;
}

static void set_rate(const char *text)
{
	const char *equals = strchr(text, '=');
	char *end;
	unsigned long port;

	if (!equals) {
		uint64_t rate = read_rate(text);

		for (unsigned i = 0; i < RTE_MAX_ETHPORTS; i++)
			rates[i] = rate;
		return;
	}
	port = strtoul(text, &end, 10);
	if (end == text || end != equals || port >= RTE_MAX_ETHPORTS || !rte_eth_dev_is_valid_port((uint16_t)port))
		fail("--rate: there is no port `%.*s`", (int)(equals - text), text);
	rates[port] = read_rate(equals + 1);
}

static uint64_t read_number(const char *option, const char *text)
{
	char *end;
	uint64_t number = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end)
		fail("%s: `%s` is no number", option, text);
	return number;
}

/* Finds the ports; how many there must be is said by the policy. */
static void find_ports(void)
{
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port) {
		if (port_count == MOST_PORTS)
			fail("there are more than %u ports; choose some with -a or --vdev before --", MOST_PORTS);
		ports[port_count++] = port;
	}
	if (OQ_POLICY_PORTS > 1 && port_count != OQ_POLICY_PORTS)
		fail("the policy has %u ports, and DPDK %u; choose with -a or --vdev before --", OQ_POLICY_PORTS, port_count);
	if (OQ_POLICY_PORTS == 1 && (!port_count || port_count % 2))
		fail("DPDK has %u ports, and each needs a neighbour; choose with -a or --vdev before --", port_count);
}

static int run(void)
{
	struct sigaction action;
	unsigned left;

	find_ports();
	make_pool(OQ_POLICY_PORTS == 1 ? port_count : 1, port_count);
	for (unsigned i = 0; i < port_count; i++)
		start_port(ports[i]);
	make_lanes(ports, port_count, seed);
	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	now_ns();
	take_commands();
	fprintf(stderr, "running on %u ports\n", port_count);
	rte_eal_mp_remote_launch(work, NULL, CALL_MAIN);
	rte_eal_mp_wait_lcore();
	report(ports, port_count, now_ns(), as_json);
	left = finish(ports, port_count);
	printf(as_json ? "{\"not_given_back\":%u}\n" : "packets not given back: %u\n", left);
	return 0;
}

/* Whether help is asked for after the double dash: nothing has to start for that. */
static int asks_for_help(int count, char **arguments)
{
	int own = 0;

	for (int i = 1; i < count; i++) {
		if (own && !strcmp(arguments[i], "--help"))
			return 1;
		own |= !strcmp(arguments[i], "--");
	}
	return 0;
}

int main(int count, char **arguments)
{
	static const struct option known[] = {
		{ "rate", required_argument, NULL, 'r' },    { "seed", required_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },          { "play", no_argument, NULL, 'p' },
		{ "measure", required_argument, NULL, 'm' }, { "fill", required_argument, NULL, 'f' },
		{ "overload", no_argument, NULL, 'o' },      { "leave", required_argument, NULL, 'l' },
		{ "burst", required_argument, NULL, 'b' },   { "packets", required_argument, NULL, 'k' },
		{ NULL, 0, NULL, 0 },
	};
	int used, option, status, is_play = 0;
	uint64_t leave = BURST, measured = 0, fill = OQ_CAPACITY / 4;

	if (asks_for_help(count, arguments)) {
		fputs(about, stdout);
		return 0;
	}
	used = rte_eal_init(count, arguments);
	if (used < 0)
		fail("DPDK does not start: %s; without huge pages it takes --no-huge before --, and why else it may be is shown above",
		     rte_strerror(rte_errno));
	count -= used;
	arguments += used;
	opterr = 0;
	while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
		switch (option) {
		case 'r':
			set_rate(optarg);
			break;
		case 's':
			seed = read_number("--seed", optarg);
			break;
		case 'j':
			as_json = 1;
			break;
		case 'p':
			is_play = 1;
			break;
		case 'm':
			measured = read_number("--measure", optarg);
			break;
		case 'f':
			fill = read_number("--fill", optarg);
			break;
		case 'o':
			leave = BURST / 2;
			break;
		case 'l':
			leave = read_number("--leave", optarg);
			if (leave > BURST)
				fail("--leave: %" PRIu64 " are more than the %u that arrive", leave, BURST);
			break;
		case 'k':
			most_packets = (unsigned)RTE_MIN(read_number("--packets", optarg), UINT32_MAX / 2);
			if (most_packets < OQ_CAPACITY)
				fail("--packets: the policy has room for %u packets, more than %u", OQ_CAPACITY, most_packets);
			break;
		case 'b':
			measure_burst = read_number("--burst", optarg);
			break;
		default:
			fail("`%s` is not known, or lacks its value; what may come after -- is shown by -- --help",
			     arguments[optind - 1]);
		}
	}
	if (optind != count)
		fail("`%s` was not expected; what may come after -- is shown by -- --help", arguments[optind]);
	if (is_play)
		status = play_mbufs(seed);
	else if (measured)
		status = measure(measured, fill, (unsigned)leave, seed, as_json);
	else
		status = run();
	rte_eal_cleanup();
	return status;
}
