/*
 * What a packet costs: by the policy, and, beside it, by a plain ring in its place; all between the same two ports.
 *
 * Only what a burst costs from the call that receives it to the call that sends another is measured, and not the making of
 * packets. Cycles are those of the time stamp counter. What leaves is counted as well, with its Types of Service added up: of
 * two that are 63 and 1 that is how much of which has left.
 */
#ifndef DPDK_MEASURE_H
#define DPDK_MEASURE_H

#define FRAME_BYTES 100u
#define FLOWS 64u

/* What is measured. */
struct measured {
	uint64_t arrived;
	uint64_t left;
	uint64_t services; /* the sum of the Types of Service of what has left */
	uint64_t cycles;
	uint64_t block;    /* of the block of rounds that is under way */
	uint64_t shortest; /* of a block */
};

/* Rounds of a block: some 100 us, so that in most of them nothing else has the core. */
#define BLOCK_ROUNDS 32u

static uint64_t measure_state;

/* Packets that have the Type of Service and flow of the one before, on average; 0: any DSCP, and each a flow of its own. */
static uint64_t measure_burst;

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static uint64_t measure_random(void)
{
	uint64_t mixed = measure_state += 0x9e3779b97f4a7c15ull;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
	return mixed ^ (mixed >> 31);
}

/* Another Type of Service, and another flow. */
static void measure_choose(uint8_t *service, uint8_t *flow)
{
	uint64_t random = measure_random();

	*service = random & 1 ? 63 : 1;
	*flow = (uint8_t)((random >> 1) % FLOWS);
}

/* A frame of UDP over IPv4: one of some flows, any DSCP or one of two Types of Service, and a payload of random bytes. */
static struct rte_mbuf *measure_frame(void)
{
	static uint8_t service, flow;
	static const uint8_t headers[42] = { [12] = 0x08, [14] = 0x45, [17] = 86, [22] = 64, 17, [26] = 10, 0, 0, 1, 10, 0, 0, 2,
					     0x10, 0, 0x20, 0, 0, 66 };
	struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);
	uint8_t *bytes;

	if (!packet)
		fail("there are no packets left: some were lost");
	bytes = (uint8_t *)rte_pktmbuf_append(packet, FRAME_BYTES);
	memcpy(bytes, headers, sizeof headers);
	if (measure_burst) {
		if (!service || measure_random() % measure_burst == 0)
			measure_choose(&service, &flow);
		bytes[15] = service;
		bytes[35] = flow;
	} else {
		bytes[15] = (uint8_t)(measure_random() << 2);
		bytes[35] = (uint8_t)(measure_random() % FLOWS);
	}
	for (unsigned i = sizeof headers; i < FRAME_BYTES; i++)
		bytes[i] = (uint8_t)measure_random();
	return packet;
}

/* Makes a burst arrive. */
static void measure_offer(void)
{
	for (unsigned i = 0; i < BURST; i++)
		if (rte_ring_enqueue(ring_in, measure_frame()))
			fail("a packet did not arrive");
}

/* Counts what has left, and frees it. */
static void measure_clear(struct measured *measured)
{
	void *packet = NULL;

	for (unsigned port = 0; port < OQ_POLICY_PORTS; port++)
		while (!rte_ring_dequeue(ring_out[port], &packet)) {
			measured->left++;
			measured->services += rte_pktmbuf_mtod((struct rte_mbuf *)packet, uint8_t *)[15];
			rte_pktmbuf_free(packet);
		}
}

/* A burst through the policy; so many may leave, by the ports in turn. */
static void __attribute__((noinline)) measure_policy(uint64_t now, unsigned leave)
{
	unsigned verdict;

	receive(ring_ports[0], now, &verdict);
	for (unsigned i = 0; i < leave; i++)
		serve(i % OQ_POLICY_PORTS, now, 0);
	for (unsigned port = 0; port < OQ_POLICY_PORTS; port++)
		send_kept(&this_lane->egress[port]);
}

