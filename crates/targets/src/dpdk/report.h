/*
 * What has been counted, for people or as JSON: one line for each time it is asked for.
 */
#ifndef DPDK_REPORT_H
#define DPDK_REPORT_H

static const char *const rule_names[OQ_RULES] = OQ_RULE_NAMES;

/* Packets that the policy of the lane holds. */
static uint64_t waiting(void)
{
	uint64_t packets = 0;

	for (unsigned i = 0; i < OQ_POLICY_QUEUES; i++)
		packets += oq_queues[i].packets;
	return packets;
}

static void lane_as_json(const struct lane *lane)
{
	printf("{\"receives\":[");
	for (unsigned i = 0; i < lane->inputs; i++)
		printf("%s%u", i ? "," : "", lane->input[i]);
	printf("],\"received\":%" PRIu64 ",\"received_bytes\":%" PRIu64 ",\"waiting\":%" PRIu64 ",\"dropped\":{",
	       lane->received, lane->received_bytes, waiting());
	for (unsigned i = 0; i < OQ_RULES; i++)
		printf("%s\"%s\":%" PRIu64, i ? "," : "", rule_names[i], (uint64_t)oq_counters.dropped[i]);
	printf("},\"marked\":%" PRIu64 ",\"notified\":%" PRIu64 ",\"queues\":[", (uint64_t)oq_counters.marked,
	       (uint64_t)oq_counters.notified);
	for (unsigned i = 0; i < OQ_POLICY_QUEUES; i++)
		printf("%s{\"entered\":%" PRIu64 ",\"left\":%" PRIu64 ",\"pushed_out\":%" PRIu64
		       ",\"waiting\":%u,\"waiting_bytes\":%" PRIu64 "}", i ? "," : "", lane->queues[i].entered,
		       lane->queues[i].left, lane->queues[i].pushed_out, oq_queues[i].packets, (uint64_t)oq_queues[i].bytes);
	printf("],\"ports\":[");
	for (unsigned i = 0; i < OQ_POLICY_PORTS; i++)
		printf("%s{\"port\":%u,\"sent\":%" PRIu64 ",\"sent_bytes\":%" PRIu64 ",\"kept\":%u}", i ? "," : "",
		       lane->egress[i].port, lane->egress[i].sent, lane->egress[i].sent_bytes, lane->egress[i].kept);
	printf("]}");
}

static void lane_as_text(const struct lane *lane)
{
	printf("from port");
	for (unsigned i = 0; i < lane->inputs; i++)
		printf(" %u", lane->input[i]);
	printf(": received %" PRIu64 " (%" PRIu64 " B), waiting %" PRIu64 ", marked %" PRIu64 ", notified %" PRIu64 "; dropped by",
	       lane->received, lane->received_bytes, waiting(), (uint64_t)oq_counters.marked, (uint64_t)oq_counters.notified);
	for (unsigned i = 0; i < OQ_RULES; i++)
		printf(" %s %" PRIu64, rule_names[i], (uint64_t)oq_counters.dropped[i]);
	printf("\n");
	for (unsigned i = 0; i < OQ_POLICY_QUEUES; i++)
		printf("  queue %u: entered %" PRIu64 ", left %" PRIu64 ", pushed out %" PRIu64 ", waiting %u (%" PRIu64 " B)\n", i,
		       lane->queues[i].entered, lane->queues[i].left, lane->queues[i].pushed_out, oq_queues[i].packets,
		       (uint64_t)oq_queues[i].bytes);
	for (unsigned i = 0; i < OQ_POLICY_PORTS; i++)
		printf("  to port %u: sent %" PRIu64 " (%" PRIu64 " B), kept %u\n", lane->egress[i].port, lane->egress[i].sent,
		       lane->egress[i].sent_bytes, lane->egress[i].kept);
}

/* Shows what all lanes and ports have counted by `now`. What other cores count meanwhile may be a moment old. */
static void report(const uint16_t *ports, unsigned count, uint64_t now, int as_json)
{
	struct lane *mine = this_lane;

	printf(as_json ? "{\"ns\":%" PRIu64 ",\"lanes\":[" : "after %" PRIu64 " ns\n", now);
	for (unsigned i = 0; i < lane_count; i++) {
		choose_lane(&lanes[i]);
		if (as_json && i)
			printf(",");
		if (as_json)
			lane_as_json(&lanes[i]);
		else
			lane_as_text(&lanes[i]);
	}
	printf(as_json ? "],\"missed\":[" : "missed by port:");
	for (unsigned i = 0; i < count; i++) {
		struct rte_eth_stats stats;

		memset(&stats, 0, sizeof stats);
		(void)rte_eth_stats_get(ports[i], &stats);
		printf(as_json ? "%s{\"port\":%u,\"packets\":%" PRIu64 "}" : "%s %u: %" PRIu64, as_json && i ? "," : "", ports[i],
		       stats.imissed + stats.rx_nombuf);
	}
	printf(as_json ? "]}\n" : "\n");
	fflush(stdout);
	if (mine)
		choose_lane(mine);
}

#endif
