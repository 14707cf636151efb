OQ_ROOM(struct oq_packet, oq_packets, OQ_SLOTS);
OQ_SHOWN(queues) struct oq_queue oq_queues[OQ_QUEUES];
OQ_SHOWN(ports) struct oq_port oq_ports[OQ_PORTS];
OQ_SHOWN(buffers) struct oq_buffer oq_buffers[OQ_BUFFERS];
OQ_SHOWN(counters) struct oq_counts oq_counters;
OQ_HELD oq_u64 oq_next_number;
OQ_HELD oq_u32 oq_free_slot;  /* the first free slot that was used before, or OQ_NONE */
OQ_HELD oq_u32 oq_fresh_slot; /* the first that was never used */
OQ_HELD oq_u64 oq_random_state[4];
