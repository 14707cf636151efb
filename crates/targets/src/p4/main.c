/*
 * Runs policy.spec, or what was made of it, in DPDK's pipeline (rte_swx_pipeline) and serves its queues in their order.
 *
 *   policy codegen policy.spec policy.c     writes the specification as C
 *   policy run policy.spec PACKETS          runs the specification; a queue holds so many packets
 *   policy run policy.so PACKETS            runs what was compiled of that C
 *
 * It reads operations from its standard input, and answers each with a line:
 *
 *   frame HEX    a frame comes: `queue N`, or `full N` where queue N has no room, or `dropped`
 *   serve        a frame leaves the first queue that has one: `sent N`, its number counted from 0, or `nothing`
 *   bounds       `bounds N ...`, the lowest rank that each queue is meant for; 0 first
 *
 * It is one egress port. No huge pages and no devices are needed.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_mbuf.h>
#include <rte_ring.h>
#include <rte_swx_ctl.h>
#include <rte_swx_pipeline.h>
#include <rte_swx_port_ring.h>

/* A policy has no more, and a port of the pipeline without a queue costs little. */
#define QUEUES 32
#define MOST_FIELDS 256
#define MOST_INSTRUCTIONS 8192
#define MOST_BYTES 1600
/* Headers are looked for in so many bytes. */
#define HEAD 128

static void stop(const char *what, const char *why)
{
	/* What is quoted may be a long line. */
	fprintf(stderr, "error: %.*s: %s\n", (int)strnlen(what, 60), what, why);
	exit(2);
}

static void check(int status, const char *what)
{
	if (status)
		stop(what, strerror(status < 0 ? -status : status));
}

static FILE *opened(const char *name, const char *mode)
{
	FILE *file = fopen(name, mode);

	if (!file)
		stop(name, strerror(errno));
	return file;
}

static int codegen(const char *spec, const char *code)
{
	FILE *from = opened(spec, "r"), *to = opened(code, "w");
	const char *message = NULL;
	uint32_t line = 0;

	if (rte_swx_pipeline_codegen(from, to, &line, &message)) {
		fprintf(stderr, "error: %s:%u: %s\n", spec, line, message ? message : "cannot be used");
		return 2;
	}
	fclose(from);
	return fclose(to) ? 2 : 0;
}

/* The next line of a specification that is not empty nor a comment, without what is around it. */
static char *next_line(FILE *file, char *line, int size)
{
	while (fgets(line, size, file)) {
		char *begin = line + strspn(line, " \t"), *end = begin + strcspn(begin, "\r\n");

		*end = 0;
		if (*begin && *begin != ';')
			return begin;
	}
	return NULL;
}

static void structure(struct rte_swx_pipeline *p, const char *name, FILE *file)
{
	static struct rte_swx_field_params fields[MOST_FIELDS];
	char line[256], kind[16], field[64], *at;
	bool varies = false;
	uint32_t count = 0, bits;

	while ((at = next_line(file, line, sizeof line)) && strcmp(at, "}")) {
		if (count == MOST_FIELDS || sscanf(at, "%15[a-z]<%u> %63s", kind, &bits, field) != 3)
			stop(name, "is no struct that can be read");
		varies = !strcmp(kind, "varbit");
		fields[count].name = strdup(field);
		fields[count++].n_bits = bits;
	}
	check(rte_swx_pipeline_struct_type_register(p, name, fields, count, varies), name);
	while (count)
		free((void *)(uintptr_t)fields[--count].name);
}

/* What rte_swx_pipeline_build_from_spec did in earlier versions, for what is written here. */
static struct rte_swx_pipeline *interpreted(const char *spec)
{
	static const char *instructions[MOST_INSTRUCTIONS];
	char line[256], name[64], other[64], ring[16], *at;
	struct rte_swx_port_ring_reader_params in = {.name = "in", .burst_size = 1};
	struct rte_swx_pipeline *p = NULL;
	FILE *file = opened(spec, "r");
	uint32_t count = 0, size;
	int status;

