/*
 * The ports, the memory for packets, and the lanes between them.
 */
#ifndef DPDK_PORTS_H
#define DPDK_PORTS_H

#define RX_DESCRIPTORS 1024
#define TX_DESCRIPTORS 512
#define POOL_CACHE 256u

static struct rte_mempool *pool;
static struct lane *lanes;
static unsigned lane_count;
/* A policy that is put in the place of another one has room for no more packets. */
static unsigned most_packets = OQ_CAPACITY;
/* One thread at a time makes versions ready, or looks at all lanes. */
static pthread_mutex_t making_ready = PTHREAD_MUTEX_INITIALIZER;

/* Says what is wrong in one line, and ends with status 2. */
static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "error: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	va_end(arguments);
	exit(2);
}

static void *room(size_t bytes)
{
	void *room = rte_zmalloc(NULL, bytes, RTE_CACHE_LINE_SIZE);

	if (!room)
		fail("no memory for %zu bytes of the policy's state; give more, such as with -m 512 before --", bytes);
	return room;
}

/* Makes the pool: packets for all that waits in so many policies, for so many ports, and for what is under way. */
static void make_pool(unsigned policies, unsigned ports)
{
	unsigned packets = policies * (most_packets + OQ_POLICY_PORTS * BURST) + ports * (RX_DESCRIPTORS + TX_DESCRIPTORS)
		+ rte_lcore_count() * (POOL_CACHE * 3 / 2 + BURST);

	pool = rte_pktmbuf_pool_create("forebay", packets, POOL_CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, rte_socket_id());
	if (!pool)
		fail("no memory for %u packets of %u bytes: %s; give more, such as with -m 512 before --, or make the policy's "
		     "sizes smaller", packets, RTE_MBUF_DEFAULT_BUF_SIZE, rte_strerror(rte_errno));
}

/* Makes a port ready. */
static void start_port(uint16_t port)
{
	struct rte_eth_conf settings;
	uint16_t rx = RX_DESCRIPTORS, tx = TX_DESCRIPTORS;
	int socket = rte_eth_dev_socket_id(port);
	int status;

	memset(&settings, 0, sizeof settings);
	status = rte_eth_dev_configure(port, 1, 1, &settings);
	if (!status)
		status = rte_eth_dev_adjust_nb_rx_tx_desc(port, &rx, &tx);
	if (!status)
		status = rte_eth_rx_queue_setup(port, 0, rx, (unsigned)socket, NULL, pool);
	if (!status)
		status = rte_eth_tx_queue_setup(port, 0, tx, (unsigned)socket, NULL);
	if (!status)
		status = rte_eth_dev_start(port);
	if (status)
		fail("port %u cannot be started: %s", port, rte_strerror(-status));
	/* Not all ports can, and of those not all need to. */
	(void)rte_eth_promiscuous_enable(port);
}

/* Gives a version a place for what is counted of its queues: whether there was one. */
static int attach(struct lane *lane, struct oq_running *running, void *object)
{
	unsigned queues = running->version->queues;
	struct host *host = calloc(1, sizeof *host + queues * sizeof host->of[0]);

	if (!host || lane->live.names > MOST_NAMES) {
		free(host);
		return 0;
	}
	running->host = host;
	for (unsigned i = 0; i < queues; i++) {
		struct queue_counts **own = &lane->counts[running->queue_name[i]];

		if (!*own)
			*own = calloc(1, sizeof **own);
		if (!*own)
			return 0;
		host->of[i] = *own;
	}
	host->object = object;
	return 1;
}

/* Gives back versions under which nothing waits any more. */
static void release(struct oq_running *ended)
{
	for (struct oq_running *each = ended; each; each = each->newer) {
		struct host *host = each->host;

		if (host && host->object)
			dlclose(host->object);
		free(host);
	}
	oq_live_release(ended);
}

/* Makes a lane without inputs, whose outputs are not known yet. */
static void make_lane(struct lane *lane, uint64_t seed)
{
	char message[OQ_MESSAGE];

	choose_lane(lane);
	if (oq_live_begin(&lane->live, &oq_version, seed, dropped, lane, message) || !attach(lane, lane->live.current, NULL))
		fail("no memory for the policy's state; give more, such as with -m 512 before --");
}

/*
 * Sets the pace of a port: the rate of its link in bits a second if it is given, and the policy's. Whether it is known how fast the
 * port is, where that matters.
 */
static int set_pace(const struct oq_version *version, struct egress *egress, unsigned port, uint64_t link)
{
	wide declared = (wide)version->port_rates[port];
	struct rte_eth_link found;

	egress->over = 0;
	if (version->port_in_percent[port] && !link && declared >= (wide)100 << 16)
		return 1;
	if (!link && rte_eth_link_get_nowait(egress->port, &found) == 0 && found.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN)
		link = (uint64_t)found.link_speed * 1000000;
	if (version->port_in_percent[port] && !link)
		return 0;
	if (version->port_in_percent[port]) {
		egress->over = link * declared;
		egress->under = (wide)100 << 16;
	} else {
		egress->over = declared;
		egress->under = (wide)1 << 16;
	}
	if (link && egress->over > link * egress->under) {
		egress->over = link;
		egress->under = 1;
	}
	return 1;
}

/* Makes the lanes between the ports: one from each to its neighbour, or, of a policy with several ports, one for all. */
static void make_lanes(const uint16_t *ports, unsigned count, uint64_t seed)
{
	lane_count = OQ_POLICY_PORTS == 1 ? count : 1;
	lanes = room(lane_count * sizeof *lanes);
	for (unsigned i = 0; i < lane_count; i++) {
		struct lane *lane = &lanes[i];

		make_lane(lane, seed);
		lane->inputs = OQ_POLICY_PORTS == 1 ? 1 : count;
		for (unsigned input = 0; input < lane->inputs; input++)
			lane->input[input] = ports[OQ_POLICY_PORTS == 1 ? i ^ 1 : input];
		for (unsigned port = 0; port < OQ_POLICY_PORTS; port++) {
			lane->egress[port].port = ports[OQ_POLICY_PORTS == 1 ? i : port];
			if (!set_pace(&oq_version, &lane->egress[port], port, rates[lane->egress[port].port]))
				fail("port %u does not say how fast it is, and the policy has a part of that; say it with --rate",
				     lane->egress[port].port);
		}
	}
}

/* Gives back all that waits, and the ports. How many packets are not there again. */
static unsigned finish(const uint16_t *ports, unsigned count)
{
	for (unsigned i = 0; i < lane_count; i++) {
		choose_lane(&lanes[i]);
		for (unsigned port = 0; port < OQ_POLICY_PORTS; port++) {
			struct egress *egress = &lanes[i].egress[port];
			struct oq_passed passed;

			rte_pktmbuf_free_bulk(egress->keeps, egress->kept);
			while (oq_live_serve(&lanes[i].live, UINT64_MAX, port, 0, &passed, NULL) == OQ_SENT)
				rte_pktmbuf_free(passed.packet);
		}
		while (lanes[i].live.oldest)
			oq_live_end(&lanes[i].live, lanes[i].live.oldest);
		release(oq_live_ended(&lanes[i].live));
		oq_live_finish(&lanes[i].live);
	}
	for (unsigned i = 0; i < count; i++) {
		/* An interface of the kernel stays, and so would this. */
		(void)rte_eth_promiscuous_disable(ports[i]);
		(void)rte_eth_dev_stop(ports[i]);
		(void)rte_eth_dev_close(ports[i]);
	}
	return rte_mempool_in_use_count(pool);
}

#endif