/* A burst through a ring, into which what does not fit is refused; so many leave. */
static void __attribute__((noinline)) measure_ring(struct rte_ring *ring, unsigned leave)
{
	struct rte_mbuf *burst[BURST];
	unsigned count = rte_eth_rx_burst(ring_ports[0], 0, burst, BURST);
	unsigned taken = rte_ring_enqueue_burst(ring, (void **)burst, count, NULL);

	if (taken < count)
		rte_pktmbuf_free_bulk(burst + taken, count - taken);
	count = rte_ring_dequeue_burst(ring, (void **)burst, leave, NULL);
	taken = rte_eth_tx_burst(ring_ports[0], 0, burst, (uint16_t)count);
	if (taken < count)
		rte_pktmbuf_free_bulk(burst + taken, count - taken);
}

/* What a block of rounds took. */
static void measure_block(struct measured *measured)
{
	measured->cycles += measured->block;
	measured->shortest = RTE_MIN(measured->shortest, measured->block);
	measured->block = 0;
}

/* Measures so many packets, in whole blocks, after a warm-up of as many rounds as fill whatever holds packets. */
static struct measured measure_rounds(struct rte_ring *ring, uint64_t packets, unsigned leave)
{
	uint64_t rounds = (packets / (BURST * BLOCK_ROUNDS) + 1) * BLOCK_ROUNDS;
	uint64_t warm = OQ_CAPACITY / (leave < BURST ? BURST - leave : BURST / 2) + 64;
	struct measured measured = { 0 };

	for (uint64_t round = 0; round < warm + rounds; round++) {
		uint64_t begin;

		if (round == warm)
			measured = (struct measured){ .arrived = rounds * BURST, .shortest = UINT64_MAX };
		measure_offer();
		begin = rte_rdtsc_precise();
		if (ring)
			measure_ring(ring, leave);
		else
			measure_policy(round * 1000, leave);
		measured.block += rte_rdtsc_precise() - begin;
		measure_clear(&measured);
		if (round >= warm && (round - warm) % BLOCK_ROUNDS == BLOCK_ROUNDS - 1)
			measure_block(&measured);
	}
	return measured;
}

/* Nanoseconds a packet that arrives, in the shortest block. */
static double measure_least(const struct measured *measured)
{
	return (double)measured->shortest * 1e9 / (double)rte_get_tsc_hz() / (BURST * BLOCK_ROUNDS);
}

/* Measures so many packets, with so many that wait already, of which so many leave for a burst: the status of the program. */
static int measure(uint64_t packets, uint64_t fill, unsigned leave, uint64_t seed, int as_json)
{
	struct measured plain, policy;
	struct rte_ring *ring;
	void *packet = NULL;

	fill = RTE_MIN(fill, OQ_CAPACITY - 1);
	measure_state = seed + 1;
	start_rings(seed);
	ring = rte_ring_create("plain", OQ_CAPACITY - 1, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);
	if (!ring)
		fail("no memory for a ring: %s; give more, such as with -m 512 before --", rte_strerror(rte_errno));
	for (uint64_t i = 0; i < fill; i++)
		rte_ring_enqueue(ring, measure_frame());
	plain = measure_rounds(ring, packets, leave);
	while (!rte_ring_dequeue(ring, &packet))
		rte_pktmbuf_free(packet);
	for (uint64_t i = 0; i < fill; i += BURST) {
		measure_offer();
		measure_policy(0, 0);
	}
	policy = measure_rounds(NULL, packets, leave);
	if (as_json)
		printf("{\"arrived\":%" PRIu64 ",\"left\":%" PRIu64 ",\"services\":%" PRIu64 ",\"least_ns\":%.1f,\"plain_least_ns\":%.1f}\n",
		       policy.arrived, policy.left, policy.services, measure_least(&policy), measure_least(&plain));
	else
		printf("%.0f cycles a packet, %.0f by a plain ring: %.2f times as many; %u wait\n",
		       (double)policy.cycles / (double)policy.arrived, (double)plain.cycles / (double)plain.arrived,
		       (double)policy.cycles / (double)plain.cycles, (unsigned)waiting());
	return finish(ring_ports, OQ_POLICY_PORTS) != 0;
}

#endif