	check(rte_swx_pipeline_config(&p, "policy", 0), "the pipeline");
	status = rte_swx_pipeline_port_in_type_register(p, "ring", &rte_swx_port_ring_reader_ops);
	check(status == -EEXIST ? 0 : status, "ports");
	status = rte_swx_pipeline_port_out_type_register(p, "ring", &rte_swx_port_ring_writer_ops);
	check(status == -EEXIST ? 0 : status, "ports");
	check(rte_swx_pipeline_port_in_config(p, 0, "ring", &in), "the input port");
	for (uint32_t queue = 0; queue < QUEUES; queue++) {
		struct rte_swx_port_ring_writer_params out = {.name = ring, .burst_size = 1};

		snprintf(ring, sizeof ring, "queue%u", queue);
		check(rte_swx_pipeline_port_out_config(p, queue, "ring", &out), ring);
	}
	while ((at = next_line(file, line, sizeof line))) {
		if (sscanf(at, "struct %63s {", name) == 1)
			structure(p, name, file);
		else if (sscanf(at, "header %63s instanceof %63s", name, other) == 2)
			check(rte_swx_pipeline_packet_header_register(p, name, other), name);
		else if (sscanf(at, "metadata instanceof %63s", name) == 1)
			check(rte_swx_pipeline_packet_metadata_register(p, name), name);
		else if (sscanf(at, "regarray %63s size %u", name, &size) == 2)
			check(rte_swx_pipeline_regarray_config(p, name, size, 0), name);
		else if (!strcmp(at, "apply {"))
			while ((at = next_line(file, line, sizeof line)) && strcmp(at, "}") && count < MOST_INSTRUCTIONS)
				instructions[count++] = strdup(at);
		else
			stop(spec, at);
	}
	fclose(file);
	check(rte_swx_pipeline_instructions_config(p, instructions, count), "the instructions");
	while (count)
		free((void *)(uintptr_t)instructions[--count]);
	check(rte_swx_pipeline_build(p), "the pipeline");
	return p;
}

static struct rte_swx_pipeline *compiled(const char *library)
{
	struct rte_swx_pipeline *p = NULL;
	char *path = realpath(library, NULL), *ports = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&ports, &size);

	if (!path)
		stop(library, strerror(errno));
	fprintf(text, "port in 0 ring in bsz 1\n");
	for (uint32_t queue = 0; queue < QUEUES; queue++)
		fprintf(text, "port out %u ring queue%u bsz 1\n", queue, queue);
	fclose(text);
	text = fmemopen(ports, size, "r");
	check(rte_swx_pipeline_build_from_lib(&p, "policy", path, text, 0), library);
	fclose(text);
	free(ports);
	free(path);
	return p;
}

static struct rte_ring *new_ring(const char *name, unsigned int packets)
{
	struct rte_ring *made = rte_ring_create(name, rte_align32pow2(packets + 1), 0, RING_F_SP_ENQ | RING_F_SC_DEQ);

	if (!made)
		stop(name, "there is no memory for the queue");
	return made;
}

struct queue {
	struct rte_ring *from_pipeline;
	struct rte_ring *waiting;
};

static uint64_t number_of(struct rte_mbuf *packet)
{
	uint64_t number;

	memcpy(&number, (char *)packet->buf_addr, sizeof number);
	return number;
}

static int digit(char letter)
{
	if (letter >= '0' && letter <= '9')
		return letter - '0';
	return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* The bytes of a frame; 0 if the text is none. */
static uint32_t read_frame(const char *text, uint8_t *bytes)
{
	uint32_t size = 0;

	for (; *text && size < MOST_BYTES; text += 2, size++) {
		if (digit(text[0]) < 0 || digit(text[1]) < 0)
			return 0;
		bytes[size] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
	}
	return *text ? 0 : size;
}

static void frame_comes(struct rte_swx_pipeline *p, struct rte_mempool *pool, struct rte_ring *in, struct queue *queues,
			uint32_t packets, const char *line)
{
	static uint64_t number;
	uint8_t bytes[MOST_BYTES];
	struct rte_mbuf *packet = rte_pktmbuf_alloc(pool);
	uint32_t size = read_frame(line + strlen("frame "), bytes);

	if (!packet)
		stop("packets", "there is no memory for another one");
	if (!size)
		stop(line, "is no frame of 1 to 1600 bytes");
	/* The pipeline does not know where a packet ends. */
	memset(rte_pktmbuf_mtod(packet, void *), 0, size + HEAD);
	memcpy(rte_pktmbuf_append(packet, (uint16_t)size), bytes, size);
	memcpy(packet->buf_addr, &number, sizeof number);
	number++;
	if (rte_ring_enqueue(in, packet))
		stop("the input", "is full");
	rte_swx_pipeline_run(p, MOST_INSTRUCTIONS);
	rte_swx_pipeline_flush(p);
	for (uint32_t queue = 0; queue < QUEUES; queue++) {
		if (rte_ring_dequeue(queues[queue].from_pipeline, (void **)&packet))
			continue;
		if (packet->pkt_len != size || memcmp(rte_pktmbuf_mtod(packet, void *), bytes, size))
			stop(line, "was changed");
		if (rte_ring_count(queues[queue].waiting) >= packets) {
			rte_pktmbuf_free(packet);
			printf("full %u\n", queue);
		} else {
			check(rte_ring_enqueue(queues[queue].waiting, packet), "a queue");
			printf("queue %u\n", queue);
		}
		return;
	}
	printf("dropped\n");
}

static void serve(struct queue *queues)
{
	struct rte_mbuf *packet = NULL;

	for (uint32_t queue = 0; queue < QUEUES; queue++)
		if (!rte_ring_dequeue(queues[queue].waiting, (void **)&packet)) {
			printf("sent %llu\n", (unsigned long long)number_of(packet));
			rte_pktmbuf_free(packet);
			return;
		}
	printf("nothing\n");
}

static void show_bounds(struct rte_swx_pipeline *p)
{
	struct rte_swx_ctl_regarray_info about;
	uint64_t bound;

	printf("bounds");
	if (!rte_swx_ctl_regarray_info_get(p, 0, &about))
		for (uint32_t queue = 0; queue < about.size; queue++) {
			check(rte_swx_ctl_pipeline_regarray_read(p, "bounds", queue, &bound), "the bounds");
			printf(" %llu", (unsigned long long)bound);
		}
	printf("\n");
}

static int run(const char *program, uint32_t packets)
{
	char *eal[] = {"policy", "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "--log-level", "4"};
	static struct queue queues[QUEUES];
	struct rte_swx_pipeline *p;
	struct rte_mempool *pool;
	struct rte_ring *in;
	size_t length = strlen(program);
	uint32_t all = 0;
	char *line = NULL, name[16];
	size_t size = 0;

	fclose(opened(program, "r"));
	if (rte_eal_init(sizeof eal / sizeof *eal, eal) < 0)
		stop("DPDK", "cannot start");
	in = new_ring("in", 1);
	for (uint32_t queue = 0; queue < QUEUES; queue++) {
		snprintf(name, sizeof name, "queue%u", queue);
		queues[queue].from_pipeline = new_ring(name, 1);
		snprintf(name, sizeof name, "waiting%u", queue);
		queues[queue].waiting = new_ring(name, packets);
		all += packets;
	}
	pool = rte_pktmbuf_pool_create("packets", all + 64, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (!pool)
		stop("the packets", "there is no memory for them");
	p = length > 3 && !strcmp(program + length - 3, ".so") ? compiled(program) : interpreted(program);
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (!strncmp(line, "frame ", 6))
			frame_comes(p, pool, in, queues, packets, line);
		else if (!strcmp(line, "serve"))
			serve(queues);
		else if (!strcmp(line, "bounds"))
			show_bounds(p);
		else
			stop(line, "should be frame HEX, serve or bounds");
	}
	free(line);
	all = 0;
	for (uint32_t queue = 0; queue < QUEUES; queue++)
		all += rte_ring_count(queues[queue].waiting);
	if (rte_mempool_in_use_count(pool) != all)
		stop("packets", "were lost");
	return 0;
}

int main(int count, char **words)
{
	if (count == 4 && !strcmp(words[1], "codegen"))
		return codegen(words[2], words[3]);
	if (count == 4 && !strcmp(words[1], "run")) {
		unsigned long packets = strtoul(words[3], NULL, 10);

		if (packets < 1 || packets > 256)
			stop(words[3], "a queue holds 1 to 256 packets");
		return run(words[2], (uint32_t)packets);
	}
	stop("policy", "use codegen FROM.spec TO.c, or run POLICY.spec|POLICY.so PACKETS");
}
